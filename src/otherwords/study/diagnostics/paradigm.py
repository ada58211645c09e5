"""PARADIGM: paraphrase grammars held against sentential paraphrases (Weese et al. 2014).

Synchronous parse coverage (§4.1) is the share of sentence pairs that a grammar derives: of `all`
pairs, and of groups with `any` pair that it derives. Grammar overlap (§4.2, §4.3) is in
`otherwords.build.grammar.shared_rules`. Coverage is a sum of counts by group, which are resampled
for intervals.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from otherwords.build.grammar.sync_parser import Derivation, Parse, SyncParser, Verdict
from otherwords.errors import InputError
from otherwords.io.arguments import check_whole
from otherwords.metrics.base import Array
from otherwords.stats.drawn import spearman_each
from otherwords.stats.draws import Draws
from otherwords.study.diagnostics.group_estimates import GroupResampling, as_number, interval_of
from otherwords.study.diagnostics.pair_groups import PairGroup, SentencePair, pairs_of
from otherwords.tables.table import Number

__all__ = [
    "COVERAGE",
    "CoverageCounts",
    "coverage",
    "coverage_estimates",
    "derivation_records",
    "parse_pairs",
    "spearman",
]

COVERAGE = ("all", "any", "length")
_BLOCK = 64  # pairs between two words of progress
_PATIENCE = 0.5  # seconds; after a block that took longer the next is smaller: Ctrl-C waits for it


@dataclass(frozen=True)
class CoverageCounts:
    """What a grammar derives: counts by group, and how often each verdict was given.

    The columns are pairs, pairs derived, 1, whether any was derived, and the words of both
    sentences of the derived pairs. Pairs that ran into a limit are not derived, and counted
    separately.
    """

    counts: Array
    verdicts: Mapping[Verdict, int]
    steps: int

    @property
    def scores(self) -> dict[str, float | None]:
        """Shares of all pairs and of groups, and the average length of derived sentences."""
        found = _values(self.counts.sum(axis=0))
        return {name: None if np.isnan(value) else float(value) for name, value in found.items()}


def parse_pairs(
    parser: SyncParser,
    pairs: Sequence[SentencePair],
    *,
    threads: int = 1,
    progress: Callable[[int], None] = lambda done: None,
) -> list[Parse]:
    """A parse for every pair."""
    check_whole("threads", threads, 1, 1024)
    found: list[Parse] = []
    size = 1
    while len(found) < len(pairs):
        block = pairs[len(found) : len(found) + size * threads]
        sides = [[pair.source for pair in block], [pair.target for pair in block]]
        start = time.perf_counter()
        found += parser.parse(*sides, threads=threads)
        quick = time.perf_counter() - start < _PATIENCE
        size = min(2 * size, _BLOCK) if quick else max(size // 4, 1)
        progress(len(block))
    return found


def coverage(groups: Sequence[PairGroup], parses: Sequence[Parse]) -> CoverageCounts:
    """The coverage of groups by the parses of all their pairs, in order.

    >>> pairs = [SentencePair(("a",), ("b",), ("a",)), SentencePair(("a",), ("c", "d"), ("a",))]
    >>> groups = [PairGroup("1", tuple(pairs)), PairGroup("2", (pairs[0],))]
    >>> verdicts = ["rejected", "accepted", "rejected"]
    >>> coverage(groups, [Parse(Verdict(verdict), 1) for verdict in verdicts]).scores
    {'all': 0.3333333333333333, 'any': 0.5, 'length': 1.5}
    """
    if len(parses) != len(pairs_of(groups)):
        raise InputError(f"{len(parses)} parses but {len(pairs_of(groups))} sentence pairs")
    given = iter(parses)
    rows = []
    for group in groups:
        derived = [pair for pair in group.pairs if next(given).verdict is Verdict.accepted]
        words = sum(len(pair.source) + len(pair.target) for pair in derived)
        rows.append([len(group.pairs), len(derived), 1, bool(derived), words])
    verdicts = [parse.verdict for parse in parses]
    counts = np.array(rows, dtype=np.float64).reshape(-1, 5)
    steps = sum(parse.steps for parse in parses)
    return CoverageCounts(counts, {verdict: verdicts.count(verdict) for verdict in Verdict}, steps)


def _values(sums: Array) -> dict[str, Array]:
    """The scores of sums of counts, whose last axis has the columns; NaN where undefined."""
    pairs, parsed, groups, any_parsed, words = np.moveaxis(sums, -1, 0)
    with np.errstate(divide="ignore", invalid="ignore"):
        shares = (parsed / pairs, any_parsed / groups, words / (2 * parsed))
    return dict(zip(COVERAGE, map(np.asarray, shares), strict=True))


def coverage_estimates(found: CoverageCounts, how: GroupResampling) -> dict[str, Number]:
    """The scores with bootstrap intervals over groups.

    There is none of a single group, nor where all resamples agree: that no group is derived, or
    only one, says little about others, and an interval without width would say all.
    """
    blocks = [
        _values(block.astype(np.float64) @ found.counts)
        for block in Draws(len(found.counts), how.resamples, how.seed)
    ]
    estimates = {}
    for name, value in found.scores.items():
        draws = np.concatenate([block[name] for block in blocks])
        around = None if value is None else interval_of(draws, len(found.counts), how)
        is_known = around is not None and around.low < around.high
        estimates[name] = as_number(value, around if is_known else None)
    return estimates


def derivation_records(
    parser: SyncParser, groups: Sequence[PairGroup], parses: Sequence[Parse]
) -> Iterator[dict[str, Any]]:
    """How each derived pair is derived: which phrase corresponds to which, by which rule (§4.1).

    As JSON has it. Constituents come each before its children, with their depths; spans are of
    words, ends excluded.
    """
    given = iter(parses)
    for group in groups:
        for pair in group.pairs:
            if next(given).verdict is Verdict.accepted:
                trees = parser.derive(pair.source, pair.target)[1]
                yield {
                    "group": group.name,
                    "source": list(pair.source),
                    "target": list(pair.target),
                    "derivation": list(_nodes(trees, pair, parser)),
                }


def _nodes(
    trees: Sequence[Derivation], pair: SentencePair, parser: SyncParser
) -> Iterator[dict[str, Any]]:
    """The constituents, each before its children, with their depths."""
    stack = [(tree, 0) for tree in reversed(trees)]
    while stack:
        tree, depth = stack.pop()
        stack += [(child, depth + 1) for child in reversed(tree.children)]
        yield {
            "depth": depth,
            "label": tree.label,
            "source": list(tree.source),
            "target": list(tree.target),
            "source_text": " ".join(pair.source[slice(*tree.source)]),
            "target_text": " ".join(pair.target[slice(*tree.target)]),
            "rule": None if tree.rule is None else str(parser.index.rule(tree.rule)),
        }


def spearman(scores: Mapping[str, float | None], human: Mapping[str, float]) -> float | None:
    """Spearman's rho of the scores of systems with human scores (Table 7).

    Over the systems that have both; none of fewer than three, nor where a side never changes.

    >>> spearman({"a": 1.0, "b": 2.0, "c": 3.0}, {"a": 5.0, "b": 4.0, "c": 1.0, "d": 2.0})
    -1.0
    """
    both = [(score, human[name]) for name, score in scores.items() if name in human]
    known = [(score, person) for score, person in both if score is not None]
    if not known:
        return None
    mine, theirs = (np.array([side]) for side in zip(*known, strict=True))
    rho = float(spearman_each(mine, theirs)[0])
    return None if np.isnan(rho) else round(rho, 12)

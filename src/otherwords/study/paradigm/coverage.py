"""Synchronous parse coverage (PARADIGM §4.1): the share of `all` sentence pairs that a grammar
derives, and the share of groups with `any` derived pair.

Coverage is computed from counts by group, which are resampled for intervals.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from otherwords.build.grammar.extraction import RuleLimits, limits_of
from otherwords.build.grammar.sync_parser import Parse, Verdict
from otherwords.errors import InputError, UsageError
from otherwords.stats.arrays import Array
from otherwords.stats.resampling import Resamples
from otherwords.study.agreement.system_correlation import (
    METRICS,
    Correlations,
    Human,
    correlations,
    human_records,
    human_tables,
    paraphrase_scores,
    read_human,
)
from otherwords.study.paradigm.pairs import (
    PairGroup,
    PairsFile,
    has_links,
    pairs_of,
    read_pair_groups,
)
from otherwords.study.paradigm.stages import (
    CoverageWork,
    Parsed,
    Parsing,
    Resources,
    check_files,
)
from otherwords.study.parametric.estimates import GroupResampling, as_number, interval_of
from otherwords.tables.table import Cell, Column, Number, Table
from otherwords.tables.tabular import Tabular

COVERAGE = ("all", "any", "length")
# For each grammar, one line of JSON per derived pair.
Derivations = Mapping[str, Iterator[bytes]]


@dataclass(frozen=True)
class CoverageCounts:
    """Counts of derived pairs by group, and how often each verdict was returned.

    The columns are pairs, derived pairs, 1, whether any pair was derived, and the words of both
    sentences of derived pairs. Pairs that reached a limit count as not derived.
    """

    counts: Array
    verdicts: Mapping[Verdict, int]
    steps: int

    @property
    def scores(self) -> dict[str, float | None]:
        """Shares of all pairs and of groups, and the average length of derived sentences."""
        values = _values(self.counts.sum(axis=0))
        return {name: None if np.isnan(value) else float(value) for name, value in values.items()}


def coverage(groups: Sequence[PairGroup], parses: Sequence[Parse]) -> CoverageCounts:
    """Count coverage by group from the parses of all pairs, in order.

    >>> from otherwords.study.paradigm.pairs import SentencePair
    >>> pairs = [SentencePair(("a",), ("b",), ("a",)), SentencePair(("a",), ("c", "d"), ("a",))]
    >>> groups = [PairGroup("1", tuple(pairs)), PairGroup("2", (pairs[0],))]
    >>> verdicts = ["rejected", "accepted", "rejected"]
    >>> coverage(groups, [Parse(Verdict(verdict), 1) for verdict in verdicts]).scores
    {'all': 0.3333333333333333, 'any': 0.5, 'length': 1.5}
    """
    if len(parses) != len(pairs_of(groups)):
        raise InputError(f"{len(parses)} parses but {len(pairs_of(groups))} sentence pairs")
    remaining = iter(parses)
    rows = []
    for group in groups:
        derived = [pair for pair in group.pairs if next(remaining).verdict is Verdict.accepted]
        words = sum(len(pair.source) + len(pair.target) for pair in derived)
        rows.append([len(group.pairs), len(derived), 1, bool(derived), words])
    verdicts = [parse.verdict for parse in parses]
    counts = np.array(rows, dtype=np.float64).reshape(-1, 5)
    steps = sum(parse.steps for parse in parses)
    return CoverageCounts(counts, {verdict: verdicts.count(verdict) for verdict in Verdict}, steps)


def _values(sums: Array) -> dict[str, Array]:
    """Compute scores from sums of counts, columns on the last axis; NaN where undefined."""
    pairs, parsed, groups, any_parsed, words = np.moveaxis(sums, -1, 0)
    with np.errstate(divide="ignore", invalid="ignore"):
        shares = (parsed / pairs, any_parsed / groups, words / (2 * parsed))
    return dict(zip(COVERAGE, map(np.asarray, shares), strict=True))


def coverage_estimates(counted: CoverageCounts, how: GroupResampling) -> dict[str, Number]:
    """Compute the scores with bootstrap intervals over groups.

    With one group there is no interval. Nor is there one if all resamples agree, because an
    interval of width 0 would be misleading.
    """
    blocks = [
        _values(block.astype(np.float64) @ counted.counts)
        for block in Resamples(len(counted.counts), how.resamples, how.seed)
    ]
    estimates = {}
    for name, value in counted.scores.items():
        draws = np.concatenate([block[name] for block in blocks])
        around = None if value is None else interval_of(draws, len(counted.counts), how)
        is_known = around is not None and around.low < around.high
        estimates[name] = as_number(value, around if is_known else None)
    return estimates


_LIMITS = (Verdict.steps, Verdict.time, Verdict.too_long)
_COLUMNS = {
    "all": Column("all", "% (all)", decimals=1, scale=100, best="highest"),
    "any": Column("any", "% (any)", decimals=1, scale=100, best="highest"),
    "length": Column("length", decimals=1),
}


@dataclass(frozen=True)
class GrammarCoverage:
    """A grammar: its size, its coverage, and metrics of paraphrases generated with it."""

    name: str
    rules: int
    coverage: Mapping[str, Number]
    covered: CoverageCounts
    others: Mapping[str, float | None]

    @property
    def scores(self) -> dict[str, Number]:
        """All scores, those of coverage first."""
        others = {name: Number(self.others[name]) for name in METRICS if name in self.others}
        return {name: self.coverage[name] for name in COVERAGE} | others


@dataclass(frozen=True)
class CoverageResult(Tabular):
    """The sentence pairs that each grammar derives, of all pairs and by group."""

    grammars: Sequence[GrammarCoverage]
    groups: Sequence[PairGroup]
    signature: str
    human: Human
    equal: int  # pairs of equal sentences, which are left out

    @cached_property
    def correlations(self) -> Correlations:
        """Spearman's rho of all scores with human scores."""
        scores: dict[str, dict[str, float | None]] = {}
        for grammar in self.grammars:
            for name, number in grammar.scores.items():
                scores.setdefault(name, {})[grammar.name] = number.value
        return correlations(scores, self.human)

    def tables(self) -> Iterator[Table]:
        others = [name for name in METRICS if any(name in part.others for part in self.grammars)]
        limits = self._limits()
        yield Table(
            "coverage",
            [
                Column("grammar", left=True),
                Column("rules"),
                *(_COLUMNS[name] for name in COVERAGE),
                *(Column(name, decimals=2) for name in others),
                *(Column(limit.value) for limit in limits),
            ],
            [
                [
                    *(part.name, part.rules),
                    *(part.coverage[name] for name in COVERAGE),
                    *(part.others.get(name) for name in others),
                    *(part.covered.verdicts[limit] for limit in limits),
                ]
                for part in self.grammars
            ],
            "sentence pairs that each grammar derives",
        )
        yield from human_tables(self.correlations)

    def records(self) -> list[Table]:
        columns = [Column(name) for name in ("grammar", "rules", "metric", "score")]
        rows: list[list[Cell]] = [
            [grammar.name, grammar.rules, name, number, self.signature]
            for grammar in self.grammars
            for name, number in grammar.scores.items()
        ]
        signed = [*columns, Column("signature", hidden=True)]
        return [Table("coverage", signed, rows), *human_records(self.correlations, self.signature)]

    def notes(self) -> list[str]:
        pairs = pairs_of(self.groups)
        mean = sum(len(pair.source) + len(pair.target) for pair in pairs) / (2 * len(pairs))
        notes = [
            f"{len(pairs):,} pairs in {len(self.groups):,} groups, {mean:.1f} words per sentence"
        ]
        if self.equal:
            notes.append(f"pairs of equal sentences, left out: {self.equal:,}")
        if self._limits():
            notes.append("steps, time, too long: pairs that reached a limit count as not derived")
        known = {score.confidence for part in self.grammars for score in part.coverage.values()}
        notes += [
            f"±: half the {100 * confidence:g} % bootstrap interval over groups"
            for confidence in known
            if confidence is not None
        ]
        return [*notes, self.signature]

    def _limits(self) -> list[Verdict]:
        """The limits that some pair reached."""
        verdicts = [grammar.covered.verdicts for grammar in self.grammars]
        return [limit for limit in _LIMITS if any(counts[limit] for counts in verdicts)]


@dataclass(frozen=True)
class Folds:
    """K-fold grammars: each is extracted from the pairs of the other folds (§5.2).

    Parameters
    ----------
    number
        The number of folds.
    kinds
        The kinds of grammars: the paper's hiero and syntax, or samt.
    possible
        Extract rules from sure and possible links if the file has any; the paper has only one
        kind of links.
    """

    number: int = 10
    kinds: Sequence[str] = ("hiero", "syntax")
    possible: bool = True

    def limits(self, kind: str) -> RuleLimits:
        return limits_of("paradigm" if kind == "syntax" else kind)


def paradigm_coverage(
    pairs: str | PairsFile,
    grammars: Mapping[str, str] | None = None,
    *,
    folds: Folds | None = None,
    parsing: Parsing = Parsing(),  # noqa: B008 - frozen
    derivations: Callable[[Derivations], None] | None = None,
    paraphrases: Mapping[str, str] | None = None,
    human: str | None = None,
    resampling: GroupResampling | None = None,
    resources: Resources = Resources(),  # noqa: B008 - frozen
) -> CoverageResult:
    """Count the sentence pairs of a file that grammars derive.

    Parameters
    ----------
    pairs
        A file of sentence pairs, and how it is read.
    grammars
        Files by name.
    folds
        Add k-fold grammars of the pairs (default: ten folds if there are no other grammars).
    parsing
        Options of the parser.
    derivations
        Called with the derivations of each grammar.
    paraphrases
        Files of sentences generated with a grammar, by its name, for other metrics.
    human
        A file of human scores of the grammars (Table 7).
    resampling
        How groups are resampled (default: no intervals).
    resources
        Limits of the engine, and the folder of finished work.
    """
    source = pairs if isinstance(pairs, PairsFile) else PairsFile(pairs)
    files, generated = dict(grammars or {}), dict(paraphrases or {})
    folds = Folds() if folds is None and not files else folds
    own = [] if folds is None else list(dict.fromkeys(folds.kinds))
    names = _names(files, own, generated)
    check_files(files.values())
    people = read_human(human, names) if human is not None else {}
    possible = folds is not None and folds.possible and has_links(source.path)
    every = read_pair_groups(source, possible=possible)
    groups = _differing(every)
    if not groups:
        raise InputError("every pair has two equal sentences", path=source.path)
    tokenized = source.tokenizer or "auto"
    reading = {
        "tokenizer": tokenized,
        "case": source.case,
        "possible": possible,
        "texts": list(source.texts),
    }
    threads = resources.threads
    others = {name: paraphrase_scores(file, threads=threads) for name, file in generated.items()}
    with resources.folder() as cache:
        work = CoverageWork(
            cache, source.path, groups, reading, parsing, derivations is not None, resources
        )
        parsed = {}
        if folds is not None:
            parsed = {kind: work.folds(kind, folds.number, folds.limits(kind)) for kind in own}
        parsed |= {name: work.grammar(file) for name, file in files.items()}
        if derivations is not None:
            derivations({name: _label(name, result) for name, result in parsed.items()})
    settings = [f"case:{'kept' if source.case else 'folded'}|tok:{tokenized}", parsing.signature]
    settings += [f"texts:{','.join(source.texts)}"] if source.texts else []
    if folds is not None:
        settings.append(f"folds:{folds.number}|links:{'possible' if possible else 'sure'}")
    settings += [resampling.signature] if resampling else []
    return CoverageResult(
        [
            _cover(name, result, groups, resampling, others.get(name, {}))
            for name, result in parsed.items()
        ],
        groups,
        "|".join(["paradigm-coverage|v:1", *settings]),
        people,
        len(pairs_of(every)) - len(pairs_of(groups)),
    )


def _differing(groups: Sequence[PairGroup]) -> list[PairGroup]:
    """Leave out pairs of equal sentences, which any grammar derives word by word."""
    different = (
        PairGroup(group.name, tuple(pair for pair in group.pairs if pair.source != pair.target))
        for group in groups
    )
    return [group for group in different if group.pairs]


def _names(files: Mapping[str, str], own: Sequence[str], texts: Mapping[str, str]) -> list[str]:
    """Return the names of all grammars; refuse duplicates and unknown names."""
    for kind in own:
        if kind in files:
            raise UsageError(f"'{kind}' names the grammar of the folds; give the file another name")
    names = [*own, *files]
    for name in texts:
        if name not in names:
            known = ", ".join(names)
            raise UsageError(f"paraphrases: there is no grammar '{name}'; there are: {known}")
    return names


def _cover(
    name: str,
    parsed: Parsed,
    groups: Sequence[PairGroup],
    how: GroupResampling | None,
    others: Mapping[str, float | None],
) -> GrammarCoverage:
    counts = coverage(groups, parsed.parses)
    if how is None:
        scores = {score: as_number(value) for score, value in counts.scores.items()}
    else:
        scores = coverage_estimates(counts, how)
    return GrammarCoverage(name, parsed.rules, scores, counts, others)


def _label(name: str, parsed: Parsed) -> Iterator[bytes]:
    """Read the derivations of a grammar, and put its name in front of each."""
    label = json.dumps({"grammar": name}, ensure_ascii=False)[:-1].encode() + b", "
    for part in parsed.derivations:
        with part.open("rb") as lines:
            yield from (label + line[1:] for line in lines)

"""`parametric`: scores of paraphrasers against manual word alignments, with intervals and tests."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from otherwords.build.bitext.corpus import Bitext, Side
from otherwords.build.bitext.gold import Gold, GoldFile, Link
from otherwords.build.bitext.links import read_links
from otherwords.errors import UsageError, near, require
from otherwords.io.arguments import check_number
from otherwords.io.files import STDIN
from otherwords.study.parametric.estimates import GroupResampling, as_number, estimates
from otherwords.study.parametric.scorer import (
    ALIGN,
    LINKS,
    LISTS,
    Counted,
    ParaMetric,
    ParaphraseFunction,
    Paraphraser,
    ScoreKey,
    Seen,
    SystemCounts,
)
from otherwords.tables.table import Column, Number, Table
from otherwords.tables.tabular import Tabular

PARAPHRASE_PROBABILITY = 0.01  # least probability of a paraphrase (§7.2)


def read_alignments(path: str, gold: Sequence[Gold], name: str) -> list[list[Link]]:
    """Read Pharaoh links `i-j`, one line for each row of the gold file with this name."""
    sides = ([row.source for row in gold], [row.target for row in gold])
    links = read_links(path, Bitext(*map(_lengths, sides)), name)
    return [links.sentence(number) for number in range(len(gold))]


def _lengths(sentences: Sequence[Sequence[str]]) -> Side:
    """Make a side of a bitext that has the lengths of sentences but no words."""
    return Side(np.zeros(0, np.uint32), np.cumsum([0, *map(len, sentences)], dtype=np.int64), [])


class ParaphraseLists:
    """Paraphrases of phrases, whatever the sentence."""

    def __init__(self, lists: dict[str, set[str]]) -> None:
        self.lists = lists

    def __call__(self, phrase: str, sentence: str) -> Iterable[str]:
        return self.lists.get(phrase, ())


def read_paraphrases(
    path: str | Path,
    phrases: Collection[str],
    *,
    min_probability: float = PARAPHRASE_PROBABILITY,
    case: bool = False,
) -> ParaphraseLists:
    """Read a table's paraphrases of these phrases that have at least `min_probability`.

    Other phrases are skipped, so a table may be larger than memory. Case is folded unless `case`. A
    pair that occurs several times counts with its best probability.
    """
    from otherwords.build.phrases.packing import PairFile

    least = check_number("min_probability", min_probability, 0, 1)
    wanted = frozenset(phrases)
    folded = {phrase.lower() for phrase in wanted}
    lists: dict[str, set[str]] = {}
    for batch in PairFile(path, "auto", wanted=folded, likely=least):
        likely = (batch.probabilities >= least).tolist()
        for phrase, other, is_likely in zip(batch.phrases, batch.paraphrases, likely, strict=True):
            key = phrase if case else phrase.lower()
            if is_likely and key in wanted:
                lists.setdefault(key, set()).add(other)
    return ParaphraseLists(lists)


ALL = "all"  # domains together
BY = ("domain", "length")
Alignments = str | Path | Sequence[Iterable[Link]]
Paraphrases = str | Path | ParaphraseFunction


@dataclass(frozen=True)
class DomainScores:
    """The scores of a system on the groups of one domain, or of all domains."""

    system: str
    domain: str
    groups: int
    scores: Mapping[ScoreKey, Number]
    counted: Sequence[Counted]  # for phrases of up to 1, 2, ... words

    def of(self, name: str, length: int | None = None) -> Number:
        """Return a score; it has no value if the system has no data for it."""
        return self.scores.get(ScoreKey(name, length), as_number(None))


@dataclass(frozen=True)
class ParametricResult(Tabular):
    """The scores of paraphrasers, by domain and by the length of phrases."""

    parts: Sequence[DomainScores]
    signature: str
    confidence: float
    baseline: str | None
    by_length: bool
    rows: int
    seen: Sequence[Seen] = ()

    @property
    def lengths(self) -> range:
        """The maximum lengths of phrases, from one word."""
        return range(1, len(self.parts[0].counted) + 1)

    def of(self, system: str, name: str, length: int | None = None, domain: str = ALL) -> Number:
        """Return a score; `length` defaults to the longest, and is unused for scores of links."""
        if length is None and name not in LINKS:
            length = self.lengths[-1]
        for part in self.parts:
            if (part.system, part.domain) == (system, domain):
                return part.of(name, length)
        raise UsageError(f"there is no system '{system}' with the domain '{domain}'")

    def tables(self) -> Iterator[Table]:
        by_domain = len({part.domain for part in self.parts}) > 1
        lengths = list(self.lengths) if self.by_length else [self.lengths[-1]]
        named = [Column("system", left=True), *([Column("domain", left=True)] if by_domain else [])]
        best = not by_domain and len(lengths) == 1
        yield Table(
            "phrases",
            [*named, Column("words"), *(_column(name, best) for name in (*ALIGN, *LISTS))],
            [
                [
                    *_labels(part, by_domain),
                    f"<= {length}",
                    *(part.of(name, length) for name in (*ALIGN, *LISTS)),
                ]
                for length in lengths
                for part in self.parts
            ],
            baseline=self.baseline,
        )
        linked = [part for part in self.parts if ScoreKey(LINKS[0]) in part.scores]
        if linked:
            yield Table(
                "links",
                [*named, *(_column(name, not by_domain) for name in LINKS)],
                [[*_labels(part, by_domain), *map(part.of, LINKS)] for part in linked],
                baseline=self.baseline,
            )

    def records(self) -> list[Table]:
        columns = [Column(name) for name in ("system", "domain", "metric", "length", "score")]
        rows = [
            [part.system, part.domain, score.name, score.length, number, self.signature]
            for part in self.parts
            for score, number in part.scores.items()
        ]
        return [Table("scores", [*columns, Column("signature", hidden=True)], rows)]

    def notes(self) -> list[str]:
        whole = self.parts[0]
        return [
            f"gold: {self.rows} sentence pairs in {whole.groups} groups, "
            f"{whole.counted[-1].gold_pairs} phrase pairs of up to {self.lengths[-1]} words",
            *self._listed(),
            f"±: half the {100 * self.confidence:g} % bootstrap interval over groups",
            self.signature,
        ]

    def _listed(self) -> Iterator[str]:
        """Say how many paraphrases each list proposes, and how many are gold (§7.3)."""
        for part in self.parts:
            if part.domain == ALL and ScoreKey(LISTS[0], self.lengths[-1]) in part.scores:
                of = part.counted[-1]
                yield (
                    f"{part.system}: {of.right_listed:,} of {of.proposed_listed:,} proposed "
                    f"paraphrases are gold; the gold lists have {of.gold_listed:,}"
                )

    def warnings(self) -> list[str]:
        return [seen.warn(self.parts[0].groups) for seen in self.seen]


def _column(name: str, is_comparable: bool) -> Column:
    """Make a column of scores; the best is marked only if all rows score the same phrases."""
    if not is_comparable:
        return Column(name, decimals=4)
    return Column(name, decimals=4, best="lowest" if name == "aer" else "highest")


def _labels(part: DomainScores, by_domain: bool) -> list[str]:
    return [part.system, *([part.domain] if by_domain else [])]


@dataclass(frozen=True)
class PhraseRules:
    """Which phrases and paraphrases count; the defaults are the paper's.

    Parameters
    ----------
    max_length
        The longest phrase, in words (§7.3).
    possible
        Take gold phrase pairs from sure and possible links: the paper has one kind of links, "the
        manual correspondences" (§4).
    min_probability
        The least probability of a paraphrase in a table (§7.2).
    case
        Keep case.
    """

    max_length: int = 5
    possible: bool = True
    min_probability: float = PARAPHRASE_PROBABILITY
    case: bool = False


def parametric(
    gold: str | Path | GoldFile | Sequence[Gold],
    *,
    alignments: Mapping[str, Alignments] | None = None,
    tables: Mapping[str, Paraphrases] | None = None,
    rules: PhraseRules = PhraseRules(),
    resampling: GroupResampling = GroupResampling(),  # noqa: B008 - frozen
    baseline: str | None = None,
    by: Collection[str] = (),
    progress: Callable[[int], None] = lambda done: None,
) -> ParametricResult:
    """Score paraphrasers against manual alignments (ParaMetric §5).

    A table that seems to be built from the tested sentences causes a warning (§5).

    Parameters
    ----------
    gold
        A file of gold alignments, and how it is read; or its rows.
    alignments, tables
        Systems by name; a system may be in both. Alignments are a file of Pharaoh links, or links
        for each row; tables are a file of paraphrases, or a function of a phrase and its sentence.
    rules
        Which phrases and paraphrases count.
    resampling, baseline
        Intervals, and tests of every system against the baseline (default: the first system).
    by
        Add the scores of each `domain`, show each `length`.
    progress
        Called after each system.

    >>> rows = [Gold(("they", "quit"), ("they", "resign"), *[frozenset({(0, 0), (1, 1)})] * 2)]
    >>> lists = {"quit": ["resign", "stop"]}
    >>> result = parametric(rows, tables={"mine": lambda phrase, _: lists.get(phrase, [])})
    >>> result.of("mine", "lb-precision").value
    0.5
    """
    aligned, listed = dict(alignments or {}), dict(tables or {})
    names = list(dict.fromkeys([*aligned, *listed]))
    _check(names, by, resampling.test, baseline)
    if any(isinstance(table, (str, Path)) for table in listed.values()):
        require("pyarrow")  # tables of paraphrases are read with it
    file = GoldFile(str(gold)) if isinstance(gold, (str, Path)) else gold
    read = [file.path, file.links] if isinstance(file, GoldFile) else []
    if [*read, *aligned.values(), *listed.values()].count(STDIN) > 1:
        raise UsageError("standard input can be read only once")
    rows = file.read() if isinstance(file, GoldFile) else list(file)
    scorer = ParaMetric(rows, max_length=rules.max_length, possible=rules.possible, case=rules.case)
    domains = _domains(scorer, "domain" in by)
    name_of_gold = file.path if isinstance(file, GoldFile) else "the gold rows"
    scored = []
    for system in systems_of(scorer, aligned, listed, rules.min_probability, name_of_gold):
        scored.append(scorer.score(system))
        progress(1)
    first = scored[0 if baseline is None else names.index(baseline)]
    settings = [f"minp:{rules.min_probability:g}"] if listed else []
    return ParametricResult(
        [
            _part(system, scorer, domain, places, resampling, first)
            for domain, places in domains
            for system in scored
        ],
        "|".join([scorer.signature, *settings, resampling.signature]),
        resampling.confidence,
        None if resampling.test is None else first.name,
        "length" in by,
        len(rows),
        [Seen(system.name, system.seen) for system in scored if system.seen],
    )


def _check(
    names: Sequence[str], by: Collection[str], paired: str | None, baseline: str | None
) -> None:
    """Refuse options that would have no effect, before any file is read."""
    if not names:
        raise UsageError("no system is given: name alignments, tables, or both")
    for part in by:
        if part not in BY:
            raise UsageError(f"unknown part '{part}'; {near(part, BY)}")
    if paired is not None and len(names) == 1:
        raise UsageError(f"a paired test needs two systems; there is only {names[0]}")
    if baseline is not None and paired is None:
        raise UsageError("a baseline does nothing without a paired test")
    if baseline is not None and baseline not in names:
        raise UsageError(f"there is no system '{baseline}'; {near(baseline, names)}")


def systems_of(
    scorer: ParaMetric,
    alignments: Mapping[str, Alignments],
    tables: Mapping[str, Paraphrases],
    min_probability: float = PARAPHRASE_PROBABILITY,
    gold: str = "the gold rows",
) -> Iterator[Paraphraser]:
    """Read the systems that are named in alignments, in tables or in both, one by one."""
    for name in dict.fromkeys([*alignments, *tables]):
        yield Paraphraser(
            name,
            _links(alignments.get(name), scorer, gold),
            _paraphrases(tables.get(name), scorer, min_probability),
        )


def _links(
    alignments: Alignments | None, scorer: ParaMetric, gold: str
) -> Sequence[Iterable[Link]] | None:
    if isinstance(alignments, (str, Path)):
        return read_alignments(str(alignments), scorer.gold, gold)
    return alignments


def _paraphrases(
    table: Paraphrases | None, scorer: ParaMetric, least: float
) -> ParaphraseFunction | None:
    if isinstance(table, (str, Path)):
        return read_paraphrases(table, scorer.phrases, min_probability=least, case=scorer.case)
    return table


def _domains(scorer: ParaMetric, each: bool) -> list[tuple[str, list[int]]]:
    """Return the groups of all domains together and, if requested, of each domain."""
    whole = (ALL, list(range(len(scorer.groups))))
    if not each:
        return [whole]
    if all(group.domain is None for group in scorer.groups):
        raise UsageError("by domain: no row of the gold file has a domain")
    domains: dict[str, list[int]] = {}
    for number, group in enumerate(scorer.groups):
        domains.setdefault(group.domain or "(none)", []).append(number)
    return [whole, *domains.items()]


def _part(
    scored: SystemCounts,
    scorer: ParaMetric,
    domain: str,
    places: list[int],
    how: GroupResampling,
    baseline: SystemCounts,
) -> DomainScores:
    against = baseline if how.test is not None and baseline is not scored else None
    scores = estimates(scored, scorer.groups, how, baseline=against, chosen=places)
    return DomainScores(scored.name, domain, len(places), scores, scored.counted(places))

"""What was found of two systems, as tables and as a document."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from otherwords.metrics.base import Array, Metric, text_of
from otherwords.scoring.comparison.chosen import Example
from otherwords.scoring.comparison.contrasts import Contrast
from otherwords.scoring.comparison.pairs import TwoSystems
from otherwords.scoring.comparison.words import Phrase, WordContrast
from otherwords.scoring.extremes import explanation_lines
from otherwords.scoring.seen import SEEN
from otherwords.stats.intervals import Resampling
from otherwords.tables.formats import number_dict
from otherwords.tables.table import (
    LEVEL,
    Block,
    Cell,
    Column,
    Lines,
    Number,
    Table,
    decimals_of,
    shown,
    shown_p,
)
from otherwords.tables.tabular import Tabular

__all__ = ["BaselineComparisons", "ComparisonResult"]

_HOLM = (
    "p: approximate randomization, two-sided, corrected for the lines of the table (Holm); "
    "* below 0.05"
)
_SIGN = (
    "right: how often each system gets it right; more: in how many segments more often than the "
    "other; p: exact sign test over these segments, corrected for all {} tested (Holm), "
    "n/a where fewer than 6 segments differ"
)
_ORDERS = {1: "words", 2: "bigrams", 3: "trigrams", 4: "4-grams"}
_TEST = "randomization"


@dataclass(frozen=True)
class ComparisonResult(Tabular):
    """The comparison of two systems. `corpus` has a contrast for each metric, `lengths` one for
    each bucket and metric; `wins` counts the segments on which the first system is better, equal,
    worse. `phrases` are n-grams by length, those of the first system and those of the second;
    `examples` the segments where the first or the second is better by most, by the metric
    `example_metric`. `scores` are those of the segments, of the first system and of the second, by
    metric.
    """

    pair: TwoSystems
    metrics: Mapping[str, Metric]
    resampling: Resampling
    corpus: Sequence[Contrast]
    wins: Mapping[str, tuple[int, int, int]]
    lengths: Mapping[str, Sequence[Contrast]]
    classes: Sequence[WordContrast]
    frequencies: Sequence[WordContrast]
    phrases: Mapping[int, tuple[Sequence[Phrase], Sequence[Phrase]]]
    example_metric: str
    examples: tuple[Sequence[Example], Sequence[Example]]
    remarks: Sequence[str] = ()
    scores: Mapping[str, tuple[Array, Array]] = field(default_factory=dict, repr=False)

    def signature(self, label: str) -> str:
        """That of a metric, with what intervals and tests depend on."""
        drawn = self.resampling.signature("documents" if self.pair.docs else "segments")
        asked = self.resampling.resamples
        made = max((one.trials or 0 for one in self.corpus), default=0)
        grown = f"-{made}" if made > asked else ""
        return f"{self.metrics[label].signature}|ar:{asked}{grown}|{drawn}"

    @property
    def signatures(self) -> list[str]:
        """Those of all metrics."""
        return list(dict.fromkeys(map(self.signature, self.metrics)))

    def notes(self) -> Sequence[str]:
        """What was left out, and the signatures."""
        return [*self.remarks, *self.signatures]

    def tables(self) -> Iterator[Block]:
        """All tables that have any line, then the examples."""
        yield from self.contrasts()
        for system, examples in zip(self.pair.names, self.examples, strict=True):
            caption = f"Segments on which {system} is better by most ({self.example_metric})"
            for place, example in enumerate(examples):
                yield Lines("example", list(self._example(example)), "" if place else caption)

    def contrasts(self) -> Iterator[Table]:
        """The tables without the examples."""
        one, other = self.pair.names
        yield self._corpus()
        for label, contrasts in self.lengths.items():
            heads = ["length", "segments", one, other, "difference", *self._interval, "p"]
            metric = self.metrics[label]
            yield Table(
                f"length-{label}",
                _columns(heads),
                [
                    [contrast.name, str(contrast.size), *_numbers(contrast, metric)]
                    for contrast in contrasts
                ],
                f"{label} by length of the reference in tokens (of the source where there is none)",
                [_HOLM],
            )
        if self.classes:
            yield self._words("class", "word class", self.classes)
        if self.frequencies:
            yield self._words("frequency", "frequency in the references", self.frequencies)
        for length, sides in self.phrases.items():
            for number, phrases in enumerate(sides):
                if phrases:
                    yield self._phrases(length, number, phrases)

    @property
    def _interval(self) -> list[str]:
        share = f"{100 * self.resampling.confidence:g} %"
        return [f"{share} low", f"{share} high"]

    def _corpus(self) -> Table:
        one, other = self.pair.names
        heads = ["metric", one, other, "difference", *self._interval, "p"]
        rows = []
        for contrast in self.corpus:
            metric = self.metrics[contrast.name]
            name = contrast.name + SEEN * (contrast.p is None)
            name += "" if metric.traits.higher_is_better else " (lower is better)"
            wins = map(str, self.wins[contrast.name])
            rows.append([name, *_numbers(contrast, metric, halves=True), *wins])
        return Table(
            "corpus",
            _columns([*heads, f"{one} better", "same", f"{other} better"]),
            rows,
            f"{one} and {other}, {len(self.pair):,} segments",
            [f"±: half the interval; {_HOLM}; better, same: segments"],
        )

    def _words(self, name: str, what: str, contrasts: Sequence[WordContrast]) -> Table:
        sides = self.pair.names
        heads = [f"{part} {side}" for part in ("recall", "precision", "F1") for side in sides]
        shares = [Column(head, decimals=4) for head in [*heads, "difference"]]
        return Table(
            name,
            [Column(what, left=True), Column("words", decimals=0), *shares, Column("p")],
            [
                [
                    *(words.contrast.name, words.words, *words.recall, *words.precision),
                    *(*words.contrast.scores, words.contrast.difference),
                    _starred(words.contrast.adjusted),
                ]
                for words in contrasts
            ],
            f"Words by {what}: how many are right",
            [f"difference: of F1; {_HOLM}"],
        )

    def _phrases(self, length: int, number: int, phrases: Sequence[Phrase]) -> Table:
        one, other = self.pair.names
        what = _ORDERS[length]
        heads = ["references", f"right {one}", f"right {other}", f"more {one}", f"more {other}"]
        counts = [Column(head, decimals=0) for head in heads]
        return Table(
            f"{what}-{number + 1}",
            [Column(what, left=True), *counts, Column("p")],
            [
                [
                    *(" ".join(phrase.words), phrase.references, *phrase.right, *phrase.segments),
                    _starred(phrase.adjusted),
                ]
                for phrase in phrases
            ],
            f"{what[0].upper()}{what[1:]} that {self.pair.names[number]} gets right more often",
            [_SIGN.format(what)],
        )

    def _example(self, example: Example) -> Iterator[str]:
        one, other = example.scores
        yield f"segment {example.item}: {one:.4f} against {other:.4f}"
        if (source := _source(example)) is not None:
            yield f"  source  {source}"
        for system, explanation in zip(self.pair.names, example.explanations, strict=True):
            yield ""
            yield from explanation_lines(system, explanation)

    def records(self) -> Iterable[Table]:
        """Long tables: two scores and their difference in each line."""
        scores = ["segments", "first", "second", "difference"]
        names = list(self.pair.names)
        corpus = [
            [
                *(names, one.name, one.size, *self._cells(one)),
                *(*self.wins[one.name], self.signature(one.name)),
            ]
            for one in self.corpus
        ]
        lengths = [
            [names, label, one.name, one.size, *self._cells(one), self.signature(label)]
            for label, contrasts in self.lengths.items()
            for one in contrasts
        ]
        heads = {
            "corpus": ["metric", *scores, "first_better", "same", "second_better", "signature"],
            "lengths": ["metric", "length", *scores, "signature"],
            "classes": ["class", "words", "recall", "precision", *scores],
            "frequencies": ["frequency", "words", "recall", "precision", *scores],
            "ngrams": ["better", "order", "words", "references", "right", "more", "difference"],
            "examples": [
                *("better", "metric", "item", "first", "second", "difference", "source"),
                "signature",
            ],
        }
        rows: dict[str, list[list[Any]]] = {
            "corpus": corpus,
            "lengths": lengths,
            "classes": [[names, *self._kind(one)] for one in self.classes],
            "frequencies": [[names, *self._kind(one)] for one in self.frequencies],
            "ngrams": [
                [
                    *(names, system, order, " ".join(phrase.words), phrase.references),
                    *(list(phrase.right), list(phrase.segments), _sign(phrase)),
                ]
                for order, system, phrase in self._ngrams()
            ],
            "examples": [
                [
                    *(names, system, self.example_metric, one.item),
                    *(*one.scores, one.difference, _source(one)),
                    self.signature(self.example_metric),
                ]
                for system, one in self._examples()
            ],
        }
        return [
            Table(name, [Column(head) for head in ("systems", *heads[name])], rows[name])
            for name in heads
        ]

    def _kind(self, words: WordContrast) -> list[Cell]:
        shares: list[Cell] = [list(words.recall), list(words.precision)]
        contrast = words.contrast
        return [contrast.name, words.words, *shares, contrast.size, *self._cells(contrast)]

    def _cells(self, contrast: Contrast) -> list[Number]:
        """Both scores and their difference."""
        how = {"confidence": self.resampling.confidence, "resamples": self.resampling.resamples}
        around: list[dict[str, Any]] = [{}, {}]
        if contrast.intervals is not None:
            around = [{"low": low, "high": high, **how} for low, high in contrast.intervals]
        first, second = (
            Number(score, **known) for score, known in zip(contrast.scores, around, strict=True)
        )
        difference = Number(
            contrast.difference,
            contrast.low,
            contrast.high,
            p=contrast.p,
            adjusted=contrast.adjusted,
            test=None if contrast.p is None else _TEST,
            trials=None if contrast.p is None else contrast.trials or self.resampling.resamples,
            is_floor=contrast.is_floor,
            **({} if contrast.low is None else how),  # type: ignore[arg-type]
        )
        return [first, second, difference]

    def _ngrams(self) -> Iterator[tuple[int, str, Phrase]]:
        for order, sides in self.phrases.items():
            for system, phrases in zip(self.pair.names, sides, strict=True):
                yield from ((order, system, phrase) for phrase in phrases)

    def _examples(self) -> Iterator[tuple[str, Example]]:
        for system, examples in zip(self.pair.names, self.examples, strict=True):
            yield from ((system, one) for one in examples)

    def to_dict(self) -> dict[str, Any]:
        """All of it, the explanations of the examples included."""
        return {
            "systems": list(self.pair.names),
            "segments": len(self.pair),
            "corpus": [
                {
                    "metric": one.name,
                    **self._document(one),
                    "segments_better": list(self.wins[one.name]),
                }
                for one in self.corpus
            ],
            "lengths": [
                {"metric": label, "length": one.name, **self._document(one)}
                for label, contrasts in self.lengths.items()
                for one in contrasts
            ],
            "classes": [self._words_document(one, "class") for one in self.classes],
            "frequencies": [self._words_document(one, "frequency") for one in self.frequencies],
            "ngrams": [
                {
                    "better": system,
                    "order": order,
                    "words": " ".join(phrase.words),
                    "references": phrase.references,
                    "right": list(phrase.right),
                    "more": list(phrase.segments),
                    "difference": number_dict(_sign(phrase)),
                }
                for order, system, phrase in self._ngrams()
            ],
            "examples": [
                {
                    "better": system,
                    "metric": self.example_metric,
                    "item": one.item,
                    "scores": list(one.scores),
                    "difference": one.difference,
                    "source": _source(one),
                    "explanations": [asdict(explanation) for explanation in one.explanations],
                }
                for system, one in self._examples()
            ],
            "notes": list(self.remarks),
            "signatures": {label: self.signature(label) for label in self.metrics},
        }

    def _document(self, contrast: Contrast) -> dict[str, Any]:
        first, second, difference = map(number_dict, self._cells(contrast))
        return {"segments": contrast.size, "scores": [first, second], "difference": difference}

    def _words_document(self, words: WordContrast, what: str) -> dict[str, Any]:
        shares = {"words": words.words, "recall": words.recall, "precision": words.precision}
        return {what: words.contrast.name, **shares, "f1": self._document(words.contrast)}


@dataclass(frozen=True)
class BaselineComparisons(Tabular):
    """Several systems, each compared with the same baseline, by `comparisons` in their order.

    The first table has all of them; p is corrected for all systems and metrics.
    """

    comparisons: Sequence[ComparisonResult]

    @property
    def baseline(self) -> str:
        """What all are compared with."""
        return self.comparisons[0].pair.names[1]

    def tables(self) -> Iterator[Block]:
        """All systems together, then everything that was found of each."""
        yield self._overview()
        for one in self.comparisons:
            yield from one.tables()

    def _overview(self) -> Table:
        first = self.comparisons[0]
        columns = [Column("system", left=True), Column("segments")]
        for label, metric in first.metrics.items():
            head = f"{label} difference"
            columns.append(
                Column(label, head, decimals=decimals_of(metric.traits.high), signed=True)
            )
        rows: list[list[Cell]] = [
            [one.pair.names[0], len(one.pair), *(one._cells(c)[2] for c in one.corpus)]
            for one in self.comparisons
        ]
        tests = sum(c.p is not None for one in self.comparisons for c in one.corpus)
        share = f"{100 * first.resampling.confidence:g} %"
        notes = [
            f"differences from {self.baseline}; ±: half the {share} interval; p: approximate "
            f"randomization, two-sided, corrected for all {tests} tests of the table (Holm); "
            f"* below {LEVEL:g}; the scores below have the same p"
        ]
        if any(
            c.is_floor and (c.adjusted or 0) >= LEVEL
            for one in self.comparisons
            for c in one.corpus
        ):
            notes.append("p < ...: too few trials to decide")
        return Table(
            "systems", columns, rows, f"{len(rows)} systems against {self.baseline}", notes
        )

    def records(self) -> Iterable[Table]:
        """The tables of all comparisons, one under the other."""
        found: dict[str, Table] = {}
        for one in self.comparisons:
            for table in one.records():
                before = found.get(table.name)
                rows = [*(before.rows if before else ()), *table.rows]
                found[table.name] = replace(table, rows=rows)
        return list(found.values())

    def notes(self) -> Sequence[str]:
        """Those of all comparisons."""
        remarks = [
            f"{one.pair.names[0]}: {note}" for one in self.comparisons for note in one.remarks
        ]
        return [*remarks, *self.comparisons[0].signatures]

    def to_dict(self) -> dict[str, Any]:
        """The baseline, and each comparison."""
        return {
            "baseline": self.baseline,
            "comparisons": [one.to_dict() for one in self.comparisons],
        }


def _columns(heads: Sequence[str]) -> list[Column]:
    return [Column(head, left=place == 0) for place, head in enumerate(heads)]


def _numbers(contrast: Contrast, metric: Metric, *, halves: bool = False) -> list[str]:
    """Scores, difference, interval and p as readers see them; metrics differ in decimals."""
    column = Column("", decimals=decimals_of(metric.traits.high))
    around = contrast.intervals if halves and contrast.intervals else ((None, None),) * 2
    scores = [
        shown(Number(score, low, high), column)
        for score, (low, high) in zip(contrast.scores, around, strict=True)
    ]
    gaps = [shown(gap, column) for gap in (contrast.difference, contrast.low, contrast.high)]
    return [*scores, *gaps, _starred(contrast.adjusted, is_floor=contrast.is_floor)]


def _starred(p: float | None, *, is_floor: bool = False) -> str:
    """A p-value in a separate column.

    >>> _starred(0.0312), _starred(0.0001), _starred(None)
    ('0.031*', '<0.001*', 'n/a')
    """
    if p is None:
        return "n/a"
    text = shown_p(p, is_floor=is_floor).removeprefix("= ").replace(" ", "")
    return text + ("*" if p < LEVEL else "")


def _sign(phrase: Phrase) -> Number:
    """How much more often the first system has it right, with the sign test."""
    first, second = phrase.right
    return Number(first - second, p=phrase.p, adjusted=phrase.adjusted, test="sign")


def _source(example: Example) -> str | None:
    source = example.rows[0].source
    return None if source is None else text_of(source)

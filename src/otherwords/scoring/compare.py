"""`otherwords.compare`: systems side by side, without human scores: where they differ, and whether
it is chance.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from itertools import chain
from typing import Any

import numpy as np

from otherwords.corpus.rows import Row
from otherwords.errors import UsageError, near
from otherwords.metrics.base import Array, Explanation, Metric, text_of
from otherwords.scoring.choice import Metrics, make_metrics
from otherwords.scoring.compare_words import (
    Contrast,
    Phrase,
    Segment,
    WordContrast,
    bucket_name,
    contrast_classes,
    contrast_frequencies,
    contrast_metric,
    correct,
    find_phrases,
)
from otherwords.scoring.explanations import explanation_lines
from otherwords.scoring.sampling import Sampling
from otherwords.scoring.score import rows_of_texts
from otherwords.scoring.seen import SEEN, fair, familiar
from otherwords.scoring.stream import (
    SystemScores,
    check_once,
    evaluate,
    explain_row,
    rows_by_system,
    shared_segments,
)
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
from otherwords.text.annotator import Annotator
from otherwords.text.language import is_foreign, words_of
from otherwords.text.sentence import Text

__all__ = [
    "LENGTHS",
    "ComparisonResult",
    "Example",
    "PairComparison",
    "TwoSystems",
    "compare",
    "select_systems",
]

LENGTHS = (0, 10, 20, 30, 40, 50, 60)  # where buckets of lengths start
_ORDERS = {1: "words", 2: "bigrams", 3: "trigrams", 4: "4-grams"}
_SIGN = (
    "right: how often each system gets it right; more: in how many segments more often than the "
    "other; p: exact sign test over these segments, corrected for all {} tested (Holm), "
    "n/a where fewer than 6 segments differ"
)
_TESTS = {"randomization": "approximate randomization", "bootstrap": "paired bootstrap"}


def compare(
    metric: Metrics,
    systems: Any,
    references: Sequence[Any] | None = None,
    sources: Sequence[Text | None] | None = None,
    *,
    baseline: str | None = None,
    sampling: Sampling | None = None,
    threads: int = 1,
    any_language: bool = False,
    progress: Callable[[int], None] | None = None,
    **options: Any,
) -> ComparisonResult:
    """Compare systems by one metric or several, each pair on the segments that both have.

    Two systems are compared with each other, the first less the second; more with the baseline.
    P-values are corrected for all metrics and systems that are tested (Holm 1979). A metric that
    was trained on these segments is not tested.

    Parameters
    ----------
    metric
        A name or a `Metric`; or several, as a list or as a mapping of your own labels.
    systems
        A mapping of names to lists of texts, a list of such lists, or rows of all systems.
    references
        `references[i]` is the reference of segment i of every system, or a list of several.
    sources
        `sources[i]` is the source of segment i of every system.
    baseline
        The system that all others are compared with (default: the first of three or more).
    sampling
        Of intervals and tests (default: approximate randomization, 1,000 resamples).
    threads, any_language, progress
        As in `otherwords.score`.
    **options
        Of the metrics that have them.

    >>> references = ["the cat sat", "a dog barked", "it rained"]
    >>> good, poor = ["the cat sat", "a dog barks", "it rains"], ["a cat", "the dog", "it snowed"]
    >>> result = compare("chrf", {"good": good, "poor": poor}, references=references)
    >>> result["good", "chrf"].difference > 0, result.baseline
    (True, 'poor')
    """
    sampling = sampling or Sampling()
    sampling = replace(
        sampling,
        confidence=sampling.confidence or 0.95,
        test=sampling.test or "randomization",
    )
    sampling.resampling()  # refuses numbers that intervals cannot have
    metrics = make_metrics(metric, options)
    by_system = _rows_by_system(metrics, systems, references, sources)
    pairs = _pair_names(list(by_system), baseline)
    names = dict.fromkeys(chain.from_iterable(pairs))
    scored = {
        one.system: one
        for one in evaluate(
            chain.from_iterable(by_system[name] for name in names),
            metrics,
            threads=threads,
            any_language=any_language,
            keep=True,
            progress=progress or (lambda done: None),
        )
    }
    check_once(list(scored.values()))
    comparisons = [
        _compare_pair(scored[left], scored[right], metrics, sampling, len(pairs), any_language)
        for left, right in pairs
    ]
    corrected = iter(correct([contrast for one in comparisons for contrast in one.corpus]))
    return ComparisonResult(
        [replace(one, corpus=[next(corrected) for _ in one.corpus]) for one in comparisons]
    )


def _rows_by_system(
    metrics: Mapping[str, Metric],
    systems: Any,
    references: Sequence[Any] | None,
    sources: Sequence[Text | None] | None,
) -> dict[str, list[Row]]:
    if isinstance(systems, Iterator) or _are_rows(systems):
        return rows_by_system(systems)
    if isinstance(systems, (list, tuple)) and not any(isinstance(s, Text) for s in systems):
        systems = {f"system {number}": texts for number, texts in enumerate(systems, 1)}
    if not isinstance(systems, Mapping):
        raise UsageError(
            "compare needs two systems: {'name': texts, 'other': texts}, or two lists of texts"
        )
    return {
        str(name): list(texts)
        if _are_rows(texts)
        else rows_of_texts(metrics, texts, references, sources, str(name))
        for name, texts in systems.items()
    }


def _are_rows(given: Any) -> bool:
    return isinstance(given, (list, tuple)) and bool(given) and isinstance(given[0], Row)


def select_systems(rows: Iterable[Row], names: Sequence[str]) -> dict[str, list[Row]]:
    """The rows of these systems, in their order; of all if none is named.

    >>> rows = [Row("a", system=name, item="1") for name in ("one", "two", "three")]
    >>> list(select_systems(rows, ["three", "one"]))
    ['three', 'one']
    """
    by_system = rows_by_system(rows)
    for name in names:
        if name not in by_system:
            raise UsageError(f"there is no system '{name}'; {near(name, by_system)}")
    return {name: by_system[name] for name in dict.fromkeys(names or by_system)}


def _pair_names(systems: Sequence[str], baseline: str | None) -> list[tuple[str, str]]:
    """Each system with the baseline, which is the first one unless it is named; two systems without
    a named baseline are one pair, in their order.

    >>> _pair_names(["one", "two", "three"], None), _pair_names(["one", "two"], None)
    ([('two', 'one'), ('three', 'one')], [('one', 'two')])
    """
    if not systems:
        raise UsageError("there is nothing to compare: the files have no segments")
    if len(systems) < 2:
        raise UsageError(f"two systems are compared, and there is only one: {systems[0]}")
    if baseline is None and len(systems) == 2:
        return [(systems[0], systems[1])]
    first = systems[0] if baseline is None else baseline
    if first not in systems:
        raise UsageError(f"there is no system '{first}' to be the baseline; {near(first, systems)}")
    return [(name, first) for name in systems if name != first]


def _compare_pair(
    left: SystemScores,
    right: SystemScores,
    metrics: Mapping[str, Metric],
    sampling: Sampling,
    pairs: int,
    any_language: bool,
) -> PairComparison:
    mine, theirs = shared_segments(left, right)
    left_out = len(left.keys) + len(right.keys) - 2 * len(mine)
    one, other = left.pick(mine), right.pick(theirs)
    pair = TwoSystems((left.system, right.system), one.rows, other.rows, left_out)
    known = familiar(metrics, [one, other])
    tested = list(fair(metrics, known))
    statistics = {label: (one.statistics[label], other.statistics[label]) for label in metrics}
    contrasts = [
        contrast_metric(
            *(label, metric, *statistics[label], sampling, pair.docs),
            comparisons=pairs * len(tested) if label in tested else 0,
        )
        for label, metric in metrics.items()
    ]
    remarks = [f"segments that only one system has, left out: {left_out}"] if left_out else []
    english = any_language or not is_foreign(words_of([row.hypothesis for row in pair.left[:50]]))
    if not english:
        remarks.append("word classes are left out: the text is not English")
    remarks += [note for label, one in known.items() for note in one.remarks(label)]
    return PairComparison(pair, metrics, sampling, statistics, contrasts, tested, english, remarks)


@dataclass(frozen=True)
class TwoSystems:
    """Two systems on the segments that both have: `left[i]` and `right[i]` are of the same one.

    `left_out` counts the segments that only one of them has.
    """

    names: tuple[str, str]
    left: Sequence[Row]
    right: Sequence[Row]
    left_out: int = 0

    def __len__(self) -> int:
        return len(self.left)

    @property
    def docs(self) -> list[str] | None:
        """The documents of the segments, if all are known."""
        docs = [row.doc for row in self.left if row.doc is not None]
        return docs if len(docs) == len(self) else None

    def targets(self) -> list[tuple[Text, ...]]:
        """What the hypotheses of each segment are compared with: references, else the source."""
        return [targets_of(row) for row in self.left]

    def item(self, place: int) -> str:
        """The name of a segment, else its number from 1."""
        return self.left[place].item or str(place + 1)


def targets_of(row: Row) -> tuple[Text, ...]:
    """The references of a row, else its source.

    >>> targets_of(Row("a cat", source="the cat"))
    ('the cat',)
    """
    if row.references:
        return row.references
    return () if row.source is None else (row.source,)


@dataclass(frozen=True)
class Example:
    """A segment, the outputs of both systems, and why they have their scores.

    `difference` is how much better the first system is, for either direction of the metric.
    """

    item: str
    rows: tuple[Row, Row]
    scores: tuple[float, float]
    difference: float
    explanations: tuple[Explanation, Explanation]


@dataclass(frozen=True)
class PairComparison:
    """Two systems, by all metrics, by length, by words, and by example.

    `corpus` has a contrast for each metric; `statistics` are those of both systems, by metric.
    All else is computed when it is asked for: `lengths` has contrasts for each bucket and metric;
    `wins` counts the segments on which the first system is better, equal, worse; `phrases` are
    n-grams by length, those of the first system and those of the second; `examples` are the
    segments where the first or the second is better by most.
    """

    pair: TwoSystems
    metrics: Mapping[str, Metric]
    sampling: Sampling
    statistics: Mapping[str, tuple[Array, Array]] = field(repr=False)
    corpus: Sequence[Contrast]
    tested: Sequence[str]  # metrics that were not trained on these segments
    english: bool = True
    remarks: Sequence[str] = ()
    examples_by: str | None = None  # the metric that selects examples; the first one by default
    examples_shown: int = 5  # in each direction; twice as many n-grams
    tokenizer: str = "penn"

    @cached_property
    def scores(self) -> dict[str, tuple[Array, Array]]:
        """The scores of the segments of both systems, by metric."""
        return {
            label: (metric.segment_scores(left), metric.segment_scores(right))
            for label, metric in self.metrics.items()
            for left, right in [self.statistics[label]]
        }

    def _gaps(self, label: str) -> Array:
        """How much better the first system is on each segment, for either direction of scores."""
        left, right = self.scores[label]
        gaps = left - right if self.metrics[label].traits.higher_is_better else right - left
        return np.where(np.isfinite(gaps), gaps, 0.0)

    @cached_property
    def wins(self) -> dict[str, tuple[int, int, int]]:
        """Segments on which the first system is better, equal, worse, by metric."""
        counts = {}
        for label, metric in self.metrics.items():
            left, right = self.scores[label]
            if not metric.traits.higher_is_better:
                left, right = right, left
            better, same, worse = left > right, left == right, left < right
            counts[label] = int(better.sum()), int(same.sum()), int(worse.sum())
        return counts

    @cached_property
    def segments(self) -> list[Segment]:
        """The hypotheses and the targets of each segment, tokenized and tagged."""
        annotator = Annotator(tokenizer=self.tokenizer)
        targets = self.pair.targets()
        known = {text: annotator.sentence(text) for several in targets for text in several}
        return [
            (
                annotator.sentence(left.hypothesis),
                annotator.sentence(right.hypothesis),
                tuple(known[text] for text in several),
            )
            for left, right, several in zip(self.pair.left, self.pair.right, targets, strict=True)
        ]

    @cached_property
    def lengths(self) -> dict[str, list[Contrast]]:
        """Contrasts by the length of the first reference, else of the source, in tokens."""
        tokens = [len(targets[0].tokens) if targets else 0 for *_, targets in self.segments]
        buckets = np.searchsorted(LENGTHS, np.array(tokens), side="right") - 1
        places = {place: buckets == place for place in sorted(set(buckets.tolist()))}
        docs = self.pair.docs
        contrasts = {}
        for label, metric in self.metrics.items():
            left, right = self.statistics[label]
            contrasts[label] = correct(
                [
                    contrast_metric(
                        bucket_name(LENGTHS, place),
                        metric,
                        left[chosen],
                        right[chosen],
                        self.sampling,
                        None if docs is None else [docs[n] for n in np.flatnonzero(chosen)],
                        comparisons=len(places) if label in self.tested else 0,
                    )
                    for place, chosen in places.items()
                ]
            )
        return contrasts

    @cached_property
    def classes(self) -> list[WordContrast]:
        """The systems' F1 on words of each class; none for text that is not English."""
        if not self.english:
            return []
        return contrast_classes(self.segments, self.sampling, self.pair.docs)

    @cached_property
    def frequencies(self) -> list[WordContrast]:
        """The systems' F1 on words by how often the references have them."""
        return contrast_frequencies(self.segments, self.sampling, self.pair.docs)

    @cached_property
    def phrases(self) -> dict[int, tuple[list[Phrase], list[Phrase]]]:
        """N-grams that each system gets right more often than the other, by length."""
        return find_phrases(self.segments, shown=2 * self.examples_shown)

    @property
    def example_metric(self) -> str:
        """The label of the metric that selects examples."""
        return next(iter(self.metrics)) if self.examples_by is None else self.examples_by

    @cached_property
    def examples(self) -> tuple[list[Example], list[Example]]:
        """The segments where the first system is better by most, and those where the second is."""
        metric, gaps = self.metrics[self.example_metric], self._gaps(self.example_metric)
        left, right = self.scores[self.example_metric]

        def example(place: int) -> Example:
            rows = self.pair.left[place], self.pair.right[place]
            one, other = (explain_row(metric, row, any_language=True) for row in rows)
            scores = float(left[place]), float(right[place])
            return Example(self.pair.item(place), rows, scores, float(gaps[place]), (one, other))

        def first(gains: Array) -> list[Example]:
            order = np.argsort(-gains, kind="stable")[: self.examples_shown]
            return [example(int(place)) for place in order if gains[place] > 0]

        return first(gaps), first(-gaps)

    def signature(self, label: str) -> str:
        """That of a metric, with what intervals and tests depend on."""
        unit = "documents" if self.pair.docs else "segments"
        name = "ar" if self.sampling.test == "randomization" else "paired-bs"
        asked = self.sampling.resamples
        most = max((one.trials or 0 for one in self.corpus), default=0)
        grown = f"-{most}" if most > asked else ""
        resampled = self.sampling.resampling().signature(unit)
        return f"{self.metrics[label].signature}|{name}:{asked}{grown}|{resampled}"

    @property
    def signatures(self) -> list[str]:
        """Those of all metrics."""
        return list(dict.fromkeys(map(self.signature, self.metrics)))

    @property
    def how(self) -> str:
        """How p-values are made, in words."""
        test = _TESTS[self.sampling.test or "randomization"]
        return f"p: {test}, two-sided, corrected for the lines of the table (Holm); * below 0.05"

    def tables(self) -> Iterator[Block]:
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
                [self.how],
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
        share = f"{100 * (self.sampling.confidence or 0.95):g} %"
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
            [f"±: half the interval; {self.how}; better, same: segments"],
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
            [f"difference: of F1; {self.how}"],
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
        scores = ["segments", "first", "second", "difference"]
        names = list(self.pair.names)
        corpus = [
            [
                *(names, one.name, one.size, *self.cells(one)),
                *(*self.wins[one.name], self.signature(one.name)),
            ]
            for one in self.corpus
        ]
        lengths = [
            [names, label, one.name, one.size, *self.cells(one), self.signature(label)]
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
        return [contrast.name, words.words, *shares, contrast.size, *self.cells(contrast)]

    def cells(self, contrast: Contrast) -> list[Number]:
        """Both scores and their difference."""
        how = {"confidence": self.sampling.confidence, "resamples": self.sampling.resamples}
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
            test=None if contrast.p is None else self.sampling.test,
            trials=None if contrast.p is None else contrast.trials or self.sampling.resamples,
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
        first, second, difference = map(number_dict, self.cells(contrast))
        return {"segments": contrast.size, "scores": [first, second], "difference": difference}

    def _words_document(self, words: WordContrast, what: str) -> dict[str, Any]:
        shares = {"words": words.words, "recall": words.recall, "precision": words.precision}
        return {what: words.contrast.name, **shares, "f1": self._document(words.contrast)}


@dataclass(frozen=True)
class ComparisonResult(Tabular):
    """Two systems, or several that are each compared with the same baseline.

    `comparisons` has each pair in their order; `result[system, metric]` is the contrast of a
    system with the baseline. P-values of the corpus are corrected for all systems and metrics.
    """

    comparisons: Sequence[PairComparison]

    def __getitem__(self, key: tuple[str, str]) -> Contrast:
        for one in self.comparisons:
            for contrast in one.corpus:
                if (one.pair.names[0], contrast.name) == key:
                    return contrast
        raise KeyError(key)

    @property
    def baseline(self) -> str:
        """What all are compared with."""
        return self.comparisons[0].pair.names[1]

    @property
    def systems(self) -> list[str]:
        """All systems, the baseline last."""
        return [*(one.pair.names[0] for one in self.comparisons), self.baseline]

    @property
    def metrics(self) -> Mapping[str, Metric]:
        """The metrics by label."""
        return self.comparisons[0].metrics

    def with_examples(
        self, *, by: str | None = None, shown: int = 5, tokenizer: str = "penn"
    ) -> ComparisonResult:
        """With another choice of examples: the metric that selects them, their number in each
        direction, and the tokenizer of the words that are compared.
        """
        if by is not None and by not in self.metrics:
            raise UsageError(f"by is one of the metrics; {near(by, self.metrics)}")
        settings = {"examples_by": by, "examples_shown": shown, "tokenizer": tokenizer}
        return ComparisonResult([replace(one, **settings) for one in self.comparisons])  # type: ignore[arg-type]

    def tables(self) -> Iterator[Block]:
        if len(self.comparisons) > 1:
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
            [one.pair.names[0], len(one.pair), *(one.cells(c)[2] for c in one.corpus)]
            for one in self.comparisons
        ]
        contrasts = [contrast for one in self.comparisons for contrast in one.corpus]
        tests = sum(contrast.p is not None for contrast in contrasts)
        share = f"{100 * (first.sampling.confidence or 0.95):g} %"
        notes = [
            f"differences from {self.baseline}; ±: half the {share} interval; p: "
            f"{_TESTS[first.sampling.test or 'randomization']}, two-sided, corrected for all "
            f"{tests} tests of the table (Holm); * below {LEVEL:g}; the scores below have the same "
            "p"
        ]
        if any(one.is_floor and (one.adjusted or 0) >= LEVEL for one in contrasts):
            notes.append("p < ...: too few trials to decide")
        return Table(
            "systems", columns, rows, f"{len(rows)} systems against {self.baseline}", notes
        )

    def records(self) -> Iterable[Table]:
        tables: dict[str, Table] = {}
        for one in self.comparisons:
            for table in one.records():
                before = tables.get(table.name)
                rows = [*(before.rows if before else ()), *table.rows]
                tables[table.name] = replace(table, rows=rows)
        return list(tables.values())

    def notes(self) -> Sequence[str]:
        several = len(self.comparisons) > 1
        remarks = [
            f"{one.pair.names[0]}: {note}" if several else note
            for one in self.comparisons
            for note in one.remarks
        ]
        return [*remarks, *self.comparisons[0].signatures]

    def to_dict(self) -> dict[str, Any]:
        if len(self.comparisons) == 1:
            return self.comparisons[0].to_dict()
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

"""`otherwords.compare`: where systems differ, and whether the difference is significant."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import chain
from typing import Any

from otherwords.corpus.rows import Row
from otherwords.errors import UsageError, near
from otherwords.metrics.base import Metric, text_of
from otherwords.scoring.choice import Metrics, make_metrics
from otherwords.scoring.compare_pair import (
    TESTS,
    Contrast,
    Example,
    PairComparison,
    Phrase,
    TwoSystems,
    WordContrast,
    contrast_metric,
    correct,
)
from otherwords.scoring.explanations import explanation_lines
from otherwords.scoring.sampling import Sampling
from otherwords.scoring.score import TextRows
from otherwords.scoring.seen import SEEN, find_familiar, select_fair
from otherwords.scoring.stream import (
    SystemScores,
    check_once,
    evaluate,
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
from otherwords.text.language import is_foreign, words_of
from otherwords.text.sentence import Text

_ORDERS = {1: "words", 2: "bigrams", 3: "trigrams", 4: "4-grams"}
_SIGN = (
    "right: how often each system gets it right; more: in how many segments more often than the "
    "other; p: exact sign test over these segments, corrected for all {} tested (Holm), "
    "n/a where fewer than 6 segments differ"
)


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
        How intervals and tests resample (default: approximate randomization, 1,000 resamples).
    threads, any_language, progress
        As in `otherwords.score`.
    **options
        Options of the metrics; each goes to the metrics that have it.

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
    sampling.resampling()  # refuses a confidence or a number of resamples that is out of range
    metrics = make_metrics(metric, options)
    by_system = _rows_by_system(metrics, systems, references, sources)
    pairs = _pair_names(list(by_system), baseline)
    names = dict.fromkeys(chain.from_iterable(pairs))
    scored = {
        system.system: system
        for system in evaluate(
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
    corrected = iter(
        correct([contrast for comparison in comparisons for contrast in comparison.corpus])
    )
    return ComparisonResult(
        [
            replace(comparison, corpus=[next(corrected) for _ in comparison.corpus])
            for comparison in comparisons
        ]
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
        else list(TextRows(metrics, texts, references, sources, str(name)))
        for name, texts in systems.items()
    }


def _are_rows(values: Any) -> bool:
    return isinstance(values, (list, tuple)) and bool(values) and isinstance(values[0], Row)


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
    first, second = left.pick(mine), right.pick(theirs)
    pair = TwoSystems((left.system, right.system), first.rows, second.rows, left_out)
    known = find_familiar(metrics, [first, second])
    tested = list(select_fair(metrics, known))
    statistics = {label: (first.statistics[label], second.statistics[label]) for label in metrics}
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
    remarks += [note for label, familiarity in known.items() for note in familiarity.remarks(label)]
    return PairComparison(pair, metrics, sampling, statistics, contrasts, tested, english, remarks)


@dataclass(frozen=True)
class ComparisonResult(Tabular):
    """Two systems, or several that are each compared with the same baseline.

    `comparisons` has each pair in their order; `result[system, metric]` is the contrast of a
    system with the baseline. P-values of the corpus are corrected for all systems and metrics.
    """

    comparisons: Sequence[PairComparison]

    def __getitem__(self, key: tuple[str, str]) -> Contrast:
        for comparison in self.comparisons:
            for contrast in comparison.corpus:
                if (comparison.pair.names[0], contrast.name) == key:
                    return contrast
        raise KeyError(key)

    @property
    def baseline(self) -> str:
        return self.comparisons[0].pair.names[1]

    @property
    def systems(self) -> list[str]:
        return [*(comparison.pair.names[0] for comparison in self.comparisons), self.baseline]

    @property
    def metrics(self) -> Mapping[str, Metric]:
        return self.comparisons[0].metrics

    def with_examples(
        self, *, by: str | None = None, shown: int = 5, tokenizer: str = "penn"
    ) -> ComparisonResult:
        """With another choice of examples: the metric that selects them, their number in each
        direction, and the tokenizer of the words that are compared.
        """
        if by is not None and by not in self.metrics:
            raise UsageError(f"by is one of the metrics; {near(by, self.metrics)}")
        settings: dict[str, Any] = {
            "examples_by": by,
            "examples_shown": shown,
            "tokenizer": tokenizer,
        }
        return ComparisonResult(
            [replace(comparison, **settings) for comparison in self.comparisons]
        )

    def tables(self) -> Iterator[Block]:
        if len(self.comparisons) > 1:
            yield self._overview()
        for comparison in self.comparisons:
            yield from _pair_tables(comparison)

    def _overview(self) -> Table:
        first = self.comparisons[0]
        columns = [Column("system", left=True), Column("segments")]
        for label, metric in first.metrics.items():
            head = f"{label} difference"
            columns.append(
                Column(label, head, decimals=decimals_of(metric.traits.high), signed=True)
            )
        rows: list[list[Cell]] = [
            [
                comparison.pair.names[0],
                len(comparison.pair),
                *(contrast_cells(comparison, c)[2] for c in comparison.corpus),
            ]
            for comparison in self.comparisons
        ]
        contrasts = [contrast for comparison in self.comparisons for contrast in comparison.corpus]
        tests = sum(contrast.p is not None for contrast in contrasts)
        share = f"{100 * (first.sampling.confidence or 0.95):g} %"
        notes = [
            f"differences from {self.baseline}; ±: half the {share} interval; p: "
            f"{TESTS[first.sampling.test or 'randomization']}, two-sided, corrected for all "
            f"{tests} tests of the table (Holm); * below {LEVEL:g}; the scores below have the same "
            "p"
        ]
        if any(contrast.is_floor and (contrast.adjusted or 0) >= LEVEL for contrast in contrasts):
            notes.append("p < ...: too few trials to decide")
        return Table(
            "systems", columns, rows, f"{len(rows)} systems against {self.baseline}", notes
        )

    def records(self) -> Iterable[Table]:
        tables: dict[str, Table] = {}
        for comparison in self.comparisons:
            for table in _pair_records(comparison):
                before = tables.get(table.name)
                rows = [*(before.rows if before else ()), *table.rows]
                tables[table.name] = replace(table, rows=rows)
        return list(tables.values())

    def notes(self) -> Sequence[str]:
        several = len(self.comparisons) > 1
        remarks = [
            f"{comparison.pair.names[0]}: {note}" if several else note
            for comparison in self.comparisons
            for note in comparison.remarks
        ]
        return [*remarks, *self.comparisons[0].signatures]

    def to_dict(self) -> dict[str, Any]:
        if len(self.comparisons) == 1:
            return _pair_dict(self.comparisons[0])
        return {
            "baseline": self.baseline,
            "comparisons": [_pair_dict(comparison) for comparison in self.comparisons],
        }


def _pair_tables(comparison: PairComparison) -> Iterator[Block]:
    yield from _contrast_tables(comparison)
    for system, examples in zip(comparison.pair.names, comparison.examples, strict=True):
        caption = f"Segments on which {system} is better by most ({comparison.example_metric})"
        for place, example in enumerate(examples):
            yield Lines(
                "example", list(_example_lines(comparison, example)), "" if place else caption
            )


def _contrast_tables(comparison: PairComparison) -> Iterator[Table]:
    first, second = comparison.pair.names
    yield _corpus_table(comparison)
    for label, contrasts in comparison.lengths.items():
        heads = [
            "length",
            "segments",
            first,
            second,
            "difference",
            *_interval_heads(comparison),
            "p",
        ]
        metric = comparison.metrics[label]
        yield Table(
            f"length-{label}",
            _columns(heads),
            [
                [contrast.name, str(contrast.size), *_numbers(contrast, metric)]
                for contrast in contrasts
            ],
            f"{label} by length of the reference in tokens (of the source where there is none)",
            [comparison.how],
        )
    if comparison.classes:
        yield _words_table(comparison, "class", "word class", comparison.classes)
    if comparison.frequencies:
        yield _words_table(
            comparison, "frequency", "frequency in the references", comparison.frequencies
        )
    for length, sides in comparison.phrases.items():
        for number, phrases in enumerate(sides):
            if phrases:
                yield _phrases_table(comparison, length, number, phrases)


def _interval_heads(comparison: PairComparison) -> list[str]:
    share = f"{100 * (comparison.sampling.confidence or 0.95):g} %"
    return [f"{share} low", f"{share} high"]


def _corpus_table(comparison: PairComparison) -> Table:
    first, second = comparison.pair.names
    heads = ["metric", first, second, "difference", *_interval_heads(comparison), "p"]
    rows = []
    for contrast in comparison.corpus:
        metric = comparison.metrics[contrast.name]
        name = contrast.name + SEEN * (contrast.p is None)
        name += "" if metric.traits.higher_is_better else " (lower is better)"
        wins = map(str, comparison.wins[contrast.name])
        rows.append([name, *_numbers(contrast, metric, halves=True), *wins])
    return Table(
        "corpus",
        _columns([*heads, f"{first} better", "same", f"{second} better"]),
        rows,
        f"{first} and {second}, {len(comparison.pair):,} segments",
        [f"±: half the interval; {comparison.how}; better, same: segments"],
    )


def _words_table(
    comparison: PairComparison, name: str, what: str, contrasts: Sequence[WordContrast]
) -> Table:
    sides = comparison.pair.names
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
        [f"difference: of F1; {comparison.how}"],
    )


def _phrases_table(
    comparison: PairComparison, length: int, number: int, phrases: Sequence[Phrase]
) -> Table:
    first, second = comparison.pair.names
    what = _ORDERS[length]
    heads = ["references", f"right {first}", f"right {second}", f"more {first}", f"more {second}"]
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
        f"{what[0].upper()}{what[1:]} that {comparison.pair.names[number]} gets right more often",
        [_SIGN.format(what)],
    )


def _example_lines(comparison: PairComparison, example: Example) -> Iterator[str]:
    first, second = example.scores
    yield f"segment {example.item}: {first:.4f} against {second:.4f}"
    if (source := _source(example)) is not None:
        yield f"  source  {source}"
    for system, explanation in zip(comparison.pair.names, example.explanations, strict=True):
        yield ""
        yield from explanation_lines(system, explanation)


def _pair_records(comparison: PairComparison) -> Iterable[Table]:
    scores = ["segments", "first", "second", "difference"]
    names = list(comparison.pair.names)
    corpus = [
        [
            *(names, contrast.name, contrast.size, *contrast_cells(comparison, contrast)),
            *(*comparison.wins[contrast.name], comparison.signature(contrast.name)),
        ]
        for contrast in comparison.corpus
    ]
    lengths = [
        [
            names,
            label,
            contrast.name,
            contrast.size,
            *contrast_cells(comparison, contrast),
            comparison.signature(label),
        ]
        for label, contrasts in comparison.lengths.items()
        for contrast in contrasts
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
        "classes": [[names, *_word_cells(comparison, words)] for words in comparison.classes],
        "frequencies": [
            [names, *_word_cells(comparison, words)] for words in comparison.frequencies
        ],
        "ngrams": [
            [
                *(names, system, order, " ".join(phrase.words), phrase.references),
                *(list(phrase.right), list(phrase.segments), _sign(phrase)),
            ]
            for order, system, phrase in _ngrams(comparison)
        ],
        "examples": [
            [
                *(names, system, comparison.example_metric, example.item),
                *(*example.scores, example.difference, _source(example)),
                comparison.signature(comparison.example_metric),
            ]
            for system, example in _examples(comparison)
        ],
    }
    return [
        Table(name, [Column(head) for head in ("systems", *heads[name])], rows[name])
        for name in heads
    ]


def _word_cells(comparison: PairComparison, words: WordContrast) -> list[Cell]:
    shares: list[Cell] = [list(words.recall), list(words.precision)]
    contrast = words.contrast
    return [
        contrast.name,
        words.words,
        *shares,
        contrast.size,
        *contrast_cells(comparison, contrast),
    ]


def contrast_cells(comparison: PairComparison, contrast: Contrast) -> list[Number]:
    """Both scores and their difference."""
    how = {"confidence": comparison.sampling.confidence, "resamples": comparison.sampling.resamples}
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
        test=None if contrast.p is None else comparison.sampling.test,
        trials=None if contrast.p is None else contrast.trials or comparison.sampling.resamples,
        is_floor=contrast.is_floor,
        **({} if contrast.low is None else how),  # type: ignore[arg-type]
    )
    return [first, second, difference]


def _ngrams(comparison: PairComparison) -> Iterator[tuple[int, str, Phrase]]:
    for order, sides in comparison.phrases.items():
        for system, phrases in zip(comparison.pair.names, sides, strict=True):
            yield from ((order, system, phrase) for phrase in phrases)


def _examples(comparison: PairComparison) -> Iterator[tuple[str, Example]]:
    for system, examples in zip(comparison.pair.names, comparison.examples, strict=True):
        yield from ((system, example) for example in examples)


def _pair_dict(comparison: PairComparison) -> dict[str, Any]:
    return {
        "systems": list(comparison.pair.names),
        "segments": len(comparison.pair),
        "corpus": [
            {
                "metric": contrast.name,
                **_contrast_dict(comparison, contrast),
                "segments_better": list(comparison.wins[contrast.name]),
            }
            for contrast in comparison.corpus
        ],
        "lengths": [
            {"metric": label, "length": contrast.name, **_contrast_dict(comparison, contrast)}
            for label, contrasts in comparison.lengths.items()
            for contrast in contrasts
        ],
        "classes": [_words_dict(comparison, words, "class") for words in comparison.classes],
        "frequencies": [
            _words_dict(comparison, words, "frequency") for words in comparison.frequencies
        ],
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
            for order, system, phrase in _ngrams(comparison)
        ],
        "examples": [
            {
                "better": system,
                "metric": comparison.example_metric,
                "item": example.item,
                "scores": list(example.scores),
                "difference": example.difference,
                "source": _source(example),
                "explanations": [asdict(explanation) for explanation in example.explanations],
            }
            for system, example in _examples(comparison)
        ],
        "notes": list(comparison.remarks),
        "signatures": {label: comparison.signature(label) for label in comparison.metrics},
    }


def _contrast_dict(comparison: PairComparison, contrast: Contrast) -> dict[str, Any]:
    first, second, difference = map(number_dict, contrast_cells(comparison, contrast))
    return {"segments": contrast.size, "scores": [first, second], "difference": difference}


def _words_dict(comparison: PairComparison, words: WordContrast, what: str) -> dict[str, Any]:
    shares = {"words": words.words, "recall": words.recall, "precision": words.precision}
    return {what: words.contrast.name, **shares, "f1": _contrast_dict(comparison, words.contrast)}


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

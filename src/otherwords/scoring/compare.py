"""`otherwords.compare`: where systems differ, and whether the difference is significant."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import chain
from typing import Any

import numpy as np

from otherwords.corpus.inputs import read_rows
from otherwords.corpus.parallel import count_segments
from otherwords.corpus.records import is_frame
from otherwords.corpus.rows import Row
from otherwords.errors import UnknownLabelError, UsageError, near
from otherwords.metrics.base import SIDES, Metric, text_of
from otherwords.metrics.drawing import mark_hypothesis
from otherwords.metrics.inputs import kept
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
from otherwords.scoring.problems import describe
from otherwords.scoring.sampling import Sampling, check_sampling
from otherwords.scoring.score import text_rows
from otherwords.scoring.seen import SEEN, find_familiar, select_fair
from otherwords.scoring.stream import (
    SystemScores,
    evaluate,
    number_repeats,
    rows_by_system,
    shared_segments,
)
from otherwords.tables.table import (
    LEVEL,
    Block,
    Cell,
    Column,
    Lines,
    Number,
    Table,
    decimals_of,
    interval_decimals,
    join_words,
    shown,
    shown_p,
)
from otherwords.tables.tabular import Tabular
from otherwords.text.language import is_foreign, words_of
from otherwords.text.sentence import Sentence, Text

# What is printed unless all is asked for: at most 40 lines.
_SYSTEMS, _NAMES, _LINES, _TEXT = 20, 3, 26, 120  # systems, names, lines of examples, characters
_ORDERS = {1: "words", 2: "bigrams", 3: "trigrams", 4: "4-grams"}
_EXPLORED = "exploratory: differences in this table are not tested"
_COUNTED = (
    "right: how often each system gets it right; more: in how many segments more often than the "
    "other"
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
    P-values are corrected for all metrics and systems that are tested, by default by Holm (1979).
    A metric that was trained on these segments is not tested.

    Parameters
    ----------
    metric
        A name or a `Metric`; or several, as a list or as a mapping of your own labels.
    systems
        A mapping of names to lists of texts, a list of such lists, or rows of all systems (`Row`,
        or a DataFrame).
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
    sampling = check_sampling(sampling) or Sampling()
    sampling = replace(
        sampling,
        confidence=sampling.confidence or 0.95,
        test=sampling.test or "randomization",
    )
    sampling.resampling()  # refuses a confidence or a number of resamples that is out of range
    metrics = make_metrics(metric, options)
    by_system = _rows_by_system(metrics, systems, kept(references), kept(sources))
    pairs = _pair_names(list(by_system), baseline)
    names = dict.fromkeys(chain.from_iterable(pairs))
    scored = {
        system.system: system
        for system in evaluate(
            chain.from_iterable(by_system[name] for name in names),
            metrics,
            threads=threads,
            any_language=any_language,
            find_problems=True,
            keep=True,
            progress=progress or (lambda done: None),
        )
    }
    sentences: dict[Text, Sentence] = {}
    comparisons = [
        replace(
            _compare_pair(scored[left], scored[right], metrics, sampling, len(pairs), any_language),
            sentences=sentences,
        )
        for left, right in pairs
    ]
    contrasts = [contrast for comparison in comparisons for contrast in comparison.corpus]
    corrected = iter(correct(contrasts, sampling.correction))
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
    if is_frame(systems):
        systems = read_rows(systems)
    if isinstance(systems, Iterator) or _are_rows(systems):
        return rows_by_system(systems)
    if isinstance(systems, (list, tuple)) and not any(isinstance(s, Text) for s in systems):
        systems = {f"system {number}": texts for number, texts in enumerate(systems, 1)}
    if not isinstance(systems, Mapping):
        raise UsageError(
            "compare needs two systems: {'name': texts, 'other': texts}, or two lists of texts"
        )
    return {
        str(name): list(number_repeats(texts))
        if _are_rows(texts)
        else text_rows(metrics, texts, references, sources, str(name))
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
    # A segment that a metric cannot read is left out of both systems and of all metrics.
    lacking = {place for marks in left.missing.values() for place in np.flatnonzero(marks).tolist()}
    both = [pair for pair in zip(mine, theirs, strict=True) if pair[0] not in lacking]
    if not both:
        raise UsageError(f"{left.system} and {right.system} share no segment that can be scored")
    first, second = left.pick([pair[0] for pair in both]), right.pick([pair[1] for pair in both])
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
    warnings = [
        line
        for system in (left, right)
        for line in describe(list(system.problems.values()), len(system.items))
    ]
    remarks += sampling.cautions([len(set(pair.docs)) if pair.docs else len(pair)])
    english = any_language or not is_foreign(words_of([row.hypothesis for row in pair.left[:50]]))
    if not english:
        remarks.append("word classes are left out: the text is not English")
    remarks += [note for label, familiarity in known.items() for note in familiarity.remarks(label)]
    return PairComparison(
        pair, metrics, sampling, statistics, contrasts, tested, english, remarks, warnings
    )


@dataclass(frozen=True)
class ComparisonResult(Tabular):
    """Two systems, or several that are each compared with the same baseline.

    `comparisons` has each pair in their order; `result[system, metric]` is the contrast of a
    system with the baseline. P-values of the corpus are corrected for all systems and metrics.
    With `detailed`, tables for readers show lengths, words, n-grams and whole explanations too.
    """

    comparisons: Sequence[PairComparison]
    detailed: bool = False

    def __getitem__(self, key: tuple[str, str]) -> Contrast:
        for comparison in self.comparisons:
            for contrast in comparison.corpus:
                if (comparison.pair.names[0], contrast.name) == key:
                    return contrast
        known = [
            str((comparison.pair.names[0], contrast.name))
            for comparison in self.comparisons
            for contrast in comparison.corpus
        ]
        raise UnknownLabelError(key, known)

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
        self,
        *,
        by: str | None = None,
        shown: int = 5,
        tokenizer: str = "penn",
        detailed: bool = False,
    ) -> ComparisonResult:
        """With another choice of examples: the metric that selects them, their number in each
        direction, the tokenizer of the words that are compared, and whether readers see all.
        """
        if by is not None and by not in self.metrics:
            raise UsageError(f"by is one of the metrics; {near(by, self.metrics)}")
        settings: dict[str, Any] = {
            "examples_by": by,
            "examples_shown": shown,
            "tokenizer": tokenizer,
            "sentences": {},
        }
        return ComparisonResult(
            [replace(comparison, **settings) for comparison in self.comparisons], detailed
        )

    def tables(self) -> Iterator[Block]:
        yield Lines("verdict", (), self.verdict)
        if len(self.comparisons) > 1:
            yield self._overview()
        if self.detailed:
            for comparison in self.comparisons:
                yield from _pair_tables(comparison)
        elif len(self.comparisons) == 1:
            yield _corpus_table(self.comparisons[0])
            yield from _brief_examples(self.comparisons[0])
        if not self.detailed:
            yield Lines("more", ["Lengths, words, n-grams and explanations: --all"])

    @property
    def verdict(self) -> str:
        """Which systems are better by which metrics, in one sentence."""
        if len(self.comparisons) == 1:
            return _pair_verdict(self.comparisons[0])
        by_gain: dict[int, list[str]] = {1: [], 0: [], -1: []}
        for comparison in self._best_first():
            by_gain[_gain(comparison, comparison.corpus[0])].append(comparison.pair.names[0])
        words = {1: "better", 0: "level", -1: "worse"}
        first, *others = [
            f"{_name_or_count(names)} {'is' if len(names) == 1 else 'are'} {words[gain]}"
            for gain, names in by_gain.items()
            if names
        ]
        link = "with" if first.endswith("level") else "than"
        label = next(iter(self.metrics))
        return "; ".join([f"{first} {link} {self.baseline} by {label}", *others]) + "."

    def _best_first(self) -> list[PairComparison]:
        """The comparisons in the order of their differences by the first metric."""
        sign = 1 if next(iter(self.metrics.values())).traits.higher_is_better else -1
        return sorted(self.comparisons, key=lambda pair: -sign * pair.corpus[0].difference)

    def _overview(self) -> Table:
        first = self.comparisons[0]
        sizes = {len(comparison.pair) for comparison in self.comparisons}
        columns = [Column("system", left=True)]
        columns += [Column("segments", minor=True)] if len(sizes) > 1 else []
        for label, metric in first.metrics.items():
            head = label + ("" if metric.traits.higher_is_better else " (lower is better)")
            columns.append(
                Column(label, head, decimals=decimals_of(metric.traits.high), signed=True)
            )
        rows: list[list[Cell]] = [
            [
                comparison.pair.names[0],
                *([len(comparison.pair)] if len(sizes) > 1 else []),
                *(contrast_cells(comparison, c)[2] for c in comparison.corpus),
            ]
            for comparison in self._best_first()[: None if self.detailed else _SYSTEMS]
        ]
        contrasts = [contrast for comparison in self.comparisons for contrast in comparison.corpus]
        tests = sum(contrast.p is not None for contrast in contrasts)
        notes = [
            f"±: half the {_share(first)} interval; p: "
            f"{TESTS[first.sampling.test or 'randomization']}, two-sided, "
            f"{first.sampling.corrected(f'all {tests} tests')}"
        ]
        if any(contrast.is_floor and (contrast.adjusted or 0) >= LEVEL for contrast in contrasts):
            notes.append("p < ...: too few trials to decide")
        number = len(self.comparisons)
        caption = f"Differences of {number} systems from {self.baseline}"
        caption += f", {count_segments(sizes.pop())}" if len(sizes) == 1 else ""
        caption += f", the best {len(rows)}" if len(rows) < number else ""
        return Table("systems", columns, rows, caption, notes)

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

    def warnings(self) -> Sequence[str]:
        return list(dict.fromkeys(line for each in self.comparisons for line in each.warnings))


def _name_or_count(names: Sequence[str]) -> str:
    return join_words(names) if len(names) <= _NAMES else f"{len(names)} systems"


def _gain(comparison: PairComparison, contrast: Contrast) -> int:
    """1 if the first system is significantly better, -1 if the second is, 0 if they are level."""
    if contrast.adjusted is None or contrast.adjusted >= LEVEL:
        return 0
    higher = comparison.metrics[contrast.name].traits.higher_is_better
    return 1 if (contrast.difference > 0) == higher else -1


def _pair_verdict(comparison: PairComparison) -> str:
    first, second = comparison.pair.names
    by_gain: dict[int, list[str]] = {1: [], -1: [], 0: []}
    for contrast in comparison.corpus:
        if contrast.name in comparison.tested:
            by_gain[_gain(comparison, contrast)].append(contrast.name)
    words = {
        1: f"{first} is better than {second}",
        -1: f"{second} is better than {first}",
        0: f"{first} and {second} are level",
    }
    said = [f"{words[gain]} by {join_words(names)}" for gain, names in by_gain.items() if names]
    return "; ".join(said or [f"{first} and {second} were not tested"]) + "."


def _brief_examples(comparison: PairComparison) -> Iterator[Lines]:
    """Some segments on which each system is better, with their texts, in few lines."""
    room = (_LINES - len(comparison.metrics)) // 2
    for system, examples in zip(comparison.pair.names, comparison.examples, strict=True):
        lines: list[str] = []
        used = 0  # lines on a terminal
        for example in examples:
            more = list(_brief_lines(comparison, example))
            used += sum(len(line) // 76 + 1 for line in more)
            lines += more if used <= room else []
        if lines:
            metric = comparison.example_metric
            yield Lines("example", lines, f"Segments that {system} does better ({metric})")


def _brief_lines(comparison: PairComparison, example: Example) -> Iterator[str]:
    names, explained = comparison.pair.names, example.explanations
    target = SIDES[explained[0].against][1]
    texts = dict(zip(names, map(mark_hypothesis, explained), strict=True))
    shown = {target: explained[0].references[0], **texts} if explained[0].references else texts
    size = max(map(len, shown))
    yield f"segment {example.item}: {_scores(comparison, example)}"
    for name, text in shown.items():
        yield f"  {name:<{size}}  {textwrap.shorten(text, _TEXT, placeholder=' …')}"


def _scores(comparison: PairComparison, example: Example) -> str:
    metric = comparison.metrics[comparison.example_metric]
    decimals = decimals_of(metric.traits.high) - 1
    return " against ".join(f"{score:.{decimals}f}" for score in example.scores)


def _pair_tables(comparison: PairComparison) -> Iterator[Block]:
    yield from _contrast_tables(comparison)
    for system, examples in zip(comparison.pair.names, comparison.examples, strict=True):
        caption = f"Segments that {system} does better ({comparison.example_metric})"
        for place, example in enumerate(examples):
            lines = list(_example_lines(comparison, example))
            yield Lines("example", lines, "" if place else caption)


def _contrast_tables(comparison: PairComparison) -> Iterator[Table]:
    first, second = comparison.pair.names
    yield _corpus_table(comparison)
    for label, contrasts in comparison.lengths.items():
        heads = ["length", "segments", first, second, "difference"]
        metric = comparison.metrics[label]
        yield Table(
            f"length-{label}",
            _columns(heads),
            [
                [contrast.name, str(contrast.size), *_numbers(contrast, metric)]
                for contrast in contrasts
            ],
            f"{label} by length of the reference in tokens (of the source where there is none)",
            [_EXPLORED],
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


def _share(comparison: PairComparison) -> str:
    return f"{100 * (comparison.sampling.confidence or 0.95):g} %"


def _corpus_table(comparison: PairComparison) -> Table:
    first, second = comparison.pair.names
    heads = ["metric", first, second, "difference", "p"]
    wins = [f"{first} better", "same", f"{second} better"]
    rows = []
    for contrast in comparison.corpus:
        metric = comparison.metrics[contrast.name]
        name = contrast.name + SEEN * (contrast.p is None)
        name += "" if metric.traits.higher_is_better else " (lower is better)"
        p = _starred(contrast.adjusted, is_floor=contrast.is_floor)
        counts = map(str, comparison.wins[contrast.name])
        rows.append([name, *_numbers(contrast, metric, halves=True), p, *counts])
    return Table(
        "corpus",
        [*_columns(heads), *(Column(head, minor=True) for head in wins)],
        rows,
        f"{first} and {second}, {count_segments(len(comparison.pair))}",
        [f"±: half the {_share(comparison)} interval; {comparison.how}; better, same: segments"],
    )


def _words_table(
    comparison: PairComparison, name: str, what: str, contrasts: Sequence[WordContrast]
) -> Table:
    sides = comparison.pair.names
    heads = [f"{part} {side}" for part in ("recall", "precision", "F1") for side in sides]
    shares = [Column(head, decimals=4) for head in [*heads, "difference"]]
    return Table(
        name,
        [Column(what, left=True), Column("words", decimals=0), *shares],
        [
            [
                *(words.contrast.name, words.words, *words.recall, *words.precision),
                *(*words.contrast.scores, words.contrast.difference),
            ]
            for words in contrasts
        ],
        f"Words by {what}: how many are right",
        [f"difference: of F1; {_EXPLORED}"],
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
        [Column(what, left=True), *counts],
        [
            [" ".join(phrase.words), phrase.references, *phrase.right, *phrase.segments]
            for phrase in phrases
        ],
        f"{what[0].upper()}{what[1:]} that {comparison.pair.names[number]} gets right more often",
        [f"{_COUNTED}; {_EXPLORED}"],
    )


def _example_lines(comparison: PairComparison, example: Example) -> Iterator[str]:
    yield f"segment {example.item}: {_scores(comparison, example)}"
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
            *("explanations", "signature"),
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
                *(list(phrase.right), list(phrase.segments), phrase.right[0] - phrase.right[1]),
            ]
            for order, system, phrase in _ngrams(comparison)
        ],
        "examples": [
            [
                *(names, system, comparison.example_metric, example.item),
                *(*example.scores, example.difference, _source(example)),
                [asdict(explanation) for explanation in example.explanations],
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


def _columns(heads: Sequence[str]) -> list[Column]:
    return [Column(head, left=place == 0) for place, head in enumerate(heads)]


def _numbers(contrast: Contrast, metric: Metric, *, halves: bool = False) -> list[str]:
    """Scores and difference as readers see them; metrics differ in decimals."""
    gap = contrast.difference, contrast.low, contrast.high
    decimals, supported = decimals_of(metric.traits.high), interval_decimals([gap])
    column = Column("", decimals=decimals if supported is None else min(decimals, supported))
    around = contrast.intervals if halves and contrast.intervals else ((None, None),) * 2
    scores = [
        shown(Number(score, low, high), column)
        for score, (low, high) in zip(contrast.scores, around, strict=True)
    ]
    return [*scores, shown(Number(*gap), replace(column, signed=True))]


def _starred(p: float | None, *, is_floor: bool = False) -> str:
    """A p-value in a separate column.

    >>> _starred(0.0312), _starred(0.0001), _starred(None)
    ('0.031*', '<0.001*', 'n/a')
    """
    if p is None:
        return "n/a"
    text = shown_p(p, is_floor=is_floor).removeprefix("= ").replace(" ", "")
    return text + ("*" if p < LEVEL else "")


def _source(example: Example) -> str | None:
    source = example.rows[0].source
    return None if source is None else text_of(source)

"""Contrasts of two systems on the same segments: of their scores, and of the words and n-grams that
they get right, by word class, by frequency, one by one.

A word of a hypothesis is right if the reference has it, at most as often as the reference has it;
case is ignored. With several references, the counts of each are added up.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from otherwords.corpus.rows import Row
from otherwords.metrics.base import Explanation, Metric
from otherwords.scoring.sampling import Sampling
from otherwords.scoring.stream import explain_row
from otherwords.stats.arrays import Array
from otherwords.stats.intervals import bootstrap, widened
from otherwords.stats.significance import Correction, compare_family, correct_p
from otherwords.tables.table import LEVEL
from otherwords.text.annotator import Annotator
from otherwords.text.sentence import Sentence, Text

CLASSES = {
    "noun": "NN NNS",
    "proper noun": "NNP NNPS",
    "verb": "VB VBD VBG VBN VBP VBZ",
    "modal": "MD",
    "adjective": "JJ JJR JJS AFX",
    "adverb": "RB RBR RBS RP WRB",
    "pronoun": "PRP PRP$ WP WP$ EX",
    "determiner": "DT PDT WDT",
    "preposition": "IN TO",
    "conjunction": "CC",
    "number": "CD",
    "punctuation": ". , : `` '' -LRB- -RRB- ( ) HYPH NFP",
    "other": "",
}
_CLASS_OF = {tag: name for name, tags in CLASSES.items() for tag in tags.split()}
FREQUENCIES = (1, 2, 3, 4, 5, 10, 100, 1000)  # where buckets of counts start
LENGTHS = (0, 10, 20, 30, 40, 50, 60)  # where buckets of lengths start
TESTS = {"randomization": "approximate randomization", "bootstrap": "paired bootstrap"}
LONGEST = 4
EXAMPLES = 10  # segments listed for a kind of words or an n-gram

Segment = tuple[Sentence, Sentence, tuple[Sentence, ...]]  # both hypotheses, the references


@dataclass(frozen=True)
class Contrast:
    """Two systems under one score, over `size` segments.

    `intervals` are those of each system, `low` and `high` that of the difference, first minus
    second; there are none for a single segment or document. `p` is of approximate randomization
    (Riezler & Maxwell 2005), two-sided, and valid for few segments too; `adjusted` is `p`
    corrected for the family of tests that it belongs to (Holm 1979). Words, and a metric that was
    trained on these segments, have neither. `trials` is their number; with `is_floor` there were
    too few, and `p` is only an upper bound.
    """

    name: str
    size: int
    scores: tuple[float, float]
    difference: float
    p: float | None = None
    adjusted: float | None = None
    intervals: tuple[tuple[float, float], tuple[float, float]] | None = None
    low: float | None = None
    high: float | None = None
    trials: int | None = None
    is_floor: bool = False


def contrast_metric(
    name: str,
    metric: Metric,
    left: Array,
    right: Array,
    sampling: Sampling,
    docs: Sequence[str] | None = None,
    *,
    comparisons: int = 1,
) -> Contrast:
    """The contrast of two systems' corpus scores, from the statistics of the same segments.

    `comparisons` is the number of tests that p will be corrected for, which decides how many trials
    are needed; 0 for no test.
    """
    times, seed = sampling.resamples, sampling.seed
    test = None
    if comparisons:
        test = compare_family(
            metric.corpus_scores,
            {"left": left, "right": right},
            test=sampling.test or "randomization",
            trials=times,
            trials_max=sampling.resamples_max,
            level=LEVEL,
            seed=seed,
            docs=docs,
            comparisons=comparisons,
        ).tests["left", "right"]
    resampled = None
    units = len(left if docs is None else set(docs))
    if units > 1:
        resampled = (
            bootstrap(metric.corpus_scores, left, resamples=times, seed=seed, docs=docs),
            bootstrap(metric.corpus_scores, right, resamples=times, seed=seed, docs=docs),
        )
    scores = metric.aggregate(left), metric.aggregate(right)
    contrast = Contrast(name, len(left), scores, scores[0] - scores[1])
    if test is not None:
        p, trials, is_floor = test.p, test.trials, test.is_floor
        contrast = replace(contrast, p=p, adjusted=p, trials=trials, is_floor=is_floor)
    if resampled is None:
        return contrast

    def around(draws: Array, value: float, lowest: float, highest: float) -> tuple[float, float]:
        low, high = widened(draws, value, units, sampling.confidence or 0.95)
        return max(low, lowest), min(high, highest)

    intervals = [
        around(draws, score, *metric.traits.range)
        for draws, score in zip(resampled, scores, strict=True)
    ]
    gaps = resampled[0] - resampled[1]
    low, high = around(gaps, contrast.difference, -math.inf, math.inf)
    return replace(contrast, intervals=(intervals[0], intervals[1]), low=low, high=high)


def correct(contrasts: Sequence[Contrast], correction: Correction = "holm") -> list[Contrast]:
    """Correct the p-values of the contrasts for their number."""
    known = {place: contrast.p for place, contrast in enumerate(contrasts)}
    adjusted = correct_p({n: p for n, p in known.items() if p is not None}, correction)
    return [
        replace(contrast, adjusted=adjusted.get(place)) for place, contrast in enumerate(contrasts)
    ]


@dataclass(frozen=True)
class WordContrast:
    """Words of one kind: the systems' recall and precision, and the contrast of their F1.

    `words` counts those of the references, which recall is a share of; precision is a share of
    the words of this kind that a system has. `examples` are the numbers of segments in which the
    systems differ most.
    """

    contrast: Contrast
    words: int
    recall: tuple[float, float]
    precision: tuple[float, float]
    examples: tuple[int, ...] = ()


@dataclass(frozen=True)
class Phrase:
    """An n-gram that one system gets right more often than the other.

    `right` counts, for each system, how often; `segments` in how many segments each has more of
    them right than the other. `examples` numbers some of these segments.
    """

    words: tuple[str, ...]
    references: int
    right: tuple[int, int]
    segments: tuple[int, int]
    examples: tuple[int, ...] = ()


Sides = tuple[list[Phrase], list[Phrase]]  # the first system's, the second's


def class_of(tag: str) -> str:
    """The word class of a Penn tag.

    >>> class_of("VBZ"), class_of("$")
    ('verb', 'other')
    """
    return _CLASS_OF.get(tag, "other")


def folded(sentence: Sentence) -> list[str]:
    """The forms of a sentence, case folded."""
    return [token.casefold() for token in sentence.tokens]


def matched(words: Sequence[str], others: Sequence[str]) -> list[bool]:
    """Which words the others have too; a form that they have n times matches its first n times.

    >>> matched("a b a c".split(), "c a".split())
    [True, False, False, True]
    """
    left = Counter(others)
    matches = []
    for word in words:
        matches.append(left[word] > 0)
        left[word] -= 1
    return matches


def contrast_classes(segments: Sequence[Segment]) -> list[WordContrast]:
    """The systems' F1 on words of each class; a word's class is that of its tag where it stands."""

    def kinds(sentence: Sentence) -> list[str]:
        return [class_of(tag) for tag in sentence.tags or ()]

    return _by_kind(segments, list(CLASSES), kinds)


def contrast_frequencies(segments: Sequence[Segment]) -> list[WordContrast]:
    """The systems' F1 on words by how often the references have them.

    Words that no reference has are in no bucket.
    """
    counts = Counter(word for *_, references in segments for r in references for word in folded(r))
    names = [bucket_name(FREQUENCIES, place) for place in range(len(FREQUENCIES))]

    def kinds(sentence: Sentence) -> list[str]:
        return [_bucket(counts[word], names) for word in folded(sentence)]

    return _by_kind(segments, names, kinds)


def _bucket(count: int, names: Sequence[str]) -> str:
    place = sum(count >= start for start in FREQUENCIES)
    return names[place - 1] if place else ""


def bucket_name(starts: Sequence[int], place: int) -> str:
    """The range of a bucket as text.

    >>> [bucket_name([1, 2, 10], place) for place in range(3)]
    ['1', '2-9', '10+']
    """
    if place + 1 == len(starts):
        return f"{starts[place]}+"
    first, last = starts[place], starts[place + 1] - 1
    return str(first) if first == last else f"{first}-{last}"


def _by_kind(
    segments: Sequence[Segment], names: Sequence[str], kinds: Callable[[Sentence], list[str]]
) -> list[WordContrast]:
    counts = _counts(segments, {name: place for place, name in enumerate(names)}, kinds)
    contrasts = []
    for name, mine in zip(names, counts.swapaxes(0, 1), strict=True):
        recalled, needed, right, total = mine.sum(axis=0).T
        if not needed[0]:
            continue
        recall, precision = ratio(recalled, needed), ratio(right, total)
        first, second = ratio(2 * recall * precision, recall + precision).tolist()
        size = int((mine[:, 0, 1] > 0).sum())
        gaps = np.abs(mine[:, 0, 0] - mine[:, 1, 0])
        contrasts.append(
            WordContrast(
                Contrast(name, size, (first, second), first - second),
                int(needed[0]),
                tuple(recall.tolist()),
                tuple(precision.tolist()),
                tuple(n for n in np.argsort(-gaps, kind="stable")[:EXAMPLES].tolist() if gaps[n]),
            )
        )
    return contrasts


def ratio(part: Array, whole: Array) -> Array:
    """`part / whole`, 0 where `whole` is 0."""
    return np.divide(part, whole, out=np.zeros_like(part), where=whole > 0)


def _counts(
    segments: Sequence[Segment], places: dict[str, int], kinds: Callable[[Sentence], list[str]]
) -> Array:
    """For each segment, kind of words and system: words recalled, words of the references, words
    that are right, words of the system.
    """
    counts = np.zeros((len(segments), len(places), 2, 4))
    for number, (first, second, references) in enumerate(segments):
        for side, hypothesis in enumerate((first, second)):
            mine, words = kinds(hypothesis), folded(hypothesis)
            for reference in references:
                theirs, needed = kinds(reference), folded(reference)
                into = counts[number, :, side]
                _add(into[:, 0:2], theirs, matched(needed, words), places)
                _add(into[:, 2:4], mine, matched(words, needed), places)
    return counts


def _add(into: Array, kinds: Sequence[str], right: Sequence[bool], places: dict[str, int]) -> None:
    """Count words by kind: the right ones in the first column, all in the second."""
    for kind, is_right in zip(kinds, right, strict=True):
        if kind in places:
            into[places[kind], 0] += is_right
            into[places[kind], 1] += 1


def find_phrases(segments: Sequence[Segment], *, shown: int = 10) -> dict[int, Sides]:
    """By length, the n-grams that the first system gets right more often, and the second.

    An n-gram is right as often as the reference with most of it allows (BLEU's clipping). Those
    that one system gets right in most segments more than the other come first.
    """
    return {length: _phrases(segments, length, shown) for length in range(1, LONGEST + 1)}


def _phrases(segments: Sequence[Segment], length: int, shown: int) -> Sides:
    right: Counter[tuple[int, tuple[str, ...]]] = Counter()
    more: Counter[tuple[int, tuple[str, ...]]] = Counter()
    needed: Counter[tuple[str, ...]] = Counter()
    seen: dict[tuple[str, ...], list[int]] = {}
    for number, (first, second, references) in enumerate(segments):
        most: Counter[tuple[str, ...]] = Counter()
        for reference in references:
            most |= _ngrams(reference, length)
        needed += most
        mine, theirs = (_ngrams(hypothesis, length) & most for hypothesis in (first, second))
        for side, hits, others in ((0, mine, theirs), (1, theirs, mine)):
            for words, times in hits.items():
                right[side, words] += times
                if times > others[words]:
                    more[side, words] += 1
                    seen.setdefault(words, []).append(number)
    phrases = []
    for words, numbers in seen.items():
        won = more[0, words], more[1, words]
        phrases.append(
            Phrase(
                words,
                needed[words],
                (right[0, words], right[1, words]),
                won,
                tuple(numbers[:EXAMPLES]),
            )
        )
    return _order_phrases(phrases, 0, shown), _order_phrases(phrases, 1, shown)


def _ngrams(sentence: Sentence, length: int) -> Counter[tuple[str, ...]]:
    words = folded(sentence)
    return Counter(zip(*(words[start:] for start in range(length)), strict=False))


def _order_phrases(phrases: Sequence[Phrase], side: int, shown: int) -> list[Phrase]:
    mine = [phrase for phrase in phrases if phrase.segments[side] > phrase.segments[1 - side]]

    def lead(phrase: Phrase) -> tuple[int, int]:
        first, second = phrase.segments, phrase.right
        return first[side] - first[1 - side], second[side] - second[1 - side]

    return sorted(mine, key=lambda p: (*(-x for x in lead(p)), p.words))[:shown]


# Two systems


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
    warnings: Sequence[str] = ()  # rows of either system that are no rewrites or have no score
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
            contrasts[label] = [
                contrast_metric(
                    bucket_name(LENGTHS, place),
                    metric,
                    left[chosen],
                    right[chosen],
                    self.sampling,
                    None if docs is None else [docs[n] for n in np.flatnonzero(chosen)],
                    comparisons=0,
                )
                for place, chosen in places.items()
            ]
        return contrasts

    @cached_property
    def classes(self) -> list[WordContrast]:
        """The systems' F1 on words of each class; none for text that is not English."""
        if not self.english:
            return []
        return contrast_classes(self.segments)

    @cached_property
    def frequencies(self) -> list[WordContrast]:
        """The systems' F1 on words by how often the references have them."""
        return contrast_frequencies(self.segments)

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
            mine, theirs = (explain_row(metric, row, any_language=True) for row in rows)
            scores = float(left[place]), float(right[place])
            return Example(self.pair.item(place), rows, scores, float(gaps[place]), (mine, theirs))

        def first(gains: Array) -> list[Example]:
            order = np.argsort(-gains, kind="stable")[: self.examples_shown]
            return [example(int(place)) for place in order if gains[place] > 0]

        return first(gaps), first(-gaps)

    def signature(self, label: str) -> str:
        unit = "documents" if self.pair.docs else "segments"
        name = "ar" if self.sampling.test == "randomization" else "paired-bs"
        asked = self.sampling.resamples
        most = max((contrast.trials or 0 for contrast in self.corpus), default=0)
        grown = f"-{most}" if most > asked else ""
        resampled = self.sampling.resampling().signature(unit)
        return f"{self.metrics[label].signature}|{name}:{asked}{grown}|{resampled}"

    @property
    def signatures(self) -> list[str]:
        return list(dict.fromkeys(map(self.signature, self.metrics)))

    @property
    def how(self) -> str:
        """How p-values are computed, in words."""
        test = TESTS[self.sampling.test or "randomization"]
        return f"p: {test}, two-sided, {self.sampling.corrected('the lines of the table')}"

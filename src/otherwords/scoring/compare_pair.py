"""Contrasts of two systems on the same segments: of their scores, and of the words and n-grams that
they get right, by word class, by frequency, one by one.

A word of a hypothesis is right if the reference has it, at most as often as the reference has it;
case is ignored. With several references, the counts of each are added up.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from otherwords.corpus.rows import Row
from otherwords.metrics.base import Explanation, Metric
from otherwords.scoring.sampling import Sampling
from otherwords.scoring.stream import explain_row
from otherwords.stats.arrays import Array
from otherwords.stats.intervals import bootstrap, widened
from otherwords.stats.significance import Correction, compare_family, correct_p
from otherwords.tables.table import LEVEL
from otherwords.text.sentence import Sentence, Text, tokenize
from otherwords.text.tagger import Tagger

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
_PLACE_OF = {tag: n for n, tags in enumerate(CLASSES.values()) for tag in tags.split()}
_OTHER = len(CLASSES) - 1
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


def folded(sentence: Sentence) -> list[str]:
    """The forms of a sentence, case folded."""
    return [token.casefold() for token in sentence.tokens]


Numbers = NDArray[np.int64]


class Flat(NamedTuple):
    """Words of many texts, one after the other: of each, the place of its text, and its form and
    its word class as numbers.
    """

    text: Numbers
    form: Numbers
    kind: Numbers


@dataclass(frozen=True)
class Words:
    """The words of two systems and of the references of all segments.

    Texts are numbered by the references of all segments: `segment[i]` is the segment of reference
    i, whose hypotheses are the texts i of both `sides`. `forms` are the forms by their numbers.
    """

    size: int
    segment: Numbers
    needed: Flat
    sides: tuple[Flat, Flat]
    forms: Sequence[str]

    @classmethod
    def of(cls, segments: Sequence[Segment]) -> Words:
        forms: dict[str, int] = {}
        segment = [number for number, (*_, several) in enumerate(segments) for _ in several]
        references = [reference for *_, several in segments for reference in several]
        needed = _flat(references, forms)
        first = _flat([segments[number][0] for number in segment], forms)
        second = _flat([segments[number][1] for number in segment], forms)
        return cls(len(segments), np.array(segment, np.int64), needed, (first, second), list(forms))

    @cached_property
    def right(self) -> list[tuple[NDArray[np.bool_], NDArray[np.bool_]]]:
        """For each system, which words of the references it has, and which of its words they
        have.
        """
        size = len(self.forms)
        return [
            (_matched(self.needed, side, size), _matched(side, self.needed, size))
            for side in self.sides
        ]


def _flat(sentences: Sequence[Sentence], forms: dict[str, int]) -> Flat:
    numbers = [forms.setdefault(word, len(forms)) for one in sentences for word in folded(one)]
    kinds = [_PLACE_OF.get(tag, _OTHER) for one in sentences for tag in one.tags or ()]
    text = np.repeat(np.arange(len(sentences)), [len(one.tokens) for one in sentences])
    return Flat(text, np.array(numbers, np.int64), np.array(kinds, np.int64))


def _matched(mine: Flat, theirs: Flat, forms: int) -> NDArray[np.bool_]:
    """Which words the other text has too; a form that it has n times matches the first n."""
    keys = mine.text * forms + mine.form
    order = np.argsort(keys, kind="stable")
    _, starts, sizes = np.unique(keys[order], return_index=True, return_counts=True)
    rank = np.arange(len(keys)) - np.repeat(starts, sizes)
    known, times = np.unique(theirs.text * forms + theirs.form, return_counts=True)
    right = np.empty(len(keys), bool)
    right[order] = rank < _look_up(known, times, keys[order])
    return right


def _look_up(known: Numbers, values: Numbers, keys: Numbers) -> Numbers:
    """The values of keys among those known, which are sorted; 0 for others."""
    if not len(known):
        return np.zeros(len(keys), np.int64)
    places = np.minimum(np.searchsorted(known, keys), len(known) - 1)
    return np.where(known[places] == keys, values[places], 0)


def contrast_classes(words: Words) -> list[WordContrast]:
    """The systems' F1 on words of each class; a word's class is that of its tag where it stands."""
    return _by_kind(words, list(CLASSES), lambda flat: flat.kind)


def contrast_frequencies(words: Words) -> list[WordContrast]:
    """The systems' F1 on words by how often the references have them.

    Words that no reference has are in no bucket.
    """
    counts = np.bincount(words.needed.form, minlength=len(words.forms))
    buckets = np.searchsorted(FREQUENCIES, counts, side="right") - 1
    names = [bucket_name(FREQUENCIES, place) for place in range(len(FREQUENCIES))]
    return _by_kind(words, names, lambda flat: buckets[flat.form])


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
    words: Words, names: Sequence[str], kinds: Callable[[Flat], Numbers]
) -> list[WordContrast]:
    counts = _counts(words, len(names), kinds)
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


def _counts(words: Words, size: int, kinds: Callable[[Flat], Numbers]) -> Array:
    """For each segment, kind of words and system: words recalled, words of the references, words
    that are right, words of the system. Words of kind -1 are not counted.
    """
    counts = np.zeros((words.size, size, 2, 4))
    for side, (recalled, right) in enumerate(words.right):
        for column, flat, marks in ((0, words.needed, recalled), (2, words.sides[side], right)):
            kind = kinds(flat)
            cells = words.segment[flat.text] * size + kind
            for offset, chosen in enumerate((marks & (kind >= 0), kind >= 0)):
                found = np.bincount(cells[chosen], minlength=words.size * size)
                counts[:, :, side, column + offset] = found.reshape(words.size, size)
    return counts


def find_phrases(words: Words, *, shown: int = 10) -> dict[int, Sides]:
    """By length, the n-grams that the first system gets right more often, and the second.

    An n-gram is right as often as the reference with most of it allows (BLEU's clipping). Those
    that one system gets right in most segments more than the other come first.
    """
    new = np.diff(words.segment, prepend=-1) > 0  # a hypothesis counts once for its segment
    sides = [Flat(*(part[new[side.text]] for part in side)) for side in words.sides]
    flats = (words.needed, *sides)
    text, form = (np.concatenate([flat[part] for flat in flats]) for part in (0, 1))
    which = np.repeat(np.arange(3), [len(flat.text) for flat in flats])
    place = np.arange(len(text))  # where each n-gram begins
    gram = form
    found = {}
    for length in range(1, LONGEST + 1):
        if length > 1:
            last = place + length - 1
            whole = last < len(text)
            place, gram, last = place[whole], gram[whole], last[whole]
            whole = (text[place] == text[last]) & (which[place] == which[last])
            place, gram, last = place[whole], gram[whole], last[whole]
            gram = gram * len(words.forms) + form[last]
        _, begins, gram = np.unique(gram, return_index=True, return_inverse=True)
        grams = _Grams(place[begins], length, form, words.forms)
        parts = [which[place] == part for part in range(3)]
        by_text = [(text[place[mine]], gram[mine]) for mine in parts]
        found[length] = _phrases(words.segment, grams, by_text, shown)
    return found


class _Grams(NamedTuple):
    """All different n-grams of a length, by the place of the first of each."""

    begins: Numbers
    length: int
    form: Numbers
    forms: Sequence[str]

    def words(self, gram: int) -> tuple[str, ...]:
        begin = self.begins[gram]
        return tuple(self.forms[n] for n in self.form[begin : begin + self.length].tolist())


def _phrases(
    segment: Numbers, grams: _Grams, by_text: Sequence[tuple[Numbers, Numbers]], shown: int
) -> Sides:
    size = len(grams.begins)
    (needed, times), *hypotheses = (
        np.unique(text * size + gram, return_counts=True) for text, gram in by_text
    )
    # The reference with most of an n-gram counts.
    known, place = np.unique(segment[needed // size] * size + needed % size, return_inverse=True)
    most = np.zeros(len(known), np.int64)
    np.maximum.at(most, place, times)
    hits = [
        np.minimum(most, _look_up(segment[mine // size] * size + mine % size, count, known))
        for mine, count in hypotheses
    ]
    where, gram = known // size, known % size

    def total(values: NDArray[Any]) -> Numbers:
        return np.bincount(gram, values, minlength=size).astype(np.int64)

    in_references, right = total(most), (total(hits[0]), total(hits[1]))
    won = total(hits[0] > hits[1]), total(hits[1] > hits[0])
    different = hits[0] != hits[1]
    where, gram = where[different], gram[different]
    order = np.argsort(gram, kind="stable")
    where, gram = where[order], gram[order]

    def phrase(one: int) -> Phrase:
        first, last = np.searchsorted(gram, (one, one + 1))
        return Phrase(
            grams.words(one),
            int(in_references[one]),
            (int(right[0][one]), int(right[1][one])),
            (int(won[0][one]), int(won[1][one])),
            tuple(where[first : min(last, first + EXAMPLES)].tolist()),
        )

    def lead(side: int) -> list[Phrase]:
        """Those that one side gets right in more segments, by the lead, then by their words."""
        leads = won[side] - won[1 - side], right[side] - right[1 - side]
        mine = np.flatnonzero(leads[0] > 0)
        ranked = mine[np.lexsort((-leads[1][mine], -leads[0][mine]))]
        if shown < len(ranked):  # and those that are level with the last one
            end = ranked[max(shown - 1, 0)]
            later = (leads[0] < leads[0][end]) | (
                (leads[0] == leads[0][end]) & (leads[1] < leads[1][end])
            )
            ranked = ranked[~later[ranked]]
        keys = {one: [-int(lead[one]) for lead in leads] for one in ranked.tolist()}
        chosen = sorted(keys, key=lambda one: (*keys[one], grams.words(one)))
        return [phrase(one) for one in chosen[:shown]]

    return lead(0), lead(1)


# Two systems


def _tagged(texts: Sequence[Text], tokenizer: str) -> list[Sentence]:
    """Texts with tokens and tags; those that have them already are kept."""
    sentences = [tokenize(text, tokenizer) if isinstance(text, str) else text for text in texts]
    untagged = [one for one in sentences if one.tags is None]
    tags = iter(Tagger.load().tag([one.tokens for one in untagged]))
    return [
        one if one.tags is not None else replace(one, tags=tuple(next(tags))) for one in sentences
    ]


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
    # Texts that were read already, also for other comparisons.
    sentences: dict[Text, Sentence] = field(default_factory=dict, repr=False, compare=False)

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
        texts = [
            (left.hypothesis, right.hypothesis, several)
            for left, right, several in zip(
                self.pair.left, self.pair.right, self.pair.targets(), strict=True
            )
        ]
        read = self.sentences
        every = dict.fromkeys(chain.from_iterable((a, b, *several) for a, b, several in texts))
        new = [text for text in every if text not in read]
        read.update(zip(new, _tagged(new, self.tokenizer), strict=True))
        return [(read[a], read[b], tuple(read[one] for one in several)) for a, b, several in texts]

    @cached_property
    def words(self) -> Words:
        """The words of all segments as numbers."""
        return Words.of(self.segments)

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
        return contrast_classes(self.words)

    @cached_property
    def frequencies(self) -> list[WordContrast]:
        """The systems' F1 on words by how often the references have them."""
        return contrast_frequencies(self.words)

    @cached_property
    def phrases(self) -> dict[int, tuple[list[Phrase], list[Phrase]]]:
        """N-grams that each system gets right more often than the other, by length."""
        return find_phrases(self.words, shown=2 * self.examples_shown)

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

"""Contrasts of two systems on the same segments: of their scores, and of the words and n-grams that
they get right, by word class, by frequency, one by one.

A word of a hypothesis is right if the reference has it, each as often as the other has it; forms
are compared with case folded. Several references are several comparisons, added up.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from otherwords.metrics.base import Array, Metric
from otherwords.scoring.sampling import Sampling
from otherwords.stats.distributions import binomial_cdf
from otherwords.stats.intervals import bootstrap, percentiles, sum_documents
from otherwords.stats.resampling import Resamples
from otherwords.stats.significance import compare_family, holm, p_value, swaps
from otherwords.tables.table import LEVEL
from otherwords.text.sentence import Sentence

__all__ = [
    "CLASSES",
    "FREQUENCIES",
    "Contrast",
    "Phrase",
    "WordContrast",
    "bucket_name",
    "class_of",
    "contrast_classes",
    "contrast_frequencies",
    "contrast_metric",
    "correct",
    "find_phrases",
]

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
LONGEST = 4
EXAMPLES = 10  # segments that show a kind of words or an n-gram
LARGE = 200  # coins beyond which their binomials are not counted
FEWEST = 6  # with fewer segments that differ, no sign test comes below 0.05: 2 / 2**5 > 0.05

Segment = tuple[Sentence, Sentence, tuple[Sentence, ...]]  # both hypotheses, the references


@dataclass(frozen=True)
class Contrast:
    """Two systems under one score, over `size` segments.

    `intervals` are those of each system, `low` and `high` that of the difference, first minus
    second; there are none for a single segment or document. `p` is of approximate randomization
    (Riezler & Maxwell 2005), two-sided, which holds for few segments too; `adjusted` is `p`
    corrected for the family of tests that it belongs to (Holm 1979). Both are missing for a metric
    that was trained on these segments. `trials` is their number; with `is_floor` there were too
    few, and `p` is only an upper bound.
    """

    name: str
    size: int
    scores: tuple[float, float]
    difference: float
    p: float | None
    adjusted: float | None
    intervals: tuple[tuple[float, float], tuple[float, float]] | None = None
    low: float | None = None
    high: float | None = None
    trials: int | None = None
    is_floor: bool = False


def contrast_scores(
    name: str,
    size: int,
    scores: tuple[float, float],
    p: float | None,
    draws: tuple[Array, Array] | None,
    confidence: float,
) -> Contrast:
    """The contrast of two scores; `draws` are both scores of the same resamples."""
    contrast = Contrast(name, size, scores, scores[0] - scores[1], p, p)
    if draws is None:
        return contrast
    low, high = percentiles(draws[0] - draws[1], confidence)
    around = percentiles(draws[0], confidence), percentiles(draws[1], confidence)
    return replace(contrast, intervals=around, low=low, high=high)


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

    Parameters
    ----------
    name
        Of the contrast.
    metric
        The metric of the statistics.
    left, right
        Statistics of the two systems, rows being the same segments.
    sampling
        Of intervals and of the test.
    docs
        The document of each segment.
    comparisons
        The number of tests that p will be corrected for, which decides how many trials are
        needed; 0 for no test.
    """
    times, seed = sampling.resamples, sampling.seed
    test = None
    if comparisons:
        test = compare_family(
            metric.from_sums,
            {"left": left, "right": right},
            test=sampling.test or "randomization",
            trials=times,
            trials_max=sampling.resamples_max,
            level=LEVEL,
            seed=seed,
            docs=docs,
            comparisons=comparisons,
        ).tests["left", "right"]
    draws = None
    if len(left if docs is None else set(docs)) > 1:
        draws = (
            bootstrap(metric.from_sums, left, resamples=times, seed=seed, docs=docs),
            bootstrap(metric.from_sums, right, resamples=times, seed=seed, docs=docs),
        )
    scores = metric.aggregate(left), metric.aggregate(right)
    p = None if test is None else test.p
    contrast = contrast_scores(name, len(left), scores, p, draws, sampling.confidence or 0.95)
    if test is None:
        return contrast
    return replace(contrast, trials=test.trials, is_floor=test.is_floor)


def correct(contrasts: Sequence[Contrast]) -> list[Contrast]:
    """The contrasts with their p-values corrected for each other."""
    adjusted = holm({place: one.p for place, one in enumerate(contrasts) if one.p is not None})
    return [replace(one, adjusted=adjusted.get(place)) for place, one in enumerate(contrasts)]


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
    them right than the other. `p` is of the exact sign test over these segments, two-sided, and
    `adjusted` corrected for all n-grams of this length that were tested; `None` if fewer than
    six segments differ, which no test could find. `examples` are the numbers of some of them.
    """

    words: tuple[str, ...]
    references: int
    right: tuple[int, int]
    segments: tuple[int, int]
    p: float
    adjusted: float | None = None
    examples: tuple[int, ...] = ()


Sides = tuple[list[Phrase], list[Phrase]]  # of the first system, of the second


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
    """Which words the others have too: of each form the first ones, as many as they have.

    >>> matched("a b a c".split(), "c a".split())
    [True, False, False, True]
    """
    left = Counter(others)
    found = []
    for word in words:
        found.append(left[word] > 0)
        left[word] -= 1
    return found


def contrast_classes(
    segments: Sequence[Segment], sampling: Sampling, docs: Sequence[str] | None = None
) -> list[WordContrast]:
    """The systems' F1 on words of each class; a word's class is that of its tag where it stands."""

    def kinds(sentence: Sentence) -> list[str]:
        return [class_of(tag) for tag in sentence.tags or ()]

    return _by_kind(segments, list(CLASSES), kinds, sampling, docs)


def contrast_frequencies(
    segments: Sequence[Segment], sampling: Sampling, docs: Sequence[str] | None = None
) -> list[WordContrast]:
    """The systems' F1 on words by how often the references have them.

    Words that no reference has are in no bucket.
    """
    counts = Counter(word for *_, references in segments for r in references for word in folded(r))
    names = [bucket_name(FREQUENCIES, place) for place in range(len(FREQUENCIES))]

    def kinds(sentence: Sentence) -> list[str]:
        return [_bucket(counts[word], names) for word in folded(sentence)]

    return _by_kind(segments, names, kinds, sampling, docs)


def _bucket(count: int, names: Sequence[str]) -> str:
    place = sum(count >= start for start in FREQUENCIES)
    return names[place - 1] if place else ""


def bucket_name(starts: Sequence[int], place: int) -> str:
    """What a bucket holds, from where it starts to where the next one does.

    >>> [bucket_name([1, 2, 10], place) for place in range(3)]
    ['1', '2-9', '10+']
    """
    if place + 1 == len(starts):
        return f"{starts[place]}+"
    first, last = starts[place], starts[place + 1] - 1
    return str(first) if first == last else f"{first}-{last}"


def _by_kind(
    segments: Sequence[Segment],
    names: Sequence[str],
    kinds: Callable[[Sentence], list[str]],
    sampling: Sampling,
    docs: Sequence[str] | None,
) -> list[WordContrast]:
    counts = _counts(segments, {name: place for place, name in enumerate(names)}, kinds)
    there = np.flatnonzero(counts[:, :, 0, 1].sum(axis=0) > 0)
    if not len(there):
        return []
    names, counts = [names[int(place)] for place in there], counts[:, there]
    sums = counts.sum(axis=0)
    units = sum_documents(counts.reshape(len(counts), -1), docs).reshape(-1, *sums.shape)
    scores, draws, chance = _f1(sums), _drawn(units, sampling), _swapped(units, sampling)
    contrasts = [
        contrast_scores(
            name,
            int((counts[:, place, 0, 1] > 0).sum()),
            _both(scores[place]),
            p_value(chance[:, place], scores[place, 0] - scores[place, 1]),
            (draws[:, place, 0], draws[:, place, 1]) if len(units) > 1 else None,
            sampling.confidence or 0.95,
        )
        for place, name in enumerate(names)
    ]
    gaps = np.abs(counts[:, :, 0, 0] - counts[:, :, 1, 0])
    return [
        WordContrast(
            contrast,
            int(mine[0, 1]),
            _both(ratio(*mine.T[:2])),
            _both(ratio(*mine.T[2:])),
            tuple(n for n in np.argsort(-gap, kind="stable")[:EXAMPLES].tolist() if gap[n]),
        )
        for contrast, mine, gap in zip(correct(contrasts), sums, gaps.T, strict=True)
    ]


def _drawn(units: Array, sampling: Sampling) -> Array:
    """F1 by kind and system on resamples of segments or documents."""
    blocks = Resamples(len(units), sampling.resamples, sampling.seed)
    return np.concatenate([_f1(_weighted(times, units)) for times in blocks])


def _swapped(units: Array, sampling: Sampling) -> Array:
    """Differences of F1 by kind when the systems' segments are exchanged at random."""
    gaps, sums = units[:, :, ::-1] - units, units.sum(axis=0)
    differences = []
    for trials in swaps(sampling.resamples, len(units), sampling.seed):
        scores = _f1(sums + _weighted(trials, gaps))
        differences.append(scores[..., 0] - scores[..., 1])
    return np.concatenate(differences)


def _weighted(times: NDArray[Any], units: Array) -> Array:
    """Sums of the units' counts, each as often as it was sampled."""
    flat = units.reshape(len(units), -1)
    return np.asarray((times.astype(np.float64) @ flat).reshape(-1, *units.shape[1:]))


def _both(values: Array) -> tuple[float, float]:
    return float(values[0]), float(values[1])


def ratio(part: Array, whole: Array) -> Array:
    """Parts of wholes, 0 where there is nothing."""
    return np.divide(part, whole, out=np.zeros_like(part), where=whole > 0)


def _f1(counts: Array) -> Array:
    """F1 of counts whose last axis is: words recalled, words of the references, words that are
    right, words of the system.
    """
    recall = ratio(counts[..., 0], counts[..., 1])
    precision = ratio(counts[..., 2], counts[..., 3])
    return ratio(2 * recall * precision, recall + precision)


def _counts(
    segments: Sequence[Segment], places: dict[str, int], kinds: Callable[[Sentence], list[str]]
) -> Array:
    """The counts of `_f1` for each segment, kind of words and system."""
    counts = np.zeros((len(segments), len(places), 2, 4))
    for number, (one, other, references) in enumerate(segments):
        for side, hypothesis in enumerate((one, other)):
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
    with the clearest sign test come first, then those with the largest difference.
    """
    return {length: _phrases(segments, length, shown) for length in range(1, LONGEST + 1)}


def _phrases(segments: Sequence[Segment], length: int, shown: int) -> Sides:
    right: Counter[tuple[int, tuple[str, ...]]] = Counter()
    more: Counter[tuple[int, tuple[str, ...]]] = Counter()
    needed: Counter[tuple[str, ...]] = Counter()
    seen: dict[tuple[str, ...], list[int]] = {}
    for number, (one, other, references) in enumerate(segments):
        most: Counter[tuple[str, ...]] = Counter()
        for reference in references:
            most |= _ngrams(reference, length)
        needed += most
        mine, theirs = (_ngrams(hypothesis, length) & most for hypothesis in (one, other))
        for side, hits, others in ((0, mine, theirs), (1, theirs, mine)):
            for words, times in hits.items():
                right[side, words] += times
                if times > others[words]:
                    more[side, words] += 1
                    seen.setdefault(words, []).append(number)
    found = [
        replace(
            _phrase(
                words,
                needed[words],
                [right[side, words] for side in (0, 1)],
                [more[side, words] for side in (0, 1)],
            ),
            examples=tuple(numbers[:EXAMPLES]),
        )
        for words, numbers in seen.items()
    ]
    return _ordered(_tested(found), 0, shown), _ordered(_tested(found), 1, shown)


def _ngrams(sentence: Sentence, length: int) -> Counter[tuple[str, ...]]:
    words = folded(sentence)
    return Counter(zip(*(words[start:] for start in range(length)), strict=False))


def _phrase(
    words: tuple[str, ...], references: int, right: Sequence[int], more: Sequence[int]
) -> Phrase:
    p = sign_test(min(more), sum(more))
    return Phrase(words, references, (right[0], right[1]), (more[0], more[1]), p)


@lru_cache(maxsize=4096)
def sign_test(fewer: int, all_of_them: int) -> float:
    """The two-sided exact sign test: the probability of a split at least as uneven.

    >>> sign_test(0, 6)
    0.03125
    """
    if all_of_them > LARGE:
        return min(1.0, 2 * binomial_cdf(fewer, all_of_them, 0.5))
    tail = sum(math.comb(all_of_them, k) for k in range(fewer + 1))
    return min(1.0, float(2 * tail / 2**all_of_them))


def _tested(found: Sequence[Phrase]) -> list[Phrase]:
    """The phrases; those with enough segments that differ have corrected p-values."""
    adjusted = holm({one.words: one.p for one in found if sum(one.segments) >= FEWEST})
    return [replace(one, adjusted=adjusted.get(one.words)) for one in found]


def _ordered(found: Sequence[Phrase], side: int, shown: int) -> list[Phrase]:
    mine = [one for one in found if one.segments[side] > one.segments[1 - side]]
    mine.sort(key=lambda one: (one.p, -abs(one.right[0] - one.right[1]), one.words))
    return mine[:shown]

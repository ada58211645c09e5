"""Families of statistics about a hypothesis and a reference, the input of a learned combination.

A family is a function from pairs of texts to named columns. Most columns are precision and recall:
of n-grams of words, stems and characters, of classes of words, and of words matched by their
vectors. `docs/combine.md` lists them all.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache, cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from otherwords import _native
from otherwords.errors import UsageError, near
from otherwords.io.arguments import check_flag
from otherwords.metrics.facts import FEATURES as FINDINGS
from otherwords.metrics.facts import comparer, finding_features
from otherwords.metrics.fluency import FluencyModel
from otherwords.metrics.inputs import Segments
from otherwords.metrics.pairs import Pairs, PoolAndPlaces, Reading, read, running
from otherwords.metrics.paraeval_matching import information
from otherwords.metrics.registry import metric, metric_names
from otherwords.models.encoder import SUMMARIES, Encoder
from otherwords.models.multilingual import MultilingualEncoder
from otherwords.models.paraphrase_model import ParaphraseModel
from otherwords.stats.arrays import Array
from otherwords.text.sentence import Text

Columns = dict[str, Array]

WORD_ORDERS, CHARACTER_ORDERS = 4, 6  # longest n-grams, as in BLEU and chrF
NEGATIONS = frozenset(
    "not n't no never without nothing nobody none nor neither cannot nowhere".split()
)
FREQUENT, RARE = 2.8, 4.0  # -log10 relative frequency: function words below, rare words above


class Stemmed(NamedTuple):
    """The stems of all texts in one array, and where each text starts."""

    tokens: NDArray[np.uint32]
    bounds: NDArray[np.int64]

    @property
    def distinct(self) -> Array:
        """Share of distinct stems among all stems of each text; 0 for a text without stems."""
        lengths = np.diff(self.bounds)
        text = np.repeat(np.arange(len(lengths), dtype=np.int64), lengths)
        keys = np.unique(text << 32 | self.tokens) >> 32
        return np.bincount(keys, minlength=len(lengths)) / np.maximum(lengths, 1)


class BothSides:
    """Hypotheses on the left, references on the right; everything is read once.

    `case` keeps the case of words, except in the language model and the encoder.
    """

    def __init__(
        self,
        left: Sequence[Text],
        right: Sequence[Text],
        threads: int = 1,
        *,
        case: bool = False,
    ) -> None:
        self.left, self.right, self.threads = list(left), list(right), threads
        self.case = check_flag("case", case)

    @cached_property
    def read(self) -> PoolAndPlaces:
        """The distinct texts, and the places of either side's texts among them."""
        return read([self.left, self.right], Reading(case=self.case, stem=False))

    @cached_property
    def words(self) -> Pairs:
        """Penn tokens, in lower case unless `case` is set."""
        return Pairs.of_pool(*self.read, Reading(case=self.case, stem=False))

    @cached_property
    def stems(self) -> Pairs:
        return Pairs.of_pool(*self.read, Reading(case=self.case))

    @cached_property
    def segments(self) -> Segments:
        targets: list[tuple[Text, ...]] = [(text,) for text in self.right]
        return Segments(self.left, targets, [None] * len(self.left))

    @cached_property
    def stemmed(self) -> Stemmed:
        """The stems of all distinct texts, without punctuation."""
        tokens = self.stems.tokens
        is_word = _flags(self.stems.words, _native.has_alphanumeric)[tokens]
        return Stemmed(tokens[is_word], running(is_word)[self.stems.bounds])

    @cached_property
    def copies(self) -> NDArray[np.bool_]:
        """Whether each hypothesis has the same words as its reference."""
        return self.words.same

    @property
    def empty(self) -> NDArray[np.bool_]:
        """Whether either text of each pair has no tokens."""
        lengths = np.diff(self.words.bounds)
        return np.asarray((lengths[self.words.left] == 0) | (lengths[self.words.right] == 0))


def word_statistics(texts: BothSides) -> Columns:
    """Precision and recall of word n-grams, in lower case."""
    return _ngrams(texts.words, WORD_ORDERS, texts.threads)


def stem_statistics(texts: BothSides) -> Columns:
    """Precision and recall of n-grams of stems."""
    return _ngrams(texts.stems, WORD_ORDERS, texts.threads)


def character_statistics(texts: BothSides) -> Columns:
    """Precision and recall of character n-grams, in lower case, without spaces (as chrF)."""
    folds = str if texts.case else str.lower
    lines = ["".join(folds(text).split()) for text in texts.words.texts]
    codes = [np.frombuffer(line.encode("utf-32-le"), np.uint32) for line in lines]
    bounds = running(np.array([len(line) for line in codes]))
    every = np.concatenate(codes)
    numbers = np.zeros(int(every.max(initial=0)) + 1, np.uint32)  # by code point
    numbers[every] = 1
    known = np.flatnonzero(numbers)
    numbers[known] = np.arange(len(known))
    letters = [chr(code) for code in known]
    read = texts.words._replace(tokens=numbers[every], bounds=bounds, words=letters)
    return _ngrams(read, CHARACTER_ORDERS, texts.threads)


def class_statistics(texts: BothSides) -> Columns:
    """Precision and recall by class of words, and how many numbers, negations and foreign words
    differ.

    The classes are function words, content words, rare words and punctuation (as in BEER,
    Stanojević & Sima'an 2014), numbers, negations, and words that are not ASCII (names, or words
    left untranslated).
    """
    words = texts.words.words
    counted = _flags(words, _native.has_alphanumeric)
    rarity = information(words) if words else np.empty(0)
    numbers = _flags(
        words, lambda word: not word.isalpha() and any(letter.isdecimal() for letter in word)
    )
    negations = _flags(words, NEGATIONS.__contains__)
    foreign = _flags(words, lambda word: not word.isascii())
    overlaps = {
        name: _class_overlap(texts, members)
        for name, members in (
            ("function", counted & (rarity < FREQUENT)),
            ("content", counted & (rarity >= FREQUENT)),
            ("rare", counted & (rarity >= RARE)),
            ("punctuation", ~counted),
            ("number", numbers),
            ("negation", negations),
            ("foreign", foreign),
        )
    }
    columns = _precision_recall(list(overlaps), np.stack(list(overlaps.values()), axis=1))
    common, mine, theirs = overlaps["number"].T
    columns["number-difference"] = np.log1p(mine + theirs - 2 * common)
    columns["negation-difference"] = np.abs(overlaps["negation"][:, 1] - overlaps["negation"][:, 2])
    columns["foreign-added"] = np.log1p(overlaps["foreign"][:, 1] - overlaps["foreign"][:, 0])
    return columns


@cache
def _model() -> ParaphraseModel:
    return ParaphraseModel.load()


def fluency_statistics(texts: BothSides) -> Columns:
    """Fluency of both sides, and their differences.

    log10 probability per word (PEM §4.4); unknown words, as a share and as the number in excess of
    the reference; and the log odds of an intact sentence (`metrics.fluency`).
    """
    pairs, lm = texts.words, _model().language_model
    if lm is None:
        raise UsageError("the embedded paraphrase model has no language model")
    lines: Any = [text.split() for text in pairs.texts] if pairs.tokenized else pairs.texts
    scores = lm.scores(lines, threads=texts.threads)
    unknown = np.asarray(scores.unknown, np.float64)
    log10 = (scores.log10 - np.log10(max(lm.sizes[0], 1)) * unknown) / (scores.tokens + 1)
    share = unknown / np.maximum(scores.tokens, 1)
    left, right = pairs.left, pairs.right
    tokenizer = "none" if pairs.tokenized else "penn"
    odds = FluencyModel.open().ngram_logits(pairs.texts, tokenizer=tokenizer, threads=texts.threads)
    return {
        "hypothesis": log10[left],
        "reference": log10[right],
        "gain": log10[left] - log10[right],
        "unknown": share[left],
        "unknown-gain": share[left] - share[right],
        "unknown-added": np.log1p(np.maximum(unknown[left] - unknown[right], 0)),
        "intact": odds[left],
        "intact-gain": odds[left] - odds[right],
    }


def length_statistics(texts: BothSides) -> Columns:
    """Log ratios of the lengths in words and in characters, the reference's length (long sentences
    are translated worse), and repetition of words.
    """
    pairs = texts.words
    words = np.log(np.diff(pairs.bounds) + 1.0)
    characters = np.log([len(text) + 1.0 for text in pairs.texts])
    distinct = texts.stemmed.distinct
    left, right = pairs.left, pairs.right
    ratio, by_character = words[left] - words[right], characters[left] - characters[right]
    return {
        "ratio": ratio,
        "difference": np.abs(ratio),
        "excess": np.maximum(ratio, 0),
        "character-ratio": by_character,
        "character-difference": np.abs(by_character),
        "reference": words[right],
        "repetition": distinct[right] - distinct[left],
    }


def order_statistics(texts: BothSides) -> Columns:
    """Order of the common stems: fragmentation into chunks (METEOR), pairs in the same order
    (Kendall), mean shift, chunks per reference word, longest common subsequence (ROUGE-L).
    """
    pairs, (tokens, bounds) = texts.stems, texts.stemmed
    *rows, common = (
        _native.word_order(tokens, bounds, len(pairs.words), pairs.left, pairs.right, texts.threads)
        .reshape(-1, 5)
        .T
    )
    lengths = np.diff(bounds).astype(np.float64)
    sums = np.column_stack([common, lengths[pairs.left], lengths[pairs.right]])
    names = ("fragmentation", "kendall", "shift", "chunks")
    columns = dict(zip(names, rows, strict=True))
    return columns | _precision_recall(["subsequence"], sums[:, None])


def encoder_statistics(texts: BothSides) -> Columns:
    """Word pieces matched greedily by their states in the embedded encoder (BERTScore): summaries
    of the cosines on both sides, F1 of the means, and the texts' cosine.
    """
    pairs, encoder = texts.words, Encoder.load()
    matched = encoder.match(
        pairs.texts, pairs.left, pairs.right, weights=encoder.rarity, threads=texts.threads
    )
    columns = {"cosine": matched.cosines}
    for side, rows in (("precision", matched.left), ("recall", matched.right)):
        columns |= {f"{side}-{name}": rows[:, k] for k, name in enumerate(SUMMARIES)}
    for name in ("mean", "weighted"):
        precision, recall = columns[f"precision-{name}"], columns[f"recall-{name}"]
        f = 2 * precision * recall / np.maximum(precision + recall, 1e-12)
        columns["f" if name == "mean" else "f-weighted"] = f
    return columns


def finding_statistics(texts: BothSides) -> Columns:
    """The features of the findings about each pair (`metrics.facts`)."""
    rows = finding_features(list(zip(texts.left, texts.right, strict=True)), texts.threads)
    return dict(zip(FINDINGS, rows.T, strict=True))


def multilingual_statistics(texts: BothSides) -> Columns:
    """The cosine of the texts' vectors in the multilingual encoder of the companion package, and
    the distance of the vectors, which separates close texts.
    """
    pairs, encoder = texts.words, MultilingualEncoder.load()
    cosines = encoder.cosines(pairs.texts, pairs.left, pairs.right, threads=texts.threads)
    return {"cosine": cosines, "distance": np.sqrt(np.maximum(1 - cosines, 0.0))}


Family = Callable[[BothSides], Columns]
FAMILIES: Mapping[str, Family] = {
    "words": word_statistics,
    "stems": stem_statistics,
    "characters": character_statistics,
    "classes": class_statistics,
    "fluency": fluency_statistics,
    "length": length_statistics,
    "order": order_statistics,
    "findings": finding_statistics,
    "encoder": encoder_statistics,
}
OPTIONAL: Mapping[str, Family] = {"multilingual": multilingual_statistics}  # need a package more


def resources(families: Sequence[str]) -> dict[str, str]:
    """Digests of the models behind the statistics; a combination works only with these."""
    digests: dict[str, str] = {}
    if "fluency" in families:
        digests["fluency"] = FluencyModel.open().ngrams_digest
    if "findings" in families:
        digests |= comparer().signature
    if "encoder" in families:
        digests["encoder"] = Encoder.load().digest
    if "multilingual" in families:
        digests["multilingual"] = MultilingualEncoder.load().digest
    return digests


def check_families(names: Sequence[str]) -> tuple[str, ...]:
    """Refuse names that are neither families nor metrics, and names given twice."""
    known = [
        *FAMILIES,
        *OPTIONAL,
        *(name for name in metric_names() if name not in ("combine", "otherwords-mt")),
    ]
    for name in names:
        if name not in known:
            raise UsageError(f"unknown statistics '{name}'; {near(str(name), set(known))}")
    if not names or len(set(names)) != len(names):
        raise UsageError("name at least one family of statistics or metric, each once")
    return tuple(names)


def columns_of(texts: BothSides, families: Sequence[str]) -> Columns:
    """All statistics of the families. The statistics of a metric are its score and parts.

    >>> columns = columns_of(BothSides(["a cat sat"], ["the cat sat"]), ["words"])
    >>> [round(float(columns[f"words/{n}-recall"][0]), 2) for n in (1, 2, 3)]
    [0.67, 0.5, 0.0]
    """
    columns: Columns = {}
    for family in families:
        measure = FAMILIES.get(family) or OPTIONAL.get(family)
        own = measure(texts) if measure else _metric_statistics(texts, family)
        columns |= {f"{family}/{name}": values for name, values in own.items()}
    return columns


def _metric_statistics(texts: BothSides, name: str) -> Columns:
    chosen = metric(name, against="references")
    rows = chosen.compute(texts.segments, texts.threads)
    columns = {"score": chosen.segment_scores(rows)}
    for part in chosen.parts:
        columns[part] = rows[:, chosen.columns.index(part)]
    return {part: np.clip(values, -1e6, 1e6) for part, values in columns.items()}


def _ngrams(pairs: Pairs, orders: int, threads: int) -> Columns:
    sums = _native.word_overlap(
        pairs.tokens, pairs.bounds, pairs.words, pairs.left, pairs.right, orders, threads
    ).reshape(-1, orders, 3)
    return _precision_recall(_numbers(orders), sums)


def _class_overlap(texts: BothSides, members: NDArray[np.bool_]) -> Array:
    """Counts of the words of a class for each pair: common, left, right."""
    pairs = texts.words
    is_member = members[pairs.tokens] if len(pairs.tokens) else np.empty(0, bool)
    bounds = running(is_member)[pairs.bounds]
    sums = _native.word_overlap(
        pairs.tokens[is_member], bounds, pairs.words, pairs.left, pairs.right, 1, texts.threads
    )
    return sums.reshape(-1, 3)


def _numbers(size: int) -> list[str]:
    return [str(number) for number in range(1, size + 1)]


def _precision_recall(names: Sequence[str], sums: Array) -> Columns:
    """Columns from sums of the shape [pairs, names, (common, left, right)]."""
    common, left, right = sums[..., 0], sums[..., 1], sums[..., 2]
    precision, recall = _share(common, left, right), _share(common, right, left)
    columns: Columns = {}
    for place, name in enumerate(names):
        columns[f"{name}-precision"] = precision[:, place]
        columns[f"{name}-recall"] = recall[:, place]
    return columns


def _share(common: Array, side: Array, other: Array) -> Array:
    """The common share of a side. An empty side has 1 if the other is empty too, else 0."""
    shares: Array = np.divide(common, side, out=1.0 * (other == 0), where=side > 0)
    return shares


def _flags(words: Sequence[str], holds: Callable[[str], bool]) -> NDArray[np.bool_]:
    return np.array([holds(word) for word in words], bool)

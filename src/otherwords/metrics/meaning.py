"""Whether a paraphrase keeps the meaning of its original, from three witnesses.

The witnesses are pivots (PEM §4.3), sentence and word vectors, and findings span by span
(`metrics.facts`). Their features are weighted, summed, and put through a logistic curve. No weight
is negative, so more contradicted, missing or added content never raises the score. Numbers,
negations and repeated words are also counted in whole texts, because a rewording that leaves few
words in place hides its errors from alignment.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from otherwords import _native
from otherwords.encoders.neural import NeuralEncoder
from otherwords.encoders.static import StaticEncoder
from otherwords.errors import ModelError, UsageError
from otherwords.io.arguments import check_flag
from otherwords.metrics.base import NEURAL_AT_ONCE, Span, Traits, text_of
from otherwords.metrics.facts import FEATURES as FINDINGS
from otherwords.metrics.facts import comparer, finding_features, findings
from otherwords.metrics.inputs import Segments
from otherwords.metrics.pairs import PairMetric, Pairs, Pool, PoolAndPlaces, Reading, f1, read
from otherwords.metrics.pivots import Bags, Pivots, mean_and_spread, pivot_overlap
from otherwords.metrics.registry import register
from otherwords.models import container
from otherwords.models.container import find
from otherwords.models.seen import Seen
from otherwords.stats.arrays import Array, logistic
from otherwords.text.sentence import Text
from otherwords.text.values import NEGATIONS, is_number, values_of

KIND = REGRESSION = "otherwords-rewrite"  # kind of model file, and name of the embedded one
BAGS = Bags(orders=1, edge_threshold=0.0, ngram_threshold=0.0, renormalise=True)
# Features by witness. Findings against a pair are negative: every feature rises with adequacy.
WITNESSES: dict[str, tuple[str, ...]] = {
    "pivots": ("pivot_f1", "pivot_recall"),
    "vectors": ("cosine", "word_recall"),
    "findings": (
        "equivalent",
        "unlinked",
        "contradicted",
        "missing",
        "added",
        "clash",
        "polarity",
        "hole",
        "surplus",
        "doubted",
        "numbers",
        "negations",
        "repeated",
    ),
}
# Faults in the form of a rewording; the weighted sum of meaning leaves them out.
FAULTS = ("contrary", "misspelt", "disorder", "shortened", "one_sided", "decisive")
FEATURES = (*(name for names in WITNESSES.values() for name in names), *FAULTS)
DECISIVE = FEATURES.index("decisive")
# Pivots and vectors must agree, so similarity terms are products of the two.
LIKENESS = ("cosine x pivot_recall", "cosine x pivot_f1", "cosine x word_recall")
TERMS = (*LIKENESS, *WITNESSES["findings"])
DIGITS = 9  # decimals kept in a score; beyond these, results differ between processors
NEURAL_DIGITS = 6  # decimals kept of a neural encoder's numbers
LARGEST = 1e6  # absolute value of any number in a regression
STEEPEST = 30.0  # most that the level may exceed a copy's sum: exp(-30) is a safe divisor
BELOW = 0.499  # strict: the highest score of a wrong pair
DENIALS = NEGATIONS | {"hardly", "rarely", "seldom", "unless"}
_MOST = 2  # negations counted per text: "not ... nor ... nor" denies as "not ... nor" does
_WEAK = 0.5  # weight of a weak contradiction relative to a strong one
_ONE_SIDE = 0.2  # weight of an unpaired number relative to a replaced one
_FEWEST = 5  # common words needed to judge their order
_KEPT = 0.5  # share of the common words' neighbours that a good rewording keeps together
_ONE_SIDED = 0.02  # tolerated share of words only removed or only added
_SHORTER = 0.2  # tolerated share of words lost beyond those replaced


class MeaningFeatures:
    """Measures pairs, with models that are opened once."""

    def __init__(
        self,
        *,
        model: str | Path = "paraphrase",
        encoder: str | Path | None = None,
        tokenizer: str = "penn",
        case: bool = False,
    ) -> None:
        self.reading = Reading(tokenizer, case)
        self.pivots = Pivots(model, None, BAGS, self.reading)
        self.encoder = StaticEncoder.load() if encoder is None else NeuralEncoder.load(encoder)

    @property
    def trained_with(self) -> dict[str, str]:
        """The encoder's weights, as a regression records them; 8 and 32 bits count as one model."""
        return {} if isinstance(self.encoder, StaticEncoder) else {"encoder": self.encoder.weights}

    @property
    def signature(self) -> dict[str, str]:
        facts = comparer().signature
        models = {name: facts[name] for name in ("tagger", "lexicon")}
        return {**self.pivots.signature, "encoder": self.encoder.signature, **models}

    def measure(
        self,
        left: Sequence[Text],
        right: Sequence[Text],
        threads: int = 1,
        pooled: PoolAndPlaces | None = None,
    ) -> Array:
        """One row per pair (paraphrase, original), one column for each of `FEATURES`.

        `pooled` has the same texts if they have been read already.
        """
        pool, places = pooled or read([left, right], self.reading)
        pairs = Pairs.of_pool(pool, places, self.reading)
        columns = {
            **self._pivots(pairs, threads),
            **self._vectors(left, right, threads),
            **self._findings(left, right, threads),
            **_count_differences(pool, *places),
            **_measure_overlap(pairs, threads),
        }
        return np.column_stack([columns[name] for name in FEATURES])

    def _pivots(self, pairs: Pairs, threads: int) -> dict[str, Array]:
        overlaps, counts = pivot_overlap(pairs, self.pivots.tables, self.pivots.bags, threads)
        same = pairs.same
        single = (overlaps[:, :, 0] * counts[:, :, None]).sum(axis=1)
        common, whole = single[:, 0], single[:, 2]
        recall = np.divide(common, whole, out=same.astype(np.float64), where=whole > 0)
        return {
            "pivot_f1": mean_and_spread(f1(overlaps[:, :, 0], same), counts)[0],
            "pivot_recall": np.where(same, 1.0, recall),
        }

    def _vectors(
        self, left: Sequence[Text], right: Sequence[Text], threads: int
    ) -> dict[str, Array]:
        numbers: dict[str, int] = {}
        first, second = (
            np.array([numbers.setdefault(text_of(t), len(numbers)) for t in side], np.int64)
            for side in (left, right)
        )
        texts = list(numbers)
        matched = self.encoder.match(texts, first, second, threads=threads)[:, 1]
        cosine = self.encoder.cosines(texts, first, second, threads=threads)
        if not isinstance(self.encoder, StaticEncoder):
            matched, cosine = np.round(matched, NEURAL_DIGITS), np.round(cosine, NEURAL_DIGITS)
        same = first == second
        return {
            "cosine": np.where(same, 1.0, cosine.clip(0, 1)),
            "word_recall": np.where(same, 1.0, matched.clip(0, 1)),
        }

    def _findings(
        self, left: Sequence[Text], right: Sequence[Text], threads: int
    ) -> dict[str, Array]:
        rows = finding_features(list(zip(left, right, strict=True)), threads)
        features = dict(zip(FINDINGS, rows.T, strict=True))
        clash = features["strong"] + _WEAK * features["weak"]
        facts = np.maximum(features["values"] + features["polarity"], features["strong"])
        sure = facts / np.maximum(features["strong"] + features["weak"], 1.0)
        return {
            "equivalent": features["equivalent"],
            "unlinked": -features["unlinked"],
            "contradicted": -features["contradicted"],
            "missing": -features["missing"],
            "added": -features["added"],
            "clash": -_saturate(clash) * features["same"],
            "polarity": -_saturate(features["polarity"]),
            "hole": -_saturate(features["hole"]),
            "surplus": -_saturate(features["surplus"]),
            "doubted": -_saturate(features["doubted"]),
            "contrary": -features["contradicted"] * features["same"] * sure,
            "misspelt": -features["misspelt"] * features["same"],
            "decisive": -features["decisive"],
        }


def _count_differences(
    pool: Pool, left: NDArray[np.int64], right: NDArray[np.int64]
) -> dict[str, Array]:
    """Differences between whole texts that need no alignment."""
    apart = numbers_apart(pool, left, right)
    denied, again = negations(pool), repetition(pool)
    return {
        "numbers": -_saturate(apart.min(axis=1) + _ONE_SIDE * apart.sum(axis=1)),
        "negations": -(denied[left] != denied[right]).astype(np.float64),
        "repeated": -np.maximum(again[left] - again[right], 0.0),
    }


def _measure_overlap(pairs: Pairs, threads: int) -> dict[str, Array]:
    """Disorder of the common words, words lost beyond those replaced, and how far the difference is
    one-sided (words only removed or only added).
    """
    sums = _native.word_overlap(
        pairs.tokens, pairs.bounds, pairs.words, pairs.left, pairs.right, 2, threads
    )
    (common, left, right), (neighbours, _, _) = sums.reshape(-1, 2, 3).transpose(1, 2, 0)
    apart = np.clip(_KEPT - neighbours / np.maximum(common - 1, 1), 0, None) / _KEPT
    alike = common / np.maximum(np.maximum(left, right), 1)
    lost, new = (1 - common / np.maximum(size, 1) for size in (right, left))
    different = 1 - 2 * common / np.maximum(left + right, 1)
    return {
        "disorder": -np.where(common >= _FEWEST, apart * alike, 0.0),
        "shortened": -np.maximum(lost - new - _SHORTER, 0.0),
        "one_sided": -np.maximum(different - 2 * np.minimum(lost, new) - _ONE_SIDED, 0.0),
    }


def terms_of(features: Array) -> Array:
    """The terms of the weighted sum: one column for each of `TERMS`. A copy has 1s, then 0s.

    >>> terms_of(np.array([[1.0] * 4 + [0.0] * (len(FEATURES) - 4)]))[0, :4].tolist()
    [1.0, 1.0, 1.0, 0.0]
    """
    pivot_f1, pivot_recall, cosine, word_recall = features.T[:4]
    likeness = [np.sqrt(cosine * pivot_recall), cosine * pivot_f1, np.sqrt(cosine * word_recall)]
    return np.column_stack([*likeness, features[:, 4 : -len(FAULTS)]])


def _saturate(counts: Array) -> Array:
    """Map counts to 0 up to nearly 1: each further error adds less."""
    return 1.0 - np.exp(-counts)


def negations(pool: Pool) -> NDArray[np.int64]:
    """Number of negation words in each text, two at most."""
    denies = np.array([word.lower() in DENIALS for word in pool.words], np.int64)
    return np.minimum(_per_text(pool, denies), _MOST)


def repetition(pool: Pool) -> Array:
    """Share of the bigrams in each text that repeat an earlier bigram, or one word twice."""
    sizes = np.diff(pool.bounds)
    pairs = np.maximum(sizes - 1, 0)
    if not len(sizes) or not pairs.any():
        return np.zeros(len(sizes))
    text = np.repeat(np.arange(len(sizes)), pairs)
    ends = np.cumsum(sizes) - 1
    inside = np.ones(len(pool.tokens), bool)
    inside[ends[sizes > 0]] = False
    begin = np.flatnonzero(inside)
    first, second = pool.tokens[begin].astype(np.int64), pool.tokens[begin + 1]
    words = np.array([_native.has_alphanumeric(word) for word in pool.words], bool)
    other = (first != second) | ~words[first]
    text, pair = text[other], (first << 32 | second)[other]
    order = np.lexsort((pair, text))
    text, pair = text[order], pair[order]
    is_new = np.ones(len(text), bool)
    is_new[1:] = (text[1:] != text[:-1]) | (pair[1:] != pair[:-1])
    distinct = np.bincount(text[is_new], minlength=len(sizes))
    share = np.divide(distinct, pairs, out=np.ones(len(sizes)), where=pairs > 0)
    return np.asarray(1.0 - share)


def numbers_apart(
    pool: Pool, left: NDArray[np.int64], right: NDArray[np.int64]
) -> NDArray[np.int64]:
    """For each pair, how many numbers of the left text the right one lacks, and the reverse."""
    counts = np.array([is_number(word) for word in pool.words], bool)
    values = _values(pool, counts)
    having = _per_text(pool, counts.astype(np.int64)) > 0
    lacking = np.zeros((len(left), 2), np.int64)
    for pair in np.flatnonzero(having[left] | having[right]).tolist():
        mine = values.get(int(left[pair]), frozenset())
        theirs = values.get(int(right[pair]), frozenset())
        if mine != theirs:
            lacking[pair] = len(mine - theirs), len(theirs - mine)
    return lacking


def _values(pool: Pool, counts: NDArray[np.bool_]) -> dict[int, frozenset[float | str]]:
    """The numbers in each text that has any. Consecutive words of numbers are read as one run."""
    if not counts.any():
        return {}
    places = np.flatnonzero(counts[pool.tokens])
    texts = np.searchsorted(pool.bounds, places, side="right") - 1
    is_first = np.ones(len(places), bool)
    is_first[1:] = (np.diff(places) > 1) | (np.diff(texts) > 0)
    starts = np.flatnonzero(is_first)
    tokens = pool.tokens[places].tolist()
    known: dict[tuple[int, ...], frozenset[float | str]] = {}
    values: dict[int, frozenset[float | str]] = {}
    ends = [*starts[1:].tolist(), len(places)]
    for text, begin, end in zip(texts[starts].tolist(), starts.tolist(), ends, strict=True):
        run = tuple(tokens[begin:end])
        if run not in known:
            known[run] = values_of([pool.words[token] for token in run])
        values[text] = values[text] | known[run] if text in values else known[run]
    return values


def _per_text(pool: Pool, counts: NDArray[np.int64]) -> NDArray[np.int64]:
    """Sum the counts of words over each text."""
    sums = np.zeros(len(pool.tokens) + 1, np.int64)
    if len(pool.tokens):
        np.cumsum(counts[pool.tokens], out=sums[1:])
    return sums[pool.bounds[1:]] - sums[pool.bounds[:-1]]


@dataclass(frozen=True, kw_only=True)
class MeaningWeights:
    """A trained regression: the weights of `TERMS` and the level of the logistic curve."""

    weights: Array
    level: float
    provenance: Mapping[str, Any]
    digest: str = field(default="", compare=False)
    seen: Seen | None = field(default=None, compare=False)  # what it was trained on

    @classmethod
    def load(cls, name_or_path: str | Path) -> Self:
        """Open a file that `otherwords train rewrite` wrote, or an embedded one by its name."""
        if not isinstance(name_or_path, (str, Path)):
            raise UsageError(f"regression must be a name or a path, not {name_or_path!r}")
        model = container.read(find(name_or_path), KIND)
        try:
            regression = cls(**cls._read(model))
            regression._check()
        except (IndexError, KeyError, TypeError, ValueError) as error:
            raise ModelError(f"{model.path}: the regression is damaged: {error}") from error
        return regression

    @classmethod
    def _read(cls, model: container.Model) -> dict[str, Any]:
        return {
            "weights": model.arrays["weights"].astype(np.float64),
            "level": float(model.arrays["join"][0]),
            "provenance": model.provenance,
            "digest": model.short_digest,
            "seen": Seen.of_arrays(model.arrays),
        }

    def _check(self) -> None:
        if tuple(self.provenance["features"]) != FEATURES:
            raise ValueError("it was trained on other features")
        if not isinstance(self.provenance["model"], str):
            raise TypeError("it does not say which model it was trained with")
        if not isinstance(self.provenance["settings"], dict):
            raise TypeError("its settings are not an object")
        if not isinstance(self.provenance.get("encoder"), str | None):
            raise TypeError("it does not say which encoder it was trained with")
        if self.weights.shape != (len(TERMS),) or not (self.weights >= 0).all():
            raise ValueError("its weights do not fit the features")
        if not (np.abs([*self.weights, self.level]) <= LARGEST).all():  # no NaN either
            raise ValueError("its numbers are out of range")
        if self.level - self.weights[: len(LIKENESS)].sum() > STEEPEST:
            raise ValueError("its level is out of reach, even for a copy")

    def meaning(self, features: Array) -> Array:
        """The meaning kept, 0 to 1, for rows of `FEATURES`; 1 for a copy."""
        top = logistic(self.weights[: len(LIKENESS)].sum() - self.level)
        curve = logistic(terms_of(features) @ self.weights - self.level)
        return np.asarray(np.round(np.minimum(curve / top, 1.0), DIGITS), np.float64)

    def contributions(self, features: Array) -> Array:
        """How much each witness lowers the weighted sum compared with a copy, in log odds.

        The loss in products of pivots and vectors is divided between the two by Shapley values.
        """
        size = len(LIKENESS)
        weights = self.weights

        def likeness(pivots: bool, vectors: bool) -> Array:
            known = features.copy()
            known[:, :2] = known[:, :2] if pivots else 1.0
            known[:, 2:4] = known[:, 2:4] if vectors else 1.0
            return np.asarray(terms_of(known)[:, :size] @ weights[:size])

        copy, both = weights[:size].sum(), likeness(True, True)
        only_pivots, only_vectors = likeness(True, False), likeness(False, True)
        shares = [
            (only_pivots - copy + both - only_vectors) / 2,
            (only_vectors - copy + both - only_pivots) / 2,
            features[:, 4 : -len(FAULTS)] @ weights[size:],
        ]
        return np.round(np.column_stack(shares), DIGITS)

    def require(self, features: MeaningFeatures) -> None:
        """Refuse features that the weights were not trained on."""
        trained, model = self.provenance["model"], features.pivots.model.digest
        if trained != model:
            raise UsageError(
                f"the regression was trained with the paraphrase model {trained}, this one is "
                f"{model}; give that model, or train a regression with `otherwords train rewrite`; "
                "pem.adequacy takes any"
            )
        features.reading.require_trained(self.provenance["settings"])
        encoders = self.provenance.get("encoder"), features.trained_with.get("encoder")
        if encoders[0] != encoders[1]:
            names = [
                f"the encoder {weights[:8]}" if weights else "static vectors"
                for weights in encoders
            ]
            raise UsageError(
                f"the regression was trained with {names[0]}, this is {names[1]}; give that one, "
                "or train a regression for it: `otherwords train rewrite --set encoder=PATH`"
            )


def regression_for(regression: str | Path, encoder: str | Path | None) -> str | Path:
    """The embedded regression that goes with a neural encoder, unless another one is asked for.

    >>> regression_for("otherwords-rewrite", "auto"), regression_for("my.owm", "auto")
    ('otherwords-rewrite-neural', 'my.owm')
    """
    neural = encoder is not None and regression == REGRESSION
    return f"{REGRESSION}-neural" if neural else regression


def rank_strictly(share: Array, wrong: NDArray[np.bool_]) -> Array:
    """Scores with every wrong pair below 0.5 and every other pair at 0.5 or more."""
    return np.where(wrong, BELOW * share, 0.5 + 0.5 * share)


@register
class Meaning(PairMetric):
    """How much of the original's meaning the paraphrase keeps, 0 to 1, and 1 for a copy.

    With `strict` every pair with a decisive finding scores below 0.5, and every other pair 0.5 or
    more. `encoder`, "auto" or a path, takes the vectors of a neural encoder (docs/neural.md).
    `regression` is a file that `otherwords train rewrite` wrote, `model` the paraphrase model that
    it was trained with.
    """

    name = "meaning"
    cost = "fast"
    use = "Whether a rewrite keeps the meaning."
    traits = Traits(low=0.0, high=1.0, against="source", english=True)
    columns = ("meaning", "pivots", "vectors", "findings", "segments")

    def __init__(
        self,
        *,
        regression: str | Path = REGRESSION,
        strict: bool = False,
        encoder: str | Path | None = None,
        model: str | Path = "paraphrase",
        tokenizer: str = "penn",
        case: bool = False,
        **common: Any,
    ) -> None:
        options: dict[str, Any] = {
            "model": model,
            "encoder": encoder,
            "tokenizer": tokenizer,
            "case": case,
        }
        super().__init__(regression=regression, strict=strict, **options, **common)
        self.strict = check_flag("strict", strict)
        self.regression = MeaningWeights.load(regression_for(regression, encoder))
        self.seen = self.regression.seen
        self.features = MeaningFeatures(**options)
        self.regression.require(self.features)
        self.at_once = self.at_once if encoder is None else NEURAL_AT_ONCE

    def signature_parts(self) -> dict[str, str]:
        strict = {"strict": "yes"} if self.strict else {}
        digest = self.regression.digest or "unsaved"
        return {**strict, **self.features.signature, "regression": digest}

    def measure(self, left: Sequence[Text], right: Sequence[Text], threads: int) -> Array:
        """Meaning, and how much each witness lowers it."""
        rows = self.features.measure(left, right, threads)
        meaning = self.regression.meaning(rows)
        if self.strict:
            meaning = rank_strictly(meaning, rows[:, DECISIVE] < 0)
        return np.column_stack([meaning, self.regression.contributions(rows)])

    def matches(self, segments: Segments) -> tuple[tuple[Span, ...], ...]:
        return self.features.pivots.matches(segments)

    def details(self, hypothesis: Text, target: Text) -> dict[str, Any]:
        pivots = self.features.pivots.details(hypothesis, target)
        return {**witnesses(self.features, self.regression, hypothesis, target), **pivots}


def witnesses(
    features: MeaningFeatures, regression: MeaningWeights, hypothesis: Text, target: Text
) -> dict[str, Any]:
    """Details of an explanation: contributions of the witnesses, features and findings."""
    row = features.measure([hypothesis], [target])
    taken = zip(WITNESSES, regression.contributions(row)[0].tolist(), strict=True)
    return {
        "taken away": {name: round(value, 4) for name, value in taken},
        "features": dict(zip(FEATURES, np.round(row[0], 4).tolist(), strict=True)),
        "findings": [[asdict(finding) for finding in findings(hypothesis, target)]],
    }

"""PEM (Liu, Dahlmeier & Ng 2010): the quality of a paraphrase, 1 to 5, without references.

Pivot-language F1 (§4.3), the normalised score of a 4-gram model and target-language F1 (§4.4) are
joined by support vector regression (§4.5). docs/papers/pem.md lists what the paper leaves open.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from math import factorial
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from otherwords import _native
from otherwords.errors import ModelError, UsageError
from otherwords.io.arguments import check_flag, check_whole
from otherwords.metrics.base import Span, Traits
from otherwords.metrics.inputs import Segments
from otherwords.metrics.pairs import PairMetric, Pairs, Reading, word_f1
from otherwords.metrics.pivots import Bags, Pivots
from otherwords.metrics.registry import register
from otherwords.models import container
from otherwords.models.container import Model, load_once
from otherwords.models.paraphrase_model import ParaphraseModel, choose_languages
from otherwords.models.seen import Seen
from otherwords.stats.arrays import Array
from otherwords.text.sentence import Text

KIND = "pem"
LOW, HIGH = 1.0, 5.0  # the scale of the judges (§5.1)
DIGITS = 9  # decimals kept in a score; beyond these, results differ between processors
NGRAMS = 4  # words of the longest English n-grams (§4.4)
LEAST_FLUENCY = -100.0  # log10 of a probability that no model gives
PIVOT = "zh"  # the paper's pivot language

# One feature for each criterion (§4.5).
CRITERIA = {"adequacy": "pivot_f1", "fluency": "fluency", "dissimilarity": "target_f1"}
FEATURES = tuple(CRITERIA.values())


class PemFeatures:
    """The three features of pairs: `pivot_f1`, `fluency`, `target_f1`.

    Defaults are the paper's. The pivot language is Chinese; with your own model, all of its
    languages.

    >>> rows = PemFeatures().measure(["It rained."], ["It rained."])
    >>> rows[0, [0, 2]].tolist()
    [1.0, 1.0]
    """

    OPTIONS = (*Bags.__dataclass_fields__, "languages", "stem", "tokenizer", "case")

    def __init__(
        self,
        *,
        model: str | Path = "paraphrase",
        languages: str | Sequence[str] | None = None,
        tokenizer: str = "penn",
        case: bool = False,
        stem: bool | str = True,
        **bags: Any,
    ) -> None:
        if languages is None and model == "paraphrase":
            languages = PIVOT
        self.pivots = Pivots(model, languages, Bags(**bags), Reading(tokenizer, case, stem))

    def measure(self, left: Sequence[Text], right: Sequence[Text], threads: int = 1) -> Array:
        if self.pivots.model.lm_stem and not self.pivots.reading.stem:
            raise UsageError("the model has a language model of stems; it needs stem=true")
        pairs = Pairs.of(left, right, self.pivots.reading)
        pivot, _ = self.pivots.scores(pairs, threads)
        fluency = log_probability(pairs, self.pivots.model, threads)
        return np.column_stack([pivot, fluency, word_f1(pairs, NGRAMS, threads)[:, -1]])


def log_probability(pairs: Pairs, model: ParaphraseModel, threads: int) -> Array:
    """log10 Pr(S) / length(S) of the left side of each pair (PEM §4.4).

    Its words are those of the model: as they are written, or stems (§6.1).
    The end of the sentence is an event like every word: length counts it, so that an empty
    sentence has a score too. The model gives one probability to all unknown words
    together; a single one gets 1 / V of it, V being the size of the vocabulary.
    """
    lm = model.language_model
    if lm is None:
        raise ModelError(
            f"{model.model.path}: the model has no language model, which fluency needs; "
            "build one with `otherwords build --lm`"
        )
    sentences: Any = pairs.texts
    if model.lm_stem:
        words = np.array(pairs.words, object)[pairs.tokens]
        sentences = [part.tolist() for part in np.split(words, pairs.bounds[1:-1])]
    elif pairs.tokenized:
        sentences = [text.split() for text in pairs.texts]
    scores = lm.scores(sentences, threads=threads)
    unknown = np.log10(max(lm.sizes[0], 1)) * scores.unknown
    normalised = (scores.log10 - unknown) / (scores.tokens + 1)
    return np.asarray(np.maximum(normalised[pairs.left], LEAST_FLUENCY))


@dataclass(frozen=True)
class Regression:
    """Support vector regression with a radial basis function, on standardised features."""

    support: Array  # [vectors, features], standardised
    coefficients: Array
    gamma: float
    bias: float
    center: Array
    scale: Array
    provenance: Mapping[str, Any]
    digest: str = field(default="", compare=False)
    seen: Seen | None = field(default=None, compare=False)  # what it was trained on

    def predict(self, features: Array, threads: int = 1) -> Array:
        """The overall score of each row of features, on the judges' scale."""
        kernel = self.support, self.coefficients, self.gamma, self.bias
        standardised = np.ascontiguousarray((features - self.center) / self.scale)
        raw = _native.predict_rbf(*kernel, standardised, threads)
        return np.clip(np.round(raw, DIGITS), LOW, HIGH)

    def contributions(self, features: Array) -> dict[str, float]:
        """What each criterion adds to the score of an average pair: exact Shapley values.

        `average`, the score of a pair with the mean features of the training data (controls
        included), and the criteria sum to the score.
        """
        names = list(CRITERIA)
        subsets = [set(some) for size in range(4) for some in combinations(names, size)]
        chosen = np.array([[name in some for name in names] for some in subsets])
        points = np.where(chosen, features, self.center)
        values = dict(zip(map(frozenset, subsets), self.predict(points), strict=True))
        shown = {"average": float(values[frozenset()])}
        for name in names:
            others = [some for some in subsets if name not in some]
            shown[name] = sum(
                factorial(len(some))
                * factorial(len(names) - len(some) - 1)
                / factorial(len(names))
                * float(values[frozenset({*some, name})] - values[frozenset(some)])
                for some in others
            )
        return shown

    @classmethod
    def load(cls, name_or_path: str | Path) -> Regression:
        """Open a file that `otherwords train pem` wrote, or an embedded one by its name."""
        return load_once(KIND, name_or_path, cls._of, "regression")

    @classmethod
    def _of(cls, model: Model) -> Regression:
        arrays, made_of = model.arrays, model.provenance
        support = np.ascontiguousarray(arrays["support"], np.float64)
        coefficients = arrays["coefficients"].astype(np.float64)
        gamma, bias = (float(value) for value in arrays["kernel"])
        center, scale = arrays["center"], arrays["scale"]
        if tuple(made_of["features"]) != FEATURES:
            raise ValueError("it was trained on other features")
        if not isinstance(made_of["model"], str) or not isinstance(made_of["settings"], dict):
            raise TypeError("it does not say which model and settings it was trained with")
        shapes = support.shape[1:], center.shape, scale.shape
        if shapes != ((len(FEATURES),),) * 3 or coefficients.shape != support.shape[:1]:
            raise ValueError("its arrays do not fit the features")
        numbers = (support, coefficients, center, scale, np.array(bias))
        finite = all(np.isfinite(array).all() for array in numbers)
        if not finite or not (scale > 0).all() or not 0 < gamma < np.inf:
            raise ValueError("its numbers are out of range")
        seen = Seen.of_arrays(arrays)
        kernel = support, coefficients, gamma, bias
        return cls(*kernel, center, scale, made_of, model.short_digest, seen)

    def save(self, path: str | Path) -> None:
        arrays = {
            "support": self.support.astype(np.float32),
            "coefficients": self.coefficients.astype(np.float32),
            "kernel": np.array([self.gamma, self.bias]),
            "center": self.center,
            "scale": self.scale,
            **(self.seen.arrays if self.seen else {}),
        }
        container.write(path, KIND, arrays, self.provenance)


@register
class PemAdequacy(PairMetric):
    """PEM's adequacy: the F1 of two bags of pivot n-grams (§4.3), the mean over pivot languages.

    `model` is a paraphrase model, `languages` chooses some of its pivots (default: Chinese for the
    embedded model, all for another one). `longest`, `orders`, `edge_threshold`, `ngram_threshold`
    and `renormalise` are those of `Bags`. `stem` may name the Snowball stemmer that a model for
    another language was built with (`build --stem`).
    """

    name = "pem.adequacy"
    cost = "fast"
    use = "PEM's adequacy: F1 of pivot n-grams; takes any pivot model."
    traits = Traits(low=0.0, high=1.0, symmetric=True, against="source", english=True)
    matches_all = True
    columns = ("adequacy", "spread", "segments")
    unset: ClassVar[Mapping[str, Any]] = {"languages": PIVOT}

    def __init__(
        self,
        *,
        model: str | Path = "paraphrase",
        languages: str | Sequence[str] | None = None,
        longest: int = Bags.longest,
        orders: int = Bags.orders,
        edge_threshold: float = Bags.edge_threshold,
        ngram_threshold: float = Bags.ngram_threshold,
        renormalise: bool = Bags.renormalise,
        tokenizer: str = "penn",
        case: bool = False,
        stem: bool | str = True,
        **common: Any,
    ) -> None:
        bags = Bags(longest, orders, edge_threshold, ngram_threshold, renormalise)
        reading = Reading(tokenizer, case, stem)
        options = {"model": model, "languages": languages, **vars(bags), **vars(reading)}
        super().__init__(**options, **common)
        self.pivots = PemFeatures(**options).pivots
        self.traits = replace(self.traits, english=reading.is_english)  # type: ignore[misc]

    def signature_parts(self) -> dict[str, str]:
        return self.pivots.signature

    def measure(self, left: Sequence[Text], right: Sequence[Text], threads: int) -> Array:
        pairs = Pairs.of(left, right, self.pivots.reading)
        return np.column_stack(self.pivots.scores(pairs, threads))

    def matches(self, segments: Segments) -> tuple[tuple[Span, ...], ...]:
        return self.pivots.matches(segments)

    def details(self, hypothesis: Text, target: Text) -> dict[str, Any]:
        return self.pivots.details(hypothesis, target)


@register
class PemFluency(PairMetric):
    """PEM's fluency: the log10 probability per word of the paraphrase by a 4-gram model (§4.4).

    The other text is not used. `model` is a paraphrase model that has a language model.
    """

    name = "pem.fluency"
    cost = "fast"
    use = "PEM's fluency: log10 probability per word."
    traits = Traits(low=LEAST_FLUENCY, high=0.0, against="source", english=True)
    columns = ("fluency", "segments")

    def __init__(
        self,
        *,
        model: str | Path = "paraphrase",
        tokenizer: str = "penn",
        case: bool = False,
        **common: Any,
    ) -> None:
        super().__init__(model=model, tokenizer=tokenizer, case=case, **common)
        self._model = ParaphraseModel.load(model)
        self.reading = Reading(tokenizer, case, stem=self._model.lm_stem)

    def signature_parts(self) -> dict[str, str]:
        parts = self.reading.signature
        return {"case": parts["case"], "tok": parts["tok"], "model": self._model.digest}

    def measure(self, left: Sequence[Text], right: Sequence[Text], threads: int) -> Array:
        pairs = Pairs.of(left, right, self.reading)
        return log_probability(pairs, self._model, threads)[:, None]


@register
class PemDissimilarity(PairMetric):
    """PEM's dissimilarity: 1 - F1 of the sentences' own n-grams of up to `orders` words (§4.4)."""

    name = "pem.dissimilarity"
    cost = "fast"
    use = "PEM's dissimilarity: share of n-grams changed."
    traits = Traits(low=0.0, high=1.0, symmetric=True, against="source", english=True)
    columns = ("dissimilarity", "segments")

    def __init__(
        self,
        *,
        orders: int = NGRAMS,
        tokenizer: str = "penn",
        case: bool = False,
        stem: bool | str = True,
        **common: Any,
    ) -> None:
        super().__init__(orders=orders, tokenizer=tokenizer, case=case, stem=stem, **common)
        self.reading = Reading(tokenizer, case, stem)
        self.traits = replace(self.traits, english=self.reading.is_english)  # type: ignore[misc]
        self.orders = check_whole("orders", orders, 1, 8)

    def signature_parts(self) -> dict[str, str]:
        return {"orders": str(self.orders), **self.reading.signature}

    def measure(self, left: Sequence[Text], right: Sequence[Text], threads: int) -> Array:
        f1 = word_f1(Pairs.of(left, right, self.reading), self.orders, threads)[:, -1]
        return np.maximum(1 - f1, 0.0)[:, None]


@register
class Pem(PairMetric):
    """The overall quality of a paraphrase, 1 to 5 (§4.5).

    `regression` is a file that `otherwords train pem` wrote, or the name of the embedded one; the
    options of its features come with it. `model` is the paraphrase model that it was trained with;
    `languages`, if given, must be those of the regression.
    """

    name = "pem"
    cost = "fast"
    use = "Paraphrases without references, as the paper of 2010 scores them."
    traits = Traits(low=LOW, high=HIGH, against="source", english=True)
    matches_all = True
    columns = ("overall", "adequacy", "fluency", "dissimilarity", "segments")
    retrain = "otherwords train pem"
    parts: ClassVar[dict[str, Traits]] = {
        "adequacy": PemAdequacy.traits,
        "fluency": PemFluency.traits,
        "dissimilarity": PemDissimilarity.traits,
    }
    unset: ClassVar[Mapping[str, Any]] = {"languages": PIVOT}

    def __init__(
        self,
        *,
        regression: str | Path = "pem",
        model: str | Path = "paraphrase",
        languages: str | Sequence[str] | None = None,
        tokenizer: str = "penn",
        case: bool = False,
        **common: Any,
    ) -> None:
        reading: dict[str, Any] = {"tokenizer": tokenizer, "case": check_flag("case", case)}
        super().__init__(
            regression=regression, model=model, languages=languages, **reading, **common
        )
        self.regression = Regression.load(regression)
        self.seen = self.regression.seen
        digest, wanted = ParaphraseModel.load(model).digest, self.regression.provenance["model"]
        if wanted != digest:
            raise UsageError(
                f"the regression was trained with the paraphrase model {wanted}, this one is "
                f"{digest}; give that model, or train a regression with `otherwords train pem`"
            )
        settings = self.regression.provenance["settings"]
        for option, given in reading.items():
            usual = getattr(Reading, option)
            if (trained := settings.get(option, usual)) not in (usual, given):
                raise UsageError(
                    f"the regression was trained with {option}={trained}; give the same here"
                )
        try:
            self.features = PemFeatures(model=model, **{**settings, **reading})
        except (TypeError, UsageError) as error:
            raise ModelError(f"the regression's settings are damaged: {error}") from error
        pivots = self.features.pivots
        if languages is not None:
            chosen = choose_languages(pivots.model, languages)
            if sorted(chosen) != sorted(pivots.languages):
                raise UsageError(
                    f"the regression was trained with languages={','.join(pivots.languages)}; give "
                    "the same here, or train one with `otherwords train pem --set languages=...`"
                )

    def signature_parts(self) -> dict[str, str]:
        digest = self.regression.digest or "unsaved"
        return {**self.features.pivots.signature, "regression": digest}

    def measure(self, left: Sequence[Text], right: Sequence[Text], threads: int) -> Array:
        features = self.features.measure(left, right, threads)
        overall = self.regression.predict(features, threads)
        return np.column_stack([overall, features[:, :2], 1 - features[:, 2]])

    def matches(self, segments: Segments) -> tuple[tuple[Span, ...], ...]:
        return self.features.pivots.matches(segments)

    def details(self, hypothesis: Text, target: Text) -> dict[str, Any]:
        [features] = self.features.measure([hypothesis], [target])
        contributions = self.regression.contributions(features)
        return {"contributions": contributions, **self.features.pivots.details(hypothesis, target)}

"""PEM's three criteria, each as a separate metric: adequacy, fluency, dissimilarity."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np

from otherwords.errors import UsageError
from otherwords.io.arguments import check_flag, check_whole
from otherwords.metrics.base import NEURAL_AT_ONCE, Array, Span, Traits
from otherwords.metrics.facts import findings
from otherwords.metrics.fluency import FluencyModel
from otherwords.metrics.inputs import Segments
from otherwords.metrics.pairs import PairMetric
from otherwords.metrics.pem_adequacy import DECISIVE, FEATURES, WITNESSES, AdequacyFeatures
from otherwords.metrics.pem_features import PAPER, Bags, Pairs, fluency, word_f1
from otherwords.metrics.pem_join import Joint, strictly
from otherwords.metrics.pem_pivots import Pivots
from otherwords.metrics.pem_regression import open_regression, regression_for
from otherwords.metrics.pem_spelling import spelt_alike
from otherwords.metrics.presets import Preset, with_presets
from otherwords.metrics.reading import PoolAndPlaces, Reading, read
from otherwords.metrics.registry import register
from otherwords.models.paraphrase_model import ParaphraseModel
from otherwords.text.sentence import Text

__all__ = [
    "ADEQUACY",
    "ORDERS",
    "WORDS",
    "PemAdequacy",
    "PemDissimilarity",
    "PemFluency",
    "difference",
    "intact",
    "intactness",
    "witnesses",
]

ORDERS = 1  # words of the longest English n-grams
LEAST_FLUENCY = -100.0  # log10 of a probability that no model gives
EVIDENCE = ("all", "pivots")
FLUENCY = ("intact", "words")
WORDS = Traits(low=LEAST_FLUENCY, high=0.0, against="source", english=True)

# PEM §6.1: bags through one pivot, Chinese, or that of a model of one's own; Porter stems.
_OWN = {"languages": "model"}
_PAPER = {**vars(PAPER), "languages": "zh", "evidence": "pivots"}
ADEQUACY = {"paper": Preset(_PAPER, ("model",), _OWN)}


@register
@with_presets(ADEQUACY)
class PemAdequacy(PairMetric):
    """How much of the original's meaning the paraphrase keeps, 0 to 1, and 1 for a copy.

    With `evidence="all"` the regression combines pivots, vectors and findings (docs/pem.md); with
    `strict` every pair with a decisive finding scores below 0.5, and every other pair 0.5 or more.
    With `evidence="pivots"` it is the pivot-language F1 alone (PEM §4.3), of any bags and
    languages: the options of `pem_features.Bags`, and `stem`, which names Snowball's stemmer of
    another language that the model was built for (`build --stem`). `encoder`, "auto" or a path,
    takes the vectors of a neural encoder (docs/neural.md). The default is "all", or "pivots" if a
    model, languages, bags or stems are given. `preset="paper"` uses the paper's bags and Chinese
    only.
    """

    name = "pem-adequacy"
    version = 3
    traits = Traits(low=0.0, high=1.0, against="source", english=True)
    columns: tuple[str, ...] = ("adequacy", "pivots", "vectors", "findings", "segments")

    def __init__(
        self,
        *,
        evidence: str | None = None,
        regression: str | Path = "pem",
        strict: bool = False,
        encoder: str | Path | None = None,
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
        if evidence not in (None, *EVIDENCE):
            raise UsageError(f"evidence must be one of {', '.join(EVIDENCE)}, not {evidence!r}")
        bags = Bags(longest, orders, edge_threshold, ngram_threshold, renormalise)
        reading = Reading(tokenizer, case, stem)
        usual = (bags, model, languages, stem) == (Bags(), "paraphrase", None, True)
        whole = usual or strict or encoder is not None
        options = {**vars(bags), **vars(reading), "evidence": evidence, "regression": regression}
        options |= {"model": model, "languages": languages, "encoder": encoder}
        super().__init__(strict=strict, **options, **common)
        self.strict = check_flag("strict", strict)
        self.pivots = Pivots(model, languages, bags, reading)
        self.joint: Joint | None = None
        if (evidence or ("all" if whole else "pivots")) == "pivots":
            self.columns = ("adequacy", "spread", "segments")
            self.traits = replace(PemAdequacy.traits, symmetric=True)  # type: ignore[misc]
            self.version = 1  # type: ignore[misc]  # of this object: the paper's form
            if strict:
                raise UsageError("strict needs findings: leave it out, or evidence=pivots")
            if encoder is not None:
                raise UsageError("encoder needs vectors: leave it out, or evidence=pivots")
            return
        self.joint = Joint.of_model(open_regression(regression_for(regression, encoder)))
        self.seen = self.joint.seen
        self.joint.require(self.pivots, f"{self.name} with evidence=pivots takes any")
        self.features = AdequacyFeatures(self.pivots, encoder)
        self.joint.require_encoder(self.features.trained_with)
        self.at_once = self.at_once if encoder is None else NEURAL_AT_ONCE

    def signature_parts(self) -> dict[str, str]:
        """Bags, reading, pivots; what else is looked at."""
        if self.joint is None:
            return self.pivots.signature
        strict = {"strict": "yes"} if self.strict else {}
        return {
            **strict,
            **self.pivots.signature,
            **self.features.signature,
            "regression": self.joint.digest or "unsaved",
        }

    def measure(self, left: Sequence[Text], right: Sequence[Text], threads: int) -> Array:
        """Adequacy and what each witness takes from it; of pivots alone mean and spread."""
        if self.joint is None:
            pairs = Pairs.of(left, right, self.pivots.reading)
            return np.column_stack(self.pivots.scores(pairs, threads))
        measured = self.features.of(left, right, threads)
        adequacy = self.joint.adequacy(measured)
        if self.strict:
            adequacy = strictly(adequacy, measured[:, DECISIVE] < 0)
        return np.column_stack([adequacy, self.joint.contributions(measured)])

    def matches(self, segments: Segments) -> tuple[tuple[Span, ...], ...]:
        """Which phrases share translations, for every text that was compared."""
        return self.pivots.matches(segments)

    def details(self, hypothesis: Text, target: Text) -> dict[str, Any]:
        """The features and findings, then for each pivot language what is in common."""
        pivots = self.pivots.details(hypothesis, target)
        if self.joint is None:
            return pivots
        return {**witnesses(self.features, self.joint, hypothesis, target), **pivots}


def witnesses(
    features: AdequacyFeatures, joint: Joint, hypothesis: Text, target: Text
) -> dict[str, Any]:
    """What adequacy rests on: what each witness subtracts, what it saw, findings with spans."""
    row = features.of([hypothesis], [target])
    taken = zip(WITNESSES, joint.contributions(row)[0].tolist(), strict=True)
    return {
        "taken away": {name: round(value, 4) for name, value in taken},
        "features": dict(zip(FEATURES, np.round(row[0], 4).tolist(), strict=True)),
        "findings": [[asdict(finding) for finding in findings(hypothesis, target)]],
    }


@register
@with_presets({"paper": Preset({"by": "words"}, ("model",))})
class PemFluency(PairMetric):
    """How probable it is that the paraphrase is an intact sentence, 0 to 1 (docs/fluency.md); the
    text that it is compared with is not used. With `by="words"` it is the paper's: the log10
    probability per word (PEM §4.4).
    """

    name = "pem-fluency"
    version = 2
    traits = Traits(low=0.0, high=1.0, against="source", english=True)
    columns = ("fluency", "segments")

    def __init__(
        self,
        *,
        by: str = "intact",
        model: str | Path = "paraphrase",
        tokenizer: str = "penn",
        case: bool = False,
        **common: Any,
    ) -> None:
        if by not in FLUENCY:
            raise UsageError(f"by must be one of {', '.join(FLUENCY)}, not {by!r}")
        self.reading = Reading(tokenizer, case, stem=False)
        super().__init__(by=by, model=model, tokenizer=tokenizer, case=case, **common)
        self.by = by
        self._model = ParaphraseModel.load(model)
        if by == "words":
            self.traits = WORDS  # type: ignore[misc]  # of this object, not the class
            self.version = 1  # type: ignore[misc]

    def signature_parts(self) -> dict[str, str]:
        """Reading and models."""
        parts = self.reading.signature
        known = {"case": parts["case"], "tok": parts["tok"], "model": self._model.digest}
        if self.by == "words":
            return known
        return {**known, "fluency": FluencyModel.open(words=self.options["model"]).digest}

    def measure(self, left: Sequence[Text], right: Sequence[Text], threads: int) -> Array:
        """The fluency of the left sides."""
        if self.by == "words":
            mine, _ = fluency(Pairs.of(left, right, self.reading), self._model, threads)
            return np.maximum(mine, LEAST_FLUENCY)[:, None]
        pooled = read([left, right], self.reading)
        odds, _ = intactness(pooled, self.reading, self.options["model"], threads)
        return intact(odds)[:, None]


def intactness(
    pooled: PoolAndPlaces, reading: Reading, model: str | Path, threads: int = 1
) -> tuple[Array, Array]:
    """Log odds that each text of both sides is an intact sentence."""
    pool, (one, other) = pooled
    tokenizer = "none" if pool.tokenized else reading.tokenizer
    fluent = FluencyModel.open(words=model)
    odds = fluent.logits(pool.texts, tokenizer=tokenizer, threads=threads)
    return odds[one], odds[other]


def intact(odds: Array) -> Array:
    """Log odds as probabilities."""
    return np.asarray(1.0 / (1.0 + np.exp(-odds)))


@register
@with_presets({"paper": Preset({"orders": 4, "spelling": False})})
class PemDissimilarity(PairMetric):
    """1 - target-language F1 (PEM §4.4): the share of n-grams of up to `orders` words changed.

    With `spelling` a misspelt word counts as the word of the other text that it stands for.
    """

    name = "pem-dissimilarity"
    version = 2
    traits = Traits(low=0.0, high=1.0, symmetric=True, against="source", english=True)
    columns = ("dissimilarity", "segments")

    def __init__(
        self,
        *,
        orders: int = ORDERS,
        spelling: bool = True,
        tokenizer: str = "penn",
        case: bool = False,
        stem: bool | str = True,
        **common: Any,
    ) -> None:
        self.reading = Reading(tokenizer, case, stem)
        self.orders = check_whole("orders", orders, 1, 8)
        self.spelling = check_flag("spelling", spelling)
        options = {"orders": orders, "spelling": spelling, **vars(self.reading)}
        super().__init__(**options, **common)
        if not self.spelling:
            self.version = 1  # type: ignore[misc]  # of this object: the paper's form

    def signature_parts(self) -> dict[str, str]:
        """Orders and reading."""
        return {"orders": str(self.orders), **self.reading.signature}

    def measure(self, left: Sequence[Text], right: Sequence[Text], threads: int) -> Array:
        """What the two sentences do not share."""
        pooled = read([left, right], self.reading)
        found = difference(
            pooled, self.reading, orders=self.orders, spelling=self.spelling, threads=threads
        )
        return found[:, None]


def difference(
    pooled: PoolAndPlaces,
    reading: Reading,
    *,
    orders: int = ORDERS,
    spelling: bool = True,
    threads: int = 1,
) -> Array:
    """1 - F1 of the n-grams of each pair."""
    pool, places = pooled
    if spelling:
        pool, places = spelt_alike(pool, places)
    pairs = Pairs.of_pool(pool, places, reading)
    return np.maximum(1 - word_f1(pairs, orders, threads)[:, -1], 0.0)

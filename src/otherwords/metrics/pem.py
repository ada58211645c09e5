"""PEM (Liu, Dahlmeier & Ng 2010): the quality of a paraphrase, without references.

Adequacy, fluency and dissimilarity (`metrics.pem_criteria`) are joined into an overall score from
1 to 5 (`metrics.pem_join`). `preset="paper"` is the metric as the paper has it
(`metrics.pem_paper`). `docs/pem.md` describes both.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from otherwords.errors import ModelError, UsageError
from otherwords.io.arguments import check_flag, check_number
from otherwords.io.processes import in_order
from otherwords.metrics.base import NEURAL_AT_ONCE, Array, Span, Traits
from otherwords.metrics.fluency import FluencyModel
from otherwords.metrics.inputs import Segments
from otherwords.metrics.pairs import PairMetric
from otherwords.metrics.pem_adequacy import DECISIVE, AdequacyFeatures
from otherwords.metrics.pem_criteria import (
    WORDS,
    PemAdequacy,
    PemDissimilarity,
    PemFluency,
    difference,
    intact,
    intactness,
    witnesses,
)
from otherwords.metrics.pem_features import PAPER, Bags
from otherwords.metrics.pem_join import Joint, Measured, as_option, strictly
from otherwords.metrics.pem_paper import PaperFeatures
from otherwords.metrics.pem_pivots import Pivots
from otherwords.metrics.pem_regression import (
    HIGH,
    LOW,
    Regression,
    open_regression,
    regression_for,
)
from otherwords.metrics.presets import Preset, with_presets
from otherwords.metrics.reading import Reading, read
from otherwords.metrics.registry import cached, register
from otherwords.models.paraphrase_model import ParaphraseModel
from otherwords.text.sentence import Text

__all__ = [
    "Pem",
    "PemAdequacy",
    "PemDissimilarity",
    "PemFluency",
    "pem",
    "pem_adequacy",
    "pem_dissimilarity",
    "pem_fluency",
]

# What else the paper's metric has is in its regression: three features, bags, stems.
OVERALL = {"paper": Preset({"regression": "pem-paper"}, ("model", "regression"))}


STRETCHES = 4  # of pairs per thread: they do not all take the same time
LEAST_PAIRS = 256  # of a stretch


class PemFeatures:
    """Measures pairs for the join: adequacy's features, fluency, dissimilarity."""

    OPTIONS = ("tokenizer", "case", "encoder")
    names: ClassVar[tuple[str, ...]] = AdequacyFeatures.names

    def __init__(
        self,
        *,
        model: str | Path = "paraphrase",
        encoder: str | Path | None = None,
        tokenizer: str = "penn",
        case: bool = False,
    ) -> None:
        self.model, self.encoder = model, encoder
        self.pivots = Pivots(model, None, Bags(), Reading(tokenizer, case))
        self.adequacy = AdequacyFeatures(self.pivots, encoder)

    def of(self, left: Sequence[Text], right: Sequence[Text], threads: int = 1) -> Measured:
        """What is measured of each pair: paraphrase on the left, original on the right."""
        # Threads take stretches of pairs, so that the work of one in Python is done beside the
        # kernels of another. A neural encoder has threads of its own, and texts that come with
        # their tokens decide how all of them are read.
        size = max(LEAST_PAIRS, -(-len(left) // (STRETCHES * max(threads, 1))))
        whole = threads <= 1 or self.encoder is not None or len(left) <= size
        if whole or {str} != set(map(type, chain(left, right))):
            return self._of(left, right, threads)
        self._of(left[:1], right[:1], 1)  # models are opened by one thread
        parts = in_order(
            lambda begin: self._of(left[begin : begin + size], right[begin : begin + size], 1),
            range(0, len(left), size),
            threads,
        )
        return Measured(*map(np.concatenate, zip(*parts, strict=True)))

    def _of(self, left: Sequence[Text], right: Sequence[Text], threads: int) -> Measured:
        reading = self.pivots.reading
        pooled = read([left, right], reading)
        mine, theirs = intactness(pooled, reading, self.model, threads)
        adequate = self.adequacy.of(left, right, threads, pooled)
        different = difference(pooled, reading, threads=threads)
        return Measured(adequate, intact(mine), mine - theirs, different)


@register
@with_presets(OVERALL)
class Pem(PairMetric):
    """The overall quality of a paraphrase, 1 to 5 (PEM §4.5; `metrics.pem_join` has the form).

    `reward_difference`, 0 to 1, sets how much different words are rewarded: at 0 only meaning
    counts, at 1 a copy gets the lowest score; by default a copy scores about 2. With `strict` every
    pair with a decisive finding scores below 3, and every other pair 3 or more. `interval`, such as
    0.9, adds the ends between which human scores lie with that probability. `regression` is a file
    that `otherwords train pem` wrote, or the name of the embedded one. Bags, languages and stems
    must be those that it was trained with. `encoder`, "auto" or a path, takes the vectors of a
    neural encoder (docs/neural.md). `preset="paper"` is the paper's metric.
    """

    name = "pem"
    version = 3
    traits = Traits(low=LOW, high=HIGH, against="source", english=True)
    columns: tuple[str, ...] = ("overall", "adequacy", "fluency", "dissimilarity", "segments")
    retrain = "otherwords train pem"
    parts: ClassVar[dict[str, Traits]] = {
        "adequacy": PemAdequacy.traits,
        "fluency": PemFluency.traits,
        "dissimilarity": PemDissimilarity.traits,
    }

    def __init__(
        self,
        *,
        regression: str | Path = "pem",
        reward_difference: float | None = None,
        strict: bool = False,
        interval: float | None = None,
        encoder: str | Path | None = None,
        model: str | Path = "paraphrase",
        languages: str | Sequence[str] | None = None,
        longest: int | None = None,
        orders: int | None = None,
        edge_threshold: float | None = None,
        ngram_threshold: float | None = None,
        renormalise: bool | None = None,
        tokenizer: str = "penn",
        case: bool = False,
        stem: bool | str | None = None,
        **common: Any,
    ) -> None:
        given: dict[str, Any] = {
            "languages": languages,
            "longest": longest,
            "orders": orders,
            "edge_threshold": edge_threshold,
            "ngram_threshold": ngram_threshold,
            "renormalise": renormalise,
            "stem": stem,
        }
        joining = {
            "reward_difference": reward_difference,
            "strict": strict,
            "interval": interval,
        }
        reading = {"tokenizer": tokenizer, "case": case}
        options = {"regression": regression, "model": model, **joining, **reading, **given}
        super().__init__(encoder=encoder, **options, **common)
        found = open_regression(regression_for(regression, encoder))
        self.joint: Joint | None = None
        if "support" in found.arrays:
            if reward_difference is not None or strict or interval is not None or encoder:
                raise UsageError(
                    "reward_difference, strict, interval and encoder are not in the paper: leave "
                    "them out, or leave out the preset or the regression of the paper"
                )
            self.regression = Regression.of_model(found)
            self.seen = self.regression.seen
            self._set_paper(model, given, reading, str(regression))
            self.parts = {**self.parts, "fluency": WORDS}  # type: ignore[misc]
            self.version = 1  # type: ignore[misc]  # of this object: the paper's form
            return
        if self.preset is not None:
            raise UsageError(_NO_PAPER.format(regression))
        self.joint = Joint.of_model(found)
        self.seen = self.joint.seen
        self._set_joint(model, given, reading, encoder)
        reward = self.joint.reward if reward_difference is None else reward_difference
        self.reward = check_number("reward_difference", reward, 0, 1)
        self.strict = check_flag("strict", strict)
        self.level = None if interval is None else check_number("interval", interval, 0.01, 0.99)
        if self.level is not None:
            self.columns = (*self.columns[:-1], "low", "high", "segments")
            self.parts = {**self.parts, "low": Pem.traits, "high": Pem.traits}  # type: ignore[misc]

    def _set_joint(
        self,
        model: str | Path,
        given: dict[str, Any],
        reading: dict[str, Any],
        encoder: str | Path | None,
    ) -> None:
        assert self.joint is not None
        chosen = {name: value for name, value in given.items() if value is not None}
        languages = chosen.pop("languages", None)
        stem = chosen.pop("stem", True)
        wanted = Pivots(model, languages, Bags(**chosen), Reading(stem=stem, **reading))
        self.joint.require(wanted, "pem-adequacy with evidence=pivots takes any")
        _require_reading(self.joint.settings, reading)
        self.measures = PemFeatures(model=model, encoder=encoder, **reading)
        self.at_once = self.at_once if encoder is None else NEURAL_AT_ONCE
        self.joint.require_encoder(self.measures.adequacy.trained_with)

    def _set_paper(
        self,
        model: str | Path,
        given: dict[str, Any],
        reading: dict[str, Any],
        regression: str,
    ) -> None:
        digest, wanted = ParaphraseModel.load(model).digest, self.regression.provenance["model"]
        if wanted != digest:
            raise UsageError(
                f"the regression was trained with the paraphrase model {wanted}, this one is "
                f"{digest}; give that model, or train a regression with `otherwords train pem`"
            )
        chosen = {name: value for name, value in given.items() if value is not None}
        _require_reading(self.regression.settings, reading)
        try:
            trained = PaperFeatures(model=model, **self.regression.settings).pivots.settings
        except (TypeError, UsageError) as error:
            raise ModelError(f"the regression's settings are damaged: {error}") from error
        self.paper = PaperFeatures(model=model, **{**trained, **chosen, **reading})
        self._require_its_features(trained, given, str(model))
        pivots = self.paper.pivots
        if self.preset is not None and not (pivots.bags == PAPER and len(pivots.languages) == 1):
            raise UsageError(_NO_PAPER.format(regression))

    def _require_its_features(
        self, trained: dict[str, Any], given: dict[str, Any], model: str
    ) -> None:
        """Numbers learnt from some features mean nothing of others."""
        now = self.paper.pivots.settings
        other = [name for name in given if now[name] != trained[name]]
        if not other:
            return
        had, has = ([f"{name}={as_option(one[name])}" for name in other] for one in (trained, now))
        command = "".join(f" --set {one}" for one in has)
        command += f" --model {model}" if model != "paraphrase" else ""
        raise UsageError(
            f"the regression was trained with {', '.join(had)}, not {', '.join(has)}; leave that "
            f"out, or train a regression for it: `otherwords train pem --preset paper{command} "
            "--jsonl JUDGED.jsonl -o my.pem`, and score with regression=my.pem"
        )

    def signature_parts(self) -> dict[str, str]:
        """All that the criteria depend on, how they are joined, and the regression's hash."""
        if self.joint is None:
            digest = self.regression.digest or "unsaved"
            return {**self.paper.pivots.signature, "regression": digest}
        strict = {"strict": "yes"} if self.strict else {}
        return {
            "reward": f"{self.reward:.12g}",
            **strict,
            **self.measures.pivots.signature,
            **self.measures.adequacy.signature,
            "fluency": FluencyModel.open().digest,
            "regression": self.joint.digest or "unsaved",
        }

    def measure(self, left: Sequence[Text], right: Sequence[Text], threads: int) -> Array:
        """The overall score, then its criteria: adequacy, fluency, dissimilarity."""
        if self.joint is None:
            features = self.paper.of(left, right, threads)
            overall = self.regression.predict(features, threads)
            return np.column_stack([overall, self.paper.criteria(features)])
        measured = self.measures.of(left, right, threads)
        adequacy = self.joint.adequacy(measured.adequacy)
        score = self.joint.score(self.joint.share(measured, self.reward))
        columns = [score, adequacy, measured.fluency, measured.difference]
        if self.level is not None:
            columns += self.joint.interval(score, self.level)
        if self.strict:
            decisive = measured.adequacy[:, DECISIVE] < 0
            for place in (0, *range(4, len(columns))):
                ordered = strictly((columns[place] - LOW) / (HIGH - LOW), decisive)
                columns[place] = LOW + (HIGH - LOW) * ordered
        return np.column_stack(columns)

    def matches(self, segments: Segments) -> tuple[tuple[Span, ...], ...]:
        """Which phrases share translations: what adequacy rests on."""
        return (self.paper if self.joint is None else self.measures).pivots.matches(segments)

    def details(self, hypothesis: Text, target: Text) -> dict[str, Any]:
        """The parts of the score, then what pivots, vectors and findings saw."""
        if self.joint is None:
            [features] = self.paper.of([hypothesis], [target], 1)
            contributions = self.regression.contributions(features)
            pivots = self.paper.pivots.details(hypothesis, target)
            return {"contributions": contributions, **pivots}
        measured = self.measures.of([hypothesis], [target])
        factors = self.joint.factors(measured, self.reward)
        return {
            "factors": {name: round(float(value[0]), 4) for name, value in factors.items()},
            **witnesses(self.measures.adequacy, self.joint, hypothesis, target),
            **self.measures.pivots.details(hypothesis, target),
        }


def _require_reading(settings: dict[str, Any], chosen: dict[str, Any]) -> None:
    """A regression that was trained on text read in its own way must say so."""
    for name, usual in (("tokenizer", Reading.tokenizer), ("case", Reading.case)):
        trained = settings.get(name, usual)
        if trained not in (usual, chosen[name]):
            raise UsageError(
                f"the regression was trained with {name}={trained}; give the same here"
            )


_NO_PAPER = (
    "{} was not trained as the paper trains; make one with `otherwords train pem --preset paper`, "
    "or leave the preset out"
)


def pem(paraphrase: Text, original: Text, **options: Any) -> float:
    """PEM of one paraphrase.

    >>> original = "Nobody knew why the ship had changed its course."
    >>> rewritten = "No one understood why the boat had altered its course."
    >>> 1.5 < pem(original, original) < 2.5 < pem(rewritten, original) < 5
    True
    """
    return _of_pair("pem", paraphrase, original, options)


def pem_adequacy(paraphrase: Text, original: Text, **options: Any) -> float:
    """How much of the original's meaning the paraphrase keeps, 0 to 1.

    >>> pem_adequacy("The ship sank.", "The ship sank.")
    1.0
    >>> pem_adequacy("The ship sank.", "The ship did not sink.") < 0.8
    True
    """
    return _of_pair("pem-adequacy", paraphrase, original, options)


def pem_fluency(paraphrase: Text, **options: Any) -> float:
    """How probable it is that the paraphrase is an intact sentence, 0 to 1.

    >>> pem_fluency("The ship changed its course.") > pem_fluency("Course its the changed ship.")
    True
    """
    return _of_pair("pem-fluency", paraphrase, paraphrase, options)


def pem_dissimilarity(paraphrase: Text, original: Text, **options: Any) -> float:
    """The share of the n-grams that the paraphrase changed, 0 to 1 (PEM §4.4).

    >>> pem_dissimilarity("The ship sank.", "The ship sank.")
    0.0
    """
    return _of_pair("pem-dissimilarity", paraphrase, original, options)


def _of_pair(name: str, paraphrase: Text, original: Text, options: dict[str, Any]) -> float:
    return float(cached(name, options).statistics([paraphrase], sources=[original])[0, 0])

"""PEM (Liu, Dahlmeier & Ng 2010): the quality of a paraphrase, without references.

Adequacy is the F1 of two bags of pivot-language n-grams, fluency a language model's normalised
score, dissimilarity what two bags of English n-grams do not share; a regression joins them into
an overall score from 1 to 5. `docs/pem.md` has the decisions where the paper is silent.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from otherwords import _native
from otherwords.errors import ModelError, UsageError
from otherwords.io.arguments import check_whole
from otherwords.metrics.base import Array, Span, Traits
from otherwords.metrics.inputs import Segments
from otherwords.metrics.pairs import PairMetric
from otherwords.metrics.pem_features import (
    PAPER,
    Bags,
    Pairs,
    f1,
    fluency,
    mean_and_spread,
    pivot_f1,
    pivot_overlap,
    word_f1,
)
from otherwords.metrics.pem_regression import FEATURES, HIGH, LOW, PAPER_FEATURES, Regression
from otherwords.metrics.presets import Preset, with_presets
from otherwords.metrics.reading import Reading, tokens_of
from otherwords.metrics.registry import cached, register
from otherwords.models.pivot_table import PivotTable
from otherwords.phrases.paraphrase_model import choose_languages, open_model
from otherwords.text.sentence import Text

if TYPE_CHECKING:
    from otherwords.metrics.pem_paper import PaperFeatures

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

NGRAMS = 4  # words of the longest English n-grams (PEM §4.4)
LEAST_FLUENCY = -100.0  # log10 of a probability that no model gives

# PEM §6.1: bags through one pivot, Chinese, or that of a model of one's own; Porter stems.
_OWN = {"languages": "model"}
ADEQUACY = {"paper": Preset({**vars(PAPER), "languages": "zh"}, ("model",), _OWN)}
# What else the paper's metric has is in its regression: three features, bags, stems.
OVERALL = {"paper": Preset({"regression": "pem-paper"}, ("model", "regression"))}


@register
@with_presets(ADEQUACY)
class PemAdequacy(PairMetric):
    """Pivot-language F1 (PEM §4.3): the mean over the pivot languages of a paraphrase model.

    The options are those of `pem_features.Bags`; `pem_features.PAPER` has the paper's.
    `languages` chooses some of the model's pivot languages. `stem` names Snowball's stemmer of
    another language that the model was built for (`build --stem`). `preset="paper"` takes the
    paper's bags and Chinese alone.
    """

    name = "pem-adequacy"
    traits = Traits(low=0.0, high=1.0, symmetric=True, against="source", english=True)
    columns = ("adequacy", "spread", "segments")

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
        options = {**vars(bags), **vars(reading)}
        super().__init__(model=model, languages=languages, **options, **common)
        self.bags, self.reading = bags, reading
        self._model = open_model(model)
        self.languages = choose_languages(self._model, languages)

    def signature_parts(self) -> dict[str, str]:
        """Bags, reading, pivots."""
        return {
            **self.bags.signature,
            **self.reading.signature,
            "pivots": "+".join(self.languages),
            "model": self._model.digest,
        }

    @property
    def tables(self) -> dict[str, PivotTable]:
        """The pivot tables in use."""
        return {language: self._model.pivots[language] for language in self.languages}

    def measure(self, left: Sequence[Text], right: Sequence[Text], threads: int) -> Array:
        """Mean and spread of the pivot F1."""
        return np.column_stack(self.pivot_scores(Pairs.of(left, right, self.reading), threads))

    def pivot_scores(self, pairs: Pairs, threads: int) -> tuple[Array, Array]:
        """Mean and spread of the F1 over the pivot languages."""
        return mean_and_spread(*pivot_f1(pairs, self.tables, self.bags, threads))

    def matches(self, segments: Segments) -> tuple[tuple[Span, ...], ...]:
        """Which phrases share translations, for every text that was compared."""
        from otherwords.metrics.pem_matches import pivot_spans

        [hypothesis], [targets] = segments.hypotheses, segments.targets
        return tuple(
            pivot_spans(self.tables, self.bags, self.reading, hypothesis, target)
            for target in targets
        )

    def details(self, hypothesis: Text, target: Text) -> dict[str, Any]:
        """For each pivot language its F1, both segmentations and the n-grams in common."""
        return {
            language: self._in_pivot(table, hypothesis, target)
            for language, table in self.tables.items()
        }

    def _in_pivot(self, table: PivotTable, hypothesis: Text, target: Text) -> dict[str, Any]:
        pairs = Pairs.of([hypothesis], [target], self.reading)
        values, _ = pivot_f1(pairs, {"": table}, self.bags, 1)
        bags = [
            dict(
                _native.pivot_bag(
                    table.native, float(table.total), self.bags.native, self.reading.words(text)
                )
            )
            for text in (hypothesis, target)
        ]
        shared = {gram: min(weight, bags[1].get(gram, 0.0)) for gram, weight in bags[0].items()}
        ordered = sorted(shared.items(), key=lambda item: (-item[1], item[0]))
        return {
            "f1": float(values[0, 0]),
            "hypothesis": self._phrases(table, hypothesis),
            "compared with": self._phrases(table, target),
            "shared": {gram: round(weight, 4) for gram, weight in ordered if weight > 0},
        }

    def _phrases(self, table: PivotTable, text: Text) -> list[str]:
        """The segmentation of a sentence (PEM §4.2)."""
        tokens = tokens_of(text, self.reading.tokenizer)
        segments = _native.pivot_segments(
            table.native, float(table.total), self.bags.native, self.reading.forms(tokens)
        )
        return [" ".join(tokens[begin:end]) for begin, end in segments]


@register
@with_presets({"paper": Preset({}, ("model",))})
class PemFluency(PairMetric):
    """Log10 probability of the paraphrase, per word (PEM §4.4); what it is compared with is
    not looked at.
    """

    name = "pem-fluency"
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
        self.reading = Reading(tokenizer, case, stem=False)
        super().__init__(model=model, tokenizer=tokenizer, case=case, **common)
        self._model = open_model(model)

    def signature_parts(self) -> dict[str, str]:
        """Reading and language model."""
        parts = self.reading.signature
        return {"case": parts["case"], "tok": parts["tok"], "model": self._model.digest}

    def measure(self, left: Sequence[Text], right: Sequence[Text], threads: int) -> Array:
        """The fluency of the left sides."""
        mine, _ = fluency(Pairs.of(left, right, self.reading), self._model, threads)
        return np.maximum(mine, LEAST_FLUENCY)[:, None]


@register
@with_presets({"paper": Preset()})
class PemDissimilarity(PairMetric):
    """1 - target-language F1 (PEM §4.4): the share of n-grams of up to `orders` words changed."""

    name = "pem-dissimilarity"
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
        self.reading = Reading(tokenizer, case, stem)
        self.orders = check_whole("orders", orders, 1, 8)
        super().__init__(orders=orders, **vars(self.reading), **common)

    def signature_parts(self) -> dict[str, str]:
        """Orders and reading."""
        return {"orders": str(self.orders), **self.reading.signature}

    def measure(self, left: Sequence[Text], right: Sequence[Text], threads: int) -> Array:
        """What the two sentences do not share."""
        pairs = Pairs.of(left, right, self.reading)
        return 1 - word_f1(pairs, self.orders, threads)[:, -1:]


@register
@with_presets(OVERALL)
class Pem(PairMetric):
    """The overall quality of a paraphrase, 1 to 5, by regression on its features (PEM §4.5).

    `regression` is a file that `otherwords train pem` wrote, or the name of the embedded one.
    Options that are not given are those the regression was trained with; other bags, languages or
    stems than those are refused. `preset="paper"` is the paper's metric (`metrics.pem_paper`).
    """

    name = "pem"
    traits = Traits(low=LOW, high=HIGH, against="source", english=True)
    columns = ("overall", "adequacy", "fluency", "dissimilarity", "segments")
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
        super().__init__(
            regression=regression,
            model=model,
            tokenizer=tokenizer,
            case=case,
            **given,
            **common,
        )
        self.regression = Regression.load(regression)
        self.seen = self.regression.seen
        self._require_its_model(open_model(model).digest)
        chosen = {name: value for name, value in given.items() if value is not None}
        chosen |= {"tokenizer": tokenizer, "case": case}
        self._require_its_reading(chosen)
        trained = self._trained_settings(model)
        self.features = self._of_form(model=model, **{**trained, **chosen})
        self._require_its_features(trained, given, str(model))
        if self.preset is not None:
            self._require_the_paper(str(regression))

    @property
    def _of_form(self) -> type[PemFeatures] | type[PaperFeatures]:
        """The features that the regression was trained on."""
        if self.regression.features != PAPER_FEATURES:
            return PemFeatures
        from otherwords.metrics.pem_paper import PaperFeatures

        return PaperFeatures

    def _trained_settings(self, model: str | Path) -> dict[str, Any]:
        """The settings of the regression, if features can have such."""
        try:
            return self._of_form(model=model, **self.regression.settings).settings
        except (TypeError, UsageError) as error:
            raise ModelError(f"the regression's settings are damaged: {error}") from error

    def _require_its_model(self, digest: str) -> None:
        wanted = self.regression.provenance["model"]
        if wanted != digest:
            raise UsageError(
                f"the regression was trained with the paraphrase model {wanted}, this one is "
                f"{digest}; give that model, or train a regression with `otherwords train pem`"
            )

    def _require_the_paper(self, regression: str) -> None:
        """A preset stands for the paper, whatever regression it is given."""
        features = self.features
        of_paper = features.names == PAPER_FEATURES and features.adequacy.bags == PAPER
        if not (of_paper and len(features.adequacy.languages) == 1):
            raise UsageError(
                f"{regression} was not trained as the paper trains; make one with "
                "`otherwords train pem --preset paper`, or leave the preset out"
            )

    def _require_its_features(
        self, trained: Mapping[str, Any], given: Mapping[str, Any], model: str
    ) -> None:
        """Numbers learnt from some features mean nothing of others."""
        now = self.features.settings
        other = [name for name in given if now[name] != trained[name]]
        if not other:
            return
        had, has = ([f"{name}={_as_option(one[name])}" for name in other] for one in (trained, now))
        command = "".join(f" --set {one}" for one in has)
        command += f" --model {model}" if model != "paraphrase" else ""
        raise UsageError(
            f"the regression was trained with {', '.join(had)}, not {', '.join(has)}; leave that "
            f"out, or train a regression for it: `otherwords train pem{command} --jsonl "
            "JUDGED.jsonl -o my.pem`, and score with regression=my.pem"
        )

    def _require_its_reading(self, chosen: dict[str, Any]) -> None:
        """A regression that was trained on text read in its own way must say so."""
        for name, usual in (("tokenizer", Reading.tokenizer), ("case", Reading.case)):
            trained = self.regression.settings.get(name, usual)
            if trained not in (usual, chosen[name]):
                raise UsageError(
                    f"the regression was trained with {name}={trained}; give the same here"
                )

    def signature_parts(self) -> dict[str, str]:
        """All of the adequacy's, and the regression's hash."""
        return {
            **self.features.adequacy.signature_parts(),
            "regression": self.regression.digest or "unsaved",
        }

    def measure(self, left: Sequence[Text], right: Sequence[Text], threads: int) -> Array:
        """The overall score, then what people ask for: adequacy, fluency, dissimilarity."""
        features = self.features.of(left, right, threads)
        overall = self.regression.predict(features, threads)
        return np.column_stack([overall, self.features.criteria(features)])

    def matches(self, segments: Segments) -> tuple[tuple[Span, ...], ...]:
        """Which phrases share translations: what adequacy rests on."""
        return self.features.adequacy.matches(segments)

    def details(self, hypothesis: Text, target: Text) -> dict[str, Any]:
        """What each criterion adds to the score of an average pair, then pivot by pivot."""
        features = self.features.of([hypothesis], [target], 1)[0]
        return {
            "contributions": self.regression.contributions(features),
            **self.features.adequacy.details(hypothesis, target),
        }


def _as_option(value: Any) -> str:
    """A setting as the command line takes it.

    >>> _as_option(["fr", "zh"]), _as_option(False), _as_option(0.1)
    ('fr,zh', 'false', '0.1')
    """
    if isinstance(value, bool):
        return str(value).lower()
    return ",".join(value) if isinstance(value, list) else str(value)


class PemFeatures:
    """The features of pairs that PEM's regression sees (`pem_regression.FEATURES`)."""

    OPTIONS = (*vars(Bags()), "languages", "stem", "tokenizer", "case")
    names: ClassVar[tuple[str, ...]] = FEATURES

    def __init__(self, **options: Any) -> None:
        for name in options:
            if name not in (*self.OPTIONS, "model"):
                raise TypeError(f"features have no option '{name}'")
        self.adequacy = PemAdequacy(**options)
        self.model = open_model(options.get("model", "paraphrase"))

    @property
    def settings(self) -> dict[str, Any]:
        """What a regression must remember of them."""
        return {
            **vars(self.adequacy.bags),
            **vars(self.adequacy.reading),
            "languages": self.adequacy.languages,
        }

    def of(self, left: Sequence[Text], right: Sequence[Text], threads: int = 1) -> Array:
        """A row a pair: paraphrase on the left, original on the right."""
        pairs = Pairs.of(left, right, self.adequacy.reading)
        mine, original = fluency(pairs, self.model, threads)
        words = word_f1(pairs, NGRAMS, threads)
        return np.column_stack(
            [
                *self._pivot_features(pairs, threads),
                mine,
                mine - original,
                np.sqrt(1 - words[:, -1]),
                np.sqrt(1 - words[:, 0]),
            ]
        )

    @staticmethod
    def criteria(features: Array) -> Array:
        """Adequacy, fluency and dissimilarity, as the metrics of these names give them."""
        return criteria(features)

    def _pivot_features(self, pairs: Pairs, threads: int) -> tuple[Array, Array, Array]:
        """Mean and spread of the pivot F1, and the mean F1 of pivot bigrams by themselves."""
        bags = self.adequacy.bags
        with_bigrams = replace(bags, orders=max(bags.orders, 2))
        overlaps, counts = pivot_overlap(pairs, self.adequacy.tables, with_bigrams, threads)
        same = pairs.same
        mean, spread = mean_and_spread(f1(overlaps[:, :, : bags.orders].sum(axis=2), same), counts)
        bigrams, _ = mean_and_spread(f1(overlaps[:, :, 1], same), counts)
        return mean, spread, bigrams


def criteria(features: Array) -> Array:
    """Adequacy, fluency and dissimilarity, as the metrics of these names give them."""
    adequacy, fluent, changed = (
        features[:, FEATURES.index(name)] for name in ("pivot_f1", "fluency", "ngram_difference")
    )
    return np.column_stack([adequacy, fluent, changed**2])


def pem(paraphrase: Text, original: Text, **options: Any) -> float:
    """PEM of one paraphrase.

    >>> original = "Nobody knew why the ship had changed its course."
    >>> rewritten = "No one understood why the boat had altered its course."
    >>> 1.5 < pem(original, original) < 2.5 < pem(rewritten, original) < 5
    True
    """
    return _of_pair("pem", paraphrase, original, options)


def pem_adequacy(paraphrase: Text, original: Text, **options: Any) -> float:
    """How much of the original's meaning the paraphrase keeps, 0 to 1 (PEM §4.3).

    >>> pem_adequacy("The ship sank.", "The ship sank.")
    1.0
    """
    return _of_pair("pem-adequacy", paraphrase, original, options)


def pem_fluency(paraphrase: Text, **options: Any) -> float:
    """Log10 probability of the paraphrase, per word (PEM §4.4).

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

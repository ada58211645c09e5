"""Fluency that sees holes: how probable it is that a sentence is intact (docs/fluency.md).

Two language models read every token: the 4-gram of words of the paraphrase model, and a 5-gram of
*units*, in which each word but function words is replaced by its tag. Log probabilities per word,
as they are and relative to the frequency of the words (SLOR, Pauls & Klein 2012), are joined by a
logistic function that was trained to separate sentences from damaged copies of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from otherwords import _native
from otherwords.errors import InputError, ModelError
from otherwords.io.arguments import check_whole
from otherwords.metrics.base import Traits
from otherwords.metrics.pairs import PairMetric, PoolAndPlaces, Reading, read
from otherwords.metrics.registry import register
from otherwords.models import container
from otherwords.models.container import find, open_once
from otherwords.models.language_model import LanguageModel
from otherwords.models.paraphrase_model import ParaphraseModel
from otherwords.stats.arrays import Array, logistic
from otherwords.text.sentence import Text, check_tokenizer
from otherwords.text.tagger import Tagger

KIND = "fluency"
BATCH = 8192  # sentences scored at once, to bound memory
SURPRISING = -2.0  # log10 probability of a unit below which it counts as surprising
MOST = 30.0  # absolute value of a logit
LARGEST = 1e6  # absolute value of a weight or logarithm
_VERBS = ("MD", "VB", "VBD", "VBP", "VBZ")
_NAMES = ("NNP", "NNPS", "CD", "ADD", "FW", "SYM")  # words that no vocabulary can know

# Means over the tokens and the end of a sentence, except `verb`; higher is more fluent.
FEATURES = (
    "unit",  # log10 probability of the unit
    "unit_slor",  # the same minus the log10 probability without context
    "unit_slor_low",  # min(unit_slor, 0)
    "unit_surprise_low",  # the same with Kneser-Ney's unigrams
    "unit_rare",  # minus the share of surprising units
    "word_slor",  # unit_slor for words
    "known",  # minus the share of unknown words that are not names
    "once",  # minus the share of words that repeat the word before
    "verb",  # -1 if no verb can be finite, else 0
)


@dataclass(frozen=True)
class Join:
    """A logistic function of the features. No weight is negative, so that a worse feature never
    raises the score.
    """

    weights: Array
    bias: float

    def logits(self, features: Array) -> Array:
        """Log odds of an intact sentence."""
        sums = np.zeros(len(features))
        for column, weight in zip(features.T, self.weights, strict=True):
            sums += column * weight  # in a fixed order: the same sum on every machine
        return np.clip(sums + self.bias, -MOST, MOST)


class Readers:
    """The models that read a sentence: tagger, model of words, model of units and frequencies."""

    def __init__(
        self, units: LanguageModel, frequencies: NDArray[np.float32], words: LanguageModel
    ) -> None:
        if len(frequencies) != units.sizes[0]:
            raise ValueError(f"{len(frequencies)} frequencies of {units.sizes[0]} units")
        self.units, self.words = units, words
        self.tagger = Tagger.load()
        self.frequencies = frequencies.astype(np.float64)
        names = [*self.tagger.tags, ""]
        self._name = np.array([tag in _NAMES for tag in names])
        self._verb = np.array([tag in _VERBS for tag in names])
        self._letters = np.array([tag[:1].isalpha() for tag in names])

    def features(
        self, sentences: Sequence[str], *, tokenizer: str = "penn", threads: int = 1
    ) -> Array:
        """A row of `FEATURES` for each sentence."""
        parts = [
            self._batch(list(sentences[begin : begin + BATCH]), tokenizer, threads)
            for begin in range(0, len(sentences), BATCH)
        ]
        return np.concatenate(parts) if parts else np.zeros((0, len(FEATURES)))

    def _batch(self, sentences: list[str], tokenizer: str, threads: int) -> Array:
        try:
            scored = _native.score_tokenwise(
                sentences,
                self.tagger.native,
                self.words.native,
                self.units.native,
                tokenizer,
                threads,
            )
        except (TypeError, UnicodeEncodeError) as error:
            raise InputError(f"a sentence is not Unicode text: {error}") from error
        sizes, tags, repeats, words, word, word_alone, units, unit, unit_alone = scored
        starts = np.cumsum(sizes) - sizes

        def mean(values: NDArray[Any]) -> Array:
            return np.asarray(np.add.reduceat(values.astype(np.float64), starts) / sizes)

        unit = unit.astype(np.float64)
        slor = unit - self.frequencies[units]
        surprise = unit - unit_alone
        unknown = words == 0  # `<unk>` stands for V words, but the factor 1/V cancels in the SLOR
        return np.column_stack(
            [
                mean(unit),
                mean(slor),
                mean(np.minimum(slor, 0)),
                mean(np.minimum(surprise, 0)),
                -mean(unit < SURPRISING),
                mean(word.astype(np.float64) - word_alone),
                -mean(unknown & ~self._name[tags]),
                -mean((repeats > 0) & self._letters[tags]),
                np.logical_or.reduceat(self._verb[tags], starts) - 1.0,
            ]
        )


class FluencyModel:
    """The fluency of sentences, 0 to 1, by the embedded model or one of `tools/train_fluency.py`.

    >>> model = FluencyModel.open()
    >>> whole, hole = model.score(["The ship changed its course.", "The ship its course."])
    >>> bool(whole > hole)
    True
    """

    def __init__(self, readers: Readers, join: Join, digest: str = "") -> None:
        self.readers, self.join, self.digest = readers, join, digest

    @classmethod
    def open(
        cls, name_or_path: str | Path = "fluency", *, words: str | Path = "paraphrase"
    ) -> FluencyModel:
        """Open a model by name or path; `words` is the paraphrase model with the model of words.

        All metrics share one copy.
        """
        path, words = find(name_or_path), find(words)
        return open_once((cls, path, words), [path, words], lambda: _open(path, words))

    def logits(
        self, sentences: Sequence[str], *, tokenizer: str = "penn", threads: int = 1
    ) -> Array:
        """Log odds that each sentence is intact. Tokenizer "none" splits at spaces."""
        check_tokenizer(tokenizer)
        threads = check_whole("threads", threads, 1, 1024)
        distinct = dict.fromkeys(sentences)
        features = self.readers.features(list(distinct), tokenizer=tokenizer, threads=threads)
        odds = dict(zip(distinct, self.join.logits(features).tolist(), strict=True))
        return np.array([odds[sentence] for sentence in sentences])

    def score(
        self, sentences: Sequence[str], *, tokenizer: str = "penn", threads: int = 1
    ) -> Array:
        """Probability that each sentence is intact: absolute fluency."""
        return logistic(self.logits(sentences, tokenizer=tokenizer, threads=threads))

    def relative(
        self,
        sentences: Sequence[str],
        originals: Sequence[str],
        *,
        tokenizer: str = "penn",
        threads: int = 1,
    ) -> Array:
        """Fluency relative to an original, 0 to 1; 0.5 means equal. A tweet is compared with a
        tweet, so that casual text is not punished for its style.
        """
        if len(sentences) != len(originals):
            raise InputError(f"{len(sentences)} sentences but {len(originals)} originals")
        both = self.logits([*sentences, *originals], tokenizer=tokenizer, threads=threads)
        return logistic(both[: len(sentences)] - both[len(sentences) :])


@register
class Fluency(PairMetric):
    """The probability that a text is an intact sentence, 0 to 1 (docs/fluency.md).

    The text that it is compared with is not used. `model` is the paraphrase model whose language
    model reads the words.
    """

    name = "fluency"
    cost = "fast"
    use = "How fluent a text is, by language models."
    traits = Traits(low=0.0, high=1.0, against="source", english=True)
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
        self.reading = Reading(tokenizer, case, stem=False)
        self.words = model

    def signature_parts(self) -> dict[str, str]:
        parts = self.reading.signature
        return {
            "case": parts["case"],
            "tok": parts["tok"],
            "model": ParaphraseModel.load(self.words).digest,
            "fluency": FluencyModel.open(words=self.words).digest,
        }

    def measure(self, left: Sequence[Text], right: Sequence[Text], threads: int) -> Array:
        """The fluency of the left sides."""
        pooled = read([left, right], self.reading)
        odds, _ = intactness(pooled, self.reading, self.words, threads)
        return logistic(odds)[:, None]


def intactness(
    pooled: PoolAndPlaces, reading: Reading, model: str | Path, threads: int = 1
) -> tuple[Array, Array]:
    """Log odds that each text is an intact sentence, for the left and the right side."""
    pool, (left, right) = pooled
    tokenizer = "none" if pool.tokenized else reading.tokenizer
    fluent = FluencyModel.open(words=model)
    odds = fluent.logits(pool.texts, tokenizer=tokenizer, threads=threads)
    return odds[left], odds[right]


def write(
    path: Path | str,
    units: LanguageModel,
    frequencies: NDArray[np.float32],
    join: Join,
    provenance: Mapping[str, Any],
) -> None:
    """Write a model file: the arrays of the model of units as `units/...`, then the join."""
    arrays = {f"units/{name}": array for name, array in units.arrays.items()}
    arrays |= {
        "frequencies": frequencies,
        "weights": join.weights.astype(np.float64),
        "bias": np.array([join.bias]),
    }
    container.write(path, KIND, arrays, provenance)


def _open(path: Path, words: Path) -> FluencyModel:
    model = container.read(path, KIND)
    language = ParaphraseModel.load(words).language_model
    if language is None:
        raise ModelError(
            f"{words}: the model has no language model, which fluency needs; build one with --lm"
        )
    try:
        weights = np.array(model.arrays["weights"], np.float64)
        if weights.shape != (len(FEATURES),):
            raise ValueError(f"{weights.size} weights of {len(FEATURES)} features")
        join = Join(weights, float(model.arrays["bias"][0]))
        units = LanguageModel(model.section("units"), tokenizer="none", case=True)
        frequencies = np.array(model.arrays["frequencies"])
        numbers = (*weights, join.bias, *frequencies)
        if not all(abs(number) <= LARGEST for number in numbers):
            raise ValueError("its numbers are out of range")
        readers = Readers(units, frequencies, language)
    except (KeyError, IndexError, TypeError, ValueError, RuntimeError) as error:
        raise ModelError(f"{path}: the fluency model is damaged: {error}") from error
    return FluencyModel(readers, join, model.short_digest)

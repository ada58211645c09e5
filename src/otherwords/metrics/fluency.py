"""Fluency that sees holes: how probable it is that a sentence is intact (docs/fluency.md).

Three models read every token: the 4-gram of words of the paraphrase model, a 5-gram of *units*, in
which each word but function words is replaced by its tag, and the lowest layers of the encoder,
with a small head that sees two neighbouring states at a time. Log probabilities per word, as they
are and relative to the frequency of the words (SLOR, Pauls & Klein 2012), and the answer of the
head are joined by a logistic function that was trained to separate sentences from damaged copies.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
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
from otherwords.models.encoder import Encoder
from otherwords.models.language_model import LanguageModel
from otherwords.models.paraphrase_model import ParaphraseModel
from otherwords.stats.arrays import Array, logistic
from otherwords.text.sentence import Text, check_tokenizer
from otherwords.text.tagger import Tagger

KIND = "fluency"
BATCH = 8192  # sentences whose n-grams are scored at once, to bound memory
TEXTS = 256  # texts whose states are read at once
LAYERS = 3  # of the encoder that are used; higher ones know more about topics and less about words
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


@dataclass(frozen=True)
class Context:
    """The head that reads states of the encoder: is each pair of neighbours as it should be?

    A hidden unit is a weighted sum of two neighbouring states, cut off below 0; its mean and its
    maximum over the text count. States and weights are whole numbers, so that their sums are exact
    in any order, on every machine.
    """

    weights: NDArray[np.int8]  # 2 * width of the encoder, units
    bias: NDArray[np.int32]  # one per unit
    pooled: Array  # weights of the means, then of the maxima, then a constant
    steps: float  # of a code, per 1.0 of a state
    encoder: Encoder

    def logits(self, texts: Sequence[str], threads: int = 1) -> Array:
        """Log odds that each text is intact, by its context alone; a text without words is not."""
        odds = np.full(len(texts), -MOST)
        for begin in range(0, len(texts), TEXTS):
            some = list(texts[begin : begin + TEXTS])
            states = self.encoder.states(some, ends=True, threads=threads)
            read = [place for place, rows in enumerate(states) if len(rows)]
            if read:
                odds[begin + np.array(read)] = self._answer([states[place] for place in read])
        return odds

    def _answer(self, states: Sequence[NDArray[np.float32]]) -> Array:
        sizes = np.array([len(rows) - 1 for rows in states])
        starts = np.cumsum(sizes) - sizes
        codes = quantize(np.concatenate(states), self.steps)
        first = np.arange(sizes.sum()) + np.repeat(np.arange(len(sizes)), sizes)
        upper, lower = np.split(self.weights.astype(np.float32), 2)
        units = (codes @ upper)[first] + (codes @ lower)[first + 1] + self.bias
        units = np.maximum(units.astype(np.float64), 0)
        means = np.add.reduceat(units, starts) / sizes[:, None]
        maxima = np.maximum.reduceat(units, starts)
        sums = np.full(len(states), self.pooled[-1])
        for column, weight in zip([*means.T, *maxima.T], self.pooled[:-1], strict=True):
            sums += column * weight  # in a fixed order
        return sums


def quantize(states: NDArray[np.float32], steps: float) -> NDArray[np.float32]:
    """States as whole numbers of 8 bits."""
    return np.asarray(np.clip(np.rint(states * np.float32(steps)), -127, 127))


class FluencyModel:
    """The fluency of sentences, 0 to 1, by the embedded model or one of `tools/train_fluency.py`.

    `ngrams` joins the features of the two n-gram models only; `joined` has the context besides.

    >>> model = FluencyModel.open()
    >>> whole, hole = model.score(["The ship changed its course.", "The ship its course."])
    >>> bool(whole > hole)
    True
    """

    def __init__(
        self,
        readers: Readers,
        ngrams: Join,
        context: Context,
        joined: Join,
        *,
        digest: str = "",
        ngrams_digest: str = "",
    ) -> None:
        self.readers, self.ngrams, self.context, self.joined = readers, ngrams, context, joined
        self.digest, self.ngrams_digest = digest, ngrams_digest

    @classmethod
    def open(
        cls, name_or_path: str | Path = "fluency", *, words: str | Path = "paraphrase"
    ) -> FluencyModel:
        """Open a model by name or path; `words` is the paraphrase model with the model of words.

        All metrics share one copy.
        """
        path, words = find(name_or_path), find(words)
        files = [path, words, find("encoder")]
        return open_once((cls, path, words), files, lambda: _open(path, words))

    def features(
        self, sentences: Sequence[str], *, tokenizer: str = "penn", threads: int = 1
    ) -> Array:
        """A row for each sentence: `FEATURES`, then the context."""
        ngrams = self.readers.features(sentences, tokenizer=tokenizer, threads=threads)
        return np.column_stack([ngrams, self.context.logits(sentences, threads)])

    def logits(
        self, sentences: Sequence[str], *, tokenizer: str = "penn", threads: int = 1
    ) -> Array:
        """Log odds that each sentence is intact. Tokenizer "none" splits at spaces."""
        return _each(self.features, self.joined, sentences, tokenizer, threads)

    def ngram_logits(
        self, sentences: Sequence[str], *, tokenizer: str = "penn", threads: int = 1
    ) -> Array:
        """The same by the n-gram models only: a feature of `otherwords-mt`."""
        return _each(self.readers.features, self.ngrams, sentences, tokenizer, threads)

    def score(
        self, sentences: Sequence[str], *, tokenizer: str = "penn", threads: int = 1
    ) -> Array:
        """Probability that each sentence is intact: absolute fluency."""
        return logistic(self.logits(sentences, tokenizer=tokenizer, threads=threads))


def _each(
    features: Callable[..., Array],
    join: Join,
    sentences: Sequence[str],
    tokenizer: str,
    threads: int,
) -> Array:
    """Join the features of sentences; one that stands several times is read once."""
    check_tokenizer(tokenizer)
    threads = check_whole("threads", threads, 1, 1024)
    distinct = dict.fromkeys(sentences)
    rows = features(list(distinct), tokenizer=tokenizer, threads=threads)
    odds = dict(zip(distinct, join.logits(rows).tolist(), strict=True))
    return np.array([odds[sentence] for sentence in sentences])


@register
class Fluency(PairMetric):
    """The probability that a text is an intact sentence, 0 to 1 (docs/fluency.md).

    The text that it is compared with is not used. `model` is the paraphrase model whose language
    model reads the words.
    """

    name = "fluency"
    version = 2
    cost = "medium"
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


def write(path: Path | str, model: FluencyModel, provenance: Mapping[str, Any]) -> None:
    """Write a model file: the model of units as `units/...`, the head as `context/...`, the joins.

    `provenance` names the digest of the n-gram models as `ngrams`.
    """
    readers, context = model.readers, model.context
    arrays = {f"units/{name}": array for name, array in readers.units.arrays.items()}
    arrays |= {
        "frequencies": readers.frequencies.astype(np.float32),
        "weights": model.ngrams.weights,
        "bias": np.array([model.ngrams.bias]),
        "context/weights": context.weights,
        "context/bias": context.bias,
        "context/pooled": context.pooled,
        "context/numbers": np.array([context.steps, LAYERS]),
        "joined": np.array([*model.joined.weights, model.joined.bias]),
    }
    container.write(path, KIND, arrays, {**provenance, "encoder": context.encoder.digest})


def _open(path: Path, words: Path) -> FluencyModel:
    model = container.read(path, KIND)
    language = ParaphraseModel.load(words).language_model
    if language is None:
        raise ModelError(
            f"{words}: the model has no language model, which fluency needs; build one with "
            "`otherwords build --lm`"
        )
    try:
        weights = np.array(model.arrays["weights"], np.float64)
        ngrams = Join(weights, float(model.arrays["bias"][0]))
        *both, bias = np.array(model.arrays["joined"], np.float64)
        joined = Join(np.array(both), float(bias))
        for join, size in ((ngrams, len(FEATURES)), (joined, len(FEATURES) + 1)):
            if join.weights.shape != (size,):
                raise ValueError(f"{join.weights.size} weights of {size} features")
        units = LanguageModel(model.section("units"), tokenizer="none", case=True)
        frequencies = np.array(model.arrays["frequencies"])
        context = _open_context(model)
        numbers = (*weights, ngrams.bias, *joined.weights, joined.bias, *frequencies)
        if not all(abs(number) <= LARGEST for number in (*numbers, *context.pooled)):
            raise ValueError("its numbers are out of range")
        readers = Readers(units, frequencies, language)
        ngrams_digest = model.provenance["ngrams"]
    except (KeyError, IndexError, TypeError, ValueError, RuntimeError) as error:
        raise ModelError(f"{path}: the fluency model is damaged: {error}") from error
    return FluencyModel(
        readers,
        ngrams,
        context,
        joined,
        digest=model.short_digest,
        ngrams_digest=str(ngrams_digest),
    )


def _open_context(model: container.Model) -> Context:
    weights, bias = model.arrays["context/weights"], model.arrays["context/bias"]
    pooled = np.array(model.arrays["context/pooled"], np.float64)
    steps, layers = map(float, model.arrays["context/numbers"])
    if not (0 < steps <= LARGEST and 1 <= layers <= LARGEST):
        raise ValueError("its numbers are out of range")
    encoder = Encoder.load(stack="sentence", layers=int(layers))
    if encoder.digest != model.provenance["encoder"]:
        raise ValueError(f"it was trained with another encoder, {model.provenance['encoder']}")
    if weights.dtype != np.int8 or weights.shape != (2 * encoder.width, len(bias)):
        raise ValueError(f"its head has weights of the shape {weights.shape}")
    if bias.dtype != np.int32 or pooled.shape != (2 * len(bias) + 1,):
        raise ValueError("its head does not fit")
    return Context(weights, bias, pooled, steps, encoder)

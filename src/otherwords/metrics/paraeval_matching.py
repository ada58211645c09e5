"""ParaEval's paraphrases, and how the words of a text are matched in others (§3.2, §3.3).

native/core/metrics/paraeval.cpp matches; here are the sources of paraphrases, the options, the
weights of words, and texts as arrays.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from otherwords import _native
from otherwords.errors import InputError, ModelError, UsageError, near
from otherwords.io.arguments import check_number, check_whole
from otherwords.metrics.inputs import Segments
from otherwords.metrics.pairs import PoolAndPlaces, Reading, read, running
from otherwords.models import container
from otherwords.models.container import find
from otherwords.models.paraphrase_files import is_sets, read_sets
from otherwords.models.paraphrase_model import KIND, ParaphraseModel, choose_languages
from otherwords.models.paraphrase_table import ParaphraseTable
from otherwords.stats.arrays import Array
from otherwords.text.stemmer import stem

NONE = "none"  # the table without paraphrases
ONE = 64  # weight 1 in the kernel's integers, where words have weights
MOST_WORDS = 1 << 20  # words per text; the sums of more could overflow the kernel's integers
RAREST = 1e-7  # relative frequency of an unseen word


class ParaphraseSource:
    """A source of paraphrases: phrases that share a pivot translation, or a table of pairs.

    `model` names a paraphrase model (embedded are `surface` and `paraphrase`), a table of pairs in
    any format that `models.paraphrase_table` reads, sets as `pivot --sets` writes them, or `none`.
    `given` says that its words are not stemmed: a user's pairs or sets, or `surface`.
    """

    def __init__(self, model: str | Path, languages: str | Sequence[str] | None) -> None:
        self.model: ParaphraseModel | None = None
        self.pairs: ParaphraseTable | None = None
        self.given = False
        if not isinstance(model, (str, Path)):
            raise UsageError(f"model must be a name or a path, not {model!r}")
        if str(model) == NONE:
            self.languages: list[str] = []
        elif _is_model(model):
            self.model = ParaphraseModel.load(model)
            self.given = not self.model.is_stemmed
            self.languages = choose_languages(self.model, languages)
        elif not Path(model).exists():
            names = f"'surface', '{KIND}', '{NONE}'"
            raise InputError(f"there is no such file; give one, or a name: {names}", path=model)
        elif is_sets(model):
            self.model, self.given = read_sets(model), True
            self.languages = choose_languages(self.model, languages)
        else:
            self.pairs, self.given = ParaphraseTable.load(model), True
            self.languages = []
            if not self.pairs.pairs:
                message = "the table has no pair that can match; 'none' is for words alone"
                raise InputError(message, path=model)
        if languages is not None and self.model is None:
            raise UsageError(f"languages need a model with pivot languages; '{model}' has none")

    @property
    def native(self) -> _native.ParaphraseTable | list[_native.PivotTable]:
        if self.pairs is not None:
            return self.pairs.native
        return [self._pivots[language].native for language in self.languages]

    @property
    def _pivots(self) -> dict[str, Any]:
        return self.model.pivots if self.model is not None else {}

    @cached_property
    def longest(self) -> int:
        return max((self._pivots[name].longest for name in self.languages), default=1)

    def forms(self, words: Sequence[str], *, case: bool = False) -> list[str]:
        """The words as the table has them: stems for pivots, lower case for pairs and sets. If
        case counts, no table has words with capitals.
        """
        return Reading(case=case, stem=self.model is not None and not self.given).forms(words)

    @property
    def signature(self) -> dict[str, str]:
        if self.model is not None:
            what = "sets" if self.given else "model"
            return {"pivots": "+".join(self.languages), what: self.model.digest}
        return {"table": NONE if self.pairs is None else self.pairs.digest}

    def licence(self, left: Sequence[str], right: Sequence[str]) -> str:
        """The shared translation that makes two phrases most likely paraphrases (§3.2)."""
        a, b = (" ".join(self.forms(words)) for words in (left, right))
        best, name = 0.0, ""
        for language in self.languages:
            table = self._pivots[language]
            theirs = {edge.words: edge for edge in table.edges(b)}
            for mine in table.edges(a):
                if (other := theirs.get(mine.words)) is None:
                    continue
                shared = mine.forward * other.backward * other.forward * mine.backward
                if shared > best:
                    best, name = shared, f"{language}: {' '.join(mine.words)}"
        return name


def _is_model(model: str | Path) -> bool:
    """Whether this is a paraphrase model, by its name or its header."""
    try:
        return container.kind_of(find(model)) == KIND
    except ModelError:  # perhaps a file of pairs; ParaphraseTable reports what is wrong with it
        return False


@dataclass(frozen=True)
class Search:
    """Options of the matching.

    Paraphrases need `min_probability`, and `min_length` words on both sides (§4.2). `matching` is
    `exact`, or `greedy`: the longest phrases first, or the most likely matches if these have
    weights. A word of a paraphrase set that matches itself counts against the clip of its `set` or
    of the `word` alone, by `identity` (§3.3).
    """

    min_probability: float = 0.0
    min_length: int = 1
    matching: str = "exact"
    identity: str = "set"

    def __post_init__(self) -> None:
        check_number("min_probability", self.min_probability, 0, 1)
        object.__setattr__(self, "min_length", check_whole("min_length", self.min_length, 1, 16))
        for name, known in (("matching", ("exact", "greedy")), ("identity", ("set", "word"))):
            if (value := getattr(self, name)) not in known:
                raise UsageError(f"unknown {name} '{value}'; {near(str(value), known)}")

    def native(self, *, tiered: bool, power: float) -> _native.ParaEvalOptions:
        return _native.ParaEvalOptions(
            self.min_probability,
            self.min_length,
            self.matching == "exact",
            tiered,
            power,
            self.identity == "set",
        )

    @property
    def signature(self) -> dict[str, str]:
        return {
            "p": f"{self.min_probability:.12g}",
            "length": str(self.min_length),
            "matching": self.matching,
            "identity": self.identity,
        }


@dataclass(frozen=True)
class Weights:
    """Weights of words and matches; with 0 all of them have the same weight.

    A word has the weight (-log10 p)^`words`, where p is the relative frequency of its stem in the
    text behind the embedded pivots. A paraphrase has its probability to the power `matches`.
    """

    words: float = 0.0
    matches: float = 0.0

    def __post_init__(self) -> None:
        check_number("idf", self.words, 0, 2)
        check_number("power", self.matches, 0, 4)

    @property
    def unit(self) -> int:
        """Weight 1 in the kernel's integers."""
        return ONE if self.words or self.matches else 1

    @property
    def signature(self) -> dict[str, str]:
        if self.unit == 1:
            return {}
        parts = {"idf": f"{self.words:.12g}", "power": f"{self.matches:.12g}"}
        return parts | ({"rarity": ParaphraseModel.load().digest} if self.words else {})

    def of(self, words: Sequence[str], *, punctuation: bool) -> NDArray[np.uint32]:
        """The weight of each token; 0 for punctuation unless it counts."""
        counted = np.array([punctuation or _native.has_alphanumeric(word) for word in words], bool)
        if not self.words:
            return counted.astype(np.uint32) * np.uint32(self.unit)
        weights = np.round(self.unit * information(words) ** self.words)
        return np.where(counted, np.maximum(weights, 1), 0).astype(np.uint32)


def information(words: Sequence[str]) -> Array:
    """-log10 of the relative frequency of each word, a mean over the embedded pivots."""
    return _information(tuple(words))


@lru_cache(maxsize=2)  # several statistics of a combination ask for the same words
def _information(words: tuple[str, ...]) -> Array:
    tables = ParaphraseModel.load().pivots.values()
    stems = stem(words)
    shares = [table.counts([stems], 1)[:, 0] / max(table.total_of_length(1), 1) for table in tables]
    return np.asarray(-np.log10(np.maximum(np.mean(shares, axis=0), RAREST)))


class Match(NamedTuple):
    """A match of a span in another text: by a paraphrase of several words (tier 1) or of one word
    (2), or as the word itself (3).
    """

    begin: int
    end: int
    other: int
    other_begin: int
    other_end: int
    tier: int
    probability: float


@dataclass(frozen=True)
class Matching:
    """All settings of a matching. `tiered` matches tier after tier, as for summaries."""

    paraphrases: ParaphraseSource
    search: Search
    weights: Weights
    reading: Reading
    punctuation: bool = False
    tiered: bool = False

    @property
    def signature(self) -> dict[str, str]:
        return {
            **self.search.signature,
            **({"tiers": "one by one"} if self.tiered else {}),
            **self.weights.signature,
            "case": self.reading.signature["case"],
            "tok": self.reading.tokenizer,
            "punct": "kept" if self.punctuation else "no",
            **self.paraphrases.signature,
        }


class Texts:
    """Hypotheses and references as arrays of word numbers, ready to match.

    `texts` has the same texts if they have been read already with `matching.reading`.
    """

    def __init__(
        self, segments: Segments, matching: Matching, texts: PoolAndPlaces | None = None
    ) -> None:
        flat = [target for targets in segments.targets for target in targets]
        pool, (hypotheses, references) = texts or read(
            [segments.hypotheses, flat], matching.reading
        )
        if len(pool.bounds) > 1 and int(np.diff(pool.bounds).max()) > MOST_WORDS:
            raise InputError(f"a text has more than {MOST_WORDS:,} words; split it")
        self.sizes = np.array([len(targets) for targets in segments.targets])
        # Greedy matching takes the first of equal choices. Sorted by their texts, references are
        # matched in the same order however they are given.
        rank = np.empty(len(pool.texts), np.int64)
        rank[sorted(range(len(rank)), key=pool.texts.__getitem__)] = np.arange(len(rank))
        segment = np.repeat(np.arange(len(self.sizes)), self.sizes)
        self._order = np.lexsort((rank[references], segment))
        paraphrases, weights = matching.paraphrases, matching.weights
        counted = weights.of(pool.words, punctuation=matching.punctuation)
        self._unit = np.array([weights.unit, weights.unit, 1.0])
        sums = running(counted[pool.tokens])
        words = np.diff(sums[pool.bounds]) / weights.unit
        self.hypothesis_words: Array = words[hypotheses]
        self.reference_words: Array = words[references]
        self._native = _native.ParaEval(
            paraphrases.native,
            paraphrases.longest,
            matching.search.native(tiered=matching.tiered, power=weights.matches),
            pool.tokens,
            pool.bounds,
            paraphrases.forms(pool.words, case=matching.reading.case),
            counted,
            hypotheses,
            references[self._order],
            running(self.sizes),
        )

    def counts(self, *, precision: bool, recall: bool, threads: int) -> tuple[Array, Array]:
        """For each hypothesis and each reference: words matched, all words, and whether the
        matching is proven optimal. The array that was not asked for is empty.
        """
        mine, theirs = (
            counts.reshape(-1, 3) / self._unit
            for counts in self._native.counts(precision, recall, threads)
        )
        return mine, theirs[np.argsort(self._order)] if recall else theirs

    def matches(self) -> tuple[list[Match], list[list[Match]]]:
        """The matches of the first hypothesis, and of each of its references."""
        mine, theirs = self._native.matches()
        matches = [Match(*span) for span in mine]
        by_reference = [[Match(*span) for span in theirs[k]] for k in np.argsort(self._order)]
        placed = [match._replace(other=int(self._order[match.other])) for match in matches]
        return placed, by_reference

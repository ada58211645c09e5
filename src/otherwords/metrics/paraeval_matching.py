"""ParaEval's matching (Zhou, Lin & Hovy 2006, §3): where paraphrases come from, and which of them
are taken.

The matching itself is native/core/metrics/paraeval.cpp. docs/decisions/paraeval.md has the
decisions where the paper is silent.
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
from otherwords.metrics.base import Array
from otherwords.metrics.inputs import Segments
from otherwords.metrics.pairs import PoolAndPlaces, Reading, read, running
from otherwords.models import container
from otherwords.models.container import find
from otherwords.models.paraphrase_files import is_sets, read_sets
from otherwords.models.paraphrase_model import KIND, ParaphraseModel, choose_languages
from otherwords.models.paraphrase_table import METEOR, ParaphraseTable
from otherwords.text.stemmer import stem

__all__ = ["Found", "Matching", "ParaphraseSource", "Search", "Texts", "Weights", "information"]

NONE = "none"  # the table that has no paraphrases
ONE = 64  # what a word of weight 1 counts in the kernel, where words have weights
MOST_WORDS = 1 << 20  # of a text: the values of more would not fit the kernel's whole numbers
RAREST = 1e-7  # the share of a word that was never seen


class ParaphraseSource:
    """A source of paraphrases: phrases that share a pivot translation, or a table of pairs.

    `table` names a paraphrase model (the embedded one is `paraphrase`), a table of pairs in any
    format that `models.paraphrase_table` reads, sets as `pivot --sets` writes them, `meteor`, or
    `none`. `given` says that the user gave pairs or sets, whose words are not stemmed.
    """

    def __init__(self, table: str | Path, languages: str | Sequence[str] | None) -> None:
        self.model: ParaphraseModel | None = None
        self.pairs: ParaphraseTable | None = None
        self.given = False
        if not isinstance(table, (str, Path)):
            raise UsageError(f"table must be a name or a path, not {table!r}")
        if str(table) == NONE:
            self.languages: list[str] = []
        elif _is_model(table):
            self.model = ParaphraseModel.load(table)
            self.given = not self.model.is_stemmed
            self.languages = choose_languages(self.model, languages)
        elif str(table) != METEOR and not Path(table).exists():
            names = f"'{KIND}', '{METEOR}', '{NONE}'"
            raise InputError(f"there is no such file; give one, or a name: {names}", path=table)
        elif is_sets(table):
            self.model, self.given = read_sets(table), True
            self.languages = choose_languages(self.model, languages)
        else:
            self.pairs, self.given = ParaphraseTable.load(table), True
            self.languages = []
            if not self.pairs.pairs:
                message = "the table has no pair that can match; 'none' is for words alone"
                raise InputError(message, path=table)
        if languages is not None and self.model is None:
            raise UsageError(f"languages need a model with pivot languages; '{table}' has none")

    @property
    def native(self) -> _native.ParaphraseTable | list[_native.PivotTable]:
        """As the kernel takes it."""
        if self.pairs is not None:
            return self.pairs.native
        return [self._pivots[language].native for language in self.languages]

    @property
    def _pivots(self) -> dict[str, Any]:
        return self.model.pivots if self.model is not None else {}

    @cached_property
    def longest(self) -> int:
        """Words of the longest phrase."""
        return max((self._pivots[name].longest for name in self.languages), default=1)

    def forms(self, words: Sequence[str], *, case: bool = False) -> list[str]:
        """What the table knows the words by: pivots know stems, others words in lower case. Where
        case counts, a word with capitals is in neither.
        """
        return Reading(case=case, stem=self.model is not None and not self.given).forms(words)

    @property
    def signature(self) -> dict[str, str]:
        """Which paraphrases."""
        if self.model is not None:
            what = "sets" if self.given else "model"
            return {"pivots": "+".join(self.languages), what: self.model.digest}
        return {"table": NONE if self.pairs is None else self.pairs.digest}

    def licence(self, left: Sequence[str], right: Sequence[str]) -> str:
        """The translation that two phrases share, the one that makes them most alike (§3.2)."""
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


def _is_model(table: str | Path) -> bool:
    """Whether it is a model of pivots, by its name or by its header."""
    try:
        return container.kind_of(find(table)) == KIND
    except ModelError:  # a file of pairs, or what ParaphraseTable has an error for
        return False


@dataclass(frozen=True)
class Search:
    """Which matches are taken.

    Paraphrases of at least `min_probability` and of `min_length` words on both sides (§4.2);
    `matching` is `exact` or `greedy` (the longest phrases first, or the most likely matches where
    they have weights). `identity` says what a word of a paraphrase set that is matched as itself
    is charged to: the `set`, whose phrases are one phrase, or the `word` alone (§3.3).
    """

    min_probability: float = 0.0
    min_length: int = 1
    matching: str = "exact"
    identity: str = "set"

    def __post_init__(self) -> None:
        check_number("min_probability", self.min_probability, 0, 1)
        object.__setattr__(self, "min_length", check_whole("min_length", self.min_length, 1, 16))
        if self.matching not in ("exact", "greedy"):
            hint = near(str(self.matching), ["exact", "greedy"])
            raise UsageError(f"unknown matching '{self.matching}'; {hint}")
        if self.identity not in ("set", "word"):
            hint = near(str(self.identity), ["set", "word"])
            raise UsageError(f"unknown identity '{self.identity}'; {hint}")

    def native(self, *, tiered: bool, power: float) -> _native.ParaEvalOptions:
        """As the kernel takes it."""
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
        """All of it."""
        return {
            "p": f"{self.min_probability:.12g}",
            "length": str(self.min_length),
            "matching": self.matching,
            "identity": self.identity,
        }


@dataclass(frozen=True)
class Weights:
    """What words and matches count; 0 makes all of them count the same.

    A word counts (-log10 p)^`words`, p being the share of its stem in all words of the text that
    the embedded pivots were made from; a paraphrase counts its probability to the power `matches`.
    """

    words: float = 0.0
    matches: float = 0.0

    def __post_init__(self) -> None:
        check_number("idf", self.words, 0, 2)
        check_number("power", self.matches, 0, 4)

    @property
    def unit(self) -> int:
        """What a word of weight 1 is in the kernel's whole numbers."""
        return ONE if self.words or self.matches else 1

    @property
    def signature(self) -> dict[str, str]:
        """Both powers, unless all count the same."""
        if self.unit == 1:
            return {}
        parts = {"idf": f"{self.words:.12g}", "power": f"{self.matches:.12g}"}
        return parts | ({"rarity": ParaphraseModel.load().digest} if self.words else {})

    def of(self, words: Sequence[str], *, punctuation: bool) -> NDArray[np.uint32]:
        """The weight of each word; 0 for what is no word."""
        counted = np.array([punctuation or _native.has_alphanumeric(word) for word in words], bool)
        if not self.words:
            return counted.astype(np.uint32) * np.uint32(self.unit)
        weights = np.round(self.unit * information(words) ** self.words)
        return np.where(counted, np.maximum(weights, 1), 0).astype(np.uint32)


def information(words: Sequence[str]) -> Array:
    """-log10 of the share of each word, the mean over the embedded pivots."""
    return _information(tuple(words))


@lru_cache(maxsize=2)  # several statistics of a combination ask for the same words
def _information(words: tuple[str, ...]) -> Array:
    tables = ParaphraseModel.load().pivots.values()
    stems = stem(words)
    shares = [table.counts([stems], 1)[:, 0] / max(table.total_of_length(1), 1) for table in tables]
    return np.asarray(-np.log10(np.maximum(np.mean(shares, axis=0), RAREST)))


class Found(NamedTuple):
    """A span of words that was found in another text, and how: by a paraphrase of several
    words (tier 1) or of one word (2), or as the word itself (3).
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
    """All that a matching depends on. `tiered` takes tier after tier, as for summaries."""

    paraphrases: ParaphraseSource
    search: Search
    weights: Weights
    reading: Reading
    punctuation: bool = False
    tiered: bool = False

    @property
    def signature(self) -> dict[str, str]:
        """Every part of it."""
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
    """Hypotheses and references as numbers of words, to be looked for in each other.

    `texts` are those of the segments, if they have been read already in the way of the matching.
    """

    def __init__(
        self, segments: Segments, matching: Matching, texts: PoolAndPlaces | None = None
    ) -> None:
        flat = [target for several in segments.targets for target in several]
        pool, (hypotheses, references) = texts or read(
            [segments.hypotheses, flat], matching.reading
        )
        if len(pool.bounds) > 1 and int(np.diff(pool.bounds).max()) > MOST_WORDS:
            raise InputError(f"a text has more than {MOST_WORDS:,} words; split it")
        self.sizes = np.array([len(several) for several in segments.targets])
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
            references,
            running(self.sizes),
        )

    def counts(self, *, precision: bool, recall: bool, threads: int) -> tuple[Array, Array]:
        """For each hypothesis, and for each reference: words found on the other side, all its
        words, whether proven; nothing for the one that is not asked for.
        """
        mine, theirs = self._native.counts(precision, recall, threads)
        return mine.reshape(-1, 3) / self._unit, theirs.reshape(-1, 3) / self._unit

    def found(self) -> tuple[list[Found], list[list[Found]]]:
        """What was found of the first hypothesis, and of each of its references."""
        mine, theirs = self._native.matches()
        return [Found(*one) for one in mine], [[Found(*one) for one in row] for row in theirs]

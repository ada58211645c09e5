"""The model made by `otherwords build`: one pivot table per language, and a language model.

A pivot table maps English phrases to their translations into one pivot language; PEM §4 and
ParaEval §3 look phrases up in it. `models.pivot_packing` packs one from a phrase table, and the
native side (native/core/models/pivot_table.hpp) reads it from a mapped file. The arrays of a pivot
language are named `pivot/<language>/...`, those of the language model `lm/...`. `docs/models.md`
describes the layout and the errors of hashing and rounding.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from otherwords import _native
from otherwords.errors import InputError, ModelError, UsageError, near
from otherwords.io.arguments import check_whole
from otherwords.models import container
from otherwords.models.arrays import check_bounds, check_range, check_utf8, unpack_numbers
from otherwords.models.container import CHECKED_ON_OPENING, Arrays, Loadable
from otherwords.models.language_model import LanguageModel

KIND = "paraphrase"
LONGEST_PHRASE = 16  # words, as in native/core/models/pivot_table.hpp
_VALUES = {True: 16, False: 2}  # bytes of an edge after its pivot phrase: two doubles or two codes


class Edge(NamedTuple):
    """A translation of a phrase: its words, p(f|e) and p(e|f)."""

    words: tuple[str, ...]
    forward: float
    backward: float


class PivotTable:
    """English phrases with their counts and their translations into one pivot language.

    A phrase is its words (stemmed and folded as the table was built) with single spaces
    between them. Lookups never write: any number of threads may share a table.

    >>> from otherwords.models.pivot_packing import pack
    >>> packed = pack(
    ...     phrases=["a car", "an auto", "an auto"], pivots=["une voiture", "une voiture", "auto"],
    ...     counts=[8, 4, 4], forward=[1, 0.5, 0.5], backward=[0.5, 0.5, 1])
    >>> table = PivotTable(packed.arrays)
    >>> table.count("a car"), table.edges("a car")
    (8, [Edge(words=('une', 'voiture'), forward=1.0, backward=0.5)])
    >>> table.paraphrase_probability("an auto", "a car")
    0.25
    >>> table.share_pivot("a car", "an auto"), table.share_pivot("a car", "a tree")
    (True, False)
    """

    def __init__(self, arrays: Arrays) -> None:
        totals = arrays.get("totals")
        if totals is None or totals.ndim != 1 or totals.dtype != np.uint64:
            raise ModelError("pivot table: the totals are missing")
        self._totals = totals
        self.total = int(totals.sum())  # the count of all phrases, pruned phrases included
        try:
            self.native = _native.PivotTable(dict(arrays))
            _check(arrays)
        except ValueError as error:
            raise ModelError(str(error)) from error

    def __len__(self) -> int:
        return len(self.native)

    @property
    def longest(self) -> int:
        return min(max(len(self._totals), 1), LONGEST_PHRASE)

    def total_of_length(self, words: int) -> int:
        """The count of all phrases of this length (N_l of PEM §4), pruned phrases included."""
        return int(self._totals[words - 1]) if 0 < words <= len(self._totals) else 0

    def count(self, phrase: str) -> int:
        """The count of the phrase; 0 if it is not in the table."""
        return int(self.native.count(_check_text(phrase)))

    def edges(self, phrase: str) -> list[Edge]:
        """The translations of a phrase, the most likely first."""
        edges = [Edge(*edge) for edge in self.native.edges(_check_text(phrase))]
        return sorted(edges, key=lambda edge: (-edge.forward, -edge.backward, edge.words))

    def paraphrase_probability(self, source: str, target: str) -> float:
        """p(target|source) = sum over f of p(f|source) p(target|f).

        Bannard & Callison-Burch (2005), eq. 2, over the translations left after pruning.
        """
        return self.native.paraphrase_probability(_check_text(source), _check_text(target))

    def share_pivot(self, a: str, b: str) -> bool:
        """Whether the phrases have a translation in common (ParaEval §3.1)."""
        return self.native.share_pivot(_check_text(a), _check_text(b))

    def counts(
        self, sentences: Sequence[Sequence[str]], longest: int = 4, threads: int = 1
    ) -> NDArray[np.float64]:
        """The counts of all phrases of the sentences, one row per word, sentence after sentence.

        Column l - 1 is the count of the l words that start there; 0 if the sentence ends before, or
        if the phrase is not in the table.
        """
        check_whole("longest", longest, 1, LONGEST_PHRASE)
        check_whole("threads", threads, 1, 4096)
        try:
            flat = self.native.count_phrases([list(words) for words in sentences], longest, threads)
        except UnicodeEncodeError as error:
            raise InputError("a lone surrogate in a word") from error
        return flat.reshape(-1, longest)


def _check_text(text: str) -> str:
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise InputError(f"a lone surrogate at character {error.start + 1}") from error
    return text


def _check(arrays: Arrays) -> None:
    """Refuse numbers out of range or order, which native lookups do not report."""
    edges, entries, words = arrays["edges"], arrays["entries"], arrays["words"]
    if max(array.nbytes for array in arrays.values()) > CHECKED_ON_OPENING:
        return
    bounds = unpack_numbers(arrays["word_bounds"])
    check_bounds("words", bounds, len(words))
    check_utf8(words, bounds)
    check_range("pivot_words", unpack_numbers(arrays["pivot_words"]), len(bounds) - 1)
    firsts = arrays["buckets"].reshape(-1, 2)
    check_bounds("entries", firsts[:, 0], len(entries))
    check_bounds("edges", firsts[:, 1], len(edges))
    ends = np.cumsum(np.append(0, entries[:, -1].astype(np.int64)))
    if not np.array_equal(ends[firsts[:, 0]], firsts[:, 1]):
        raise ValueError("the translations do not fit the phrases")
    values = _VALUES[edges.shape[1] >= _VALUES[True]]
    pivots = unpack_numbers(edges[:, : edges.shape[1] - values])
    check_range("edges", pivots, int(arrays["pivot_starts"][-1]))
    ascending = pivots[1:] > pivots[:-1]
    ascending[ends[(ends > 0) & (ends < len(pivots))] - 1] = True  # another phrase begins
    if not ascending.all():
        raise ValueError("the translations of a phrase are out of order")


class ParaphraseModel(Loadable):
    """An opened paraphrase model; its parts are read on first use."""

    kind = KIND

    @property
    def languages(self) -> list[str]:
        """The pivot languages, by their names in the file."""
        return self.model.sections("pivot")

    @property
    def is_stemmed(self) -> bool:
        """Whether its phrases are stems; those of sets and of `build --stem none` are not."""
        return bool(self.model.provenance.get("stems", True))

    @property
    def lm_stem(self) -> bool | str:
        """The stemmer of the language model's words; False if they are not stemmed."""
        stemmer: str | None = (self.model.provenance.get("lm") or {}).get("stem")
        return stemmer or False

    @cached_property
    def pivots(self) -> dict[str, PivotTable]:
        """The pivot table of each language."""
        tables = {}
        for language in self.languages:
            try:
                tables[language] = PivotTable(self.model.section(f"pivot/{language}"))
            except ModelError as error:
                raise ModelError(f"{self.model.path}: {language}: {error}") from error
        return tables

    @cached_property
    def language_model(self) -> LanguageModel | None:
        """The language model; `None` if the file has none."""
        arrays = self.model.section("lm")
        if not arrays:
            return None
        try:
            return LanguageModel(arrays, provenance=self.model.provenance["lm"]["model"])
        except (KeyError, TypeError, ValueError, RuntimeError) as error:
            raise ModelError(f"{self.model.path}: lm: {error}") from error


def write(
    path: Path | str,
    pivots: Mapping[str, Arrays],
    lm: Arrays | None,
    provenance: Mapping[str, Any],
) -> None:
    """Write the arrays of each pivot language and of the language model as one model file."""
    arrays = {
        f"pivot/{language}/{name}": array
        for language, part in sorted(pivots.items())
        for name, array in part.items()
    }
    arrays |= {f"lm/{name}": array for name, array in (lm or {}).items()}
    container.write(path, KIND, arrays, provenance)


def choose_languages(model: ParaphraseModel, wanted: str | Sequence[str] | None) -> list[str]:
    """The pivot languages to use: all of the model's, or the named ones."""
    known = model.languages
    if not known:
        raise ModelError(f"{model.model.path}: the model has no pivot language")
    if wanted is None:
        return sorted(known)
    names = wanted.split(",") if isinstance(wanted, str) else wanted
    listed = isinstance(names, (list, tuple)) and all(isinstance(name, str) for name in names)
    if not listed or not names:
        raise UsageError(f"languages must be names such as 'fr,zh', not {wanted!r}")
    for name in names:
        if name not in known:
            raise UsageError(f"the model has no pivot language '{name}'; {near(name, known)}")
    return sorted(set(names))

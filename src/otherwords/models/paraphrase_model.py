"""The model that `otherwords build` makes: pivot tables, one a language, and a language model.

One file, several parts: the arrays of a pivot language are named `pivot/<language>/...`, those
of the language model `lm/...`.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from otherwords.errors import ModelError, UsageError, near
from otherwords.models import container, find
from otherwords.models.container import Model
from otherwords.models.language_model import LanguageModel
from otherwords.models.pivot_table import PivotTable

__all__ = ["KIND", "ParaphraseModel", "choose_languages", "open_model", "write"]

KIND = "paraphrase"

Arrays = Mapping[str, NDArray[Any]]


class ParaphraseModel:
    """An opened paraphrase model; its parts are read on first use."""

    def __init__(self, model: Model) -> None:
        self.model = model

    @classmethod
    def load(cls, name_or_path: str | Path) -> ParaphraseModel:
        """Open a file, or the embedded model of that name."""
        return cls(container.read(find(name_or_path), KIND))

    @property
    def digest(self) -> str:
        """What signatures say of the model."""
        return self.model.short_digest

    @property
    def languages(self) -> list[str]:
        """The pivot languages."""
        return self.model.sections("pivot")

    @property
    def is_stemmed(self) -> bool:
        """Whether its phrases are stems; those of paraphrase sets are words."""
        return bool(self.model.provenance.get("stems", True))

    @cached_property
    def pivots(self) -> dict[str, PivotTable]:
        """The pivot table of each language."""
        return {language: self._pivot(language) for language in self.languages}

    def _pivot(self, language: str) -> PivotTable:
        try:
            return PivotTable.open(self.model.section(f"pivot/{language}"))
        except ModelError as error:
            raise ModelError(f"{self.model.path}: {language}: {error}") from error

    @cached_property
    def language_model(self) -> LanguageModel | None:
        """The language model; none if the file has no such part."""
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
    """Write the arrays of all parts as one model file."""
    arrays = {
        f"pivot/{language}/{name}": array
        for language, part in sorted(pivots.items())
        for name, array in part.items()
    }
    arrays |= {f"lm/{name}": array for name, array in (lm or {}).items()}
    container.write(path, KIND, arrays, provenance)


@lru_cache(maxsize=8)
def _opened(path: Path, state: tuple[int, ...]) -> ParaphraseModel:
    return ParaphraseModel.load(path)


def open_model(name_or_path: str | Path) -> ParaphraseModel:
    """The paraphrase model, opened once for all metrics that use it."""
    if not isinstance(name_or_path, (str, Path)):
        raise UsageError(f"model must be a name or a path, not {name_or_path!r}")
    path = find(name_or_path)
    status = os.stat(path)  # the same path may name another file after a change of folder
    return _opened(path, (status.st_dev, status.st_ino, status.st_mtime_ns))


def choose_languages(model: ParaphraseModel, wanted: str | Sequence[str] | None) -> list[str]:
    """The pivot languages to use: all that the model has, or those that are named."""
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

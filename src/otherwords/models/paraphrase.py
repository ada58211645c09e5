"""The model that `otherwords build` makes: pivot tables, one a language, and a language model.

One file, several parts: the arrays of a pivot language are named `pivot/<language>/...`, those
of the language model `lm/...`.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from otherwords.errors import ModelError
from otherwords.models import container, find
from otherwords.models.container import Model
from otherwords.models.pivot_table import PivotTable

__all__ = ["KIND", "ParaphraseModel", "write"]

KIND = "paraphrase"

Arrays = Mapping[str, NDArray[Any]]


class ParaphraseModel:
    """An opened paraphrase model; parts are looked at only when they are asked for."""

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

    @cached_property
    def pivots(self) -> dict[str, PivotTable]:
        """The pivot table of each language."""
        return {language: self._pivot(language) for language in self.languages}

    def _pivot(self, language: str) -> PivotTable:
        try:
            return PivotTable.open(self.model.section(f"pivot/{language}"))
        except ModelError as error:
            raise ModelError(f"{self.model.path}: {language}: {error}") from error

    @property
    def lm(self) -> dict[str, NDArray[Any]]:
        """The arrays of the language model; none if the file has no such part."""
        return self.model.section("lm")


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

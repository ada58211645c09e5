"""Descriptions and checks of model files: `otherwords model info`, `list` and `verify`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from otherwords.errors import DamagedModelError
from otherwords.models.container import VERSION, Model, embedded, embedded_names, find, read, verify
from otherwords.tables.formats import indented
from otherwords.tables.table import Block, Cell, Column, Lines, Table
from otherwords.tables.tabular import Tabular


@dataclass(frozen=True)
class ModelDescription(Tabular):
    """The kind, size, arrays and provenance of a model file."""

    model: Model

    @property
    def size(self) -> int:
        return self.model.path.stat().st_size

    def to_dict(self) -> dict[str, Any]:
        model = self.model
        return {
            "file": str(model.path),
            "name": model.path.stem,
            "kind": model.kind,
            "format": VERSION,
            "size": self.size,
            "digest": model.digest,
            "arrays": [
                {
                    "name": name,
                    "type": array.dtype.name,
                    "shape": list(array.shape),
                    "size": array.nbytes,
                }
                for name, array in model.arrays.items()
            ],
            "provenance": dict(model.provenance),
        }

    def tables(self) -> Iterator[Block]:
        properties = self.to_dict()
        names = ("file", "kind", "format", "digest")
        rows = [[name, str(properties[name])] for name in names]
        rows.insert(3, ["size", f"{properties['size']:,} bytes"])
        heads = [Column("property", left=True), Column("value", left=True)]
        yield Table("model", heads, rows)
        yield self._arrays()
        yield Lines("provenance", indented(properties["provenance"]), "provenance")

    def records(self) -> Iterator[Table]:
        yield self._arrays()

    def _arrays(self) -> Table:
        columns = [Column("array", left=True), Column("type", left=True)]
        columns += [Column("shape"), Column("size", "bytes")]
        rows: list[list[Cell]] = [
            [
                name,
                array.dtype.name,
                " x ".join(f"{extent:,}" for extent in array.shape) or "one number",
                array.nbytes,
            ]
            for name, array in self.model.arrays.items()
        ]
        return Table("arrays", columns, rows)


@dataclass(frozen=True)
class ModelList(Tabular):
    """The models that the package ships."""

    models: tuple[ModelDescription, ...]

    def tables(self) -> Iterator[Table]:
        columns = [Column(name, left=True) for name in ("name", "kind", "digest")]
        rows: list[list[Cell]] = [
            [
                description.model.path.stem,
                description.model.kind,
                description.model.short_digest,
                description.size,
            ]
            for description in self.models
        ]
        yield Table("models", [*columns, Column("size", "bytes")], rows)


def describe(name_or_path: str | Path) -> ModelDescription:
    """Describe a model file, or the embedded model of that name.

    >>> describe("lexicon").model.kind
    'lexicon'
    """
    return ModelDescription(read(find(name_or_path)))


def list_models() -> ModelList:
    """The embedded models."""
    return ModelList(tuple(ModelDescription(read(embedded(name))) for name in embedded_names()))


def check_model(name_or_path: str | Path) -> tuple[bool, str]:
    """Compare every byte of a model with its checksums; returns whether it is intact, and why."""
    try:
        model = verify(find(name_or_path))
    except DamagedModelError as error:
        return False, str(error)
    what = f"{model.kind}, {len(model.arrays)} arrays, {model.digest}"
    return True, f"{model.path}: sound ({what})"

"""A grammar in a Parquet file: one row per rule, a column for each feature."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa

from otherwords import _build
from otherwords.build.engine.parquet import (
    check_values,
    metadata_of,
    open_parquet,
    read_batches,
    row_count,
    table_digest,
    write_parquet,
)
from otherwords.build.grammar.rule import Rule, parse_rule
from otherwords.errors import InputError, near
from otherwords.models.strings import Strings

__all__ = ["Grammar", "rule_schema", "write_grammar"]

KIND = "grammar"
_LARGEST = sys.float_info.max
_FIXED = {
    "lhs": pa.string(),
    "source": pa.string(),
    "target": pa.string(),
    "alignment": pa.string(),
    "relation": pa.string(),
}


def rule_schema(features: Sequence[str]) -> pa.Schema:
    """The columns of a grammar; features are f0, f1..., as their names may be anything."""
    columns = {**_FIXED, **{f"f{place}": pa.float64() for place in range(len(features))}}
    return pa.schema(columns)


@dataclass(frozen=True)
class Grammar:
    """A grammar on disk. Sides are as in a line of text; a feature that a rule lacks is null.

    `name` is what errors call it: the file that it was read from.
    """

    path: Path
    rows: int
    features: tuple[str, ...]
    metadata: Mapping[str, Any]
    name: str = field(default="", compare=False)

    @classmethod
    def open(cls, path: str | Path) -> Grammar:
        """The grammar in a Parquet file, refused if it is none."""
        with open_parquet(path, _FIXED, KIND) as file:
            metadata = metadata_of(file)
            names = metadata.get("features")
            if metadata.get("kind") != KIND or not isinstance(names, list):
                raise InputError(
                    "this Parquet file is not a grammar written by otherwords", path=str(path)
                )
            features = tuple(str(name) for name in names)
            wanted = {field.name: field.type for field in rule_schema(features)}
            rows = row_count(path)
        with open_parquet(path, wanted, KIND):
            return cls(Path(path), rows, features, metadata, str(path))

    def column(self, feature: str) -> str:
        """The column of a feature."""
        if feature not in self.features:
            raise InputError(
                f"there is no feature '{feature}'; {near(feature, self.features)}",
                path=self.name,
            )
        return f"f{self.features.index(feature)}"

    def batches(self) -> Iterator[pa.RecordBatch]:
        """The rows, many at a time; what would be no rule in a line of text is refused."""
        first = 1
        nullable = ["alignment", "relation"]
        limits = {f"f{k}": (-_LARGEST, _LARGEST) for k in range(len(self.features))}
        for batch in read_batches(self.path, rule_schema(self.features), KIND):
            check_values(batch, limits, self.path, first, nullable=[*nullable, *limits])
            texts = (Strings.of(batch[name]) for name in ("lhs", "source", "target"))
            if found := _build.wrong_rule([(text.bytes, text.bounds) for text in texts]):
                raise InputError(f"row {first + found[0]}: {found[1]}", path=self.path)
            first += len(batch)
            yield batch

    def rules(self) -> Iterator[Rule]:
        """The rules, one at a time."""
        return (parse_rule(line) for line in self.lines())

    def lines(self) -> Iterator[str]:
        """The rules as lines of Joshua's text."""
        from otherwords.build.grammar.files import batch_lines

        return (line for batch in self.batches() for line in batch_lines(batch, self.features))

    @property
    def digest(self) -> str:
        """Eight hexadecimal digits of the file's SHA-256, as signatures print them."""
        return table_digest(self.path)


def write_grammar(
    batches: Iterable[pa.RecordBatch],
    path: str | Path,
    features: Sequence[str],
    metadata: Mapping[str, Any] | None = None,
) -> Grammar:
    """Write rows with the columns of `rule_schema(features)` as a grammar."""
    described = {"kind": KIND, "features": list(features), **(metadata or {})}
    write_parquet(path, rule_schema(features), batches, described)
    return Grammar.open(path)

"""What is in a grammar, in numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import pyarrow.compute as pc

from otherwords.build.engine.duck import DuckEngine
from otherwords.build.grammar.files import grammar_of
from otherwords.build.grammar.index import GrammarIndex, is_index
from otherwords.build.grammar.shared_rules import TYPES, rule_types
from otherwords.build.grammar.table import Grammar
from otherwords.tables.table import Column, Table
from otherwords.tables.tabular import Tabular

__all__ = ["GrammarDescription", "describe", "describe_file"]


@dataclass(frozen=True)
class GrammarDescription(Tabular):
    """What is in a grammar or its index: numbers of rules, ranges of features, provenance."""

    document: Mapping[str, Any]

    def tables(self) -> Iterator[Table]:
        """Properties; rules by type; the range of each feature."""
        single = [[name, str(one)] for name, one in self._single.items() if one is not None]
        heads = [Column("property", left=True), Column("value", left=True)]
        yield Table("grammar", heads, single)
        types = [Column("type", left=True), Column("rules")]
        yield Table("types", types, [[*row] for row in self.document["types"].items()])
        features = self.document.get("features")
        if features:
            columns = [Column("feature", left=True), *map(Column, ("rules", "min", "max"))]
            rows = [[name, one["rules"], one["min"], one["max"]] for name, one in features.items()]
            yield Table("features", columns, rows)

    @property
    def _single(self) -> dict[str, Any]:
        return {k: one for k, one in self.document.items() if k not in ("types", "features")}

    def to_dict(self) -> dict[str, Any]:
        """The same by name."""
        return dict(self.document)


def describe_file(path: str) -> GrammarDescription:
    """What is in a file of rules, or in the index of a grammar."""
    if is_index(path):
        return GrammarDescription(GrammarIndex.open(path).description())
    with DuckEngine() as engine:
        return GrammarDescription(describe(grammar_of(path, engine.folder)))


def describe(grammar: Grammar) -> dict[str, Any]:
    """Numbers of rules, of left-hand sides and by type; the range of each feature."""
    types: Counter[str] = Counter()
    labels: set[str] = set()
    identical = 0
    ranges: list[tuple[float, float] | None] = [None] * len(grammar.features)
    known = [0] * len(ranges)
    for batch in grammar.batches():
        types.update(rule_types(batch).to_pylist())
        labels.update(pc.unique(batch["lhs"]).to_pylist())
        identical += pc.sum(pc.equal(batch["source"], batch["target"])).as_py() or 0
        for place in range(len(ranges)):
            column = batch[f"f{place}"]
            known[place] += len(column) - column.null_count
            found = pc.min_max(column).as_py()
            if found["min"] is not None:
                low, high = ranges[place] or (found["min"], found["max"])
                ranges[place] = (min(low, found["min"]), max(high, found["max"]))
    features = {
        name: {"rules": count, "min": span[0], "max": span[1]}
        for name, count, span in zip(grammar.features, known, ranges, strict=True)
        if span is not None
    }
    return {
        "rules": grammar.rows,
        "left-hand sides": len(labels),
        "types": {name: types[name] for name in TYPES},
        "identical sides": identical,
        "features": features,
        "signature": grammar.metadata.get("signature"),
    }

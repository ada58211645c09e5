"""What is in a grammar, in numbers."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pyarrow.compute as pc

from otherwords.grammar.shared_rules import TYPES, rule_types
from otherwords.grammar.table import Grammar

__all__ = ["describe"]


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

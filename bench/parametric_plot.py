"""ParaMetric's scores by phrase length as an SVG."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bench.plot import Point
from bench.plot import plot as drawn

NAMES = ("align-precision", "align-recall", "lb-precision", "rel-recall")

Record = dict[str, Any]


def plot(records: Sequence[Record]) -> str:
    """Four panels side by side, one line per system with its intervals."""
    systems = list(dict.fromkeys(str(record["system"]) for record in records))
    whole = [one for one in records if one["domain"] == "all" and one["score"] is not None]
    longest = max((one["length"] for one in whole if one["metric"] in NAMES), default=1)
    panels = {
        name: {
            system: [
                _point(one) for one in whole if (one["metric"], one["system"]) == (name, system)
            ]
            for system in systems
        }
        for name in NAMES
    }
    return drawn(panels, systems, range(1, longest + 1))


def _point(record: Record) -> Point:
    around = record.get("interval", {})
    return Point(record["length"], record["score"], around.get("low"), around.get("high"))

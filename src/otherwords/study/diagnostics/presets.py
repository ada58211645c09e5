"""Settings of the papers: `preset="paper"` of ParaMetric and PARADIGM."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from otherwords.errors import UsageError, near

__all__ = ["PRESETS", "published"]

PRESETS = ("paper",)


def published(
    preset: str | None,
    paper: Mapping[str, Any],
    usual: Mapping[str, Any],
    given: Mapping[str, Any],
) -> dict[str, Any]:
    """The options that are given or, with the preset, the paper's.

    An option that the paper fixes is refused with the preset, unless it has the paper's value;
    one that still has its `usual` value was not given.

    >>> published("paper", {"possible": True}, {"possible": False}, {"possible": False})
    {'possible': True}
    >>> published(None, {"possible": True}, {"possible": False}, {"possible": False})
    {'possible': False}
    """
    if preset is None:
        return dict(given)
    if preset not in PRESETS:
        raise UsageError(f"unknown preset '{preset}'; {near(preset, PRESETS)}")
    for name, value in given.items():
        if value != usual[name] and value != paper[name]:
            raise UsageError(
                f"the preset '{preset}' fixes {name} at {_text(paper[name])}: leave out "
                f"{name}={_text(value)}, or the preset"
            )
    return dict(paper)


def _text(value: Any) -> str:
    if isinstance(value, (list, tuple)):
        return ",".join(map(_text, value))
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(getattr(value, "signature", value))

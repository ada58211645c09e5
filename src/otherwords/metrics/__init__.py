"""One file a metric, all on one contract (`base.Metric`).

Called, the package lists the metrics: `otherwords.metrics()`.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from otherwords.metrics.base import Traits

__all__: list[str] = []


class _Metrics(ModuleType):
    """The package as a function: `otherwords.metrics()` of the public interface."""

    def __call__(self) -> dict[str, Traits]:
        """The traits of every registered metric by name."""
        from otherwords.metrics.registry import registered

        return {name: metric.traits for name, metric in registered().items()}


sys.modules[__name__].__class__ = _Metrics

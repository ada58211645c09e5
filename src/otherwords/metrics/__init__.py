"""Every metric: a class on one contract (`Metric`) and a function that scores one segment.

Called, the package lists the metrics with their traits.

>>> from otherwords import metrics
>>> metrics.maxsim("A boy bought a car.", "A boy purchased an automobile.")
1.0
>>> metrics.MaxSim(alpha=0.5).statistics(["a cat"], [["a cat", "the cat"]]).shape
(1, 5)
>>> metrics()["pem"].range
(1.0, 5.0)
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

from otherwords._lazy import attach

if TYPE_CHECKING:
    from otherwords.metrics.base import Traits

__getattr__, __dir__, __all__ = attach(__name__, __file__)


class _Metrics(ModuleType):
    """The package as a function: `otherwords.metrics()` of the public interface."""

    def __call__(self) -> dict[str, Traits]:
        """The traits of every registered metric by name."""
        from otherwords.metrics.registry import registered

        return {name: metric.traits for name, metric in registered().items()}

    def __setattr__(self, name: str, value: Any) -> None:
        # Importing metrics/pem.py would put the module in the place of the function `pem`.
        if not (isinstance(value, ModuleType) and name in __all__):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Metrics

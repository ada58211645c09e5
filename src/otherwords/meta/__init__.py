"""From segment statistics and human scores to trust: intervals, significance, correlation.

>>> import numpy as np
>>> from otherwords import meta
>>> meta.pearson(np.array([1.0, 2.0, 3.0]), np.array([1.0, 2.0, 2.5])).__round__(3)
0.982
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from otherwords.meta.alpha import krippendorff_alpha
    from otherwords.meta.coefficients import (
        better_worse_tau,
        kendall,
        pairwise_accuracy,
        pearson,
        spearman,
        tie_calibrated_accuracy,
    )
    from otherwords.meta.comparison import Difference
    from otherwords.meta.difference import holm, permutation_p, williams
    from otherwords.meta.estimates import Estimate, Resampling
    from otherwords.meta.evaluation import Agreement, Evaluation, evaluate, evaluate_pairs
    from otherwords.meta.given import Given
    from otherwords.meta.panel import Panel
    from otherwords.meta.soft import soft_accuracy

_WHERE = {
    "alpha": ("krippendorff_alpha",),
    "coefficients": (
        "better_worse_tau",
        "kendall",
        "pairwise_accuracy",
        "pearson",
        "spearman",
        "tie_calibrated_accuracy",
    ),
    "comparison": ("Difference",),
    "difference": ("holm", "permutation_p", "williams"),
    "estimates": ("Estimate", "Resampling"),
    "evaluation": ("Agreement", "Evaluation", "evaluate", "evaluate_pairs"),
    "given": ("Given",),
    "panel": ("Panel",),
    "soft": ("soft_accuracy",),
}
_LAZY = {name: module for module, names in _WHERE.items() for name in names}

__all__ = [
    "Agreement",
    "Difference",
    "Estimate",
    "Evaluation",
    "Given",
    "Panel",
    "Resampling",
    "better_worse_tau",
    "evaluate",
    "evaluate_pairs",
    "holm",
    "kendall",
    "krippendorff_alpha",
    "pairwise_accuracy",
    "pearson",
    "permutation_p",
    "soft_accuracy",
    "spearman",
    "tie_calibrated_accuracy",
    "williams",
]


def __getattr__(name: str) -> Any:
    """Load a module when something of it is first asked for: scoring needs the bootstrap alone."""
    if name not in _LAZY:
        raise AttributeError(f"module 'otherwords.meta' has no attribute {name!r}")
    value = getattr(import_module(f"otherwords.meta.{_LAZY[name]}"), name)
    globals()[name] = value
    return value

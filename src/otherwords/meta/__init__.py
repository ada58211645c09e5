"""Agreement of metrics with human scores, over segments and systems; the tables of the papers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from otherwords._lazy import attach

if TYPE_CHECKING:
    from otherwords.meta.comparison import Difference as Difference
    from otherwords.meta.evaluation import Agreement as Agreement
    from otherwords.meta.evaluation import Evaluation as Evaluation
    from otherwords.meta.evaluation import evaluate as evaluate
    from otherwords.meta.evaluation import evaluate_pairs as evaluate_pairs
    from otherwords.meta.given import Given as Given
    from otherwords.meta.panel import Panel as Panel

__getattr__, __dir__, __all__ = attach(
    __name__,
    {
        "otherwords.meta.comparison": "Difference",
        "otherwords.meta.evaluation": "Agreement Evaluation evaluate evaluate_pairs",
        "otherwords.meta.given": "Given",
        "otherwords.meta.panel": "Panel",
    },
)

"""From judged paraphrases to trained metrics: control sentences and regressions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from otherwords._lazy import attach

if TYPE_CHECKING:
    from otherwords.training.combine import CombinationTrainingResult as CombinationTrainingResult
    from otherwords.training.combine import train_combination as train_combination
    from otherwords.training.controls import Control as Control
    from otherwords.training.controls import ControlResult as ControlResult
    from otherwords.training.controls import make_controls as make_controls
    from otherwords.training.pem import PemTrainingResult as PemTrainingResult
    from otherwords.training.pem import train_pem as train_pem

__getattr__, __dir__, __all__ = attach(
    __name__,
    {
        "otherwords.training.combine": "CombinationTrainingResult train_combination",
        "otherwords.training.controls": "Control ControlResult make_controls",
        "otherwords.training.pem": "PemTrainingResult train_pem",
    },
)

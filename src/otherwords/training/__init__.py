"""From judged paraphrases to trained metrics: control sentences and regressions.

>>> from otherwords import training
>>> made = training.controls_of([("1", "It rains."), ("2", "She sings.")], kinds=["copy"])
>>> [(control.kind, control.hypothesis) for control in made]
[('copy', 'It rains.'), ('copy', 'She sings.')]
>>> list(training.CONTROL_KINDS)
['copy', 'random', 'unigram', 'shuffle', 'deleted']
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from otherwords._lazy import attach

if TYPE_CHECKING:
    from otherwords.metrics.combine_features import FAMILIES as FAMILIES
    from otherwords.training.combine import CombinationTrainingResult as CombinationTrainingResult
    from otherwords.training.combine import train_combination as train_combination
    from otherwords.training.controls import CONTROL_KINDS as CONTROL_KINDS
    from otherwords.training.controls import Control as Control
    from otherwords.training.controls import ControlResult as ControlResult
    from otherwords.training.controls import controls_of as controls_of
    from otherwords.training.controls import make_controls as make_controls
    from otherwords.training.pem import PemTrainingResult as PemTrainingResult
    from otherwords.training.pem import train_pem as train_pem
    from otherwords.training.protocol import pem_protocol as pem_protocol

__getattr__, __dir__, __all__ = attach(
    __name__,
    {
        "otherwords.metrics.combine_features": "FAMILIES",
        "otherwords.training.combine": "CombinationTrainingResult train_combination",
        "otherwords.training.controls": (
            "CONTROL_KINDS Control ControlResult controls_of make_controls"
        ),
        "otherwords.training.pem": "PemTrainingResult train_pem",
        "otherwords.training.protocol": "pem_protocol",
    },
)

"""From judged paraphrases to trained metrics: control sentences and regressions.

>>> from otherwords.study import training
>>> made = training.controls_of([("1", "It rains."), ("2", "She sings.")], kinds=["copy"])
>>> [(control.kind, control.hypothesis) for control in made]
[('copy', 'It rains.'), ('copy', 'She sings.')]
>>> list(training.CONTROL_KINDS)[:5]
['copy', 'random', 'unigram', 'shuffle', 'deleted']
"""

from otherwords.metrics.mt_statistics import FAMILIES
from otherwords.study.training.combine import CombinationTrainingResult, train_combination
from otherwords.study.training.controls import (
    CONTROL_KINDS,
    Control,
    ControlResult,
    controls_of,
    make_controls,
)
from otherwords.study.training.pem import PemTrainingResult, train_pem
from otherwords.study.training.protocol import pem_protocol
from otherwords.study.training.regression import Reading, Validation

__all__ = [
    "CONTROL_KINDS",
    "FAMILIES",
    "CombinationTrainingResult",
    "Control",
    "ControlResult",
    "PemTrainingResult",
    "Reading",
    "Validation",
    "controls_of",
    "make_controls",
    "pem_protocol",
    "train_combination",
    "train_pem",
]

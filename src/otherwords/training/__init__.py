"""From judged paraphrases to trained metrics: control sentences and regressions.

>>> from otherwords import training
>>> made = training.controls_of([("1", "It rains."), ("2", "She sings.")], kinds=["copy"])
>>> [(control.kind, control.hypothesis) for control in made]
[('copy', 'It rains.'), ('copy', 'She sings.')]
>>> list(training.CONTROL_KINDS)[:5]
['copy', 'random', 'unigram', 'shuffle', 'deleted']
"""

from otherwords._lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)

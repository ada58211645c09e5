"""Every metric: a class on one contract (`Metric`) and a function that scores one segment.

>>> from otherwords.metrics.maxsim import MaxSim, maxsim
>>> maxsim("A boy bought a car.", "A boy purchased an automobile.")
1.0
>>> MaxSim(alpha=0.5).statistics(["a cat"], [["a cat", "the cat"]]).shape
(1, 5)
"""

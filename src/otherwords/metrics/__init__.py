"""Every metric: a class on one contract (`Metric`), registered by being in a file of this folder.

>>> import otherwords
>>> otherwords.metric("maxsim").score_one("A boy bought a car.", "A boy purchased a car.")
1.0
>>> otherwords.metric("maxsim", alpha=0.5).statistics(["a cat"], [["a cat", "the cat"]]).shape
(1, 5)
"""

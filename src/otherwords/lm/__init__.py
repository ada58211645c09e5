"""N-gram language models: estimate (modified Kneser-Ney), query, ARPA in and out.

>>> from otherwords.lm import estimate
>>> model = estimate(["the cat sat", "the cat slept"], order=2)
>>> float(model.score(["the cat sat"])[0]) > float(model.score(["sat cat the"])[0])
True
"""

from otherwords._lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)

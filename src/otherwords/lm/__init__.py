"""N-gram language models: estimate (modified Kneser-Ney), query, ARPA in and out.

>>> from otherwords.lm import estimate
>>> model = estimate(["the cat sat", "the cat slept"], order=2)
>>> float(model.score(["the cat sat"])[0]) > float(model.score(["sat cat the"])[0])
True
"""

from __future__ import annotations

from otherwords.lm.estimate import estimate, estimate_ids
from otherwords.lm.model import LanguageModel, Scores
from otherwords.lm.text import TextEncoder

__all__ = ["LanguageModel", "Scores", "TextEncoder", "estimate", "estimate_ids"]

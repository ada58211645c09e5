"""N-gram language models: estimate (modified Kneser-Ney), query, ARPA in and out.

>>> from otherwords.build.lm import estimate
>>> model = estimate(["the cat sat", "the cat slept"], order=2)
>>> float(model.score(["the cat sat"])[0]) > float(model.score(["sat cat the"])[0])
True
"""

from otherwords.build.lm.estimation import Estimation, estimate
from otherwords.build.lm.files import (
    estimate_files,
    load_model,
    perplexity,
    query_lines,
    save_model,
)
from otherwords.models.language_model import LanguageModel

__all__ = [
    "Estimation",
    "LanguageModel",
    "estimate",
    "estimate_files",
    "load_model",
    "perplexity",
    "query_lines",
    "save_model",
]

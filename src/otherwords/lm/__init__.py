"""N-gram language models: estimate (modified Kneser-Ney), query, ARPA in and out.

>>> from otherwords.lm import estimate
>>> model = estimate(["the cat sat", "the cat slept"], order=2)
>>> float(model.score(["the cat sat"])[0]) > float(model.score(["sat cat the"])[0])
True
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from otherwords._lazy import attach

if TYPE_CHECKING:
    from otherwords.lm.estimation import estimate as estimate
    from otherwords.lm.estimation import estimate_ids as estimate_ids
    from otherwords.lm.files import PerplexityResult as PerplexityResult
    from otherwords.lm.files import estimate_files as estimate_files
    from otherwords.lm.files import perplexity as perplexity
    from otherwords.lm.files import query_lines as query_lines
    from otherwords.lm.model import LanguageModel as LanguageModel
    from otherwords.lm.model import Scores as Scores
    from otherwords.lm.text import TextEncoder as TextEncoder

__getattr__, __dir__, __all__ = attach(
    __name__,
    {
        "otherwords.lm.estimation": "estimate estimate_ids",
        "otherwords.lm.files": "PerplexityResult estimate_files perplexity query_lines",
        "otherwords.lm.model": "LanguageModel Scores",
        "otherwords.lm.text": "TextEncoder",
    },
)

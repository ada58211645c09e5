"""Measures how well a text says the same thing in other words.

>>> import otherwords
>>> result = otherwords.score("maxsim", ["He left early."], references=["He went away early."])
>>> 0 < result.corpus < 1
True
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from otherwords.errors import (
    InputError,
    LanguageError,
    ModelError,
    OtherwordsError,
    UsageError,
)

if TYPE_CHECKING:
    from otherwords.metrics.base import Traits
    from otherwords.scoring.scores import Result, score
    from otherwords.text.sentence import Sentence

    def metrics() -> dict[str, Traits]:
        """The traits of every registered metric by name."""
else:
    from otherwords import metrics  # a package that can be called

__all__ = [
    "InputError",
    "LanguageError",
    "ModelError",
    "OtherwordsError",
    "Result",
    "Sentence",
    "UsageError",
    "__version__",
    "metrics",
    "score",
]

__version__ = "0.1.0"

_LAZY = {
    "Result": "otherwords.scoring.scores",
    "score": "otherwords.scoring.scores",
    "Sentence": "otherwords.text.sentence",
}


def __getattr__(name: str) -> Any:
    """Load the scoring machine when it is first asked for; importing the package is cheap."""
    if name not in _LAZY:
        raise AttributeError(f"module 'otherwords' has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(_LAZY[name]), name)
    globals()[name] = value
    return value

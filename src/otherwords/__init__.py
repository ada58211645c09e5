"""Measures how well a text says the same thing in other words.

>>> import otherwords
>>> result = otherwords.score("maxsim", ["He left early."], references=["He went away early."])
>>> 0 < result.corpus < 1
True

`score` (one metric or several), `compare` (two systems, with a significance test), `rank`
(candidates, best first) and `gate` (rules that a system must keep) are the ways in;
`list_metrics()` lists the metrics and `metric(name)` makes one. `otherwords.build` makes resources
from bitexts, `otherwords.study` measures agreement with human scores.
"""

from importlib import import_module

__version__ = "0.2.0"

TYPE_CHECKING = False  # importing typing would cost more than everything else here
if TYPE_CHECKING:
    from otherwords.errors import (
        DamagedModelError,
        InputError,
        LanguageError,
        ModelError,
        OtherwordsError,
        UsageError,
    )
    from otherwords.metrics.base import Explanation, Metric, Traits
    from otherwords.metrics.registry import list_metrics
    from otherwords.scoring.gating.checking import gate
    from otherwords.scoring.gating.gate_result import GateResult
    from otherwords.scoring.paired import PairedResult, compare
    from otherwords.scoring.ranking import rank
    from otherwords.scoring.results import Result, Results
    from otherwords.scoring.scores import metric, score
    from otherwords.text.sentence import Sentence

_HOMES = {
    "DamagedModelError": "errors",
    "Explanation": "metrics.base",
    "GateResult": "scoring.gating.gate_result",
    "InputError": "errors",
    "LanguageError": "errors",
    "Metric": "metrics.base",
    "ModelError": "errors",
    "OtherwordsError": "errors",
    "PairedResult": "scoring.paired",
    "Result": "scoring.results",
    "Results": "scoring.results",
    "Sentence": "text.sentence",
    "Traits": "metrics.base",
    "UsageError": "errors",
    "compare": "scoring.paired",
    "gate": "scoring.gating.checking",
    "list_metrics": "metrics.registry",
    "metric": "scoring.scores",
    "rank": "scoring.ranking",
    "score": "scoring.scores",
}
_PACKAGES = ("build", "corpus", "errors", "metrics", "models", "stats", "study", "tables", "text")

__all__ = [
    "DamagedModelError",
    "Explanation",
    "GateResult",
    "InputError",
    "LanguageError",
    "Metric",
    "ModelError",
    "OtherwordsError",
    "PairedResult",
    "Result",
    "Results",
    "Sentence",
    "Traits",
    "UsageError",
    "__version__",
    "compare",
    "gate",
    "list_metrics",
    "metric",
    "rank",
    "score",
]


def __getattr__(name: str) -> object:
    """Load a public name when it is first used, so that `import otherwords` is cheap."""
    from otherwords.errors import optional_imports

    with optional_imports():
        if name in _PACKAGES:
            return import_module(f"otherwords.{name}")
        if name not in _HOMES:
            raise AttributeError(f"module 'otherwords' has no attribute {name!r}")
        value = getattr(import_module(f"otherwords.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*__all__, *_PACKAGES})

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

__version__ = "0.3.0"

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
    from otherwords.integrations.batches import reward
    from otherwords.metrics.base import Explanation, Metric, Traits
    from otherwords.metrics.registry import list_metrics, metric
    from otherwords.scoring.compare import ComparisonResult, compare
    from otherwords.scoring.detectors import Detector
    from otherwords.scoring.gate import GateResult, Rules, gate
    from otherwords.scoring.rank import rank
    from otherwords.scoring.results import Result, Results
    from otherwords.scoring.sampling import Sampling
    from otherwords.scoring.score import score
    from otherwords.scoring.trial import Trial, try_text
    from otherwords.text.sentence import Sentence

_HOMES = {
    "ComparisonResult": "scoring.compare",
    "DamagedModelError": "errors",
    "Detector": "scoring.detectors",
    "Explanation": "metrics.base",
    "GateResult": "scoring.gate",
    "InputError": "errors",
    "LanguageError": "errors",
    "Metric": "metrics.base",
    "ModelError": "errors",
    "OtherwordsError": "errors",
    "Result": "scoring.results",
    "Results": "scoring.results",
    "Rules": "scoring.gate",
    "Sampling": "scoring.sampling",
    "Sentence": "text.sentence",
    "Traits": "metrics.base",
    "Trial": "scoring.trial",
    "UsageError": "errors",
    "compare": "scoring.compare",
    "gate": "scoring.gate",
    "list_metrics": "metrics.registry",
    "metric": "metrics.registry",
    "rank": "scoring.rank",
    "reward": "integrations.batches",
    "score": "scoring.score",
    "try_text": "scoring.trial",
}
_PACKAGES = ("build", "corpus", "errors", "metrics", "models", "stats", "study", "tables", "text")

__all__ = [
    "ComparisonResult",
    "DamagedModelError",
    "Detector",
    "Explanation",
    "GateResult",
    "InputError",
    "LanguageError",
    "Metric",
    "ModelError",
    "OtherwordsError",
    "Result",
    "Results",
    "Rules",
    "Sampling",
    "Sentence",
    "Traits",
    "Trial",
    "UsageError",
    "__version__",
    "compare",
    "gate",
    "list_metrics",
    "metric",
    "rank",
    "reward",
    "score",
    "try_text",
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

"""Measures how well a text says the same thing in other words.

>>> import otherwords
>>> result = otherwords.score("maxsim", ["He left early."], references=["He went away early."])
>>> 0 < result.corpus < 1
True

`score` (one metric or several), `compare` (two systems, with a significance test), `rank`
(candidates, best first) and `gate` (rules that a system must keep) are the ways in; `metrics()`
lists the metrics and `metric(name)` makes one. The packages `bitext`, `corpus`, `diagnostics`,
`grammar`, `lm`, `meta`, `metrics`, `phrases`, `report`, `scoring`, `stats`, `tables`, `text` and
`training` have the parts.
"""

from __future__ import annotations

from otherwords._lazy import attach

TYPE_CHECKING = False  # as in typing, whose import costs more than this package
if TYPE_CHECKING:
    from typing import Any, Protocol

    from otherwords import bitext as bitext
    from otherwords import corpus as corpus
    from otherwords import diagnostics as diagnostics
    from otherwords import grammar as grammar
    from otherwords import lm as lm
    from otherwords import meta as meta
    from otherwords import phrases as phrases
    from otherwords import report as report
    from otherwords import scoring as scoring
    from otherwords import stats as stats
    from otherwords import tables as tables
    from otherwords import text as text
    from otherwords import training as training
    from otherwords.errors import DamagedModelError as DamagedModelError
    from otherwords.errors import InputError as InputError
    from otherwords.errors import LanguageError as LanguageError
    from otherwords.errors import ModelError as ModelError
    from otherwords.errors import OtherwordsError as OtherwordsError
    from otherwords.errors import UsageError as UsageError
    from otherwords.metrics.base import Explanation as Explanation
    from otherwords.metrics.base import Metric as Metric
    from otherwords.metrics.base import Traits as Traits
    from otherwords.scoring.gating import GateResult as GateResult
    from otherwords.scoring.gating import gate as gate
    from otherwords.scoring.paired import PairedResult as PairedResult
    from otherwords.scoring.paired import compare as compare
    from otherwords.scoring.ranking import rank as rank
    from otherwords.scoring.results import Result as Result
    from otherwords.scoring.results import Results as Results
    from otherwords.scoring.scores import metric as metric
    from otherwords.scoring.scores import score as score
    from otherwords.text.sentence import Sentence as Sentence

    class _Metrics(Protocol):
        """The package `otherwords.metrics`, which can also be called."""

        def __call__(self) -> dict[str, Traits]:
            """The traits of every registered metric by name."""

        def __getattr__(self, name: str) -> Any: ...

    metrics: _Metrics

__version__ = "0.1.0"

_PACKAGES = (
    "bitext corpus diagnostics grammar lm meta metrics phrases report scoring stats tables text "
    "training"
)

__getattr__, __dir__, __all__ = attach(
    __name__,
    {
        "otherwords.errors": (
            "DamagedModelError InputError LanguageError ModelError OtherwordsError UsageError"
        ),
        "otherwords.metrics.base": "Explanation Metric Traits",
        "otherwords.scoring.gating": "GateResult gate",
        "otherwords.scoring.paired": "PairedResult compare",
        "otherwords.scoring.ranking": "rank",
        "otherwords.scoring.results": "Result Results",
        "otherwords.scoring.scores": "metric score",
        "otherwords.text.sentence": "Sentence",
    },
    packages=_PACKAGES,
)
__all__ += ["__version__"]

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

    def __call__(self) -> dict[str, Traits]: ...
    def __getattr__(self, name: str) -> Any: ...

metrics: _Metrics

__version__: str

"""Score, compare and rank: streams of rows through metrics."""

from __future__ import annotations

from typing import TYPE_CHECKING

from otherwords._lazy import attach

if TYPE_CHECKING:
    from otherwords.scoring.comparison import compare_systems as compare_systems
    from otherwords.scoring.comparison import pair_systems as pair_systems
    from otherwords.scoring.paired import PairedResult as PairedResult
    from otherwords.scoring.paired import PairedScore as PairedScore
    from otherwords.scoring.paired import compare as compare
    from otherwords.scoring.ranking import Ranked as Ranked
    from otherwords.scoring.ranking import Ranking as Ranking
    from otherwords.scoring.ranking import rank as rank
    from otherwords.scoring.references import Quality as Quality
    from otherwords.scoring.references import Translated as Translated
    from otherwords.scoring.references import quality as quality
    from otherwords.scoring.results import Result as Result
    from otherwords.scoring.results import Results as Results
    from otherwords.scoring.scores import metric as metric
    from otherwords.scoring.scores import score as score
    from otherwords.scoring.stream import SystemScores as SystemScores
    from otherwords.scoring.stream import evaluate as evaluate

__getattr__, __dir__, __all__ = attach(
    __name__,
    {
        "otherwords.scoring.comparison": "compare_systems pair_systems",
        "otherwords.scoring.paired": "PairedResult PairedScore compare",
        "otherwords.scoring.ranking": "Ranked Ranking rank",
        "otherwords.scoring.references": "Quality Translated quality",
        "otherwords.scoring.results": "Result Results",
        "otherwords.scoring.scores": "metric score",
        "otherwords.scoring.stream": "SystemScores evaluate",
    },
)

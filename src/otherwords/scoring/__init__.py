"""Score, compare, rank and gate: streams of rows through metrics."""

from __future__ import annotations

from typing import TYPE_CHECKING

from otherwords._lazy import attach

if TYPE_CHECKING:
    from otherwords.scoring.catalogue import MetricCatalogue as MetricCatalogue
    from otherwords.scoring.catalogue import describe_metrics as describe_metrics
    from otherwords.scoring.choice import choose_metrics as choose_metrics
    from otherwords.scoring.choice import default_metrics as default_metrics
    from otherwords.scoring.comparison import compare_systems as compare_systems
    from otherwords.scoring.comparison import pair_systems as pair_systems
    from otherwords.scoring.gating import GateResult as GateResult
    from otherwords.scoring.gating import Rules as Rules
    from otherwords.scoring.gating import StoredScores as StoredScores
    from otherwords.scoring.gating import gate as gate
    from otherwords.scoring.gating import gate_rows as gate_rows
    from otherwords.scoring.paired import PairedResult as PairedResult
    from otherwords.scoring.paired import PairedScore as PairedScore
    from otherwords.scoring.paired import compare as compare
    from otherwords.scoring.ranking import Ranked as Ranked
    from otherwords.scoring.ranking import Ranking as Ranking
    from otherwords.scoring.ranking import RankingResult as RankingResult
    from otherwords.scoring.ranking import rank as rank
    from otherwords.scoring.references import Quality as Quality
    from otherwords.scoring.references import Translated as Translated
    from otherwords.scoring.references import quality as quality
    from otherwords.scoring.references import read_references as read_references
    from otherwords.scoring.references import score_references as score_references
    from otherwords.scoring.results import Result as Result
    from otherwords.scoring.results import Results as Results
    from otherwords.scoring.run import ExplanationResult as ExplanationResult
    from otherwords.scoring.run import explain_rows as explain_rows
    from otherwords.scoring.run import score_rows as score_rows
    from otherwords.scoring.score_result import ScoreResult as ScoreResult
    from otherwords.scoring.score_result import SegmentResult as SegmentResult
    from otherwords.scoring.scores import metric as metric
    from otherwords.scoring.scores import score as score
    from otherwords.scoring.stream import SystemScores as SystemScores
    from otherwords.scoring.stream import evaluate as evaluate

__getattr__, __dir__, __all__ = attach(
    __name__,
    {
        "otherwords.scoring.catalogue": "MetricCatalogue describe_metrics",
        "otherwords.scoring.choice": "choose_metrics default_metrics",
        "otherwords.scoring.comparison": "compare_systems pair_systems",
        "otherwords.scoring.gating": "GateResult Rules StoredScores gate gate_rows",
        "otherwords.scoring.paired": "PairedResult PairedScore compare",
        "otherwords.scoring.ranking": "Ranked Ranking RankingResult rank",
        "otherwords.scoring.references": (
            "Quality Translated quality read_references score_references"
        ),
        "otherwords.scoring.results": "Result Results",
        "otherwords.scoring.run": "ExplanationResult explain_rows score_rows",
        "otherwords.scoring.score_result": "ScoreResult SegmentResult",
        "otherwords.scoring.scores": "metric score",
        "otherwords.scoring.stream": "SystemScores evaluate",
    },
)

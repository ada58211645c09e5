"""The tables of the papers on any judged set: PEM (2010) and ParaEval (2006)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from otherwords._lazy import attach

if TYPE_CHECKING:
    from otherwords.meta.papers.maxsim import MaxSimTables as MaxSimTables
    from otherwords.meta.papers.maxsim import maxsim_tables as maxsim_tables
    from otherwords.meta.papers.paraeval import paraeval_tables as paraeval_tables
    from otherwords.meta.papers.paraeval_humans import HumanDistances as HumanDistances
    from otherwords.meta.papers.paraeval_humans import human_distance as human_distance
    from otherwords.meta.papers.paraeval_result import ParaEvalTables as ParaEvalTables
    from otherwords.meta.papers.paraeval_sources import RankedTables as RankedTables
    from otherwords.meta.papers.paraeval_sources import rank_tables as rank_tables
    from otherwords.meta.papers.pem import Restriction as Restriction
    from otherwords.meta.papers.pem import pem_tables as pem_tables
    from otherwords.meta.papers.pem_result import PemTables as PemTables

__getattr__, __dir__, __all__ = attach(
    __name__,
    {
        "otherwords.meta.papers.maxsim": "MaxSimTables maxsim_tables",
        "otherwords.meta.papers.paraeval": "paraeval_tables",
        "otherwords.meta.papers.paraeval_humans": "HumanDistances human_distance",
        "otherwords.meta.papers.paraeval_result": "ParaEvalTables",
        "otherwords.meta.papers.paraeval_sources": "RankedTables rank_tables",
        "otherwords.meta.papers.pem": "Restriction pem_tables",
        "otherwords.meta.papers.pem_result": "PemTables",
    },
)

"""The tables of the papers on any judged set: PEM (2010) and ParaEval (2006)."""

from otherwords.study.papers.maxsim import MaxSimTables, maxsim_tables
from otherwords.study.papers.paraeval import paraeval_tables
from otherwords.study.papers.paraeval_humans import HumanDistances, human_distance
from otherwords.study.papers.paraeval_result import ParaEvalTables
from otherwords.study.papers.paraeval_sources import RankedTables, rank_tables
from otherwords.study.papers.pem import Restriction, pem_tables
from otherwords.study.papers.pem_result import PemTables

__all__ = [
    "HumanDistances",
    "MaxSimTables",
    "ParaEvalTables",
    "PemTables",
    "RankedTables",
    "Restriction",
    "human_distance",
    "maxsim_tables",
    "paraeval_tables",
    "pem_tables",
    "rank_tables",
]

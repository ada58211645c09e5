"""The tables of the five papers, on any data.

PARADIGM's are in `otherwords.study.papers.paradigm`, because grammars need the extra `resources`.
"""

from otherwords.study.papers.maxsim import maxsim_tables
from otherwords.study.papers.paraeval import ParaEvalTables, paraeval_tables, rank_humans
from otherwords.study.papers.parametric import ParametricTables, group_sizes, parametric_tables
from otherwords.study.papers.pem import PemTables, pem_tables

__all__ = [
    "ParaEvalTables",
    "ParametricTables",
    "PemTables",
    "group_sizes",
    "maxsim_tables",
    "paraeval_tables",
    "parametric_tables",
    "pem_tables",
    "rank_humans",
]

"""The tables of the five papers, on any data."""

from otherwords.study.papers.maxsim import maxsim_tables
from otherwords.study.papers.paradigm import ParadigmTables, paradigm_tables
from otherwords.study.papers.paraeval import (
    ParaEvalTables,
    paraeval_tables,
    rank_tables,
)
from otherwords.study.papers.paraeval_humans import human_distance
from otherwords.study.papers.parametric import ParametricTables, group_sizes, parametric_tables
from otherwords.study.papers.pem import PemTables, Restriction, pem_tables

__all__ = [
    "ParaEvalTables",
    "ParadigmTables",
    "ParametricTables",
    "PemTables",
    "Restriction",
    "group_sizes",
    "human_distance",
    "maxsim_tables",
    "paradigm_tables",
    "paraeval_tables",
    "parametric_tables",
    "pem_tables",
    "rank_tables",
]

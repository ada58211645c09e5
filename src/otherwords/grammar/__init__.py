"""Synchronous grammars: rules, files, extraction from aligned bitexts, parsing of pairs."""

from otherwords.grammar.description import describe
from otherwords.grammar.extraction import (
    FEATURES,
    KINDS,
    Limits,
    build_grammar,
    extract_rules,
    limits_of,
)
from otherwords.grammar.files import grammar_of, read_grammar, read_rules, write_rules
from otherwords.grammar.index import GrammarIndex
from otherwords.grammar.overlap import (
    TYPES,
    Overlap,
    Share,
    overlap,
    overlaps,
    size_thresholds,
    sweep,
)
from otherwords.grammar.pivoting import PIVOT_FEATURES, pivot_grammar
from otherwords.grammar.pruning import prune_grammar
from otherwords.grammar.rule import Nonterminal, Rule, parse_rule
from otherwords.grammar.sync_parser import Derivation, Parse, SyncParser, Verdict
from otherwords.grammar.table import Grammar, write_grammar
from otherwords.grammar.trees import TreeNodes, read_tree_nodes, tree_nodes

__all__ = [
    "FEATURES",
    "KINDS",
    "PIVOT_FEATURES",
    "TYPES",
    "Derivation",
    "Grammar",
    "GrammarIndex",
    "Limits",
    "Nonterminal",
    "Overlap",
    "Parse",
    "Rule",
    "Share",
    "SyncParser",
    "TreeNodes",
    "Verdict",
    "build_grammar",
    "describe",
    "extract_rules",
    "grammar_of",
    "limits_of",
    "overlap",
    "overlaps",
    "parse_rule",
    "pivot_grammar",
    "prune_grammar",
    "read_grammar",
    "read_rules",
    "read_tree_nodes",
    "size_thresholds",
    "sweep",
    "tree_nodes",
    "write_grammar",
    "write_rules",
]

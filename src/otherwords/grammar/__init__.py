"""Synchronous grammars: rules, files, extraction from aligned bitexts, parsing of pairs.

>>> from otherwords import grammar
>>> rule = grammar.parse_rule("[NP] ||| the car ||| the automobile ||| p=0.5")
>>> rule.lhs, rule.source
('NP', ('the', 'car'))
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from otherwords._lazy import attach

if TYPE_CHECKING:
    from otherwords.grammar.changing import convert_grammar as convert_grammar
    from otherwords.grammar.description import GrammarDescription as GrammarDescription
    from otherwords.grammar.description import describe as describe
    from otherwords.grammar.description import describe_file as describe_file
    from otherwords.grammar.extracting import extract_grammar as extract_grammar
    from otherwords.grammar.extraction import FEATURES as FEATURES
    from otherwords.grammar.extraction import KINDS as KINDS
    from otherwords.grammar.extraction import LABELS as LABELS
    from otherwords.grammar.extraction import RuleLimits as RuleLimits
    from otherwords.grammar.extraction import build_grammar as build_grammar
    from otherwords.grammar.extraction import extract_rules as extract_rules
    from otherwords.grammar.extraction import limits_of as limits_of
    from otherwords.grammar.files import grammar_of as grammar_of
    from otherwords.grammar.files import read_grammar as read_grammar
    from otherwords.grammar.files import read_rules as read_rules
    from otherwords.grammar.files import write_rules as write_rules
    from otherwords.grammar.index import GrammarIndex as GrammarIndex
    from otherwords.grammar.pivoting import PIVOT_FEATURES as PIVOT_FEATURES
    from otherwords.grammar.pivoting import pivot_grammar as pivot_grammar
    from otherwords.grammar.pruning import prune_grammar as prune_grammar
    from otherwords.grammar.rule import Nonterminal as Nonterminal
    from otherwords.grammar.rule import Rule as Rule
    from otherwords.grammar.rule import parse_rule as parse_rule
    from otherwords.grammar.shared_rules import TYPES as TYPES
    from otherwords.grammar.shared_rules import Overlap as Overlap
    from otherwords.grammar.shared_rules import Share as Share
    from otherwords.grammar.shared_rules import overlap as overlap
    from otherwords.grammar.shared_rules import overlaps as overlaps
    from otherwords.grammar.shared_rules import size_thresholds as size_thresholds
    from otherwords.grammar.shared_rules import sweep as sweep
    from otherwords.grammar.sync_parser import Derivation as Derivation
    from otherwords.grammar.sync_parser import Parse as Parse
    from otherwords.grammar.sync_parser import SyncParser as SyncParser
    from otherwords.grammar.sync_parser import Verdict as Verdict
    from otherwords.grammar.table import Grammar as Grammar
    from otherwords.grammar.table import write_grammar as write_grammar
    from otherwords.grammar.trees import TreeNodes as TreeNodes
    from otherwords.grammar.trees import read_tree_nodes as read_tree_nodes
    from otherwords.grammar.trees import tree_nodes as tree_nodes

__getattr__, __dir__, __all__ = attach(
    __name__,
    {
        "otherwords.grammar.changing": "convert_grammar",
        "otherwords.grammar.description": "GrammarDescription describe describe_file",
        "otherwords.grammar.extracting": "extract_grammar",
        "otherwords.grammar.extraction": (
            "FEATURES KINDS LABELS RuleLimits build_grammar extract_rules limits_of"
        ),
        "otherwords.grammar.files": "grammar_of read_grammar read_rules write_rules",
        "otherwords.grammar.index": "GrammarIndex",
        "otherwords.grammar.pivoting": "PIVOT_FEATURES pivot_grammar",
        "otherwords.grammar.pruning": "prune_grammar",
        "otherwords.grammar.rule": "Nonterminal Rule parse_rule",
        "otherwords.grammar.shared_rules": (
            "Overlap Share TYPES overlap overlaps size_thresholds sweep"
        ),
        "otherwords.grammar.sync_parser": "Derivation Parse SyncParser Verdict",
        "otherwords.grammar.table": "Grammar write_grammar",
        "otherwords.grammar.trees": "TreeNodes read_tree_nodes tree_nodes",
    },
)

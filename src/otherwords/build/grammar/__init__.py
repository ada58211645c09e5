"""Synchronous grammars: rules, files, extraction from aligned bitexts, parsing of pairs.

>>> from otherwords.build import grammar
>>> rule = grammar.parse_rule("[NP] ||| the car ||| the automobile ||| p=0.5")
>>> rule.lhs, rule.source
('NP', ('the', 'car'))
"""

from otherwords.build.grammar.changing import convert_grammar
from otherwords.build.grammar.counting import FEATURES
from otherwords.build.grammar.description import GrammarDescription, describe, describe_file
from otherwords.build.grammar.extracting import extract_grammar
from otherwords.build.grammar.extraction import KINDS, LABELS, RuleLimits, build_grammar, extract_rules, limits_of
from otherwords.build.grammar.files import grammar_of, read_grammar, read_rules, write_rules
from otherwords.build.grammar.index import GrammarIndex
from otherwords.build.grammar.pivoting import PIVOT_FEATURES, pivot_grammar
from otherwords.build.grammar.pruning import prune_grammar
from otherwords.build.grammar.rule import Nonterminal, Rule, parse_rule
from otherwords.build.grammar.shared_rules import TYPES, Overlap, Share, overlap, overlaps, size_thresholds, sweep
from otherwords.build.grammar.sync_parser import Derivation, Parse, SyncParser, Verdict
from otherwords.build.grammar.table import Grammar, write_grammar
from otherwords.build.grammar.trees import TreeNodes, read_tree_nodes, tree_nodes

__all__ = ["convert_grammar", "FEATURES", "GrammarDescription", "describe", "describe_file", "extract_grammar", "KINDS", "LABELS", "RuleLimits", "build_grammar", "extract_rules", "limits_of", "grammar_of", "read_grammar", "read_rules", "write_rules", "GrammarIndex", "PIVOT_FEATURES", "pivot_grammar", "prune_grammar", "Nonterminal", "Rule", "parse_rule", "TYPES", "Overlap", "Share", "overlap", "overlaps", "size_thresholds", "sweep", "Derivation", "Parse", "SyncParser", "Verdict", "Grammar", "write_grammar", "TreeNodes", "read_tree_nodes", "tree_nodes"]

"""Synchronous grammars: rules, files, extraction from aligned bitexts, parsing of pairs.

>>> from otherwords.build import grammar
>>> rule = grammar.parse_rule("[NP] ||| the car ||| the automobile ||| p=0.5")
>>> rule.lhs, rule.source
('NP', ('the', 'car'))
"""

from otherwords.errors import optional_imports

with optional_imports():
    from otherwords.build.grammar.counting import FEATURES
    from otherwords.build.grammar.extraction import (
        KINDS,
        LABELS,
        RuleLimits,
        build_grammar,
        extract_grammar,
        extract_rules,
        limits_of,
    )
    from otherwords.build.grammar.index import GrammarDescription, GrammarIndex, describe_file
    from otherwords.build.grammar.pivoting import PIVOT_FEATURES, pivot_grammar
    from otherwords.build.grammar.pruning import prune_grammar
    from otherwords.build.grammar.rule import Nonterminal, Rule, parse_rule
    from otherwords.build.grammar.shared_rules import (
        Matching,
        Overlap,
        Share,
        overlap,
        overlaps,
        size_thresholds,
        sweep,
    )
    from otherwords.build.grammar.sync_parser import Derivation, Parse, SyncParser, Verdict
    from otherwords.build.grammar.table import (
        TYPES,
        Grammar,
        convert_grammar,
        describe,
        grammar_of,
        read_grammar,
        read_rules,
        write_grammar,
        write_rules,
    )
    from otherwords.build.grammar.trees import TreeNodes, read_tree_nodes, tree_nodes

__all__ = [
    "FEATURES",
    "KINDS",
    "LABELS",
    "PIVOT_FEATURES",
    "TYPES",
    "Derivation",
    "Grammar",
    "GrammarDescription",
    "GrammarIndex",
    "Matching",
    "Nonterminal",
    "Overlap",
    "Parse",
    "Rule",
    "RuleLimits",
    "Share",
    "SyncParser",
    "TreeNodes",
    "Verdict",
    "build_grammar",
    "convert_grammar",
    "describe",
    "describe_file",
    "extract_grammar",
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

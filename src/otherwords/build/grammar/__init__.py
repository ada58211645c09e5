"""Synchronous grammars: files, extraction from aligned bitexts, parsing of pairs.

>>> from otherwords.build import grammar
>>> parser = grammar.SyncParser(["[NP] ||| the car ||| the automobile ||| p=0.5"])
>>> parser.parse(["the car"], ["the automobile"])[0].verdict.value
'accepted'
"""

from otherwords.errors import optional_imports

with optional_imports():
    from otherwords.build.grammar.extraction import (
        RuleLimits,
        build_grammar,
        extract_grammar,
        limits_of,
    )
    from otherwords.build.grammar.pivoting import pivot_grammar
    from otherwords.build.grammar.pruning import prune_grammar
    from otherwords.build.grammar.shared_rules import Matching, overlap, sweep
    from otherwords.build.grammar.sync_parser import SyncParser
    from otherwords.build.grammar.table import Grammar, convert_grammar, read_grammar

__all__ = [
    "Grammar",
    "Matching",
    "RuleLimits",
    "SyncParser",
    "build_grammar",
    "convert_grammar",
    "extract_grammar",
    "limits_of",
    "overlap",
    "pivot_grammar",
    "prune_grammar",
    "read_grammar",
    "sweep",
]

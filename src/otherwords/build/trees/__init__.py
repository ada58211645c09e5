"""Constituency trees: the parser, Penn Treebank brackets, and evalb scores.

>>> from otherwords.build.trees import Parser
>>> print(Parser.load().parse(["The cats sleep."])[0])
(ROOT (S (NP (DT The) (NNS cats)) (VP (VBP sleep)) (. .)))
"""

from otherwords.build.trees.evalb import Counts, ParseScores, Settings, score_parses, score_tree
from otherwords.build.trees.parser import MismatchError, Parser, TreeSource, parse_files
from otherwords.build.trees.tree import Tree, TreeSpan, clean, parse_tree, parse_trees

__all__ = [
    "Counts",
    "MismatchError",
    "ParseScores",
    "Parser",
    "Settings",
    "Tree",
    "TreeSource",
    "TreeSpan",
    "clean",
    "parse_files",
    "parse_tree",
    "parse_trees",
    "score_parses",
    "score_tree",
]

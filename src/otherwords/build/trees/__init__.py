"""Constituency trees: the parser, and Penn Treebank brackets.

>>> from otherwords.build.trees import Parser
>>> print(Parser.load().parse(["The cats sleep."])[0])
(ROOT (S (NP (DT The) (NNS cats)) (VP (VBP sleep)) (. .)))
"""

from otherwords.build.trees.parser import Parser, parse_files
from otherwords.build.trees.tree import Tree, TreeSpan, clean, parse_tree, parse_trees

__all__ = ["Parser", "Tree", "TreeSpan", "clean", "parse_files", "parse_tree", "parse_trees"]

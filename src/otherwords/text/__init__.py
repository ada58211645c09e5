"""String -> Sentence: tokens, stems, lemmas, tags, synonyms; trees."""

from __future__ import annotations

from otherwords.text.annotate import Annotator, Columns
from otherwords.text.lexicon import Lexicon
from otherwords.text.parser import Parser
from otherwords.text.sentence import Sentence, Text
from otherwords.text.stemmer import stem
from otherwords.text.tagger import Tagger
from otherwords.text.tokenizer import tokenize
from otherwords.text.trees import Tree, parse_tree, read_trees

__all__ = [
    "Annotator",
    "Columns",
    "Lexicon",
    "Parser",
    "Sentence",
    "Tagger",
    "Text",
    "Tree",
    "parse_tree",
    "read_trees",
    "stem",
    "tokenize",
]

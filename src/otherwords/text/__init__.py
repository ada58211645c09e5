"""String -> Sentence: tokens, stems, lemmas, tags, synonyms, word vectors; trees.

>>> from otherwords import text
>>> text.Annotator().sentence("The children flew off.").tags
('DT', 'NNS', 'VBD', 'RP', '.')
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from otherwords._lazy import attach

if TYPE_CHECKING:
    from otherwords.text.annotate import Annotator as Annotator
    from otherwords.text.annotate import Columns as Columns
    from otherwords.text.evalb import score_tree as score_tree
    from otherwords.text.language import check_english as check_english
    from otherwords.text.lexicon import Lexicon as Lexicon
    from otherwords.text.parser import Parser as Parser
    from otherwords.text.parsing import ParseScores as ParseScores
    from otherwords.text.parsing import TreeSource as TreeSource
    from otherwords.text.parsing import parse_files as parse_files
    from otherwords.text.parsing import score_parses as score_parses
    from otherwords.text.sentence import Sentence as Sentence
    from otherwords.text.sentence import Text as Text
    from otherwords.text.stemmer import stem as stem
    from otherwords.text.tagger import Tagger as Tagger
    from otherwords.text.tokenizer import tokenize as tokenize
    from otherwords.text.trees import Tree as Tree
    from otherwords.text.trees import parse_tree as parse_tree
    from otherwords.text.trees import read_trees as read_trees
    from otherwords.text.vectors import Vectors as Vectors

__getattr__, __dir__, __all__ = attach(
    __name__,
    {
        "otherwords.text.annotate": "Annotator Columns",
        "otherwords.text.evalb": "score_tree",
        "otherwords.text.language": "check_english",
        "otherwords.text.lexicon": "Lexicon",
        "otherwords.text.parser": "Parser",
        "otherwords.text.parsing": "ParseScores TreeSource parse_files score_parses",
        "otherwords.text.sentence": "Sentence Text",
        "otherwords.text.stemmer": "stem",
        "otherwords.text.tagger": "Tagger",
        "otherwords.text.tokenizer": "tokenize",
        "otherwords.text.trees": "Tree parse_tree read_trees",
        "otherwords.text.vectors": "Vectors",
    },
)

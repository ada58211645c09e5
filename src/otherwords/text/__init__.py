"""String -> Sentence: tokens, stems, lemmas, tags, synonyms."""

from __future__ import annotations

from otherwords.text.annotate import Annotator, Columns
from otherwords.text.lexicon import Lexicon
from otherwords.text.sentence import Sentence, Text
from otherwords.text.stemmer import stem
from otherwords.text.tagger import Tagger
from otherwords.text.tokenizer import tokenize

__all__ = [
    "Annotator",
    "Columns",
    "Lexicon",
    "Sentence",
    "Tagger",
    "Text",
    "stem",
    "tokenize",
]

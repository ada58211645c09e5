"""Phrase pairs of aligned bitexts, phrase tables, and paraphrases by pivoting."""

from otherwords.phrases.aligned import LONGEST, phrase_spans
from otherwords.phrases.extraction import extract, extract_lines
from otherwords.phrases.moses import read_moses, write_moses
from otherwords.phrases.pivoting import Paraphrases, paraphrase_sets, pivot
from otherwords.phrases.pruning import Pruning
from otherwords.phrases.table import PhraseTable, build_table, count

__all__ = [
    "LONGEST",
    "Paraphrases",
    "PhraseTable",
    "Pruning",
    "build_table",
    "count",
    "extract",
    "extract_lines",
    "paraphrase_sets",
    "phrase_spans",
    "pivot",
    "read_moses",
    "write_moses",
]

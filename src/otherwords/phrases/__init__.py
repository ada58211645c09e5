"""Phrase pairs of aligned bitexts, phrase tables, and paraphrases by pivoting."""

from otherwords.phrases.aligned import LONGEST, phrase_spans
from otherwords.phrases.extraction import extract, extract_lines
from otherwords.phrases.intermediate import compose
from otherwords.phrases.monolingual import equivalent_pairs, monolingual_table
from otherwords.phrases.moses import read_moses, write_moses
from otherwords.phrases.pivoting import Paraphrases, paraphrase_sets, pivot
from otherwords.phrases.pruning import Pruning
from otherwords.phrases.syntactic import Lattice, syntactic_links, syntactic_table
from otherwords.phrases.table import PhraseTable, build_table, count

__all__ = [
    "LONGEST",
    "Lattice",
    "Paraphrases",
    "PhraseTable",
    "Pruning",
    "build_table",
    "compose",
    "count",
    "equivalent_pairs",
    "extract",
    "extract_lines",
    "monolingual_table",
    "paraphrase_sets",
    "phrase_spans",
    "pivot",
    "read_moses",
    "syntactic_links",
    "syntactic_table",
    "write_moses",
]

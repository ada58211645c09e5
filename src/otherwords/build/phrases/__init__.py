"""Phrase pairs of aligned bitexts, phrase tables, and paraphrases by pivoting.

>>> from otherwords.build import phrases
>>> phrases.phrase_spans([(0, 0), (1, 2)], 2, 3, minimal=True).tolist()  # begin, end, begin, end
[[0, 0, 0, 0], [1, 1, 2, 2]]
"""

from otherwords.build.phrases.aligned import LONGEST, phrase_spans
from otherwords.build.phrases.extracting import extract_phrases
from otherwords.build.phrases.extraction import extract, extract_lines
from otherwords.build.phrases.lattices import lattice_lines, read_groups
from otherwords.build.phrases.monolingual import equivalent_pairs, monolingual_table
from otherwords.build.phrases.moses import read_moses, write_moses
from otherwords.build.phrases.paraphrase_files import pack_table
from otherwords.build.phrases.pivot_files import pivot_tables
from otherwords.build.phrases.pivot_models import PackedModel, pack_pivots
from otherwords.build.phrases.pivoting import Paraphrases, paraphrase_sets, pivot
from otherwords.build.phrases.pruning import Pruning
from otherwords.build.phrases.syntactic import Lattice, syntactic_links, syntactic_table
from otherwords.build.phrases.table import PhraseTable, build_table, count

__all__ = [
    "LONGEST",
    "Lattice",
    "PackedModel",
    "Paraphrases",
    "PhraseTable",
    "Pruning",
    "build_table",
    "count",
    "equivalent_pairs",
    "extract",
    "extract_lines",
    "extract_phrases",
    "lattice_lines",
    "monolingual_table",
    "pack_pivots",
    "pack_table",
    "paraphrase_sets",
    "phrase_spans",
    "pivot",
    "pivot_tables",
    "read_groups",
    "read_moses",
    "syntactic_links",
    "syntactic_table",
    "write_moses",
]

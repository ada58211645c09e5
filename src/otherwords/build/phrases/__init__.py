"""Phrase pairs from aligned bitexts, phrase tables, and paraphrases by pivoting.

>>> from otherwords.build import phrases
>>> phrases.phrase_spans([(0, 0), (1, 2)], 2, 3, minimal=True).tolist()  # begin, end, begin, end
[[0, 0, 0, 0], [1, 1, 2, 2]]
"""

from otherwords.errors import optional_imports

with optional_imports():
    from otherwords.build.bitext.links import phrase_spans
    from otherwords.build.phrases.extraction import extract
    from otherwords.build.phrases.lattices import Lattice, syntactic_links, syntactic_table
    from otherwords.build.phrases.moses import extract_phrases, read_moses, write_moses
    from otherwords.build.phrases.packing import pack_pivots, pack_table
    from otherwords.build.phrases.pivoting import Pruning, paraphrase_sets, pivot, pivot_tables
    from otherwords.build.phrases.table import PhraseTable, build_table, equivalent_pairs

__all__ = [
    "Lattice",
    "PhraseTable",
    "Pruning",
    "build_table",
    "equivalent_pairs",
    "extract",
    "extract_phrases",
    "pack_pivots",
    "pack_table",
    "paraphrase_sets",
    "phrase_spans",
    "pivot",
    "pivot_tables",
    "read_moses",
    "syntactic_links",
    "syntactic_table",
    "write_moses",
]

"""Phrase pairs of aligned bitexts, phrase tables, and paraphrases by pivoting.

>>> from otherwords import phrases
>>> phrases.phrase_spans([(0, 0), (1, 2)], 2, 3, minimal=True).tolist()  # begin, end, begin, end
[[0, 0, 0, 0], [1, 1, 2, 2]]
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from otherwords._lazy import attach

if TYPE_CHECKING:
    from otherwords.phrases.aligned import LONGEST as LONGEST
    from otherwords.phrases.aligned import phrase_spans as phrase_spans
    from otherwords.phrases.extracting import extract_phrases as extract_phrases
    from otherwords.phrases.extraction import extract as extract
    from otherwords.phrases.extraction import extract_lines as extract_lines
    from otherwords.phrases.lattices import lattice_lines as lattice_lines
    from otherwords.phrases.lattices import read_groups as read_groups
    from otherwords.phrases.monolingual import equivalent_pairs as equivalent_pairs
    from otherwords.phrases.monolingual import monolingual_table as monolingual_table
    from otherwords.phrases.moses import read_moses as read_moses
    from otherwords.phrases.moses import write_moses as write_moses
    from otherwords.phrases.paraphrase_table import pack_table as pack_table
    from otherwords.phrases.pivot_files import pivot_tables as pivot_tables
    from otherwords.phrases.pivot_models import PackedModel as PackedModel
    from otherwords.phrases.pivot_models import pack_pivots as pack_pivots
    from otherwords.phrases.pivoting import Paraphrases as Paraphrases
    from otherwords.phrases.pivoting import paraphrase_sets as paraphrase_sets
    from otherwords.phrases.pivoting import pivot as pivot
    from otherwords.phrases.pruning import Pruning as Pruning
    from otherwords.phrases.syntactic import Lattice as Lattice
    from otherwords.phrases.syntactic import syntactic_links as syntactic_links
    from otherwords.phrases.syntactic import syntactic_table as syntactic_table
    from otherwords.phrases.table import PhraseTable as PhraseTable
    from otherwords.phrases.table import build_table as build_table
    from otherwords.phrases.table import count as count

__getattr__, __dir__, __all__ = attach(
    __name__,
    {
        "otherwords.phrases.aligned": "LONGEST phrase_spans",
        "otherwords.phrases.extracting": "extract_phrases",
        "otherwords.phrases.extraction": "extract extract_lines",
        "otherwords.phrases.lattices": "lattice_lines read_groups",
        "otherwords.phrases.monolingual": "equivalent_pairs monolingual_table",
        "otherwords.phrases.moses": "read_moses write_moses",
        "otherwords.phrases.paraphrase_table": "pack_table",
        "otherwords.phrases.pivot_files": "pivot_tables",
        "otherwords.phrases.pivot_models": "PackedModel pack_pivots",
        "otherwords.phrases.pivoting": "Paraphrases paraphrase_sets pivot",
        "otherwords.phrases.pruning": "Pruning",
        "otherwords.phrases.syntactic": "Lattice syntactic_links syntactic_table",
        "otherwords.phrases.table": "PhraseTable build_table count",
    },
)

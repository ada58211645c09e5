"""Bitexts: read and clean pairs, align their words, compare links with gold ones.

>>> from otherwords.build import bitext
>>> bitext.encode(["The cat sat."], "penn").sentence(0)
['the', 'cat', 'sat', '.']
"""

from otherwords.build.bitext.aligner import Aligner, Training
from otherwords.build.bitext.alignment import (
    AlignmentSettings,
    align_files,
    align_through,
    judge_aligner,
    judge_links,
)
from otherwords.build.bitext.corpus import Bitext, Side, encode
from otherwords.build.bitext.gold import Gold, agreement, read_gold
from otherwords.build.bitext.links import (
    AlignedFiles,
    Links,
    compose,
    pharaoh,
    read_links,
    symmetrise,
)
from otherwords.build.bitext.pairs import PairLimits, read_bitext

__all__ = [
    "AlignedFiles",
    "Aligner",
    "AlignmentSettings",
    "Bitext",
    "Gold",
    "Links",
    "PairLimits",
    "Side",
    "Training",
    "agreement",
    "align_files",
    "align_through",
    "compose",
    "encode",
    "judge_aligner",
    "judge_links",
    "pharaoh",
    "read_bitext",
    "read_gold",
    "read_links",
    "symmetrise",
]

"""Bitexts: reading and cleaning pairs, aligning their words, comparing with gold links."""

from otherwords.bitext.aligner import Aligner, Training
from otherwords.bitext.corpus import Bitext, Side, encode
from otherwords.bitext.gold import Agreement, Gold, agreement, read_gold
from otherwords.bitext.links import Links, pharaoh, read_links, symmetrise
from otherwords.bitext.reading import read_pairs

__all__ = [
    "Agreement",
    "Aligner",
    "Bitext",
    "Gold",
    "Links",
    "Side",
    "Training",
    "agreement",
    "encode",
    "pharaoh",
    "read_gold",
    "read_links",
    "read_pairs",
    "symmetrise",
]

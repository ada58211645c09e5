"""Bitexts: reading and cleaning pairs, aligning their words, comparing with gold links."""

from __future__ import annotations

from typing import TYPE_CHECKING

from otherwords._lazy import attach

if TYPE_CHECKING:
    from otherwords.bitext.aligner import Aligner as Aligner
    from otherwords.bitext.aligner import Training as Training
    from otherwords.bitext.corpus import Bitext as Bitext
    from otherwords.bitext.corpus import Side as Side
    from otherwords.bitext.corpus import encode as encode
    from otherwords.bitext.gold import Agreement as Agreement
    from otherwords.bitext.gold import Gold as Gold
    from otherwords.bitext.gold import agreement as agreement
    from otherwords.bitext.gold import read_gold as read_gold
    from otherwords.bitext.links import Links as Links
    from otherwords.bitext.links import pharaoh as pharaoh
    from otherwords.bitext.links import read_links as read_links
    from otherwords.bitext.links import symmetrise as symmetrise
    from otherwords.bitext.reading import read_pairs as read_pairs

__getattr__, __dir__, __all__ = attach(
    __name__,
    {
        "otherwords.bitext.aligner": "Aligner Training",
        "otherwords.bitext.corpus": "Bitext Side encode",
        "otherwords.bitext.gold": "Agreement Gold agreement read_gold",
        "otherwords.bitext.links": "Links pharaoh read_links symmetrise",
        "otherwords.bitext.reading": "read_pairs",
    },
)

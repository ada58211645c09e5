"""Bitexts: reading and cleaning pairs, aligning their words, comparing with gold links.

>>> from otherwords import bitext
>>> bitext.encode(["The cat sat."], "penn").sentence(0)
['the', 'cat', 'sat', '.']
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from otherwords._lazy import attach

if TYPE_CHECKING:
    from otherwords.bitext.aligner import Aligner as Aligner
    from otherwords.bitext.aligner import Training as Training
    from otherwords.bitext.aligning import AlignedBitext as AlignedBitext
    from otherwords.bitext.aligning import AlignmentSettings as AlignmentSettings
    from otherwords.bitext.aligning import align_files as align_files
    from otherwords.bitext.aligning import align_through as align_through
    from otherwords.bitext.clean import LineReport as LineReport
    from otherwords.bitext.clean import PairLimits as PairLimits
    from otherwords.bitext.corpus import Bitext as Bitext
    from otherwords.bitext.corpus import Side as Side
    from otherwords.bitext.corpus import encode as encode
    from otherwords.bitext.gold import Gold as Gold
    from otherwords.bitext.gold import LinkAgreement as LinkAgreement
    from otherwords.bitext.gold import agreement as agreement
    from otherwords.bitext.gold import read_gold as read_gold
    from otherwords.bitext.intermediate import compose as compose
    from otherwords.bitext.judging import LinkAgreementResult as LinkAgreementResult
    from otherwords.bitext.judging import judge_aligner as judge_aligner
    from otherwords.bitext.judging import judge_links as judge_links
    from otherwords.bitext.links import Links as Links
    from otherwords.bitext.links import pharaoh as pharaoh
    from otherwords.bitext.links import read_links as read_links
    from otherwords.bitext.links import symmetrise as symmetrise
    from otherwords.bitext.reading import read_bitext as read_bitext
    from otherwords.bitext.reading import read_text_pairs as read_text_pairs

__getattr__, __dir__, __all__ = attach(
    __name__,
    {
        "otherwords.bitext.aligner": "Aligner Training",
        "otherwords.bitext.aligning": "AlignedBitext AlignmentSettings align_files align_through",
        "otherwords.bitext.clean": "LineReport PairLimits",
        "otherwords.bitext.corpus": "Bitext Side encode",
        "otherwords.bitext.gold": "Gold LinkAgreement agreement read_gold",
        "otherwords.bitext.intermediate": "compose",
        "otherwords.bitext.judging": "LinkAgreementResult judge_aligner judge_links",
        "otherwords.bitext.links": "Links pharaoh read_links symmetrise",
        "otherwords.bitext.reading": "read_bitext read_text_pairs",
    },
)

"""Bitexts: reading and cleaning pairs, aligning their words, comparing with gold links.

>>> from otherwords.build import bitext
>>> bitext.encode(["The cat sat."], "penn").sentence(0)
['the', 'cat', 'sat', '.']
"""

from otherwords.build.bitext.aligner import Aligner, Training
from otherwords.build.bitext.aligning import AlignedBitext, AlignmentSettings, align_files, align_through
from otherwords.build.bitext.clean import LineReport, PairLimits
from otherwords.build.bitext.corpus import Bitext, Side, encode
from otherwords.build.bitext.gold import Gold, LinkAgreement, agreement, read_gold
from otherwords.build.bitext.intermediate import compose
from otherwords.build.bitext.judging import LinkAgreementResult, judge_aligner, judge_links
from otherwords.build.bitext.links import Links, pharaoh, read_links, symmetrise
from otherwords.build.bitext.reading import read_bitext, read_text_pairs

__all__ = ["Aligner", "Training", "AlignedBitext", "AlignmentSettings", "align_files", "align_through", "LineReport", "PairLimits", "Bitext", "Side", "encode", "Gold", "LinkAgreement", "agreement", "read_gold", "compose", "LinkAgreementResult", "judge_aligner", "judge_links", "Links", "pharaoh", "read_links", "symmetrise", "read_bitext", "read_text_pairs"]

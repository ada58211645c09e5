"""Two systems side by side, without human scores: where they differ, and whether it is chance."""

from otherwords.comparison.contrasts import Contrast
from otherwords.comparison.examples import Example, examples
from otherwords.comparison.pairs import Pair, pair_systems
from otherwords.comparison.systems import Findings, compare_systems
from otherwords.comparison.words import Phrase, WordContrast

__all__ = [
    "Contrast",
    "Example",
    "Findings",
    "Pair",
    "Phrase",
    "WordContrast",
    "compare_systems",
    "examples",
    "pair_systems",
]

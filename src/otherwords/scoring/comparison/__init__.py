"""Systems side by side, without human scores: where they differ, and whether it is chance."""

from __future__ import annotations

from typing import TYPE_CHECKING

from otherwords._lazy import attach

if TYPE_CHECKING:
    from otherwords.scoring.comparison.chosen import Example as Example
    from otherwords.scoring.comparison.chosen import examples as examples
    from otherwords.scoring.comparison.contrasts import Contrast as Contrast
    from otherwords.scoring.comparison.pairs import TwoSystems as TwoSystems
    from otherwords.scoring.comparison.pairs import pair_systems as pair_systems
    from otherwords.scoring.comparison.pairs import pair_with_baseline as pair_with_baseline
    from otherwords.scoring.comparison.result import BaselineComparisons as BaselineComparisons
    from otherwords.scoring.comparison.result import ComparisonResult as ComparisonResult
    from otherwords.scoring.comparison.systems import compare_systems as compare_systems
    from otherwords.scoring.comparison.systems import (
        compare_with_baseline as compare_with_baseline,
    )
    from otherwords.scoring.comparison.words import Phrase as Phrase
    from otherwords.scoring.comparison.words import WordContrast as WordContrast

__getattr__, __dir__, __all__ = attach(
    __name__,
    {
        "otherwords.scoring.comparison.contrasts": "Contrast",
        "otherwords.scoring.comparison.chosen": "Example examples",
        "otherwords.scoring.comparison.pairs": "TwoSystems pair_systems pair_with_baseline",
        "otherwords.scoring.comparison.result": "BaselineComparisons ComparisonResult",
        "otherwords.scoring.comparison.systems": "compare_systems compare_with_baseline",
        "otherwords.scoring.comparison.words": "Phrase WordContrast",
    },
)

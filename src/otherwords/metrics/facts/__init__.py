"""What differs between two texts, span by span, and the metric that counts it.

reading -> alignment (by evidence) -> one module for each kind of finding -> metric
"""

from __future__ import annotations

from otherwords.metrics.facts.comparison import findings
from otherwords.metrics.facts.features import FEATURES, finding_features
from otherwords.metrics.facts.finding import KINDS, Finding
from otherwords.metrics.facts.metric import Facts, facts

__all__ = ["FEATURES", "KINDS", "Facts", "Finding", "facts", "finding_features", "findings"]

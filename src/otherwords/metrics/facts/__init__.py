"""What differs between two texts, span by span, and the metric that counts it.

native/core/metrics/facts finds; `comparison` opens the models and asks it, `features`
are its numbers for regressions, `metric` the metric.
"""

from __future__ import annotations

from otherwords.metrics.facts.comparison import findings
from otherwords.metrics.facts.features import FEATURES, finding_features
from otherwords.metrics.facts.finding import KINDS, Finding
from otherwords.metrics.facts.metric import Facts, facts

__all__ = ["FEATURES", "KINDS", "Facts", "Finding", "facts", "finding_features", "findings"]

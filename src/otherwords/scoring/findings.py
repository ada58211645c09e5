"""What `facts` finds, shown with the scores of any metric: spans of one segment, shares of many."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace

from otherwords.corpus.rows import Row
from otherwords.metrics.base import Explanation, Metric
from otherwords.metrics.facts import FEATURES, Facts, finding_features, findings
from otherwords.text.sentence import Text

__all__ = ["LOSSES", "add_facts", "losses", "with_findings"]

LOSSES = ("contradicted", "missing", "added")


def with_findings(explanation: Explanation) -> Explanation:
    """The explanation with a list of findings for each reference in `details`.

    >>> plain = Explanation("mup", 0.5, {}, "He paid 30 euros.", ("He paid 20 euros.",))
    >>> [[found]] = with_findings(plain).details["findings"]
    >>> found["kind"], found["verdict"], found["hypothesis_text"]
    ('number', 'contradicted', '30')
    """
    if "findings" in explanation.details:
        return explanation
    found = [
        [asdict(one) for one in findings(explanation.hypothesis, reference)]
        for reference in explanation.references
    ]
    return replace(explanation, details={**explanation.details, "findings": found})


def add_facts(metrics: Mapping[str, Metric], row: Row) -> dict[str, Metric]:
    """The metrics and `facts`, which compares such rows with references, else with the source.

    >>> list(add_facts({}, Row("He left.", source="He went away.")))
    ['facts']
    """
    against = {one.against for one in metrics.values()}
    source = against == {"source"} or not row.references
    return {**metrics, "facts": Facts(against="source" if source else "references")}


def losses(pairs: Sequence[tuple[Text, Text]], threads: int = 1) -> list[dict[str, float]]:
    """Of each pair (hypothesis, reference): the shares that are contradicted, missing and added.

    >>> [found] = losses([("He paid 30 euros.", "He paid 20 euros.")])
    >>> found["contradicted"] > 0 == found["missing"] == found["added"]
    True
    """
    rows = finding_features(pairs, threads).tolist()
    places = [FEATURES.index(name) for name in LOSSES]
    return [{name: row[place] for name, place in zip(LOSSES, places, strict=True)} for row in rows]

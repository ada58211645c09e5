"""What findings cost: the share of the content of both texts that is lost, by the way it is."""

from __future__ import annotations

from otherwords.metrics.facts.comparison import Compared
from otherwords.metrics.facts.finding import Finding
from otherwords.metrics.facts.reading import Side

__all__ = ["SHARES", "content", "lost_shares"]

SHARES = ("contradicted", "missing", "added", "unknown", "repeated", "misspelt")
_LEAST = 1.0  # content that a contradiction costs even if its words have none
_SMALL = 0.3  # and words that are missing or added


def lost_shares(compared: Compared) -> dict[str, float]:
    """For each way to lose content the share of the content of both texts that it costs."""
    lost = dict.fromkeys(SHARES, 0.0)
    for finding in compared.findings:
        column = _column(finding)
        if column is None:
            continue
        mass = content(compared, finding)
        if finding.verdict == "contradicted":
            mass = max(mass, _LEAST)
        elif finding.verdict != "unknown":
            mass = max(mass, _SMALL)
        lost[column] += _weight(finding, compared) * mass
    everything = max(compared.pair.a.total + compared.pair.b.total, sum(lost.values()))
    return {name: value / everything if everything else 0.0 for name, value in lost.items()}


def content(compared: Compared, finding: Finding) -> float:
    """The content of both spans of a finding."""
    return _within(compared.hypothesis, finding.hypothesis) + _within(
        compared.reference, finding.reference
    )


def _weight(finding: Finding, compared: Compared) -> float:
    """What share of the finding's content is lost. Words without a link count the more the less
    the two texts have in common: of unrelated texts all is lost.
    """
    if finding.kind != "words" or finding.verdict == "equivalent":
        return finding.weight
    return max(finding.weight, compared.pair.unlinked)


def _column(finding: Finding) -> str | None:
    if finding.kind == "repetition":
        return "repeated"
    if finding.kind == "spelling":
        return "misspelt"
    return None if finding.verdict == "equivalent" else finding.verdict


def _within(side: Side, span: tuple[int, int]) -> float:
    begin, end = span
    return sum(
        weight
        for weight, (first, last) in zip(side.weights, side.spans, strict=True)
        if weight > 0 and begin <= first and last <= end
    )

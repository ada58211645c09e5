"""`otherwords metrics`: list the metrics, and when to use each."""

from __future__ import annotations

from otherwords.cli.options import complete_metrics
from otherwords.cli.output import Destination
from otherwords.cli.parameters import argument


def metrics_command(
    *,
    to: Destination,
    name: str | None = argument(
        "Show this metric with its options.", "METRIC", complete=complete_metrics
    ),
) -> int:
    """List the metrics: what each compares, its range, its cost, and when to use it."""
    from otherwords.scoring.catalogue import describe_metric, describe_metrics

    to.check()
    to.show(describe_metrics() if name is None else describe_metric(name))
    return 0

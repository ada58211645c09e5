"""`otherwords metrics`: list the metrics, and when to use each."""

from __future__ import annotations

from otherwords.cli.output import Destination


def metrics_command(*, to: Destination) -> int:
    """List the metrics: what each compares, its range, its cost, and when to use it."""
    from otherwords.scoring.catalogue import describe_metrics

    to.check()
    to.show(describe_metrics())
    return 0

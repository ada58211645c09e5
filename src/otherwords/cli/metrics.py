"""`otherwords metrics`: which metrics there are, and when to use each."""

from __future__ import annotations

from otherwords.cli.options import Form, Output
from otherwords.cli.output import check_output, show
from otherwords.scoring.catalogue import describe_metrics

__all__ = ["metrics_command"]


def metrics_command(form: Form = None, output: Output = None) -> int:
    """List the metrics: what each compares, its range, its cost, and when to use it."""
    check_output(output)
    show(describe_metrics(), form, output)
    return 0

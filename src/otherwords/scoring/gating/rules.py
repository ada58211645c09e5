"""What a system must hold to pass, as users write it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from otherwords.errors import UsageError, near
from otherwords.io.arguments import check_flag, check_number
from otherwords.metrics.base import Metric
from otherwords.scoring.choice import parse_value
from otherwords.scoring.detectors import check_detector, check_detector_encoder

__all__ = ["Limits", "Rules"]

Limits = float | str | Sequence[str] | Mapping[str, float] | None

_FAR = 1e9  # of metrics whose range has no end


@dataclass(frozen=True)
class Rules:
    """The rules of a gate; limits are a number for a single metric, `metric=number`, several of
    these (a list, or with commas), or a mapping.

    `fail_under` bounds scores: from below, or from above for metrics whose lower scores are better.
    `min_delta` is the least improvement over the baseline, negative to allow a loss.
    `fail_if_worse` fails a metric whose loss against the baseline is significant at the level
    `significance`. `no_contradictions`, `min_adequacy` and `min_difference` hold for every segment;
    `detector` finds contradictions: "facts", "pair" (docs/pair.md), or "either", `pair` with the
    weights of `detector_encoder`; `accept` is a file of accepted contradictions (`read_accepted`).

    >>> Rules(fail_under="chrf=50,bleu=30", no_contradictions=True).names
    ['fail-under', 'no-contradictions']
    """

    fail_under: Limits = None
    min_delta: Limits = None
    fail_if_worse: bool = False
    significance: float = 0.05
    no_contradictions: bool = False
    detector: str = "facts"
    detector_encoder: str | Path | None = None
    accept: str | Path | None = None
    min_adequacy: float | None = None
    min_difference: float | None = None
    names: list[str] = field(init=False, compare=False)

    def __post_init__(self) -> None:
        for name in ("fail_if_worse", "no_contradictions"):
            check_flag(name, getattr(self, name))
        check_detector(self.detector)
        if self.detector != "facts" and not self.no_contradictions:
            raise UsageError("detector does nothing without no-contradictions")
        check_detector_encoder(self.detector, self.detector_encoder)
        if self.accept is not None and not self.no_contradictions:
            raise UsageError("accept does nothing without no-contradictions")
        check_number("significance", self.significance, 1e-6, 0.5)
        for name in ("min_adequacy", "min_difference"):
            if getattr(self, name) is not None:
                check_number(name.replace("_", "-"), getattr(self, name), 0, 1)
        values = {
            "fail-under": self.fail_under,
            "min-delta": self.min_delta,
            "fail-if-worse": self.fail_if_worse or None,
            "no-contradictions": self.no_contradictions or None,
            "min-adequacy": self.min_adequacy,
            "min-difference": self.min_difference,
        }
        given = [
            name for name, value in values.items() if value is not None and value not in ([], {})
        ]
        object.__setattr__(self, "names", given)

    @property
    def need_metrics(self) -> bool:
        """Whether a rule is about corpus scores."""
        return bool({"fail-under", "min-delta", "fail-if-worse"} & set(self.names))

    @property
    def need_baseline(self) -> bool:
        """Whether a rule compares with a baseline."""
        return bool({"min-delta", "fail-if-worse"} & set(self.names))

    def floors(self, metrics: Mapping[str, Metric]) -> dict[str, float]:
        """The limits of `fail_under` by metric."""
        limits = {}
        for label, value in _by_metric("fail-under", self.fail_under, metrics).items():
            low, high = metrics[label].traits.range
            limits[label] = check_number(f"fail-under of {label}", value, low, min(high, _FAR))
        return limits

    def deltas(self, metrics: Mapping[str, Metric]) -> dict[str, float]:
        """The limits of `min_delta` by metric."""
        limits = {}
        for label, value in _by_metric("min-delta", self.min_delta, metrics).items():
            low, high = metrics[label].traits.range
            width = min(high - low, _FAR)
            limits[label] = check_number(f"min-delta of {label}", value, -width, width)
        return limits


def _by_metric(rule: str, given: Limits, metrics: Mapping[str, Metric]) -> dict[str, object]:
    if given is None:
        return {}
    if isinstance(given, Mapping):
        pairs: list[tuple[str, object]] = list(given.items())
    else:
        single = isinstance(given, (int, float, str))
        listed = [given] if single else list(given)  # type: ignore[arg-type]
        pairs = [_pair(rule, one, metrics) for text in listed for one in str(text).split(",")]
    limits: dict[str, object] = {}
    for label, value in pairs:
        if label not in metrics:
            raise UsageError(
                f"{rule} is about {label}, which is not scored: add it with -m; "
                f"{near(label, metrics)}"
            )
        if label in limits:
            raise UsageError(f"{rule} has two limits for {label}")
        limits[label] = value
    return limits


def _pair(rule: str, text: str, metrics: Mapping[str, Metric]) -> tuple[str, object]:
    label, equals, value = text.rpartition("=")
    if equals:
        return label.strip().lower(), parse_value(value.strip())
    if len(metrics) != 1:
        known = ", ".join(metrics)
        raise UsageError(f"{rule} {text} must name its metric (METRIC=VALUE): {known} are scored")
    return next(iter(metrics)), parse_value(value.strip())

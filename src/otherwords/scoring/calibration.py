"""The measured agreement of an LLM judge with people, as `meta judge -o judge.json` writes it."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from otherwords.errors import InputError, UsageError, near
from otherwords.io.arguments import check_number
from otherwords.io.files import read_bytes
from otherwords.io.values import load_json, parse_float
from otherwords.metrics.base import Metric
from otherwords.scoring.gate import Check
from otherwords.scoring.outside_scores import OutsideMetric
from otherwords.tables.table import Number

_NAMES = ("judge", "model", "prompt")


def digest_prompt(path: str | Path) -> str:
    """The SHA-256 of the file of a judge's prompt."""
    return hashlib.sha256(read_bytes(str(path))).hexdigest()


@dataclass(frozen=True)
class Requirement:
    """The least agreement that a judge must have.

    `path` is the calibration file. `wanted` has measures with their least values, and what the file
    must be about: `judge=NAME`, `model=NAME`, `prompt=FILE`; as text, `kappa=.6,model=NAME`.

    >>> Requirement("judge.json", "kappa=.6, model=small").least
    {'kappa': 0.6}
    """

    path: str | Path
    wanted: str | Mapping[str, float | str]

    def __post_init__(self) -> None:
        if not self.least:
            raise UsageError("require-agreement names no measure, such as kappa=0.6")

    @property
    def pairs(self) -> dict[str, float | str]:
        if not isinstance(self.wanted, str):
            return dict(self.wanted)
        parts = [part.partition("=") for part in self.wanted.split(",")]
        for name, _, value in parts:
            if not name.strip() or not value.strip():
                raise UsageError(f"require-agreement takes MEASURE=VALUE,..., not '{self.wanted}'")
        names = [name.strip() for name, _, _ in parts]
        if twice := next((name for name in names if names.count(name) > 1), None):
            raise UsageError(f"require-agreement has two values for {twice}")
        return {name.strip(): value.strip() for name, _, value in parts}

    @property
    def least(self) -> dict[str, float]:
        """The least value of each measure."""
        values = {name: value for name, value in self.pairs.items() if name not in _NAMES}
        return {name: _limit(name, value) for name, value in values.items()}

    def check(self, metrics: Mapping[str, Metric] | None = None) -> list[Check]:
        """Check the measured agreement: one check per measure, to be added to those of a gate.

        A file that is wrong or about another judge is refused. If there are scores of other
        programs among the metrics, the judge must be one of these.
        """
        document = _read(str(self.path))
        judges = [name for name, m in (metrics or {}).items() if isinstance(m, OutsideMetric)]
        if judges and document.get("judge") not in judges:
            message = f"this is about the judge '{document.get('judge')}', but the scores are of"
            raise InputError(f"{message} {', '.join(judges)}", path=self.path)
        for name in _NAMES:
            asked, there = self.pairs.get(name), document.get(name)
            if asked is None:
                continue
            expected = digest_prompt(str(asked)) if name == "prompt" else asked
            if there != expected:
                found = "names none" if there is None else f"is about '{there}'"
                message = f"the {name} must be '{expected}', but the calibration {found}"
                raise InputError(message, path=self.path)
        checks = []
        for name, least in self.least.items():
            if name not in document["measures"]:
                hint = near(name, document["measures"])
                raise InputError(f"'{name}' was not measured; {hint}", path=self.path)
            measured = document["measures"][name]
            value = measured.get("value") if isinstance(measured, dict) else None
            is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
            if value is None or not is_number or not math.isfinite(value):
                raise InputError(f"'{name}' has no value", path=self.path)
            score, wanted = Number(float(value)), f"at least {least:g}"
            checks.append(Check("require-agreement", name, value >= least, wanted, least, score))
        return checks


def _limit(name: str, value: float | str) -> float:
    try:
        number: float | str = parse_float(value) if isinstance(value, str) else value
    except ValueError:
        number = value
    return check_number(f"require-agreement of {name}", number, -1, 1)


def _read(path: str) -> dict[str, Any]:
    try:
        document = load_json(read_bytes(path).decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise InputError(f"not a calibration of `meta judge`: {error}", path=path) from error
    if not isinstance(document, dict) or not isinstance(document.get("measures"), dict):
        raise InputError("not a calibration of `meta judge -o judge.json`", path=path)
    return document

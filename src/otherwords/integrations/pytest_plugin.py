"""A pytest fixture that fails a test when texts break the rules of a gate (docs/gate.md).

Loaded by pytest in every run where otherwords is installed, so it imports nothing before a test
asks for the fixture.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import pytest

if TYPE_CHECKING:
    from otherwords.scoring.gating.gate_result import GateResult

__all__ = ["Gate", "otherwords_gate", "pytest_addoption"]

_OPTION = "--otherwords-save-baselines"


class Gate(Protocol):
    """What the fixture gives: `otherwords.gate`, which fails the test."""

    def __call__(self, metric: Any, *texts: Any, **rules: Any) -> GateResult:
        """Check the texts; the result, if they pass."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """The option that stores baselines."""
    parser.getgroup("otherwords").addoption(
        _OPTION,
        action="store_true",
        help="store the scores as the baseline files of otherwords_gate, instead of comparing",
    )


@pytest.fixture
def otherwords_gate(request: pytest.FixtureRequest) -> Gate:
    """Check texts with the arguments of `otherwords.gate`; broken rules fail the test.

    A `baseline` that is the name of a file is found from pytest's root folder.
    """
    saves = bool(request.config.getoption(_OPTION))
    root = request.config.rootpath

    def check(metric: Any, *texts: Any, **rules: Any) -> GateResult:
        from otherwords.errors import OtherwordsError
        from otherwords.scoring.gating.checking import gate

        baseline = rules.get("baseline")
        is_file = isinstance(baseline, (str, Path))
        if is_file:
            rules["baseline"] = root / str(baseline)
        if is_file and saves:
            relative = ("baseline", "min_delta", "fail_if_worse", "significance")
            rules = {name: value for name, value in rules.items() if name not in relative}
        try:
            result = gate(metric, *texts, **rules)
            if is_file and saves and result.passed:
                result.scores.write(root / str(baseline))
        except OtherwordsError as error:
            pytest.fail(f"otherwords_gate: {error}", pytrace=False)
        if not result.passed:
            pytest.fail(str(result), pytrace=False)
        return result

    return check

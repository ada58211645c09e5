"""A pytest fixture that fails a test when texts break the rules of a gate (docs/gate.md).

Loaded by pytest in every run where otherwords is installed, so it imports nothing before a test
asks for the fixture.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import pytest

if TYPE_CHECKING:
    from otherwords.scoring.gate import GateResult


_OPTION = "--otherwords-save-baselines"


class Gate(Protocol):
    """The value of the fixture: `otherwords.gate`, but a broken rule fails the test."""

    def __call__(self, metric: Any, *texts: Any, **options: Any) -> GateResult:
        """Check the texts, and return the result if they pass."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option that stores baselines."""
    parser.getgroup("otherwords").addoption(
        _OPTION,
        action="store_true",
        help="store the scores as the baseline files of otherwords_gate, instead of comparing",
    )


@pytest.fixture
def otherwords_gate(request: pytest.FixtureRequest) -> Gate:
    """Check texts with the arguments of `otherwords.gate`; broken rules fail the test.

    The fields of `Rules` may be given as arguments. A `baseline` that is a file name is relative to
    pytest's root folder.
    """
    saves = bool(request.config.getoption(_OPTION))
    root = request.config.rootpath

    def check(metric: Any, *texts: Any, baseline: Any = None, **options: Any) -> GateResult:
        from dataclasses import fields, replace

        from otherwords.errors import OtherwordsError
        from otherwords.scoring.gate import Rules, gate

        file = root / str(baseline) if isinstance(baseline, (str, Path)) else None
        names = [field.name for field in fields(Rules) if field.name in options]
        limits = {name: options.pop(name) for name in names}
        try:
            rules = Rules(**limits) if limits else options.pop("rules", Rules())
            if file is not None and saves:
                rules = replace(rules, min_delta=None, fail_if_worse=False)
                result = gate(metric, *texts, rules=rules, **options)
                if result.passed:
                    result.scores.write(file)
            else:
                result = gate(metric, *texts, rules=rules, baseline=file or baseline, **options)
        except OtherwordsError as error:
            pytest.fail(f"otherwords_gate: {error}", pytrace=False)
        if not result.passed:
            pytest.fail(str(result), pytrace=False)
        return result

    return check

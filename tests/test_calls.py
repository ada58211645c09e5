"""Every metric and command runs on small inputs, and gives the same for one thread and for two."""

from __future__ import annotations

import pytest

from tests import calls

CASES = calls.all_cases(data=False)
DATA_CASES = calls.all_cases(data=True)


@pytest.fixture(scope="module")
def workspace(tmp_path_factory):
    return calls.Workspace(tmp_path_factory.mktemp("calls"))


def check(how, workspace):
    outcome = calls.run(how, workspace)
    assert "threads" not in outcome, outcome
    if len(how) == 1:
        wrong = "wrong" in how[0]
        assert outcome["code"] in ((1, 2) if wrong else (0, 1)), outcome
    elif how[1:] == ("several", ""):  # texts with references and sources, no options
        assert "error" not in outcome, outcome


@pytest.mark.parametrize("name", CASES)
def test_a_call(name, workspace):
    check(CASES[name], workspace)


@pytest.mark.data
@pytest.mark.parametrize("name", DATA_CASES)
def test_a_call_on_data(name, workspace):
    check(DATA_CASES[name], workspace)

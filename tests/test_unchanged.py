"""Scores, signatures, exit codes and written files are those of `tests/unchanged.json`.

A difference that is meant: `python -m tests.unchanged --record`, and a line in the changelog.
"""

from __future__ import annotations

import pytest

from tests import unchanged

RECORD = unchanged.recorded()
CASES = unchanged.all_cases(data=False)
DATA_CASES = unchanged.all_cases(data=True)
AGAIN = "python -m tests.unchanged --record"


@pytest.fixture(scope="module")
def workspace(tmp_path_factory):
    return unchanged.Workspace(tmp_path_factory.mktemp("unchanged"))


def check(name, how, workspace):
    assert name in RECORD, f"not recorded yet: {AGAIN}"
    found = unchanged.differences(RECORD[name], unchanged.run(how, workspace), exact=False)
    assert not found, "\n".join(found)


@pytest.mark.parametrize("name", CASES)
def test_as_recorded(name, workspace):
    check(name, CASES[name], workspace)


@pytest.mark.data
@pytest.mark.parametrize("name", DATA_CASES)
def test_as_recorded_on_data(name, workspace):
    check(name, DATA_CASES[name], workspace)


def test_nothing_recorded_is_gone():
    gone = RECORD.keys() - CASES.keys() - DATA_CASES.keys()
    assert not gone, f"recorded, but no case now: {sorted(gone)}; if that is meant: {AGAIN}"

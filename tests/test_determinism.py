"""The same bytes in every environment: hash seeds, threads, folders, locales, BLAS."""

from __future__ import annotations

import functools
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PLAIN = {"PYTHONHASHSEED": "0", "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
VARIANTS = {
    "hash seed": {"PYTHONHASHSEED": "4242"},
    "LC_ALL=C": {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"},
    "BLAS with four threads": {"OMP_NUM_THREADS": "4", "OPENBLAS_NUM_THREADS": "4"},
    "another time zone and folder": {"TZ": "Asia/Kathmandu", "TMPDIR": "elsewhere"},
}


def outcome(environment: dict[str, str], folder: Path = ROOT) -> dict:
    paths = [str(ROOT), os.environ.get("PYTHONPATH", "")]
    given = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths)), **environment}
    # Absolute, as the process may run elsewhere.
    given["PYTHONPATH"] = os.pathsep.join(
        str(Path(one).resolve()) for one in given["PYTHONPATH"].split(os.pathsep)
    )
    done = subprocess.run(
        [sys.executable, "-m", "tests.determinism"], cwd=folder, env=given, capture_output=True
    )
    assert done.returncode == 0, done.stderr.decode(errors="replace")[-2000:]
    return json.loads(done.stdout)


@functools.cache
def reference() -> dict:
    return outcome(PLAIN)


@pytest.mark.long
def test_threads_and_the_order_of_rows():
    for name, found in reference()["metrics"].items():
        assert not isinstance(found, str), (name, found)
        assert found["threads"], name
        assert found["order"], name
    for name, found in reference()["commands"].items():
        assert "threads" not in found, name
        assert found["code"] in (0, 1), name
    assert all(reference()["shuffled"].values())


@pytest.mark.long
@pytest.mark.parametrize("variant", VARIANTS)
def test_environments(variant, tmp_path):
    given = {**PLAIN, **VARIANTS[variant]}
    folder = ROOT
    if "TMPDIR" in given:
        folder = tmp_path
        given["TMPDIR"] = str(tmp_path / given["TMPDIR"])
        (tmp_path / "elsewhere").mkdir()
    assert outcome(given, folder) == reference()


@pytest.mark.long
def test_turkish(tmp_path):
    """Where the lower case of I is not i."""
    made = subprocess.run(
        ["localedef", "-i", "tr_TR", "-f", "UTF-8", tmp_path / "tr_TR.UTF-8"], capture_output=True
    )
    if not (tmp_path / "tr_TR.UTF-8").exists():
        pytest.skip(f"no Turkish locale can be made (Debian: locales): {made.stderr!r:.80}")
    given = {**PLAIN, "LOCPATH": str(tmp_path), "LC_ALL": "tr_TR.UTF-8"}
    code = "import locale; print(locale.setlocale(locale.LC_ALL, ''))"
    said = subprocess.check_output(
        [sys.executable, "-c", code], env={**os.environ, **given}, text=True
    )
    assert said.strip() == "tr_TR.UTF-8"
    assert outcome(given) == reference()

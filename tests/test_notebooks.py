"""The notebooks of `examples/notebooks` run from top to bottom."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

import otherwords

ROOT = Path(__file__).parents[1]
PACKAGE = str(Path(otherwords.__file__).resolve().parents[1])
NOTEBOOKS = sorted((ROOT / "examples" / "notebooks").glob("*.ipynb"))
PRINTED = {
    "compare_systems": ["careful", "1-gram, lemma and tag", "maxsim|v:2"],
    "judge_paraphrases": ["rewritten", "contradict", "True"],
    "diagnose_grammar": ["50.0", "100.0"],
}


@pytest.mark.long
@pytest.mark.filterwarnings("ignore")  # of the kernel's own packages
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs(path, tmp_path, monkeypatch):
    nbclient = pytest.importorskip("nbclient", reason="pip install 'otherwords[docs]'")
    import nbformat

    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    monkeypatch.setenv("PYTHONPATH", PACKAGE)
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    notebook = nbformat.read(path, as_version=4)
    folder = str(tmp_path / "examples" / "notebooks")
    nbclient.NotebookClient(
        notebook, timeout=600, resources={"metadata": {"path": folder}}
    ).execute()
    printed = json.dumps([cell.get("outputs") for cell in notebook.cells])
    for wanted in PRINTED[path.stem]:
        assert wanted in printed, wanted


def test_notebooks_are_stored_without_their_output():
    assert {path.stem for path in NOTEBOOKS} == set(PRINTED)
    for path in NOTEBOOKS:
        for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
            assert not cell.get("outputs"), path.name

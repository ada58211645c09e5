"""What commands and metrics give here and now, as JSON: `python -m tests.determinism`.

tests/test_determinism.py runs it in other environments and compares all bits.
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

import numpy as np

import otherwords
from tests.call_inputs import REQUIRED
from tests.calls import ROOT, call, digest, texts
from tests.more_calls import extended

LEFT_OUT = ("help ", "data-", "train-", "meta-paper", "report", "version", "studio-")


def commands(folder: Path) -> dict[str, object]:
    """The outcome of each call that `tests.calls` records, but for those that take long."""
    workspace = extended(folder, ("1", "2", "4"))
    names = [name for name in workspace.calls if not name.startswith(LEFT_OUT)]
    return {name: workspace.run(name) for name in names if "wrong" not in name}


def shuffled(folder: Path) -> dict[str, bool]:
    """Whether rows in another order have the same scores, whatever the format."""
    rows = (ROOT / "examples" / "translation" / "judged.jsonl").read_text().splitlines()
    order = np.random.default_rng(7).permutation(len(rows))
    found = {}
    for name, several in (("rows", rows), ("mixed", [rows[k] for k in order])):
        path = folder / f"{name}.jsonl"
        path.write_text("".join(f"{row}\n" for row in several), encoding="utf-8")
        assert call(["convert", path.name, "-o", f"{name}.parquet"], folder)[0] == 0
        for file in (path.name, f"{name}.parquet"):
            words = ["score", "--rows", file, "-m", "chrf,maxsim", "--segments", "-f", "jsonl"]
            code, printed = call(words, folder)
            assert code == 0
            scores = [json.loads(line) for line in printed.splitlines()]
            found[file] = {(one["system"], one["item"]): one for one in scores if "item" in one}
    assert len(found["rows.jsonl"]) == len(rows)
    return {file: one == found["rows.jsonl"] for file, one in found.items()}


def metrics(folder: Path) -> dict[str, object]:
    """The segments of every metric with one, two and four threads, and in another order."""
    cases: dict[str, tuple[str, dict[str, str]]] = {
        name: (name, REQUIRED.get(name, {})) for name in otherwords.list_metrics()
    }
    found: dict[str, object] = {}
    for case, (name, options) in cases.items():
        hypotheses, references, sources = texts("several")
        order = list(np.random.default_rng(26).permutation(len(hypotheses)))
        given = {"references": references, "sources": sources}
        try:
            many = [
                otherwords.score(name, hypotheses, threads=threads, **given, **options).segments
                for threads in (1, 2, 4)
            ]
            shuffled = {key: [column[k] for k in order] for key, column in given.items()}
            mixed = otherwords.score(
                name, [hypotheses[k] for k in order], **shuffled, **options
            ).segments
        except otherwords.errors.OtherwordsError as error:
            found[case] = str(error)
            continue
        one = np.asarray(many[0], "<f8")
        same = all(np.array_equal(one, other) for other in many[1:])
        found[case] = {
            "segments": digest(one.tobytes()),
            "threads": same,
            "order": bool(np.array_equal(one[order], mixed)),
        }
    return found


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as scratch:
        given = commands(Path(scratch))
        mixed = shuffled(Path(scratch))
        print(json.dumps({"commands": given, "shuffled": mixed, "metrics": metrics(Path(scratch))}))

"""The adapters against the real libraries; `make test-all` runs these where they are installed.

Each test is a program of its own: the libraries warn, fork and keep caches.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

import otherwords

PACKAGE = str(Path(otherwords.__file__).resolve().parents[1])
HYPOTHESES = ["A boy bought a car.", "It rained all day.", "She left early.", "Nobody came."]
REFERENCES = ["A boy purchased a car.", "It was raining.", "She went home early.", "No one came."]
SOURCES = ["The boy bought a vehicle.", "Rain fell all day.", "She left.", "Nobody was there."]
OFFLINE = """
import socket
def refuse(*arguments, **options):
    raise AssertionError(f"the network is cut off: {arguments[1:]}")
socket.socket.connect = socket.socket.connect_ex = socket.getaddrinfo = refuse
"""


def needs(*packages):
    absent = [name for name in packages if find_spec(name) is None]
    return pytest.mark.skipif(bool(absent), reason=f"not installed: {', '.join(absent)}")


pytestmark = pytest.mark.adapters


def program(code, folder):
    """What a program prints as JSON; its texts are H, R and S."""
    texts = f"H, R, S = {HYPOTHESES!r}, {REFERENCES!r}, {SOURCES!r}\n"
    path = folder / "program.py"
    path.write_text("import json\n" + texts + code)
    caches = {"HF_HOME": str(folder / "hf"), "HF_HUB_OFFLINE": "1"}
    done = subprocess.run(
        [sys.executable, path],
        env={**os.environ, "PYTHONPATH": PACKAGE, "OMP_NUM_THREADS": "1", **caches},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


@needs("evaluate")
def test_the_evaluate_module_is_loaded_from_its_folder_without_a_network(tmp_path):
    code = (
        OFFLINE
        + """
import evaluate
from otherwords.integrations.evaluate import FOLDER
maxsim = evaluate.load(FOLDER, "maxsim")
found = [maxsim.compute(predictions=H, references=one) for one in (R, [[r] for r in R])]
found.append(maxsim.compute(predictions=H, references=R, alpha=0.5))
for h, r in zip(H, R):
    maxsim.add(prediction=h, reference=r)
found.append(maxsim.compute())
found.append(evaluate.load(FOLDER, "otherwords-rewrite").compute(predictions=H, sources=S))
found.append(evaluate.load(FOLDER, "ibleu").compute(predictions=H, references=R, sources=S))
found.append(evaluate.load(FOLDER).compute(predictions=H, references=R))
print(json.dumps(found))
"""
    )
    found = program(code, tmp_path)
    maxsim = otherwords.score("maxsim", HYPOTHESES, REFERENCES)
    wanted = [
        maxsim,
        maxsim,
        otherwords.score("maxsim", HYPOTHESES, REFERENCES, alpha=0.5),
        maxsim,
        otherwords.score("otherwords-rewrite", HYPOTHESES, sources=SOURCES),
        otherwords.score("ibleu", HYPOTHESES, REFERENCES, SOURCES),
        otherwords.score("otherwords-mt", HYPOTHESES, REFERENCES),
    ]
    assert [one["score"] for one in found] == [one.corpus for one in wanted]
    assert [one["segments"] for one in found] == [one.segments.tolist() for one in wanted]
    assert [one["signature"] for one in found] == [one.signature for one in wanted]


def test_the_evaluate_module_imports_one_module_per_line():
    path = Path(otherwords.__file__).parent / "integrations" / "evaluate" / "evaluate.py"
    imports = [line for line in path.read_text().splitlines() if "import" in line.split()]
    assert imports == ["import datasets", "import evaluate", "import otherwords"]


@needs("torch", "torchmetrics")
def test_torchmetrics_update_compute_merge_reset(tmp_path):
    code = """
import pickle, torch, otherwords
from otherwords.integrations.torchmetrics import CorpusScore
found = {}
wanted = {"bleu": {}, "maxsim": {}, "ter": {}, "otherwords-rewrite": {"sources": S}}
for name, more in wanted.items():
    def batch(metric, *places):
        texts = {key: [several[n] for n in places] for key, several in more.items()}
        target = None if more else [R[n] for n in places]
        metric.update([H[n] for n in places], target, **texts)
    whole, first, second = (CorpusScore(name) for _ in range(3))
    batch(whole, 0, 1, 2, 3)
    batch(first, 2), batch(first, 0), batch(second, 3, 1)
    second = pickle.loads(pickle.dumps(second))
    first.merge_state(second)
    found[name] = [whole.compute().item(), first.compute().item(), whole.higher_is_better]
    first.reset()
    batch(first, 0, 1, 2, 3)
    found[name].append(first.compute().item())
    try:
        CorpusScore(name).compute()
    except otherwords.UsageError as error:
        found[name].append(str(error))
set_up = CorpusScore(otherwords.metric("maxsim", alpha=0.5))
found["forward"] = set_up(H, R).item()
print(json.dumps(found))
"""
    found = program(code, tmp_path)
    assert (
        found.pop("forward") == otherwords.score("maxsim", HYPOTHESES, REFERENCES, alpha=0.5).corpus
    )
    for name, (whole, merged, higher, again, refused) in found.items():
        texts = {"sources": SOURCES} if name == "otherwords-rewrite" else {"references": REFERENCES}
        result = otherwords.score(name, HYPOTHESES, **texts)
        assert whole == again == result.corpus
        assert merged == pytest.approx(result.corpus, rel=1e-15)
        assert higher == result.metric.traits.higher_is_better
        assert refused == "there is nothing to score: update() was not called"


@needs("torch", "torchmetrics")
def test_torchmetrics_on_two_processes(tmp_path):
    """Gloo; the processes have different numbers of segments, in one case none at all."""
    code = """
import warnings, torch.distributed as dist, torch.multiprocessing as mp
from otherwords.integrations.torchmetrics import CorpusScore

def work(rank, parts, folder):
    warnings.simplefilter("ignore")  # that one process has no segments
    dist.init_process_group("gloo", init_method=f"file://{folder}/meet", rank=rank, world_size=2)
    scores = {name: CorpusScore(name) for name in ("bleu", "maxsim")}
    for name, metric in scores.items():
        for n in parts[rank]:
            metric.update([H[n]], [R[n]])
    values = {name: metric.compute().item() for name, metric in scores.items()}
    with open(f"{folder}/{rank}.json", "w") as file:
        json.dump(values, file)
    dist.destroy_process_group()

if __name__ == "__main__":
    import sys, tempfile
    found = []
    for parts in ([[0], [1, 2, 3]], [[], [0, 1, 2, 3]]):
        with tempfile.TemporaryDirectory() as folder:
            mp.spawn(work, (parts, folder), nprocs=2)
            found += [json.load(open(f"{folder}/{rank}.json")) for rank in (0, 1)]
    print(json.dumps(found))
"""
    found = program(code, tmp_path)
    assert len(found) == 4
    for one in found:
        for name, value in one.items():
            whole = otherwords.score(name, HYPOTHESES, REFERENCES).corpus
            assert value == pytest.approx(whole, rel=1e-15)

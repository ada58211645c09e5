"""What starting costs: CPU as ratios to `import numpy` in the same run, modules, small calls.

python -m bench.startup
"""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import otherwords

ROUNDS = 9
SOURCE = "Nobody knew why the ship had changed its course."
REWRITTEN = "No one understood why the boat had altered its course."

# Modules of ours that are imported, and files of ours whose functions run beyond their import.
TRACE = """
import atexit, os, sys
entered = set()
def look(frame, event, argument):
    if event == "call" and frame.f_code.co_name != "<module>":
        name = frame.f_code.co_filename
        if os.sep + "otherwords" + os.sep in name and name.endswith(".py"):
            if not any(f.f_code.co_name == "<module>" and os.sep + "otherwords" + os.sep
                       in f.f_code.co_filename for f in callers(frame)):
                entered.add(name)
def callers(frame):
    while frame := frame.f_back:
        yield frame
def report():
    sys.setprofile(None)
    ours = [n for n in sys.modules if n == "otherwords" or n.startswith("otherwords.")]
    print(len(ours), len(entered), file=sys.stderr)
atexit.register(report)
from otherwords.cli import main
sys.setprofile(look)
main(sys.argv[1:])
"""


def cpu(command: Sequence[str], environment: dict[str, str]) -> float:
    """Seconds of CPU, its own and the kernel's, that a process takes."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=environment)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def environment_of(folder: str) -> dict[str, str]:
    """Compiled modules are kept, as installed packages have them; one thread."""
    kept = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    threads = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    return kept | threads | {"PYTHONPYCACHEPREFIX": str(Path(folder, "compiled"))}


def warm(call: Callable[[], Any], rounds: int = 40, each: int = 5) -> float:
    """Milliseconds of CPU of a call, the best of many rounds."""
    for _ in range(each):
        call()
    best = float("inf")
    for _ in range(rounds):
        start = time.process_time()
        for _ in range(each):
            call()
        best = min(best, (time.process_time() - start) / each)
    return 1000 * best


def main() -> None:
    """Commands in turns, so that a busy moment of the machine hits all alike."""
    with tempfile.TemporaryDirectory() as folder:
        source, output = Path(folder, "src.txt"), Path(folder, "hyp.txt")
        source.write_text(f"{SOURCE}\n" * 10, encoding="utf-8")
        output.write_text(f"{REWRITTEN}\n" * 10, encoding="utf-8")
        run = [sys.executable, "-m", "otherwords"]
        pem = ["score", "-m", "otherwords-rewrite", "-s", str(source), str(output)]
        commands = {
            "python -c 'import numpy'": [sys.executable, "-c", "import numpy"],
            "python -c 'import otherwords'": [sys.executable, "-c", "import otherwords"],
            "otherwords --version": [*run, "--version"],
            "otherwords --help": [*run, "--help"],
            "otherwords score -m maxsim": [
                *run, "score", "-m", "maxsim", "-r", str(source), str(output)
            ],
            "otherwords score -m otherwords-rewrite": [*run, *pem],
        }  # fmt: skip
        taken: dict[str, list[float]] = {name: [] for name in commands}
        environment = environment_of(folder)
        for command in commands.values():
            cpu(command, environment)
        for _ in range(ROUNDS):
            for name, command in commands.items():
                taken[name].append(cpu(command, environment))
        [base, *_] = (statistics.median(times) for times in taken.values())
        for name, times in taken.items():
            seconds = statistics.median(times)
            print(f"{name:30} {1000 * seconds:6.0f} ms CPU   {seconds / base:5.2f} x numpy")
        traced = subprocess.run(
            [sys.executable, "-c", TRACE, *pem], check=True, capture_output=True, text=True
        )
        modules, files = traced.stderr.split()[-2:]
        print(f"score -m otherwords-rewrite: {modules} modules imported, {files} files executed")
    calls: dict[str, dict[str, Any]] = {
        "otherwords-rewrite": {"sources": [SOURCE]},
        "maxsim": {"references": [SOURCE]},
        "otherwords-mt": {"references": [SOURCE]},
    }
    for name, texts in calls.items():
        taken_ms = warm(lambda name=name, texts=texts: otherwords.score(name, [REWRITTEN], **texts))
        print(f"otherwords.score({name!r}, one pair): {taken_ms:.2f} ms of CPU, warm")


if __name__ == "__main__":
    main()

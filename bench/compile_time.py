"""CPU seconds that an installation from source compiles for, with and without groups of files.

    python -m bench.compile_time [--plain]

`pip install .` compiles groups of files in one piece (CMakeLists.txt); `--plain` compiles them one
by one as well, which takes several minutes. ccache is switched off.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parents[1]


def main() -> None:
    """Print one row for each way to compile."""
    print("| build | CPU seconds | seconds on this machine |\n|---|---|---|")
    show("groups of files (pip)", unity=True)
    if "--plain" in sys.argv[1:]:
        show("file by file", unity=False)


def show(title: str, *, unity: bool) -> None:
    """Configure and compile in a new folder."""
    found = [sys.executable, "-m", "nanobind", "--cmake_dir"]
    nanobind = subprocess.run(found, capture_output=True, text=True, check=True).stdout.strip()
    environment = {**os.environ, "CCACHE_DISABLE": "1"}
    with tempfile.TemporaryDirectory() as folder:
        for line in (
            f"cmake -S {ROOT} -B {folder} -DCMAKE_BUILD_TYPE=Release -Dnanobind_DIR={nanobind} "
            f"-DPython_EXECUTABLE={sys.executable} -DCMAKE_UNITY_BUILD={'ON' if unity else 'OFF'}",
            f"cmake --build {folder} --parallel {os.cpu_count()}",
        ):
            start, before = time.perf_counter(), children()
            subprocess.run(line.split(), env=environment, capture_output=True, check=True)
    print(
        f"| {title} | {children() - before:.0f} | {time.perf_counter() - start:.0f} |", flush=True
    )


def children() -> float:
    """CPU seconds of all processes that were started from here."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    main()

"""Seconds that an installation from source takes, of which compiling is the most.

    python -m bench.compile_time [REPOSITORY ...] [--plain]

`pip wheel` of the files that git knows, in a new folder and without ccache: those of this
repository, or of other clones beside it, one after the other. `--plain` compiles files one by one
as well, as a debugger or a tool for one file needs it.
"""

from __future__ import annotations

import argparse
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parents[1]
PLAIN = "--config-settings=cmake.define.CMAKE_UNITY_BUILD=OFF"


def main() -> None:
    """Print one row for each repository and way to compile."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("repositories", nargs="*", type=Path, metavar="REPOSITORY", default=[ROOT])
    parser.add_argument("--plain", action="store_true", help="File by file as well.")
    args = parser.parse_args()
    print(f"| repository | build | CPU seconds | seconds on {os.cpu_count()} cores |")
    print("|---|---|---|---|")
    for repository in args.repositories:
        show(repository, "folder by folder (pip)")
        if args.plain:
            show(repository, "file by file", PLAIN)


def show(repository: Path, title: str, *options: str) -> None:
    """Build a wheel from a copy."""
    listed = ["git", "-C", str(repository), "ls-files", "-z"]
    names = subprocess.run(listed, capture_output=True, text=True, check=True).stdout
    environment = {**os.environ, "CCACHE_DISABLE": "1"}
    environment.pop("CMAKE_CXX_COMPILER_LAUNCHER", None)
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder, "source")
        for name in filter(None, names.split("\0")):
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(repository / name, copy / name)
        command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "-w", folder]
        start, before = time.perf_counter(), children()
        subprocess.run([*command, *options, str(copy)], env=environment, check=True)
    clock, cpu = time.perf_counter() - start, children() - before
    print(f"| {repository.resolve().name} | {title} | {cpu:.0f} | {clock:.0f} |", flush=True)


def children() -> float:
    """CPU seconds of all processes that were started from here."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    main()

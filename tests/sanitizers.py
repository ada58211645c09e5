"""The native modules under sanitizers, preloaded into the interpreter (`make sanitize`).

    python -m tests.sanitizers address [--seconds 60]   tests of native code, then the fuzzer
    python -m tests.sanitizers threads                  two threads on shared models

Builds the CMake preset of that name first, and runs a copy of the package with what was built.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TESTS = (
    "tokenizer tagger parser annotate lexicon encoder_kernel lm arpa alignment phrases "
    "paraphrase_table pivot_table pivot_bags grammar_extraction grammar_index sync_parser maxsim "
    "paraeval pivots facts generation coefficients"
).split()
PRESETS = {"address": "sanitize", "threads": "threads"}
LIBRARIES = {"address": "libasan.so", "threads": "libtsan.so"}
OPTIONS = {
    "ASAN_OPTIONS": "detect_leaks=0",  # the interpreter frees little of what it keeps to the end
    "UBSAN_OPTIONS": "print_stacktrace=1:halt_on_error=1",
    "TSAN_OPTIONS": "halt_on_error=1:exitcode=66",
}


# An editable install finds its own module before all paths; Python runs this after it was set up.
FIRST = """
import sys
sys.meta_path[:] = [one for one in sys.meta_path if "_editable_" not in type(one).__module__]
for name in [name for name in sys.modules if name.startswith("_editable_")]:
    del sys.modules[name]
"""


def build(preset: str, jobs: int) -> Path:
    """Build a preset; a folder with the package and the modules that were built."""
    nanobind = subprocess.check_output([sys.executable, "-m", "nanobind", "--cmake_dir"], text=True)
    found = [f"-DPython_EXECUTABLE={sys.executable}", f"-Dnanobind_DIR={nanobind.strip()}"]
    found += ["-DSKBUILD_SABI_VERSION="]
    subprocess.run(["cmake", "--preset", preset, *found], cwd=ROOT, check=True)
    folder = ROOT / "build" / preset
    subprocess.run(["cmake", "--build", folder, "-j", str(jobs)], check=True)
    package = folder / "package" / "otherwords"
    shutil.rmtree(package, ignore_errors=True)
    shutil.copytree(ROOT / "src" / "otherwords", package, ignore=shutil.ignore_patterns("*.so"))
    for module in folder.glob("_*.so"):
        shutil.copy(module, package)
    (package.parent / "sitecustomize.py").write_text(FIRST)
    return package.parent


def environment(kind: str, package: Path) -> dict[str, str]:
    """What preloads the sanitizer, and the C++ library so that it sees exceptions."""
    compiler = os.environ.get("CXX", "g++")
    libraries = [
        subprocess.check_output([compiler, f"-print-file-name={name}"], text=True).strip()
        for name in (LIBRARIES[kind], "libstdc++.so")
    ]
    paths = {"LD_PRELOAD": " ".join(libraries), "PYTHONPATH": f"{package}{os.pathsep}{ROOT}"}
    return {**os.environ, **OPTIONS, **paths, "OMP_NUM_THREADS": "1"}


def check(package: Path, given: dict[str, str], start: list[str]) -> None:
    """Refuse to test other modules than those that were built."""
    code = "from otherwords import _build, _native\nfor m in _build, _native: print(m.__file__)"
    for path in subprocess.check_output([*start, "-c", code], env=given, text=True).splitlines():
        if not Path(path).is_relative_to(package):
            sys.exit(f"{path} would be tested, not what was built in {package}")


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.sanitizers", description=__doc__)
    parser.add_argument("kind", choices=PRESETS)
    parser.add_argument("--seconds", type=int, default=60, help="of fuzzing")
    parser.add_argument("--jobs", type=int, default=2, help="of the build")
    parser.add_argument("--tests", default=",".join(TESTS), help="only these: a,b")
    options = parser.parse_args(argv)
    package = build(PRESETS[options.kind], options.jobs)
    python = [sys.executable]
    given = environment(options.kind, package)
    if options.kind == "threads":  # it needs addresses where the system does not always put them
        python = ["setarch", "-R", *python]
        calls = [[*python, "-m", "tests.threads"]]
    else:
        files = [f"tests/test_{name}.py" for name in options.tests.split(",") if name]
        tests = ["-m", "pytest", "-q", "-n0", "--hypothesis-profile", "sanitized", *files]
        chosen = ["-m", "not data and not long and not browser"]
        calls = [[*python, *tests, *chosen]] if files else []
        calls += [[*python, "-m", "tests.fuzz", "--seconds", str(options.seconds)]]
    check(package, given, python)
    for call in calls:
        began = os.times()
        done = subprocess.run(call, cwd=ROOT, env=given)
        ended = os.times()
        cpu = sum(ended[2:4]) - sum(began[2:4])
        print(f"{' '.join(call[-4:])}: {cpu:.0f} s of CPU time, exit code {done.returncode}")
        if done.returncode:
            return done.returncode
    return 0


if __name__ == "__main__":
    sys.exit(main())

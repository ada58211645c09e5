"""The adapters of frameworks, and what the pytest plug-in costs: `python -m bench.adapters`.

The first table has the version of each framework in build/adapters and build/promptfoo, where `make
test-adapters` tests them, and the lines of each adapter. The second has the CPU time of a pytest
run that uses nothing of otherwords, with the plug-in and without: the best of several runs each.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
from importlib.metadata import distributions
from pathlib import Path

import otherwords

ROOT = Path(__file__).parents[1]
PACKAGE = Path(otherwords.__file__).resolve().parent
PLUGIN = "otherwords.integrations.pytest_plugin"
# Adapter: the package that it is tested with, and the section of docs/guides/frameworks.md.
ADAPTERS = {
    "promptfoo": ("promptfoo", "promptfoo"),
    "deepeval": ("deepeval", "deepeval"),
    "inspect_ai": ("inspect-ai", "inspect-ai"),
    "mlflow": ("mlflow-skinny", "mlflow"),
    "lm_eval": ("lm-eval", "lm-evaluation-harness"),
    "langsmith": ("langsmith", "langsmith"),
}
GUIDE = "docs/guides/frameworks.md"


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=5)
    runs = parser.parse_args().runs
    print("| adapter | package | version | lines | guide |\n|---|---|---|---:|---|")
    for adapter, (package, section) in ADAPTERS.items():
        text = (PACKAGE / "integrations" / f"{adapter}.py").read_text(encoding="utf-8")
        lines, version = len(text.splitlines()), version_of(package)
        print(f"| `{adapter}` | {package} | {version} | {lines} | {GUIDE}#{section} |")
    found = {plugin: [] for plugin in (False, True)}
    for _ in range(runs):
        for plugin, times in found.items():
            times.append(run_pytest(plugin))
    without, with_plugin = (min(times) * 1000 for times in found.values())
    print(f"\npytest, one test, without the plug-in {without:.0f} ms, with it {with_plugin:.0f} ms")


def version_of(package: str) -> str:
    """The version that the tests use, or `not installed`."""
    if package == "promptfoo":
        path = ROOT / "build" / "promptfoo" / "node_modules" / "promptfoo" / "package.json"
        return json.loads(path.read_text())["version"] if path.is_file() else "not installed"
    folders = map(str, (ROOT / "build" / "adapters").glob("lib/python*/site-packages"))
    known = {found.name.lower(): found.version for found in distributions(path=list(folders))}
    return known.get(package, known.get(package.replace("-", "_"), "not installed"))


def run_pytest(plugin: bool) -> float:
    """The CPU seconds of a run with a single test that does nothing."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "test_nothing.py").write_text("def test_nothing():\n    pass\n")
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
        command += ["-p", PLUGIN] if plugin else []
        env = {
            **os.environ,
            "PYTHONPATH": str(PACKAGE.parent),
            "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
        }
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command, cwd=folder, env=env, check=True, capture_output=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


if __name__ == "__main__":
    main()

"""Metrics of other packages: entry points of the group `otherwords.metrics`."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from otherwords.metrics import registry
from otherwords.scoring.catalogue import describe_metrics

ROOT = Path(__file__).resolve().parents[1]
EXAMPLE = ROOT / "examples" / "plugin"
TEXTS = ROOT / "examples" / "translation"
GOOD = """
from otherwords.metrics.base import MeanMetric, Traits
class Other(MeanMetric):
    \"\"\"Says what it is.\"\"\"
    name = "other"
    traits = Traits(0.0, 1.0)
    columns = ("score", "segments")
    def signature_parts(self):
        return {}
    def compute(self, segments, threads):
        raise NotImplementedError
class Half(MeanMetric):
    name = "half"
class Odd(Other):
    name = "odd"
    traits = "0 to 1"
"""
LISTED = {
    "fine": ("other = made_up:Other", None),
    "missing": ("other = made_up:Nothing", "AttributeError: module 'made_up' has no attribute"),
    "no-module": ("other = made_down:Other", "ModuleNotFoundError: No module named 'made_down'"),
    "no-metric": ("other = made_up:Traits", "is not a subclass of otherwords.metrics.Metric"),
    "half": ("half = made_up:Half", "lacks compute, signature_parts, traits"),
    "traits": ("odd = made_up:Odd", "has traits that are not of the class Traits"),
    "exit": ("leave = leaving:Other", "cannot be loaded: SystemExit: 0"),
    "name": ("another = made_up:Other", "calls itself 'other'; both names must be the same"),
}


@pytest.fixture
def installed(tmp_path, monkeypatch):
    """A package with these entry points, as pip would leave it."""

    def install(*entries):
        ours = registry.metric_classes()
        info = tmp_path / "made_up-1.dist-info"
        info.mkdir()
        (info / "METADATA").write_text("Metadata-Version: 2.1\nName: made-up\nVersion: 1\n")
        (info / "entry_points.txt").write_text("[otherwords.metrics]\n" + "\n".join(entries))
        (tmp_path / "made_up.py").write_text(GOOD)
        (tmp_path / "leaving.py").write_text("import sys; sys.exit(0)")
        monkeypatch.syspath_prepend(tmp_path)
        monkeypatch.delitem(sys.modules, "made_up", raising=False)
        monkeypatch.setattr(registry, "_CLASSES", ours)
        registry._plugins.cache_clear()

    yield install
    registry._plugins.cache_clear()


def test_a_plugin_is_a_metric_like_any_other(installed, ok):
    installed(LISTED["fine"][0])
    assert registry.metric_class("Other").__doc__ == "Says what it is."
    (found,) = [one for one in describe_metrics().metrics if one.name == "other"]
    assert found.name == "other"
    [listed] = [line for line in ok("metrics").splitlines() if line.startswith("other ")]
    assert listed.endswith("Says what it is.")


@pytest.mark.parametrize("case", [name for name in LISTED if name != "fine"])
def test_a_broken_plugin_is_one_line_and_harms_no_other(installed, ok, refused, case):
    entry, problem = LISTED[case]
    name = entry.split()[0]
    installed(entry)
    line = f"the metric '{name}' of the package made-up"
    out = ok("metrics", "-f", "json")
    assert line in out
    assert problem in out
    assert '"maxsim"' in out
    files = ["-r", TEXTS / "reference.txt", TEXTS / "free.txt"]
    message = refused("score", "-m", name, *files)
    assert message.count("\n") == 1
    assert line in message
    assert problem in message
    ok("score", "-m", "mup", *files)


def test_our_own_names_are_ours(installed, ok):
    installed("mup = made_up:Other")
    assert registry.metric_class("mup").__module__.startswith("otherwords.")
    assert "has the name of a metric of otherwords, which is used instead" in ok(
        "metrics", "-f", "json"
    )


def test_an_unknown_name_may_be_near_that_of_a_plugin(installed, refused):
    installed(LISTED["fine"][0])
    files = ["-r", TEXTS / "reference.txt", TEXTS / "free.txt"]
    assert "did you mean 'other'?" in refused("score", "-m", "othr", *files)


def test_known_metrics_do_not_look_for_plugins():
    code = (
        "import sys, otherwords; otherwords.score('mup', ['a'], ['a']); "
        "sys.exit('otherwords.metrics.registry' not in sys.modules or "
        "sys.modules['otherwords.metrics.registry']._plugins.cache_info().misses)"
    )
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


@pytest.mark.long
def test_the_example_is_listed_in_a_fresh_environment(tmp_path):
    """The package is installed by pip; otherwords itself is seen from the one that runs this."""
    subprocess.run([sys.executable, "-m", "venv", tmp_path], check=True)
    python = tmp_path / "bin" / "python"
    copy = tmp_path / "plugin"
    subprocess.run(["cp", "-r", EXAMPLE, copy], check=True)  # pip writes into the folder
    install = [python, "-m", "pip", "install", "--quiet", "--no-deps", copy]
    subprocess.run(install, check=True)
    seen = os.pathsep.join(path for path in sys.path if path and Path(path).is_dir())
    environment = {**os.environ, "PYTHONPATH": seen}

    def command(*argv):
        done = subprocess.run(
            [python, "-m", "otherwords", *argv], env=environment, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    assert re.search(r"^length-ratio +0 to 1 +higher", command("metrics"), re.M)
    files = ["-r", TEXTS / "reference.txt", TEXTS / "free.txt", TEXTS / "careful.txt"]
    out = command("score", "-m", "length-ratio,mup", *files, "--paired", "bootstrap", "-f", "json")
    assert '"length-ratio|v:1|unit:characters|' in out


FAILING = """
import otherwords
from otherwords.metrics.base import MeanMetric, Traits
class Other(MeanMetric):
    name = "other"
    traits = Traits(0.0, 1.0)
    columns = ("score", "segments")
    def signature_parts(self):
        return {}
    def compute(self, segments, threads):
        import sys
        import numpy
        n = len(segments.hypotheses)
        BODY
    def from_sums(self, sums):
        return SCORE
"""
ONE = "float(sums[0] / sums[-1])"
EXIT = "__import__('click').exceptions.Exit(0)"
FAILURES = {
    "exit": ("sys.exit(0)", ONE, 2, "tried to end the program"),
    "inf": ("return numpy.full((n, 2), numpy.inf)", ONE, 2, "a statistic that is not finite"),
    "nan": ("return numpy.full((n, 2), numpy.nan)", ONE, 2, "a statistic that is not finite"),
    "few": ("return numpy.ones((1, 2))", ONE, 2, "gave statistics of the shape (1, 2)"),
    "score": ("return numpy.ones((n, 2))", "float('inf')", 2, "gave the score inf"),
    "none": ("return numpy.ones((n, 2))", "None", 2, "gave the score None"),
    "text": ("return numpy.ones((n, 2))", "'1'", 2, "gave the score '1'"),
    "large": ("return numpy.ones((n, 2))", "10**400", 2, "gave the score 1000"),
    "range": ("return numpy.ones((n, 2))", "5.0", 2, "gave the score 5.0"),
    "zero": ("return numpy.zeros((n, 2))", "sums[0] / sums[-1]", 2, "gave the score "),
    "complex": ("return numpy.full((n, 2), 1j)", ONE, 2, "gave are complex numbers"),
    "objects": ("return numpy.full((n, 2), None)", ONE, 2, "gave are no numbers"),
    "file": ("return open('/nothing')", ONE, 2, "failed: [Errno 2] No such file"),
    "click": (f"raise {EXIT}", ONE, 3, "a defect of"),
    "click-score": ("return numpy.ones((n, 2))", f"(_ for _ in ()).throw({EXIT})", 3, "a defect"),
    "leave": ("return numpy.ones((n, 2))", "__import__('sys').exit(0)", 3, "a defect of"),
    "crash": ("raise RuntimeError('no')", ONE, 3, "a defect of otherwords or of a plug-in"),
}


@pytest.mark.parametrize("words", [["gate", "--fail-under", "0"], ["score", "-f", "json"]])
@pytest.mark.parametrize("case", FAILURES)
def test_a_plugin_that_fails_gives_no_answer(case, words, tmp_path):
    """Neither code 0 (all rules kept) nor 1 (a rule is broken)."""
    body, score, code, message = FAILURES[case]
    source = FAILING.replace("BODY", body).replace("SCORE", score)
    (tmp_path / "made_up.py").write_text(source)
    program = (
        "import sys; from otherwords.metrics.registry import register; import made_up; "
        "register(made_up.Other); from otherwords.cli import entry; entry()"
    )
    files = ["-r", TEXTS / "reference.txt", TEXTS / "free.txt"]
    done = subprocess.run(
        [sys.executable, "-c", program, *words, "-m", "other", *files],
        env={**os.environ, "PYTHONPATH": f"{tmp_path}:{os.environ.get('PYTHONPATH', '')}"},
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stdout) == (code, ""), done.stderr
    assert message in done.stderr

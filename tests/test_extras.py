"""`pip install otherwords` is enough for scoring; what needs more says how to get it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import numpy as np
import pytest
import scipy.special

import otherwords
from otherwords.errors import EXTRA_OF, MissingExtraError, require
from otherwords.stats.distributions import normal_cdf, t_cdf, t_quantile

ROOT = Path(__file__).parents[1]
PACKAGE = str(Path(otherwords.__file__).resolve().parents[1])
TRANSLATION = ROOT / "examples" / "translation"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
LIGHT = (  # an import of any of these fails, as after `pip install otherwords`
    *("duckdb", "pyarrow", "scipy", "sklearn", "pandas", "starlette", "uvicorn"),
    *("pycocoevalcap", "kenlm", "nltk", "rouge_score", "pyspark"),
)
PRELUDE = f"import sys; sys.modules.update(dict.fromkeys({LIGHT!r})); "


def run(code: str, *arguments: str, folder: Path = TRANSLATION) -> subprocess.CompletedProcess:
    return subprocess.run(
        [sys.executable, "-c", PRELUDE + code, *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": PACKAGE},
        capture_output=True,
        text=True,
        check=False,
    )


def command(line: str, folder: Path = TRANSLATION) -> subprocess.CompletedProcess:
    code = "from otherwords.cli import main; sys.exit(main(sys.argv[1:]))"
    return run(code, *line.split(), folder=folder)


@pytest.mark.parametrize(
    "line",
    [
        "score -r reference.txt careful.txt free.txt --ci --paired bootstrap",
        "score -m bleu,chrf++,ter,paraeval-p,paraeval-f,facts,encoder-f1 -r reference.txt free.txt",
        "score -m otherwords-rewrite,pinc -s reference.txt free.txt --segments",
        "compare careful.txt free.txt -r reference.txt -m maxsim --html {out}/page.html",
        "rank ../candidates.jsonl",
        "meta --rows judged.jsonl -m maxsim,bleu --human adequacy --ci --compare all",
        "parametric --gold ../alignment/pairs.jsonl --alignments {out}/links",
        "meta paper parametric --gold ../alignment/pairs.jsonl --alignments {out}/links",
        "meta paper paraeval --rows judged.jsonl -m paraeval-f --human adequacy --interval paper",
        "meta paper pem --rows judged.jsonl --human adequacy -m bleu",
        "report judged.jsonl -m maxsim,bleu --human adequacy -o {out}/report.html",
        "gate free.txt -r reference.txt -m chrf --fail-under chrf=1",
        "controls --rows ../judgement/rows.jsonl -o {out}/controls.jsonl",
        "convert judged.jsonl -o {out}/rows.csv",
        "train combine --rows judged.jsonl --human adequacy --folds 2 -o {out}/my.owm",
        "references reference.txt careful.txt free.txt",
        "metrics",
        "parse reference.txt",
        "model list",
    ],
)
def test_scoring_needs_no_extra(line, tmp_path):
    (tmp_path / "links").write_text("0-0\n" * 4)
    done = command(line.format(out=tmp_path))
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("line", "extra"),
    [
        ("convert judged.jsonl -o {out}/rows.parquet", "resources"),
        ("score -m rouge-l -r reference.txt free.txt", "rouge"),
        ("score -m bleu --rows {out}/rows.parquet", "resources"),
        ("extract phrases --bitext a.tsv --alignment b -o {out}/t.gz", "resources"),
        ("pivot table.gz -o {out}/p.tsv", "resources"),
        ("build -o {out}/m.owm --pivot fr=a.tsv", "resources"),
        ("grammar info g.gz", "resources"),
        ("paradigm overlap --gold g.gz a=a.gz", "resources"),
        ("parametric --gold nosuch.jsonl --table t=nosuch.tsv", "resources"),
        ("meta paper parametric --gold nosuch.jsonl --table t=nosuch.tsv", "resources"),
        ("meta paper pem --protocol --rows not-there.jsonl", "train"),  # before the file is read
        ("train rewrite --rows ../judgement/rows.jsonl -o {out}/m.owm", "train"),
    ],
)
def test_a_missing_extra_is_one_line_with_the_command(line, extra, tmp_path):
    (tmp_path / "rows.parquet").write_bytes(b"PAR1")
    done = command(line.format(out=tmp_path))
    assert done.returncode == 2
    assert done.stderr.startswith("otherwords: ")
    assert len(done.stderr.splitlines()) == 1
    assert f"pip install 'otherwords[{extra}]'" in done.stderr


def test_a_missing_extra_from_python():
    done = run("import otherwords.build.phrases; otherwords.build.phrases.extract")
    assert "MissingExtraError: this needs the package pyarrow" in done.stderr
    assert issubclass(MissingExtraError, ImportError)
    assert require("numpy") is None


def test_no_module_needs_a_posix_module_to_be_imported(tmp_path):
    """As on Windows, where portalocker has other means to lock the studio's log."""
    posix = ("fcntl", "resource", "pwd", "grp", "termios", "pty", "tty")
    code = f"""
import importlib, os, pkgutil, sys, traceback, types
sys.modules.update(dict.fromkeys({posix!r}))
locked = []
sys.modules["portalocker"] = types.SimpleNamespace(
    LockFlags=types.SimpleNamespace(EXCLUSIVE=1, NON_BLOCKING=2),
    exceptions=types.SimpleNamespace(BaseLockException=KeyError),
    lock=lambda file, flags: locked.append((file.fileno(), flags)),
)
del os.pread
import otherwords
for one in pkgutil.walk_packages(otherwords.__path__, "otherwords."):
    if one.name.endswith("__main__"):
        continue
    try:
        importlib.import_module(one.name)
    except ModuleNotFoundError as error:
        # packages of adapters may be missing, or need such a module
        place = traceback.extract_tb(error.__traceback__)[-1].filename
        if error.name in {posix!r} and place.startswith(otherwords.__path__[0]):
            raise
from otherwords.study.studio.log import Log
for time in range(2):
    with Log("work.log", "alignment") as log:
        log.append({{"kind": "done"}})
        assert locked[time] == (log._file, 3)
print(*(event["kind"] for event in log.events))
"""
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": PACKAGE},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.endswith("log done done\n"), done.stderr


def test_every_extra_that_an_error_names_is_there():
    extras = PROJECT["optional-dependencies"]
    for package, extra in EXTRA_OF.items():
        distribution = {"sklearn": "scikit-learn"}.get(package, package).replace("_", "-")
        assert any(one.startswith(distribution) for one in extras[extra]), package
        assert not any(one.startswith(distribution) for one in PROJECT["dependencies"])


def test_the_extras_are_those_of_the_page():
    """Every extra that an error names is in the table, and `all` brings what the table says."""
    page = (ROOT / "docs" / "reference" / "index.md").read_text(encoding="utf-8")
    table = page.partition("## Extras")[2]
    rows = dict(re.findall(r"^\| `(\w+)` \| (.+?) \|", table, re.MULTILINE))
    everything = rows.pop("all")
    assert set(rows) == set(EXTRA_OF.values())
    [brought] = re.findall(r"\[(.+)\]", PROJECT["optional-dependencies"]["all"][0])
    assert set(brought.split(",")) == set(rows) - set(re.findall(r"`(\w+)`", everything))


def test_one_version():
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"\nversion: {otherwords.__version__}\n" in citation
    assert PROJECT["version"] == otherwords.__version__
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert otherwords.__version__ in changes


def test_distributions_are_those_of_scipy():
    for freedom in (1, 2, 3, 7, 30, 999, 99_999):
        for t in (-30.0, -3.0, -0.01, 0.0, 0.5, 5.0):
            assert t_cdf(freedom, t) == pytest.approx(scipy.special.stdtr(freedom, t), rel=1e-8)
        for p in (0.05, 0.6, 0.975, 0.9995):
            expected = scipy.special.stdtrit(freedom, p)
            assert t_quantile(freedom, p) == pytest.approx(expected, rel=1e-8)
    x = np.linspace(-8, 8, 101).reshape(1, 101)
    np.testing.assert_allclose(normal_cdf(x), scipy.special.ndtr(x), rtol=1e-12)

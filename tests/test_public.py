"""The public names: listed by `dir`, loadable, and never hidden by a module of the same name."""

from __future__ import annotations

import pkgutil
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType

import pytest

import otherwords

PACKAGES = [
    "build.bitext build.engine build.generation build.grammar build.lm build.phrases "
    "build.pipeline build.trees study.agreement study.papers study.paradigm study.parametric "
    "study.report study.studio study.training"
]


@pytest.mark.parametrize("name", " ".join(PACKAGES).split())
def test_public_names_load_and_are_listed(name):
    package = import_module(f"otherwords.{name}")
    assert package.__all__
    assert sorted(package.__all__) == sorted(set(package.__all__))
    assert set(package.__all__) <= set(dir(package))
    missing = set() if find_spec("pyspark") else {"spark", "SparkEngine"}
    for module in pkgutil.iter_modules(package.__path__):
        if module.name not in missing:
            import_module(f"{package.__name__}.{module.name}")
    for public in set(package.__all__) - missing:
        value = getattr(package, public)
        below = isinstance(value, ModuleType) and hasattr(value, "__path__")
        assert below or not isinstance(value, ModuleType), f"a module hides {public}"


def test_training_has_what_its_functions_take():
    from otherwords.study import training

    assert set(training.FAMILIES) >= {"encoder", "words"}
    with pytest.raises(otherwords.UsageError, match="unknown kind of control 'nosuch'"):
        training.controls_of([(None, "It rains.")], kinds=["nosuch"])


def test_one_path_stands_for_itself(tmp_path):
    from otherwords.build import bitext, lm
    from otherwords.build.trees.parser import parse_files
    from otherwords.corpus.inputs import read_rows
    from otherwords.corpus.parallel import read_parallel
    from otherwords.corpus.validation import validate_files
    from otherwords.study import agreement, training

    missing = tmp_path / "missing.jsonl"
    for call in (
        validate_files,
        agreement.read_judged,
        bitext.align_files,
        lambda path: lm.estimate_files(path, str(tmp_path / "x.arpa")),
        lambda path: list(read_rows(path)),
        lambda path: list(read_parallel(path)),
        lambda path: list(parse_files(path)),
        lambda path: training.train_pem(path, str(tmp_path / "x.owm")),
        lambda path: training.train_combination(path, str(tmp_path / "x.owm")),
    ):
        for path in (str(missing), missing):
            with pytest.raises(otherwords.InputError, match=r"missing\.jsonl"):
                call(path)

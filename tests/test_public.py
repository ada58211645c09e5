"""The public names: listed by `dir`, loadable, and never hidden by a module of the same name."""

from __future__ import annotations

import pkgutil
from importlib import import_module

import pytest

PACKAGES = [
    "bitext corpus diagnostics engine grammar io lm meta meta.papers phrases report scoring "
    "scoring.comparison stats tables text"
]


@pytest.mark.parametrize("name", " ".join(PACKAGES).split())
def test_public_names_load_and_are_listed(name):
    package = import_module(f"otherwords.{name}")
    modules = {one.name for one in pkgutil.iter_modules(package.__path__)}
    assert package.__all__
    assert sorted(package.__all__) == sorted(set(package.__all__))
    assert modules.isdisjoint(package.__all__), "a module would hide a name when it is imported"
    assert set(package.__all__) <= set(dir(package))
    for public in package.__all__:
        assert getattr(package, public) is not None

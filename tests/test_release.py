"""A release is published only from a consistent tree, by actions that are pinned."""

from __future__ import annotations

import re
import shutil
import tomllib
from pathlib import Path

import pytest
from tools.release import problems, version_of

ROOT = Path(__file__).parents[1]
FILES = (
    "pyproject.toml",
    "CITATION.cff",
    "CHANGELOG.md",
    "conda/recipe.yaml",
    "multilingual/pyproject.toml",
    "src/otherwords/__init__.py",
)


@pytest.fixture
def tree(tmp_path):
    for name in FILES:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    entry = tmp_path / "CHANGELOG.md"
    entry.write_text(
        re.sub(r"^(## \S+) \(.+\)$", r"\1 (2026-01-31)", entry.read_text(), flags=re.M)
    )
    return tmp_path


def test_a_dated_tree_with_one_version_can_be_released(tree):
    assert list(problems(tree, f"v{version_of(tree)}")) == []


@pytest.mark.parametrize("name", FILES[1:])
def test_another_version_is_found(tree, name):
    path = tree / name
    path.write_text(path.read_text().replace(version_of(tree), "9.9.9"))
    [found] = problems(tree)
    assert name in found


def test_a_tag_and_a_date_are_checked(tree):
    assert "the tag is v9" in next(problems(tree, "v9"))
    assert list(problems(ROOT)) in ([], ["CHANGELOG.md: 0.3.0 has no date, but 'unreleased'"])


def test_the_recipe_has_the_dependencies_of_the_package():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    recipe = (ROOT / "conda" / "recipe.yaml").read_text(encoding="utf-8")
    for part, declared in (
        ("run", project["project"]["dependencies"]),
        ("host", project["build-system"]["requires"]),
    ):
        listed = re.search(rf"^  {part}:\n((?:    - .*\n)+)", recipe, re.M)[1].split("\n    - ")
        found = {line.removeprefix("    - ").replace(" ", "").strip() for line in listed}
        assert found - {"python", "pip"} == {each.lower() for each in declared}


def test_packages_of_extras_are_built_with_the_release():
    """An extra that needs a package of this tree could not be installed without it."""
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    ours = re.findall(r"otherwords-(\w+)==", str(extras["optional-dependencies"]))
    text = (ROOT / ".github" / "workflows" / "wheels.yml").read_text(encoding="utf-8")
    for name in ours:
        assert (ROOT / name / "pyproject.toml").is_file()
        assert re.search(rf"build==\S+ --wheel --outdir dist {name}\b", text), name


@pytest.mark.parametrize("name", ["test", "wheels"])
def test_actions_are_pinned_and_permissions_stated(name):
    text = (ROOT / ".github" / "workflows" / f"{name}.yml").read_text(encoding="utf-8")
    used = re.findall(r"uses: (\S+)", text)
    assert used
    assert all(re.fullmatch(r"[\w./-]+@[0-9a-f]{40}", action) for action in used)
    assert re.search(r"^permissions:", text, re.MULTILINE)

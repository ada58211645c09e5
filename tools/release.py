"""Check that a release is consistent: one version everywhere, a dated changelog entry, the tag.

    python tools/release.py [TAG]

Prints what is wrong, one line each, and exits with 1, or prints the version and exits with 0.
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]


def problems(root: Path, tag: str | None = None) -> Iterator[str]:
    """What keeps this tree from being released."""
    version = version_of(root)
    places = {
        "src/otherwords/__init__.py": r'^__version__ = "(.+)"$',
        "CITATION.cff": r"^version: (.+)$",
        "multilingual/pyproject.toml": r'^version = "(.+)"$',
        "pyproject.toml": r'^multilingual = \["otherwords-multilingual==(.+)"\]$',
        "conda/recipe.yaml": r'^  version: "(.+)"$',
    }
    for path, pattern in places.items():
        found = re.search(pattern, (root / path).read_text(encoding="utf-8"), re.MULTILINE)
        if found is None or found[1] != version:
            shown = found[1] if found else "no version"
            yield f"{path}: {shown}, but pyproject.toml has {version}"
    changelog = (root / "CHANGELOG.md").read_text(encoding="utf-8")
    first = re.search(r"^## (\S+) \((.+)\)$", changelog, re.MULTILINE)
    if first is None or first[1] != version:
        yield f"CHANGELOG.md: the first entry is not '## {version} (YYYY-MM-DD)'"
    elif not re.fullmatch(r"\d{4}-\d{2}-\d{2}", first[2]):
        yield f"CHANGELOG.md: {version} has no date, but '{first[2]}'"
    if tag is not None and tag != f"v{version}":
        yield f"the tag is {tag}, but v{version} is expected"


def version_of(root: Path) -> str:
    """The version in pyproject.toml."""
    text = (root / "pyproject.toml").read_text(encoding="utf-8")
    return str(tomllib.loads(text)["project"]["version"])


def main(arguments: list[str]) -> int:
    """Print the problems, or the version if there are none."""
    found = list(problems(ROOT, arguments[0] if arguments else None))
    print("\n".join(found) or f"{version_of(ROOT)} can be released")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

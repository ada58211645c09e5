"""What an installation takes on the disk: the package, and what each extra adds.

    python -m bench.install_size

Sizes are those of the files of all packages that `pip install otherwords[EXTRA]` brings, as they
are in this environment; packages that are not installed here are listed.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
EXTRAS = ("", "resources", "train", "studio", "report", "rouge", "all")


def main() -> None:
    """Print the table."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    own = size_of_folder(ROOT / "src" / "otherwords")
    print("| install | packages | MB | largest |\n|---|---|---|---|")
    for extra in EXTRAS:
        wanted = [*project["dependencies"], *of_extra(project, extra)]
        show(f"`otherwords[{extra}]`" if extra else "`otherwords`", closure(wanted), own)


def of_extra(project: dict, extra: str) -> list[str]:
    """What an extra asks for; one that names others of ours is replaced by what they ask for."""
    found: list[str] = []
    for text in project["optional-dependencies"].get(extra, []):
        one = Requirement(text)
        if one.name == project["name"]:
            found += [more for name in sorted(one.extras) for more in of_extra(project, name)]
        else:
            found.append(text)
    return found


def closure(wanted: Iterable[str]) -> dict[str, int | None]:
    """The bytes of all packages that these need, None if one is not installed here."""
    found: dict[str, int | None] = {}
    left = [Requirement(text) for text in wanted]
    while left:
        one = left.pop()
        name = canonicalize_name(one.name)
        if name in found:
            continue
        try:
            there = distribution(name)
        except PackageNotFoundError:
            found[name] = None
            continue
        paths = [Path(str(file.locate())) for file in there.files or []]
        found[name] = sum(path.stat().st_size for path in paths if path.is_file())
        for text in there.requires or []:
            more = Requirement(text)
            if more.marker is None or more.marker.evaluate({"extra": ""}):
                left.append(more)
    return found


def size_of_folder(folder: Path) -> int:
    """The bytes of the package itself, without compiled modules."""
    kept = (path for path in folder.rglob("*") if "__pycache__" not in path.parts)
    return sum(path.stat().st_size for path in kept if path.is_file())


def show(title: str, packages: dict[str, int | None], own: int) -> None:
    """One row."""
    sizes = {name: size for name, size in packages.items() if size is not None}
    largest = sorted(sizes, key=lambda name: -sizes[name])[:4]
    shown = ", ".join(f"{name} {sizes[name] / 1e6:.0f}" for name in largest)
    missing = sorted(name for name, size in packages.items() if size is None)
    shown += f"; not installed here: {', '.join(missing)}" if missing else ""
    print(f"| {title} | {len(packages) + 1} | {(sum(sizes.values()) + own) / 1e6:.0f} | {shown} |")


if __name__ == "__main__":
    main()

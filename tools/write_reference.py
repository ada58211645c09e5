"""The generated pages of the site: commands from the command line, the API from its packages,
the reports of the gallery from `examples/translation`.

    python tools/write_reference.py docs/reference

`make docs` runs it before MkDocs. The pages are not kept in the repository.
"""

from __future__ import annotations

import inspect
import pkgutil
import re
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import otherwords
from otherwords.cli import main as run_command
from otherwords.cli.app import COMMANDS, command

PARTS = {  # the packages of each part that users import from, in the order of the flow of data
    "score": ("tables", "stats", "text", "corpus", "metrics"),
    "build": ("bitext", "lm", "phrases", "grammar", "generation", "pipeline"),
    "study": ("agreement", "papers", "parametric", "paradigm", "training", "report", "studio"),
}
EXAMPLES = Path(__file__).parents[1] / "examples" / "translation"
GALLERY = {  # what the pages of the gallery are written by
    "report.html": "report judged.jsonl -m maxsim,bleu --human adequacy -o",
    "compare.html": "compare literal.txt careful.txt -r reference.txt -m chrf -o {}.txt --html",
}
ENTRY = ("score", "compare", "rank", "gate", "metric", "Result", "Results", "ComparisonResult")


def main(folder: Path) -> None:
    """Write all pages into the folder."""
    for name, text in (*command_pages(), *api_pages()):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    write_gallery(folder / "gallery")


def write_gallery(folder: Path) -> None:
    """Write the reports of the examples, as their commands write them."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, line in GALLERY.items():
        path = folder / name
        words = [word.format(path) if "{}" in word else word for word in line.split()]
        words = [str(EXAMPLES / word) if (EXAMPLES / word).is_file() else word for word in words]
        if run_command([*words, str(path)]) != 0:
            raise SystemExit(f"otherwords {line} {path} failed")
        path.with_name(f"{name}.txt").unlink(missing_ok=True)  # the tables of `compare`


def command_pages() -> Iterator[tuple[str, str]]:
    """One page for each panel of `otherwords --help`."""
    root = command()
    context = root.make_context("otherwords", [], resilient_parsing=True)
    for panel, tree in COMMANDS.items():
        parts = [f"# {panel}\n"]
        for name in tree:
            parts += described(root.get_command(context, name), name, context)
        yield f"commands/{slug(panel)}.md", "\n".join(parts)


def described(run: Any, name: str, above: Any, level: int = 2) -> Iterator[str]:
    """A command with its options, then the commands of its group."""
    context = run.make_context(name, [], parent=above, resilient_parsing=True)
    yield f"{'#' * level} `{context.command_path}`\n"
    yield f"{plain(run.help or '')}\n"
    if hasattr(run, "panels"):
        for tree in run.panels.values():
            for below in tree:
                yield from described(run.get_command(context, below), below, context, level + 1)
        return
    yield f"```text\n{run.get_usage(context).removeprefix('Usage: ')}\n```\n"
    yield "| option | what it does |\n|---|---|"
    for parameter in run.get_params(context):
        record = parameter.get_help_record(context)
        if record is not None:
            names = parameter.metavar if parameter.param_type_name == "argument" else record[0]
            names = re.sub(r"<(?:list\[)?(.*?)(?: range)?\]?>", r"<\1>", names)
            yield f"| `{cell(names)}` | {cell(plain(record[1]))} |"
    yield ""


def plain(text: str) -> str:
    """Help as Markdown: what looks like markup is text, a paragraph is one line."""
    paragraphs = text.replace("\b", "").strip().split("\n\n")
    joined = "\n\n".join(" ".join(one.split()) for one in paragraphs)
    return re.sub(r"([*_<\[\]])", r"\\\1", joined)


def cell(text: str) -> str:
    """Text in a cell of a table."""
    return text.replace("|", "\\|").replace("\n", " ")


def api_pages() -> Iterator[tuple[str, str]]:
    """The functions that most programs need, then one page for each part."""
    listed = "".join(f"::: {home(otherwords, name)}\n\n" for name in ENTRY)
    yield "api/otherwords.md", f"# otherwords\n\n{otherwords.__doc__.splitlines()[0]}\n\n{listed}"
    for part, packages in PARTS.items():
        above = "otherwords" if part == "score" else f"otherwords.{part}"
        sections = [package_section(f"{above}.{package}") for package in packages]
        yield f"api/{part}.md", f"# {part.upper()}\n\n" + "".join(sections)


def package_section(name: str) -> str:
    """A package's first sentence and its public names: its own, or those of its modules."""
    package = import_module(name)
    modules = [package]
    if not hasattr(package, "__all__"):
        below = sorted(module.name for module in pkgutil.iter_modules(package.__path__))
        modules = [import_module(f"{name}.{module}") for module in below if module != "spacy"]
    names = dict.fromkeys(
        home(module, public) for module in modules for public in public_names(module)
    )
    doc = (package.__doc__ or "").split("\n\n")[0]
    return f"## {name}\n\n{doc}\n\n" + "".join(f"::: {public}\n\n" for public in names)


def public_names(module: Any) -> list[str]:
    """The classes and functions of `__all__`, or those that the module defines."""
    names = getattr(module, "__all__", None) or [
        name
        for name, value in vars(module).items()
        if not name.startswith("_") and getattr(value, "__module__", "") == module.__name__
    ]
    kinds = (inspect.isclass, inspect.isfunction)
    return [name for name in names if any(is_kind(getattr(module, name)) for is_kind in kinds)]


def home(module: Any, name: str) -> str:
    """A public name with the module that defines it."""
    value = getattr(module, name)
    return f"{getattr(value, '__module__', None) or module.__name__}.{name}"


def slug(title: str) -> str:
    """A title as the name of a file."""
    return re.sub(r"[^a-z]+", "-", title.lower())


if __name__ == "__main__":
    main(Path(sys.argv[1]))

"""The generated pages of the site: commands from the command line, the API from its packages,
the reports of the gallery from `examples/translation`.

    python tools/write_reference.py docs/reference

`make docs` runs it before MkDocs. The pages are not kept in the repository.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import otherwords
from otherwords.cli import main as run_command
from otherwords.cli.app import COMMANDS, command

PACKAGES = (  # in the order of the flow of data
    *("io", "tables", "stats", "text", "encoders", "corpus", "engine", "lm", "bitext", "phrases"),
    *("grammar", "metrics", "scoring", "generation", "meta", "diagnostics", "training", "pipeline"),
    *("report", "studio"),
)
EXAMPLES = Path(__file__).parents[1] / "examples" / "translation"
GALLERY = {  # what the pages of the gallery are written by
    "report.html": "report judged.jsonl -m maxsim,bleu --human adequacy -o",
    "compare.html": "compare literal.txt careful.txt -r reference.txt -m chrf -o {}.txt --html",
}
ENTRY = ("score", "compare", "rank", "gate", "metric", "Result", "Results", "PairedResult")


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
    """The functions that most programs need, then one page for each package."""
    where = public("otherwords")
    listed = "".join(f"::: {where[name]}.{name}\n\n" for name in ENTRY)
    yield "api/otherwords.md", f"# otherwords\n\n{otherwords.__doc__.splitlines()[0]}\n\n{listed}"
    for package in PACKAGES:
        title = f"# otherwords.{package}\n\n"
        doc = (import_module(f"otherwords.{package}").__doc__ or "").split("\n\n")[0]
        names = public(f"otherwords.{package}")
        listed = "".join(f"::: {module}.{name}\n\n" for name, module in sorted(names.items()))
        yield f"api/{package}.md", f"{title}{doc}\n\n{listed}"


def public(package: str) -> dict[str, str]:
    """Public names of a package and the module of each, as its stub lists them."""
    stub = Path(import_module(package).__file__ or "").with_suffix(".pyi")
    found = re.findall(
        r"^from (\S+) import (\w+) as \2$", stub.read_text(encoding="utf-8"), re.MULTILINE
    )
    return {name: module for module, name in found if module != package}


def slug(title: str) -> str:
    """A title as the name of a file."""
    return re.sub(r"[^a-z]+", "-", title.lower())


if __name__ == "__main__":
    main(Path(sys.argv[1]))

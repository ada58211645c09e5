"""The generated pages of the site: commands from the command line, the API from its packages,
the reports of the gallery from `examples/translation`, the pairs and the plot of the front page.

    python tools/write_reference.py docs/reference

`make docs` runs it before Zensical. The pages are not kept in the repository.
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
from otherwords.metrics.drawing import draw, plain_html
from otherwords.study.report.style import stylesheet

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
STUDIO = Path(otherwords.__file__).parent / "study" / "studio" / "pages"
RESULTS = Path(__file__).parents[1] / "docs" / "results.md"
PLOTTED = {  # metrics of the table of results, and their names in the plot
    "otherwords-mt, held out": "otherwords-mt",
    "MiniLM-F1 (neural)": "MiniLM-F1 (neural)",
    "paraeval-f": "paraeval-f",
    "chrF++": "chrF++",
    "METEOR 1.5": "METEOR 1.5",
    "maxsim": "MAXSIM (2008)",
    "sentence BLEU": "BLEU",
}
ENTRY = ("score", "compare", "rank", "gate", "metric", "Result", "Results", "ComparisonResult")


def main(folder: Path) -> None:
    """Write all pages into the folder."""
    for name, text in (*command_pages(), *api_pages()):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    write_gallery(folder / "gallery")
    (folder / "gallery" / "pairs.html").write_text(pairs_page(), encoding="utf-8")
    RESULTS.with_name("agreement.svg").write_text(agreement_plot(), encoding="utf-8")


def pairs_page() -> str:
    """The examples of the studio's page to try rewrites, each with its verdict and drawing."""
    script = (STUDIO / "try.js").read_text("utf-8")
    listed = re.search(r"const EXAMPLES = \{(.*?)\n\};", script, re.DOTALL)
    assert listed is not None
    pairs = []
    for name, original, rewrite in re.findall(r'"(.+?)": \["(.+?)",\s+"(.+?)"\]', listed[1]):
        trial = otherwords.try_text(rewrite, original=original)
        state = " open" if len(pairs) == 1 else ""
        pairs.append(
            f'<details name="pair"{state}><summary>{name[0].upper()}{name[1:]}</summary>'
            f"<p><strong>{plain_html(trial.verdict)}</strong></p>{draw(trial.explanation)}</details>"
        )
    look = stylesheet() + (STUDIO / "try.css").read_text("utf-8") + "body{padding:.5rem 1rem}"
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Six rewrites</title>'
        f'<style>{look}</style></head><body><main id="drawing">{"".join(pairs)}</main></body>\n'
    )


def agreement_plot() -> str:
    """Bars of the means in the table of agreement on the page of results, as an SVG."""
    rows = re.findall(r"^\| (.+?) \|((?: [\d.-]+ \|)+)$", RESULTS.read_text("utf-8"), re.MULTILINE)
    means = {name: float(values.split("|")[4]) for name, values in rows if values.count("|") == 8}
    ranked = sorted(PLOTTED, key=lambda name: -means[name])
    bars = []
    for place, name in enumerate(ranked):
        top, width, kind = 8 + 30 * place, 460 * means[name], "ours" if place == 0 else "peer"
        bars.append(
            f'<text x="150" y="{top + 15}" text-anchor="end">{PLOTTED[name]}</text>'
            f'<rect class="{kind}" x="160" y="{top}" width="{width:.0f}" height="20" rx="3"/>'
            f'<text x="{168 + width:.0f}" y="{top + 15}">{means[name]:.3f}</text>'
        )
    look = (
        "text{font:14px sans-serif;fill:#222}.ours{fill:#0b5cad}.peer{fill:#9fb3c8}"
        "@media(prefers-color-scheme:dark){text{fill:#ddd}.ours{fill:#79b8ff}.peer{fill:#54657a}}"
    )
    size = f'viewBox="0 0 680 {12 + 30 * len(bars)}"'
    drawn = "\n".join(bars)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {size}>\n<style>{look}</style>\n{drawn}\n</svg>\n'
    )


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
        modules = [import_module(f"{name}.{module}") for module in below]
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

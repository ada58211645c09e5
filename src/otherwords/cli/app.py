"""The subcommands put together."""

from __future__ import annotations

from functools import cache
from typing import Annotated, Any

import typer
import typer.main

from otherwords import __version__
from otherwords.cli import (
    align,
    build,
    compare,
    controls,
    extract,
    grammar,
    lemmatize,
    lm,
    meta,
    model,
    paradigm,
    parametric,
    parse,
    pivot,
    rank,
    references,
    report,
    score,
    studio,
    tag,
    tokenize,
    train,
    validate,
)

__all__ = ["command"]


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"otherwords {__version__}")
        raise typer.Exit


def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """Measure how well a text says the same thing in other words."""


@cache
def command() -> Any:
    """The command that runs everything; to make it takes a fifth of a second."""
    app = typer.Typer(
        no_args_is_help=False,
        add_completion=False,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(_root)
    app.command("score")(score.score_command)
    app.command("compare")(compare.compare_command)
    app.command("build")(build.build_command)
    app.command("meta")(meta.meta_command)
    app.command("align")(align.align_command)
    app.command("tokenize")(tokenize.tokenize_command)
    app.command("tag")(tag.tag_command)
    app.command("lemmatize")(lemmatize.lemmatize_command)
    app.command("parse")(parse.parse_command)
    app.command("validate")(validate.validate_command)
    app.add_typer(model.model_commands(), name="model")
    app.add_typer(extract.extract_app(), name="extract")
    app.add_typer(grammar.grammar_commands(), name="grammar")
    app.command("controls")(controls.controls_command)
    app.command("pivot")(pivot.pivot_command)
    app.command("rank")(rank.rank_command)
    app.command("parametric")(parametric.parametric_command)
    app.add_typer(paradigm.paradigm_commands(), name="paradigm")
    app.command("report")(report.report_command)
    app.command("references")(references.references_command)
    app.add_typer(lm.lm_commands(), name="lm")
    app.add_typer(studio.studio_commands(), name="studio")
    app.add_typer(train.train_commands(), name="train")
    return typer.main.get_command(app)

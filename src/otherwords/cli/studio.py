"""`otherwords studio`: local web pages where people align words and judge paraphrases."""

from __future__ import annotations

import typer

from otherwords.cli.studio_export import export_command
from otherwords.cli.studio_judge import judge_command, judges_command

__all__ = ["studio_commands"]


def studio_commands() -> typer.Typer:
    """The group `otherwords studio`."""
    app = typer.Typer(
        rich_markup_mode=None,
        help="Align words, judge paraphrases, look at scores, in a local web page.",
        no_args_is_help=False,
    )
    app.command("judge")(judge_command)
    app.command("judges")(judges_command)
    app.command("export")(export_command)
    return app

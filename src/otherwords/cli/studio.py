"""`otherwords studio`: local web pages where people align words and judge paraphrases."""

from __future__ import annotations

import typer

from otherwords.cli import (
    studio_agreement,
    studio_align,
    studio_export,
    studio_judge,
    studio_show,
)

__all__ = ["studio_commands"]


def studio_commands() -> typer.Typer:
    """The group `otherwords studio`."""
    app = typer.Typer(
        rich_markup_mode=None,
        help="Align words, judge paraphrases, look at scores, in a local web page.",
        no_args_is_help=False,
    )
    app.command("align")(studio_align.align_command)
    app.command("judge")(studio_judge.judge_command)
    app.command("judges")(studio_judge.judges_command)
    app.command("show")(studio_show.show_command)
    app.command("export")(studio_export.export_command)
    app.command("agreement")(studio_agreement.agreement_command)
    return app

"""Options of the commands that decode, each declared once."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from otherwords.cli.options import read

if TYPE_CHECKING:
    from otherwords.generation import Decoder, Search

__all__ = ["Decoding"]

searched = partial(typer.Option, rich_help_panel="Search")


class SearchKind(StrEnum):
    """How much is searched."""

    cube = "cube"
    full = "full"


class PassThrough(StrEnum):
    """Words that may stay as they are."""

    all = "all"
    unknown = "unknown"
    none = "none"


@dataclass(frozen=True)
class Decoding:
    """A grammar, a language model, weights, and how they are searched."""

    grammar: Annotated[
        list[str],
        read(
            "--grammar",
            "-g",
            help="Grammar: Joshua, Thrax or PPDB text, Parquet, or an index; repeatable.",
        ),
    ]
    lm: Annotated[str, read("--lm", help="Language model: ARPA or packed.")]
    weights: Annotated[
        str,
        read("--weights", "-w", help="Weights of features: JSON, or one 'name value' per line."),
    ]
    tokenizer: Annotated[
        str, read("--tokenizer", help="Tokenizer: penn, or none if the text is tokenized.")
    ] = "penn"
    case: Annotated[bool, read("--case", help="Keep case (default: fold it).")] = False
    search: Annotated[
        SearchKind, searched("--search", help="Cube pruning, or full: exhaustive search.")
    ] = SearchKind.cube
    pop_limit: Annotated[
        int | None,
        searched("--pop-limit", help="Candidates of each label and span (default: 200)."),
    ] = None
    span_limit: Annotated[
        int, searched("--span-limit", help="Words that a rule covers at most.")
    ] = 10
    pass_through: Annotated[
        PassThrough, searched("--pass-through", help="Words that may stay as they are.")
    ] = PassThrough.all
    glue: Annotated[bool, searched("--glue/--no-glue", help="Join pieces that no rule joins.")] = (
        True
    )

    @property
    def files(self) -> list[str]:
        """The files that are read."""
        return [*self.grammar, self.lm, self.weights]

    def options(self) -> Search:
        """How the decoder searches."""
        from otherwords.cli.options import given, refuse_idle
        from otherwords.generation import Search

        cube = self.search is SearchKind.cube
        refuse_idle(cube, "--search cube", pop_limit=self.pop_limit)
        limit = given(self.pop_limit, 200) if cube else None
        return Search(limit, self.span_limit, self.pass_through, self.glue)

    def decoder(self, sentences: list[str]) -> Decoder:
        """A decoder for these sentences."""
        from otherwords.generation import open_decoder, read_weights

        weights = read_weights(self.weights)
        return open_decoder(
            self.grammar, self.lm, weights, sentences,
            tokenizer=self.tokenizer, search=self.options(),
        )  # fmt: skip

"""Options of the commands that decode, each declared once."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from typing import TYPE_CHECKING, Annotated

from otherwords.cli.options import read
from otherwords.cli.parameters import Option

if TYPE_CHECKING:
    from otherwords.build.generation.decoder import Search

__all__ = ["Decoding"]

searched = partial(Option, panel="Search")


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
            help="Use this grammar: Joshua, Thrax or PPDB text, Parquet, or an index; repeatable.",
        ),
    ]
    lm: Annotated[str, read("--lm", help="Use this language model: ARPA or packed.")]
    weights: Annotated[
        str,
        read("--weights", "-w", help="Read feature weights: JSON, or one 'name value' per line."),
    ]
    tokenizer: Annotated[
        str, read("--tokenizer", help="Tokenize with penn; none if the text is tokenized already.")
    ] = "penn"
    case: Annotated[bool, read("--case", help="Keep case (default: fold it).")] = False
    search: Annotated[
        SearchKind,
        searched("--search", help="Search with cube pruning (cube) or exhaustively (full)."),
    ] = SearchKind.cube
    pop_limit: Annotated[
        int | None,
        searched(
            "--pop-limit", help="Keep this many candidates of each label and span (default: 200)."
        ),
    ] = None
    span_limit: Annotated[
        int, searched("--span-limit", help="Limit the words that a rule covers.")
    ] = 10
    pass_through: Annotated[
        PassThrough, searched("--pass-through", help="Allow these words to pass through unchanged.")
    ] = PassThrough.all
    glue: Annotated[
        bool, searched("--glue/--no-glue", help="Join neighbouring spans that no rule joins.")
    ] = True

    @property
    def files(self) -> list[str]:
        """The files that are read."""
        return [*self.grammar, self.lm, self.weights]

    def options(self) -> Search:
        """How the decoder searches."""
        from otherwords.build.generation.decoder import Search
        from otherwords.cli.options import given, refuse_idle

        cube = self.search is SearchKind.cube
        refuse_idle(cube, "--search cube", pop_limit=self.pop_limit)
        limit = given(self.pop_limit, 200) if cube else None
        return Search(limit, self.span_limit, self.pass_through, self.glue)

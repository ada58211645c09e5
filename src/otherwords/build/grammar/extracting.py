"""The grammar of an aligned bitext in files: `otherwords extract grammar`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from otherwords.build.bitext.corpus import Bitext
from otherwords.build.bitext.links import read_links
from otherwords.build.bitext.pairs import read_bitext, require_pairs
from otherwords.build.engine.base import Engine
from otherwords.build.engine.parquet import form_of
from otherwords.build.grammar.changing import GRAMMAR_FORMATS
from otherwords.build.grammar.counting import FEATURES, rule_text
from otherwords.build.grammar.extraction import SIDES, build_grammar, extract_rules, limits_of
from otherwords.build.grammar.files import text_chunks
from otherwords.build.grammar.trees import TreeNodes, parsed_nodes, read_tree_nodes
from otherwords.corpus.problems import Finding
from otherwords.errors import InputError, UsageError
from otherwords.io.files import STDIN, Target, write_chunks, write_to
from otherwords.text.language import is_foreign

__all__ = ["extract_grammar"]

HIERO = "hiero"
SAMPLE = 200  # sentences whose language is looked at
FEWEST_WORDS = 50  # of them: a few names are no evidence


def extract_grammar(
    bitext: str,
    alignment: str,
    output: Target,
    *,
    engine: Engine,
    kind: str | None = None,
    labels: Iterable[str] | None = None,
    preset: str | None = None,
    trees: str | None = None,
    tree_side: str = "right",
    form: str | None = None,
    tokenizer: str = "auto",
    case: bool = False,
    warn: Callable[[Finding], None] = lambda finding: None,
    **limits: Any,
) -> None:
    """Write the synchronous grammar of a bitext and its links `i-j`; the left column is the source.

    `kind` is `hiero`, `syntax` or `samt`; the latter two read `trees` of the side `tree_side`, or
    parse it, which must be English then. `labels` names the labels of spans (`constituent`,
    `slash`, `concatenation`, `concatenation3`) and makes the kind `syntax` unless it is given; so
    does the `preset` "paper", PARADIGM's grammar. `limits` are those of `RuleLimits`; one that is
    `None` is that of the kind. `form` is `joshua` or `parquet` (default: by the output's name).
    """
    if kind is None:
        kind = HIERO if labels is None and preset is None else "syntax"
    changes = {name: one for name, one in limits.items() if one is not None}
    chosen = limits_of(kind, labels=labels, preset=preset, **changes)
    _check_inputs(kind, bitext, alignment, trees)
    form = form_of(form, output, GRAMMAR_FORMATS)
    text, _ = read_bitext([bitext], tokenizer, case=case, warn=warn)
    require_pairs(text, bitext)
    links = read_links(alignment, text, bitext)
    place = SIDES.index(tree_side)
    nodes = None
    if trees is not None:
        nodes = read_tree_nodes(trees, text[place], bitext)
    elif kind != HIERO:
        nodes = _parsed(bitext, tokenizer, place, engine)
    if form == "parquet" or engine.distributed:
        path = str(output) if form == "parquet" else str(engine.folder / "rules.parquet")
        grammar = build_grammar(
            *text,
            links,
            path,
            engine=engine,
            kind=kind,
            trees=nodes,
            tree_side=tree_side,
            limits=chosen,
        )
        if form != "parquet":
            with write_to(output) as file:
                file.writelines(text_chunks(grammar.batches(), FEATURES))
        return
    rules = extract_rules(
        *text, links, nodes, limits=chosen, tree_side=tree_side, threads=engine.threads
    )
    lines = rule_text(rules, engine, min_count=chosen.min_count, identity=chosen.identity)
    with write_to(output) as file:
        write_chunks(file, lines)


def _parsed(bitext: str, tokenizer: str, place: int, engine: Engine) -> TreeNodes:
    """The trees of a side, which the parser sees with its case."""
    cased: Bitext = read_bitext([bitext], tokenizer, case=True)[0]
    side = cased[place]
    words = [
        word.lower()
        for number in range(min(SAMPLE, cased.size))
        for word in side.sentence(number)
        if any(letter.isalpha() for letter in word)
    ]
    if len(words) >= FEWEST_WORDS and is_foreign(words):
        raise InputError(
            f"the {SIDES[place]} column, which is to be parsed, does not look like English; choose "
            "the other one (--tree-side), or give trees (--trees; `otherwords parse` makes them)",
            path=bitext,
        )
    return parsed_nodes(side, engine)


def _check_inputs(kind: str, bitext: str, alignment: str, trees: str | None) -> None:
    if (bitext, alignment, trees).count(STDIN) > 1:
        raise UsageError("standard input can be read only once: name files for the others")
    if kind == HIERO and trees is not None:
        raise UsageError(
            "a Hiero grammar uses no trees; leave them out, or choose the kind syntax or samt"
        )
    if kind != HIERO and trees is None and bitext == STDIN:
        raise UsageError("the bitext is read twice to be parsed: name a file, or give trees")

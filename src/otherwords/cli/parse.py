"""`otherwords parse`: parse text into constituency trees, or score them against gold trees."""

from __future__ import annotations

from functools import partial

from otherwords.cli.options import Threads, read, refuse_idle, written
from otherwords.cli.output import Destination, emit
from otherwords.cli.parameters import option
from otherwords.cli.progress import counting
from otherwords.cli.texts import Files, TextTokenizer
from otherwords.errors import UsageError
from otherwords.io.files import STDIN

compared = partial(option, panel="Scores against gold trees")


def parse_command(
    *,
    to: Destination,
    files: Files = None,
    tokenizer: TextTokenizer = "penn",
    model: str | None = read("Use this parser model (default: the embedded one)."),
    parser: str | None = read(
        "Run this command as the parser: it reads tokenized lines and prints brackets."
    ),
    trees: str | None = read(
        "Read trees from this file; exit 1 if their words differ from the text."
    ),
    gold: str | None = compared("Score against these gold trees; without FILE, parse their words."),
    punctuation: str | None = compared("Ignore words with these tags (default: , : `` '' .)."),
    equal: list[str] | None = compared("Treat two labels as equal: A=B; '' for none; repeatable."),
    functions: bool = compared("Compare function labels: NP-SBJ is not NP."),
    pretty: bool = written("Print indented trees (default: one tree per line)."),
    threads: Threads = 1,
) -> int:
    """Parse English text, one sentence per line, into Penn Treebank brackets.

    The trees are the embedded parser's, or a command's (--parser), or a file's (--trees). With
    --gold they are not printed but scored as evalb does.
    """
    from otherwords.build.trees.evalb import Settings, score_parses
    from otherwords.build.trees.parser import MismatchError, TreeSource, parse_files

    to.check(*(files or []), trees, gold)
    source = TreeSource(model, parser, trees, threads)
    try:
        with counting("sentences", streamed=to.output is None) as done:
            if gold is None:
                scoring = {"equal": equal, "punctuation": punctuation, "functions": functions}
                refuse_idle(False, "--gold", format=to.form, **scoring)
                parsed = parse_files(files or [STDIN], source, tokenizer=tokenizer, tick=done)
                emit((tree.pretty() if pretty else str(tree) for tree in parsed), to.output)
            else:
                if pretty:
                    raise UsageError("--pretty is for trees; with --gold scores are printed")
                settings = Settings.of(punctuation, equal, functions=functions)
                scores = score_parses(
                    gold, files or [], source, tokenizer=tokenizer, settings=settings, tick=done
                )
                to.show(scores)
    except MismatchError as error:
        emit(error.lines, None)
        return 1
    return 0

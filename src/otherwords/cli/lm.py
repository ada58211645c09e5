"""`otherwords lm`: estimate n-gram language models, and score text with them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from typing import Annotated

import typer

from otherwords import _native
from otherwords.cli.output import check_output, emit, tsv_line
from otherwords.cli.progress import counting
from otherwords.cli.texts import Files, Output, lines_of
from otherwords.errors import InputError, UsageError
from otherwords.io.files import STDIN, read_lines
from otherwords.lm import LanguageModel, TextEncoder, estimate_ids
from otherwords.lm.estimation import FALLBACK

_BATCH = 4096  # sentences that are scored at a time

Threads = Annotated[int, typer.Option("--threads", help="Threads to use.")]
Case = Annotated[
    bool | None,
    typer.Option("--case/--no-case", help="Keep case; by default only with --tokenizer none."),
]


def estimate_command(
    output: Annotated[
        str, typer.Option("-o", "--output", help="A .arpa, .arpa.gz or .owm file to write.")
    ],
    files: Files = None,
    order: Annotated[int, typer.Option("--order", help="Length of the longest n-grams.")] = 4,
    tokenizer: Annotated[
        str, typer.Option("--tokenizer", help="penn, or none if the text is tokenized.")
    ] = "penn",
    case: Case = None,
    prune: Annotated[
        str, typer.Option("--prune", help="Drop n-grams of at most these counts, e.g. 0,0,1.")
    ] = "0",
    prune_entropy: Annotated[
        float, typer.Option("--prune-entropy", help="Threshold of Stolcke 1998, e.g. 1e-8.")
    ] = 0.0,
    quantize: Annotated[
        int, typer.Option("--quantize", help="Bits of a probability in an .owm file, 2 to 8.")
    ] = 0,
    max_bytes: Annotated[
        int | None, typer.Option("--max-bytes", help="Prune by entropy down to this size (.owm).")
    ] = None,
    min_count: Annotated[
        int, typer.Option("--min-count", help="Words rarer than this count as unknown.")
    ] = 1,
    vocabulary: Annotated[
        str | None, typer.Option("--vocabulary", help="A file of the words to keep, a line each.")
    ] = None,
    skip_symbols: Annotated[
        bool, typer.Option("--skip-symbols", help="Leave <s>, </s> and <unk> in the text out.")
    ] = False,
    fallback: Annotated[
        str, typer.Option("--discount-fallback", help="Discounts for a text that is too small.")
    ] = ",".join(map(str, FALLBACK)),
    threads: Threads = 1,
) -> int:
    """Estimate an interpolated modified Kneser-Ney model of text, a line a sentence."""
    if not output.endswith((".arpa", ".arpa.gz", ".owm")):
        raise UsageError(f"the output must end in .arpa, .arpa.gz or .owm: '{output}'")
    if output.endswith((".arpa", ".arpa.gz")) and (quantize or max_bytes is not None):
        raise UsageError("--quantize and --max-bytes go with an .owm file")
    check_output(output, *(files or []), vocabulary)
    encoder = TextEncoder(tokenizer, case=case, skip_symbols=skip_symbols)
    with counting("sentences read") as done:
        for path in files or [STDIN]:
            encoder.add(_told(read_lines(path), done), path=path)
    tokens, bounds, words = encoder.take()
    model = estimate_ids(
        tokens,
        bounds,
        words,
        order=order,
        prune=_numbers("--prune", prune),
        prune_entropy=prune_entropy,
        quantize=quantize,
        max_bytes=max_bytes,
        min_count=min_count,
        vocabulary=None if vocabulary is None else _vocabulary(vocabulary, encoder.case),
        fallback=_numbers("--discount-fallback", fallback),
        threads=threads,
        tokenizer=tokenizer,
        case=encoder.case,
    )
    model.save(output)
    return 0


def query_command(
    model: Annotated[str, typer.Argument(help="An ARPA file or a packed model.")],
    files: Files = None,
    tokenizer: Annotated[
        str | None, typer.Option("--tokenizer", help="penn or none; by default the model's own.")
    ] = None,
    case: Case = None,
    per_token: Annotated[
        bool, typer.Option("--per-token", help="Token, log10 probability and n-gram length.")
    ] = False,
    summary: Annotated[
        bool, typer.Option("--summary", help="Tokens, unknown words and perplexities only.")
    ] = False,
    output: Output = None,
    threads: Threads = 1,
) -> int:
    """Print the log10 probability of each line, its end included."""
    if per_token and summary:
        raise UsageError("--per-token and --summary exclude each other")
    if model == STDIN and (not files or STDIN in files):
        raise UsageError("standard input cannot be both the model and the text")
    loaded = LanguageModel.load(model, tokenizer=tokenizer, case=case)
    lines = lines_of(files)
    if per_token:
        emit(_token_lines(loaded, lines), output)
    elif summary:
        emit(_summary(loaded, lines, threads), output)
    else:
        emit(_sentence_lines(loaded, lines, threads), output)
    return 0


def _told(lines: Iterator[str], done: Callable[[int], None]) -> Iterator[str]:
    for line in lines:
        yield line
        done(1)


def _vocabulary(path: str, case: bool) -> set[str]:
    """The words of a file, a line each, in lower case unless case is kept."""
    words = set()
    for number, line in enumerate(read_lines(path), 1):
        word = line.strip()
        if len(word.split()) > 1:
            raise InputError("one word a line is needed", path=path, line=number)
        words.add(word if case else _native.lower(word))
    if not words - {""}:
        raise InputError("there are no words here", path=path, code="E105")
    return words


def _numbers(option: str, text: str) -> list[float]:
    try:
        return [float(part) for part in text.replace(",", " ").split()]
    except ValueError as error:
        raise UsageError(f"{option} takes numbers with commas between them: '{text}'") from error


def _batches(lines: Iterator[str]) -> Iterator[list[str]]:
    while batch := list(islice(lines, _BATCH)):
        yield batch


def _sentence_lines(model: LanguageModel, lines: Iterator[str], threads: int) -> Iterator[str]:
    for batch in _batches(lines):
        for log10 in model.score(batch, threads=threads):
            yield f"{log10:.6f}"


def _token_lines(model: LanguageModel, lines: Iterator[str]) -> Iterator[str]:
    """A token a line, an empty line after each sentence."""
    for line in lines:
        for word, log10, length in model.tokens(line):
            yield tsv_line([word, f"{log10:.6f}", length])
        yield ""


def _summary(model: LanguageModel, lines: Iterator[str], threads: int) -> Iterator[str]:
    scores = model.scores(list(lines), threads=threads)
    yield tsv_line(["sentences", len(scores.tokens)])
    yield tsv_line(["tokens", scores.tokens.sum()])
    yield tsv_line(["unknown", scores.unknown.sum()])
    yield tsv_line(["log10 probability", f"{scores.log10.sum():.4f}"])
    yield tsv_line(["perplexity", f"{scores.perplexity():.4f}"])
    yield tsv_line(["perplexity without unknown", f"{scores.perplexity(unknown=False):.4f}"])

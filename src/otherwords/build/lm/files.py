"""Language models of files of text, and files scored with them: `otherwords lm`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from otherwords import _native
from otherwords.build.lm.estimation import estimate_ids
from otherwords.build.lm.text import TextEncoder
from otherwords.errors import InputError, UsageError
from otherwords.io.files import STDIN, counted, lines_of, paths_of, read_lines
from otherwords.models.language_model import LanguageModel
from otherwords.tables.formats import one_line
from otherwords.tables.table import Column, Table
from otherwords.tables.tabular import Tabular

__all__ = ["PerplexityResult", "estimate_files", "perplexity", "query_lines"]

_BATCH = 4096  # sentences that are scored at a time
_ENDINGS = (".arpa", ".arpa.gz", ".owm")


@dataclass(frozen=True)
class PerplexityResult(Tabular):
    """The perplexity of a text by a model, with its size and its unknown words."""

    sentences: int
    tokens: int
    unknown: int
    log10: float
    perplexity: float
    perplexity_of_known: float  # without unknown words

    def tables(self) -> Iterator[Table]:
        """One row per measure."""
        yield Table(
            "summary",
            [Column("measure", left=True), Column("value")],
            [
                ["sentences", self.sentences],
                ["tokens", self.tokens],
                ["unknown", self.unknown],
                ["log10 probability", self.log10],
                ["perplexity", self.perplexity],
                ["perplexity without unknown", self.perplexity_of_known],
            ],
        )


def estimate_files(
    files: Sequence[str],
    output: str,
    *,
    tokenizer: str = "penn",
    case: bool | None = None,
    skip_symbols: bool = False,
    quantize: int = 0,
    max_bytes: int | None = None,
    vocabulary: str | None = None,
    tick: Callable[[int], None] = lambda done: None,
    **options: Any,
) -> LanguageModel:
    """Estimate a model from files, one sentence per line, and write it to `output`.

    The name decides the format: .arpa, .arpa.gz or .owm. `vocabulary` is a file of the words to
    keep, one per line. Further options are those of `estimate_ids`; `tick` is called with how many
    more sentences were read.
    """
    if not output.endswith(_ENDINGS):
        raise UsageError(f"the output must end in .arpa, .arpa.gz or .owm: '{output}'")
    if not output.endswith(".owm") and (quantize or max_bytes is not None):
        raise UsageError("quantization and a size in bytes go with an .owm file")
    encoder = TextEncoder(tokenizer, case=case, skip_symbols=skip_symbols)
    for path in paths_of(files):
        encoder.add(counted(read_lines(path), tick), path=path)
    model = estimate_ids(
        *encoder.take(),
        quantize=quantize,
        max_bytes=max_bytes,
        vocabulary=None if vocabulary is None else _vocabulary(vocabulary, encoder.case),
        tokenizer=tokenizer,
        case=encoder.case,
        **options,
    )
    model.save(output)
    return model


def query_lines(
    model: str,
    files: Sequence[str],
    *,
    tokenizer: str | None = None,
    case: bool | None = None,
    per_token: bool = False,
    threads: int = 1,
) -> Iterator[str]:
    """The log10 probability of each line of the files, its end included, by a model in a file.

    With `per_token`, the token, its log10 probability and the length of its n-gram, with tabs
    between them, one token per line and an empty line after each sentence.
    """
    files = paths_of(files)
    loaded = _loaded(model, files, tokenizer, case)
    lines = lines_of(files)
    if per_token:
        for line in lines:
            for word, log10, length in loaded.tokens(line):
                yield f"{one_line(word)}\t{log10:.6f}\t{length}"
            yield ""
        return
    while batch := list(islice(lines, _BATCH)):
        for log10 in loaded.score(batch, threads=threads):
            yield f"{log10:.6f}"


def perplexity(
    model: str,
    files: Sequence[str],
    *,
    tokenizer: str | None = None,
    case: bool | None = None,
    threads: int = 1,
) -> PerplexityResult:
    """The perplexity of files by a model in a file."""
    files = paths_of(files)
    loaded = _loaded(model, files, tokenizer, case)
    scores = loaded.scores(list(lines_of(files)), threads=threads)
    return PerplexityResult(
        len(scores.tokens),
        int(scores.tokens.sum()),
        int(scores.unknown.sum()),
        float(scores.log10.sum()),
        scores.perplexity(),
        scores.perplexity(unknown=False),
    )


def _loaded(
    model: str, files: Sequence[str], tokenizer: str | None, case: bool | None
) -> LanguageModel:
    if model == STDIN and STDIN in files:
        raise UsageError("standard input cannot be both the model and the text")
    return LanguageModel.load(model, tokenizer=tokenizer, case=case)


def _vocabulary(path: str, case: bool) -> set[str]:
    """The words of a file, one per line, in lower case unless case is kept."""
    words = set()
    for number, line in enumerate(read_lines(path), 1):
        word = line.strip()
        if len(word.split()) > 1:
            raise InputError("one word per line is needed", path=path, line=number)
        words.add(word if case else _native.lower(word))
    if not words - {""}:
        raise InputError("there are no words here", path=path, code="E105")
    return words

"""Files of `otherwords lm`: read and write ARPA and packed models, estimate from and score text."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from otherwords import _build, _native
from otherwords.build.lm.estimation import Estimation, TextEncoder, estimate_ids
from otherwords.errors import InputError, ModelError, UsageError
from otherwords.io.files import (
    BOM,
    STDIN,
    atomic_write,
    counted,
    lines_of,
    paths_of,
    read_bytes,
    read_lines,
)
from otherwords.models import container
from otherwords.models.arrays import hash_words
from otherwords.models.container import MAGIC
from otherwords.models.language_model import KIND, RESERVED, LanguageModel
from otherwords.tables.formats import one_line
from otherwords.tables.table import Column, Table
from otherwords.tables.tabular import Tabular
from otherwords.text.sentence import check_tokenizer

_BATCH = 4096  # sentences scored at a time
_BLOCK = 1 << 16  # n-grams written at a time
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


def load_model(
    path: str | Path, *, tokenizer: str | None = None, case: bool | None = None
) -> LanguageModel:
    """Read an ARPA file (plain or gzip) or a packed model; the content decides which it is.

    Parameters
    ----------
    path
        The file, or `-` for an ARPA file on standard input.
    tokenizer, case
        How texts to score are read. A packed file records it. For an ARPA file the default is
        `penn`, and case is kept if the text is already tokenized or the model has capitals.
    """
    if tokenizer is not None:
        check_tokenizer(tokenizer)
    if str(path) != STDIN and read_bytes(path, len(MAGIC)) == MAGIC:
        return _load_packed(path, tokenizer, case)
    table, words, line, problem = _build.read_arpa(read_bytes(path).removeprefix(BOM))
    if table is None:
        raise InputError(problem, path=path, line=max(line, 1))
    tokenizer = tokenizer or "penn"
    if case is None:
        case = tokenizer == "none" or any(word != _native.lower(word) for word in words)
    try:
        arrays = table.pack(hash_words(words), 0)
        return LanguageModel(arrays, words=words, tokenizer=tokenizer, case=case)
    except ValueError as error:
        raise InputError(str(error), path=path) from error


def _load_packed(path: str | Path, tokenizer: str | None, case: bool | None) -> LanguageModel:
    model = container.read(path, KIND)
    known = model.provenance
    try:
        return LanguageModel(
            model.arrays,
            tokenizer=tokenizer or known.get("tokenizer", "penn"),
            case=bool(known.get("case", False)) if case is None else case,
            provenance=known,
        )
    except (ValueError, TypeError, RuntimeError) as error:
        raise ModelError(f"{path}: the language model is damaged: {error}") from error


def save_model(model: LanguageModel, path: str | Path) -> None:
    """Write a model: as ARPA if the name ends in `.arpa` or `.arpa.gz`, otherwise packed."""
    if not str(path).endswith((".arpa", ".arpa.gz")):
        provenance = {**model.provenance, "tokenizer": model.tokenizer, "case": model.case}
        container.write(path, KIND, model.arrays, provenance)
        return
    if model.words is None:
        raise UsageError(
            "a packed language model has hashes, not words: estimate it again, "
            "or start from an ARPA file"
        )
    blocks = _arpa_blocks(_build.unpack(model.native), [*RESERVED, *model.words])
    with atomic_write(path) as out:
        if not str(path).endswith(".gz"):
            out.writelines(blocks)
            return
        with gzip.GzipFile("", "wb", 6, out, mtime=0) as packed:
            packed.writelines(blocks)


def _arpa_blocks(table: _build.NgramTable, words: list[str]) -> Iterator[bytes]:
    counts = [f"ngram {length}={size}\n" for length, size in enumerate(table.sizes, 1)]
    yield ("\\data\\\n" + "".join(counts)).encode()
    for length, size in enumerate(table.sizes, 1):
        yield f"\n\\{length}-grams:\n".encode()
        for begin in range(0, size, _BLOCK):
            yield table.arpa_block(words, length, begin, begin + _BLOCK)
    yield b"\n\\end\\\n"


def estimate_files(
    files: Sequence[str],
    output: str,
    settings: Estimation | None = None,
    *,
    tokenizer: str = "penn",
    case: bool | None = None,
    threads: int = 1,
    tick: Callable[[int], None] = lambda done: None,
) -> LanguageModel:
    """Estimate a model from files, one sentence per line, and write it to `output`.

    Parameters
    ----------
    files, output
        The text, and the model to write: its name ends in .arpa, .arpa.gz or .owm.
    settings
        Order, pruning and quantization.
    tokenizer, case
        How `TextEncoder` reads the sentences.
    threads
        The number of threads; the model does not depend on it.
    tick
        Called with the number of sentences read since the last call.
    """
    settings = settings or Estimation()
    if not output.endswith(_ENDINGS):
        raise UsageError(f"the output must end in .arpa, .arpa.gz or .owm: '{output}'")
    if not output.endswith(".owm") and (settings.quantize or settings.max_bytes is not None):
        raise UsageError("quantization and a size in bytes go with an .owm file")
    encoder = TextEncoder(tokenizer, case=case)
    for path in paths_of(files):
        encoder.add(counted(read_lines(path), tick), path=path)
    model = estimate_ids(
        *encoder.take(), settings, tokenizer=tokenizer, case=encoder.case, threads=threads
    )
    save_model(model, output)
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
    """Yield the log10 probability of each line of the files, its end included.

    Parameters
    ----------
    model, files
        The ARPA file or packed model, and the text, one sentence per line.
    tokenizer, case
        How the lines are read (default: as the model was trained).
    per_token
        Give one line per token instead: the token, its log10 probability and the length of its
        n-gram, separated by tabs, and an empty line after each sentence.
    threads
        The number of threads; the scores do not depend on it.
    """
    files = paths_of(files)
    loaded = _load_for(model, files, tokenizer, case)
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
    """Compute the perplexity of the lines of files; parameters as in `query_lines`."""
    files = paths_of(files)
    loaded = _load_for(model, files, tokenizer, case)
    scores = loaded.scores(list(lines_of(files)), threads=threads)
    return PerplexityResult(
        len(scores.tokens),
        int(scores.tokens.sum()),
        int(scores.unknown.sum()),
        float(scores.log10.sum()),
        scores.perplexity(),
        scores.perplexity(unknown=False),
    )


def _load_for(
    model: str, files: Sequence[str], tokenizer: str | None, case: bool | None
) -> LanguageModel:
    if model == STDIN and STDIN in files:
        raise UsageError("standard input cannot be both the model and the text")
    return load_model(model, tokenizer=tokenizer, case=case)

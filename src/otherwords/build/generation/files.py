"""`otherwords paraphrase`, `compress` and `tune` as functions of files of sentences."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from otherwords.build.generation.compression import compress
from otherwords.build.generation.decoder import Decoded, Decoder, Search
from otherwords.build.generation.reranking import Reranking
from otherwords.build.generation.tuning import Pro, TuningResult, tune
from otherwords.build.generation.weights import read_weights
from otherwords.build.grammar.rule import number_text
from otherwords.build.lm.files import load_model
from otherwords.errors import InputError
from otherwords.io.arguments import check_whole
from otherwords.io.files import read_lines
from otherwords.tables.table import Cell, Column, Table
from otherwords.tables.tabular import Format, Tabular
from otherwords.text.sentence import tokenize

__all__ = [
    "ParaphraseResult",
    "compress_file",
    "open_decoder",
    "paraphrase_file",
    "read_sentences",
    "tune_file",
]

BLOCK = 64  # sentences decoded at a time
RERANKED = 100  # outputs among which a metric chooses, at least


@dataclass(frozen=True)
class ParaphraseResult(Tabular):
    """The outputs of sentences, best first, and warnings about the model."""

    decoded: tuple[Decoded, ...]
    model_warnings: tuple[str, ...] = ()

    def tables(self) -> list[Table]:
        """One row for each output."""
        columns = [Column("line"), Column("rank"), Column("output"), Column("total", decimals=4)]
        rows: list[list[Cell]] = [
            [str(line), str(rank), output.target, output.total]
            for line, one in enumerate(self.decoded, 1)
            for rank, output in enumerate(one.outputs, 1)
        ]
        return [Table("outputs", columns, rows)]

    def warnings(self) -> Iterator[str]:
        """Those of the model, and sentences without output."""
        yield from self.model_warnings
        lines: dict[str, list[int]] = {}
        for number, one in enumerate(self.decoded, 1):
            if one.note:
                lines.setdefault(one.note, []).append(number)
        for reason, found in lines.items():
            yield f"{_lines(found)}: {reason}"

    def to_dict(self) -> dict[str, Any]:
        """The result as a JSON object."""
        return {"sentences": [one.to_dict() for one in self.decoded]}

    def render(self, form: Format | str = Format.text) -> Iterator[str]:
        """Text is the best output of each line, or Moses' n-best list if there are several."""
        if form == Format.jsonl:
            yield from (json.dumps(one.to_dict(), ensure_ascii=False) for one in self.decoded)
        elif form == Format.text and all(len(one.outputs) < 2 for one in self.decoded):
            yield from (one.outputs[0].target if one.outputs else "" for one in self.decoded)
        elif form == Format.text:
            for number, one in enumerate(self.decoded):
                for output in one.outputs:
                    pairs = output.features.items()
                    features = " ".join(f"{name}={number_text(value)}" for name, value in pairs)
                    yield f"{number} ||| {output.target} ||| {features} ||| {output.total:.6f}"
        else:
            yield from super().render(form)


def _lines(numbers: Sequence[int]) -> str:
    """The first line of some, and how many more there are.

    >>> _lines([3]), _lines([3, 5]), _lines([3, 5, 6])
    ('line 3', 'line 3 and 1 more line', 'line 3 and 2 more lines')
    """
    more = len(numbers) - 1
    if not more:
        return f"line {numbers[0]}"
    return f"line {numbers[0]} and {more} more line{'s' if more > 1 else ''}"


def paraphrase_file(
    file: str | Path,
    grammars: Sequence[str | Path],
    lm: str | Path,
    weights: str | Path,
    *,
    k: int = 1,
    unique: bool = False,
    search: Search | None = None,
    tokenizer: str = "penn",
    case: bool = False,
    rerank: Reranking | str | None = None,
    threads: int = 1,
    progress: Callable[[int], None] = lambda done: None,
) -> ParaphraseResult:
    """The outputs of every line of a file.

    With `rerank` a metric orders the outputs of the decoder (100 at least, of different words),
    and those that it returns differ from each other.
    """
    check_whole("k", k, 1, 100_000)
    reranking = Reranking(rerank) if isinstance(rerank, str) else rerank
    sentences = read_sentences(file, tokenizer, case=case)
    if reranking is not None:
        reranking.check(sentences)
    decoder = open_decoder(
        grammars, lm, read_weights(weights), sentences, tokenizer=tokenizer, search=search
    )
    asked, different = (k, unique) if reranking is None else (max(k, RERANKED), True)
    found: list[Decoded] = []
    for start in range(0, len(sentences), BLOCK):
        block = sentences[start : start + BLOCK]
        made = decoder.decode(block, k=asked, unique=different, threads=threads)
        if reranking is not None:
            made = [reranking.best(one, k, threads=threads) for one in made]
        found += made
        progress(len(block))
    return ParaphraseResult(tuple(found), _warnings(decoder, sentences))


def compress_file(
    file: str | Path,
    grammars: Sequence[str | Path],
    lm: str | Path,
    weights: str | Path,
    *,
    ratio: float = 0.7,
    search: Search | None = None,
    tokenizer: str = "penn",
    case: bool = False,
    threads: int = 1,
) -> ParaphraseResult:
    """Every line of a file, shortened to at most `ratio` of its characters."""
    sentences = read_sentences(file, tokenizer, case=case)
    decoder = open_decoder(
        grammars, lm, read_weights(weights), sentences, tokenizer=tokenizer, search=search
    )
    found = compress(decoder, sentences, ratio=ratio, threads=threads)
    return ParaphraseResult(tuple(found), _warnings(decoder, sentences))


def tune_file(
    file: str | Path,
    references: Sequence[str | Path],
    grammars: Sequence[str | Path],
    lm: str | Path,
    weights: str | Path,
    *,
    metric: str | Mapping[str, float] = "bleu",
    pro: Pro | None = None,
    search: Search | None = None,
    tokenizer: str = "penn",
    case: bool = False,
    resume: str | Path | None = None,
    threads: int = 1,
    progress: Callable[[int], None] = lambda done: None,
) -> TuningResult:
    """Weights by PRO for the lines of a file, starting from those of `weights`."""
    sentences = read_sentences(file, tokenizer, case=case)
    columns = [read_sentences(path, tokenizer, case=case) for path in references]
    for path, lines in zip(references, columns, strict=True):
        if len(lines) != len(sentences):
            message = f"there are {len(lines)} lines here but {len(sentences)} in {file}"
            raise InputError(message, path=str(path))
    decoder = open_decoder(
        grammars, lm, read_weights(weights), sentences, tokenizer=tokenizer, search=search
    )
    result = tune(
        decoder,
        sentences,
        [list(some) for some in zip(*columns, strict=True)],
        metric=metric,
        pro=pro,
        resume=resume,
        threads=threads,
        progress=progress,
    )
    return replace(result, model_warnings=_warnings(decoder, sentences))


def _warnings(decoder: Decoder, sentences: Sequence[str]) -> tuple[str, ...]:
    """The decoder's; without words no rule was read, which says nothing of grammar and weights."""
    return tuple(decoder.warnings()) if any(line.strip() for line in sentences) else ()


def read_sentences(file: str | Path, tokenizer: str = "penn", *, case: bool = False) -> list[str]:
    """The lines of a file as words with spaces between them."""
    lines = list(read_lines(file))
    if tokenizer != "none":
        lines = [" ".join(tokenize(line, tokenizer).tokens) for line in lines]
    return lines if case else [line.lower() for line in lines]


def open_decoder(
    grammars: Sequence[str | Path],
    lm: str | Path,
    weights: dict[str, float],
    sentences: Sequence[str],
    *,
    tokenizer: str = "none",
    search: Search | None = None,
) -> Decoder:
    """A decoder for these sentences."""
    model = load_model(lm, tokenizer=tokenizer)
    return Decoder(list(grammars), model, weights, sentences=sentences, search=search)

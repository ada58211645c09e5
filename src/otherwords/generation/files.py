"""`otherwords paraphrase` and `compress` as functions: a file of sentences in, outputs out."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from otherwords.errors import UsageError
from otherwords.generation.decoder import Decoded, Decoder, Output, Search
from otherwords.generation.weights import read_weights
from otherwords.grammar.rule import number_text
from otherwords.io.arguments import check_whole
from otherwords.io.files import read_lines
from otherwords.lm.model import LanguageModel
from otherwords.scoring.scores import score
from otherwords.tables import Column, Format, Table, Tabular
from otherwords.tables.table import Cell
from otherwords.text.tokenizer import tokenize

__all__ = ["ParaphraseResult", "open_decoder", "paraphrase_file", "read_sentences"]

BLOCK = 64  # sentences decoded at a time
RERANKED = 100  # outputs among which a metric chooses, at least
ALIKE = 0.9  # word F1 from which two outputs count as one


@dataclass(frozen=True)
class ParaphraseResult(Tabular):
    """The outputs of sentences, best first."""

    decoded: tuple[Decoded, ...]
    idle_weights: tuple[str, ...] = ()

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
        """Weights that do nothing, and sentences without output."""
        if self.idle_weights:
            names = ", ".join(self.idle_weights)
            yield f"no rule that was read has these features, so their weights do nothing: {names}"
        lines: dict[str, list[int]] = {}
        for number, one in enumerate(self.decoded, 1):
            if one.note:
                lines.setdefault(one.note, []).append(number)
        for reason, found in lines.items():
            more = f" and {len(found) - 1} more lines" if len(found) > 1 else ""
            yield f"line {found[0]}{more}: {reason}"

    def to_dict(self) -> dict[str, Any]:
        """The result as JSON has it."""
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
    rerank: str | None = None,
    without_contradictions: bool = False,
    threads: int = 1,
    progress: Callable[[int], None] = lambda done: None,
) -> ParaphraseResult:
    """The outputs of every line of a file.

    With `rerank` a metric that compares with the source orders the outputs of the decoder (100 at
    least, of different words), and those that it returns differ from each other. Outputs in which
    `facts` finds a contradiction are left out on request.
    """
    check_whole("k", k, 1, 100_000)
    if without_contradictions and rerank is None:
        raise UsageError("contradictions are left out when outputs are reranked: name a metric")
    sentences = read_sentences(file, tokenizer, case=case)
    decoder = open_decoder(
        grammars, lm, read_weights(weights), sentences, tokenizer=tokenizer, search=search
    )
    asked, different = (k, unique) if rerank is None else (max(k, RERANKED), True)
    found: list[Decoded] = []
    for start in range(0, len(sentences), BLOCK):
        block = sentences[start : start + BLOCK]
        made = decoder.decode(block, k=asked, unique=different, threads=threads)
        if rerank is not None:
            made = [_reranked(one, rerank, k, without_contradictions, threads) for one in made]
        found += made
        progress(len(block))
    return ParaphraseResult(tuple(found), tuple(decoder.idle_weights))


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
    model = LanguageModel.load(lm, tokenizer=tokenizer)
    return Decoder(list(grammars), model, weights, sentences=sentences, search=search)


def _reranked(
    decoded: Decoded, metric: str, k: int, without_contradictions: bool, threads: int
) -> Decoded:
    """The outputs in the order of a metric, at most k, each unlike those before it."""
    outputs = [one for one in decoded.outputs if one.target]
    if not outputs:
        return decoded
    targets = [one.target for one in outputs]
    sources = [decoded.source] * len(outputs)
    result = score(metric, targets, sources=sources, against="source", threads=threads)
    sign = 1 if result.metric.traits.higher_is_better else -1
    kept = list(range(len(outputs)))
    if without_contradictions:
        facts = score("facts", targets, sources=sources, against="source", threads=threads)
        column = facts.metric.columns.index("contradicted")
        kept = [i for i in kept if facts.statistics[i, column] == 0]
    order = sorted(kept, key=lambda i: (-sign * result.segments[i], i))
    chosen: list[Output] = []
    for i in order:
        if len(chosen) == k:
            break
        if all(_alike(outputs[i].target, one.target) < ALIKE for one in chosen):
            features = {**outputs[i].features, metric: float(result.segments[i])}
            chosen.append(replace(outputs[i], features=features))
    note = None if chosen else "every output contradicts its source"
    return replace(decoded, outputs=tuple(chosen), note=decoded.note or note)


def _alike(one: str, other: str) -> float:
    """F1 of the words of two texts.

    >>> _alike("a b c", "a b d")
    0.6666666666666666
    """
    left, right = Counter(one.split()), Counter(other.split())
    return 2 * (left & right).total() / max(left.total() + right.total(), 1)

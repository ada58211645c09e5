"""Decoding the sentences of files: `otherwords paraphrase`, `compress` and `tune`."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from otherwords.build.generation.decoder import Decoded, Decoder, Output, Search, read_weights
from otherwords.build.generation.tuning import Pro, TuningResult, tune
from otherwords.build.lm.files import load_model
from otherwords.errors import InputError, LanguageError
from otherwords.io.arguments import check_number, check_whole
from otherwords.io.files import read_lines
from otherwords.metrics.meaning import Meaning
from otherwords.tables.table import Cell, Column, Table
from otherwords.tables.tabular import Format, Tabular
from otherwords.text.language import SAMPLE_TEXTS, is_foreign, words_of
from otherwords.text.sentence import tokenize

BLOCK = 64  # sentences decoded at a time
PENALTIES = (0.0, 0.02, 0.05, 0.1, 0.2, 0.4, 0.8, 1.6)  # added for each character
LENGTH_FEATURE = "CharacterDifference"
_CLOSING = re.compile(r" ([.,!?;:%)\]}]|n't\b|'(?:s|re|ve|ll|m|d)\b)")  # joined to the word before
_OPENING = re.compile(r"([(\[{$#]) ")  # joined to the word after
CHECKED = 8  # outputs that are checked for their meaning at a time
CONTRADICTED = 0.5  # probability from which an output contradicts its sentence
SHORTENED = 50  # outputs of each sentence and penalty


@dataclass(frozen=True)
class DecoderFiles:
    """The files of a decoder, and how sentences are read and searched.

    Parameters
    ----------
    grammars
        Joshua, Thrax or PPDB text, or Parquet.
    lm
        A language model, ARPA or packed.
    weights
        Weights of features, JSON or text.
    search
        How the decoder searches.
    tokenizer, case
        How sentences are read: `penn`, or `none` for tokens separated by spaces.
    """

    grammars: Sequence[str | Path]
    lm: str | Path
    weights: str | Path
    search: Search | None = None
    tokenizer: str = "penn"
    case: bool = False

    def read(self, file: str | Path) -> tuple[list[str], Sequence[str]]:
        """Return the tokens of each line, and the lines if outputs are to be shown as text."""
        lines = list(read_lines(file))
        texts: Sequence[str] = ()
        if self.tokenizer != "none":
            texts = lines
            lines = [" ".join(tokenize(line, self.tokenizer).tokens) for line in lines]
        return lines if self.case else [line.lower() for line in lines], texts

    def open(self, sentences: Sequence[str]) -> tuple[Decoder, tuple[str, ...]]:
        """Open the decoder for these sentences; returns it and its warnings."""
        weights = read_weights(self.weights)
        lm = load_model(self.lm, tokenizer=self.tokenizer)
        decoder = Decoder(list(self.grammars), lm, weights, sentences=sentences, search=self.search)
        # Without words no rule is read, so warnings about rules and weights would mislead.
        has_words = any(line.strip() for line in sentences)
        return decoder, tuple(decoder.warnings()) if has_words else ()


@dataclass(frozen=True)
class ParaphraseResult(Tabular):
    """The outputs of sentences, best first, and warnings about the model."""

    decoded: tuple[Decoded, ...]
    model_warnings: tuple[str, ...] = ()
    lines: Sequence[str] = ()  # as they were read, if outputs are shown as text, not as tokens

    def tables(self) -> list[Table]:
        columns = [Column("line"), Column("rank"), Column("output"), Column("total", decimals=4)]
        rows: list[list[Cell]] = [
            [str(line), str(rank), self._text(line - 1, output), output.total]
            for line, sentence in enumerate(self.decoded, 1)
            for rank, output in enumerate(sentence.outputs, 1)
        ]
        return [Table("outputs", columns, rows)]

    def _text(self, place: int, output: Output) -> str:
        return restore_text(output.target, self.lines[place]) if self.lines else output.target

    def warnings(self) -> Iterator[str]:
        yield from self.model_warnings
        lines: dict[str, list[int]] = {}
        for number, sentence in enumerate(self.decoded, 1):
            if sentence.note:
                lines.setdefault(sentence.note, []).append(number)
        for reason, numbers in lines.items():
            yield f"{_lines(numbers)}: {reason}"

    def to_dict(self) -> dict[str, Any]:
        return {"sentences": [sentence.to_dict() for sentence in self.decoded]}

    def render(self, form: Format | str = Format.text, **how: Any) -> Iterator[str]:
        """Render; text is the best output of each line, or Moses' n-best list if k > 1."""
        if form == Format.jsonl:
            for sentence in self.decoded:
                yield json.dumps(sentence.to_dict(), ensure_ascii=False)
        elif form == Format.text and all(len(sentence.outputs) < 2 for sentence in self.decoded):
            for place, sentence in enumerate(self.decoded):
                yield self._text(place, sentence.outputs[0]) if sentence.outputs else ""
        elif form == Format.text:
            for number, sentence in enumerate(self.decoded):
                for output in sentence.outputs:
                    pairs = output.features.items()
                    features = " ".join(f"{name}={_number(value)}" for name, value in pairs)
                    yield f"{number} ||| {output.target} ||| {features} ||| {output.total:.6f}"
        else:
            yield from super().render(form, **how)


def _number(value: float) -> str:
    """Write a number with all its digits, whole ones without a point."""
    return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)


def restore_text(tokens: str, line: str) -> str:
    """Join the tokens of an output; words have the case of the line that it was made from.

    >>> restore_text("i told bob that it is n't far , yet", "Bob, I said it isn't near.")
    "I told Bob that it isn't far, yet"
    """
    known = tokenize(line, "penn").tokens
    forms = {token.lower(): token for token in known if token[:1].isupper()}
    if known and known[0][1:].islower() and known[0] not in known[1:]:
        followed = len(known) > 1 and known[1] == ","  # a name is often called first
        forms = forms if followed else {k: v for k, v in forms.items() if v != known[0]}
    words = [forms.get(word, "I" if word == "i" else word) for word in tokens.split()]
    text = _OPENING.sub(r"\1", _CLOSING.sub(r"\1", " ".join(words)))
    return text[:1].upper() + text[1:] if line.strip()[:1].isupper() else text


def _lines(numbers: Sequence[int]) -> str:
    """Name the first line, and how many more there are.

    >>> _lines([3]), _lines([3, 5]), _lines([3, 5, 6])
    ('line 3', 'line 3 and 1 more line', 'line 3 and 2 more lines')
    """
    more = len(numbers) - 1
    if not more:
        return f"line {numbers[0]}"
    return f"line {numbers[0]} and {more} more line{'s' if more > 1 else ''}"


def paraphrase_file(
    file: str | Path,
    model: DecoderFiles,
    *,
    k: int = 1,
    unique: bool = False,
    threads: int = 1,
    progress: Callable[[int], None] = lambda done: None,
) -> ParaphraseResult:
    """Paraphrase every line of a file.

    Parameters
    ----------
    file
        Sentences, one per line.
    model
        The decoder.
    k
        Outputs per sentence.
    unique
        Only outputs with different words.
    threads
        The number of threads; results do not depend on it.
    progress
        Called with the number of sentences decoded since the last call.
    """
    check_whole("k", k, 1, 100_000)
    sentences, lines = model.read(file)
    decoder, warnings = model.open(sentences)
    decoded: list[Decoded] = []
    for start in range(0, len(sentences), BLOCK):
        block = sentences[start : start + BLOCK]
        decoded += decoder.decode(block, k=k, unique=unique, threads=threads)
        progress(len(block))
    return ParaphraseResult(tuple(decoded), warnings, lines)


def compress_file(
    file: str | Path,
    model: DecoderFiles,
    *,
    ratio: float = 0.7,
    checked: bool = True,
    threads: int = 1,
) -> ParaphraseResult:
    """Shorten every line of a file.

    Parameters
    ----------
    file
        Sentences, one per line.
    model
        The decoder.
    ratio
        The maximum length of an output, as a share of the characters of its sentence.
    checked
        Leave out outputs that contradict their sentence, or change or add a value (English only).
    threads
        The number of threads; results do not depend on it.
    """
    sentences, lines = model.read(file)
    if checked and is_foreign(words_of(sentences[:SAMPLE_TEXTS])):
        message = "the sentences do not look like English, which the check of their meaning needs"
        raise LanguageError(f"{message}; switch it off with checked=False (--unchecked)")
    decoder, warnings = model.open(sentences)
    decoded = compress(decoder, sentences, ratio=ratio, checked=checked, threads=threads)
    return ParaphraseResult(tuple(decoded), warnings, lines)


def tune_file(
    file: str | Path,
    references: Sequence[str | Path],
    model: DecoderFiles,
    *,
    metric: str = "bleu",
    pro: Pro | None = None,
    threads: int = 1,
    progress: Callable[[int], None] = lambda done: None,
) -> TuningResult:
    """Tune weights by PRO for the lines of a file, starting from those of the model.

    Parameters
    ----------
    file, references
        Sentences, and files of their references, one per line.
    model
        The decoder.
    metric, pro, threads, progress
        As in `tune`.
    """
    sentences, _ = model.read(file)
    columns = [model.read(path)[0] for path in references]
    for path, lines in zip(references, columns, strict=True):
        if len(lines) != len(sentences):
            message = f"there are {len(lines)} lines here but {len(sentences)} in {file}"
            raise InputError(message, path=str(path))
    decoder, warnings = model.open(sentences)
    result = tune(
        decoder,
        sentences,
        [list(texts) for texts in zip(*columns, strict=True)],
        metric=metric,
        pro=pro,
        threads=threads,
        progress=progress,
    )
    return replace(result, model_warnings=warnings)


def compress(
    decoder: Decoder,
    sentences: Sequence[str],
    *,
    ratio: float = 0.7,
    checked: bool = False,
    threads: int = 1,
) -> list[Decoded]:
    """Find the best output of each sentence under a limit of length (PARADIGM, section 6).

    A penalty on characters makes the decoder prefer short outputs. Each sentence is decoded under
    several penalties. Among the outputs that are short enough, we take the one with the best total
    without the penalty. If none is short enough, we return the shortest one, with a note.

    Parameters
    ----------
    decoder, sentences
        The sentences are split at spaces.
    ratio
        The maximum length of an output, as a share of the characters of its sentence.
    checked
        Leave out outputs that contradict their sentence, or change or add a value.
    threads
        The number of threads; results do not depend on it.
    """
    check_number("ratio", ratio, 0.01, 1)
    weights = dict(decoder.weights)
    candidates: list[dict[str, Output]] = [{} for _ in sentences]
    decoded: list[Decoded] = []
    for penalty in PENALTIES:
        decoder.reweight({**weights, LENGTH_FEATURE: weights.get(LENGTH_FEATURE, 0.0) - penalty})
        decoded = decoder.decode(sentences, k=SHORTENED, unique=True, threads=threads)
        for outputs, sentence in zip(candidates, decoded, strict=True):
            for output in sentence.outputs:
                total = output.total + penalty * (len(output.target) - len(sentence.source))
                known = outputs.get(output.target)
                if known is None or total > known.total:
                    outputs[output.target] = replace(output, total=total)
    decoder.reweight(weights)
    return [
        _choose_short(sentence, list(outputs.values()), ratio, checked, threads)
        for sentence, outputs in zip(decoded, candidates, strict=True)
    ]


def _choose_short(
    decoded: Decoded, outputs: list[Output], ratio: float, checked: bool, threads: int
) -> Decoded:
    if not outputs:
        return decoded
    limit = ratio * len(decoded.source)
    short = [output for output in outputs if len(output.target) <= limit]
    short.sort(key=lambda output: (output.total, output.target), reverse=True)
    if best := _first_true(decoded.source, short, checked, threads):
        return replace(decoded, outputs=(best,))
    longer = [output for output in outputs if len(output.target) > limit]
    longer.sort(key=lambda output: (len(output.target), -output.total, output.target))
    if shortest := _first_true(decoded.source, longer, checked, threads):
        kept = " that keeps the meaning" if short else ""
        note = f"no output{kept} has {ratio:g} of the characters; this is the shortest"
        return replace(decoded, outputs=(shortest,), note=note)
    return replace(decoded, outputs=(), note="every output contradicts its source")


def _first_true(
    source: str, outputs: Sequence[Output], checked: bool, threads: int
) -> Output | None:
    """The first output that does not contradict its source, nor change or add a value."""
    if not checked:
        return outputs[0] if outputs else None
    meaning = Meaning()
    for start in range(0, len(outputs), CHECKED):
        block = outputs[start : start + CHECKED]
        texts = [restore_text(output.target, "") for output in block]
        original = restore_text(source, "")
        judged = meaning.judge(texts, [original] * len(texts), threads)
        for output, judgement in zip(block, judged, strict=True):
            verdicts = {difference.verdict for difference in judgement.differences}
            if judgement.scores[1] < CONTRADICTED and verdicts <= {"missing"}:
                return output
    return None

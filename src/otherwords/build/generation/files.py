"""Decoding the sentences of files: `otherwords paraphrase`, `compress` and `tune`."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from otherwords.build.generation.decoder import Decoded, Decoder, Output, Search, read_weights
from otherwords.build.generation.tuning import Pro, TuningResult, tune
from otherwords.build.grammar.rule import number_text
from otherwords.build.lm.files import load_model
from otherwords.errors import InputError, LanguageError
from otherwords.io.arguments import check_flag, check_number, check_whole
from otherwords.io.files import read_lines
from otherwords.metrics.registry import metric_class
from otherwords.scoring.results import Result
from otherwords.scoring.score import score
from otherwords.tables.table import Cell, Column, Table
from otherwords.tables.tabular import Format, Tabular
from otherwords.text.language import SAMPLE_TEXTS, is_foreign, words_of
from otherwords.text.sentence import tokenize

BLOCK = 64  # sentences decoded at a time
RERANKED = 100  # the smallest number of outputs that a metric reranks
ALIKE = 0.9  # outputs with at least this word F1 count as the same
GUARDS = ("meaning", "fluency", "vectors", "facts")  # all from 0 to 1, larger is better
PENALTIES = (0.0, 0.02, 0.05, 0.1, 0.2, 0.4, 0.8, 1.6)  # added for each character
LENGTH_FEATURE = "CharacterDifference"
SHORTENED = 50  # outputs of each sentence and penalty


def read_sentences(file: str | Path, tokenizer: str = "penn", *, case: bool = False) -> list[str]:
    """Read and tokenize lines, in lower case unless `case`."""
    lines = list(read_lines(file))
    if tokenizer != "none":
        lines = [" ".join(tokenize(line, tokenizer).tokens) for line in lines]
    return lines if case else [line.lower() for line in lines]


@dataclass(frozen=True)
class DecoderFiles:
    """The files of a decoder, and how sentences are read and searched.

    Parameters
    ----------
    grammars
        Joshua, Thrax or PPDB text, Parquet, or indexes.
    lm
        A language model, ARPA or packed.
    weights
        Weights of features, JSON or text.
    search
        How the decoder searches.
    tokenizer, case
        How sentences are read, as in `read_sentences`.
    """

    grammars: Sequence[str | Path]
    lm: str | Path
    weights: str | Path
    search: Search | None = None
    tokenizer: str = "penn"
    case: bool = False

    def read(self, file: str | Path) -> list[str]:
        return read_sentences(file, self.tokenizer, case=self.case)

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

    def tables(self) -> list[Table]:
        columns = [Column("line"), Column("rank"), Column("output"), Column("total", decimals=4)]
        rows: list[list[Cell]] = [
            [str(line), str(rank), output.target, output.total]
            for line, sentence in enumerate(self.decoded, 1)
            for rank, output in enumerate(sentence.outputs, 1)
        ]
        return [Table("outputs", columns, rows)]

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

    def render(self, form: Format | str = Format.text) -> Iterator[str]:
        """Render; text is the best output of each line, or Moses' n-best list if k > 1."""
        if form == Format.jsonl:
            for sentence in self.decoded:
                yield json.dumps(sentence.to_dict(), ensure_ascii=False)
        elif form == Format.text and all(len(sentence.outputs) < 2 for sentence in self.decoded):
            for sentence in self.decoded:
                yield sentence.outputs[0].target if sentence.outputs else ""
        elif form == Format.text:
            for number, sentence in enumerate(self.decoded):
                for output in sentence.outputs:
                    pairs = output.features.items()
                    features = " ".join(f"{name}={number_text(value)}" for name, value in pairs)
                    yield f"{number} ||| {output.target} ||| {features} ||| {output.total:.6f}"
        else:
            yield from super().render(form)


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
    rerank: Reranking | str | None = None,
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
    rerank
        A metric or a `Reranking`. It reranks at least 100 outputs with different words, and returns
        outputs that differ from each other.
    threads
        The number of threads; results do not depend on it.
    progress
        Called with the number of sentences decoded since the last call.
    """
    check_whole("k", k, 1, 100_000)
    reranking = Reranking(rerank) if isinstance(rerank, str) else rerank
    sentences = model.read(file)
    if reranking is not None:
        reranking.check(sentences)
    decoder, warnings = model.open(sentences)
    decoded: list[Decoded] = []
    for start in range(0, len(sentences), BLOCK):
        block = sentences[start : start + BLOCK]
        if reranking is None:
            decoded += decoder.decode(block, k=k, unique=unique, threads=threads)
        else:
            candidates = decoder.decode(block, k=max(k, RERANKED), unique=True, threads=threads)
            decoded += [reranking.best(sentence, k, threads=threads) for sentence in candidates]
        progress(len(block))
    return ParaphraseResult(tuple(decoded), warnings)


def compress_file(
    file: str | Path, model: DecoderFiles, *, ratio: float = 0.7, threads: int = 1
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
    threads
        The number of threads; results do not depend on it.
    """
    sentences = model.read(file)
    decoder, warnings = model.open(sentences)
    decoded = compress(decoder, sentences, ratio=ratio, threads=threads)
    return ParaphraseResult(tuple(decoded), warnings)


def tune_file(
    file: str | Path,
    references: Sequence[str | Path],
    model: DecoderFiles,
    *,
    metric: str | Mapping[str, float] = "bleu",
    pro: Pro | None = None,
    resume: str | Path | None = None,
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
    metric, pro, resume, threads, progress
        As in `tune`.
    """
    sentences = model.read(file)
    columns = [model.read(path) for path in references]
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
        resume=resume,
        threads=threads,
        progress=progress,
    )
    return replace(result, model_warnings=warnings)


def compress(
    decoder: Decoder, sentences: Sequence[str], *, ratio: float = 0.7, threads: int = 1
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
        _choose_short(sentence, list(outputs.values()), ratio)
        for sentence, outputs in zip(decoded, candidates, strict=True)
    ]


def _choose_short(decoded: Decoded, outputs: list[Output], ratio: float) -> Decoded:
    if not outputs:
        return decoded
    limit = ratio * len(decoded.source)
    if short := [output for output in outputs if len(output.target) <= limit]:
        best = max(short, key=lambda output: (output.total, output.target))
        return replace(decoded, outputs=(best,))
    shortest = min(outputs, key=lambda output: (len(output.target), -output.total, output.target))
    note = f"no output has {ratio:g} of the characters; this is the shortest"
    return replace(decoded, outputs=(shortest,), note=note)


@dataclass(frozen=True)
class Reranking:
    """Choice of the best output by a metric (PEM §7), among outputs that keep the meaning.

    A metric that rewards different words prefers outputs that lose the meaning, and the more so
    the longer the list is. So each output is compared with the decoder's best one. Its `loss` is
    the largest drop below that output in adequacy, fluency, vectors or facts.

    Parameters
    ----------
    metric
        The metric that compares outputs with the source.
    margin
        Outputs with a larger loss come last, ordered by loss. With a margin of 1 only the metric
        decides.
    without_contradictions
        Leave out outputs in which `facts` finds a contradiction.
    """

    metric: str = "otherwords-rewrite"
    margin: float = 0.02
    without_contradictions: bool = False

    def __post_init__(self) -> None:
        check_number("margin", self.margin, 0, 1)
        check_flag("without_contradictions", self.without_contradictions)

    def check(self, sentences: Sequence[str]) -> None:
        """Refuse sentences that are plainly not English if a measure needs English.

        All sentences are judged together, so a single name or quotation is no reason to stop.
        """
        names = [self.metric, *(GUARDS if self.margin < 1 else ())]
        needing = [name for name in names if metric_class(name).traits.english]
        if needing and is_foreign(words_of(sentences[:SAMPLE_TEXTS])):
            message = f"the sentences do not look like English, which {needing[0]} needs"
            hint = "rerank by a metric for any language, with a margin of 1 (--margin 1)"
            raise LanguageError(f"{message}; {hint}")

    def best(self, decoded: Decoded, k: int = 1, *, threads: int = 1) -> Decoded:
        """Return at most k outputs, best first, each different enough from those before it.

        The metric's score and the loss are added to their features.
        """
        outputs = [output for output in decoded.outputs if output.target]
        if not outputs:
            return decoded
        texts = [output.target for output in outputs]
        result = _score(self.metric, texts, decoded.source, threads)
        sign = 1 if result.metric.traits.higher_is_better else -1
        losses = self._losses(texts, decoded.source, threads)
        places: Sequence[int] = range(len(outputs))
        if self.without_contradictions:
            facts = _score("facts", texts, decoded.source, threads)
            contradicted = facts.statistics[:, facts.metric.columns.index("contradicted")]
            places = [i for i in places if contradicted[i] == 0]
        beyond = np.where(losses > self.margin, losses, 0)
        chosen: list[Output] = []
        for i in sorted(places, key=lambda i: (beyond[i], -sign * result.segments[i], i)):
            if len(chosen) == k:
                break
            if all(_word_f1(texts[i], output.target) < ALIKE for output in chosen):
                more = {self.metric: float(result.segments[i]), "loss": float(losses[i])}
                chosen.append(replace(outputs[i], features={**outputs[i].features, **more}))
        note = None if chosen else "every output contradicts its source"
        return replace(decoded, outputs=tuple(chosen), note=decoded.note or note)

    def _losses(self, texts: Sequence[str], source: str, threads: int) -> NDArray[np.float64]:
        losses = np.zeros(len(texts))
        if self.margin < 1:
            for name in GUARDS:
                values = _score(name, texts, source, threads).segments
                losses = np.maximum(losses, values[0] - values)
        return losses


def _score(metric: str, texts: Sequence[str], source: str, threads: int) -> Result:
    return score(
        metric,
        list(texts),
        sources=[source] * len(texts),
        against="source",
        any_language=True,  # `check` has checked the language
        threads=threads,
    )


def _word_f1(left: str, right: str) -> float:
    """Return the F1 of the words of two texts.

    >>> _word_f1("a b c", "a b d")
    0.6666666666666666
    """
    left_words, right_words = Counter(left.split()), Counter(right.split())
    common = (left_words & right_words).total()
    return 2 * common / max(left_words.total() + right_words.total(), 1)

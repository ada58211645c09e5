"""The stages of `otherwords build` between clean pairs and the packed model.

Each reads what earlier stages left in their folders and writes into its own. English words are
stemmed before they are aligned (PEM §6.1); the other language keeps its words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from otherwords.build.bitext.aligner import Aligner, Training
from otherwords.build.bitext.clean import PairLimits
from otherwords.build.bitext.corpus import Bitext, Side, encode
from otherwords.build.bitext.links import Links
from otherwords.build.bitext.reading import source_of
from otherwords.build.engine.base import Engine
from otherwords.build.engine.duck import DuckEngine
from otherwords.build.engine.stages import Event, Workspace
from otherwords.build.lm.estimation import MAX_ORDER, estimate_ids
from otherwords.build.lm.text import TextEncoder
from otherwords.build.phrases.pivot_packing import Packing
from otherwords.build.phrases.table import build_table
from otherwords.build.pipeline.build import Build, Step, Steps, build
from otherwords.errors import UsageError, near
from otherwords.io.arguments import check_whole
from otherwords.io.files import read_lines
from otherwords.models import container
from otherwords.models.strings import Strings
from otherwords.text.stemmer import PORTER, check_stemmer
from otherwords.text.stemmer import stem as stems_of

__all__ = ["build_model", "build_steps", "read_bitext", "stemmed"]

_UNSPACED = ("ja", "jpn", "cmn", "zh", "yue")
_SEGMENTATIONS = ("characters", "jieba")


def build_model(
    output: str | Path,
    pivots: Mapping[str, Sequence[str]],
    lm: Sequence[str] = (),
    *,
    cache: str | Path | None = None,
    segmentation: str = "characters",
    stem: str = PORTER,
    max_length: int = 4,
    max_words: int = 150,
    keep_duplicates: bool = False,
    min_probability: float = 0.01,
    top: int = 20,
    min_count: int = 1,
    order: int = 4,
    lm_bytes: int | None = None,
    threads: int = 1,
    memory_gb: float = 2.0,
    engine: Engine | None = None,
    notify: Callable[[Event], None] = lambda event: None,
) -> None:
    """Build a paraphrase model of the bitexts of each pivot language, English on the left.

    A bitext is a file of two columns, or two files with a comma between their names. `lm` has the
    text of the language model. Finished stages are kept in `cache` (`<output>.build`), where a
    build that was stopped continues. `stem` names Snowball's stemmer of the left side: with
    `german`, and German on the left, the model is of German paraphrases and the pivots are the
    languages on the right, English among them. Phrase pairs are extracted and counted by `engine`
    (default: DuckDB, within `memory_gb`), words aligned here; the model is the same. `notify` is
    called with what happens.
    """
    if segmentation not in _SEGMENTATIONS:
        raise UsageError(
            f"unknown segmentation '{segmentation}'; {near(segmentation, _SEGMENTATIONS)}"
        )
    check_stemmer(stem)
    check_whole("order", order, 1, MAX_ORDER)
    if lm_bytes is not None:
        check_whole("lm_bytes", lm_bytes, 1, 2**60)
    wanted = Build(
        {name: [source_of(path) for path in paths] for name, paths in pivots.items()},
        lm,
        PairLimits(longest=max_words, keep_duplicates=keep_duplicates),
        Packing(min_probability=min_probability, top=top, min_count=min_count),
    )
    steps = build_steps(
        threads=threads,
        memory_gb=memory_gb,
        engine=engine,
        max_length=max_length,
        segmentation=segmentation,
        stem=stem,
        order=order,
        lm_bytes=lm_bytes,
    )
    build(output, wanted, steps, cache or f"{output}.build", notify)


def build_steps(
    *,
    threads: int = 1,
    memory_gb: float = 2.0,
    engine: Engine | None = None,
    max_length: int = 4,
    iterations: int = 5,
    segmentation: str = "characters",
    stem: str = PORTER,
    order: int = 4,
    lm_bytes: int | None = None,
    lm_min_count: int = 1,
) -> Steps:
    """All steps. Threads, memory and engine change no byte of the result, other options do."""
    lm = {"order": order, "max_bytes": lm_bytes, "min_count": lm_min_count}
    # What is as ever is not named: the hash of a model does not change with what may be named.
    stemmer = {} if stem == PORTER else {"stem": stem}
    return Steps(
        tokens=Step(_tokens, parameters={"segmentation": segmentation, **stemmer}),
        align=Step(partial(_align, threads=threads), parameters={"iterations": iterations}),
        phrases=Step(
            partial(_phrases, threads=threads, memory_gb=memory_gb, engine=engine),
            parameters={"max_length": max_length},
        ),
        lm=Step(partial(_lm, threads=threads), parameters=lm),
    )


def _tokens(workspace: Workspace) -> None:
    """Writes `bitext.owm`: English stems on the left, the words of the language on the right."""
    language = workspace.parameters["language"]
    path = workspace.result(f"clean-{language}") / "pairs.tsv"

    def texts(column: int) -> Iterator[str]:
        return (line.split("\t")[column] for line in read_lines(path))

    unspaced = language in _UNSPACED
    tokenizer = workspace.parameters["segmentation"] if unspaced else "words"
    stemmer = workspace.parameters.get("stem", PORTER)
    left = stemmed(encode(texts(0), "penn"), stemmer)
    right = encode(texts(1), tokenizer)
    pairs = len(left.bounds) - 1
    workspace.log("tokens", pairs=pairs, left=len(left.tokens), right=len(right.tokens))
    arrays: dict[str, NDArray[Any]] = {}
    for name, side in (("left", left), ("right", right)):
        arrays[f"{name}/tokens"], arrays[f"{name}/bounds"] = side.tokens, side.bounds
        arrays[f"{name}/words"], arrays[f"{name}/word_bounds"] = Strings.of(side.words)
    container.write(workspace.folder / "bitext.owm", "bitext", arrays, {})


def stemmed(side: Side, stemmer: str = PORTER) -> Side:
    """The side with stems for words.

    >>> stemmed(encode(["cats and a cat"], "penn")).sentence(0)
    ['cat', 'and', 'a', 'cat']
    """
    ids: dict[str, int] = {}
    mapped = np.array(
        [ids.setdefault(word, len(ids)) for word in stems_of(side.words, stemmer)], np.uint32
    )
    tokens = mapped[side.tokens] if len(side.tokens) else side.tokens
    return Side(tokens, side.bounds, list(ids))


def read_bitext(folder: Path) -> Bitext:
    """What `tokens` left in its folder."""
    model = container.read(folder / "bitext.owm", "bitext")
    sides = []
    for name in ("left", "right"):
        part = model.section(name)
        words = Strings(part["words"], part["word_bounds"])
        texts = [words.text(row) for row in range(len(words.bounds) - 1)]
        sides.append(Side(part["tokens"], part["bounds"], texts))
    return Bitext(*sides)


def _align(workspace: Workspace, *, threads: int) -> None:
    """Writes `links.owm`."""
    bitext = read_bitext(workspace.result(f"tokens-{workspace.parameters['language']}"))
    iterations = workspace.parameters["iterations"]
    training = Training(model1_iterations=iterations, hmm_iterations=iterations)
    done = 0

    def tick() -> None:
        nonlocal done
        done += 1
        workspace.progress(done, 2 * iterations)

    aligner = Aligner.train(bitext, training, threads=threads, tick=tick)
    links, _ = aligner.align(bitext, threads=threads)
    unaligned = int((np.diff(links.bounds) == 0).sum())
    workspace.log("links", count=len(links.left), pairs_without=unaligned)
    container.write(workspace.folder / "links.owm", "links", links._asdict(), {})


def _phrases(
    workspace: Workspace, *, threads: int, memory_gb: float, engine: Engine | None
) -> None:
    """Writes `phrases.parquet`."""
    language = workspace.parameters["language"]
    bitext = read_bitext(workspace.result(f"tokens-{language}"))
    links = container.read(workspace.result(f"align-{language}") / "links.owm", "links").arrays
    with ExitStack() as stack:
        chosen = engine or stack.enter_context(
            DuckEngine(threads=threads, memory_gb=memory_gb, temporary=workspace.folder)
        )
        table = build_table(
            *bitext,
            Links(links["left"], links["right"], links["bounds"]),
            workspace.folder / "phrases.parquet",
            engine=chosen,
            max_length=workspace.parameters["max_length"],
        )
    workspace.log("phrases", pairs=table.rows)


def _lm(workspace: Workspace, *, threads: int) -> None:
    """Writes `lm.owm`: probabilities of 8 bits, pruned to a size if one is given."""
    encoder = TextEncoder("penn", case=False, skip_symbols=True)
    for path in workspace.files.values():
        encoder.add(_first_column(path), path=path)
    tokens, bounds, words = encoder.take()
    model = estimate_ids(
        tokens,
        bounds,
        words,
        order=workspace.parameters["order"],
        max_bytes=workspace.parameters["max_bytes"],
        min_count=workspace.parameters["min_count"],
        quantize=8,
        threads=threads,
        tokenizer="penn",
        case=False,
    )
    workspace.log("lm", ngrams=model.sizes)
    model.save(workspace.folder / "lm.owm")


def _first_column(path: str) -> list[str]:
    """The lines of a text, or the left column of a bitext."""
    return [line.partition("\t")[0] for line in read_lines(path)]

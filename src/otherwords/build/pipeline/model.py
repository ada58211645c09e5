"""`otherwords build`: from bitexts and text to one packed paraphrase model.

The stages of each pivot language are clean, tokens, align, phrases and pack; then come lm and
model. The stages between clean and pack are `Steps`: functions that read the folders of earlier
stages and write into their own.

    tokens-fr    reads clean-fr/pairs.tsv (english TAB foreign); writes what align reads
    align-fr     reads tokens-fr; writes what phrases reads
    phrases-fr   reads tokens-fr and align-fr; writes phrases.parquet, a phrase table with the
                 columns source (e), target (f), count_source (N(e)), p_target (p(f|e)) and
                 p_source (p(e|f))
    select-fr    optional: reads all of these; writes phrases.parquet with the same columns, the
                 rows that are packed, and totals.json, the sums of N(e) over all phrases of
                 1, 2, ... words
    lm           reads its files "0", "1", ...; writes lm.owm, a model file of any kind

English words are stemmed before alignment (PEM §6.1); the other language keeps its words.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from copy import deepcopy
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from otherwords import _native
from otherwords.build.bitext.aligner import Aligner, Training
from otherwords.build.bitext.corpus import Bitext, Side, encode, load_jieba
from otherwords.build.bitext.links import Links
from otherwords.build.bitext.pairs import (
    BITEXT_CODES,
    LineReport,
    PairLimits,
    Source,
    clean,
    source_of,
)
from otherwords.build.engine.base import Engine
from otherwords.build.engine.duck import DuckEngine
from otherwords.build.engine.stages import Event, Pipeline, Stage, Workspace, file_digest, log_lines
from otherwords.build.lm.estimation import MAX_ORDER, Estimation, TextEncoder, estimate_ids
from otherwords.build.lm.files import save_model
from otherwords.build.phrases.table import build_table
from otherwords.errors import InputError, UsageError, near
from otherwords.io.arguments import check_whole
from otherwords.io.files import STDIN, atomic_write, read_lines
from otherwords.models import container, paraphrase_model
from otherwords.models.arrays import Strings
from otherwords.models.pivot_packing import Packing, pack
from otherwords.text.stemmer import PORTER, check_stemmer
from otherwords.text.stemmer import stem as stem_all

_PROGRESS = 20_000  # pairs between two reports


@dataclass(frozen=True)
class Step:
    """The function that does a stage's work, with its version, parameters and files.

    Files are grouped by language: `{"fr": {"bible": path}}`.
    """

    run: Callable[[Workspace], None]
    version: int = 1
    parameters: Mapping[str, Any] = field(default_factory=dict)
    files: Mapping[str, Mapping[str, str]] = field(default_factory=dict)


@dataclass(frozen=True)
class Steps:
    """The stages between cleaning and packing. Threads are not a parameter: bind them to `run`."""

    tokens: Step
    align: Step
    phrases: Step
    lm: Step | None = None
    select: Step | None = None


@dataclass(frozen=True)
class Build:
    """The inputs and settings of a build.

    Parameters
    ----------
    pivots
        The bitexts of each pivot language, English on the left: files of two columns, or two files
        with a comma between their names.
    lm
        The text of the language model.
    limits
        Which sentence pairs are used.
    packing
        Which phrase pairs are packed, and how.
    """

    pivots: Mapping[str, Sequence[str]]
    lm: Sequence[str] = ()
    limits: PairLimits = field(default_factory=PairLimits)
    packing: Packing = field(default_factory=Packing)

    def __post_init__(self) -> None:
        if not self.pivots and not self.lm:
            raise UsageError("nothing to build: no pivot language and no text is given")
        for language in self.pivots:
            if not language.isidentifier():
                raise UsageError(f"'{language}' is not the name of a language; for example fr")
        files = [file for paths in self.pivots.values() for file in _name_files(paths).values()]
        if STDIN in [*self.lm, *files]:
            raise UsageError("a build reads its files more than once: give files, not '-'")


def build_model(
    output: str | Path,
    wanted: Build,
    steps: Steps | None = None,
    *,
    cache: str | Path | None = None,
    notify: Callable[[Event], None] = lambda event: None,
) -> None:
    """Build a model and `<output>.log.jsonl`.

    Parameters
    ----------
    output
        The model file.
    wanted
        The inputs and settings.
    steps
        The steps (default: `build_steps()`).
    cache
        Folder of finished stages, from which a stopped build continues (default:
        `<output>.build`).
    notify
        Called with each event.
    """
    if str(output).endswith("/"):
        raise UsageError(f"{output}: this names a directory; a model is one file")
    stages = _stages(wanted, steps or build_steps())
    results = Pipeline(cache or f"{output}.build", stages).run(notify)
    with atomic_write(f"{output}.log.jsonl") as log:
        log.writelines((line + "\n").encode() for line in log_lines(results))
    with (results["model"] / "model.owm").open("rb") as model, atomic_write(output) as out:
        shutil.copyfileobj(model, out, 1 << 20)


def _name_files(paths: Sequence[str]) -> dict[str, str]:
    """Name the files of a language independently of their paths."""
    files: dict[str, str] = {}
    for number, source in enumerate(map(source_of, paths)):
        if isinstance(source, str):
            files[f"{number}"] = source
        else:
            files[f"{number}.left"], files[f"{number}.right"] = source
    return files


def _stages(wanted: Build, steps: Steps) -> list[Stage]:
    stages = []
    for language in sorted(wanted.pivots):
        stages += _language_stages(language, wanted, steps)
    needs = [
        f"{stage}-{language}" for language in sorted(wanted.pivots) for stage in ("clean", "pack")
    ]
    if wanted.lm:
        if steps.lm is None:
            raise UsageError("this build makes no language model")
        files = {str(number): path for number, path in enumerate(wanted.lm)}
        stages.append(Stage("lm", steps.lm.version, steps.lm.run, files, (), steps.lm.parameters))
        needs.append("lm")
    origin = _origin(wanted, steps)
    return [*stages, Stage("model", 1, _model, needs=needs, parameters=origin)]


def _language_stages(language: str, wanted: Build, steps: Steps) -> list[Stage]:
    def stage(name: str, step: Step, *needs: str) -> Stage:
        return Stage(
            f"{name}-{language}",
            step.version,
            step.run,
            step.files.get(language, {}),
            [f"{need}-{language}" for need in needs],
            {"language": language, **step.parameters},
        )

    files = _name_files(wanted.pivots[language])
    stages = [
        Stage(f"clean-{language}", 1, _clean, files, parameters=asdict(wanted.limits)),
        stage("tokens", steps.tokens, "clean"),
        stage("align", steps.align, "tokens"),
        stage("phrases", steps.phrases, "tokens", "align"),
    ]
    rows = "phrases"
    if steps.select:
        rows = "select"
        stages.append(stage(rows, steps.select, "clean", "tokens", "align", "phrases"))
    packing = {"packing": asdict(wanted.packing), "rows": rows}
    return [*stages, stage("pack", Step(_pack, parameters=packing), rows)]


def _clean(workspace: Workspace) -> None:
    files = workspace.files
    sources: list[Source] = []
    for name, path in files.items():
        if name.endswith(".left"):
            sources.append((path, files[name.removesuffix("left") + "right"]))
        elif not name.endswith(".right"):
            sources.append(path)
    report = LineReport()
    pairs = clean(sources, PairLimits(**workspace.parameters), report=report)
    with (workspace.folder / "pairs.tsv").open("w", encoding="utf-8", newline="\n") as out:
        for number, (left, right) in enumerate(pairs):
            out.write(f"{left}\t{right}\n")
            if number % _PROGRESS == 0:
                workspace.progress(number)
    for code, count in sorted(report.counts.items()):
        first = [f"{Path(path).name}:{line}" for path, line in report.places[code]]
        title = BITEXT_CODES[code].title
        what = "dropped" if code in report.dropped else "noted"
        workspace.log(what, code=code, title=title, lines=count, first=first)
    if not report.kept:
        raise InputError(
            "no line holds a sentence pair that can be trained on", path=next(iter(files.values()))
        )
    summary = {"read": report.read, "kept": report.kept, "dropped": report.dropped}
    (workspace.folder / "report.json").write_text(json.dumps(summary), encoding="utf-8")


def _pack(workspace: Workspace) -> None:
    import pyarrow.parquet

    language = workspace.parameters["language"]
    folder = workspace.result(f"{workspace.parameters['rows']}-{language}")
    names = ["source", "target", "count_source", "p_target", "p_source"]
    table = pyarrow.parquet.read_table(folder / "phrases.parquet", columns=names)
    source, target, counts, forward, backward = (table.column(name) for name in names)
    packing = Packing(**workspace.parameters["packing"])
    sums = folder / "totals.json"
    totals = json.loads(sums.read_text(encoding="utf-8")) if sums.exists() else None
    packed = pack(source, target, counts, forward, backward, packing, totals)
    for reason, count in packed.provenance["dropped"].items():
        workspace.log("pruned", reason=reason, count=count)
    container.write(workspace.folder / "pivot.owm", "pivot", packed.arrays, packed.provenance)


def _model(workspace: Workspace) -> None:
    """Write `model.owm`: all parts, with their provenance."""
    provenance: dict[str, Any] = deepcopy(dict(workspace.parameters))
    pivots = {}
    for language, origin in provenance["pivots"].items():
        part = container.read(workspace.result(f"pack-{language}") / "pivot.owm", "pivot")
        report = json.loads((workspace.result(f"clean-{language}") / "report.json").read_text())
        pivots[language] = part.arrays
        origin |= {"lines": report, "table": dict(part.provenance)}
    lm = None
    if provenance["lm"] is not None:
        estimated = container.read(workspace.result("lm") / "lm.owm")
        provenance["lm"] |= {"model": dict(estimated.provenance)}
        lm = estimated.arrays
    paraphrase_model.write(workspace.folder / "model.owm", pivots, lm, provenance)


def _origin(wanted: Build, steps: Steps) -> dict[str, Any]:
    """Describe the build for the provenance of the model."""
    from otherwords import __version__

    def describe_files(paths: Sequence[str]) -> list[dict[str, str]]:
        return [{"file": Path(path).name, "sha256": file_digest(path)} for path in paths]

    between = {"tokens": steps.tokens, "align": steps.align, "phrases": steps.phrases}
    between |= {"select": steps.select} if steps.select else {}
    return {
        "tool": "otherwords build",
        "otherwords": __version__,
        **({"stems": False} if steps.tokens.parameters.get("stem") == UNSTEMMED else {}),
        "limits": asdict(wanted.limits),
        "steps": {
            name: {"version": step.version, **step.parameters} for name, step in between.items()
        },
        "pivots": {
            language: {"files": describe_files(list(_name_files(paths).values()))}
            for language, paths in sorted(wanted.pivots.items())
        },
        "lm": (
            {"files": describe_files(wanted.lm), **steps.lm.parameters}
            if wanted.lm and steps.lm
            else None
        ),
    }


_UNSPACED = ("ja", "jpn", "cmn", "zh", "yue")
UNSTEMMED = "none"
_SEGMENTATIONS = ("characters", "jieba")


def build_steps(
    *,
    threads: int = 1,
    memory_gb: float = 2.0,
    engine: Engine | None = None,
    max_length: int = 4,
    iterations: int = 5,
    segmentation: str = "characters",
    stem: str = PORTER,
    lm: Estimation = Estimation(),  # noqa: B008 - frozen
    lm_stems: bool = False,
) -> Steps:
    """Make the steps of a build.

    Parameters
    ----------
    threads, memory_gb, engine
        Resources of the build; the result does not depend on them. Words are aligned in this
        process; `engine` extracts and counts phrase pairs (default: DuckDB, within `memory_gb`).
    max_length
        The most words in a phrase.
    iterations
        Training iterations of each model of the aligner.
    segmentation
        Tokens of Chinese and Japanese: `characters` or `jieba`.
    stem
        Snowball's stemmer for the left side, or `none` for words in lower case. With `german` and
        German on the left, the model holds German paraphrases, and English can be a pivot.
    lm, lm_stems
        Order of the language model, the size it is pruned to, and the minimum count of words;
        whether its words are stemmed like the left side, as PEM has them (§6.1).
    """
    if segmentation not in _SEGMENTATIONS:
        raise UsageError(
            f"unknown segmentation '{segmentation}'; {near(segmentation, _SEGMENTATIONS)}"
        )
    if segmentation == "jieba":
        load_jieba()  # before any work
    if stem != UNSTEMMED:
        check_stemmer(stem)
    elif lm_stems:
        raise UsageError("a language model of stems needs a stemmer for the left column")
    check_whole("order", lm.order, 1, MAX_ORDER)
    if lm.max_bytes is not None:
        check_whole("lm_bytes", lm.max_bytes, 1, 2**60)
    estimation: dict[str, Any] = {
        "order": lm.order,
        "max_bytes": lm.max_bytes,
        "min_count": lm.min_count,
    }
    estimation |= {"stem": stem} if lm_stems else {}
    # Omitting the default keeps the hashes of models unchanged.
    stemmer = {} if stem == PORTER else {"stem": stem}
    return Steps(
        tokens=Step(_tokens, parameters={"segmentation": segmentation, **stemmer}),
        align=Step(partial(_align, threads=threads), parameters={"iterations": iterations}),
        phrases=Step(
            partial(_phrases, threads=threads, memory_gb=memory_gb, engine=engine),
            parameters={"max_length": max_length},
        ),
        lm=Step(partial(_lm, threads=threads), parameters=estimation),
    )


def _tokens(workspace: Workspace) -> None:
    """Write `bitext.owm`: stems of the left side, words of the right side."""
    language = workspace.parameters["language"]
    path = workspace.result(f"clean-{language}") / "pairs.tsv"

    def texts(column: int) -> Iterator[str]:
        return (line.split("\t")[column] for line in read_lines(path))

    unspaced = language in _UNSPACED
    tokenizer = workspace.parameters["segmentation"] if unspaced else "words"
    stemmer = workspace.parameters.get("stem", PORTER)
    left = stem_words(encode(texts(0), "penn"), stemmer)
    right = encode(texts(1), tokenizer)
    pairs = len(left.bounds) - 1
    workspace.log("tokens", pairs=pairs, left=len(left.tokens), right=len(right.tokens))
    arrays: dict[str, NDArray[Any]] = {}
    for name, side in (("left", left), ("right", right)):
        arrays[f"{name}/tokens"], arrays[f"{name}/bounds"] = side.tokens, side.bounds
        arrays[f"{name}/words"], arrays[f"{name}/word_bounds"] = Strings.of(side.words)
    container.write(workspace.folder / "bitext.owm", "bitext", arrays, {})


def stem_words(side: Side, stemmer: str = PORTER) -> Side:
    """Replace the words of a side by their stems, or by their lower case.

    >>> stem_words(encode(["cats and a cat"], "penn")).sentence(0)
    ['cat', 'and', 'a', 'cat']
    """
    if stemmer == UNSTEMMED:
        return side.renumber([_native.lower(word) for word in side.words], {})
    return side.renumber(stem_all(side.words, stemmer), {})


def read_bitext(folder: Path) -> Bitext:
    """Read the result of the stage `tokens`."""
    model = container.read(folder / "bitext.owm", "bitext")
    sides = []
    for name in ("left", "right"):
        part = model.section(name)
        words = Strings(part["words"], part["word_bounds"])
        texts = [words.text(row) for row in range(len(words.bounds) - 1)]
        sides.append(Side(part["tokens"], part["bounds"], texts))
    return Bitext(*sides)


def _align(workspace: Workspace, *, threads: int) -> None:
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
    """Write `lm.owm`, with 8-bit probabilities."""
    encoder = TextEncoder("penn", case=False, skip_symbols=True)
    for path in workspace.files.values():
        left_column = [line.partition("\t")[0] for line in read_lines(path)]
        encoder.add(left_column, path=path)
    settings = Estimation(
        order=workspace.parameters["order"],
        max_bytes=workspace.parameters["max_bytes"],
        min_count=workspace.parameters["min_count"],
        quantize=8,
    )
    tokens, bounds, words = encoder.take()
    if stemmer := workspace.parameters.get("stem"):
        numbers: dict[str, int] = {}
        stems = [numbers.setdefault(word, len(numbers)) for word in stem_all(words, stemmer)]
        tokens, words = np.array(stems, np.uint32)[tokens], list(numbers)
    model = estimate_ids(
        tokens, bounds, words, settings, tokenizer="penn", case=False, threads=threads
    )
    workspace.log("lm", ngrams=model.sizes)
    save_model(model, workspace.folder / "lm.owm")

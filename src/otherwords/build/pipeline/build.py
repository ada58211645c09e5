"""`otherwords build`: from bitexts and text to one packed paraphrase model.

Stages of each pivot language: clean, tokens, align, phrases, pack; then lm, then model. This
module has the first and the last ones. What is between them is given as `Steps`, functions
that read and write files in their `Workspace`:

    tokens-fr    reads clean-fr/pairs.tsv (english TAB foreign); writes what align reads
    align-fr     reads tokens-fr; writes what phrases reads
    phrases-fr   reads tokens-fr and align-fr; writes phrases.parquet, a phrase table with the
                 columns source (e), target (f), count_source (N(e)), p_target (p(f|e)) and
                 p_source (p(e|f))
    select-fr    if there is such a step: reads all of these; writes phrases.parquet with the
                 same columns, the rows that are packed, and totals.json, the sums of N(e) over
                 all phrases of 1, 2, ... words
    lm           reads its files "0", "1", ...; writes lm.owm, a model file of any kind
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from otherwords.build.bitext.clean import BITEXT_CODES, PairLimits, Source, clean
from otherwords.build.engine.stages import Event, Pipeline, Stage, Workspace, file_digest, log_lines
from otherwords.build.phrases.pivot_packing import Packing, pack
from otherwords.errors import InputError, UsageError
from otherwords.io.files import STDIN, atomic_write
from otherwords.models import container, paraphrase_model

__all__ = ["Build", "Step", "Steps", "build"]

_OFTEN = 20_000  # pairs between two words of progress


@dataclass(frozen=True)
class Step:
    """A function that does a stage's work, its version, the parameters and files it looks at.

    The files of a stage of a language are under its name: `{"fr": {"bible": path}}`.
    """

    run: Callable[[Workspace], None]
    version: int = 1
    parameters: Mapping[str, Any] = field(default_factory=dict)
    files: Mapping[str, Mapping[str, str]] = field(default_factory=dict)


@dataclass(frozen=True)
class Steps:
    """The stages that other packages do. The number of threads is no parameter: bind it."""

    tokens: Step
    align: Step
    phrases: Step
    lm: Step | None = None
    select: Step | None = None


@dataclass(frozen=True)
class Build:
    """What to build: the bitexts of each pivot language, the text of the language model."""

    pivots: Mapping[str, Sequence[Source]]
    lm: Sequence[str] = ()
    limits: PairLimits = field(default_factory=PairLimits)
    packing: Packing = field(default_factory=Packing)

    def __post_init__(self) -> None:
        if not self.pivots and not self.lm:
            raise UsageError("nothing to build: no pivot language and no text is given")
        for language in self.pivots:
            if not language.isidentifier():
                raise UsageError(f"'{language}' is not the name of a language; for example fr")
        if STDIN in [*self.lm, *_paths(self.pivots)]:
            raise UsageError("a build reads its files more than once: give files, not '-'")


def build(
    output: str | Path,
    wanted: Build,
    steps: Steps,
    cache: str | Path,
    notify: Callable[[Event], None] = lambda event: None,
) -> None:
    """Build a model and `<output>.log.jsonl`, reusing in `cache` what is still valid."""
    if str(output).endswith("/"):
        raise UsageError(f"{output}: this names a directory; a model is one file")
    results = Pipeline(cache, _stages(wanted, steps)).run(notify)
    with atomic_write(f"{output}.log.jsonl") as log:
        log.writelines((line + "\n").encode() for line in log_lines(results))
    with (results["model"] / "model.owm").open("rb") as made, atomic_write(output) as out:
        shutil.copyfileobj(made, out, 1 << 20)


def _paths(pivots: Mapping[str, Sequence[Source]]) -> list[str]:
    return [path for sources in pivots.values() for path in _files(sources).values()]


def _files(sources: Sequence[Source]) -> dict[str, str]:
    """The files of a language under names that do not depend on where they are."""
    named: dict[str, str] = {}
    for number, source in enumerate(sources):
        if isinstance(source, str):
            named[f"{number}"] = source
        else:
            named[f"{number}.left"], named[f"{number}.right"] = source
    return named


def _stages(wanted: Build, steps: Steps) -> list[Stage]:
    stages = []
    for language, sources in sorted(wanted.pivots.items()):
        stages += _language_stages(language, sources, wanted, steps)
    needs = [f"{stage}-{language}" for language in sorted(wanted.pivots) for stage in _SHOWN]
    if wanted.lm:
        if steps.lm is None:
            raise UsageError("this build makes no language model")
        files = {str(number): path for number, path in enumerate(wanted.lm)}
        stages.append(Stage("lm", steps.lm.version, steps.lm.run, files, (), steps.lm.parameters))
        needs.append("lm")
    origin = _origin(wanted, steps)
    return [*stages, Stage("model", 1, _model, needs=needs, parameters=origin)]


_SHOWN = ("clean", "pack")  # the stages of a language whose reports the model shows


def _language_stages(
    language: str, sources: Sequence[Source], wanted: Build, steps: Steps
) -> list[Stage]:
    def other(name: str, step: Step, *needs: str) -> Stage:
        names = [f"{need}-{language}" for need in needs]
        parameters = {"language": language, **step.parameters}
        files = step.files.get(language, {})
        return Stage(f"{name}-{language}", step.version, step.run, files, names, parameters)

    packing = {"packing": asdict(wanted.packing)}
    selected = (
        [other("select", steps.select, "clean", "tokens", "align", "phrases")]
        if steps.select
        else []
    )
    rows = "select" if steps.select else "phrases"
    return [
        Stage(f"clean-{language}", 1, _clean, _files(sources), parameters=asdict(wanted.limits)),
        other("tokens", steps.tokens, "clean"),
        other("align", steps.align, "tokens"),
        other("phrases", steps.phrases, "tokens", "align"),
        *selected,
        other("pack", Step(_pack, parameters={**packing, "rows": rows}), rows),
    ]


def _clean(workspace: Workspace) -> None:
    """Writes `pairs.tsv` and `report.json`."""
    files = workspace.files
    sources: list[Source] = []
    for name, path in files.items():
        if name.endswith(".left"):
            sources.append((path, files[name.removesuffix("left") + "right"]))
        elif not name.endswith(".right"):
            sources.append(path)
    pairs = clean(sources, PairLimits(**workspace.parameters))
    with (workspace.folder / "pairs.tsv").open("w", encoding="utf-8", newline="\n") as out:
        for number, (left, right) in enumerate(pairs):
            out.write(f"{left}\t{right}\n")
            if number % _OFTEN == 0:
                workspace.progress(number)
    report = pairs.report
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
    """Writes `pivot.owm` from `phrases.parquet`."""
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
    """Writes `model.owm`: all parts, and where they come from."""
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
    """What the model says of how it was made."""
    from otherwords import __version__

    def named(paths: Sequence[str]) -> list[dict[str, str]]:
        return [{"file": Path(path).name, "sha256": file_digest(path)} for path in paths]

    between = {"tokens": steps.tokens, "align": steps.align, "phrases": steps.phrases}
    between |= {"select": steps.select} if steps.select else {}
    return {
        "tool": "otherwords build",
        "otherwords": __version__,
        "limits": asdict(wanted.limits),
        "steps": {
            name: {"version": step.version, **step.parameters} for name, step in between.items()
        },
        "pivots": {
            language: {"files": named(list(_files(sources).values()))}
            for language, sources in sorted(wanted.pivots.items())
        },
        "lm": (
            {"files": named(wanted.lm), **steps.lm.parameters} if wanted.lm and steps.lm else None
        ),
    }

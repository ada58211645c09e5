"""Parsing with one grammar as a cached stage, so that an interrupted run can continue.

The key of finished work is a hash of the grammar, of the sentence pairs, and of all options that
affect results (`otherwords.build.engine.stages`), so not of threads and memory.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from otherwords.build.engine.base import Engine
from otherwords.build.engine.duck import DuckEngine
from otherwords.build.engine.stages import Pipeline, Stage, Workspace
from otherwords.build.grammar.extraction import RuleLimits, limits_of
from otherwords.build.grammar.index import GrammarIndex
from otherwords.build.grammar.sync_parser import Derivation, Parse, SyncParser, Verdict, parse_rows
from otherwords.errors import UsageError
from otherwords.io.arguments import check_whole
from otherwords.io.files import STDIN
from otherwords.io.processes import working_folder
from otherwords.study.paradigm.pairs import (
    PairGroup,
    SentencePair,
    Trees,
    own_grammar,
    pairs_of,
    source_trees,
    split_groups,
)

_FOUND, _DERIVATIONS = "found.json", "derivations.jsonl"
_BLOCK = 64  # most pairs per thread between two reports of progress
_PATIENCE = 0.5  # seconds; a slower block is followed by a smaller one, because Ctrl-C waits for it


def check_files(files: Iterable[str]) -> None:
    """Refuse standard input, because each file is read more than once."""
    if STDIN in files:
        raise UsageError("grammars are read more than once: give files, not '-'")


@dataclass(frozen=True)
class Resources:
    """Threads, memory and disk that the work may use; the results do not depend on them.

    Parameters
    ----------
    threads, memory_gb, temporary
        The limits of this machine's engine.
    opened
        Opens another engine.
    resume
        The folder of finished work to continue from.
    progress
        Called with the number of finished pairs or grammars.
    """

    threads: int = 1
    memory_gb: float = 2.0
    temporary: str | None = None
    opened: Callable[[], Engine] | None = None
    resume: str | Path | None = None
    progress: Callable[[int], None] = lambda done: None

    def engine(self) -> Engine:
        if self.opened is not None:
            return self.opened()
        return DuckEngine(threads=self.threads, memory_gb=self.memory_gb, temporary=self.temporary)

    @contextmanager
    def folder(self) -> Iterator[Path]:
        """Open the folder of finished work; a temporary one unless `resume` is set."""
        if self.resume is not None:
            yield Path(self.resume)
            return
        with working_folder() as folder:
            yield folder


@dataclass(frozen=True)
class Parsing:
    """The options of the synchronous parser; the defaults are the paper's."""

    glue: bool = True
    goal: str = "S"
    pass_through: str = "all"  # as Joshua, whose default is `true-oovs-only` false
    max_steps: int = 10_000_000
    max_seconds: float = 0.0

    def parser(self, rules: GrammarIndex | Sequence[str]) -> SyncParser:
        return SyncParser(rules, **asdict(self))

    @property
    def signature(self) -> str:
        goal = "glue" if self.glue else self.goal
        limits = f"steps:{self.max_steps}|seconds:{self.max_seconds:g}"
        return f"goal:{goal}|pass-through:{self.pass_through}|{limits}"


@dataclass(frozen=True)
class Parsed:
    """The number of rules of a grammar, the parses of all pairs, and files of derivations."""

    rules: int
    parses: Sequence[Parse]
    derivations: Sequence[Path] = ()


@dataclass(frozen=True)
class CoverageWork:
    """The pairs of a file, and how they are parsed; `reading` says how the file was read."""

    cache: str | Path
    pairs: str
    groups: Sequence[PairGroup]
    reading: Mapping[str, Any] = field(default_factory=dict)
    parsing: Parsing = field(default_factory=Parsing)
    derivations: bool = False
    resources: Resources = field(default_factory=Resources)

    def grammar(self, file: str) -> Parsed:
        """Parse the pairs with a grammar: text or Parquet."""

        def run(workspace: Workspace) -> None:
            with self.resources.engine() as engine:
                parser = self.parsing.parser(GrammarIndex.of(Path(file)))
                self._parse(parser, self.groups, workspace, engine)

        return self._parse_cached("coverage", {"grammar": file}, {}, run)

    def folds(self, kind: str, folds: int, limits: RuleLimits | None = None) -> Parsed:
        """Parse each fold with the grammar of the others; `rules` is their mean number."""
        chosen = limits_of(kind) if limits is None else limits
        trees: Trees = {}

        def learn(train: Sequence[PairGroup], tested: Sequence[PairGroup]) -> _Run:
            def run(workspace: Workspace) -> None:
                if kind != "hiero" and not trees:
                    trees.update(source_trees(self.groups, self.resources.threads))
                with self.resources.engine() as engine:
                    path = engine.folder / "own.parquet"
                    trees_of_kind = None if kind == "hiero" else trees
                    own = own_grammar(
                        pairs_of(train),
                        path,
                        engine=engine,
                        kind=kind,
                        trees=trees_of_kind,
                        limits=chosen,
                    )
                    parser = self.parsing.parser(GrammarIndex.of(own))
                    self._parse(parser, tested, workspace, engine)

            return run

        parsed = []
        for number, (train, tested) in enumerate(split_groups(self.groups, folds)):
            parameters = {"kind": kind, "folds": folds, "fold": number, "trees": _trees_of(kind)}
            parameters["limits"] = chosen.signature
            parsed.append(self._parse_cached("fold", {}, parameters, learn(train, tested)))
        return _join_folds(self.groups, parsed)

    def _parse_cached(
        self, name: str, files: Mapping[str, str], parameters: Mapping[str, Any], run: _Run
    ) -> Parsed:
        every = {"reading": dict(self.reading), "parsing": asdict(self.parsing), **parameters}
        every["derivations"] = self.derivations
        stage = Stage(name, 1, run, {"pairs": self.pairs, **files}, parameters=every)
        folder = _run_stage(self.cache, stage)
        result = _read(folder)
        parses = [Parse(Verdict(verdict), steps) for verdict, steps in result["parses"]]
        written = [folder / _DERIVATIONS] if self.derivations else []
        return Parsed(result["rules"], parses, written)

    def _parse(
        self,
        parser: SyncParser,
        groups: Sequence[PairGroup],
        workspace: Workspace,
        engine: Engine,
    ) -> None:
        pairs = pairs_of(groups)
        if engine.distributed:
            parses = parse_rows(engine, parser, [(pair.source, pair.target) for pair in pairs])
            self.resources.progress(len(pairs))
        else:
            threads, progress = self.resources.threads, self.resources.progress
            parses = parse_pairs(parser, pairs, threads=threads, progress=progress)
        if self.derivations:
            _write_lines(workspace, derivation_records(parser, groups, parses))
        verdicts = [[parse.verdict.value, parse.steps] for parse in parses]
        _write(workspace, {"rules": parser.size, "parses": verdicts})


_Run = Callable[[Workspace], None]


def _trees_of(kind: str) -> str | None:
    """Return the digest of the parser, if this kind of grammar needs trees."""
    from otherwords.build.trees.parser import Parser

    return None if kind == "hiero" else Parser.load().digest


def _join_folds(groups: Sequence[PairGroup], folds: Sequence[Parsed]) -> Parsed:
    """Put the parses of all folds into the order of the groups."""
    parts = [iter(fold.parses) for fold in folds]
    parses = [
        next(parts[number % len(folds)]) for number, group in enumerate(groups) for _ in group.pairs
    ]
    rules = round(sum(fold.rules for fold in folds) / len(folds))
    return Parsed(rules, parses, [path for fold in folds for path in fold.derivations])


def _run_stage(cache: str | Path, stage: Stage) -> Path:
    """Run a stage unless it is finished, and return its folder."""
    return Pipeline(cache, [stage]).run()[stage.name]


def _read(folder: Path) -> Any:
    return json.loads((folder / _FOUND).read_text(encoding="utf-8"))


def _write(workspace: Workspace, result: Mapping[str, Any]) -> None:
    (workspace.folder / _FOUND).write_text(json.dumps(result), encoding="utf-8")


def _write_lines(workspace: Workspace, records: Iterable[Mapping[str, Any]]) -> None:
    with (workspace.folder / _DERIVATIONS).open("w", encoding="utf-8") as out:
        out.writelines(json.dumps(record, ensure_ascii=False) + "\n" for record in records)


def parse_pairs(
    parser: SyncParser,
    pairs: Sequence[SentencePair],
    *,
    threads: int = 1,
    progress: Callable[[int], None] = lambda done: None,
) -> list[Parse]:
    """Parse every pair."""
    check_whole("threads", threads, 1, 1024)
    parses: list[Parse] = []
    size = 1
    while len(parses) < len(pairs):
        block = pairs[len(parses) : len(parses) + size * threads]
        sides = [[pair.source for pair in block], [pair.target for pair in block]]
        start = time.perf_counter()
        parses += parser.parse(*sides, threads=threads)
        quick = time.perf_counter() - start < _PATIENCE
        size = min(2 * size, _BLOCK) if quick else max(size // 4, 1)
        progress(len(block))
    return parses


def derivation_records(
    parser: SyncParser, groups: Sequence[PairGroup], parses: Sequence[Parse]
) -> Iterator[dict[str, Any]]:
    """Yield a JSON record for each derived pair: the corresponding phrases and their rules (§4.1).

    Each constituent comes before its children, with its depth; spans count words, ends excluded.
    """
    remaining = iter(parses)
    for group in groups:
        for pair in group.pairs:
            if next(remaining).verdict is Verdict.accepted:
                trees = parser.derive(pair.source, pair.target)[1]
                yield {
                    "group": group.name,
                    "source": list(pair.source),
                    "target": list(pair.target),
                    "derivation": list(_nodes(trees, pair, parser)),
                }


def _nodes(
    trees: Sequence[Derivation], pair: SentencePair, parser: SyncParser
) -> Iterator[dict[str, Any]]:
    """Yield the constituents, each before its children, with their depths."""
    stack = [(tree, 0) for tree in reversed(trees)]
    while stack:
        tree, depth = stack.pop()
        stack += [(child, depth + 1) for child in reversed(tree.children)]
        yield {
            "depth": depth,
            "label": tree.label,
            "source": list(tree.source),
            "target": list(tree.target),
            "source_text": " ".join(pair.source[slice(*tree.source)]),
            "target_text": " ".join(pair.target[slice(*tree.target)]),
            "rule": None if tree.rule is None else parser.index.rule(tree.rule),
        }

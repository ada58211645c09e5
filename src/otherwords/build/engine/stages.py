"""A build in stages, each cached under the hash of its inputs.

The hash of a stage covers its name and version, its parameters, the content of its files, and the
results of earlier stages. A stage writes into a temporary folder, which is renamed to
`<cache>/<stage>-<hash>` when it is complete and has a manifest of its files. So a killed build
continues after its last finished stage, a change reruns only the stages that depend on it, and a
damaged folder is built again.
"""

from __future__ import annotations

import hashlib
import json
import re
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from otherwords.errors import InputError, UsageError
from otherwords.io.files import lock

LOG = "log.jsonl"
MANIFEST = "manifest.json"
_LOCK = "lock"
_PARTIAL = ".partial"
_NAME = re.compile(r"[\w.-]+")


@dataclass(frozen=True)
class Event:
    """A report of a running build: a stage started, was reused, progressed or finished."""

    stage: str
    what: Literal["started", "reused", "progress", "finished"]
    done: int = 0
    total: int | None = None


@dataclass(frozen=True)
class Stage:
    """A step of a build. `run` writes files into its workspace's folder.

    The same version, parameters, files and earlier results must give the same bytes: raise the
    version when a code change changes them. Parameters can be any JSON values.
    """

    name: str
    version: int
    run: Callable[[Workspace], None]
    files: Mapping[str, str] = field(default_factory=dict)
    needs: Sequence[str] = ()
    parameters: Mapping[str, Any] = field(default_factory=dict)


class Workspace:
    """The folders that a running stage reads and writes, and where it reports."""

    def __init__(
        self,
        folder: Path,
        stage: Stage,
        results: Mapping[str, Path],
        notify: Callable[[Event], None],
    ) -> None:
        self.folder = folder
        self.files = stage.files
        self.parameters = stage.parameters
        self._results = results
        self._stage = stage.name
        self._notify = notify

    def result(self, stage: str) -> Path:
        return self._results[stage]

    def log(self, event: str, **fields: Any) -> None:
        """Add a line to the stage's log, such as what was dropped and why; no times, no paths."""
        line = json.dumps({"stage": self._stage, "event": event, **fields}, ensure_ascii=False)
        with (self.folder / LOG).open("a", encoding="utf-8") as out:
            out.write(line + "\n")

    def progress(self, done: int, total: int | None = None) -> None:
        self._notify(Event(self._stage, "progress", done, total))


class Pipeline:
    """Stages in the order in which they run, and the folder of their cached results."""

    def __init__(self, cache: str | Path, stages: Sequence[Stage]) -> None:
        self.cache = Path(cache)
        self.stages = tuple(stages)
        _check_order(self.stages)

    def run(self, notify: Callable[[Event], None] = lambda event: None) -> dict[str, Path]:
        """Run the stages that are not cached; returns the folder of each stage by name."""
        results: dict[str, Path] = {}
        digests: dict[str, str] = {}
        with _lock(self.cache):
            for partial in self.cache.glob(f"*{_PARTIAL}"):  # left by a killed build
                shutil.rmtree(partial)
            for stage in self.stages:
                key = self._key(stage, digests)
                folder = self.cache / f"{stage.name}-{key[:16]}"
                digest = _check_result(folder)
                if digest is None:
                    digest = self._make(stage, key, folder, results, notify)
                else:
                    notify(Event(stage.name, "reused"))
                results[stage.name], digests[stage.name] = folder, digest
        return results

    @staticmethod
    def _key(stage: Stage, digests: Mapping[str, str]) -> str:
        inputs = {
            "name": stage.name,
            "version": stage.version,
            "parameters": dict(stage.parameters),
            "files": {name: file_digest(path) for name, path in stage.files.items()},
            "needs": {name: digests[name] for name in stage.needs},
        }
        return _json_digest(inputs)

    def _make(
        self,
        stage: Stage,
        key: str,
        folder: Path,
        results: Mapping[str, Path],
        notify: Callable[[Event], None],
    ) -> str:
        notify(Event(stage.name, "started"))
        partial = folder.with_name(folder.name + _PARTIAL)
        needed = {name: results[name] for name in stage.needs}
        with _writing(partial):
            partial.mkdir()
            stage.run(Workspace(partial, stage, needed, notify))
            contents = _contents(partial)
            about = {"stage": stage.name, "version": stage.version, "key": key, "files": contents}
            (partial / MANIFEST).write_text(json.dumps(about, indent=1), encoding="utf-8")
            if folder.exists():  # damaged
                shutil.rmtree(folder)
            partial.rename(folder)
        notify(Event(stage.name, "finished"))
        return _result_digest(contents)


def log_lines(results: Mapping[str, Path]) -> Iterator[str]:
    """Yield the logs of all stages, in the order of the build."""
    for folder in results.values():
        if (folder / LOG).exists():
            yield from (folder / LOG).read_text(encoding="utf-8").splitlines()


def file_digest(path: str | Path) -> str:
    """Return the SHA-256 of a file's bytes."""
    try:
        with Path(path).open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise InputError(f"cannot be opened: {error.strerror or error}", path=path) from error


def _check_order(stages: Sequence[Stage]) -> None:
    known: set[str] = set()
    for stage in stages:
        if not _NAME.fullmatch(stage.name) or stage.name in known:
            raise ValueError(f"'{stage.name}' is not a valid name of a stage, or is used twice")
        if missing := set(stage.needs) - known:
            raise ValueError(f"the stage '{stage.name}' needs {sorted(missing)}, which come later")
        known.add(stage.name)


def _contents(folder: Path) -> dict[str, str]:
    """Return the digest of each file below a folder, except the manifest."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    names = {path.relative_to(folder).as_posix(): path for path in files}
    return {name: file_digest(path) for name, path in names.items() if name != MANIFEST}


def _check_result(folder: Path) -> str | None:
    """Return the digest of a cached result; None if it is missing or damaged."""
    try:
        expected = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))["files"]
        return _result_digest(expected) if _contents(folder) == expected else None
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError, InputError):
        return None


def _result_digest(contents: Mapping[str, str]) -> str:
    """Return the digest of all files except the log, which later stages do not read."""
    return _json_digest({name: digest for name, digest in contents.items() if name != LOG})


def _json_digest(value: Any) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()


@contextmanager
def _writing(folder: Path) -> Iterator[None]:
    """Remove the folder of a stage that fails, as it may have filled the disk."""
    try:
        yield
    except BaseException as error:
        shutil.rmtree(folder, ignore_errors=True)
        if not isinstance(error, OSError) or isinstance(error, BrokenPipeError):
            raise
        message = f"cannot be written: {error.strerror or error}"
        raise InputError(message, path=folder.parent) from error


@contextmanager
def _lock(cache: Path) -> Iterator[None]:
    """Lock the cache against other builds; the system unlocks it if this one is killed."""
    try:
        cache.mkdir(parents=True, exist_ok=True)
        file = (cache / _LOCK).open("a")
    except OSError as error:
        message = f"the cache cannot be used: {error.strerror or error}"
        raise InputError(message, path=cache) from error
    with file:
        try:
            lock(file.fileno())
        except OSError as error:
            message = "another build uses this cache folder; wait for it, or name another `cache`"
            raise UsageError(f"{cache}: {message}") from error
        yield

"""Runs targets in a child process, so that a crash of native code is a finding like others.

An input follows from the target, the seed and its number, so that the number is all that has to
be known of an input that killed the process.
"""

from __future__ import annotations

import contextlib
import dataclasses
import importlib
import math
import multiprocessing as mp
import os
import re
import resource
import signal
import tempfile
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from otherwords.errors import OtherwordsError

HANG = 30.0  # seconds of CPU time for one input
MEMORY = 2 << 30  # bytes
RESTART = 50_000  # inputs after which a child is replaced by a new one
TRIES = 300  # smaller inputs that are tried for one failure


@dataclass(frozen=True)
class Target:
    """What is fuzzed: how an input is made, and what must not fail on it."""

    name: str
    make: Callable[[Random], Any]
    run: Callable[[Any, Path], Any]  # raises OtherwordsError if it refuses the input

    def input(self, seed: int, number: int) -> Any:
        return self.make(Random(f"{self.name} {seed} {number}"))


@dataclass(frozen=True)
class Options:
    """What a child process needs to know."""

    seed: int = 0
    limit: bool = True  # of memory; sanitizers reserve more than any limit
    hang: float = HANG
    module: str = "tests.fuzz.targets"

    def all_targets(self, folder: Path) -> Iterator[Target]:
        found: Iterator[Target] = importlib.import_module(self.module).all_targets(folder)
        return found


@dataclass(frozen=True)
class Failure:
    """An input that gave something else than a result or an error of ours."""

    target: str
    number: int
    what: str  # exception and place, or signal
    detail: str = ""
    data: bytes | None = None  # as small as was found


@dataclass
class Tally:
    """What the inputs of one target gave."""

    accepted: int = 0
    refused: int = 0
    cpu: float = 0.0
    failures: list[Failure] = field(default_factory=list)

    @property
    def inputs(self) -> int:
        return self.accepted + self.refused + len(self.failures)


def check_numbers(value: Any, depth: int = 0) -> None:
    """Fail if a NaN or an infinity is among the numbers of a result."""
    if isinstance(value, float):
        assert math.isfinite(value), f"a result holds {value}"
    elif isinstance(value, np.ndarray):
        if value.dtype.kind == "f":
            assert np.isfinite(value).all(), "an array of results holds NaN or an infinity"
    elif isinstance(value, dict) and depth < 6:
        for one in value.values():
            check_numbers(one, depth + 1)
    elif isinstance(value, list | tuple) and depth < 6:
        for one in value:
            check_numbers(one, depth + 1)
    elif dataclasses.is_dataclass(value) and not isinstance(value, type) and depth < 6:
        for part in dataclasses.fields(value):
            check_numbers(getattr(value, part.name, None), depth + 1)


def outcome(target: Target, made: Any, folder: Path) -> tuple[str, str]:
    """`accepted`, `refused`, or what failed and the traceback."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            check_numbers(target.run(made, folder))
    except OtherwordsError as error:
        message = str(error)
        if not message or "\n" in message or "Traceback" in message:
            return "a message that is not one line", repr(message)
        return "refused", ""
    except Exception as error:
        places = traceback.extract_tb(error.__traceback__)
        ours = [one for one in places if "otherwords" in one.filename] or places
        where = f"{Path(ours[-1].filename).name}:{ours[-1].name}"
        return f"{type(error).__name__} in {where}", "".join(traceback.format_exception(error)[-6:])
    return "accepted", ""


def _child(connection: Any, place: Any, options: Options) -> None:
    """Run what the parent asks for until it hangs up."""
    signal.signal(signal.SIGPROF, signal.SIG_DFL)  # an input that hangs ends the process
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if options.limit:
        resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    root = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with tempfile.TemporaryDirectory(prefix="otherwords-fuzz-", dir=root) as folder:
        os.environ["XDG_CACHE_HOME"] = os.path.join(folder, "cache")
        targets = {one.name: one for one in options.all_targets(Path(folder))}
        connection.send(list(targets))
        while (job := connection.recv()) is not None:
            action, name, *rest = job
            answer = _batch if action == "run" else _minimise
            connection.send(answer(targets[name], options, Path(folder), place, *rest))


def peak_memory() -> int:
    """Bytes that this process has used at most; ru_maxrss would count the one that started it."""
    found = re.search(r"VmHWM:\s+(\d+)", Path("/proc/self/status").read_text())
    return int(found[1]) * 1024 if found else 0


def _batch(
    target: Target, options: Options, folder: Path, place: Any, first: int, count: int, cpu: float
) -> tuple[int, Tally]:
    """Inputs from number `first` on, until there are `count` or `cpu` seconds are used."""
    tally, began = Tally(), time.process_time()
    number = first
    while number < first + count and (number == first or time.process_time() < began + cpu):
        place.value = number
        signal.setitimer(signal.ITIMER_PROF, options.hang)
        what, detail = outcome(target, target.input(options.seed, number), folder)
        if what == "accepted":
            tally.accepted += 1
        elif what == "refused":
            tally.refused += 1
        else:
            tally.failures.append(Failure(target.name, number, what, detail))
        number += 1
    signal.setitimer(signal.ITIMER_PROF, 0)
    used = peak_memory()
    if used > MEMORY and "asan" not in os.environ.get("LD_PRELOAD", ""):
        tally.failures.append(Failure(target.name, number - 1, f"{used >> 20} MB of memory used"))
    tally.cpu = time.process_time() - began
    return number, tally


def _minimise(
    target: Target, options: Options, folder: Path, place: Any, number: int, what: str
) -> bytes | None:
    """The smallest input found that fails in the same way; none if inputs are no bytes."""
    made = target.input(options.seed, number)
    if not isinstance(made, bytes):
        return None
    size, tries = max(1, len(made) // 2), 0
    while size and tries < TRIES:
        begin, smaller = 0, False
        while begin < len(made) and tries < TRIES:
            shorter = made[:begin] + made[begin + size :]
            tries += 1
            signal.setitimer(signal.ITIMER_PROF, options.hang)
            if outcome(target, shorter, folder)[0] == what:
                made, smaller = shorter, True
            else:
                begin += size
        if not smaller or size > len(made):
            size //= 2
    signal.setitimer(signal.ITIMER_PROF, 0)
    return made


class Harness:
    """A child process, replaced when it dies; `run` gives the tallies of all targets."""

    def __init__(self, options: Options) -> None:
        self.options = options
        self.tallies: dict[str, Tally] = {}
        self._context = mp.get_context("spawn")
        self._process: Any = None

    def _start(self) -> list[str]:
        self._pipe, other = self._context.Pipe()
        self._place = self._context.Value("q", 0, lock=False)
        self._process = self._context.Process(
            target=_child, args=(other, self._place, self.options), daemon=True
        )
        self._process.start()
        other.close()
        self._served = 0
        names: list[str] = self._pipe.recv()
        return names

    def run(
        self,
        *,
        seconds: float = math.inf,
        inputs: float = math.inf,
        only: Callable[[str], bool] = lambda name: True,
        slice_cpu: float = 0.5,
        first: int = 0,
        progress: Callable[[str], None] = lambda line: None,
    ) -> dict[str, Tally]:
        """All targets in turn, each a slice of CPU time, until the time or the inputs are over."""
        end = time.monotonic() + seconds
        names = [name for name in self._start() if only(name)]
        next_number = dict.fromkeys(names, first)
        self.tallies = {name: Tally() for name in names}
        seen: Counter[tuple[str, str]] = Counter()
        while time.monotonic() < end and self.inputs < inputs:
            for name in names:
                if time.monotonic() >= end or self.inputs >= inputs:
                    break
                tally = self.tallies[name]
                start = next_number[name]
                next_number[name], new = self._slice(name, start, slice_cpu)
                tally.accepted += new.accepted
                tally.refused += new.refused
                tally.cpu += new.cpu
                for failure in new.failures:
                    seen[name, failure.what] += 1
                    if seen[name, failure.what] == 1:
                        failure = self._smallest(failure)
                        progress(f"{name} #{failure.number}: {failure.what}\n{failure.detail}")
                    tally.failures.append(failure)
                self._served += new.inputs
                if self._served > RESTART:
                    self.close()
                    self._start()
        self.close()
        return self.tallies

    @property
    def inputs(self) -> int:
        return sum(one.inputs for one in self.tallies.values())

    def _slice(self, name: str, start: int, cpu: float) -> tuple[int, Tally]:
        try:
            self._pipe.send(("run", name, start, RESTART, cpu))
            answer: tuple[int, Tally] = self._pipe.recv()
            return answer
        except (EOFError, ConnectionError):
            number = self._place.value
            failure = Failure(name, number, self._death())
            self._start()
            # Those before it were sound, which of them were accepted is not known any more.
            return number + 1, Tally(refused=number - start, failures=[failure])

    def _death(self) -> str:
        self._process.join()
        code = self._process.exitcode
        if code is None or code >= 0:
            return f"exit code {code}"
        name = signal.Signals(-code).name
        return f"more than {self.options.hang:g} s of CPU time" if name == "SIGPROF" else name

    def _smallest(self, failure: Failure) -> Failure:
        try:
            self._pipe.send(("minimise", failure.target, failure.number, failure.what))
            data = self._pipe.recv()
        except (EOFError, ConnectionError):
            self._process.join()
            self._start()
            data = None  # it kills the process: kept as it is
        return dataclasses.replace(failure, data=data)

    def close(self) -> None:
        """End the child."""
        if self._process is not None:
            with contextlib.suppress(BrokenPipeError, OSError):
                self._pipe.send(None)
            self._process.join()
            self._process = None


def write_failures(tallies: dict[str, Tally], options: Options, folder: Path) -> Iterator[Path]:
    """A file for each kind of failure: how to repeat it; if it is bytes, the smallest input."""
    kinds: dict[tuple[str, str], Failure] = {}
    for tally in tallies.values():
        for failure in tally.failures:
            kinds.setdefault((failure.target, failure.what), failure)
    if not kinds:
        return
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        targets = {one.name: one for one in options.all_targets(Path(scratch))}
        for (name, what), failure in kinds.items():
            data = failure.data
            if data is None:
                made = targets[name].input(options.seed, failure.number)
                data = made if isinstance(made, bytes) else None
            stem = f"{name}-{failure.number}".replace("/", "-").replace(" ", "-")
            again = f"--seed {options.seed} --repeat {name!r} {failure.number}"
            note = f"{what}\npython -m tests.fuzz {again}\n"
            path = folder / f"{stem}.txt"
            path.write_text(note + failure.detail, encoding="utf-8", errors="replace")
            yield path
            if data is not None:
                path.with_suffix(".input").write_bytes(data)

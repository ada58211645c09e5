"""Kills and full disks: every command that writes, at every moment that matters.

    python -m tests.reliability kills      SIGKILL, SIGTERM and SIGINT when a temporary file appears
    python -m tests.reliability disk       ten fill levels, a read-only folder, writes that fail
    python -m tests.reliability together   two processes with one output, two builds with one cache
    python -m tests.reliability load       CPU time and memory of metrics for lines of 10,000 words

Each prints a table and returns 1 if something was lost, left behind or wrong. `--every N` takes one
moment of N, for tests. Small disks are mounted, which needs root; without it they are left out.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import importlib
import json
import os
import pkgutil
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import otherwords
import otherwords.cli
from otherwords.io.processes import answer_signals
from tests.more_calls import extended

# `>name` is a file that the command writes.
CALLS = """
tokenize          tokenize text.txt -f jsonl -o >tokens.jsonl
tag               tag text.txt -f tsv -o >tagged.tsv
lemmatize         lemmatize text.txt -o >lemmas.txt
parse             parse text.txt -o >trees.txt
align             align fr.tsv -o >links.txt --save >aligner.owm
extract phrases   extract phrases --bitext fr.tsv --alignment fr.links -o >table.parquet
extract grammar   extract grammar --bitext fr.tsv --alignment fr.links -o >rules.txt.gz
extract lattices  extract lattices --trees trees.tsv -o >lattice.tsv
pivot             pivot fr=fr.moses de=de.parquet -o >pivoted.parquet
lm estimate arpa  lm estimate text.txt fr.tsv --order 3 -o >lm.arpa
lm estimate       lm estimate fr.tsv -o >lm.owm
grammar convert   grammar convert gold.txt -o >gold.parquet
grammar prune     grammar prune syntax.txt --rank-by p --top 1 -o >pruned.txt
grammar pivot     grammar pivot fr-rules.parquet -o >pivoted-rules.parquet
model pack        model pack paraphrases.tsv -o >pairs.owm
model encoder     model encoder tiny --bits 8 -o >tiny.owm
build             build -o >built.owm --pivot fr=fr.tsv --lm fr.tsv --keep-duplicates
controls          controls text.txt -o >controls.jsonl
rank              rank examples/candidates.jsonl -m pinc -f tsv -o >ranked.tsv
convert           convert paraphrased.jsonl -o >rows.parquet
convert gz        convert paraphrased.jsonl -o >rows.csv.gz
score             score examples/translation/free.txt -r examples/translation/reference.txt -m chrf
                  -f json -o >score.json
metric scores     score --rows set/de-en -m chrf --metric-scores >given -o >of-set.txt
compare           compare examples/translation/free.txt examples/translation/literal.txt
                  -r examples/translation/reference.txt -m chrf --resamples 20 --html >page.html
gate              gate examples/translation/free.txt -r examples/translation/reference.txt -m chrf
                  --fail-under 10 --save-baseline >base.json.gz
meta              meta --jsonl examples/translation/judged.jsonl --human adequacy -m chrf --ci
                  --resamples 20 -o >meta.txt
report            report examples/translation/judged.jsonl --human adequacy -m chrf --resamples 20
                  -o >report.html --tables >tables
train pem         train pem --jsonl paraphrased.jsonl -o >paper.pem --report >pem.json --folds 3
train rewrite     train rewrite --jsonl paraphrased.jsonl -o >my.owm --report >my.json --folds 3
train combine     train combine --jsonl translated.jsonl -o >my.combine --metrics maxsim
                  --report >combine.json
studio judges     studio judges judge.log --html >lead.html -o >judges.txt
studio export     studio export --log align.log --annotator ann -o >aligned.jsonl
overlap           paradigm overlap --gold gold.txt syntax.txt -f json -o >overlap.json
coverage          paradigm coverage --pairs pairs.jsonl syntax.txt --derivations >derivations.jsonl
                  -o >coverage.txt
paraphrase        paraphrase text.txt -g hiero.txt --lm lm.arpa -w weights.txt -f jsonl
                  -o >paraphrased.jsonl
compress          compress text.txt -g hiero.txt --lm lm.arpa -w weights.txt -o >short.txt
tune              tune text.txt -r text.txt -g hiero.txt --lm lm.arpa -w weights.txt --iterations 2
                  --k 10 --save >tuned.json -o >tuned.txt
"""
INPUTS = ("fr.links", "fr.moses", "de.parquet", "fr-rules.parquet", "lm.arpa")
SIGNALS = (signal.SIGKILL, signal.SIGTERM, signal.SIGINT)
OLD = b"what was here before\n"
FOLDERS = (">tables", ">given", ">work")
MARK = "otherwords-"  # in the names of our temporary files and folders


def calls() -> dict[str, list[str]]:
    """The words of each call by its name."""
    found: dict[str, list[str]] = {}
    name = ""
    for line in CALLS.strip("\n").splitlines():
        name = line[:18].strip() or name  # long lines are continued
        found.setdefault(name, []).extend(line[18:].split())
    return found


@dataclass(frozen=True)
class Ended:
    """How a command ended."""

    code: int  # negative: the signal that killed it
    said: str
    moments: int  # temporary files that appeared or were given their name


class Bench:
    """A folder with the inputs of all calls, and a place for outputs."""

    def __init__(self, root: Path) -> None:
        self.root, self.inputs, self.out = root, root / "inputs", root / "out"
        self.inputs.mkdir()
        workspace = extended(self.inputs)
        for file in INPUTS:
            workspace.run(workspace.makers[file])
        _load_all()

    def argv(self, words: list[str], out: Path) -> list[str]:
        return [f"{out}/{word[1:]}" if word.startswith(">") else word for word in words]

    def run(
        self,
        words: list[str],
        out: Path,
        prepare: Callable[[], None] = lambda: None,
        wait: bool = True,
    ) -> Any:
        """Run a command in a child of this process, which has loaded all modules already."""
        counted = self.root / "moments"
        counted.unlink(missing_ok=True)
        said, into = os.pipe()
        child = os.fork()
        if child == 0:
            self._child(words, out, prepare, into, counted)
        os.close(into)
        return self.ended(child, said, counted) if wait else (child, said)

    def ended(self, child: int, said: int, counted: Path | None = None) -> Ended:
        with os.fdopen(said, errors="replace") as file:
            text = file.read()
        _, status = os.waitpid(child, 0)
        moments = int(counted.read_text() or 0) if counted and counted.exists() else 0
        return Ended(os.waitstatus_to_exitcode(status), text, moments)

    def _child(
        self,
        words: list[str],
        out: Path,
        prepare: Callable[[], None],
        said: int,
        counted: Path,
    ) -> None:
        code = 70
        try:
            os.chdir(self.inputs)
            null = os.open(os.devnull, os.O_RDWR)
            for number, target in ((0, null), (1, null), (2, said)):
                os.dup2(target, number)
            os.environ |= {"TMPDIR": str(out), "XDG_CACHE_HOME": str(out / "cache")}
            tempfile.tempdir = None
            answer_signals()
            moments.counted = counted
            prepare()
            code = otherwords.cli.main(self.argv(words, out))
            sys.stderr.flush()
        finally:
            if sys.exc_info()[0] is not None:
                import traceback

                traceback.print_exc()
                sys.stderr.flush()
            os._exit(code)


class _Moments:
    """Counts temporary files as they appear and as they are named; sends a signal at one."""

    def __init__(self) -> None:
        self.counted: Path | None = None
        self.number, self.at, self.signal = 0, 0, signal.SIGKILL

    def watch(self, at: int = 0, number: signal.Signals = signal.SIGKILL) -> None:
        self.at, self.signal = at, number
        opened, made, replaced = os.open, os.mkdir, os.replace

        def open_(path: Any, *rest: Any, **more: Any) -> int:
            found = opened(path, *rest, **more)
            self._pass(path)
            return found

        def mkdir(path: Any, *rest: Any, **more: Any) -> None:
            made(path, *rest, **more)
            self._pass(path)

        def replace(path: Any, *rest: Any, **more: Any) -> None:
            self._pass(path)
            replaced(path, *rest, **more)

        os.open, os.mkdir, os.replace = open_, mkdir, replace  # type: ignore[assignment]

    def _pass(self, path: Any) -> None:
        if MARK not in os.path.basename(str(path)):
            return
        self.number += 1
        if self.at == 0 and self.counted is not None:
            self.counted.write_text(str(self.number))
        if self.number == self.at:
            os.kill(os.getpid(), self.signal)


moments = _Moments()


def _load_all() -> None:
    """Import what commands import, so that children start at once."""
    for module in pkgutil.walk_packages(otherwords.__path__, "otherwords."):
        if "integrations" not in module.name and "__main__" not in module.name:
            with contextlib.suppress(ImportError):
                importlib.import_module(module.name)
    importlib.import_module("sklearn.svm")


def content(folder: Path) -> dict[str, str]:
    """A hash of every file below a folder by its name.

    The cache of models is left out, and `.ses`, which onnxruntime writes when it is imported.
    """
    found = {}
    for path in sorted(folder.rglob("*")):
        name = str(path.relative_to(folder))
        if path.is_file() and name != ".ses" and not name.startswith("cache/"):
            found[name] = hashlib.sha256(path.read_bytes()).hexdigest()[:16]
        elif path.is_dir() and MARK in path.name:
            found[name] = "folder"
    return found


def fresh(out: Path, words: list[str]) -> Path:
    """An empty folder for outputs, with old files under the names that are written."""
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    for word in words:
        if word.startswith(">") and word not in FOLDERS:
            (out / word[1:]).write_bytes(OLD)
    return out


class Table:
    """Rows as they come, and what went wrong."""

    def __init__(self, *names: str) -> None:
        self.problems: list[str] = []
        self.names = names
        self.line(*names)

    def line(self, *cells: object) -> None:
        print(
            f"{cells[0]:18}"
            + "".join(
                f"{cell!s:>{len(name) + 2}}"
                for cell, name in zip(cells[1:], self.names[1:], strict=True)
            ),
            flush=True,
        )

    def problem(self, text: str) -> None:
        self.problems.append(text)
        print(text, flush=True)  # at once: a run takes long

    def finish(self) -> int:
        print(f"{len(self.problems)} problems")
        return int(bool(self.problems))


def differences(found: dict[str, str], wanted: dict[str, str]) -> list[str]:
    """What is missing, left behind or different."""
    out = [f"{name} is missing" for name in wanted if name not in found]
    out += [f"{name} is left" for name in found if name not in wanted]
    same = [name for name in found if name in wanted]
    return out + [f"{name} has other bytes" for name in same if found[name] != wanted[name]]


def unfinished(found: dict[str, str], wanted: dict[str, str], *, killed: bool) -> list[str]:
    """What is left of a command that did not finish; one that was killed could not clean up."""
    old = hashlib.sha256(OLD).hexdigest()[:16]
    stray = [f"{name} is left" for name in found if MARK in name or ".partial" in name]
    half = [
        f"{name} is half written" for name in found if found[name] not in (wanted.get(name), old)
    ]
    half = [one for one in half if MARK not in one and ".partial" not in one]
    return half + ([] if killed else stray)


def kills(bench: Bench, chosen: dict[str, list[str]], every: int) -> int:
    table = Table("command", "moments", "SIGKILL", "SIGTERM", "SIGINT", "seconds")
    turn = 0
    for name, words in chosen.items():
        began = time.monotonic()
        ended = bench.run(words, fresh(bench.out, words), moments.watch)
        if ended.code != 0:
            table.problem(f"{name}: exit code {ended.code}: {ended.said}")
            continue
        wanted = content(bench.out)
        done: Counter[str] = Counter()
        for at in range(1, ended.moments + 1):
            for number in SIGNALS:
                turn += 1
                if turn % every:
                    continue
                fresh(bench.out, words)
                killed = bench.run(words, bench.out, lambda a=at, n=number: moments.watch(a, n))
                label = f"{name}, moment {at}, {number.name}"
                expected = -9 if number == signal.SIGKILL else 128 + number
                if killed.code != expected:
                    table.problem(f"{label}: exit code {killed.code}: {killed.said}")
                if "Traceback" in killed.said or "otherwords: " in killed.said:
                    table.problem(f"{label}: it says {killed.said!r}")
                left = unfinished(content(bench.out), wanted, killed=number == signal.SIGKILL)
                for one in left:
                    table.problem(f"{label}: {one}")
                again = bench.run(words, bench.out)
                if again.code != 0:
                    table.problem(f"{label}, then: exit code {again.code}: {again.said}")
                for one in differences(content(bench.out), wanted):
                    table.problem(f"{label}, then: {one}")
                done[number.name] += 1
        seconds = f"{time.monotonic() - began:.1f}"
        table.line(name, ended.moments, *(done[one.name] for one in SIGNALS), seconds)
    return table.finish()


@contextlib.contextmanager
def small_disk(folder: Path, size: int) -> Iterator[Path]:
    """A file system of so many bytes at a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", folder], check=True)
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", folder], check=True)


def can_mount(root: Path) -> bool:
    try:
        with small_disk(root / "probe", 4096):
            return True
    except (OSError, subprocess.CalledProcessError):
        return False


PAGE = 4096


def disk(bench: Bench, chosen: dict[str, list[str]], every: int) -> int:
    """Too little room, none at all, and writes that fail after some bytes."""
    table = Table("command", "pages", "full", "enough", "read-only", "failing", "seconds")
    mounts, turn = can_mount(bench.root), 0
    for name, words in chosen.items():
        began = time.monotonic()
        out = fresh(bench.out, words)
        ended = bench.run(words, out)
        if ended.code != 0:
            table.problem(f"{name}: exit code {ended.code}: {ended.said}")
            continue
        wanted = content(out)
        pages = sum(-(-one.stat().st_size // PAGE) for one in out.rglob("*") if one.is_file())
        full = enough = only = failing = 0
        for level in range(10):
            turn += 1
            if not mounts or turn % every:
                continue
            # From a single page next to the old files to twice what the outputs need.
            outputs = sum(word.startswith(">") for word in words)
            room = outputs * PAGE + round(2 * pages * level / 9) * PAGE
            with small_disk(bench.root / "disk", room) as mounted:
                label = f"{name}, {room // PAGE} pages"
                if judge(table, bench, words, fresh_on(mounted, words), wanted, label):
                    enough += 1
                else:
                    full += 1
        turn += 1
        if mounts and not turn % every:
            with small_disk(bench.root / "disk", 64 << 20) as mounted:
                fresh_on(mounted, words)
                subprocess.run(["mount", "-o", "remount,ro", mounted], check=True)
                if judge(table, bench, words, mounted, wanted, f"{name}, read-only"):
                    table.problem(f"{name}: wrote to a read-only folder")
                only += 1
        largest = max((one.stat().st_size for one in out.rglob("*") if one.is_file()), default=0)
        for limit in (0, 1, largest // 2, largest - 1):
            turn += 1
            if turn % every:
                continue
            label = f"{name}, writes fail after {limit} bytes"
            out = fresh(bench.out, words)
            judge(table, bench, words, out, wanted, label, lambda size=limit: _limit(size))
            failing += 1
        table.line(name, pages, full, enough, only, failing, f"{time.monotonic() - began:.1f}")
    return table.finish()


def _limit(size: int) -> None:
    """A file can hold so many bytes: a write beyond fails (EFBIG), as on a disk that is full."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (max(size, 0), max(size, 0)))


def fresh_on(mounted: Path, words: list[str]) -> Path:
    for word in words:
        if word.startswith(">") and word not in FOLDERS:
            (mounted / word[1:]).write_bytes(OLD)
    return mounted


def judge(
    table: Table,
    bench: Bench,
    words: list[str],
    out: Path,
    wanted: dict[str, str],
    label: str,
    prepare: Callable[[], None] = lambda: None,
) -> bool:
    """Whether it succeeded; it must have all bytes then, and else one line and the old files."""
    ended = bench.run(words, out, prepare)
    found = content(out)
    if ended.code == 0:
        for one in differences(found, wanted):
            table.problem(f"{label}: exit code 0, but {one}")
        return True
    if ended.code != 2 or not _says_why(ended.said):
        table.problem(f"{label}: exit code {ended.code}: {ended.said[-300:]!r}")
    for one in unfinished(found, wanted, killed=False):
        table.problem(f"{label}: {one}")
    return False


def _says_why(said: str) -> bool:
    """One line that names a file and the reason, after what a build says of its stages."""
    *before, last = said.splitlines() or [""]
    whys = ("cannot be written: ", "cannot be used: ", "can be made", "another build uses")
    known = last.startswith(("otherwords: /", "otherwords: no temporary"))
    known = known or "No usable temporary directory" in last  # of a library that looks for one
    whys = (*whys, "No usable temporary directory")
    return known and any(why in last for why in whys) and all("finished" in one for one in before)


def together(bench: Bench, chosen: dict[str, list[str]], every: int) -> int:
    """Two processes that write the same file at the same time, ten times each."""
    table = Table("command", "both done", "one refused", "seconds")
    for turn, (name, words) in enumerate(chosen.items()):
        if turn % every:
            continue
        began = time.monotonic()
        ended = bench.run(words, fresh(bench.out, words))
        wanted = content(bench.out)
        both = refused = 0
        for _ in range(3):
            fresh(bench.out, words)
            pair = [bench.run(words, bench.out, wait=False) for _ in range(2)]
            codes = []
            for child, said in pair:
                ended = bench.ended(child, said)
                codes.append(ended.code)
                if ended.code not in (0, 2) or (ended.code == 2 and not _says_why(ended.said)):
                    table.problem(f"{name} twice: exit code {ended.code}: {ended.said!r:.300}")
            if 0 not in codes:
                table.problem(f"{name} twice: neither succeeded")
            both += codes == [0, 0]
            refused += sorted(codes) == [0, 2]
            for one in differences(content(bench.out), wanted):
                table.problem(f"{name} twice: {one}")
        table.line(name, both, refused, f"{time.monotonic() - began:.1f}")
    return table.finish()


MEMORY = 400 << 20  # bytes
PATIENCE = 120  # seconds of CPU time before a metric is taken to hang
LINE = """
import json, re, resource, sys, otherwords
words = "the old ship of a harbour left early because a storm was near and nobody saw it"
words = f"{words} again".split()
line = " ".join(words[k * k % 17] + ("" if k % 7 else str(k)) for k in range(10_000))
other = " ".join(words[k * 3 % 17] + ("" if k % 5 else str(k)) for k in range(10_000))
metric = sys.argv[1]
given = {"references": [[other]], "sources": [other], "any_language": True}
try:
    found = otherwords.score(metric, [line], **given)
except otherwords.errors.OtherwordsError as error:  # it needs a package or a model
    sys.exit(f"otherwords: {error}")
used = resource.getrusage(resource.RUSAGE_SELF)
peak = re.search(r"VmHWM:\\s+(\\d+)", open("/proc/self/status").read())[1]  # of this process alone
print(json.dumps([float(found.corpus), used.ru_utime + used.ru_stime, int(peak) * 1024]))
"""


@dataclass(frozen=True)
class Used:
    """What a metric needs for one line of 10,000 words."""

    code: int
    said: str
    score: float = 0.0
    cpu: float = 0.0
    memory: int = 0


def long_line(metric: str) -> Used:
    """Score one line of 10,000 words with a metric, in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-c", LINE, metric],
        capture_output=True,
        text=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (PATIENCE, PATIENCE)),
    )
    if done.returncode:
        return Used(done.returncode, done.stderr)
    score, cpu, memory = json.loads(done.stdout)
    return Used(0, done.stderr, score, cpu, memory)


def load(chosen: list[str]) -> int:
    """A line of 10,000 words for every metric, or for those with one of these in their name."""
    table = Table("metric", "CPU seconds", "MB", "below 10 s and 400 MB")
    for name in sorted(otherwords.list_metrics()):
        if chosen and not any(one in name for one in chosen):
            continue
        used = long_line(name)
        if used.code:
            table.line(name, "-", "-", used.said.strip()[-60:] or f"ended by signal {-used.code}")
            continue
        fits = used.cpu < 10 and used.memory < MEMORY
        table.line(name, f"{used.cpu:.1f}", used.memory >> 20, "yes" if fits else "NO")
        if not fits and name != "ter":
            table.problem(f"{name}: {used.cpu:.1f} s, {used.memory >> 20} MB")
    return table.finish()


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tests.reliability",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("part", choices=["kills", "disk", "together", "load"])
    parser.add_argument("names", nargs="*", help="only commands with one of these in their name")
    parser.add_argument("--every", type=int, default=1, help="one moment of so many")
    options = parser.parse_args(argv)
    if options.part == "load":
        return load(options.names)
    chosen = {
        name: words
        for name, words in calls().items()
        if not options.names or any(one in name for one in options.names)
    }
    part = {"kills": kills, "disk": disk, "together": together}[options.part]
    with tempfile.TemporaryDirectory() as folder:
        return part(Bench(Path(folder)), chosen, options.every)


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a job in the background ignores it
    os.environ.setdefault("OMP_NUM_THREADS", "1")  # threads do not live on in a child
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    sys.exit(main())

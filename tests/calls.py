"""Calls of every metric and command on small inputs, for tests that need all of them.

`tests/call_lines.py` has the command lines and `tests/call_inputs.py` the inputs.
"""

from __future__ import annotations

import ast
import contextlib
import functools
import gzip
import hashlib
import io
import json
import re
import shlex
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np

import otherwords
from otherwords.cli import main
from otherwords.errors import OtherwordsError
from tests import call_inputs as cases
from tests import call_lines as commands

ROOT = Path(__file__).resolve().parents[1]
SHARED = ROOT.parent / "shared" / "data"
SAMPLES = {
    "wmt15-daseg": "mt/wmt15-daseg.jsonl.gz",
    "parabank": "paraphrase/parabank.jsonl.gz",
    "shakespeare-dev": "paraphrase/shakespeare-dev.jsonl.gz",
}
ROWS = 200  # of a sample
DIGITS = 9
MODEL = b"otherwords-model"  # what a model file begins with


def digest(content: bytes) -> str:
    return hashlib.blake2b(content, digest_size=12).hexdigest()


# Metrics


def rows_of(path: Path, most: int | None = None) -> list[dict]:
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rt", encoding="utf-8") as lines:
        return [
            json.loads(line) for _, line in zip(range(most or sys.maxsize), lines, strict=False)
        ]


def texts_of(rows: list[dict]) -> tuple[list, list | None, list | None]:
    """Hypotheses, references and sources; a side that no row has is None."""
    references = [row.get("references") or [] for row in rows]
    sources = [row.get("source") for row in rows]
    return (
        [row["hypothesis"] for row in rows],
        references if any(references) else None,
        sources if any(sources) else None,
    )


@functools.cache
def texts(name: str) -> tuple[list, list | None, list | None]:
    """The texts of a set."""
    if name in SAMPLES:
        return texts_of(rows_of(SHARED / SAMPLES[name], ROWS))
    examples = ROOT / "examples"
    if name == "edges":
        return tuple(map(list, zip(*cases.EDGES, strict=True)))  # type: ignore[return-value]
    if name == "several":  # references
        read = {
            path.stem: path.read_text(encoding="utf-8").splitlines()
            for path in (examples / "translation").glob("*.txt")
        }
        references = list(map(list, zip(read["reference"], read["careful"], strict=True)))
        return read["free"], references, read["literal"]
    if name == "candidates":
        rows = rows_of(examples / "candidates.jsonl")
        pairs = [(one, row["source"]) for row in rows for one in row["candidates"]]
        return [one for one, _ in pairs], None, [source for _, source in pairs]
    files = {"judged": "translation/judged.jsonl", "judgement": "judgement/rows.jsonl"}
    return texts_of(rows_of(examples / files[name]))


def metric_cases(*, data: bool) -> Iterator[tuple[str, str, str]]:
    """Metric, set and options of every case."""
    for name in otherwords.list_metrics():
        if name == "pair":  # needs weights, and its last digits are the processor's
            continue
        sets = SAMPLES if data else ("judged", "several", "candidates", "judgement", "edges")
        yield from ((name, one, "") for one in sets)
        if data:
            yield name, "wmt15-daseg", "against=references"
            yield name, "parabank", "against=source"
            continue
        variants = [*cases.EVERY, *cases.VARIANTS.get(name, [])]
        yield from ((name, "judgement", variant) for variant in variants)
        yield from ((name, "several", variant) for variant in cases.VARIANTS.get(name, []))


def parse_options(text: str) -> dict:
    """`alpha=0.5 model=none` as keywords."""
    options = {}
    for part in text.split():
        key, _, value = part.partition("=")
        try:
            options[key] = ast.literal_eval(value)
        except (ValueError, SyntaxError):
            options[key] = value.split(",") if "," in value else value
    return options


def run_metric(name: str, texts_name: str, options: str) -> dict:
    """Scores and signature, the same for one thread and for two; or the class of the error."""
    found = []
    for threads in (1, 2):
        hypotheses, references, sources = texts(texts_name)
        given = {"references": references, "sources": sources, "threads": threads}
        try:
            chosen = {**cases.REQUIRED.get(name, {}), **parse_options(options)}
            result = otherwords.score(name, hypotheses, **given, **chosen)
        except OtherwordsError as error:
            return {"error": type(error).__name__}
        segments = np.asarray(result.segments, "<f8")
        rounded = " ".join(f"{value:.{DIGITS}g}" for value in segments + 0.0)
        found.append(
            {
                "corpus": repr(float(result.corpus)),
                "segments": digest(rounded.encode()),
                "exact": digest(segments.tobytes()),
                "signature": result.signature,
            }
        )
    return found[0] if found[0] == found[1] else {"threads": "they differ", "found": found}


# Commands


def command_cases(*, data: bool) -> dict[str, tuple[str, list[str]]]:
    """Kind and arguments of every call by name."""
    found = {}
    table = commands.DATA_COMMANDS if data else commands.COMMANDS
    for line in re.sub(r"\n +", " ", table).strip().splitlines():  # long lines are continued
        name, kind, arguments = line.split(None, 2)
        words = shlex.split(arguments)
        found[name] = kind, [one for word in words for one in commands.SHORT.get(word, [word])]
    if not data:
        for words in commands.HELP.replace("\n", ";").strip(";").split(";"):
            found[f"help {words.strip()}"] = "code", [*words.split(), "--help"]
    return found


class Workspace:
    """A folder with the input files, in which each call is run once, after those it builds on."""

    def __init__(self, folder: Path, threads: tuple[str, ...] = ("1", "2")) -> None:
        self.folder, self.threads = folder, threads
        self.calls = command_cases(data=False) | command_cases(data=True)
        self.done: dict[str, dict] = {}
        self.makers = {
            word[1:]: name
            for name, (_, words) in self.calls.items()
            for word in words
            if word.startswith(">")
        }
        shutil.copytree(ROOT / "examples", folder / "examples")
        for file, text in cases.FILES.items():
            (folder / file).write_text(text, encoding="utf-8")
        for name, path in SAMPLES.items() if SHARED.is_dir() else ():
            rows = rows_of(SHARED / path, ROWS)
            lines = [json.dumps(row, ensure_ascii=False) for row in rows]
            (folder / f"{name}.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
            lines = [" ".join(row["hypothesis"].split()) for row in rows[:100]]
            (folder / f"{name}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")

    def run(self, name: str) -> dict:
        """What a call gives, the same for every number of threads."""
        if name not in self.done:
            kind, words = self.calls[name]
            for part in {part for word in words for part in re.split("[=,]", word)}:
                if self.makers.get(part, name) != name:
                    self.run(self.makers[part])
            counts = self.threads if "*" in words else ("",)
            found = [self._call(kind, words, threads) for threads in counts]
            same = all(one == found[0] for one in found)
            self.done[name] = found[0] if same else {"threads": "they differ", "found": found}
        return self.done[name]

    def _call(self, kind: str, words: list[str], threads: str) -> dict:
        argv = [threads if word == "*" else word.removeprefix(">") for word in words]
        written = [self.folder / word[1:] for word in words if word.startswith(">")]
        if threads:  # a second call must write for itself, not find what the first wrote
            for path in (*written, *(Path(f"{path}.build") for path in written)):
                shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
        code, printed = call(argv, self.folder)
        outcome: dict = {"code": code}
        if kind == "code":
            return outcome
        contents = {path.name: content_of(path) for path in written} or {"": printed}
        if kind == "data":
            outcome["output"] = {file: digest(content) for file, content in contents.items()}
            return outcome
        if kind == "trained":
            outcome["exact"] = " ".join(map(digest, contents.values()))
        reports = [one for one in contents.values() if not one.startswith(MODEL)]
        numbers = (number for one in reports for number in numbers_of(one, whole=kind == "counts"))
        outcome["numbers"] = " ".join(f"{number:.12g}" for number in sorted(numbers))
        return outcome


def call(argv: list[str], folder: Path) -> tuple[int, bytes]:
    """Exit code and standard output of a command line."""
    printed = io.BytesIO()
    with (
        contextlib.chdir(folder),
        contextlib.redirect_stdout(io.TextIOWrapper(printed, "utf-8", write_through=True)),
        contextlib.redirect_stderr(io.StringIO()),
    ):
        code = main(argv)
        sys.stdout.flush()
        return code, printed.getvalue()


def content_of(path: Path) -> bytes:
    """What a file holds, whatever its packing; of a folder, of all its files."""
    if path.is_dir():
        return b"".join(content_of(file) for file in sorted(path.iterdir()))
    content = path.read_bytes() if path.is_file() else b""
    if content.startswith(b"PAR1"):
        from pyarrow import parquet

        return repr(parquet.read_table(path).to_pylist()).encode()
    return gzip.decompress(content) if content.startswith(b"\x1f\x8b") else content


def numbers_of(content: bytes, *, whole: bool) -> Iterator[float]:
    """The floats of a JSON document (with `whole`, all numbers), or of text that is none."""
    try:
        yield from _numbers(json.loads(content), whole)
    except ValueError:
        yield from map(float, re.findall(rb"(?<![\w.])-?\d*\.\d+", content))


def _numbers(value: object, whole: bool) -> Iterator[float]:
    if isinstance(value, dict | list):
        for one in value.values() if isinstance(value, dict) else value:
            yield from _numbers(one, whole)
    elif isinstance(value, float) or (whole and type(value) is int):
        yield float(value)


# All of them


def all_cases(*, data: bool) -> dict[str, tuple[str, ...]]:
    """How to run every case, by its name."""
    calls = {f"command {name}": (name,) for name in command_cases(data=data)}
    metrics = {" ".join(("metric", *one)).strip(): one for one in metric_cases(data=data)}
    return calls | metrics


def run(how: tuple[str, ...], workspace: Workspace) -> dict:
    return workspace.run(*how) if len(how) == 1 else run_metric(*how)

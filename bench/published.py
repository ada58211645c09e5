"""The tables of PEM, MAXSIM and ParaEval on available data, as docs/papers has them.

`python -m bench.papers pem maxsim paraeval` prints them; `python -m bench.results papers` writes
them into the pages. Intervals are of 200 resamples.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Sequence
from pathlib import Path

from bench.data import DATA
from otherwords.cli import main as otherwords

SHARED = "../shared/data"
DEEN = f"--rows {SHARED}/mt/sys-wmt21-deen.jsonl.gz"
DEEN += f" --system-human {SHARED}/mt/sys-wmt21-deen-human.json"
ZHEN, ETEN, WMT15 = (
    f"--rows {SHARED}/mt/{name}.jsonl.gz" for name in ("mqm21-zhen", "mlqe-eten", "wmt15-daseg")
)
SHAKESPEARE = f"--rows {SHARED}/paraphrase/shakespeare-dev.jsonl.gz --scale 1:4"
CHINESE = ("newscommentary-zh", "k8s-zh")
FEW = "--resamples 200"


def maxsim(folder: Path) -> None:
    """Table 2 and the sweep of alpha (§4); agreement over segments."""
    show(folder, f"meta paper maxsim {DEEN} --sweep alpha=0:1:0.1")
    show(folder, f"meta paper maxsim {ZHEN} --sweep alpha=0:1:0.1 --ci {FEW}")
    show(folder, f"meta paper paraeval {WMT15} -m maxsim,bleu {FEW}")


def paraeval(folder: Path) -> None:
    """Tables 1 to 6, Figure 5 as numbers, paraphrases by their length (§4.2), tables (§4.3)."""
    systems = "-m paraeval-p,paraeval-r,bleu,mup,gm,bp-bleu --references single"
    show(folder, f"meta paper paraeval {DEEN} {systems} {FEW}")
    for rows in (ZHEN, ETEN, WMT15):
        show(folder, f"meta paper paraeval {rows} -m paraeval-p,paraeval-r,bleu {FEW}")
    show(folder, f"meta paper paraeval {DEEN} -m paraeval-p --sweep min_length=1,2,3 {FEW}")
    tables = "-m paraeval-p --sweep model=surface,paraphrase,none"
    show(folder, f"meta paper paraeval {DEEN} {tables} {FEW}")
    for rows in (DEEN.partition(" --system-human")[0], ETEN):
        show(folder, f"meta paper paraeval {rows} --humans -m paraeval-p,bleu")


def pem(folder: Path) -> None:
    """Tables 1 to 3, and the example of §4.3."""
    pem_tables(folder)
    put_forth(folder)


def pem_tables(folder: Path) -> None:
    """Tables 1 to 3 on shakespeare-dev, with BLEU as an MT metric next to PEM (§6.2)."""
    show(folder, f"meta paper pem --protocol -m bleu --against source --ci {FEW} {SHAKESPEARE}")


def put_forth(folder: Path) -> None:
    """The example of §4.3 with a table of Chinese words that is not pruned; it needs jieba."""
    model = folder / "chinese.owm"
    files = " ".join(f"--pivot zh={SHARED}/bitext/{name}.tsv.gz" for name in CHINESE)
    command = f"build {files} --segmentation jieba --min-probability 0 --top 255 -o chinese.owm"
    print(f"```sh\notherwords {command}\n```\n")
    if not model.exists():
        run(command.replace("chinese.owm", str(model)))
    (folder / "forth.txt").write_text("sihanouk put forth this proposal .\n", encoding="utf-8")
    (folder / "forward.txt").write_text("sihanouk put forward this proposal .\n", encoding="utf-8")
    for part in ("forth.txt", "forward.txt"):
        print(f"`{part}`: {(folder / part).read_text(encoding='utf-8').strip()}\n")
    options = "--set model=chinese.owm --set languages=zh --explain 1"
    show(folder, f"score -m pem.adequacy {options} -s forth.txt forward.txt", "text")


def show(folder: Path, command: str, form: str = "markdown", since: str = "") -> None:
    """Print a command and its tables, from the caption `since` on; the notes below them, with
    signatures, are left out. Files of the folder are named without it.
    """
    output = folder / "printed.txt"
    words = [_with_folder(folder, word) for word in command.split()]
    run(f"{shlex.join(words)} -f {form} -o {output}")
    lines = output.read_text(encoding="utf-8").strip().splitlines()
    kept = [line for line in lines if not line.startswith("- ")]
    text = "\n".join(kept).strip()
    text = text[text.index(since) :]
    print(f"```sh\notherwords {command}\n```\n")
    print(f"{text}\n" if form == "markdown" else f"```text\n{text}\n```\n", flush=True)


def _with_folder(folder: Path, word: str) -> str:
    name, equals, file = word.rpartition("=")
    is_there = bool(file) and (folder / file).exists()
    return f"{name}{equals}{folder / file}" if is_there else word


def print_table(caption: str, head: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Print a table of Markdown, numbers with separators."""
    print(f"**{caption}**\n\n| {' | '.join(head)} |\n|---{'|--:' * (len(head) - 1)}|")
    for row in rows:
        cells = (f"{cell:,}" if isinstance(cell, int) else str(cell) for cell in row)
        print(f"| {' | '.join(cells)} |")
    print(flush=True)


def run(command: str) -> None:
    """Run a command of otherwords; a failure stops everything."""
    if code := otherwords(shlex.split(command.replace(SHARED, str(DATA)))):
        raise SystemExit(f"{command}: exit code {code}")

"""Long lines, many threads and large models: bounded memory, and refusals in one line."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import numpy as np
import pytest

import otherwords
from otherwords.build.lm import load_model
from otherwords.cli import main
from otherwords.models import container
from otherwords.models.language_model import KIND
from tests.call_inputs import FILES
from tests.fuzz.seeds import ARPA
from tests.more_calls import WEIGHTS
from tests.reliability import MEMORY, long_line


@pytest.mark.long
@pytest.mark.parametrize("name", sorted(otherwords.list_metrics()))
def test_lines_of_ten_thousand_words(name):
    """The table with times: `python -m tests.reliability load`."""
    if name in ("ter", "rouge-l"):
        pytest.skip("the package that computes it compares every word with every other")
    used = long_line(name)
    assert used.code == 0 or used.said.startswith("otherwords: "), (used.code, used.said)
    assert used.memory < MEMORY, f"{used.memory >> 20} MB"


def test_numbers_of_threads(tmp_path, capsys):
    text = tmp_path / "text.txt"
    text.write_text("The ship sank.\n" * 3)
    arguments = ["score", str(text), "-r", str(text), "-m", "maxsim", "-f", "json", "--threads"]
    assert main([*arguments, "1024"]) == 0
    many = json.loads(capsys.readouterr().out)
    assert main([*arguments, "1"]) == 0
    assert json.loads(capsys.readouterr().out) == many
    assert main([*arguments, "2000"]) == 2
    said = capsys.readouterr().err
    assert said.startswith("otherwords: ")
    assert said.count("\n") == 1
    assert "2000" in said


def test_a_long_line_is_decoded_in_little_memory(tmp_path):
    """The chart has the spans that rules can cover; all would be 1.7 GB for 6,000 words."""
    for name in ("hiero.txt", "lm.arpa", "weights.txt"):
        (tmp_path / name).write_text({**FILES, "lm.arpa": ARPA, "weights.txt": WEIGHTS}[name])
    (tmp_path / "text.txt").write_text("the king " * 3000)
    words = "paraphrase text.txt -g hiero.txt --lm lm.arpa -w weights.txt -o out.txt".split()
    words += ["--pop-limit", "1"]  # what is found is kept for each span, too
    code = (
        "import re, sys; from otherwords.cli import main\n"
        "print(main(sys.argv[1:]))\n"
        "print(re.search(r'VmHWM:\\s+(\\d+)', open('/proc/self/status').read())[1])"
    )
    said = subprocess.check_output([sys.executable, "-c", code, *words], text=True, cwd=tmp_path)
    status, memory = map(int, said.split())
    assert status == 0
    assert memory * 1024 < MEMORY


def needed(largest: int, size: int) -> int:
    """Bytes of so many numbers up to the largest (native/core/lm/packed.hpp)."""
    return (size * largest.bit_length() + 7) // 8 + 8


def repacked(raw: np.ndarray, before: int, after: int, size: int) -> np.ndarray:
    """Packed numbers of at most `before` in the width of those of at most `after`."""
    old, new = before.bit_length(), after.bit_length()
    assert len(raw) == needed(before, size)
    given = int.from_bytes(raw.tobytes(), "little")
    numbers = [given >> k * old & (1 << old) - 1 for k in range(size)]
    packed = sum(number << k * new for k, number in enumerate(numbers))
    return np.frombuffer(packed.to_bytes(needed(after, size), "little"), np.uint8)


@pytest.mark.long
def test_a_model_of_two_gigabytes(tmp_path, monkeypatch):
    """Opened, verified once and queried without being read into memory."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    text, small, large = (tmp_path / name for name in ("text.txt", "small.owm", "large.owm"))
    text.write_text(FILES["text.txt"])
    assert main(["lm", "estimate", str(text), "--order", "2", "-o", str(small)]) == 0
    model = container.read(small, KIND)
    arrays = dict(model.arrays)
    # Bigrams that no word leads to: the same scores from a file of two gigabytes.
    sizes, words, children = arrays["sizes"].copy(), arrays["words_2"], arrays["children_1"]
    before, parents = int(sizes[1]), int(sizes[0]) - 2  # all but <s> and <unk> end a bigram
    sizes[1] += (2 << 30) // 4
    arrays["sizes"] = sizes
    arrays["children_1"] = repacked(children, before, int(sizes[1]), parents + 1)
    for name, kind, size in (
        ("weights_2", np.float32, int(sizes[1])),
        ("words_2", np.uint8, needed(int(sizes[0]) - 1, int(sizes[1]))),
    ):
        small_part = words if name == "words_2" else arrays[name]
        room = np.memmap(tmp_path / name, kind, "w+", shape=(size,))
        room[: len(small_part)] = small_part
        arrays[name] = room
    try:
        container.write(large, KIND, arrays, model.provenance)
        wanted = load_model(small).score(["The old ship left .", ""]).tolist()
        code = (
            "import re, sys; from otherwords.build.lm import load_model\n"
            "print(load_model(sys.argv[1]).score(['The old ship left .', '']).tolist())\n"
            # Not ru_maxrss, which counts the process that started this one.
            "print(re.search(r'VmHWM:\\s+(\\d+)', open('/proc/self/status').read())[1])"
        )
        for _ in range(2):
            said = subprocess.check_output([sys.executable, "-c", code, large], text=True)
            scores, memory = said.splitlines()
            assert json.loads(scores) == wanted
            assert int(memory) * 1024 < MEMORY
        assert os.listdir(tmp_path / "cache" / "otherwords")
        with large.open("r+b") as file:
            file.seek(1 << 30)
            file.write(b"\1")
        assert main(["lm", "query", str(large), str(text)]) == 2
    finally:
        large.unlink(missing_ok=True)

"""Long lines, many threads and large models: bounded memory, and refusals in one line."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import numpy as np
import pytest

import otherwords
from otherwords.cli import main
from otherwords.lm.model import KIND, LanguageModel
from otherwords.models import container
from tests.reliability import MEMORY, long_line
from tests.unchanged_cases import FILES


@pytest.mark.long
@pytest.mark.parametrize("name", sorted(otherwords.metrics()))
def test_lines_of_ten_thousand_words(name):
    """The table with times: `python -m tests.reliability load`."""
    used = long_line(name)
    assert used.code in (0, 2), used.said
    assert used.code == 0 or used.said.count("\n") == 1
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
    sizes, words = arrays["sizes"].copy(), arrays["words_2"]
    added = (2 << 30) // 4
    bits = int(sizes[0] - 1).bit_length()
    sizes[1] += added
    room = np.memmap(tmp_path / "room", np.float32, "w+", shape=(int(sizes[1]),))
    room[: len(arrays["weights_2"])] = arrays["weights_2"]
    packed = np.memmap(
        tmp_path / "packed", np.uint8, "w+", shape=(len(words) - 8 + (added * bits + 7) // 8 + 16,)
    )
    packed[: len(words)] = words
    try:
        container.write(
            large, KIND, {**arrays, "sizes": sizes, "weights_2": room, "words_2": packed},
            model.provenance,
        )  # fmt: skip
        wanted = LanguageModel.load(small).score(["The old ship left .", ""]).tolist()
        code = (
            "import sys, resource; from otherwords.lm.model import LanguageModel\n"
            "print(LanguageModel.load(sys.argv[1]).score(['The old ship left .', '']).tolist())\n"
            "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
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

"""`otherwords try`, and how text is fitted to a terminal."""

from __future__ import annotations

import json
import os
import pty
import re
import subprocess
import sys

import pytest

import otherwords
from otherwords.tables.table import Column, Number, Table
from otherwords.tables.tabular import Tabular

ORIGINAL = "The meeting starts on 3 March and all members must register before Friday."
RIGHT = "The meeting begins on 3 March, and every member has to sign up before Friday."
WRONG = "The meeting begins on 13 March, and every member has to sign up before Friday."


def test_a_right_rewrite_passes(ok):
    lines = ok("try", ORIGINAL, RIGHT).splitlines()
    assert lines[0] == "Passes: the rewrite says the same as the original in other words."
    assert [line.split()[0] for line in lines[2:6]] == [
        *("meaning", "fluency", "difference", "overall")
    ]
    assert lines[7].startswith("original  The meeting ~[starts] on 3 March")
    assert lines[8].startswith("rewrite   The meeting ~[begins] on 3 March")
    assert lines[9] == "(~ other words)"
    assert len(lines) == 10


def test_a_wrong_value_blocks_with_its_reason(ok):
    out = ok("try", ORIGINAL, WRONG)
    assert out.startswith("Blocked: the rewrite does not say the same as the original.\n")
    assert "on ![13 March]," in out
    assert 'The rewrite says "13 March"; the original says "3 March".\n' in out
    assert "|v:" not in out
    assert "otherwords-rewrite|v:" in ok("try", ORIGINAL, WRONG, "--signatures")


def test_doubts_are_said(ok):
    lines = ok("try", "Many people came.", "A lot of guests came.").splitlines()
    assert lines[0] == "Passes with doubts: the rewrite may not say the same as the original."
    assert lines[-1] == "(? unclear)"


def test_what_is_right_beside_a_wrong_value_is_green(ok):
    assert "![13 March], and ~[every member has to sign up] before" in ok("try", ORIGINAL, WRONG)


def test_a_copy_is_called_a_copy(ok):
    assert "says the same as the original in the same words." in ok("try", ORIGINAL, ORIGINAL)


def test_a_translation_is_compared_with_its_best_reference(ok):
    out = ok("try", RIGHT, "-r", "Prices rose in May.", "-r", ORIGINAL)
    assert out.startswith("Passes: the text says the same as the reference.\n")
    assert f"reference  {ORIGINAL[:12]}" in out
    assert "otherwords-mt  " in out
    assert out.count("█") > 0
    assert "![5 April]" in ok("try", "We meet on 5 April.", "-r", "We meet on 4 April.")


def test_json_has_the_same_as_data(ok):
    found = json.loads(ok("try", ORIGINAL, WRONG, "-f", "json"))
    trial = otherwords.try_text(WRONG, ORIGINAL)
    assert found["passed"] is trial.passed is False
    assert found["verdict"] == trial.verdict
    assert found["reasons"] == list(trial.reasons)
    assert found["scores"] == trial.scores
    assert (found["original"], found["rewrite"]) == (ORIGINAL, WRONG)
    assert "contradicted" in {span["verdict"] for span in found["spans"]}


def test_the_verdict_is_that_of_the_gate():
    rules = otherwords.Rules(no_contradictions=True)
    for text in (RIGHT, WRONG, "", "Prices rose in May.", ORIGINAL):
        gated = otherwords.gate(None, [text], sources=[ORIGINAL], rules=rules)
        trial = otherwords.try_text(text, ORIGINAL)
        assert trial.passed == gated.passed
        assert list(trial.reasons) == gated.reasons


def test_wrong_calls(refused):
    assert "try takes two texts, not 1" in refused("try", ORIGINAL)
    assert "try takes one text with -r, not 2" in refused("try", ORIGINAL, RIGHT, "-r", RIGHT)
    with pytest.raises(otherwords.UsageError, match="original of a rewrite, or the references"):
        otherwords.try_text(RIGHT)
    with pytest.raises(otherwords.UsageError, match="references must be a list of texts"):
        otherwords.try_text(RIGHT, references=RIGHT)
    french = "Le contrat se termine le 31 décembre 2025."
    assert "the rewrite does not look like English" in refused("try", ORIGINAL, french)


def test_otherwords_alone_is_help(ok):
    out = ok()
    assert out.startswith("Usage: otherwords")
    assert re.search(r"Score:\n  try ", out)


def on_terminal(*argv: str, **environment: str) -> str:
    """What a command prints on a terminal."""
    ours, theirs = pty.openpty()
    known = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
    call = subprocess.Popen(
        [sys.executable, "-m", "otherwords", *argv],
        stdout=theirs,
        stderr=subprocess.DEVNULL,
        env={**known, "TERM": "xterm", "COLUMNS": "80", **environment},
    )
    os.close(theirs)
    out = b""
    try:
        while part := os.read(ours, 4096):
            out += part
    except OSError:  # the end, on Linux
        pass
    os.close(ours)
    assert call.wait() == 0
    return out.decode().replace("\r\n", "\n")


def test_colour_is_for_terminals_that_want_it(ok):
    coloured = on_terminal("try", ORIGINAL, WRONG)
    assert coloured.startswith("\x1b[31mBlocked\x1b[0m: ")
    assert "\x1b[31m![13 March]\x1b[0m" in coloured
    plain = on_terminal("try", ORIGINAL, WRONG, NO_COLOR="1")
    assert re.sub(r"\x1b\[\d+m", "", coloured) == plain
    assert "\x1b" not in ok("try", ORIGINAL, WRONG)
    assert max(map(len, plain.splitlines())) <= 80


class Wide(Tabular):
    """A table with numbers, a minor column and a long text."""

    def tables(self):
        number = Number(0.512345, 0.4923, 0.5323, p=0.2, adjusted=0.012)
        columns = [
            Column("system", left=True),
            *(Column(name, decimals=4) for name in ("maxsim", "bleu", "chrf")),
            Column("kept", minor=True),
            Column("use", left=True),
        ]
        row = ["mine", number, 0.51234, number, 7, "When a translation has references."]
        yield Table("wide", columns, [row])


def fitted(width: int) -> list[str]:
    lines = list(Wide().render(width=width))
    assert max(map(len, lines)) <= width
    return lines


def test_tables_lose_digits_then_columns_then_wrap_texts_then_are_stacked():
    assert "0.512 ± 0.020 (p = 0.012)*  0.5123" in fitted(120)[1]
    assert "0.51 ± 0.02 (p = 0.012)*  0.512" in fitted(111)[1]
    assert fitted(100)[0].split() == ["system", "maxsim", "bleu", "chrf", "kept", "use"]
    assert "0.51 ± 0.02*  0.51  0.51 ± 0.02*     7" in fitted(100)[1]
    assert "0.51 ± 0.02*  0.51  0.51 ± 0.02*  When" in fitted(80)[1]
    assert "0.51*  0.51  0.51*" in fitted(68)[1]
    assert "not shown, for lack of width: kept" in fitted(80)
    assert fitted(100)[-1] == fitted(100)[1]  # all columns: no note
    first, second = fitted(50)[1:3]
    assert first.endswith("When a translation")
    assert second == " " * 29 + "has references."
    assert fitted(30) == [
        "mine",
        "  maxsim  0.51*",
        "  bleu    0.51",
        "  chrf    0.51*",
        "  use     When a translation",
        "          has references.",
        "",
        "not shown, for lack of width:",
        "kept",
    ]

"""Wrong input on the command line: one clear line, exit code 2, nothing on standard output."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[1] / "examples" / "translation"
REFERENCE = str(EXAMPLES / "reference.txt")
SYSTEMS = [str(EXAMPLES / "careful.txt")]


def test_files_of_different_length(refused, tmp_path):
    short = tmp_path / "short.txt"
    short.write_text("one\ntwo\n")
    message = refused("score", "-r", REFERENCE, short)
    assert f"{short}:3: this file has 2 segments, but {REFERENCE} has 20" in message


def test_undecodable_bytes(refused, tmp_path):
    path = tmp_path / "latin1.txt"
    path.write_bytes(b"fine\ncaf\xe9 is not\n")
    assert f"{path}:2:4: byte 0xe9 is not UTF-8" in refused("score", "-r", REFERENCE, path)


def test_directory_and_missing_file(refused, tmp_path):
    assert "this is a directory" in refused("score", "-r", REFERENCE, tmp_path)
    assert "no such file" in refused("score", "-r", tmp_path / "no.txt", SYSTEMS[0])


def test_unknown_metric(refused):
    assert "did you mean 'maxsim'?" in refused(
        "score", "-m", "maxsimm", "-r", REFERENCE, SYSTEMS[0]
    )


def test_empty_corpus(refused, tmp_path):
    empty = tmp_path / "empty.txt"
    empty.write_text("")
    assert "nothing to score" in refused("score", "-r", empty, empty)


def test_nan_options(refused):
    for option in ("maxsim.alpha=nan", "alpha=nan", "alpha=inf"):
        assert "alpha must be a number" in refused(
            "score", "--set", option, "-r", REFERENCE, SYSTEMS[0]
        )
    assert "confidence must be" in refused(
        "score", "--ci", "--confidence", "nan", "-r", REFERENCE, SYSTEMS[0]
    )


def test_truncated_gzip(refused, tmp_path):
    path = tmp_path / "cut.txt.gz"
    path.write_bytes(gzip.compress(Path(SYSTEMS[0]).read_bytes())[:-20])
    assert "truncated or damaged" in refused("score", "-r", REFERENCE, path)


def test_not_english(refused, run, tmp_path):
    path = tmp_path / "fr.txt"
    path.write_text("Le maire a déclaré mardi que le vieux pont serait fermé au public.\n" * 20)
    message = refused("score", "-r", REFERENCE, path)
    assert f"the text of {path}, given to maxsim, does not look like English" in message
    path.write_text("市长星期二说旧桥将关闭。\n" * 20)
    assert "does not look like English" in refused("score", "-r", REFERENCE, path)
    assert "does not look like" in refused("score", "-r", REFERENCE, path, "--explain", "1")
    assert run("score", "-m", "bleu", "-r", REFERENCE, path)[0] == 0
    assert run("score", "--any-language", "-r", REFERENCE, path)[0] == 0


def test_a_closer_look_at_what_is_wrong(refused, tmp_path):
    row = tmp_path / "rows.jsonl"
    row.write_text('{"hypothesis": "a cat", "references": []}\n')
    assert f"{row}:1: maxsim needs a reference" in refused("score", "-m", "maxsim", "--jsonl", row)
    row.write_text('{"hypothesis": "a cat"\n')
    assert f"{row}:1" in refused("score", "--jsonl", row)
    assert "--rows has everything" in refused("score", "--jsonl", row, "-r", REFERENCE)
    assert "read only once" in refused("score", "-r", "-", "-")
    assert "--baseline does nothing without --paired" in refused(
        "score", "-r", REFERENCE, SYSTEMS[0], "--baseline", "careful"
    )
    assert "needs --format json" in refused(
        "score", "-r", REFERENCE, SYSTEMS[0], "--segments", "--ci"
    )
    assert "--explain 1 does not go with" in refused(
        "score", "-r", REFERENCE, SYSTEMS[0], "--explain", "1", "--segments"
    )
    for value in ("7", "yes"):
        assert "case must be true or false" in refused(
            "score", "-r", REFERENCE, SYSTEMS[0], "--set", f"case={value}"
        )
    assert "orders must be" in refused("score", "-r", REFERENCE, SYSTEMS[0], "--set", "orders=true")
    sgml = tmp_path / "r.sgm"
    sgml.write_text("<refset><doc docid=d sysid=r><seg id=1>a</seg></doc></refset>")
    assert "is a WMT file but" in refused("score", "-r", sgml, SYSTEMS[0])
    nul = tmp_path / "nul.txt"
    nul.write_bytes(b"a\0b\n")
    assert f"{nul}:1:2: NUL byte" in refused("score", "-r", nul, nul)
    assert "no system 'none'" in refused(
        "score", "-r", REFERENCE, SYSTEMS[0], "--paired", "bootstrap", "--baseline", "none"
    )
    assert "they run from 1 to 20" in refused(
        "score", "-r", REFERENCE, SYSTEMS[0], "--explain", "21"
    )
    assert "None" not in refused("score", "--format", "xls", "-r", REFERENCE, SYSTEMS[0])
    assert "pinc needs a source" in refused("score", "-m", "pinc", "-r", REFERENCE, SYSTEMS[0])


def test_unknown_command_and_option(run):
    for argv in (["scor"], ["score", "--nope"]):
        code, out, err = run(*argv)
        assert code == 2
        assert out == ""
        assert "Traceback" not in err


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["--threads", "x"], "--threads must be a whole number, not 'x'"),
        (["--threads", "0"], "--threads must be at least 1, not 0"),
        (["--threads", "1025"], "--threads must be at most 1024, not 1025"),
        (["--format", "xml"], "--format must be one of text, markdown"),
        (["-f", "xml"], "--format must be one of"),
        (["--ci", "--confidence", "x"], "--confidence must be a number, not 'x'"),
        (["--ci", "--confidence", "nan"], "confidence must be a number from 0.5"),
        (["--ci", "--seed", "9" * 20], "seed must be a whole number from 0"),
    ],
)
def test_values_of_options_are_refused_in_one_line(refused, argv, message):
    found = refused("score", "-m", "mup", "-r", REFERENCE, SYSTEMS[0], *argv)
    assert message in found
    assert found.count("\n") == 1


def test_not_a_number_is_within_no_limits(refused):
    assert "--memory must be at least 0.05, not nan" in refused("pivot", "x", "--memory", "nan")


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["scor"], "there is no command 'otherwords scor'; did you mean 'score'?"),
        (["meta", "papr"], "there is no command 'otherwords meta papr'; did you mean 'paper'?"),
        (["meta", "paper", "x"], "there is no command 'otherwords meta paper x'; choose from: max"),
        (["grammar", "inf", "x"], "did you mean 'info'?"),
    ],
)
def test_near_misses_of_commands(refused, argv, message):
    assert message in refused(*argv)


def test_rank_takes_one_metric_however_it_is_given(refused):
    for argv in (["-m", "otherwords-rewrite,pinc"], ["-m", "otherwords-rewrite", "-m", "pinc"]):
        assert "rank takes one metric; -m names 2" in refused("rank", "x.jsonl", *argv)


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        ("grammar prune x --descending", "--descending does nothing without --rank-by"),
        ("grammar prune x --rank-by count", "--rank-by does nothing without --top or --labels"),
        ("grammar prune x --top 1", "--top does nothing without --rank-by"),
        (
            "extract grammar --bitext x --alignment y --tree-side left",
            "--tree-side does nothing without --kind syntax or samt",
        ),
        ("build -o x.owm --pivot fr=x --order 3", "--order does nothing without --lm"),
        ("build -o x.owm --pivot fr=x --lm-bytes 3", "--lm-bytes does nothing without --lm"),
    ],
)
def test_idle_options_of_the_commands_that_build(refused, argv, message):
    assert message in refused(*argv.split())


def test_scores_of_metrics_from_elsewhere(ok, refused, tmp_path):
    message = refused("score", "-m", "comet", "-r", REFERENCE, SYSTEMS[0])
    assert "meta or report: --scores comet=FILE on the command line" in message
    judged = EXAMPLES / "judged.jsonl"
    rows = [json.loads(line) for line in judged.read_text(encoding="utf-8").splitlines()]
    scores = tmp_path / "comet.jsonl"
    scores.write_text(
        "".join(
            json.dumps({"system": row["system"], "item": row["item"], "score": len(row["item"])})
            + "\n"
            for row in rows
        ),
        encoding="utf-8",
    )
    argv = ["meta", "--jsonl", judged, "--human", "adequacy", "-m", "mup", "--scores", scores]
    assert "comet " in ok(*argv)


def test_a_path_is_named_once(refused, tmp_path):
    assert refused("validate", tmp_path).count(str(tmp_path)) == 1
    missing = tmp_path / "missing.json"
    argv = ["--jsonl", EXAMPLES / "judged.jsonl", "-m", "mup", "--human", "adequacy"]
    assert refused("meta", *argv, "--system-human", missing).count(str(missing)) == 1


def test_unknown_statistics_name_each_known_one_once(refused, tmp_path):
    argv = ["--jsonl", EXAMPLES / "judged.jsonl", "--human", "adequacy", "--metrics", "zzzz"]
    message = refused("train", "combine", *argv, "-o", tmp_path / "x.owm")
    known = message.strip().split("choose from: ")[1].split(", ")
    assert sorted(known) == sorted(set(known))


def test_results_are_not_written_under_the_name_of_parquet(refused, tmp_path):
    text = tmp_path / "text.txt"
    text.write_text("a cat sat\n")
    output = tmp_path / "x.parquet"
    message = refused("score", "-m", "chrf", "-r", text, text, "-o", output)
    assert "results are not written as Parquet" in message
    assert not output.exists()

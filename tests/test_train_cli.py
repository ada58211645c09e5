"""`otherwords train` as its users call it, and parts in every output of `score`."""

from __future__ import annotations

import json

import pytest

from otherwords import metric
from otherwords.corpus.inputs import read_rows

WORDS = "the old ship left its harbour early because a storm was near and nobody wanted to wait"
RATED = [
    ("The {} went away {} times.", "The {} left {} times.", 4.5),
    ("{} {}", "The {} left {} times.", 1.5),
    ("The {} left {} times.", "The {} left {} times.", 2.0),
]


@pytest.fixture
def judged(tmp_path):
    """Sixty pairs of twenty originals, better the more they keep and the more they change."""
    path = tmp_path / "judged.jsonl"
    rows = []
    for number, noun in enumerate([*WORDS.split(), "car", "house", "tree"][:20]):
        for place, (paraphrase, original, score) in enumerate(RATED):
            rows.append(
                {
                    "id": f"{number}:{place}",
                    "source": original.format(noun, number),
                    "hypothesis": paraphrase.format(noun, number),
                    "human": {"overall": score + number % 3 / 10, "other": score},
                }
            )
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def test_train_then_score(ok, judged, tmp_path):
    out, report = tmp_path / "my.pem", tmp_path / "report.json"
    said = ok("train", "rewrite", "--jsonl", judged, "-o", out, "--report", report)
    assert "trained on 60 pairs of 20 originals" in said
    assert "95 % interval" in said
    assert "Pearson with human scores " in said
    assert "copy controls" in said
    found = json.loads(report.read_text())
    assert found["pairs"] == len(found["residuals"]) == 60
    assert set(found["controls"]) == {"copy", "random", "unigram"}
    assert found["low"] <= found["pearson"] <= found["high"]
    assert found["pearson"] > 0.5  # three plain kinds of pairs
    scored = json.loads(
        ok(
            "score",
            "-m",
            "otherwords-rewrite",
            "--set",
            f"regression={out}",
            "--jsonl",
            judged,
            "-f",
            "json",
        )
    )
    assert "regression:" in scored["signatures"]["otherwords-rewrite"]
    assert set(scored["systems"][0]["scores"]) == {
        "otherwords-rewrite",
        "otherwords-rewrite.meaning",
        "otherwords-rewrite.fluency",
        "otherwords-rewrite.difference",
    }


def test_pem_is_trained_with_any_bags(ok, judged, tmp_path):
    out = tmp_path / "my.pem"
    said = ok("train", "pem", "--jsonl", judged, "-o", out, "--set", "orders=2", "--folds", 2)
    assert "trained on 60 pairs of 20 originals" in said
    command = ["score", "-m", "pem", "--set", f"regression={out}", "--jsonl", judged, "-f", "json"]
    scored = json.loads(ok(*command))
    assert "|orders:2|" in scored["signatures"]["pem"]
    parts = ["pem", "pem.adequacy", "pem.fluency", "pem.dissimilarity"]
    assert list(scored["systems"][0]["scores"]) == parts


def test_the_same_bytes_again(ok, judged, tmp_path):
    for name, threads in (("a", 1), ("b", 3)):
        ok("train", "rewrite", "--jsonl", judged, "-o", tmp_path / name, "--threads", threads)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_the_file_holds_no_text(ok, judged, tmp_path):
    ok("train", "rewrite", "--jsonl", judged, "-o", tmp_path / "my.pem")
    content = (tmp_path / "my.pem").read_bytes()
    assert b"harbour" not in content
    assert b"judged" not in content


def test_the_file_knows_what_it_was_trained_on(ok, judged, tmp_path):
    ok("train", "rewrite", "--jsonl", judged, "-o", tmp_path / "my.pem", "--folds", "2")
    seen = metric("otherwords-rewrite", regression=str(tmp_path / "my.pem")).seen
    rows = list(read_rows(str(judged)))
    assert seen.share([(row.hypothesis, row.source) for row in rows]) == 1
    assert seen.share([(row.hypothesis + " now", row.source) for row in rows]) == 0


def test_meaning_only(ok, judged, tmp_path):
    said = ok("train", "rewrite", "--jsonl", judged, "-o", tmp_path / "m.pem", "--meaning")
    assert "Pearson with human scores for meaning" in said


def test_a_scale_is_asked_for(refused, ok, judged, tmp_path):
    text = judged.read_text().replace('"overall": 4.5', '"overall": 90')
    judged.write_text(text)
    assert "outside of the scale 1:5" in refused(
        "train", "rewrite", "--jsonl", judged, "-o", tmp_path / "x"
    )
    ok("train", "rewrite", "--jsonl", judged, "-o", tmp_path / "x", "--scale", "0:100")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--human", "nothing"], "no row has a human score 'nothing'; there are: overall, other"),
        (["--control-kinds", "copies"], "unknown control 'copies'"),
        (["--set", "orders=4"], "there is no option 'orders'"),
        (["--set", "orders"], "a setting is option=value"),
        (["--folds", "50"], "20 originals are judged; cross-validation in 50 folds"),
        (["--model", "lexicon"], "a paraphrase model is needed"),
        (["--model", "nowhere.owm"], "no such file"),
        (["--scale", "5:1"], "a scale"),
        (["--scale", "other=1:5"], "--scale is for 'other', but --human is 'overall'"),
        (["--control-kinds", ","], "no kind of control is named"),
    ],
)
def test_misuse(refused, judged, tmp_path, arguments, message):
    out = tmp_path / "x.pem"
    assert message in refused("train", "rewrite", "--jsonl", judged, "-o", out, *arguments)
    assert not out.exists()


def test_rows_without_a_source(refused, tmp_path):
    path = tmp_path / "rows.jsonl"
    path.write_text('{"hypothesis": "a", "human": {"overall": 3}}\n')
    said = refused("train", "rewrite", "--jsonl", path, "-o", tmp_path / "x")
    assert f"{path}:1: training needs the original sentence" in said


def test_models_are_not_overwritten(ok, refused, judged, tmp_path):
    out = tmp_path / "my.pem"
    ok("train", "rewrite", "--jsonl", judged, "-o", out)
    before = out.read_bytes()
    setting = ("--set", f"regression={out}", "-o", out)
    assert "both read and written" in refused(
        "score", "-m", "otherwords-rewrite", "--jsonl", judged, *setting
    )
    assert "both read and written" in refused("rank", judged, *setting)
    assert "both read and written" in refused(
        "meta", "--jsonl", judged, "-m", "otherwords-rewrite", *setting
    )
    assert out.read_bytes() == before
    assert "standard output" in refused("train", "rewrite", "--jsonl", judged, "-o", "-")


def test_other_languages_are_refused(ok, refused, tmp_path):
    path = tmp_path / "fr.jsonl"
    rows = [
        {
            "source": f"Il pleut des cordes depuis ce matin et nous avons {n} parapluies.",
            "hypothesis": f"Nous n'avons que {n} parapluies alors qu'il pleut depuis ce matin.",
            "human": {"overall": 1 + n % 5},
        }
        for n in range(8)
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    command = ("train", "rewrite", "--jsonl", path, "-o", tmp_path / "x")
    assert "does not look like English" in refused(*command)
    ok(*command, "--any-language")


def test_whole_numbers_may_be_written_as_others(ok, judged):
    swept = ok("score", "-m", "pem.adequacy", "--jsonl", judged, "--sweep", "orders=1:2:1")
    assert "pem.adequacy orders=2" in swept


def test_output_over_input(refused, judged):
    assert "both read and written" in refused("train", "rewrite", "--jsonl", judged, "-o", judged)
    assert "no such" in refused("train", "rewrite", "--jsonl", "absent.jsonl", "-o", "x").lower()


def test_parts_in_every_format(ok, judged):
    command = ("score", "-m", "otherwords-rewrite,pinc", "--jsonl", judged)
    header = ok(*command).splitlines()[0].split()
    parts = [
        "otherwords-rewrite",
        "otherwords-rewrite.meaning",
        "otherwords-rewrite.fluency",
        "otherwords-rewrite.difference",
    ]
    assert header == ["system", *parts, "pinc"]
    assert [line.split("\t")[1] for line in ok(*command, "-f", "tsv").splitlines()[1:]] == [
        *parts,
        "pinc",
    ]
    segment = json.loads(ok(*command, "--segments", "-f", "jsonl").splitlines()[0])
    assert list(segment) == ["system", "item", *parts, "pinc"]
    assert "otherwords-rewrite.meaning" in ok(*command, "-f", "latex").replace("\\_", "_")
    with_interval = json.loads(ok(*command, "-f", "json", "--ci"))
    cell = with_interval["systems"][0]["scores"]["otherwords-rewrite.meaning"]
    assert cell["interval"]["low"] <= cell["value"] <= cell["interval"]["high"]


def test_explanation(ok, judged):
    text = ok("score", "-m", "otherwords-rewrite", "--jsonl", judged, "--explain", 1)
    for expected in ("factors", "taken away", "meaning", "hypothesis: ", "shared", "f1"):
        assert expected in text
    assert "went | away" in text or "went away" in text
    argv = ["score", "-m", "otherwords-rewrite", "--jsonl", judged, "--explain", 1, "-f", "json"]
    [found] = json.loads(ok(*argv))["explanations"]
    assert set(found["details"]["taken away"]) == {"pivots", "vectors", "findings"}
    assert set(found["details"]) >= {"factors", "features", "findings", "de", "es", "fr", "zh"}

"""Scores of other programs (`--scores`): they stand next to ours with the same tables and tests.

The scores are those of MAXSIM, whose corpus score is the mean of its segments: read from a file,
they must give all that MAXSIM itself gives.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import otherwords
from otherwords.scoring.outside_scores import OutsideMetric

HERE = Path(__file__).resolve().parents[1] / "examples" / "translation"
REFERENCE = HERE / "reference.txt"
NAMES = ("careful", "literal", "careless")
SYSTEMS = [HERE / f"{name}.txt" for name in NAMES]
FAST = ("--resamples", "200", "-f", "json")


def lines(path):
    return path.read_text(encoding="utf-8").splitlines()


@pytest.fixture(scope="module")
def segments():
    """The scores of every segment, by system."""
    return {
        path.stem: otherwords.score("maxsim", lines(path), lines(REFERENCE)).segments.tolist()
        for path in SYSTEMS
    }


@pytest.fixture
def blocks(tmp_path, segments):
    """A file in mt-metrics-eval's form, with a system that is not compared here."""
    path = tmp_path / "MS-refA.seg.score"
    scores = {**segments, "absent": [0.5] * 20}
    path.write_text("".join(f"{s}\t{x!r}\n" for s, several in scores.items() for x in several))
    return path


def test_the_forms_of_a_file(ok, tmp_path, segments, blocks):
    mine = segments["careful"]
    forms = {
        "lines.txt": [repr(x) for x in mine],
        "blocks.score": [f"careful {x!r}" for x in mine],
        "items.tsv": ["item\tMS", *(f"{n}\t{x!r}" for n, x in enumerate(mine, 1))],
        "bare.tsv": ["text\tMS", *(f"\t{x!r}" for x in mine)],
        "items.jsonl": [json.dumps({"item": n, "MS": x}) for n, x in enumerate(mine, 1)],
        "bare.jsonl": [json.dumps({"hypothesis": "a", "MS": x}) for x in mine],
    }
    own = json.loads(ok("score", "-m", "maxsim", "-r", REFERENCE, SYSTEMS[0], "-f", "json"))
    value = own["systems"][0]["scores"]["maxsim"]["value"]
    for name, content in forms.items():
        (tmp_path / name).write_text("\n".join(content) + "\n")
        argv = ["score", "-r", REFERENCE, SYSTEMS[0], "--scores", f"MS={tmp_path / name}"]
        out = json.loads(ok(*argv, "-f", "json"))
        assert out["systems"][0]["scores"]["MS"]["value"] == value, name
        assert out["signatures"] == {"MS": f"MS|given:{name}"}
    # Without a name: that of the file, or of the column.
    out = json.loads(ok("score", "-r", REFERENCE, SYSTEMS[0], "--scores", blocks, "-f", "json"))
    assert list(out["signatures"]) == ["MS-refA"]


def both(document, one="maxsim", other="MS"):
    """The numbers of the metric and of its copy."""
    return [
        [
            {k: v for k, v in system["scores"][name].items() if k != "metric"}
            for name in (one, other)
        ]
        for system in document["systems"]
    ]


@pytest.mark.parametrize("test", ["bootstrap", "randomization"])
@pytest.mark.parametrize("number", [2, 3])
def test_score_has_the_same_intervals_and_tests(ok, blocks, test, number):
    argv = ["score", "-m", "maxsim", "-r", REFERENCE, *SYSTEMS[:number], "--scores", f"MS={blocks}"]
    out = json.loads(ok(*argv, "--ci", "--paired", test, *FAST))
    for mine, theirs in both(out):
        assert mine == theirs
    assert 0 < both(out)[-1][1]["comparison"]["p"] < 1
    if number == 3:
        assert out["clusters"]["maxsim"] == out["clusters"]["MS"]


def test_segments_worst_and_explanations(ok, blocks, segments):
    argv = ["score", "-m", "chrf", "-r", REFERENCE, SYSTEMS[0], "--scores", f"MS={blocks}"]
    out = json.loads(ok(*argv, "--segments", "-f", "json"))
    assert out["systems"][0]["segment_scores"]["MS"] == segments["careful"]
    worst = json.loads(ok(*argv, "--explain", "worst=1,by=MS", "-f", "json"))["worst"][0]
    assert worst["scores"]["MS"] == min(segments["careful"])
    assert worst["explanation"]["components"] == {blocks.name: min(segments["careful"])}
    assert "MS 0." in ok(*argv, "--explain", "2")


def test_lower_is_better(ok, tmp_path, segments):
    path = tmp_path / "errors.score"
    path.write_text("".join(f"{s} {-x!r}\n" for s in NAMES[:2] for x in segments[s]))
    argv = ["score", "-m", "maxsim", "-r", REFERENCE, *SYSTEMS[:2], "--scores", path]
    argv += ["--lower-is-better", "errors"]
    worst = [
        json.loads(ok(*argv, "--explain", f"worst=3,by={by}", "-f", "json"))["worst"]
        for by in ("maxsim", "errors")
    ]
    assert [one["item"] for one in worst[0]] == [one["item"] for one in worst[1]]
    out = json.loads(ok(*argv, "-f", "json"))
    assert out["signatures"]["errors"] == "errors|given:errors.score|better:lower"


def test_compare(ok, blocks):
    argv = ["compare", "-m", "maxsim", "-r", REFERENCE, *SYSTEMS[:2], "--scores", f"MS={blocks}"]
    out = json.loads(ok(*argv, *FAST))
    corpus = {one["metric"]: one for one in out["corpus"]}
    for one in corpus.values():
        one.pop("metric"), one.pop("signature", None)
    assert corpus["maxsim"] == corpus["MS"]
    by_examples = json.loads(ok(*argv, "--examples-by", "MS", *FAST))
    assert by_examples["examples"]


def test_gate(ok, run, blocks, tmp_path):
    argv = ["gate", SYSTEMS[2], "-r", REFERENCE, "-m", "maxsim", "--scores", f"MS={blocks}"]
    code, out, _ = run(*argv, "--baseline", SYSTEMS[0], "--fail-if-worse", "-f", "json")
    checks = {one["metric"]: one for one in json.loads(out)["checks"]}
    assert code == 1
    for one in checks.values():
        one.pop("metric"), one.pop("signature", None)
    assert checks["maxsim"] == checks["MS"]
    stored = tmp_path / "baseline.json"
    ok("gate", SYSTEMS[0], "-r", REFERENCE, "--scores", blocks, "--save-baseline", stored)
    argv = ["gate", SYSTEMS[2], "-r", REFERENCE, "--scores", blocks, "--baseline", stored]
    code, out, err = run(*argv, "--min-delta", "0")
    assert err == ""
    assert code == 1
    assert "MS-refA" in out


def test_a_segment_without_a_score(refused, ok, tmp_path, segments):
    path = tmp_path / "holes.score"
    cells = [*map(repr, segments["careful"][:-1]), "None"]
    path.write_text("".join(f"careful {x}\n" for x in cells))
    argv = ["score", "-r", REFERENCE, SYSTEMS[0], "--scores", path]
    message = refused(*argv)
    assert f"{SYSTEMS[0]}:20: there is no score of segment '20' of 'careful' by holes" in message


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.txt", "0.5\n0.6\n", "scores without names are for one system"),
        ("a.txt", "careful 0.5\nliteral 0.6\n", "there are 1 scores here for 20 rows of 'careful'"),
        ("a.txt", "careful 0.5\nliteral\n", "a.txt:2: a line is SYSTEM SCORE, not 1 columns"),
        ("a.txt", "careful 0.5\nliteral x\n", "a.txt:2: the score 'score' is \"x\", not a number"),
        (
            "a.txt",
            "other 0.5\n",
            "no system here has rows: other; the rows are of careful, literal",
        ),
        ("a.sys.score", "careful 0.5\n", "scores of segments are needed (.seg.score); those of"),
        ("a.doc.score", "careful 0.5\n", "scores of segments are needed (.seg.score)"),
        ("a.jsonl", '{"MS": 0.5}\n', "scores without names are for one system"),
        ("a.txt", "\n\n", "there are no scores here"),
    ],
)
def test_files_that_do_not_fit(refused, tmp_path, name, content, message):
    (tmp_path / name).write_text(content)
    argv = ["score", "-r", REFERENCE, *SYSTEMS[:2], "--scores", tmp_path / name]
    assert message in refused(*argv)


def test_a_column_is_chosen_by_its_name(ok, refused, tmp_path):
    path = tmp_path / "both.tsv"
    path.write_text("item\tone\ttwo\n" + "".join(f"{n}\t{n}\t{2 * n}\n" for n in range(1, 21)))
    argv = ["score", "-r", REFERENCE, SYSTEMS[0], "-f", "json", "--scores"]
    assert list(json.loads(ok(*argv, path))["signatures"]) == ["one", "two"]
    out = json.loads(ok(*argv, f"two={path}"))
    assert out["systems"][0]["scores"]["two"]["value"] == 21.0  # 2 * (1 + 20) / 2
    assert "there are several columns of scores" in refused(*argv, f"three={path}")


def test_scores_cannot_judge_new_text():
    given = OutsideMetric("comet", {("system", "1"): 0.5})
    with pytest.raises(otherwords.UsageError, match="computed elsewhere"):
        otherwords.score(given, ["a cat"], ["a cat"])


@pytest.mark.parametrize("name", ["meteor", "comet", "bertscore"])
def test_metrics_that_others_compute(refused, name):
    message = refused("score", "-m", name, "-r", REFERENCE, SYSTEMS[0])
    assert f"--scores {name}=FILE" in message

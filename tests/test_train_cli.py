"""`otherwords train` as its users call it, and parts in every output of `score`."""

from __future__ import annotations

import json

import numpy as np
import pytest

from otherwords import UsageError, metric
from otherwords.build.lm.estimation import estimate
from otherwords.corpus.inputs import read_rows
from otherwords.text.sentence import tokenize
from otherwords.text.stemmer import stem

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


CHINESE = """\
He put forth a plan.\t他提出计划。
He put forward a plan.\t他提出计划。
She put forth an idea.\t她提出主意。
She put forward an idea.\t她提出主意。
They put forth a plan.\t他们提出计划。
They put forward an idea.\t他们提出主意。
He bought a plan.\t他买计划。
She bought an idea.\t她买主意。
He sold an idea.\t他卖主意。
She sold a plan.\t她卖计划。
They bought a house.\t他们买房子。
They sold a house.\t他们卖房子。
He left.\t他走了。
She left.\t她走了。
"""


def test_pem_with_an_own_bitext(run, ok, judged, tmp_path):
    """From a Chinese bitext to PEM's scores; §4.3: put forth and put forward are paraphrases."""
    bitext, model, regression = (tmp_path / name for name in ("zh.tsv", "zh.owm", "my.pem"))
    bitext.write_text(CHINESE, encoding="utf-8")
    code, *_ = run("build", "--pivot", f"zh={bitext}", "--lm", bitext, "-o", model)
    assert code == 0
    adequacy = metric("pem.adequacy", model=model, languages="zh")
    assert adequacy.score_one("He put forward a plan.", source="He put forth a plan.") == 1.0
    assert adequacy.score_one("He sold a plan.", source="He put forth a plan.") < 1.0
    explained = adequacy.explain("He put forward a plan.", source="He put forth a plan.")
    assert {"提", "出"} <= explained.details["zh"]["shared"].keys()
    own = ["--set", f"model={model}", "--set", "languages=zh"]
    ok("train", "pem", "--rows", judged, "--model", model, *own[2:], "-o", regression)
    trained = [*own, "--set", f"regression={regression}"]
    argv = ["score", "-m", "pem", *trained, "--rows", judged, "--any-language"]
    assert "pivots:zh" in ok(*argv, "--signatures")
    with pytest.raises(UsageError, match="the model has no pivot language 'fr'"):
        metric("pem", model=model, regression=regression, languages="fr")
    tables = ok("meta", "paper", "pem", "--protocol", *own, "--rows", judged, "--any-language")
    assert "pem" in tables


def test_a_language_model_of_stems(run, ok, refused, judged, tmp_path):
    """§6.1: "We stem all English words in both data sets", so the model is of stems."""
    bitext, model, regression = (tmp_path / name for name in ("zh.tsv", "zh.owm", "my.pem"))
    bitext.write_text(CHINESE, encoding="utf-8")
    argv = ["build", "--pivot", f"zh={bitext}", "--lm", bitext]
    code, *_ = run(*argv, "--lm-stems", "-o", model)
    assert code == 0
    stems = [stem(tokenize(line.partition("\t")[0]).tokens) for line in CHINESE.splitlines()]
    lm = estimate(map(" ".join, stems), order=4, tokenizer="none")
    fluency = metric("pem.fluency", model=model)
    for text in ("They were buying houses.", "She puts forward a plan."):
        words = stem(tokenize(text).tokens)
        scores = lm.scores([words])
        unknown = np.log10(lm.sizes[0]) * scores.unknown[0]
        expected = (scores.log10[0] - unknown) / (len(words) + 1)
        assert fluency.score_one(text, source=text) == pytest.approx(expected, abs=0.01)  # 8 bits
    assert fluency.score_one("He sells plans.", source="") == fluency.score_one(
        "He sell plan.", source=""
    )
    own = ["--set", f"model={model}", "--set", "languages=zh"]
    ok("train", "pem", "--rows", judged, "--model", model, *own[2:], "-o", regression)
    ok("score", "-m", "pem", *own, "--set", f"regression={regression}", "--rows", judged)
    train = ["train", "pem", "--rows", judged, "--model", model, "-o", tmp_path / "x"]
    assert "needs stem=true" in refused(*train, "--set", "stem=false")
    assert "needs a stemmer" in refused(*argv, "--lm-stems", "--stem", "none", "-o", tmp_path / "x")
    assert "--lm" in refused(*argv[:3], "--lm-stems", "-o", tmp_path / "x")


def test_languages_of_pem_are_those_of_its_regression():
    assert metric("pem", languages="zh").signature == metric("pem").signature
    with pytest.raises(UsageError, match="trained with languages=zh; give the same"):
        metric("pem", languages="fr,zh")


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
            f"join={out}",
            "--jsonl",
            judged,
            "-f",
            "json",
        )
    )
    assert "join:" in scored["signatures"]["otherwords-rewrite"]
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
    seen = metric("otherwords-rewrite", join=str(tmp_path / "my.pem")).seen
    rows = list(read_rows(str(judged)))
    assert seen.share([(row.hypothesis, row.source) for row in rows]) == 1
    assert seen.share([(row.hypothesis + " now", row.source) for row in rows]) == 0


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
    setting = ("--set", f"join={out}", "-o", out)
    assert "both read and written" in refused(
        "score", "-m", "otherwords-rewrite", "--jsonl", judged, *setting
    )
    assert "both read and written" in refused("rank", judged, *setting)
    assert "both read and written" in refused(
        "meta", "--jsonl", judged, "-m", "otherwords-rewrite", *setting
    )
    assert out.read_bytes() == before
    assert "standard output" in refused("train", "rewrite", "--jsonl", judged, "-o", "-")


def test_other_languages_are_refused(run, refused, tmp_path):
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
    assert run(*command, "--any-language")[0] == 0


def test_whole_numbers_may_be_written_as_others(ok, judged):
    ok("score", "-m", "pem.adequacy", "--jsonl", judged, "--set", "orders=2.0")


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
    for expected in ("factors", "meaning", "entailment", "cosine", "went away"):
        assert expected in text
    argv = ["score", "-m", "otherwords-rewrite", "--jsonl", judged, "--explain", 1, "-f", "json"]
    [found] = json.loads(ok(*argv))["explanations"]
    assert set(found["details"]["factors"]) == {"meaning", "fluency", "difference"}
    assert set(found["details"]) >= {"original to rewrite", "rewrite to original", "values"}

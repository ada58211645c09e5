"""`otherwords train combine` as its users call it."""

from __future__ import annotations

import json
import random

import numpy as np
import pytest

import otherwords
from otherwords.corpus.inputs import read_rows
from otherwords.metrics.mt import Combine
from otherwords.stats.coefficients import pearson
from otherwords.study.training.combine import Domain, TrainingPool, fit, held_out, measure

NOUNS = "ship car house tree dog river road bridge letter garden window teacher".split()
VERBS = "left stopped vanished moved arrived waited".split()


def rows(langs, seed, size=36):
    """Translations that are worse the more words are replaced; people see nothing else."""
    generator = random.Random(seed)
    for number in range(size):
        reference = f"The old {NOUNS[number % 12]} {VERBS[number % 6]} near the big market today ."
        words, wrong = reference.split(), number % 5
        for place in generator.sample(range(9), wrong):
            words[place] = generator.choice(["potato", "guitar", "purple", "kettle"])
        yield {
            "id": f"{langs}:{number}",
            "langs": langs,
            "hypothesis": " ".join(words),
            "reference": reference,
            "human": {"da": -wrong + generator.random() / 2, "other": 1.0},
        }


@pytest.fixture
def judged(tmp_path):
    return written(tmp_path / "judged.jsonl", *(rows(langs, i) for i, langs in enumerate(LANGS)))


LANGS = ("cs-en", "de-en", "fi-en")


def written(path, *several):
    lines = [json.dumps(row) + "\n" for some in several for row in some]
    path.write_text("".join(lines), encoding="utf-8")
    return path


def test_train_then_score(ok, judged, tmp_path):
    out, report = tmp_path / "my.owm", tmp_path / "report.json"
    said = ok("train", "combine", "--jsonl", judged, "-o", out, "--report", report)
    assert "trained on 108 segments" in said
    assert "each domain held out in turn" in said
    found = json.loads(report.read_text())
    assert [line["name"] for line in found["domains"]] == list(LANGS)
    assert found["low"] <= found["pearson"] <= found["high"]
    assert found["pearson"] > 0.8
    scored = ok("score", "-m", "combine", "--set", f"model={out}", "--jsonl", judged, "-f", "jsonl")
    (score,) = map(json.loads, scored.splitlines())
    assert "combination:" in score["signature"]
    judgements = [json.loads(line) for line in judged.read_text().splitlines()]
    result = otherwords.score(
        Combine(model=out),
        [row["hypothesis"] for row in judgements],
        [row["reference"] for row in judgements],
    )
    agreement = pearson(result.segments, np.array([row["human"]["da"] for row in judgements]))
    assert agreement > found["pearson"] - 0.1  # trained on these very rows


def test_the_file_knows_what_it_was_trained_on(ok, judged, tmp_path):
    out = tmp_path / "my.owm"
    ok("train", "combine", "--jsonl", judged, "-o", out, "--metrics", "words")
    seen = Combine(model=out).seen
    read = [(row.hypothesis, row.references[0]) for row in read_rows(judged)]
    assert seen.share(read) == 1
    assert seen.share([(f"{left} now", right) for left, right in read]) == 0


def test_the_same_bytes_again(ok, judged, tmp_path):
    options = ["--group", "item", "--metrics", "words,order,chrf"]
    for name, threads in (("a", 1), ("b", 3)):
        ok(
            *("train", "combine", "--jsonl", judged, "-o", tmp_path / name, *options),
            *("--threads", threads),
        )
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_what_it_was_trained_against_is_kept(run, tmp_path):
    turned = [row | {"source": row.pop("reference")} for row in rows("en", 0)]
    path, out = written(tmp_path / "rows.jsonl", turned), tmp_path / "my.owm"
    options = ["--against", "source", "--metrics", "words"]
    assert run("train", "combine", "--jsonl", path, "-o", out, *options)[0] == 0
    assert Combine(model=out).against == "source"
    assert Combine(model=out, against="references").against == "references"
    assert Combine(model="otherwords-mt").against == "references"


def test_one_language_pair_is_cut_by_item(run, tmp_path):
    path = written(tmp_path / "one.jsonl", rows("cs-en", 0))
    argv = ["train", "combine", "--jsonl", path, "-o", tmp_path / "my.owm", "--metrics", "words"]
    code, said, _ = run(*argv)
    assert code == 0
    assert "5 parts by item" in said


def test_nothing_of_what_is_tested_is_trained_on():
    domains = [
        Domain(name, np.ones((20, 2)), np.arange(20), np.zeros(20), np.arange(20) // 2)
        for name in "abc"
    ]
    for training, [(place, kept)] in held_out(domains, "langs", 5, 0):
        assert kept.all()
        assert domains[place].name not in [one.name for one in training]
    seen = np.zeros(60)
    for training, tests in held_out(domains, "item", 5, 0):
        for place, kept in tests:
            seen[20 * place : 20 * place + 20] += kept
            tested = set(domains[place].items[kept].tolist())
            assert all(tested.isdisjoint(one.items.tolist()) for one in training)
    assert (seen == 1).all()


def test_several_references_share_a_segment(tmp_path):
    several = [row | {"references": [row.pop("reference"), "Nothing ."]} for row in rows("x", 0)]
    statistics = measure(list(read_rows(written(tmp_path / "r.jsonl", several))), "da", ["words"])
    [domain] = statistics.domains
    assert domain.rows.shape[0] == 2 * len(domain.people) == 72
    assert domain.data.weights.tolist() == [0.5] * 72
    assert domain.people.mean() == pytest.approx(0)
    assert domain.people.std() == pytest.approx(1)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--human", "mqm"], "there are: da, other"),
        (["--human", "other"], "must differ"),
        (["--metrics", "wrds"], "words"),
        (["--group", "system"], "not 'system'"),
        (["--against", "source"], "no source"),
        (["--against", "what"], "not 'what'"),
        (["--folds", "1", "--group", "item"], "folds"),
    ],
)
def test_mistakes_are_reported(refused, judged, tmp_path, options, message):
    out = tmp_path / "my.owm"
    said = refused("train", "combine", "--jsonl", judged, "-o", out, *options)
    assert message in said
    assert not out.exists()


def test_too_few_are_reported(refused, tmp_path):
    path = written(tmp_path / "few.jsonl", rows("cs-en", 0, size=6))
    out = ["-o", tmp_path / "my.owm"]
    assert "10 are needed" in refused("train", "combine", "--jsonl", path, *out)
    path = written(tmp_path / "one.jsonl", rows("cs-en", 0))
    said = refused("train", "combine", "--jsonl", path, *out, "--group", "langs")
    assert "two language pairs" in said
    assert "standard output" in refused("train", "combine", "--jsonl", path, "-o", "-")


@pytest.mark.data
def test_held_out_pair_of_wmt15(shared):
    """Trained on two pairs with few statistics it beats each of them on a third."""
    every = read_rows(shared / "mt/wmt15-daseg.jsonl.gz")
    judged = [row for row in every if row.langs in LANGS]
    statistics = measure(judged, "da", ["words", "characters", "fluency", "length", "classes"])
    *training, test = statistics.domains
    model = fit(TrainingPool([domain.data for domain in training]), 0.1)
    learnt = pearson(model.predict(test.rows), test.people)
    alone = [pearson(test.rows[:, i], test.people) or 0 for i in range(test.rows.shape[1])]
    assert learnt > max(alone) + 0.05

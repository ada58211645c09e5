"""The tables of PEM's human evaluation: against a naive oracle, by hand, and on real data."""

from __future__ import annotations

import gzip
import json
import re
from random import Random

import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st

import otherwords
from otherwords.corpus.jsonl import row_of
from otherwords.errors import InputError, UsageError
from otherwords.scoring.stream import by_row, evaluate
from otherwords.stats.intervals import Estimate
from otherwords.study.agreement.human_scores import Scale, Scales, judged_set, parse_scale
from otherwords.study.papers.pem import tables_of
from tests.oracles import judge_tables as oracle

CRITERIA = ["adequacy", "fluency", "dissimilarity"]


def read(rows):
    return [row_of(row, "rows", line) for line, row in enumerate(rows, 1)]


def row(system="a", judges=(), systems=None, text="a cat sat", **human):
    return {
        "hypothesis": text,
        "source": "the cat sat on the mat",
        "system": system,
        "systems": systems,
        "human": human,
        "judges": list(judges),
    }


def made(rows, metrics=(), criteria=CRITERIA, **options):
    read_rows = read(rows)
    judged = judged_set(read_rows, ["overall", *CRITERIA], **options)
    scorers = {name: otherwords.metric(name, against="source") for name in metrics}
    statistics = by_row(read_rows, evaluate(read_rows, scorers, any_language=True))
    return tables_of(
        judged,
        "overall",
        criteria,
        {label: (metric, statistics[label]) for label, metric in scorers.items()},
    )


def close(found, expected):
    """Both levels against the oracle's; rounding may hide that a side is constant from neither."""
    for correlation, (r, size) in zip((found.sentence, found.system), expected, strict=True):
        assert correlation.size == size
        assert correlation.value == (None if r is None else pytest.approx(r, abs=1e-9))


def some_rows(size, seed):
    """A scale, and rows with holes of every kind.

    Scores are sixteenths of the scale: their sums are exact, so that the oracle and the code see
    the same constant columns.
    """
    random = Random(seed)
    scale = random.choice([(1, 5), (0, 100), (-2, 2)])
    density = random.choice([0.3, 0.8, 1.0])
    least = random.choice([0, 10])  # of 16; with 10, many rows reach the thresholds
    names = ["a", "b", "c", "d", "control-copy", "control-random"]

    def scores(low, high):
        given = [name for name in ("overall", *CRITERIA) if random.random() < density]
        return {name: low + random.randint(least, 16) * (high - low) / 16 for name in given}

    rows = []
    for _ in range(size):
        several = random.choice([None, [], random.sample(names, 2)])
        one = row(random.choice(names), systems=several)
        own = (1, 5) if oracle.is_control(one) else scale
        one["human"] = scores(*own)
        judges = random.choices(["A", "B", "C", None], k=random.randint(0, 6))
        one["judges"] = [{"judge": judge, **scores(*own)} for judge in judges]
        words = random.choices("the cat sat on a mat".split(), k=random.randint(0, 5))
        one["hypothesis"] = " ".join(words)
        rows.append(one)
    return scale, rows


judged_rows = st.builds(some_rows, st.integers(1, 60), st.integers(0, 2**32))


@settings(deadline=None, max_examples=150)
@given(judged_rows)
def test_tables_equal_the_oracle(drawn):
    scale, rows = drawn
    found = made(rows, scales=Scales(others=Scale(*scale)))
    expected = oracle.table1(rows, "overall", scale)
    assert [(a.name, a.other) for a in found.judges] == list(expected)
    for agreement in found.judges:
        close(agreement, expected[agreement.name, agreement.other])
    for agreement in found.criteria:
        conditions = [part.split(" >= ") for part in agreement.where.split(", ") if part]
        thresholds = [(name, float(least)) for name, least in conditions]
        close(agreement, oracle.table2(rows, "overall", agreement.name, scale, thresholds))
    # Criteria that only controls have are ignored, unless there is nothing but controls.
    people = [one for one in rows if not oracle.is_control(one)] or rows
    there, of_controls = (
        [
            name
            for name in CRITERIA
            if any(oracle.mean_of_judges(one, name, scale) is not None for one in some)
        ]
        for some in (people, rows)
    )
    assert [a.name for a in found.criteria if not a.where] == there
    for name in {*CRITERIA} - {*there}:
        why = "only controls have it" if name in of_controls else "no row has it"
        assert f"{name} is left out: {why}" in found.remarks


@settings(deadline=None, max_examples=50)
@given(judged_rows)
def test_metrics_equal_the_oracle(drawn):
    scale, rows = drawn
    found = made(rows, ["pinc", "chrf"], scales=Scales(others=Scale(*scale))).metrics

    for name in ("pinc", "chrf"):

        def corpus(mine, name=name):
            texts, sources = [r["hypothesis"] for r in mine], [r["source"] for r in mine]
            return otherwords.score(name, texts, sources=sources, against="source").corpus

        expected = oracle.table3(
            rows, "overall", scale, lambda one, corpus=corpus: corpus([one]), corpus
        )
        mine = [agreement for agreement in found if agreement.name == name]
        assert [agreement.other for agreement in mine] == list(expected)
        for agreement in mine:
            close(agreement, expected[agreement.other])


def test_two_judges_by_hand():
    # A 1 2 3, B 2 4 3: deviations -1 0 1 and -1 1 0, r = 1 / 2. The control would make it
    # higher. Means of systems: the same figures.
    rows = [
        row(s, [{"judge": "A", "overall": a}, {"judge": "B", "overall": b}])
        for s, a, b in (("x", 1, 2), ("y", 2, 4), ("z", 3, 3), ("control-copy", 5, 5))
    ]
    (pair,) = made(rows).judges
    assert (pair.name, pair.other) == ("A", "B")
    assert pair.sentence == pair.system == Estimate(pytest.approx(0.5), 3)


def test_mean_of_judges_and_restriction_by_hand():
    judges = [{"judge": "A", "overall": 5, "adequacy": 5}, {"overall": 1, "adequacy": 3}]
    rows = [
        row("a", judges, dissimilarity=3, fluency=5),  # overall 3, adequacy 4
        row("b", overall=4, adequacy=5, fluency=4, dissimilarity=4),
        row("c", overall=5, adequacy=5, fluency=5, dissimilarity=5),
        row("d", overall=5, adequacy=3.5, fluency=5, dissimilarity=1),  # too low
        row("d", overall=5, adequacy=5, dissimilarity=1),  # not known to be high
    ]
    restricted = made(rows).criteria[-1]
    assert restricted.where == "adequacy >= 4, fluency >= 4"
    assert restricted.sentence == restricted.system == Estimate(pytest.approx(1.0), 3)


def test_a_row_counts_for_every_system_that_produced_it():
    # Systems: x has rows 1 and 2, y rows 2 and 3, z row 4.
    rows = [
        row(None, systems=["x"], overall=1, adequacy=1),
        row(None, systems=["x", "y"], overall=3, adequacy=2),
        row(None, systems=["y"], overall=5, adequacy=2),
        row(None, systems=["z"], overall=4, adequacy=5),
    ]
    (adequacy,) = made(rows, criteria=["adequacy"]).criteria
    x, y = [1.5, 2, 5], [2, 4, 4]
    assert adequacy.system == Estimate(pytest.approx(scipy.stats.pearsonr(x, y)[0]), 3)
    assert adequacy.sentence.size == 4


def test_controls_count_for_the_mean_but_not_for_judges():
    rows = [
        row("a", [{"judge": "A", "overall": n}], text=t)
        for n, t in ((2, "the mat"), (4, "a dog"), (3, "the cat"))
    ]
    rows.append(row("control-copy", overall=2, text="the cat sat on the mat"))
    mean, judge = made(rows, ["pinc"]).metrics
    assert (mean.other, mean.sentence.size, mean.system.size) == (None, 4, 2)
    assert (judge.other, judge.sentence.size, judge.system) == (
        "A",
        3,
        Estimate(None, 1, reason="1 system"),
    )


def test_controls_are_on_their_own_scale():
    rows = [row("a", overall=0), row("b", overall=100), row("control-copy", overall=2)]
    assert judged_set(read(rows), ["overall"], scales=Scales(others=Scale(0, 100))).human[
        "overall"
    ].tolist() == [
        1,
        5,
        2,
    ]
    mapped = judged_set(
        read([*rows[:2], row("control-copy", overall=25)]),
        ["overall"],
        scales=Scales(others=Scale(0, 100), controls=Scale(0, 100)),
    )
    assert mapped.human["overall"].tolist() == [1, 5, 2]


def test_what_is_left_out_is_said():
    people = [row(s, [{"overall": n}], overall=n) for s, n in (("a", 1), ("b", 2), ("c", 4))]
    found = made(people, ["ter"])
    assert (found.judges, found.criteria, len(found.metrics)) == ([], [], 1)
    assert found.remarks == [
        "scales, mapped linearly onto 1:5: overall 1:5",
        "single judges are left out: the judges have no names",
        "adequacy is left out: no row has it",
        "fluency is left out: no row has it",
        "dissimilarity is left out: no row has it",
        "ter: lower is better; its correlations are not reversed",
    ]


def test_judges_who_share_nothing_or_are_alone():
    alone = [row("a", [{"judge": "A", "overall": n}]) for n in (1, 2, 3)]
    assert "inter-judge correlation is left out: there is one judge" in made(alone).remarks
    apart = made([*alone, row("b", [{"judge": "B", "overall": 2}, {"overall": 3}])])
    assert apart.judges == []
    assert "pairs of judges left out because they share no row: 1" in apart.remarks
    assert "1 judgements without a name count in the mean only" in apart.remarks


def test_a_constant_side_has_no_correlation():
    rows = [row(s, overall=n, adequacy=0.1 * 30) for s, n in (("a", 1), ("b", 2), ("c", 3))]
    assert made(rows).criteria[0].sentence == Estimate(None, 3, reason="constant")


def test_scales_that_are_wrong_or_not_known():
    rows = read([row(overall=2, fluency=0), row(overall=3), row(overall=80)])
    with pytest.raises(UsageError, match="overall runs from 2 to 80, fluency runs from 0 to 0; "):
        judged_set(rows, ["overall", "fluency"])
    with pytest.raises(InputError, match=r"rows:3: the score overall is 80, outside of .* 0:10$"):
        judged_set(rows, ["overall"], scales=Scales(others=Scale(0, 10)))
    with pytest.raises(UsageError, match="'overal', which no row has; did you mean 'overall'"):
        judged_set(rows, ["overall"], scales=Scales(criteria={"overal": Scale(0, 10)}))
    judge = read([row("a", [{"judge": "A", "overall": 7}], overall=3)])
    with pytest.raises(UsageError, match="runs from 3 to 7"):
        judged_set(judge, ["overall"])
    control = read([row(overall=2), row("control-copy", overall=25)])
    with pytest.raises(
        InputError, match=r"rows:2: .* 25, outside of the scale 1:5 of the controls"
    ):
        judged_set(control, ["overall"])


@pytest.mark.parametrize("text", ["", "1", "1:", "a:b", "1:2:3", "5:1", "1:1", "nan:5", "0:inf"])
def test_bad_scales(text):
    with pytest.raises(UsageError, match="scale"):
        parse_scale(text)


@pytest.fixture
def shakespeare(shared):
    path = shared / "paraphrase" / "shakespeare-dev.jsonl.gz"
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


@pytest.mark.data
def test_shakespeare_annotators(shakespeare, shared, ok):
    path = shared / "paraphrase" / "shakespeare-dev.jsonl.gz"
    document = json.loads(
        ok("meta", "paper", "pem", "--jsonl", path, "--scale", "1:4", "-f", "json")
    )
    (pair,) = document["judges"]
    scores = [[j["overall"] for j in row["judges"]] for row in shakespeare]
    expected = scipy.stats.pearsonr(*zip(*scores, strict=True)).statistic
    assert (pair["sentence"], pair["rows"]) == ({"value": pytest.approx(expected)}, 297)
    # The data's README says .63; the file gives .6248.
    assert expected == pytest.approx(0.63, abs=0.01)


@pytest.mark.data
def test_shakespeare_pinc(shakespeare, tmp_path, ok):
    """The figures of the data's README, whose PINC takes every punctuation mark for a token."""
    rows = tmp_path / "rows.jsonl"
    for row in shakespeare:
        for key in ("hypothesis", "source"):
            row[key] = " ".join(re.findall(r"\w+|[^\w\s]", row[key]))
    rows.write_text("".join(json.dumps(row) + "\n" for row in shakespeare))
    options = ["-m", "pinc", "--set", "tokenizer=none", "--scale", "1:4", "-f", "json"]
    for human, expected in {"overall": 0.39, "adequacy": -0.56, "dissimilarity": 0.85}.items():
        document = json.loads(
            ok("meta", "paper", "pem", "--jsonl", rows, "--human", human, *options)
        )
        mean = document["metrics"][0]
        assert mean["other"] is None
        assert round(mean["sentence"]["value"], 2) == expected


@pytest.mark.data
def test_parabank_has_many_systems_and_nameless_judges(shared, ok):
    path = shared / "paraphrase" / "parabank.jsonl.gz"
    scales = ["--scale", "overall=0:100", "--scale", "fluency=0:2"]
    document = json.loads(
        ok("meta", "paper", "pem", "--jsonl", path, "-m", "pinc", *scales, "-f", "json")
    )
    assert document["judges"] == []
    (mean,) = document["metrics"]
    assert (mean["rows"], mean["systems"]) == (5550, 36)
    assert "single judges are left out: the judges have no names" in document["notes"]

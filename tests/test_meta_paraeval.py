"""ParaEval's tables on any judged set: the draws against loops, and the command."""

from __future__ import annotations

import json
import random

import numpy as np
import pytest

import otherwords
from otherwords.corpus.rows import Judgement, Row
from otherwords.errors import InputError, UsageError
from otherwords.scoring.choice import parse_sweep
from otherwords.scoring.stream import segment_keys
from otherwords.stats.intervals import Estimate, Resampling, Sampled, estimate
from otherwords.stats.resampling import resample
from otherwords.study import papers as meta
from otherwords.study.agreement import read_judged
from otherwords.study.agreement.arrays import judged_rows
from otherwords.study.papers.paraeval import METRICS, MetricVariant, correlate, lines
from tests.oracles import agreement as oracle

WORDS = "the a cat dog sat ran on under mat tree big small one two".split()


def made_rows(*, systems=5, segments=7, docs=False, missing=0):
    """Systems that copy ever less of the reference, and people who see some of that."""
    rng = random.Random(11)
    found = []
    for segment in range(segments):
        first, second = ([rng.choice(WORDS) for _ in range(9)] for _ in range(2))
        for system in range(systems):
            kept = 9 - system - rng.randrange(3)
            text = first[:kept] + [rng.choice(WORDS) for _ in range(9 - kept)]
            one = {
                "hypothesis": " ".join(text),
                "references": [" ".join(first), " ".join(second)],
                "system": f"s{system}",
                "item": f"i{segment}",
                "human": {"da": float(kept + rng.randrange(4)), "fluency": rng.random()},
            }
            found.append({**one, "doc": f"d{segment // 2}"} if docs else one)
    for row in rng.sample(found, missing):
        del row["human"]["da"]
    return found


def as_rows(found):
    return [
        Row(
            one["hypothesis"],
            tuple(one["references"]),
            system=one["system"],
            item=one["item"],
            doc=one.get("doc"),
            human=one["human"],
        )
        for one in found
    ]


@pytest.fixture
def written(tmp_path):
    def write(found, name="rows.jsonl"):
        path = tmp_path / name
        path.write_text("\n".join(map(json.dumps, found)))
        return path

    return write


@pytest.mark.parametrize("docs", [False, True])
@pytest.mark.parametrize("fixed_human", [False, True])
@pytest.mark.parametrize("name", ["bleu", "ter", "pinc"])
def test_every_draw_is_the_set_with_its_rows_repeated(name, fixed_human, docs):
    rows = as_rows(made_rows(docs=docs, missing=6))
    metric = otherwords.metric(name, **({"against": "references"} if name == "pinc" else {}))
    statistics = metric.statistics([r.hypothesis for r in rows], [r.references for r in rows])
    judged = judged_rows(rows, ["da"], segment_keys(rows))
    assert judged.unit == ("documents" if docs else "segments")
    how = Resampling("paper" if fixed_human else "percentile", resamples=30, seed=4)
    found = correlate(judged, "da", MetricVariant(name, metric, statistics), how)
    plain = [(r.system, s, r.human.get("da")) for r, s in zip(rows, statistics, strict=True)]
    names = list(dict.fromkeys(r.doc or r.item for r in rows))
    means = None
    if fixed_human:
        by_system = {row[0]: [p[2] for p in plain if p[0] == row[0]] for row in plain}
        means = {s: np.mean([h for h in said if h is not None]) for s, said in by_system.items()}
    draws = [list(range(len(names))), *resample(len(names), 30, 4)]
    for number, draw in enumerate(draws):
        drawn = [
            row
            for unit in draw
            for row, r in zip(plain, rows, strict=True)
            if (r.doc or r.item) == names[unit] and row[2] is not None
        ]
        expected = oracle.coefficients(drawn, metric, means)
        for key, sampled in found.items():
            got = sampled.value if number == 0 else sampled.draws[number - 1]
            assert got == pytest.approx(expected[key], abs=1e-9, nan_ok=True), (number, key)
    assert {found["system", c].size for c in ("spearman", "pearson", "accuracy")} == {5}
    assert found["segment", "kendall"].size == sum(h is not None for _, _, h in plain)


def test_the_same_draws_for_any_number_of_threads_and_another_for_another_seed():
    rows = as_rows(made_rows())
    metric = otherwords.metric("bleu")
    statistics = metric.statistics([r.hypothesis for r in rows], [r.references for r in rows])
    judged = judged_rows(rows, ["da"], segment_keys(rows))
    variant = MetricVariant("bleu", metric, statistics)
    one, many = (lines(judged, [variant], Resampling(), threads=n) for n in (1, 3))
    other = lines(judged, [variant], Resampling(seed=1))
    assert one[0].estimates == many[0].estimates != other[0].estimates


def test_estimates():
    draws = np.array([0.2, 0.4, np.nan, 0.6])
    sampled = Sampled(0.45, 8, draws)
    middle = estimate(sampled, Resampling(confidence=0.5))
    assert middle == Estimate(0.45, 8, 0.4, 0.3, 0.5, 3)
    # Mean .4, s .2, t(.975, 2) = 4.3027: reach 4.3027 * .2 / sqrt(3) = .49683.
    paper = estimate(sampled, Resampling("paper"))
    assert (paper.value, paper.mean) == (0.45, 0.4)
    assert (paper.low, paper.high) == pytest.approx((0.4 - 0.49683, 0.4 + 0.49683), abs=1e-5)
    assert estimate(sampled, Resampling(), alone=True) == Estimate(0.45, 8, defined=3)
    assert estimate(Sampled(np.nan, 2, draws), Resampling()) == Estimate(None, 2)
    assert estimate(Sampled(0.4, 8, draws[2:]), Resampling()) == Estimate(0.4, 8, defined=1)


def test_rows_without_names_are_known_by_their_references():
    rows = [Row("a", (text,), system=s) for s in ("one", "two") for text in ("x", "y", "x")]
    keys = segment_keys(rows)
    assert keys[:3] == keys[3:]
    assert len(set(keys)) == 3
    judges = (Judgement({"da": 1.0}), Judgement({"da": 2.0}))
    judged = judged_rows([Row("a", judges=judges), Row("b")], ["da"], ["1", "2"])
    assert judged.human["da"].tolist()[0] == 1.5
    assert np.isnan(judged.human["da"][1])


def test_a_document_for_all_or_for_none():
    rows = [Row("a", doc="d"), Row("b", path="rows.jsonl", line=2)]
    with pytest.raises(InputError, match=r"rows\.jsonl:2: this row has no document"):
        judged_rows(rows, [], ["1", "2"])


def command(path, *more):
    return ["meta", "paper", "paraeval", "--jsonl", path, "-m", "bleu,chrf", *more]


def lines_of(out):
    """The lines of the tables: records with the same human score, metric and reference."""
    lines = {}
    for record in json.loads(out)["lines"]:
        key = record["human"], record["metric"], record["reference"]
        numbers = record["estimate"] | {"size": record["size"], "mean": record["mean"]}
        lines.setdefault(key, {}).setdefault(record["level"], {})[record["coefficient"]] = numbers
    return lines


def rows_of(line):
    (size,) = {one["size"] for one in line["segment"].values()}
    return size


def test_text_and_notes(ok, written):
    path = written(made_rows(missing=3))
    out = ok(*command(path, "--human", "da", "--resamples", "50", "--signatures"))
    found = out.splitlines()
    assert [line for line in found if " level, " in line] == [
        "System level, da",
        "Segment level, da",
    ]
    assert found[1].split() == ["spearman", "pearson", "accuracy", "systems"]
    assert "rows without da, left out: 3" in found
    assert any("95 % interval, 50 resamples of 7 segments" in line for line in found)
    assert found[-1].endswith("|bs:50|percentile|conf:0.95|seed:0|by:segment")
    assert "nan" not in out.lower()


def test_all_human_scores_unless_named(ok, written):
    path = written(made_rows(docs=True, missing=3))
    out = ok(*command(path, "-f", "json", "--resamples", "20"))
    assert list(lines_of(out)) == [
        (human, metric, "all") for human in ("da", "fluency") for metric in ("bleu", "chrf")
    ]
    assert [rows_of(one) for one in lines_of(out).values()] == [32, 32, 35, 35]
    notes = json.loads(out)["notes"]
    assert notes[0].startswith("[low, high]: 95 % interval, 20 resamples of 4 documents")
    assert "rows without da, left out of its lines: 3" in notes


def test_single_references_are_scored_alone(ok, written):
    rows = made_rows()
    del rows[4]["references"][1]
    whole = ["-f", "json", "--human", "da", "--resamples", "20"]
    out = ok(*command(written(rows), *whole, "--references", "single"))
    lines = lines_of(out)
    assert [reference for *_, reference in lines] == [1, 2, "all"] * 2
    assert "rows without reference 2, left out of its lines: 1" in json.loads(out)["notes"]
    assert [rows_of(one) for one in lines.values()] == [35, 34, 35] * 2
    for number in (0, 1, None):
        kept = [
            row if number is None else {**row, "references": [row["references"][number]]}
            for row in rows
            if number is None or len(row["references"]) > number
        ]
        alone = lines_of(ok(*command(written(kept, f"{number}.jsonl"), *whole)))
        name = "all" if number is None else number + 1
        mine = [line for (*_, reference), line in lines.items() if reference == name]
        assert mine == list(alone.values())


def test_one_reference_is_all_there_are(ok, written):
    rows = [{**row, "references": row["references"][:1]} for row in made_rows()]
    out = ok(*command(written(rows), "--references", "single", "--resamples", "9"))
    assert "no row has more than one reference" in out
    assert "reference 1" not in out


def test_sweep(ok, written):
    path = written(made_rows())
    asked = ["meta", "paper", "paraeval", "--jsonl", path, "--human", "da", "--any-language"]
    asked += ["--resamples", "9", "-f", "json"]
    lines = lines_of(ok(*asked, "-m", "maxsim", "-m", "bleu", "--sweep", "alpha=0.5,0.9"))
    swept = {metric: line for (_, metric, _), line in lines.items()}
    assert list(swept) == ["maxsim, alpha 0.5", "maxsim, alpha 0.9", "bleu"]
    (single,) = lines_of(ok(*asked, "-m", "maxsim", "--set", "alpha=0.9")).values()
    assert swept["maxsim, alpha 0.9"] == single
    assert parse_sweep("alpha=0:1:0.5") == ("alpha", [0.0, 0.5, 1.0])


def test_too_few_systems_and_constant_scores(ok, written):
    rows = made_rows(systems=2)
    out = ok(*command(written(rows), "--human", "da", "--resamples", "9"))
    assert "System level, da: n/a (2 systems)" in out.splitlines()
    for row in rows:
        row["human"]["da"] = 1
    lines = lines_of(ok(*command(written(rows), "--human", "da", "-f", "json")))
    nothing = {"value": None, "reason": "constant", "size": 14, "mean": None}
    assert next(iter(lines.values()))["segment"]["kendall"] == nothing
    out = ok(*command(written(rows), "--human", "da", "--resamples", "9"))
    assert "n/a (constant)" in out
    assert "nan" not in out.lower()


def test_one_document_has_no_interval(ok, written):
    rows = [{**row, "doc": "d"} for row in made_rows()]
    out = ok(*command(written(rows), "--human", "da", "--resamples", "9"))
    assert "there are no intervals" in out
    assert "[" not in out


def test_paper_intervals_are_of_the_mean(ok, written):
    more = ["--human", "da", "-f", "json", "--resamples", "200"]
    path = written(made_rows())
    usual, paper = (
        next(iter(lines_of(ok(*command(path, *more, "--interval", kind))).values()))
        for kind in ("percentile", "paper")
    )
    of_paper, of_usual = paper["segment"]["kendall"], usual["segment"]["kendall"]
    assert of_paper["mean"] == of_usual["mean"]  # rows carry their human scores with them
    around, wide = of_paper["interval"], of_usual["interval"]
    assert around["confidence"] == 0.95
    assert around["resamples"] == 200
    assert of_paper["mean"] == pytest.approx((around["low"] + around["high"]) / 2)
    assert around["high"] - around["low"] < (wide["high"] - wide["low"]) / 5
    assert paper["system"]["pearson"]["mean"] != usual["system"]["pearson"]["mean"]
    assert paper["system"]["pearson"]["value"] == usual["system"]["pearson"]["value"]


def test_formats_say_the_same(ok, written, tmp_path):
    asked = command(written(made_rows()), "--resamples", "9", "--references", "single")
    document = json.loads(ok(*asked, "-f", "json"))
    expected = document["lines"]
    records = [json.loads(line) for line in ok(*asked, "-f", "jsonl").splitlines()]
    assert [{k: v for k, v in r.items() if k != "table"} for r in records] == expected
    head, *table = (line.split("\t") for line in ok(*asked, "-f", "tsv").splitlines())
    assert {len(line) for line in table} == {len(head)}
    for cells, record in zip(table, expected, strict=True):
        line, number = dict(zip(head, cells, strict=True)), record["estimate"]
        assert line["estimate"] == repr(number["value"])
        assert line["estimate_low"] == repr(number["interval"]["low"])
    assert ok(*asked, "-f", "latex").count("\\begin{tabular}") == 4
    target = tmp_path / "out.json"
    assert ok(*asked, "-f", "json", "-o", target, "--threads", "2") == ""
    assert json.loads(target.read_text()) == document


def test_from_python_as_from_the_command(ok, written):
    path = written(made_rows())
    how = Resampling(resamples=9)
    found = meta.paraeval_tables(
        read_judged([str(path)]), ["bleu", "chrf"], ["da"], resampling=how, single=True
    )
    asked = command(path, "--human", "da", "--resamples", "9", "--references", "single")
    for form in ("text", "markdown", "latex", "tsv", "csv", "json", "jsonl", "html"):
        assert ok(*asked, "-f", form, "--signatures") == "\n".join(found.render(form)) + "\n"


def test_bad_requests(refused, written, tmp_path):
    path = written(made_rows())
    target = tmp_path / "out.txt"
    for more, message in [
        (["--scale", "1:5"], "No such option '--scale'"),
        (["--human", "dad"], "no row has the human score 'dad'"),
        (["--sweep", "min_length"], "a sweep is option=first:last:step or"),
        (["--sweep", "min_length=1,,2"], "a sweep is option=first:last:step or"),
        (
            ["--sweep", "casee=1,2"],
            "none of the metrics has an option 'casee'; did you mean 'case'",
        ),
        (["--resamples", "1"], "resamples must be"),
        (["--confidence", "2"], "confidence must be"),
        (["--seed", "-1"], "seed must be"),
        (["-m", "nosuch"], "unknown metric 'nosuch'"),
    ]:
        assert message in refused(*command(path, *more, "-o", target))
        assert not target.exists()
    assert "No such option '--sweep'" in refused(
        "meta", "paper", "pem", "--jsonl", path, "--sweep", "alpha=0,1"
    )
    source = ["-m", "pinc", "--against", "source", "--references", "single"]
    assert "for metrics that compare with references" in refused(*command(path, *source))
    bare = tmp_path / "bare.jsonl"
    bare.write_text('{"hypothesis": "a"}')
    assert "there are no human scores at all" in refused(*command(bare))
    with pytest.raises(UsageError, match="a sweep is"):
        parse_sweep("=1")


def test_the_metrics_of_the_paper_are_the_default(ok, written):
    path = written(made_rows())
    asked = ["meta", "paper", "paraeval", "--jsonl", path, "--human", "da", "-f", "json"]
    lines = lines_of(ok(*asked, "--resamples", "5", "--any-language"))
    assert [metric for _, metric, _ in lines] == list(METRICS)


def test_human_scores_of_systems(ok, refused, written, tmp_path):
    """The same coefficients as from rows whose mean human scores are those of the systems."""
    rows = made_rows()
    people = {f"s{number}": float(score) for number, score in enumerate([9, 4, 7, 3, 1])}
    for row in rows:
        row["human"] = {"da": people[row["system"]]}
    scores = tmp_path / "human.json"
    scores.write_text(json.dumps(people))
    few = ["--resamples", "20", "-f", "json"]
    by_row = lines_of(ok(*command(written(rows), *few)))
    for row in rows:
        del row["human"]
    asked = command(written(rows, "plain.jsonl"), "--system-human", scores)
    by_system = lines_of(ok(*asked, *few))
    for one, other in zip(by_row.values(), by_system.values(), strict=True):
        assert one["system"] == other["system"]
        assert other["segment"]["pearson"]["value"] is None
    assert "Segment level, human: n/a (0 rows)" in ok(*asked, "--resamples", "20")
    scores.write_text('{"s0": 1.0}')
    assert "fewer than 3 systems of the rows" in refused(*asked)
    # Table 1 has fluency and adequacy: a column for each.
    table = tmp_path / "human.tsv"
    lines = [f"{system}\t{score}\t{-score}" for system, score in people.items()]
    table.write_text("\n".join(["system\tfluency\tadequacy", *lines]))
    both = lines_of(ok(*asked[:-1], table, *few))
    values = [(human, one["system"]["spearman"]["value"]) for (human, *_), one in both.items()]
    rhos = [one["system"]["spearman"]["value"] for one in by_system.values()]
    assert values == [("fluency", rho) for rho in rhos] + [("adequacy", -rho) for rho in rhos]


@pytest.mark.data
def test_known_figures(ok, shared):
    """data/README.md: sentence BLEU has .212 with MQM, over segments."""
    path = shared / "mt" / "mqm21-zhen.jsonl.gz"
    asked = ["meta", "paper", "paraeval", "--jsonl", path, "-m", "bleu", "-f", "json"]
    found = lines_of(ok(*asked)).values()
    assert [round(one["segment"]["pearson"]["value"], 3) for one in found] == [0.212]
    for one in found:
        assert {number["size"] for number in one["system"].values()} == {8}
        for level in ("system", "segment"):
            for number in one[level].values():
                around = number["interval"]
                assert -1 <= around["low"] < around["high"] <= 1

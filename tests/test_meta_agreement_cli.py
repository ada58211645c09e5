"""`otherwords meta`, agreement with human scores, as a user meets it."""

from __future__ import annotations

import gzip
import json
import random

import pytest

from otherwords.study import agreement as meta
from otherwords.study.agreement import Comparisons

WORDS = "the a cat dog sat ran on under mat tree big small one two".split()


def made_rows(systems=4, items=8, judges=False):
    rng = random.Random(7)
    found = []
    for item in range(items):
        reference = [rng.choice(WORDS) for _ in range(9)]
        for system in range(systems):
            kept = 9 - system - rng.randrange(3)
            text = reference[:kept] + [rng.choice(WORDS) for _ in range(9 - kept)]
            score = kept + rng.randrange(4)
            one = {
                "id": f"s{system}:{item}",
                "item": f"i{item}",
                "langs": f"l{item % 2}-en",
                "system": f"s{system}",
                "source": " ".join(reference),
                "references": [" ".join(reference)],
                "hypothesis": " ".join(text),
                "human": {"da": score},
            }
            if judges:
                one["judges"] = [
                    {"judge": "A", "da": score - 1},
                    {"judge": "B", "da": score + rng.randrange(3)},
                ]
            found.append(one)
    return found


def write(path, records):
    path.write_text("\n".join(json.dumps(one) for one in records))
    return path


@pytest.fixture
def rows(tmp_path):
    return write(tmp_path / "rows.jsonl", made_rows())


def outside(rows, name="comet"):
    """A file of scores that follow the human ones."""
    lines = [f"id\t{name}"]
    records = map(json.loads, rows.read_text().splitlines())
    lines += [f"{one['id']}\t{one['human']['da'] / 10 + 0.01 * n}" for n, one in enumerate(records)]
    path = rows.with_name("outside.tsv")
    path.write_text("\n".join(lines))
    return path


def test_text(ok, rows):
    out = ok(
        "meta",
        "--jsonl",
        rows,
        "-m",
        "chrf,ter",
        "--human",
        "da",
        "--ci",
        "--resamples",
        50,
        "--signatures",
    )
    lines = out.splitlines()
    assert lines[0].startswith("Best agreement with da: chrf (pearson ")
    assert lines[2] == "Segment level, da"
    assert lines[3].split() == "pearson spearman kendall accuracy better-worse rows pairs".split()
    assert any(line.startswith("System level, da") for line in lines)
    assert "[low, high]: 95 % interval, 50 resamples of 8 segments" in lines
    assert "ter: lower is better, so its scores are reversed" in lines
    assert "rows of 2 language pairs are taken together, not grouped by langs" in lines
    assert lines[-1].startswith("ter|v:1")
    assert lines[-1].endswith("|bs:50|percentile|conf:0.95|seed:0|by:segment")
    assert "nan" not in out
    # Chosen without asking: the only human score, and the metrics of the default.
    chosen = ok("meta", "--jsonl", rows, "--any-language", "-f", "tsv")
    assert {line.split("\t")[2] for line in chosen.splitlines()[1:]} == {
        *("otherwords-mt", "maxsim", "chrf")
    }


def test_formats_say_the_same(ok, rows):
    command = ["meta", "--jsonl", rows, "-m", "chrf,bleu", "--ci", "--resamples", "30"]
    command += ["--baseline", "bleu", "--group", "item", "--trials", "30"]
    document = json.loads(ok(*command, "-f", "json"))
    assert document["resampling"]["size"] == 8
    assert document["group"] == "item"
    records = [json.loads(line) for line in ok(*command, "-f", "jsonl").splitlines()]
    head, *lines = (line.split("\t") for line in ok(*command, "-f", "tsv").splitlines())
    assert {len(line) for line in lines} == {len(head)}
    table = [dict(zip(head, line, strict=True)) for line in lines]

    def found(several, **names):
        (one,) = [x for x in several if all(x.get(k) == v for k, v in names.items())]
        return one

    for one in document["metrics"]:
        for level in ("segment", "system"):
            for name, number in one[level].items():
                names = {"table": "metrics", "level": level, "coefficient": name}
                names["one"] = one["metric"]
                record, line = found(records, **names), found(table, **names)
                assert record["estimate"]["value"] == number["value"]
                assert record["estimate"].get("interval") == number.get("interval")
                assert record["size"] == number["size"]
                assert line["estimate"] == (
                    "" if number["value"] is None else repr(number["value"])
                )
                if "interval" in number:
                    assert line["estimate_high"] == repr(number["interval"]["high"])
                    assert number["interval"]["confidence"] == 0.95
                    assert number["interval"]["resamples"] <= 30
    gap = document["differences"][0]
    (test,) = [one for one in gap["comparisons"] if one["test"] == "perm-both"]
    assert test["trials"] == 30
    assert "difference" not in test  # the value is the difference
    names = {"table": "differences", "level": gap["level"], "coefficient": gap["coefficient"]}
    line = found(table, **names, test="perm-both", one=gap["one"])
    assert (float(line["p"]), float(line["adjusted"])) == (test["p"], test["adjusted"])
    latex = ok(*command, "-f", "latex")
    assert latex.count("\\begin{tabular}") == latex.count("\\end{tabular}") > 2
    for form in ("text", "json", "jsonl", "tsv", "latex"):
        assert "nan" not in ok(*command, "-f", form).lower().replace("nance", "")


def test_from_python_as_from_the_command(ok, rows):
    command = ["meta", "--jsonl", rows, "-m", "chrf,bleu", "--baseline", "bleu", "--trials", "30"]
    found = meta.agreement(
        meta.read_judged([str(rows)]),
        ["chrf", "bleu"],
        "da",
        comparisons=Comparisons(compare="bleu", trials=30),
    )
    for form in ("text", "markdown", "latex", "tsv", "csv", "json", "jsonl", "html"):
        assert ok(*command, "--signatures", "-f", form) == "\n".join(found.render(form)) + "\n"
    frame = found.to_frame("metrics")
    assert list(frame["one"].unique()) == ["chrf", "bleu"]
    assert "chrf" in str(found)


def test_the_format_follows_the_name_of_the_output(ok, rows, tmp_path):
    command = ["meta", "--jsonl", rows, "-m", "chrf,bleu"]
    for name, start in (
        ("x.md", "**Best agreement"),
        ("x.csv", "level,"),
        ("x.tex", "% Best agreement"),
    ):
        ok(*command, "-o", tmp_path / name)
        assert (tmp_path / name).read_text().startswith(start), name


def test_no_p_value_is_printed_as_zero(ok, tmp_path):
    rows = [
        {
            **one,
            "human": {"da": 5 * len(set(one["hypothesis"].split()) & set(one["source"].split()))},
        }
        for one in made_rows(items=60)
    ]
    path = write(tmp_path / "rows.jsonl", rows)
    scores = tmp_path / "noise.tsv"
    rng = random.Random(1)
    scores.write_text("id\tnoise\n" + "".join(f"{one['id']}\t{rng.random()}\n" for one in rows))
    asked = [
        "--scores",
        scores,
        "--baseline",
        "noise",
        "--coefficients",
        "pearson",
        "--trials",
        "50",
    ]
    out = ok("meta", "--jsonl", path, "-m", "chrf", *asked, "--level", "segment")
    assert "< 0.001" in out
    assert "0.000" not in out.replace("0.0000", "")


def test_scores_from_files(ok, rows, tmp_path):
    scores = outside(rows)
    out = json.loads(ok("meta", "--jsonl", rows, "--scores", scores, "-f", "json"))
    (metric,) = out["metrics"]
    assert metric["metric"] == "comet"
    assert metric["segment"]["pearson"]["value"] > 0.8
    assert metric["signature"] == "comet|given:outside.tsv"
    # The same as JSONL with systems and items, packed, the score being named after the file.
    records = [json.loads(line) for line in rows.read_text().splitlines()]
    by_id = dict(line.split("\t") for line in scores.read_text().splitlines()[1:])
    lines = [
        {"system": one["system"], "item": one["item"], "score": -float(by_id[one["id"]])}
        for one in records
    ]
    lines[3]["score"] = None
    packed = tmp_path / "worse.jsonl.gz"
    packed.write_bytes(gzip.compress("\n".join(map(json.dumps, lines)).encode()))
    command = ["meta", "--jsonl", rows, "-m", "chrf", "--scores", scores, "--scores", packed]
    both = json.loads(ok(*command, "--lower-is-better", "worse", "-f", "json"))
    assert [one["metric"] for one in both["metrics"]] == ["chrf", "comet", "worse"]
    assert both["metrics"][2]["segment"]["pearson"]["size"] == len(records) - 1
    assert both["metrics"][2]["segment"]["pearson"]["value"] > 0.8
    assert "worse: rows without a score, left out: 1" in both["notes"]


def test_score_files_that_do_not_fit(refused, rows, tmp_path):
    bad = tmp_path / "bad.tsv"
    command = ["meta", "--jsonl", rows, "--scores", bad]
    for content, message in (
        ("id\tm\ns0:0\t1\nnone\t2\n", f"{bad}:3: no row is called 'none'"),
        ("id\tm\ns0:0\t1\ns0:0\t2\n", f"{bad}:3: this row has scores already, in line 2"),
        ("id\tm\ns0:0\tgood\n", f"{bad}:2: the score 'm' is \"good\", not a number"),
        ("id\tm\ns0:0\tnan\n", f"{bad}:2: the score 'm' is \"nan\", not a number"),
        ("id\tm\ns0:0\n", f"{bad}:2: 1 cells here but 2 columns in the header"),
        ("0.5\n0.6\n", f"{bad}: there are 2 scores here for 32 rows"),
        ("s0:0\t0.5\t0.6\n", f"{bad}:1: the header must name the columns"),
        ("id\tm\tm\ns0:0\t1\t2\n", f"{bad}:1: two columns are named 'm'; rename one of them"),
        ("id\tm\n", "there are no scores here"),
        ("id\ns0:0\n", "no column of scores"),
        ('{"id": "s0:0", "m": 1}\n{"id": 1', f"{bad}:2:9: not JSON"),
        ('{"id": "s0:0", "m": 1}\n[1]', f"{bad}:2: each line must be a JSON object"),
        ('{"system": "s0", "m": 1}', f"{bad}:1: no id, and no system and item"),
        ('{"system": "s9", "item": "i0", "m": 1}', "no row is called 'i0' of system 's9'"),
        ("id\tchrf\ns0:0\t1\n", "there is another metric 'chrf'"),
        ("", "there are no scores here"),
    ):
        bad.write_text(content)
        assert message in refused(*command, "-m", "chrf"), content
    bad.write_text("id\tm\ns0:0\t1\n")
    assert "no --scores have 'n'" in refused(*command, "--lower-is-better", "n")
    assert "--set does nothing without -m" in refused(*command, "--set", "case=true")
    assert "no such file" in refused("meta", "--jsonl", rows, "--scores", tmp_path / "none")


def test_system_human(ok, refused, rows, tmp_path):
    bare = [{**one, "human": {}} for one in made_rows()]
    path = write(tmp_path / "bare.jsonl", bare)
    people = tmp_path / "human.json"
    people.write_text(json.dumps({"s0": 0.4, "s1": 0.3, "s2": 0.1, "s3": -0.2, "s9": None}))
    command = ["meta", "--jsonl", path, "-m", "chrf", "--system-human", people, "-f", "json"]
    document = json.loads(ok(*command))
    assert document["systems"] == {"s0": 0.4, "s1": 0.3, "s2": 0.1, "s3": -0.2}
    assert document["metrics"][0]["system"]["accuracy"]["value"] == 1.0
    assert document["metrics"][0]["segment"]["pearson"]["reason"] == "segments were not judged"
    assert "Segment level, human: n/a (segments were not judged)" in ok(*command[:-2])
    assert "there are no human scores at all" in refused("meta", "--jsonl", path, "-m", "chrf")
    for content in ("[1, 2]", "{", "{}", '{"s0": "high"}'):
        people.write_text(content)
        assert str(people) in refused(*command)


def test_pairs(ok, refused, tmp_path):
    lines = []
    for n, one in enumerate(made_rows(systems=1)):
        reference = one["references"][0]
        lines.append(
            {
                "id": n,
                "item": f"x:{n // 2}",
                "langs": "fr-en",
                "reference": reference,
                "better": reference,
                "worse": one["hypothesis"] + " zebra",
                "judge": "j",
            }
        )
    path = write(tmp_path / "pairs.jsonl", lines)
    command = ["meta", "--jsonl", path, "-m", "chrf,bleu"]
    out = ok(*command, "--ci", "--resamples", "20")
    assert "chrf  1.0000 [1.0000, 1.0000]      8" in out
    found = json.loads(ok(*command, "--ties", "ignored", "-f", "json"))
    assert found["metrics"][0]["segment"]["better-worse"] == {"value": 1.0, "size": 8}
    for more in (["--human", "da"], ["--margin", "3"], ["--level", "system"]):
        assert "does not go with better/worse pairs" in refused(*command, *more)
    write(path, [lines[0], {"reference": "a", "better": "b"}])
    assert f"{path}:2: no key 'worse'" in refused(*command)


def test_judges(ok, tmp_path):
    path = write(tmp_path / "rows.jsonl", made_rows(judges=True))
    command = ["meta", "--jsonl", path, "-m", "chrf", "--level", "segment"]
    out = ok(*command)
    assert "Krippendorff's alpha of 2 judges, da" in out
    document = json.loads(ok(*command, "-f", "json"))
    assert document["judges"]["names"] == ["A", "B"]
    assert list(document["judges"]["alpha"]) == ["nominal", "ordinal", "interval"]
    assert "\njudges\tsegment\talpha-interval\t" in ok(*command, "-f", "tsv")


def test_output_and_threads(ok, rows, tmp_path):
    target = tmp_path / "out.json"
    command = ["meta", "--jsonl", rows, "-m", "chrf", "--ci", "--resamples", "25", "-f", "json"]
    assert ok(*command, "--threads", "3", "-o", target) == ""
    assert target.read_text() == ok(*command)


def test_requests_that_cannot_be(refused, rows, tmp_path):
    for more, message in (
        (["--human", "daa"], "no row has the human score 'daa'; did you mean 'da'?"),
        (["--baseline", "bleu"], "a comparison needs at least two metrics"),
        (["--baseline", "bleu", "--compare", "all"], "not both"),
        (["--compare", "bleu"], "use --baseline bleu"),
        (["--scale", "1:5"], "No such option '--scale'"),
        (["--sweep", "a=1"], "No such option '--sweep'"),
        (["--resamples", "10"], "--resamples does nothing without --ci"),
        (["--resample-by", "segments"], "--resample-by does nothing without --ci"),
        (["--ci", "--resample-by", "systems"], "must be one of segments, documents"),
        (["--coefficients", "tau"], "there is no coefficient 'tau'"),
        (["--ci", "--resample-by", "documents"], "no row has one"),
        (["--ci", "--confidence", "2"], "confidence must be"),
        (["--baseline", "chrf", "--seed", "-1", "-m", "chrf,bleu"], "seed must be"),
        (["--baseline", "chrf", "--trials", "0", "-m", "chrf,bleu"], "trials must be"),
    ):
        target = tmp_path / "out"
        options = ["-m", "bleu"] if "-m" not in more else []
        assert message in refused("meta", "--jsonl", rows, *options, *more, "-o", target)
        assert not target.exists()
    several = write(tmp_path / "several.jsonl", [{"hypothesis": "a", "human": {"x": 1, "y": 2}}])
    assert "name one with --human: x, y" in refused("meta", "--jsonl", several, "-m", "bleu")
    several.write_text("")
    assert "there are no rows" in refused("meta", "--jsonl", several, "-m", "bleu")


@pytest.mark.data
def test_real_sets(ok, shared, tmp_path):
    mt = shared / "mt"
    # The data's README: chrF has .551 .604 .575 .610 by language pair, .585 in the mean.
    command = ["meta", "--jsonl", mt / "wmt15-daseg.jsonl.gz", "-m", "chrf", "--group", "langs"]
    document = json.loads(ok(*command, "--level", "segment", "-f", "json"))
    pearson = document["metrics"][0]["segment"]["pearson"]
    assert round(pearson["value"], 3) == 0.585
    assert pearson["groups"] == 4
    # The same: chrF over the segments of mqm21-zhen. Over its systems it says .679 for the mean
    # of segments' scores; the corpus score of chrF has one more of 28 pairs right.
    command = ["meta", "--jsonl", mt / "mqm21-zhen.jsonl.gz", "-m", "chrf", "-f", "json"]
    found = json.loads(ok(*command))["metrics"][0]
    assert round(found["segment"]["pearson"]["value"], 3) == 0.210
    assert found["system"]["accuracy"]["value"] * 28 == pytest.approx(20)
    with gzip.open(mt / "sys-wmt21-deen.jsonl.gz", "rt", encoding="utf-8") as lines:
        few = [line for line in lines if int(json.loads(line)["item"].split(":")[1]) < 40]
    path = tmp_path / "few.jsonl"
    path.write_text("".join(few), encoding="utf-8")
    human = mt / "sys-wmt21-deen-human.json"
    out = ok("meta", "--jsonl", path, "--system-human", human, "-m", "chrf", "--level", "system")
    assert out.splitlines()[2].split()[-1] == "19"

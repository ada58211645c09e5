"""`otherwords score` as a user meets it: inputs, formats, options, wrong input."""

from __future__ import annotations

import csv
import gzip
import inspect
import json
from pathlib import Path

import pytest

import otherwords

EXAMPLES = Path(__file__).parents[1] / "examples" / "translation"
REFERENCE = str(EXAMPLES / "reference.txt")
SYSTEMS = [str(EXAMPLES / f"{name}.txt") for name in ("careful", "free", "literal", "careless")]


def test_one_score_equals_the_python_interface(ok):
    lines = Path(SYSTEMS[0]).read_text().splitlines()
    expected = otherwords.score("maxsim", lines, Path(REFERENCE).read_text().splitlines())
    argv = ["score", "-m", "maxsim", "-r", REFERENCE, SYSTEMS[0], "--format", "json"]
    shown = json.loads(ok(*argv))
    assert shown["systems"][0]["scores"]["maxsim"]["value"] == expected.corpus
    assert shown["signatures"] == {"maxsim": expected.signature}


def test_bleu_equals_sacrebleu(ok):
    import sacrebleu

    lines = Path(SYSTEMS[1]).read_text().splitlines()
    expected = sacrebleu.corpus_bleu(lines, [Path(REFERENCE).read_text().splitlines()]).score
    shown = json.loads(ok("score", "-m", "bleu", "-r", REFERENCE, SYSTEMS[1], "-f", "json"))
    assert shown["systems"][0]["scores"]["bleu"]["value"] == expected


def test_everything_at_once(ok):
    out = ok(
        "score",
        "-m",
        "maxsim,bleu,chrf",
        "-r",
        REFERENCE,
        *SYSTEMS,
        "--ci",
        "--paired",
        "randomization",
        "--baseline",
        "literal",
        "--resamples",
        "200",
        "--signatures",
    )
    verdict, _, *lines = out.splitlines()
    assert verdict == "careful leads by maxsim, bleu and chrf."
    assert lines[0].split() == ["system", "maxsim", "bleu", "chrf"]
    assert [line.split()[0] for line in lines[1:5]] == ["careful", "literal", "careless", "free"]
    assert "(p = 0.012)*" in lines[1]  # 3 / 241: three systems need 4 * 3 / .05 trials
    assert "p =" not in lines[2]
    assert "p: against literal, two-sided, corrected (Holm)" in out
    assert "|bs:200|conf:0.95|ar:200-240|holm|seed:0" in out


def test_order_of_metrics_repeated_and_in_any_case(ok, refused):
    files = ["-r", REFERENCE, "-s", REFERENCE, SYSTEMS[0]]
    shown = ok("score", "-m", "PINC", "-m", "maxsim,Pinc", "-m", "bleu,chrf,chrf++", *files)
    assert shown.split()[:6] == ["system", "pinc", "maxsim", "bleu", "chrf", "chrf++"]


def test_default_metrics_by_task(ok, refused):
    translated = ok("score", "-r", REFERENCE, SYSTEMS[0]).split()
    assert translated[:4] == ["system", "otherwords-mt", "maxsim", "chrf"]
    parts = [
        "otherwords-rewrite",
        "meaning",
        "fluency",
        "difference",
    ]
    assert ok("score", "-s", REFERENCE, SYSTEMS[0]).split()[:5] == ["system", *parts]
    both = ["score", "-s", REFERENCE, "-r", REFERENCE, SYSTEMS[0]]
    assert ok(*both).split()[1] == "otherwords-mt"
    assert ok(*both, "--against", "source").split()[1] == "otherwords-rewrite"
    assert "nothing to compare with" in refused("score", SYSTEMS[0])


def test_what_a_metric_needs_is_checked_before_any_other_scores(refused, monkeypatch):
    monkeypatch.setattr("otherwords.scoring.score.evaluate", lambda *_, **__: pytest.fail("scored"))
    assert "otherwords-rewrite needs a source" in refused(
        "score", "-m", "maxsim,otherwords-rewrite", "-r", REFERENCE, SYSTEMS[0]
    )


def test_names_of_systems(ok, refused):
    lines = ok("score", "-m", "mup", "-r", REFERENCE, f"mine={SYSTEMS[0]}", SYSTEMS[1]).splitlines()
    assert lines[0] == "mine leads by mup (not tested)."
    assert [line.split()[0] for line in lines[3:5]] == ["mine", "free"]
    twice = [f"a={SYSTEMS[0]}", f"a={SYSTEMS[1]}"]
    assert "name them NAME=FILE" in refused("score", "-r", REFERENCE, *twice)
    assert "NAME=FILE" in refused("score", "-r", REFERENCE, "mine=")


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["--confidence", "0.9"], "--confidence does nothing without --ci"),
        (["--confidence", "0.9", "--paired", "bootstrap"], "--confidence does nothing without"),
        (["--resamples", "9"], "--resamples does nothing without --ci or --paired"),
        (["--seed", "0"], "--seed does nothing without"),
        (["--baseline", "free"], "--baseline does nothing without --paired"),
        (["-m", "chrf", "--set", "annotator=embedded"], "has an option 'annotator'"),
        (["-m", "chrf", "--tokenizer", "none"], "--tokenizer does nothing here"),
        (["-m", "bleu,chrf", "--tokenizer", "penn"], "--tokenizer penn does nothing for bleu"),
        (["--docs", REFERENCE], "--docs does nothing without --ci or --paired"),
        (["--explain", "1", "--ci"], "--explain 1 does not go with --ci"),
        (["--segments", "--ci"], "needs --format json"),
        (["--ci", "--confidence", "2"], "confidence must be a number"),
        (["--paired", "bootstrap", "--baseline", "none"], "no system 'none'"),
    ],
)
def test_options_that_do_nothing_or_are_wrong(refused, argv, message):
    assert message in refused("score", "-r", REFERENCE, *SYSTEMS[:2], *argv)


def test_a_paired_test_of_one_system(refused):
    argv = ["-m", "chrf", "-r", REFERENCE, SYSTEMS[0], "--paired", "bootstrap"]
    assert "a paired test needs two systems; there is only" in refused("score", *argv)


def test_explanations_are_json_in_tables_too(ok):
    argv = ["-m", "maxsim", "-r", REFERENCE, SYSTEMS[0], "--explain", "1"]
    [row] = csv.DictReader(ok("score", *argv, "-f", "csv").splitlines())
    [same] = json.loads(ok("score", *argv, "-f", "json"))["explanations"]
    for name in ("references", "matches", "components"):
        assert json.loads(row[name]) == same[name]


@pytest.mark.parametrize(
    ("name", "start"),
    [
        ("x.csv", "system,metric,score"),
        ("x.tsv", "system\tmetric\tscore"),
        ("x.md", "| system | mup |"),
        ("x.tex", "\\begin{table}"),
        ("x.json.gz", '{\n  "otherwords"'),
        ("x.html", "<table>"),
        ("x.jsonl", '{"system": "careful"'),
        ("x", "system"),
    ],
)
def test_format_follows_the_name_of_the_output(ok, tmp_path, name, start):
    target = tmp_path / name
    assert ok("score", "-m", "mup", "-r", REFERENCE, SYSTEMS[0], "-o", target) == ""
    content = target.read_bytes()
    content = gzip.decompress(content) if name.endswith(".gz") else content
    assert content.decode().startswith(start)
    ok("score", "-m", "mup", "-r", REFERENCE, SYSTEMS[0], "-o", target, "-f", "tsv")
    content = target.read_bytes()
    content = gzip.decompress(content) if name.endswith(".gz") else content
    assert content.startswith(b"system\tmetric\tscore\tsignature\n")


@pytest.mark.parametrize("form", ["text", "json", "jsonl", "tsv", "latex"])
def test_formats(ok, form):
    out = ok(
        "score",
        "-m",
        "maxsim,chrf",
        "-r",
        REFERENCE,
        *SYSTEMS[:2],
        "--ci",
        "--paired",
        "bootstrap",
        "--resamples",
        "50",
        "--format",
        form,
    )
    if form == "json":
        document = json.loads(out)
        cell = document["systems"][1]["scores"]["chrf"]
        assert cell["interval"]["low"] <= cell["value"] <= cell["interval"]["high"]
        assert (cell["interval"]["confidence"], cell["interval"]["resamples"]) == (0.95, 50)
        assert 0 < cell["comparison"]["p"] <= 1
        assert (cell["comparison"]["test"], cell["comparison"]["trials"]) == ("bootstrap", 50)
        assert document["baseline"] == "careful"
    elif form == "jsonl":
        rows = [json.loads(line) for line in out.splitlines()]
        assert [(r["system"], r["metric"]) for r in rows] == [
            ("careful", "maxsim"),
            ("careful", "chrf"),
            ("free", "maxsim"),
            ("free", "chrf"),
        ]
        assert set(rows[3]["score"]) == {"value", "interval", "comparison"}
    elif form == "tsv":
        table = [line.split("\t") for line in out.splitlines()]
        assert all(0 < float(row[6]) <= 1 for row in table[3:])
        assert table[0] == [
            "system",
            "metric",
            "score",
            "score_low",
            "score_high",
            "score_difference",
            "score_p",
            "signature",
        ]
        assert {len(row) for row in table} == {8}
    elif form == "latex":
        assert "\\begin{tabular}{lrr}\n\\toprule\nsystem & maxsim & chrf \\\\" in out
        assert "p: against careful, two-sided" in out


@pytest.mark.parametrize("form", ["text", "json", "jsonl", "tsv"])
def test_segments(ok, form):
    out = ok("score", "-m", "maxsim,bleu", "-r", REFERENCE, *SYSTEMS[:2], "--segments", "-f", form)
    if form == "json":
        system = json.loads(out)["systems"][1]
        values = list(zip(*system["segment_scores"].values(), strict=True))
        found = dict(zip(system["items"], values, strict=True))["3"]
    elif form == "jsonl":
        rows = [json.loads(line) for line in out.splitlines()]
        assert len(rows) == 40
        one = next(r for r in rows if (r["system"], r["item"]) == ("free", "3"))
        found = (one["maxsim"], one["bleu"])
    else:
        separator = "\t" if form == "tsv" else None
        table = [line.split(separator) for line in out.splitlines()]
        assert table[0] == ["system", "item", "maxsim", "bleu"]
        found = next((float(r[2]), float(r[3])) for r in table if r[:2] == ["free", "3"])
    hypothesis, reference = (Path(p).read_text().splitlines()[2] for p in (SYSTEMS[1], REFERENCE))
    expected = [
        otherwords.score(m, [hypothesis], [reference]).segments[0] for m in ("maxsim", "bleu")
    ]
    assert found == pytest.approx(expected, abs=0.005 if form == "text" else 1e-12)


def test_segments_with_intervals_in_one_document(ok):
    argv = ["score", "-m", "mup", "-r", REFERENCE, SYSTEMS[0], "--segments", "--ci", "-f", "json"]
    (system,) = json.loads(ok(*argv))["systems"]
    assert len(system["segment_scores"]["mup"]) == system["segments"] == 20
    assert "interval" in system["scores"]["mup"]


def test_jsonl_rows(ok, tmp_path):
    rows = [
        {
            "system": s,
            "id": f"{s}{i}",
            "item": str(i),
            "doc": str(i // 2),
            "hypothesis": h,
            "references": ["the cat sat there"],
            "source": "a cat sat",
            "human": {"da": i},
        }
        for s in "ab"
        for i, h in enumerate(["the cat sat", "a dog ran off", "the cat", "no"])
    ]
    path = tmp_path / "rows.jsonl.gz"
    path.write_bytes(gzip.compress("\n".join(map(json.dumps, rows)).encode()))
    out = ok("score", "-m", "maxsim,pinc", "--jsonl", path, "--paired", "bootstrap", "--ci")
    assert [line.split()[0] for line in out.splitlines()[2:5]] == ["system", "a", "b"]
    assert "(p = 1.000)" in out


def test_rows_without_names_are_paired_by_content(run, tmp_path):
    def rows(system, segments):
        return [
            json.dumps({"system": system, "hypothesis": "the cat sat" + " on" * i,
                        "references": [f"the cat sat there {i}"], "human": {"da": i}})
            for i in segments
        ]  # fmt: skip

    path = tmp_path / "rows.jsonl"
    path.write_text("\n".join(rows("a", [1, 2, 3]) + rows("b", [3, 2])))
    argv = ["score", "-m", "maxsim,chrf", "--jsonl", path, "--paired", "randomization"]
    code, out, err = run(*argv, "-f", "json")
    assert (code, err.count("\n")) == (0, 1)  # a has a segment that b lacks
    shown = json.loads(out)
    compared = shown["systems"][1]["scores"]["maxsim"]["comparison"]
    assert (compared["difference"], compared["p"]) == (0.0, 1.0)


def test_rows_in_any_order_are_paired_by_item(ok, tmp_path):
    rows = [
        {"system": "a", "item": str(i), "hypothesis": h, "references": ["the cat sat there"]}
        for i, h in enumerate(["the cat sat", "a dog ran", "there"])
    ]
    turned = [{**row, "system": "b"} for row in reversed(rows)]
    path = tmp_path / "rows.jsonl"
    path.write_text("\n".join(map(json.dumps, rows + turned)))
    argv = ["score", "-m", "maxsim", "--jsonl", path, "--paired", "randomization", "-f", "json"]
    shown = json.loads(ok(*argv))
    assert shown["systems"][1]["scores"]["maxsim"]["comparison"]["p"] == 1.0


def test_settings(ok):
    out = ok(
        "score",
        "-m",
        "maxsim,ibleu",
        "--set",
        "maxsim.alpha=0.9",
        "--set",
        "ibleu.alpha=0.7",
        "-s",
        REFERENCE,
        "-r",
        REFERENCE,
        SYSTEMS[0],
        "--signatures",
    )
    assert "maxsim|v:2|alpha:0.9" in out
    assert "ibleu|v:1|alpha:0.7" in out


def test_against_source(ok):
    argv = ["score", "-m", "maxsim", "--against", "source", "-s", REFERENCE, SYSTEMS[0]]
    with_source = ok(*argv, "-f", "tsv")
    assert "against:source" in with_source
    plain = ok("score", "-m", "maxsim", "-r", REFERENCE, SYSTEMS[0], "-f", "tsv")
    assert with_source.splitlines()[1].split("\t")[2] == plain.splitlines()[1].split("\t")[2]


def test_explain(ok):
    out = ok("score", "-m", "maxsim,bleu", "-r", REFERENCE, SYSTEMS[0], "--explain", "3")
    assert "little = small" in out
    assert "bleu" in out
    argv = ["score", "-m", "maxsim", "-r", REFERENCE, SYSTEMS[0], "--explain", "3"]
    (row,) = json.loads(ok(*argv, "-f", "json"))["explanations"]
    assert json.loads(ok(*argv, "-f", "jsonl")) == row
    assert row["system"] == "careful"
    assert any(span["weight"] == 1.0 for span in row["matches"][0])


def test_odd_names_of_systems(ok, tmp_path):
    path = tmp_path / "a\tb\nc.txt"
    path.write_text(Path(SYSTEMS[0]).read_text())
    for form in ("text", "tsv", "latex"):
        lines = ok("score", "-r", REFERENCE, path, "-f", form).splitlines()
        assert any("a b c" in line for line in lines)


def test_two_references_and_names_of_systems(ok, tmp_path):
    for folder in ("x", "y"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "out.txt").write_text(Path(SYSTEMS[0]).read_text())
    out = ok(
        "score", "-r", REFERENCE, "-r", SYSTEMS[1], tmp_path / "x/out.txt", tmp_path / "y/out.txt"
    )
    assert "x/out.txt" in out
    one, two = (float(line.split()[1]) for line in out.splitlines()[3:5])
    assert one == two
    assert "y/out.txt are level by otherwords-mt, maxsim and chrf (not tested)." in out


def test_documents(ok, tmp_path):
    docs = tmp_path / "docs.txt"
    docs.write_text("\n".join(str(i // 5) for i in range(20)))
    plain = ok("score", "-r", REFERENCE, SYSTEMS[0], "--ci", "-f", "tsv")
    by_doc = ok("score", "-r", REFERENCE, SYSTEMS[0], "--ci", "-f", "tsv", "--docs", docs)
    columns = [line.splitlines()[1].split("\t") for line in (plain, by_doc)]
    assert columns[0][2] == columns[1][2]
    assert columns[0][3:5] != columns[1][3:5]


def test_wmt_xml(ok, tmp_path):
    path = tmp_path / "set.xml"
    path.write_text(
        "<dataset id='t'><doc id='d'><src lang='de'><p><seg id='1'>Guten Tag</seg></p></src>"
        "<ref lang='en' translator='A'><p><seg id='1'>Good day</seg></p></ref>"
        "<hyp system='one' language='en'><p><seg id='1'>Good day</seg></p></hyp>"
        "<hyp system='two' language='en'><p><seg id='1'>Bad night</seg></p></hyp></doc></dataset>"
    )
    lines = ok("score", "-m", "maxsim", path).splitlines()
    assert lines[3].split() == ["one", "0.6667"]  # two words have no n-gram of three
    assert lines[4].split()[0] == "two"


def test_sgml(ok, tmp_path):
    def sgml(kind, system, text):
        path = tmp_path / f"{kind}.sgm"
        path.write_text(
            f'<{kind} setid="s" srclang="de" trglang="en"><doc sysid="{system}" '
            f'docid="d"><seg id=1>{text}</seg></doc></{kind}>'
        )
        return path

    out = ok(
        "score",
        "-m",
        "maxsim",
        "-r",
        sgml("refset", "ref", "Tea & cake"),
        sgml("tstset", "mine", "Tea & cake"),
    )
    assert out.splitlines()[1].split() == ["mine", "0.6667"]


def test_one_segment_has_no_interval(tmp_path, ok):
    # Resampling one segment gives it again each time: an interval without width.
    (tmp_path / "system.txt").write_text("The cat sat on the mat .\n")
    (tmp_path / "reference.txt").write_text("A cat sat on the mat .\n")
    files = [str(tmp_path / "system.txt"), "-r", str(tmp_path / "reference.txt")]
    shown = ok("score", "-m", "maxsim", "--ci", *files)
    assert "±" not in shown.splitlines()[1]
    assert "no ±: one segment, or one document, cannot be resampled" in shown


def test_the_help_is_short_and_functions_take_few_parameters(ok):
    lines = ok("score", "--help").splitlines()
    flags = [line for line in lines if line.startswith("  -") and "--help" not in line]
    assert len(flags) < 30
    for name in ("score", "compare", "rank", "gate", "Sampling", "Rules"):
        assert len(inspect.signature(getattr(otherwords, name)).parameters) <= 10

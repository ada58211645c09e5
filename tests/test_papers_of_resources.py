"""`otherwords meta paper parametric` and `paradigm`: the papers' tables on our own grammars."""

from __future__ import annotations

import json
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from otherwords.build.bitext.gold import Gold
from otherwords.errors import UsageError
from otherwords.study.papers import group_sizes, parametric_tables
from otherwords.study.papers.paradigm import PAPER, paradigm_tables, published_row
from otherwords.study.papers.parametric import PAPER as TABLE_3
from otherwords.study.paradigm import Sweep
from otherwords.study.parametric import ParaMetric, Paraphraser
from tests.test_paradigm_cli import files as files

ROOT = Path(__file__).parents[1]
PAIRS = [("1", "he quit", "he resigned"), ("1", "he quit", "he left"), ("1", "he quit", "he quit")]
PAIRS += [("2", "she wept", "she cried"), ("2", "she wept", "she sobbed")]


def gold_rows(pairs=PAIRS):
    links = frozenset({(0, 0), (1, 1)})
    return [
        Gold(tuple(one.split()), tuple(other.split()), links, links, group)
        for group, one, other in pairs
    ]


# --- how many translations suffice (ParaMetric §8)


def brute_sizes(scorer, lists, most):
    """Means over every choice of k rows of every group."""
    found = []
    for k in range(1, most + 1):
        gold = right = 0.0
        for number, group in enumerate(scorer.groups):
            if len(group.rows) < most:
                continue
            choices = list(combinations(group.rows, k))
            for rows in choices:
                pairs = set().union(*(scorer.gold_pairs[row] for row in rows))
                gold += len(pairs) / len(choices)
                right += len(pairs & lists[number]) / len(choices)
        found.append((gold, right))
    return found


WORDS = st.sampled_from("abc")


@given(
    st.lists(st.tuples(WORDS, WORDS, st.booleans()), min_size=2, max_size=6),
    st.integers(2, 3),
    st.dictionaries(WORDS, st.lists(WORDS, max_size=3)),
)
def test_group_sizes_are_means_over_every_choice(rows, most, table):
    gold = []
    for one, other, crossed in rows:
        links = frozenset({(0, 1), (1, 0)} if crossed else {(0, 0), (1, 1)})
        gold.append(Gold(("a", "b"), (one, other), links, links, "g"))
    gold.append(Gold(("c",), ("a",), *[frozenset({(0, 0)})] * 2, "alone"))
    scorer = ParaMetric(gold)
    system = Paraphraser("t", paraphrases=lambda phrase, _: table.get(phrase, []))
    if len(rows) < most:
        with pytest.raises(UsageError, match="no group has 3 translations; the largest has 2"):
            group_sizes(scorer, [system], most)
        return
    found = group_sizes(scorer, [system], most)
    assert found.groups == 1
    wanted = brute_sizes(scorer, scorer.lists(system), most)
    assert [(one.gold, one.right[0]) for one in found.sizes] == [
        pytest.approx(two) for two in wanted
    ]


# --- ParaMetric's tables


@pytest.fixture
def paraphrasers(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = [
        {"source": s.split(), "target": t.split(), "sure": ["0-0", "1-1"], "group": group}
        for group, s, t in PAIRS
    ]
    (tmp_path / "gold.jsonl").write_text("\n".join(map(json.dumps, rows)))
    (tmp_path / "good.links").write_text("0-0 1-1\n" * len(rows))
    (tmp_path / "poor.links").write_text("0-0 1-1\n" + "0-1 1-0\n" * (len(rows) - 1))
    (tmp_path / "none.links").write_text("0-1\n" * len(rows))
    (tmp_path / "t.tsv").write_text("quit\tresigned\t0.5\nwept\tlaughed\t0.2\n")
    (tmp_path / "human.tsv").write_text("good\t5\npoor\t3\nnone\t1\n")
    return tmp_path


SYSTEMS = [f"--alignments={name}.links" for name in ("good", "poor", "none")]
PAPER_TABLES = ("meta", "paper", "parametric", "--gold", "gold.jsonl", *SYSTEMS)


def test_tables_2_and_3_stand_beside_the_paper(paraphrasers, ok):
    out = ok(*PAPER_TABLES, "--table", "t.tsv", "--signatures")
    lines = [line.split() for line in out.splitlines()]
    (two,) = (line for line in lines if line[:1] == ["LB-Precision"] and line[1] == "n/a")
    # One of two proposed paraphrases is gold. The paper's .14, .33, .68.
    assert two[4] == "0.50"
    assert two[-3:] == ["0.14", "0.33", "0.68"]
    (first,) = (line for line in lines if line[:2] == ["Align-Prec", "1"])
    assert first[2] == "1.000"
    assert first[-3:] == ["0.54", "0.48", "0.64"]
    assert "|links:sure+possible|" in out


def test_table_3_of_the_paper_ends_with_its_table_2():
    """Table 2 as the paper prints it, one row per score."""
    assert list(zip(*TABLE_3[-1], strict=True)) == [
        (0.62, 0.11, 0.14, 0.07),
        (0.65, 0.10, 0.33, 0.03),
        (0.73, 0.46, 0.68, 0.01),
    ]
    # 156 of 230, 399 of 1,213 and 998 of 6,914 proposed ones were right, of 14,078.
    for column, (right, proposed) in enumerate([(998, 6_914), (399, 1_213), (156, 230)]):
        assert round(right / proposed, 2) == TABLE_3[-1][2][column]
        assert round(right / 14_078, 2) == TABLE_3[-1][3][column]


def test_scores_against_human_scores(paraphrasers, ok, refused):
    document = json.loads(ok(*PAPER_TABLES, "--system-human", "human.tsv", "-f", "json"))
    rho = {one["score"]: one["spearman"]["value"] for one in document["human"]}
    assert rho["Align-Recall"] == pytest.approx(1.0)
    text = ok(*PAPER_TABLES, "--system-human", "human.tsv")
    assert "Spearman's rho with human scores" in text
    (paraphrasers / "human.tsv").write_text("nobody\t5\n")
    assert "'nobody' is not one of: good, poor, none" in refused(
        *PAPER_TABLES, "--system-human", "human.tsv"
    )


def test_translations_are_swept(paraphrasers, ok, refused):
    argv = (*PAPER_TABLES, "--table", "t.tsv", "--translations", "2")
    sizes = json.loads(ok(*argv, "-f", "json"))["translations"]
    assert "Gold lists of so many translations, 2 groups" in ok(*argv)
    # Of three rows of group 1 two have two paraphrases each; of two rows of group 2 both.
    assert [one["paraphrases"] for one in sizes] == pytest.approx([4 / 3 + 2, 4 * 2 / 3 + 4])
    assert sizes[0]["t LB-Precision"] == pytest.approx((1 / 3) / 2)
    wrong = refused(*PAPER_TABLES, "--table", "t.tsv", "--translations", "4")
    assert "no group has 4 translations; the largest has 3" in wrong
    found = parametric_tables(gold_rows(), alignments={"x": [[(0, 0)]] * 5}, translations=2)
    assert found.sizes is not None
    assert found.sizes.systems == ()


# --- PARADIGM's tables


GRAMMARS = ("MSR Syntax=syntax.txt", "msr-hiero=hiero.txt", "gold=gold.txt")
PARADIGM = ("meta", "paper", "paradigm", "--gold", "gold.txt")


@pytest.fixture
def grammars(files):
    (files / "people.tsv").write_text("MSR Syntax\t1\nmsr-hiero\t2\ngold\t3\n")
    return files


def test_paradigm_tables_beside_the_paper(grammars, ok):
    out = ok(*PARADIGM, *GRAMMARS, "--pairs", "pairs.jsonl", "--system-human", "people.tsv")
    for number in (2, 3, 4, 5, 6):
        assert f"Table {number}: " in out
    assert "2,456,513" in out  # MSR Hiero of Table 2
    assert "10,012 (3.2%)" in out
    assert "2,053 (9.5%)" in out
    assert "58,970 (29.4%)" in out
    assert "7,734 (3.2%)" in out
    assert "3 (60.0%)" in out  # ours: three of the five gold rules
    document = json.loads(
        ok(
            *PARADIGM,
            *GRAMMARS,
            "--pairs",
            "pairs.jsonl",
            "--system-human",
            "people.tsv",
            "-f",
            "json",
        )
    )
    assert "|identity:no|" in document["overlap"][0]["signature"]
    assert "|pass-through:all|" in document["coverage"][0]["signature"]
    assert {"all", "precision, strict >= 1"} <= {one["score"] for one in document["human"]}


def test_figure_4_is_a_table_and_a_plot(grammars, ok, refused):
    sweep = ("--sweep", "p", "--figure", "MSR Syntax", "--points", "2")
    out = ok(*PARADIGM, *GRAMMARS[:2], *sweep, "--plot", "figure.svg")
    assert "Figure 4: a growing number of rules, the best by p first" in out
    svg = (grammars / "figure.svg").read_text()
    assert svg.startswith("<svg")
    assert "MSR Syntax" in svg
    assert "relative recall" in svg
    # Table 2 and 3: 15,831 of the 1,292,224 rules of the small PPDB are gold, of 317,772.
    small = next(line for line in out.splitlines() if line.startswith("paper: PPDB-v0.2-small"))
    assert small.split()[2:] == ["1,292,224", "0.0123", "0.0498"]
    assert "msr-hiero" not in svg
    found = paradigm_tables("gold.txt", {"s": "syntax.txt"}, sweep=Sweep("p", points=2))
    # Two of the best two rules are gold, three of all four; five are.
    assert [(one.rules, one.precision, one.recall) for one in found.figure4["s"]] == [
        (2, 1.0, 2 / 5),
        (4, 3 / 4, 3 / 5),
    ]
    assert "--plot" in refused(*PARADIGM, *GRAMMARS, "--plot", "figure.svg")
    four = [f"g{number}=syntax.txt" for number in range(4)]
    ok(*PARADIGM, *four, *sweep[:2], "--plot", "four.svg")
    assert (grammars / "four.svg").read_text().count('class="l"') == 2 * 4
    seven = [f"g{number}=syntax.txt" for number in range(7)]
    refusal = refused(*PARADIGM, *seven, *sweep[:2], "--plot", "seven.svg")
    assert "room for 6 grammars, not 7: name those that it shows (--figure)" in refusal
    assert "no grammar 'nosuch'" in refused(*PARADIGM, *GRAMMARS, "--sweep", "p", "--figure=nosuch")
    assert "does nothing" in refused(*PARADIGM, *GRAMMARS, "--texts", "a,b")


def test_the_figures_of_the_paper_agree_with_each_other():
    """Percentages of Tables 3 to 5 as printed; types add up to the strict overlap."""
    gold = PAPER["ParaMetric Syntax"]
    assert gold.types is not None
    assert sum(gold.types) == gold.rules == 317_772
    msr = published_row("msr syntax")
    assert msr is not None
    assert msr.types is not None
    assert sum(msr.types) == msr.strict[0] == 21_197
    printed = {
        "LDC Hiero": ((1.8, 1.9), (20.6, 25.7)),  # the paper prints 25.8
        "Lit. Hiero": ((1.9, 1.7), (18.4, 22.3)),
        "MSR Hiero": ((3.2, 1.5), (29.4, 32.6)),
        "MSR Syntax": ((6.7, 9.5), (14.0, 17.2)),
        "PPDB-v0.2-xl": ((15.0, 46.3), (15.6, 27.0)),  # the paper prints 46.2
    }
    for name, tables in printed.items():
        for mine, whole, wanted in zip(
            (PAPER[name].strict, PAPER[name].loose), (gold.strict, gold.loose), tables, strict=True
        ):
            shares = [100 * one / all_ for one, all_ in zip(mine, whole, strict=True)]
            assert [round(one, 1) for one in shares] == list(wanted), name

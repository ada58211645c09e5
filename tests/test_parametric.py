"""ParaMetric's scores against the paper, the naive definitions, and other modules' arithmetic."""

from __future__ import annotations

import gzip
import json
import random
from dataclasses import asdict

import numpy as np
import pytest
from bench.parametric import figure_gold
from hypothesis import given
from hypothesis import strategies as st

from otherwords.build.bitext.gold import Gold, read_gold
from otherwords.errors import InputError, UsageError
from otherwords.stats.intervals import percentiles
from otherwords.stats.resampling import resample
from otherwords.study.parametric import (
    GroupResampling,
    ParaMetric,
    Paraphraser,
    ScoreKey,
    estimates,
    group_rows,
    phrase_pairs,
    read_alignments,
    read_paraphrases,
)
from otherwords.study.parametric.scorer import LINKS, values
from tests.oracles import parametric as oracle


def links(text):
    return frozenset(tuple(map(int, link.split("-"))) for link in text.split())


def figure_pairs(max_length=None):
    return [
        {
            (" ".join(one), " ".join(other))
            for one, other in phrase_pairs(row.source, row.target, row.sure, max_length)
        }
        for row in figure_gold()
    ]


def test_figure_1_gives_the_longer_paraphrases_that_the_paper_names():
    first, second, third = figure_pairs()
    phrase = "some want to impeach him"
    assert (phrase, "some people propose to impeach him") in first
    assert (phrase, "there are those who propose impeaching him") in second
    assert (phrase, "some are proposing an indictment against him") in third


def test_figure_1_gives_table_1():
    found = set().union(*figure_pairs())
    table = {
        "want": ["propose", "are proposing"],
        "to impeach": ["impeaching", "an indictment against"],
        "and": ["while"],
        "others": ["some", "those who"],
        "expect": ["want"],
        "step down": ["resign", "leave office voluntarily", "tender his resignation"],
    }
    assert all((one, other) in found for one, others in table.items() for other in others)


def test_figure_1_gives_about_as_many_pairs_as_the_paper_counts():
    """142 in the paper. The full stops and the comma, whose links are lost, make 43 more."""
    with_stops = sum(map(len, figure_pairs()))
    without = sum(
        len(phrase_pairs(row.source, row.target, row.sure)) for row in figure_gold(stops=False)
    )
    linked = sum(
        len(phrase_pairs(row.source, row.target, row.sure))
        for row in figure_gold(stops=False, comma=True)
    )
    assert 142 < linked < 142 * 1.1 < without < with_stops < 142 * 1.4
    # One link more in the first matrix gives the paper's count.
    row = figure_gold(stops=False, comma=True)[0]
    more = {*row.sure, (row.source.index("want"), row.target.index("people"))}
    before = len(phrase_pairs(row.source, row.target, row.sure))
    assert linked - before + len(phrase_pairs(row.source, row.target, more)) == 142


@pytest.mark.parametrize(
    ("right", "proposed", "precision", "recall"),
    [(156, 230, 0.68, 0.01), (399, 1213, 0.33, 0.03), (998, 6914, 0.14, 0.07)],
)
def test_golden_ratios(right, proposed, precision, recall):
    """§7.3: 14,078 gold paraphrases of up to five words. Only the sums are reported."""
    sums = np.zeros(6 * 5 + 4)
    sums[6 * 4 + 3 : 6 * 5] = right, proposed, 14078
    found = values(sums, 5)
    assert round(float(found[ScoreKey("lb-precision", 5)]), 2) == precision
    assert round(float(found[ScoreKey("rel-recall", 5)]), 2) == recall
    assert np.isnan(found[ScoreKey("align-precision", 5)])


def test_golden_ratios_of_a_whole_run():
    """The monolingual figures with a sentence for every gold pair, and lists for 230 of them."""
    gold = [
        Gold((f"a{n}",), (f"b{n}",), frozenset({(0, 0)}), frozenset({(0, 0)}))
        for n in range(14_078)
    ]
    lists = {f"a{n}": [f"b{n}" if n < 156 else "wrong"] for n in range(230)}
    found = ParaMetric(gold).score(Paraphraser("smt", paraphrases=lambda p, s: lists.get(p, [])))
    assert found.of(ScoreKey("lb-precision", 5)) == 156 / 230
    assert found.of(ScoreKey("rel-recall", 5)) == 156 / 14_078


def test_a_group_lists_the_paraphrases_of_all_its_sentences():
    scorer = ParaMetric(figure_gold())
    (group,) = scorer.groups
    found = {other for one, other in scorer.references(group) if one == ("to", "impeach")}
    assert ("impeaching",) in found
    assert ("an", "indictment", "against") in found
    assert (
        max(
            sum(one == phrase for one, _ in scorer.references(group))
            for phrase in [("want",), ("others",)]
        )
        <= 3
    )


WORDS = st.sampled_from(["a", "b", "c", "A"])


@st.composite
def gold_rows(draw):
    rows = []
    for _ in range(draw(st.integers(1, 5))):
        source, target = (draw(st.lists(WORDS, min_size=1, max_size=6)) for _ in range(2))
        place = st.tuples(st.integers(0, len(source) - 1), st.integers(0, len(target) - 1))
        every = [f"{i}-{j}" for i, j in draw(st.lists(place, max_size=7, unique=True))]
        cut = draw(st.integers(0, len(every)))
        row = {"source": source, "target": target, "sure": every[:cut], "possible": every[cut:]}
        row["group"] = draw(st.sampled_from([None, "g", "h"]))
        row["domain"] = draw(st.sampled_from(["news", "novels"]))
        row["found"] = draw(st.lists(place, max_size=7, unique=True))
        rows.append(row)
    for row in rows[1:]:  # groups of several rows are rare otherwise
        if row["group"] == rows[0]["group"] and draw(st.booleans()):
            row["source"] = rows[0]["source"]
            for name in ("sure", "possible"):
                row[name] = [x for x in row[name] if int(x.split("-")[0]) < len(row["source"])]
            row["found"] = [x for x in row["found"] if x[0] < len(row["source"])]
    return rows


def as_gold(rows):
    return [
        Gold(
            tuple(row["source"]),
            tuple(row["target"]),
            links(" ".join(row["sure"])),
            links(" ".join(row["sure"] + row["possible"])),
            row.get("group"),
            row.get("domain"),
        )
        for row in rows
    ]


@given(gold_rows(), st.integers(1, 6), st.booleans(), st.booleans())
def test_scores_are_those_of_the_naive_definitions(rows, longest, possible, case):
    def fold(words):
        return [word if case else word.lower() for word in words]

    drawn = random.Random(3)
    lists = {}

    def answers(phrase):
        """The same few phrases whenever it is asked."""
        many = range(drawn.randrange(3))
        return lists.setdefault(
            phrase,
            [" ".join(drawn.choice("abcA") for _ in range(drawn.randrange(1, 4))) for _ in many],
        )

    scorer = ParaMetric(as_gold(rows), max_length=longest, possible=possible, case=case)
    system = Paraphraser("random", [row["found"] for row in rows], lambda p, s: answers(p))
    found = scorer.score(system)
    folded = [{**row, "source": fold(row["source"]), "target": fold(row["target"])} for row in rows]
    if not case:  # sentences that differ in case alone are two groups, whatever is compared
        for row, as_given in zip(folded, rows, strict=True):
            row["group"] = None if row["group"] is None else (row["group"], *as_given["source"])
    for length in range(1, longest + 1):
        aligned = oracle.align_scores(
            folded, [row["found"] for row in rows], length, possible=possible
        )
        listed = oracle.list_scores(
            folded,
            lambda p, s: {tuple(fold(x.split())) for x in answers(" ".join(p))},
            length,
            possible=possible,
        )
        names = ("align-precision", "align-recall", "lb-precision", "rel-recall")
        for name, value in zip(names, (*aligned, *listed), strict=True):
            expected = None if value is None else float(value)
            assert found.of(ScoreKey(name, length)) == expected, (name, length)


@given(gold_rows(), st.booleans())
def test_links_are_judged_as_bitext_does(rows, possible):
    from otherwords.build.bitext.gold import agreement

    gold = as_gold(rows)
    found = ParaMetric(gold, possible=possible).score(
        Paraphraser("s", [row["found"] for row in rows])
    )
    expected = agreement([row["found"] for row in rows], gold)
    shown = [found.of(ScoreKey(name)) for name in LINKS]
    if expected.proposed and expected.sure:
        whole = [expected.precision, expected.recall, expected.f1, expected.aer]
        assert shown == pytest.approx(whole)
    else:
        assert shown[:2].count(None) == (not expected.proposed) + (not expected.sure)


def gold_as_system(scorer):
    """What the gold alignments know, as a paraphraser that looks at the sentence."""
    lists = {}
    for group in scorer.groups:
        for one, other in scorer.references(group):
            key = (" ".join(one), " ".join(group.sentence))
            lists.setdefault(key, set()).add(" ".join(other))
    links = [row.possible if scorer.possible else row.sure for row in scorer.gold]
    return Paraphraser("gold", links, lambda phrase, sentence: lists.get((phrase, sentence), ()))


def test_the_figure_scored_against_itself():
    scorer = ParaMetric(figure_gold())
    found = scorer.score(gold_as_system(scorer))
    perfect = {score: found.of(score) for score in found.scores}
    assert perfect.pop(ScoreKey("aer")) == 0
    assert set(perfect.values()) == {1.0}
    assert len(perfect) == 4 * 5 + 3


@pytest.mark.data
@pytest.mark.parametrize("possible", [False, True])
def test_the_gold_sets_scored_against_themselves(shared, possible):
    for name in ("edinburgh-train", "mtref-dev"):
        rows = read_gold(str(shared / "alignment" / f"{name}.jsonl.gz"))
        scorer = ParaMetric(rows, possible=possible)
        gold = Paraphraser("gold", [row.possible if possible else row.sure for row in rows])
        found = scorer.score(gold)
        scores = {score: found.of(score) for score in found.scores if score.name != "aer"}
        if possible:  # links that are only possible are no sure ones
            scores = {score: value for score, value in scores.items() if score.length}
        assert set(scores.values()) == {1.0}
        assert len(scores) == 10 + 3 * (not possible)


@pytest.mark.data
def test_groups_of_the_gold_sets(shared):
    edinburgh, mtref = (
        group_rows(read_gold(str(shared / "alignment" / f"{name}.jsonl.gz")))
        for name in ("edinburgh-train", "mtref-dev")
    )
    assert (len(edinburgh), len(mtref)) == (714, 1728)
    assert max(len(group.rows) for group in mtref) == 4


@pytest.mark.data
def test_giza_on_mtref(shared):
    """Near the people, and nearer in links than in phrase pairs."""
    rows = read_gold(str(shared / "alignment" / "mtref-dev.jsonl.gz"))[:300]
    with gzip.open(shared / "alignment" / "mtref-dev-giza.jsonl.gz", "rt") as lines:
        given = [
            json.loads(line)["alignments"]["giza"] for _, line in zip(rows, lines, strict=False)
        ]
    found = ParaMetric(rows).score(Paraphraser("giza", [links(" ".join(x)) for x in given]))
    assert 0.4 < found.of(ScoreKey("align-precision", 5)) < found.of(ScoreKey("link-precision")) < 1
    assert ScoreKey("lb-precision", 5) not in found.scores


def test_groups_that_share_a_name_are_drawn_together():
    rows = [
        Gold(("a",), ("b",), frozenset({(0, 0)}), frozenset({(0, 0)}), "1"),
        Gold(("c",), ("d",), frozenset({(0, 0)}), frozenset({(0, 0)}), "1"),
        Gold(("e",), ("f",), frozenset({(0, 0)}), frozenset({(0, 0)}), "2"),
        Gold(("g",), ("h",), frozenset({(0, 0)}), frozenset({(0, 0)})),
    ]
    scorer = ParaMetric(rows, max_length=1)
    right = [True, False, True, False]
    scored = scorer.score(Paraphraser("s", [[(0, 0)] if one else [] for one in right]))
    score = ScoreKey("align-recall", 1)
    how = GroupResampling(resamples=50, seed=4)
    around = estimates(scored, scorer.groups, how)[score]
    units = [(1, 2), (1, 1), (0, 1)]  # right and gold
    draws = [
        sum(units[u][0] for u in draw) / sum(units[u][1] for u in draw)
        for draw in resample(3, 50, 4)
    ]
    assert (around.low, around.high) == percentiles(np.array(draws), 0.95)


@pytest.mark.parametrize("test", ["bootstrap", "randomization"])
def test_paired_tests_are_those_of_the_significance_module(test):
    from otherwords.metrics.base import MeanMetric
    from otherwords.stats.significance import compare

    class Ratio(MeanMetric):
        """Right over gold: first column over last."""

        def __init__(self):
            pass

        def compute(self, segments, threads):
            raise AssertionError("there is no text to look at")

        def signature_parts(self):
            return {}

    rng = random.Random(5)
    rows = [Gold(("a",), ("b",), frozenset({(0, 0)}), frozenset({(0, 0)})) for _ in range(40)]
    scorer = ParaMetric(rows, max_length=1)
    one, other = (
        scorer.score(Paraphraser(name, [[(0, 0)] if rng.random() < rate else [] for _ in rows]))
        for name, rate in (("one", 0.8), ("other", 0.4))
    )
    how = GroupResampling(resamples=300, seed=1, test=test)
    found = estimates(one, scorer.groups, how, baseline=other)[ScoreKey("align-recall", 1)]
    columns = [0, 2]
    expected = compare(
        Ratio().corpus_scores,
        one.counts[:, columns],
        other.counts[:, columns],
        test=test,
        trials=300,
        seed=1,
    )
    assert {name: getattr(found, name) for name in asdict(expected)} == asdict(expected)
    again = estimates(other, scorer.groups, how, baseline=other)[ScoreKey("align-recall", 1)]
    assert again.p == 1


def test_a_single_group_has_no_interval():
    scorer = ParaMetric(figure_gold())
    found = estimates(
        scorer.score(gold_as_system(scorer)), scorer.groups, GroupResampling(resamples=5)
    )
    assert all(one.value is not None and one.low is None for one in found.values())


def test_nothing_proposed_has_no_precision():
    scorer = ParaMetric(figure_gold())
    found = scorer.score(Paraphraser("silent", [[], [], []], lambda p, s: []))
    assert found.of(ScoreKey("align-precision", 5)) is None
    assert found.of(ScoreKey("lb-precision", 5)) is None
    assert found.of(ScoreKey("align-recall", 5)) == found.of(ScoreKey("rel-recall", 5)) == 0
    assert found.of(ScoreKey("link-f1")) is None


def test_identical_and_empty_answers_are_no_paraphrases():
    scorer = ParaMetric(figure_gold())
    echo = scorer.score(Paraphraser("echo", paraphrases=lambda p, s: [p, p.upper(), "", " "]))
    assert echo.of(ScoreKey("lb-precision", 5)) is None


def test_a_callable_sees_the_sentence_as_it_is_written():
    seen = []
    rows = [Gold(("He", "Quit"), ("he", "left"), frozenset({(1, 1)}), frozenset({(1, 1)}))]

    def answer(phrase, sentence):
        seen.append((phrase, sentence))
        return ["Left"] if phrase == "quit" else []

    found = ParaMetric(rows).score(Paraphraser("mine", paraphrases=answer))
    assert set(seen) == {(p, "He Quit") for p in ("he", "quit", "he quit")}
    assert found.of(ScoreKey("lb-precision", 5)) == 1.0


@pytest.mark.parametrize("answer", ["resign", 3, None, [3], [None]])
def test_bad_answers_are_refused(answer):
    with pytest.raises(UsageError, match="mine gives"):
        ParaMetric(figure_gold()).score(Paraphraser("mine", paraphrases=lambda p, s: answer))


def test_bad_requests_are_refused():
    with pytest.raises(UsageError, match="neither"):
        Paraphraser("nothing")
    with pytest.raises(InputError, match="2 sentence pairs; 3"):
        ParaMetric(figure_gold()).score(Paraphraser("short", [[], []]))
    with pytest.raises(InputError, match="outside"):
        ParaMetric(figure_gold()).score(Paraphraser("wild", [[(0, 99)], [], []]))
    with pytest.raises(InputError, match="no gold"):
        ParaMetric([])
    for options in ({"max_length": 0}, {"max_length": 21}, {"possible": 1}, {"case": "no"}):
        with pytest.raises(UsageError):
            ParaMetric(figure_gold(), **options)
    for options in ({"resamples": 0}, {"confidence": 2}, {"seed": -1}, {"test": "t"}):
        with pytest.raises(UsageError):
            GroupResampling(**options)


def test_tables_are_limited_by_probability_and_to_known_phrases(tmp_path):
    table = tmp_path / "table.tsv"
    table.write_text(
        "Want\tpropose\t0.01\nwant\tlike\t0.0099\nother\tthing\t1\nwant\tPropose\t.5\n"
    )
    found = read_paraphrases(table, {"want"})
    assert found.lists == {"want": {"propose", "Propose"}}
    assert read_paraphrases(table, {"want"}, case=True).lists == {"want": {"Propose"}}
    assert "like" in read_paraphrases(table, {"want"}, min_probability=0).lists["want"]
    assert read_paraphrases(table, {"wanted"})("wanted", "") == ()


def test_alignments_are_read_beside_the_gold_file(tmp_path):
    path = tmp_path / "links"
    path.write_text("0-0 1-2\n\n0-0\n")
    assert read_alignments(str(path), figure_gold(), "gold") == [[(0, 0), (1, 2)], [], [(0, 0)]]
    path.write_text("0-0 1-99\n\n\n")
    with pytest.raises(InputError, match="1-99"):
        read_alignments(str(path), figure_gold(), "gold")
    spaced = [Gold(("New York", "is"), ("NY", "is"), frozenset(), frozenset())]
    path.write_text("2-1\n")
    with pytest.raises(InputError, match=":1: link 2-1"):
        read_alignments(str(path), spaced, "gold")


def test_gold_rows_tell_group_and_domain(tmp_path):
    path = tmp_path / "gold.jsonl"
    row = {"source": ["a"], "target": ["b"], "sure": ["0-0"], "possible": []}
    path.write_text("\n".join(json.dumps(row | more) for more in ({}, {"group": 7, "domain": "x"})))
    plain, named = read_gold(str(path))
    assert (plain.group, plain.domain, named.group, named.domain) == (None, None, "7", "x")
    assert named.swapped().group == "7"
    for bad in ({"group": []}, {"domain": {}}, {"group": "\ud800"}):
        path.write_text(json.dumps(row | bad))
        with pytest.raises(InputError, match="no row of gold"):
            read_gold(str(path))

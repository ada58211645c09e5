"""ParaEval's matching against the paper's figures and an oracle that tries everything."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import otherwords
from otherwords.metrics.paraeval import (
    ParaEvalF,
    ParaEvalPrecision,
    ParaEvalRecall,
    ParaEvalSummary,
)
from tests.oracles import paraeval as oracle
from tests.paraeval_inputs import (
    FIGURE_1,
    FIGURE_4,
    OTHERS,
    SET_OF_FIGURE_4,
    VOCABULARY,
    WORDS,
    cases,
    is_word,
    packed_pivots,
    pairs,
    random_relation,
    taken,
    text,
    write,
)

PLAIN = {"tokenizer": "none"}
EXACT = {**PLAIN, "matching": "exact"}  # the paper's is greedy
LEAST = st.sampled_from([0.0, 0.2, 0.4])  # no probability of the tables is near these
LENGTHS = st.sampled_from([1, 1, 2])
IDENTITY = st.sampled_from(["set", "set", "word"])


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    """Writes the table of a random relation; the last one is overwritten."""
    path = tmp_path_factory.mktemp("tables") / "table.owm"
    return lambda relation: write(path, relation)


@pytest.fixture
def figure_4(tmp_path):
    """The paraphrase set of Figure 4 as a TSV file."""
    pairs = [f"{a}\t{b}\n" for a in SET_OF_FIGURE_4 for b in SET_OF_FIGURE_4 if a != b]
    path = tmp_path / "set.tsv"
    path.write_text("".join(pairs), encoding="utf-8")
    return path


@pytest.fixture
def figure_4_pivots(tmp_path):
    """The same set as the phrases that share a translation (§3.2); words are stems."""
    rows = {phrase: {"baozha": (1.0, 0.25)} for phrase in ("blown up", "bomb", "explos")}
    path = tmp_path / "pivots.owm"
    otherwords.models.paraphrase_model.write(path, {"zh": packed_pivots(rows)}, None, {})
    return path


# --- the paper's figures


@pytest.mark.parametrize("stop", [True, False])
def test_figure_1(stop):
    hypothesis, references = FIGURE_1
    if not stop:
        hypothesis, references = hypothesis.rstrip("."), [one.rstrip(".") for one in references]
    for name in ("none", "paraphrase"):
        result = otherwords.score("paraeval-p", [hypothesis], [references], model=name)
        assert result.corpus == result.segments[0] == 2 / 7


def test_figure_4(figure_4):
    hypothesis, references = FIGURE_4
    result = otherwords.score("paraeval-p", [hypothesis], [references], model=figure_4)
    assert result.corpus == result.segments[0] == 4 / 5
    bare = otherwords.score("paraeval-p", [hypothesis], [references], model="none")
    assert bare.corpus == 2 / 5
    # The set of `blown up` and of `bombing` is matched twice, as often as in the first reference.
    again = "blown up blown up blown up"
    result = otherwords.score("paraeval-p", [again], [references], model=figure_4)
    assert result.corpus == 4 / 6


def test_figure_4_with_pivots(figure_4_pivots):
    hypothesis, references = FIGURE_4
    options = {"model": figure_4_pivots, "min_probability": 0.25}
    result = otherwords.score("paraeval-p", [hypothesis], [references], **options)
    assert result.corpus == 4 / 5
    kinds = sorted(span.kind for spans in result.explain(0).matches for span in spans)
    # `bombing` may be matched as itself, or leave that to no one.
    assert kinds in (
        ["one-word paraphrase (zh: baozha)", "paraphrase (zh: baozha)", "word"],
        ["paraphrase (zh: baozha)", "word", "word"],
    )
    # All the phrases are one set here: three references' phrases do not make it three.
    many = [*references, "explosion", "an explosion"]
    three = "blown up blown up blown up"
    result = otherwords.score("paraeval-p", [three], [many], **options)
    assert result.corpus == 4 / 6
    bare = {**options, "min_probability": 0.26}
    assert otherwords.score("paraeval-p", [hypothesis], [references], **bare).corpus == 2 / 5


def test_figure_4_on_the_command_line(ok, tmp_path, figure_4):
    hypothesis, references = FIGURE_4
    files = []
    for number, line in enumerate([hypothesis, *references]):
        files.append(tmp_path / f"{number}.txt")
        files[-1].write_text(line + "\n", encoding="utf-8")
    mine, *theirs = files
    command = ["score", mine, "-r", theirs[0], "-r", theirs[1], "-m", "paraeval-p", "-f", "tsv"]
    for value, name in (("0.8", figure_4), ("0.4", "none")):
        out = ok(*command, "--set", f"model={name}")
        assert value in [cell.rstrip("0") for cell in out.split()]


# --- the best choice of matches


@settings(max_examples=180)
@given(cases(), LEAST, LENGTHS, IDENTITY)
def test_precision_is_the_best_there_is(table, case, least, length, identity):
    hypothesis, references, relation = case
    options = {"min_length": length, "identity": identity}
    problem = oracle.Problem(hypothesis, references, relation, is_word, least=least, **options)
    options |= {"model": table(relation), "min_probability": least, **EXACT}
    metric = ParaEvalPrecision(**options)
    texts = text(hypothesis), list(map(text, references))
    row = metric.statistics([texts[0]], [texts[1]])[0]
    shortest = min(sum(map(is_word, one)) for one in references)
    best = oracle.solve(problem)
    assert row.tolist() == [best, problem.total, shortest, 1, 1]
    found = taken(metric.explain(*texts), problem)
    assert oracle.is_feasible(problem, found)
    assert sum(map(problem.value, found)) == best


@settings(max_examples=70)
@given(cases(), LEAST, LENGTHS)
def test_recall_is_the_best_there_is(table, case, least, length):
    hypothesis, references, relation = case
    options = {"model": table(relation), "min_probability": least, "min_length": length, **EXACT}
    texts = text(hypothesis), list(map(text, references))
    reported = ParaEvalRecall(**options).explain(*texts)
    for place, reference in enumerate(references):
        problem = oracle.Problem(
            reference, [hypothesis], relation, is_word, least=least, min_length=length
        )
        metric = ParaEvalRecall(recall=place + 1, **options)
        row = metric.statistics([texts[0]], [texts[1]])[0]
        best = oracle.solve(problem)
        assert row.tolist() == [best, problem.total, sum(map(is_word, hypothesis)), 1, 1]
        found = taken(reported, problem, recall=place)
        assert oracle.is_feasible(problem, found)
        assert sum(map(problem.value, found)) == best


@settings(max_examples=40)
@given(st.integers(0, 2**32), st.sampled_from([0.0, 0.3]), IDENTITY)
def test_longer_texts_equal_an_integer_program(table, seed, power, identity):
    """Up to 16 words and dozens of paraphrases, where trying everything takes too long."""
    draw = Random(seed)
    hypothesis, *references = (
        draw.choices(VOCABULARY, k=draw.randint(6, 16)) for _ in range(draw.randint(2, 4))
    )
    relation = random_relation(draw, [hypothesis, *references])
    unit = 64 if power else 1
    options = {"power": power, "identity": identity}
    problem = oracle.Problem(
        hypothesis, references, relation, lambda word: unit * is_word(word), **options
    )
    options |= {"model": table(relation), "min_probability": 0, **PLAIN}
    metric = ParaEvalF(idf=0, **options)
    row = metric.statistics([text(hypothesis)], [list(map(text, references))])[0]
    best = oracle.milp(problem)
    assert row[0] * unit <= best
    if row[6]:
        assert row[0] * unit == best


POWERS = st.sampled_from([0.0, 0.3, 1.0, 2.5])


@settings(max_examples=70)
@given(cases(), POWERS, st.sampled_from([0.0, 0.0, 0.5]), IDENTITY)
def test_weighted_is_the_best_there_is(table, case, power, idf, identity):
    hypothesis, references, relation = case
    options = {"power": power, "identity": identity}
    metric = ParaEvalF(
        model=table(relation), idf=idf, min_probability=0, recall=1, **options, **PLAIN
    )
    unit = 64 if power or idf else 1
    weights = {word: round(unit * metric.statistics([word], [""])[0, 1]) for word in VOCABULARY}
    assert weights["a"] == unit or idf
    mine = oracle.Problem(hypothesis, references, relation, weights.get, **options)
    theirs = oracle.Problem(references[0], [hypothesis], relation, weights.get, **options)
    texts = text(hypothesis), list(map(text, references))
    row = metric.statistics([texts[0]], [texts[1]])[0] * unit
    assert row[:2].tolist() == [oracle.solve(mine), mine.total]
    assert row[3:5].tolist() == [oracle.solve(theirs), theirs.total]
    found = taken(metric.explain(*texts), mine)
    assert oracle.is_feasible(mine, found)
    assert sum(map(mine.value, found)) == row[0]


def test_weights_of_words():
    """-log10 of a word's share of the words that the embedded pivots were made from (§7)."""
    pivots = otherwords.models.paraphrase_model.ParaphraseModel.load().pivots.values()
    assert len(pivots) == 4
    metric = ParaEvalF(idf=1, power=0)
    for word, stem in (("the", "the"), ("parliament", "parliament"), ("dogs", "dog")):
        share = sum(one.count(stem) / one.total_of_length(1) for one in pivots) / 4
        assert 0 < share < 0.1
        weight = metric.statistics([word], [word])[0, 1]
        assert 10**-weight == pytest.approx(share, rel=0.03)  # a 64th
    assert metric.statistics(["zxqv"], [""])[0, 1] == 7
    assert metric.statistics(["zxqv ."], [""])[0, 1] == 7


@settings(max_examples=80)
@given(cases(references=1), st.booleans())
def test_summaries_take_tier_after_tier(table, case, punctuation):
    """Which of several best choices a tier makes is open; the next does the best it leaves."""
    hypothesis, (reference,), relation = case

    def weigh(word):
        return 1 if punctuation else is_word(word)

    metric = ParaEvalSummary(
        model=table(relation), min_probability=0, punctuation=punctuation, **PLAIN
    )
    problem = oracle.Problem(reference, [hypothesis], relation, weigh, same=True)
    found = taken(metric.explain(text(hypothesis), [text(reference)]), problem, recall=0)
    assert oracle.is_feasible(problem, found)
    for tier in (1, 2, 3):
        before = [match for match in found if problem.tier(match) < tier]
        mine = [match for match in found if problem.tier(match) == tier]
        assert sum(map(problem.value, mine)) == oracle.solve(problem, (tier,), before)
    row = metric.statistics([text(hypothesis)], [text(reference)])[0]
    assert row[:2].tolist() == [sum(map(problem.value, found)), problem.total]


def test_summaries_prefer_several_words_at_any_cost(tmp_path):
    table = write(tmp_path / "table.owm", oracle.Pairs({("a b", "c"): 1.0, ("d", "c a"): 1.0}))
    # `d` with `c a` leaves nothing for the words a and b; without tiers they count.
    assert otherwords.score("paraeval-summary", ["c a"], ["a d b"], model=table).corpus == 1 / 3
    assert otherwords.score("paraeval-summary", ["c a b"], ["a d b"], model=table).corpus == 2 / 3
    assert ParaEvalRecall(model=table, **EXACT).score_one("c a b", "a d b") == 2 / 3
    assert ParaEvalRecall(model=table, **EXACT).score_one("c a a", "a d b") == 2 / 3


def test_a_copy_of_a_summary_is_perfect(tmp_path):
    """Though its words can be matched across each other as paraphrases."""
    table = write(tmp_path / "table.owm", oracle.Pairs({("b c d a", "a b c d"): 1.0}))
    copy = "a b c d a , b"
    assert otherwords.score("paraeval-summary", [copy], [copy], model=table).corpus == 1


# --- greedy


@settings(max_examples=90)
@given(cases([pairs]), LEAST, LENGTHS)
def test_greedy_takes_the_longest_first(table, case, least, length):
    hypothesis, references, relation = case
    references = sorted(references, key=" ".join)
    options = {"model": table(relation), "min_probability": least, "min_length": length, **PLAIN}
    settings = {"least": least, "min_length": length}
    problem = oracle.Problem(hypothesis, references, relation, is_word, **settings)
    metric = ParaEvalPrecision(matching="greedy", **options)
    texts = text(hypothesis), list(map(text, references))
    matched = metric.statistics([texts[0]], [texts[1]])[0, 0]
    assert matched == oracle.greedy(problem)
    assert matched == metric.statistics([texts[0]], [texts[1][::-1]])[0, 0]
    # What is left of a set's words has the clip of the words alone.
    loose = oracle.Problem(hypothesis, references, relation, is_word, **settings, identity="word")
    found = taken(metric.explain(*texts), loose)
    assert oracle.is_feasible(loose, found)
    assert sum(map(loose.value, found)) == matched
    tiered = ParaEvalSummary(matching="greedy", **options)
    problem = oracle.Problem(
        references[0], [hypothesis], relation, is_word, least=least, min_length=length, same=True
    )
    matched = tiered.statistics([texts[0]], [texts[1][0]])[0, 0]
    assert matched == oracle.greedy(problem, ((1,), (2,), (3,)))


@settings(max_examples=50)
@given(cases())
def test_greedy_is_never_above_exact(table, case):
    hypothesis, references, relation = case
    path = table(relation)
    texts = [text(hypothesis)], [list(map(text, references))]
    problem = oracle.Problem(hypothesis, references, relation, is_word, identity="word")
    for name in ("paraeval-p", "paraeval-r"):
        exact, greedy = (
            otherwords.metric(name, model=path, min_probability=0, **options, **PLAIN)
            for options in ({"matching": "exact", "identity": "word"}, {"matching": "greedy"})
        )
        assert greedy.statistics(*texts)[0, 0] <= exact.statistics(*texts)[0, 0]
    precise = ParaEvalPrecision(model=path, min_probability=0, matching="greedy", **PLAIN)
    found = taken(precise.explain(texts[0][0], texts[1][0]), problem)
    assert oracle.is_feasible(problem, found)


def test_greedy_is_not_exact(tmp_path):
    table = write(tmp_path / "table.owm", oracle.Pairs({("a b", "c d"): 1.0, ("e", "d"): 1.0}))
    scores = {
        matching: otherwords.score(
            "paraeval-p", ["c a b e"], ["c d a"], model=table, matching=matching
        ).corpus
        for matching in ("exact", "greedy")
    }
    # The longest phrase takes what c and e are matched with, and is in the way of a.
    assert scores == {"exact": 3 / 4, "greedy": 2 / 4}


# --- what must hold of any text


@settings(max_examples=70)
@given(cases(), st.lists(st.tuples(WORDS, OTHERS), max_size=2), LEAST)
def test_another_reference_never_lowers_precision(table, case, more, least):
    hypothesis, references, relation = case
    segments = [(hypothesis, references), *more]
    hypotheses = [text(mine) for mine, _ in segments]
    many = [list(map(text, several)) for _, several in segments]
    metric = ParaEvalPrecision(model=table(relation), min_probability=least, **EXACT)
    rows = [
        metric.statistics(hypotheses, [several[:number] for several in many])
        for number in (1, 2, 3)
    ]
    for few, more_rows in pairwise(rows):
        assert (few[:, 0] <= more_rows[:, 0]).all()
        if few[:, 1].all():  # an empty hypothesis is right about an empty reference
            assert (metric.segment_scores(few) <= metric.segment_scores(more_rows)).all()
        if few[:, 1].any():
            assert metric.aggregate(few) <= metric.aggregate(more_rows)
    turned = metric.statistics(hypotheses, [several[::-1] for several in many])
    assert turned.tolist() == rows[-1].tolist()


@settings(max_examples=60)
@given(st.lists(st.tuples(WORDS, OTHERS), min_size=1, max_size=4), st.booleans())
def test_without_paraphrases_it_is_mup(segments, punctuation):
    hypotheses = [text(hypothesis) for hypothesis, _ in segments]
    references = [list(map(text, several)) for _, several in segments]
    paraeval = otherwords.metric("paraeval-p", model="none", punctuation=punctuation)
    mup = otherwords.metric("mup", punctuation=punctuation)
    mine, theirs = (each.statistics(hypotheses, references) for each in (paraeval, mup))
    lengths = [[sum(map(is_word, one)) for one in several] for _, several in segments]
    if punctuation:
        lengths = [list(map(len, several)) for _, several in segments]
    # An empty hypothesis has no precision; MUP asks the closest reference, we the shortest.
    assert paraeval.segment_scores(mine).tolist() == mup.segment_scores(theirs).tolist()
    if mine[:, 1].any() or not any(map(min, lengths)):
        assert paraeval.aggregate(mine) == mup.aggregate(theirs)


@settings(max_examples=25)
@given(cases(), st.lists(st.tuples(WORDS, OTHERS), max_size=2), st.integers(2, 5))
def test_threads_and_neighbours_change_nothing(table, case, more, threads):
    hypothesis, references, relation = case
    metric = ParaEvalF(model=table(relation), min_probability=0, **PLAIN)
    segments = [(hypothesis, references), *more] * 17
    hypotheses = [text(mine) for mine, _ in segments]
    several = [list(map(text, theirs)) for _, theirs in segments]
    one = metric.statistics(hypotheses, several)
    assert one.tobytes() == metric.statistics(hypotheses, several, threads=threads).tobytes()
    alone = metric.statistics(hypotheses[:1], several[:1])
    assert one[0].tolist() == one[len(more) + 1].tolist() == alone[0].tolist()


def test_all_phrases_that_share_a_translation_count(tmp_path):
    """§3.2: with any probability; bank -> 岸 .01 shares it with shore -> 岸 .02."""
    rows = {"bank": {"银行": (0.99, 1.0), "岸": (0.01, 1.0)}}
    rows |= {"shore": {"海滩": (0.98, 1.0), "岸": (0.02, 1.0)}}
    path = tmp_path / "zh.owm"
    otherwords.models.paraphrase_model.write(path, {"zh": packed_pivots(rows)}, None, {})
    assert ParaEvalPrecision(model=path).score_one("the bank", "the shore") == 1.0
    assert (
        ParaEvalPrecision(model=path, min_probability=0.1).score_one("the bank", "the shore") == 0.5
    )

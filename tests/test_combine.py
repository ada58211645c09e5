"""The learned combination: its statistics, its regressions, the metric `otherwords-mt`."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tools import train_combine

import otherwords
from otherwords import ModelError, UsageError, _native
from otherwords.errors import LanguageError
from otherwords.metrics.mt import Ceiling, Combination
from otherwords.metrics.mt_statistics import (
    FAMILIES,
    BothSides,
    check_families,
    columns_of,
    resources,
)
from otherwords.models import container
from otherwords.models.container import find
from otherwords.study.training.combine import Data, TrainingPool, fit
from tests.oracles import combine as oracle
from tests.oracles.word_order import link, order_of

SENTENCE = "The minister said on Monday that 3 ships had not left the harbour because of the storm."
WORSE = [
    SENTENCE.replace("storm", "ghost"),
    SENTENCE.replace("had not left", "had left"),
    SENTENCE.replace("3 ships", "7 ships"),
    "The minister said on Monday that 3 ships had not left.",
    "storm ships left said minister Monday the that had of because 3 the not the harbour on.",
    "Prices of potatoes rose again in May.",
    "The",
]
PARAPHRASE = (
    "On Monday the minister stated that three ships had not departed from the port "
    "because of a storm."
)


def otherwords_mt(hypothesis, references, **options):
    return otherwords.metric("otherwords-mt", **options).score_one(hypothesis, references)


words = st.lists(st.sampled_from("a b c d e".split()), max_size=9)
many = st.lists(st.sampled_from("a b c d e f g h i j".split()), max_size=150)


@given(words, words)
def test_ngrams_are_the_naive_ones(left, right):
    columns = columns_of(BothSides([" ".join(left)], [" ".join(right)]), ["words", "characters"])
    for family, sides in (
        ("words", (left, right)),
        ("characters", ("".join(left), "".join(right))),
    ):
        for order in (1, 2, 3, 4):
            found = [columns[f"{family}/{order}-{what}"][0] for what in ("precision", "recall")]
            assert found == pytest.approx(oracle.overlap(*sides, order))


@given(st.one_of(words, many), st.one_of(words, many))
def test_order_is_the_naive_one(left, right):
    numbers = {word: number for number, word in enumerate(dict.fromkeys(left + right))}
    tokens = np.array([numbers[word] for word in left + right], np.uint32)
    bounds = np.array([0, len(left), len(left) + len(right)])
    both = np.array([0]), np.array([1])
    *found, common = _native.word_order(tokens, bounds, len(numbers), *both, 1)
    assert common == oracle.longest_common(left, right)
    assert tuple(found) == order_of(left, right)
    links = link(left, right)
    assert len({i for i, _ in links}) == len({j for _, j in links}) == len(links)
    assert all(left[i] == right[j] for i, j in links)
    common = sum(min(left.count(word), right.count(word)) for word in set(left))
    assert len(links) == common
    if links:
        breaks, kendall, _, chunks = order_of(left, right)
        assert chunks * len(right) == pytest.approx(oracle.chunks(links))
        assert kendall == pytest.approx(oracle.kendall([j for _, j in links]))
        assert 0 <= breaks <= 1


@settings(max_examples=25, deadline=None)
@given(st.lists(st.text(max_size=30), min_size=2, max_size=4))
def test_statistics_of_any_text_are_numbers(texts):
    columns = columns_of(BothSides(texts, texts[::-1]), list(FAMILIES))
    assert all(np.isfinite(values).all() for values in columns.values())
    assert all(values.shape == (len(texts),) for values in columns.values())


def test_classes_of_words_are_reported_apart():
    left, right = "He did not pay 30 euros in Zürich", "He did pay 20 euros in Bern"
    columns = columns_of(BothSides([left], [right]), ["classes"])
    found = {name.split("/")[1]: float(values[0]) for name, values in columns.items()}
    assert found["number-precision"] == found["number-recall"] == 0.0
    assert found["number-difference"] == pytest.approx(np.log(3))  # 30 and 20
    assert found["negation-difference"] == 1.0
    assert found["foreign-added"] == pytest.approx(np.log(2))  # Zürich
    assert found["function-recall"] == 1.0  # he did in


def test_a_metric_is_a_family():
    columns = columns_of(BothSides(["a cat sat"], ["the cat sat"]), ["chrf", "ter"])
    assert list(columns) == ["chrf/score", "ter/score"]
    assert (
        columns["chrf/score"][0] == otherwords.score("chrf", ["a cat sat"], ["the cat sat"]).corpus
    )
    for wrong in (["wrds"], [], ["words", "words"], ["otherwords-mt"]):
        with pytest.raises(UsageError):
            check_families(wrong)


def test_a_copy_is_best_and_nothing_is_worst():
    assert otherwords_mt(SENTENCE, SENTENCE) == 1.0
    assert otherwords_mt("", "") == 1.0
    assert otherwords_mt("", SENTENCE) == otherwords_mt(" \t", SENTENCE) == 0.0
    spread = "The company had  not left THE CITY in 1999 . "  # case is folded, as everywhere
    assert otherwords_mt(spread, "The company had not left the city in 1999 .") == 1.0
    assert otherwords_mt(spread, "The company had not left the city in 1999 .", case=True) < 1.0
    scores = otherwords.score("otherwords-mt", WORSE, [SENTENCE] * len(WORSE)).segments
    assert (scores < 1).all()
    assert (scores[:5] > scores[5]).all()  # what says something of it above what does not
    assert scores[5] < 0.35
    assert scores[6] < 0.35


def test_the_more_words_are_wrong_the_lower():
    reference = SENTENCE.rstrip(".").split()
    wrong = "potato guitar purple seventeen giraffe kettle".split()
    hypotheses = []
    for number in range(len(wrong) + 1):
        changed = [*wrong[:number], *reference[number:]]
        hypotheses.append(" ".join(changed) + ".")
    result = otherwords.score("otherwords-mt", hypotheses, [SENTENCE] * len(hypotheses))
    explained = [result.explain(place) for place in range(len(hypotheses))]
    falls = np.diff([one.details["without findings"] for one in explained])
    assert (falls[:5] < 0).all()
    assert falls[5] < 0.02  # nearly all words are wrong: the learnt regression is flat there
    assert (result.segments[1:] < 1).all()
    assert result.segments[-1] < result.segments[-3] < result.segments[-4]


def test_the_best_reference_counts():
    hypothesis = WORSE[0]
    alone = [otherwords_mt(hypothesis, [text]) for text in (SENTENCE, WORSE[5])]
    assert otherwords_mt(hypothesis, [WORSE[5], SENTENCE]) == max(alone)


def test_threads_and_company_do_not_matter():
    hypotheses, references = WORSE * 5, [SENTENCE] * (5 * len(WORSE))
    one = otherwords.score("otherwords-mt", hypotheses, references, threads=1)
    three = otherwords.score("otherwords-mt", hypotheses, references, threads=3)
    assert one.segments.tolist() == three.segments.tolist()
    assert one.segments[: len(WORSE)].tolist() == [otherwords_mt(text, SENTENCE) for text in WORSE]


def test_explanation_shows_what_agrees_and_what_differs():
    result = otherwords.score("otherwords-mt", [WORSE[2]], [SENTENCE])
    explained = result.explain(0)
    assert explained.score == result.segments[0]
    assert explained.score < explained.details["without findings"]
    assert explained.details["certainty of an error"] == 1.0
    [[finding]] = explained.details["findings"]
    assert (finding["kind"], finding["verdict"]) == ("number", "contradicted")
    found = [
        (span.verdict, span.hypothesis_text, span.reference_text) for span in explained.matches[0]
    ]
    assert found == [
        ("contradicted", "7", "3"),
        ("same", *2 * ["The minister said on Monday that"]),
        ("same", *2 * ["ships had not left the harbour because of the storm."]),
    ]
    for reference, hypothesis in ((SENTENCE, WORSE[2]), ("a b c", "c a b"), ("", "a")):
        [spans] = otherwords.score("otherwords-mt", [hypothesis], [reference]).explain(0).matches
        for span in spans:
            assert hypothesis[slice(*span.hypothesis)] == span.hypothesis_text
            assert reference[slice(*span.reference)] == span.reference_text


def test_findings_are_a_ceiling():
    ceiling = Ceiling(0.5, 0.8)
    raw = np.array([2.0, 1.0, 0.5, -3.0])
    assert ceiling.apply(raw, np.zeros(4)).tolist() == raw.tolist()
    assert ceiling.apply(raw, np.ones(4)) == pytest.approx([0.8, 0.6, 0.5, -3.0])
    scores = otherwords.score("otherwords-mt", [*WORSE[1:3], PARAPHRASE], [SENTENCE] * 3).segments
    assert (scores[2] > scores[:2]).all()  # the same in other words above other facts


def test_strict_puts_errors_below_one_half():
    hypotheses = [*WORSE, PARAPHRASE]
    references = [SENTENCE] * len(hypotheses)
    plain = otherwords.score("otherwords-mt", hypotheses, references)
    strict = otherwords.score("otherwords-mt", hypotheses, references, strict=True)
    assert "strict:yes" in strict.signature
    assert "strict" not in plain.signature
    wrong = np.array([text in WORSE[1:3] for text in hypotheses])
    assert (strict.segments[wrong] < 0.5).all()
    assert strict.segments[-1] >= 0.5
    assert otherwords_mt(SENTENCE, SENTENCE, strict=True) == 1.0
    assert otherwords_mt("", SENTENCE, strict=True) == 0.0


def test_the_embedded_one_is_of_the_embedded_models():
    combination = Combination.load("otherwords-mt")
    assert combination.provenance["resources"] == resources(combination.families)
    assert set(combination.families) <= set(FAMILIES)


def domains(seed, width=4, sizes=(30, 50)):
    generator = np.random.default_rng(seed)
    truth = generator.normal(size=width)
    found = []
    for size in sizes:
        rows = generator.normal(size=(size, width)) * 2 + generator.normal(size=width)
        found.append((rows, rows @ truth + generator.normal(size=size)))
    return found


@pytest.mark.parametrize("penalty", [0.03, 1.0])
def test_ridge_is_the_naive_one(penalty):
    made = domains(0)
    pool = TrainingPool([Data(rows, people, np.ones(len(rows))) for rows, people in made])
    fitted = fit(pool, penalty)
    center, scale, weights = oracle.ridge(made, penalty)
    assert np.allclose(fitted.center, center)
    assert np.allclose(fitted.scale, scale)
    assert np.allclose(fitted.weights, weights, atol=1e-5)


def test_the_order_of_sums_leaves_no_trace():
    """Threads add up in another order; what is learnt, and its file, must be the same."""
    made = [Data(rows, people, np.ones(len(rows))) for rows, people in domains(5, width=40)]
    turned = [Data(*(side[::-1].copy() for side in data)) for data in made]
    one, other = (fit(TrainingPool(side), 0.1) for side in (made, turned))
    assert one.center.tolist() == other.center.tolist()
    assert one.scale.tolist() == other.scale.tolist()
    assert one.weights.tolist() == other.weights.tolist()


def test_a_domain_of_many_weighs_as_much_as_one_of_few():
    (rows, people), (others, said) = domains(1)
    once = TrainingPool([Data(rows, people, np.ones(30)), Data(others, said, np.ones(50))])
    thrice = TrainingPool(
        [
            Data(np.tile(rows, (3, 1)), np.tile(people, 3), np.ones(90)),
            Data(others, said, np.ones(50)),
        ]
    )
    weights = [fit(pool, 0.1).weights for pool in (once, thrice)]
    assert np.allclose(*weights)


def test_preferences_pull_towards_the_better():
    rows = np.random.default_rng(2).normal(size=(40, 2))
    people = rows[:, 0]
    better = np.tile([0.0, 1.0], (10, 1))
    pool = TrainingPool([Data(rows, people, np.ones(40))])
    alone, pulled = (
        fit(pool, 0.1),
        train_combine.fit(pool, 0.1, [train_combine.Differences.of(better)]),
    )
    assert pulled.weights[1] > alone.weights[1] + 0.1


def test_what_may_only_lower_a_score_does_not_raise_it():
    generator = np.random.default_rng(6)
    rows = generator.normal(size=(200, 3))
    people = rows @ [1.0, 0.5, -0.5] + generator.normal(size=200)
    pool = TrainingPool([Data(rows, people, np.ones(200))])
    bounded = np.array([False, True, True])
    free, held = fit(pool, 0.1), train_combine.fit(pool, 0.1, lowering=bounded)
    assert free.weights[1] > 0.3
    assert held.weights[1] == 0
    assert held.weights[2] < -0.3
    without = TrainingPool([Data(rows[:, [0, 2]], people, np.ones(200))])
    assert held.weights[[0, 2]] == pytest.approx(fit(without, 0.1).weights)


def test_findings_lower_scores_of_the_embedded_one():
    combination = Combination.load("otherwords-mt")
    weights = dict(zip(combination.statistics, combination.weights, strict=True))
    for name in ("contradicted", "missing", "added", "decisive", "strong", "weak"):
        assert weights[f"findings/{name}"] <= 0
    assert combination.ceiling.strength > 0


def test_a_saved_combination_gives_the_same_scores(tmp_path):
    made = [Data(rows, people, np.ones(len(rows))) for rows, people in domains(3, width=97)]
    names = tuple(columns_of(BothSides(["a"], ["a"]), ["words"]))
    made = [one._replace(rows=one.rows[:, : len(names)]) for one in made]
    fitted = fit(TrainingPool(made), 0.1)
    combination = Combination(
        names,
        ("words",),
        fitted.center,
        fitted.scale,
        np.array([-1.0, 1.0]),
        fitted.weights,
        {"resources": resources(("words",))},
    )
    path = tmp_path / "my.owm"
    combination.save(path)
    loaded = Combination.load(path)
    assert loaded.scores(made[0].rows).tolist() == combination.scores(made[0].rows).tolist()
    result = otherwords.score("combine", WORSE, [SENTENCE] * len(WORSE), model=str(path))
    assert np.isfinite(result.segments).all()


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("scale", lambda array: array * 0),
        ("center", lambda array: array[1:]),
        ("ends", lambda array: array[::-1]),
        ("ceiling", lambda array: array[:1]),
        ("ceiling", lambda array: array + 1),
        ("weights", lambda array: array[1:]),
        ("weights", lambda array: array * np.float32(np.inf)),
    ],
)
@pytest.mark.filterwarnings("ignore:invalid value")
def test_damaged_numbers_are_refused(name, change, tmp_path):
    model = container.read(find("otherwords-mt"))
    arrays = dict(model.arrays) | {name: np.ascontiguousarray(change(model.arrays[name]))}
    container.write(tmp_path / "bad.owm", "combination", arrays, model.provenance)
    with pytest.raises(ModelError, match="damaged"):
        Combination.load(tmp_path / "bad.owm")


@pytest.mark.parametrize("against", ["target", 7, None, ["source"]])
def test_what_it_was_trained_against_is_checked(against, tmp_path):
    sound = container.read(find("otherwords-mt"))
    provenance = {**sound.provenance, "against": against}
    container.write(tmp_path / "other.owm", sound.kind, sound.arrays, provenance)
    with pytest.raises(ModelError, match=r"other\.owm: the combination is damaged"):
        Combination.load(tmp_path / "other.owm")


def test_a_combination_without_findings_cannot_be_strict(tmp_path):
    path = tmp_path / "my.owm"
    names = tuple(columns_of(BothSides(["a"], ["a"]), ["words"]))
    numbers = np.zeros(len(names)), np.ones(len(names)), np.array([-1.0, 1.0])
    ones = np.ones(len(names))
    Combination(names, ("words",), *numbers, ones, {"resources": resources(("words",))}).save(path)
    with pytest.raises(UsageError, match="strict needs"):
        otherwords.score("combine", ["a"], ["b"], model=str(path), strict=True)


def test_other_models_are_refused(tmp_path):
    model = container.read(find("otherwords-mt"))
    other = {**model.provenance, "resources": {"paraphrase": "other"}}
    container.write(tmp_path / "other.owm", "combination", model.arrays, other)
    with pytest.raises(UsageError, match="train it again"):
        otherwords.score("combine", ["a"], ["b"], model=str(tmp_path / "other.owm"))
    with pytest.raises(
        ModelError, match=re.escape("otherwords-rewrite model; a combination model is needed")
    ):
        Combination.load("otherwords-rewrite")


def test_combinations_of_english_statistics_ask_for_english():
    text = ["Das ist ein schöner Tag, und wir gehen heute nicht zur Arbeit."] * 20
    with pytest.raises(LanguageError):
        otherwords.score("combine", text, text, model="otherwords-mt")

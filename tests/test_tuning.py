"""PRO: tuning raises the metric, continues after a kill, and scores what it must."""

from __future__ import annotations

import random

import pytest

from otherwords.build.generation import Decoder, Pro, tune
from otherwords.build.generation.tuning import Goal, Lists
from otherwords.build.lm import estimate

WORDS = "a b c d".split()


@pytest.fixture(scope="module")
def lm():
    rng = random.Random(3)
    text = [" ".join(rng.choices([*WORDS, "x", "y"], k=rng.randint(2, 6))) for _ in range(60)]
    return estimate(text, order=3, tokenizer="none")


def test_tuning_scores_the_same_words_once(monkeypatch):
    goal = Goal("bleu", ["a b", "a b"], [["a c"], ["a b"]], 1)
    lists = Lists(["p"], 2)
    asked = []
    plain = goal._result
    monkeypatch.setattr(goal, "_result", lambda *given: asked.append(given) or plain(*given))
    for number, texts in enumerate((["a c", "a c", "a b"], ["a b", "c"])):
        for place, text in enumerate(texts):
            for sentence in (0, 1):
                lists.add(sentence, text, {"p": float(10 * number + place)})
        goal.fill(lists, [0, 1])
    assert asked == [(["a c", "a b", "a c", "a b"], [0, 0, 1, 1]), (["c", "c"], [0, 1])]
    for sentence in (0, 1):
        texts = ["a c", "a c", "a b", "a b", "c"]
        alone = plain(texts, [sentence] * 5).segments
        assert lists.outputs(sentence)[0] == pytest.approx(alone)


def test_tuning_raises_the_metric(lm):
    rng = random.Random(11)
    lines = [f"[X] ||| {word} ||| {word.upper()} ||| good=1" for word in WORDS]
    lines += [f"[X] ||| {word} ||| {other} ||| bad=1" for word in WORDS for other in "xyz"]
    text = [" ".join(rng.choices(WORDS, k=3)) for _ in range(20)]
    weights = {"good": -0.1, "bad": 0.1, "PassThrough": 0.05, "LanguageModel": 0.01}
    decoder = Decoder(lines, lm, weights)
    pro = Pro(iterations=4, k=200, samples=500, kept=50)
    references = [[one.upper()] for one in text]
    # the first weights never make a right word best
    result = tune(decoder, text, references, metric="chrf", pro=pro)
    assert result.after.value > result.before.value + 50
    assert decoder.weights == result.weights
    assert result.weights["good"] > result.weights["bad"]
    again = tune(Decoder(lines, lm, weights), text, references, metric="chrf", pro=pro)
    assert again == result


def test_a_metric_where_lower_is_better():
    text, references = ["a b c d"], [["a b c d"]]
    goal = Goal("ter", text, references, 1)
    assert (goal.sign, goal.corpus(["x x x x"], [0])) == (-1, pytest.approx(100))
    before, after, gain = goal.difference(["x x x x"], ["a b c d"], [0], 0)
    assert (before.value, after.value, gain.value) == pytest.approx((100, 0, -100))


def test_unique_outputs_show_a_difference_that_equal_words_hide(lm):
    same = [f"[X] ||| {word} ||| {word} ||| p={k}" for word in WORDS for k in range(5)]
    lines = [*same, *(f"[X] ||| {word} ||| {word.upper()} ||| p=9" for word in WORDS)]
    text = ["a b c", "b c d"] * 3
    decoder = Decoder(lines, lm, {"p": -1, "IdentityRule": 0.1, "PassThrough": -9})
    found = {}
    for unique in (False, True):
        decoder.reweight({"p": -1, "IdentityRule": 0.1, "PassThrough": -9})
        pro = Pro(iterations=2, k=8, unique=unique, samples=50, held_out=0)
        result = tune(decoder, text, [[one.upper()] for one in text], metric="chrf", pro=pro)
        found[unique] = result.after.value
    assert found[False] == 0  # the 8 best have the same words: there is no pair to learn from
    assert found[True] > 90

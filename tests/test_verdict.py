"""One text judged alone, and rows in batches: what the adapters of frameworks are made of."""

from __future__ import annotations

import numpy as np
import pytest

import otherwords
from otherwords.errors import UsageError
from otherwords.integrations.batches import reward, score_batch
from otherwords.integrations.promptfoo import get_assert
from otherwords.integrations.verdict import Judge, verdict

ORIGINAL = "We meet on 3 March."
GOOD, BAD = "Our meeting is on 3 March.", "Our meeting is on 13 March."
GERMAN = "Wir treffen uns am 3. März, und danach gehen wir nicht nach Hause."


def score_of(text, original=ORIGINAL):
    return otherwords.score("otherwords-rewrite", [text], sources=[original])


def test_a_rewrite_that_says_the_same_passes_with_the_score_of_the_metric():
    found = verdict(ORIGINAL, GOOD)
    result = score_of(GOOD)
    assert (found.metric, found.score) == ("otherwords-rewrite", result.corpus)
    assert found.parts == {name: values[0] for name, values in result.parts.items()}
    assert found.passed
    assert found.reason == "The rewrite says the same as the original."
    assert found.spans == ()


def test_a_changed_value_is_a_sentence_and_a_span():
    found = verdict(ORIGINAL, BAD)
    assert not found.passed
    assert found.reason == 'The rewrite says "13 March"; the original says "3 March".'
    [span] = found.spans
    assert (BAD[slice(*span.hypothesis)], ORIGINAL[slice(*span.reference)]) == (
        "13 March",
        "3 March",
    )


def test_a_limit_is_part_of_the_judgement_in_both_directions():
    score = score_of(GOOD).corpus
    assert verdict(ORIGINAL, GOOD, limit=score).passed
    found = verdict(ORIGINAL, GOOD, limit=1)
    assert (found.passed, found.reason) == (
        False,
        f"otherwords-rewrite is {score:.4g}, below the limit of 1.",
    )
    found = verdict(None, "a b c d", references="a b c e", metric="ter", limit=10)
    assert found.score == 25.0  # one of four words
    assert (found.passed, found.reason) == (False, "ter is 25, above the limit of 10.")


def test_other_languages_are_judged_by_a_limit():
    found = verdict(None, GERMAN, references=GERMAN, metric="chrf++", limit=50)
    assert (found.passed, found.reason) == (True, "chrf++ is 100.")
    with pytest.raises(UsageError, match="does not judge meaning; give a limit"):
        verdict(None, GERMAN, references=GERMAN, metric="chrf++")
    found = verdict(None, GERMAN, references=GERMAN, limit=0.5)
    assert (found.passed, found.reason) == (True, "otherwords-mt is 1.")
    assert not verdict(None, "Nein.", references=GERMAN, limit=0.5).passed
    found = verdict(None, GERMAN, references=GERMAN)
    assert not found.passed
    assert "only a limit can decide" in found.reason


def test_references_are_judged_by_the_translation_metric():
    references = [GOOD, "See you in spring."]
    found = verdict(None, ORIGINAL, references=references)
    wanted = otherwords.score("otherwords-mt", [ORIGINAL], [references])
    assert (found.metric, found.score, found.passed) == ("otherwords-mt", wanted.corpus, True)
    found = verdict(ORIGINAL, BAD, references=GOOD)
    assert found.reason == 'The text says "13 March"; the reference says "3 March".'


@pytest.mark.parametrize("text", [GERMAN, "half \ud800"])
def test_a_text_that_cannot_be_scored_fails_with_a_reason(text):
    found = verdict(ORIGINAL, text)
    assert (found.score, found.passed, found.spans) == (0.0, False, ())
    assert "English" in found.reason or "surrogate" in found.reason


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"original": None, "text": "a"}, "otherwords-rewrite needs sources"),
        ({"original": "a", "text": None}, "must be text, not NoneType"),
        ({"original": "a", "text": "a", "metric": "nope"}, "unknown metric 'nope'"),
        ({"original": "a", "text": "a", "limit": 7}, "limit must be a number from 0 to 1"),
        ({"original": "a", "text": "a", "metric": "chrf", "limit": 1}, "chrf needs references"),
    ],
)
def test_a_wrong_call_is_an_error(arguments, message):
    with pytest.raises(UsageError, match=message):
        verdict(arguments.pop("original"), arguments.pop("text"), **arguments)


def test_a_judge_finds_texts_by_name():
    assert Judge("draft")({"draft": ORIGINAL}, GOOD) == verdict(ORIGINAL, GOOD)
    assert Judge("draft", "ref")({"ref": GOOD}, GOOD).metric == "otherwords-mt"
    with pytest.raises(UsageError, match=r"there is no 'drift'.*did you mean 'draft'"):
        Judge("drift")({"draft": ORIGINAL}, GOOD)
    for settings, message in (
        ({"metric": "nope"}, "unknown metric"),
        ({"limit": "high"}, "limit must be a number from 0 to 1"),
        ({"metric": "chrf++"}, "give a limit"),
    ):
        with pytest.raises(UsageError, match=message):
            Judge("draft", **settings)


def test_promptfoo_has_scores_by_name_and_one_component_per_reason():
    found = get_assert(BAD, {"vars": {"original": ORIGINAL}, "config": {"limit": 0.9}})
    assert (found["pass"], found["score"]) == (False, score_of(BAD).corpus)
    assert set(found["namedScores"]) == {"otherwords-rewrite", "meaning", "fluency", "difference"}
    assert len(found["componentResults"]) == 2
    assert found["reason"] == " ".join(part["reason"] for part in found["componentResults"])
    with pytest.raises(UsageError, match="did you mean 'limit'"):
        get_assert(BAD, {"vars": {"original": ORIGINAL}, "config": {"limits": 0.9}})


def test_rewards_are_scores_and_0_for_rows_that_cannot_be_scored():
    chat = [{"role": "assistant", "content": GOOD}]
    parts = [{"role": "assistant", "content": [{"type": "text", "text": GOOD}]}]
    completions = [GOOD, chat, parts, BAD, None, 7, [], "", "half \ud800", GERMAN]
    originals = [ORIGINAL] * len(completions)
    rewards = otherwords.reward(originals, completions, originals, trainer_state=None)
    good, bad = score_of(GOOD).corpus, score_of(BAD).corpus
    assert rewards == [good, good, good, bad, *[0.0] * 6]
    unusable = [None, "", 7, [ORIGINAL], {"a": 1}, GERMAN]
    assert reward(["p"] * 6, [GOOD] * 6, unusable) == [0.0] * 6
    assert reward([], [], []) == []
    with pytest.raises(UsageError, match="1 completions but 2 originals"):
        reward(["p"], [GOOD], [ORIGINAL, ORIGINAL])


def test_a_batch_gets_a_column_of_scores_whatever_its_kind():
    pa = pytest.importorskip("pyarrow")
    columns = {"draft": [ORIGINAL, ORIGINAL, ORIGINAL], "text": [GOOD, None, GERMAN]}
    names = {"hypothesis": "text", "source": "draft"}
    wanted = [score_of(GOOD).corpus, None, None]
    assert score_batch(columns, **names) == {**columns, "otherwords-rewrite": wanted}
    table = pa.table(columns)
    for batch in (table, table.to_batches()[0]):
        found = score_batch(batch, into="quality", threads=2, **names)
        assert type(found) is type(batch)
        assert found.to_pydict() == {**columns, "quality": wanted}


def test_a_batch_of_arrays_has_several_references_and_options():
    batch = {"hypothesis": np.array(["a B", "a c"]), "references": np.array([["a b", "c"]] * 2)}
    found = score_batch(batch, "chrf", into="x", case=False)["x"]
    wanted = otherwords.score("chrf", ["a B", "a c"], [["a b", "c"]] * 2, case=False)
    assert found == wanted.segments.tolist()
    assert score_batch({"hypothesis": ["a"], "references": [[]]}, "mup")["mup"] == [None]


def test_a_batch_without_a_needed_column_is_refused():
    with pytest.raises(UsageError, match=r"no column 'hypothesis'.*did you mean 'hypotheses'"):
        score_batch({"hypotheses": ["a"], "source": ["a"]})
    with pytest.raises(UsageError, match="needs sources"):
        score_batch({"hypothesis": ["a"]})
    with pytest.raises(UsageError, match="no option 'reward_diff'"):
        score_batch({"hypothesis": ["a"], "source": ["a"]}, reward_diff=1)

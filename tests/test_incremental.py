"""MUP, GM and BP-BLEU: the paper's figure, the definitions, and sacreBLEU's BLEU."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.metrics.bleu import BLEU

import otherwords
from otherwords import Sentence, UsageError
from tests.oracles import incremental as oracle


def bp_bleu(hypothesis, references, **options):
    return otherwords.metric("bp-bleu", **options).score_one(hypothesis, references)


def gm(hypothesis, references, **options):
    return otherwords.metric("gm", **options).score_one(hypothesis, references)


def mup(hypothesis, references, **options):
    return otherwords.metric("mup", **options).score_one(hypothesis, references)


FIGURE_1 = ["The cat is on the mat.", "There is a cat on the mat."]
WORDS = st.lists(st.sampled_from("a b c d".split()), max_size=9)
SEGMENTS = st.lists(st.tuples(WORDS, st.lists(WORDS, min_size=1, max_size=3)), min_size=1)
TOLERANCE = {"rel": 1e-9, "abs": 1e-12}


def joined(segments):
    return (
        [" ".join(hypothesis) for hypothesis, _ in segments],
        [[" ".join(one) for one in references] for _, references in segments],
    )


def test_figure_1():
    assert mup("the the the the the the the.", FIGURE_1) == 2 / 7
    assert mup("the the the the the the the", FIGURE_1) == 2 / 7
    assert mup("the the the the the the the", [text.rstrip(".") for text in FIGURE_1]) == 2 / 7
    assert mup("the the the the the the the.", FIGURE_1, punctuation=True) == 3 / 8
    assert mup("the the the the the the the", FIGURE_1, case=True) == 1 / 7


def test_figure_4_without_paraphrases():
    references = ["the bombing resulted in an explosion", "there was an explosion"]
    assert mup("blown up bombing was happening", references) == 2 / 5


def test_geometric_mean_and_penalty_by_hand():
    # a b c x y | a b c z: unigrams 3/5, bigrams 2/4, trigrams 1/3, no 4-gram in common
    assert gm("a b c x y", "a b c z", orders=3) == pytest.approx((3 / 5 * 1 / 2 * 1 / 3) ** (1 / 3))
    assert gm("a b c x y", "a b c z") == 0.0
    assert bp_bleu("a b", "a b c", orders=1) == pytest.approx(np.exp(1 - 3 / 2))
    assert bp_bleu("a b c", "a b c", orders=1) == 1.0  # c = r: exp(0)
    assert bp_bleu("a b c d", "a b c", orders=1) == 3 / 4
    # 3 words: of references with 2 and 4 words the shorter one is as close
    assert bp_bleu("a b c", ["a b", "a b c d"], orders=1) == 1.0


@given(SEGMENTS, st.integers(1, 5))
def test_corpus_is_as_defined(segments, orders):
    texts = joined(segments)
    assert otherwords.score("mup", *texts).corpus == float(oracle.mup(segments))
    score = otherwords.score("gm", *texts, orders=orders).corpus
    assert score == pytest.approx(oracle.gm(segments, orders), **TOLERANCE)
    score = otherwords.score("bp-bleu", *texts, orders=orders).corpus
    assert score == pytest.approx(oracle.bp_bleu(segments, orders), **TOLERANCE)


@given(SEGMENTS)
def test_segments_are_as_defined(segments):
    texts = joined(segments)
    expected = [
        [float(oracle.mup([one])), oracle.gm([one], 4), oracle.bp_bleu([one], 4)]
        for one in segments
    ]
    for place, name in enumerate(("mup", "gm", "bp-bleu")):
        scores = otherwords.score(name, *texts).segments
        assert scores == pytest.approx([row[place] for row in expected], **TOLERANCE)


@given(SEGMENTS, st.lists(WORDS, min_size=1))
def test_another_reference_never_lowers_precision(segments, more):
    hypotheses, references = joined(segments)
    added = [[*several, " ".join(more[i % len(more)])] for i, several in enumerate(references)]
    before = otherwords.score("mup", hypotheses, references).segments
    assert (otherwords.score("mup", hypotheses, added).segments >= before).all()


def plain_bleu(**options):
    return BLEU(tokenize="none", smooth_method="none", lowercase=True, force=True, **options)


@given(SEGMENTS)
def test_sacrebleu(segments):
    hypotheses, references = joined(segments)
    most = max(map(len, references))
    streams = [[s[k] if k < len(s) else None for s in references] for k in range(most)]
    if any(hypotheses):
        theirs = plain_bleu(effective_order=True).corpus_score(hypotheses, streams).score / 100
        ours = otherwords.score("bp-bleu", hypotheses, references, tokenizer="none").corpus
        assert ours == pytest.approx(theirs, **TOLERANCE)


@pytest.mark.data
def test_sacrebleu_on_real_text(wmt15):
    """Lower-cased BLEU of raw text, letter by letter the same; typography differs otherwise."""
    rows = [r for r in wmt15 if (r["hypothesis"] + r["references"][0]).isascii()][:2000]
    hypotheses = [row["hypothesis"] for row in rows]
    references = [row["references"][0] for row in rows]
    theirs = plain_bleu().corpus_score(hypotheses, [references]).score / 100
    ours = otherwords.score(
        "bp-bleu", hypotheses, references, tokenizer="none", punctuation=True
    ).corpus
    assert 0.05 < theirs < 0.95
    assert ours == pytest.approx(theirs, rel=1e-12)


@pytest.mark.parametrize("name", ["mup", "gm", "bp-bleu"])
def test_empty_sides(name):
    def score(hypothesis, references):
        return otherwords.score(name, [hypothesis], [references]).segments[0]

    assert score("", "") == 1.0
    assert score(" ...", ["!"]) == 1.0  # no words on either side
    assert score("", "a b") == 0.0
    assert score("a b", "") == 0.0
    assert score("", ["", "a b"]) == 1.0
    assert score("a b", ["", "a b"]) == 1.0
    assert score("a", ["a"]) == 1.0  # too short for bigrams
    # An empty segment changes nothing in a corpus with words.
    assert otherwords.score(name, ["", "a b"], ["", "a b"]).corpus == 1.0


def test_words_keep_together_whatever_is_inside():
    """Characters that only some programs take for white space."""
    for odd in ("\x1c", "\x1f", "\x85", "\u00a0", "\u2007", "\u200b", "\u3000", "\ufeff"):
        text = f"one{odd}two three"
        words = len(otherwords.metric("mup").reading.words(text))
        for name in ("mup", "gm", "bp-bleu"):
            result = otherwords.score(name, [text], [text])
            assert result.corpus == 1.0
            assert result.statistics[0, :2].tolist() == [words, words]


def test_given_tokens_are_the_words():
    sentence = Sentence.from_tokens(["New-York's", "Mayor", "."])
    statistics = otherwords.metric("mup").statistics([sentence], ["new-york's mayor spoke ."])
    assert statistics[0, 0] == 2.0


def test_options():
    assert "n:2|case:folded|tok:penn|punct:no" in otherwords.metric("gm", orders=2).signature
    assert "punct:kept" in otherwords.metric("mup", punctuation=True).signature
    with pytest.raises(UsageError, match="mup has no option 'orders'"):
        otherwords.metric("mup", orders=2)
    with pytest.raises(UsageError, match="orders must be a whole number from 1 to 9"):
        otherwords.metric("bp-bleu", orders=0)
    with pytest.raises(UsageError, match="punctuation must be true or false"):
        otherwords.metric("gm", punctuation="no")
    with pytest.raises(UsageError, match="unknown tokenizer '13a'"):
        otherwords.metric("gm", tokenizer="13a")

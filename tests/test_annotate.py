from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import otherwords
from otherwords import InputError, LanguageError, Sentence, score
from otherwords.text.annotator import Annotator, tag_lines
from otherwords.text.language import check_english


def maxsim(hypothesis, references, **options):
    return otherwords.metric("maxsim", **options).score_one(hypothesis, references)


def test_sentence_keeps_what_the_caller_knows():
    given_ = Sentence.from_tokens(["Geese", "fly"], tags=["X", "Y"], lemmas=["bird", "move"])
    assert Annotator().sentence(given_) == given_
    only_tags = Sentence.from_tokens(["Geese", "flies"], tags=["NNS", "VBZ"])
    assert Annotator().sentence(only_tags).lemmas == ("goose", "fly")
    assert Annotator().sentence("Geese fly.").spans == ((0, 5), (6, 9), (9, 10))


@pytest.mark.filterwarnings("ignore::otherwords.errors.NormalFormWarning")
@settings(max_examples=200, deadline=None)
@given(st.lists(st.text(alphabet=st.characters(exclude_categories=["Cs"])), max_size=8))
def test_both_ways_to_columns_give_the_same_scores(texts):
    """Native from raw strings, and packed from sentences that were annotated one by one."""
    reference = "The geese flew off."
    for case in (False, True):
        annotator = Annotator(case=case, tokenizer="treebank", own_lemmas=False)
        for text in [reference, *texts]:
            sentences = annotator.sentence(text), annotator.sentence(reference)
            assert maxsim(*sentences, case=case) == maxsim(text, reference, case=case)


def test_sentence_checks_its_layers():
    with pytest.raises(InputError, match="2 tokens but 1 tags"):
        Sentence.from_tokens(["a", "b"], tags=["DT"])
    with pytest.raises(InputError, match="white space inside"):
        Sentence.from_tokens(["a b"])
    with pytest.raises(InputError, match="head points to token 2 of 2"):
        Sentence.from_tokens(["a", "b"], heads=[2, -1], relations=["x", "y"])


def test_english_or_not():
    check_english(["Short."], "x")
    check_english(["aaa bbb ccc"], "x")
    check_english(["the the the the the the the", "blown up bombing was happening"], "x")
    check_english([], "x")
    check_english(["", "..."], "x")
    for text in (
        "Der Bürgermeister sagte am Dienstag, dass die alte Brücke wegen der Reparaturen bis zum "
        "Frühling gesperrt bleibt, und niemand weiß warum.",
        "El alcalde dijo el martes que el viejo puente estaría cerrado por reparaciones hasta la "
        "primavera y que nadie sabe por qué.",
        "Мэр сказал во вторник",
        "市长说旧桥将关闭",
    ):
        with pytest.raises(LanguageError, match="does not look like English"):
            check_english([text], "x")
        with pytest.raises(LanguageError, match="hypotheses, given to maxsim"):
            score("maxsim", [text], ["An English reference."])
        assert score("bleu", [text], ["An English reference."]).corpus < 5
    with pytest.raises(LanguageError, match="the sources of hypotheses, given to maxsim"):
        score("maxsim", ["An English text."], sources=["Мэр сказал"], against="source")


@pytest.mark.parametrize("tokenizer", ["penn", "none"])
def test_tagged_lines_are_those_of_sentences(tokenizer: str) -> None:
    """The batch path of `tag` writes what the annotator of single sentences finds."""
    lines = ["They can't pay $3.50, he said.", "", "  ", "Zoë\u2019s naïve\u00a0café…", "a\tb / c"]
    lines += ["The old men the boats."] * 5000  # more than one batch
    annotator = Annotator(tokenizer=tokenizer, case=True)
    tagged = []
    for line in lines:
        sentence = annotator.sentence(line)
        tagged.append(list(zip(sentence.tokens, sentence.tags or (), strict=True)))
    expected = [" ".join(f"{token}/{tag}" for token, tag in one) for one in tagged]
    assert list(tag_lines(lines, tokenizer=tokenizer)) == expected
    rows = [row for one in tagged for row in (*(f"{token}\t{tag}" for token, tag in one), "")]
    assert list(tag_lines(lines, "tsv", tokenizer=tokenizer)) == rows


def test_tagging_refuses_half_a_surrogate_pair() -> None:
    with pytest.raises(InputError, match="lone surrogate at character 3"):
        list(tag_lines(["ab\ud800"]))

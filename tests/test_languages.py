"""Languages of texts, and translations into other languages than English."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import otherwords
from otherwords.errors import LanguageError, ModelError
from otherwords.metrics.mt import OTHERS, Combine, OtherwordsMt, are_other_languages
from otherwords.models import container, multilingual
from otherwords.models.container import find
from otherwords.text.identifier import Identifier, hash_ngrams

LINES = {
    "de": "Der Zug nach München fährt heute leider nicht.",
    "en": "The train to Munich does not run today.",
    "es": "El tren a Múnich no circula hoy, por desgracia.",
    "fr": "Le train pour Munich ne circule malheureusement pas aujourd'hui.",
    "it": "Purtroppo il treno per Monaco oggi non viaggia.",
    "ja": "ミュンヘン行きの電車は今日は運休です。",
    "pt": "Infelizmente, o comboio para Munique não circula hoje.",
    "ru": "Поезд в Мюнхен сегодня, к сожалению, не ходит.",
    "zh": "很遗憾，今天去慕尼黑的火车停运。",
}
REFERENCE = "Die Sitzung beginnt am Montag um neun Uhr im großen Saal."
RIGHT = "Am Montag um neun Uhr beginnt die Sitzung im großen Saal."
WRONG = "Das Wetter bleibt bis zum Wochenende kalt."
ENGLISH = "The meeting starts on Monday at nine in the large hall."


def test_lines_are_identified():
    assert Identifier.load().identify(list(LINES.values())) == list(LINES)


@pytest.mark.parametrize("text", ["", " ", "42", "!?", "12:30", "\ud800"])
def test_texts_without_letters_have_no_language(text):
    assert Identifier.load().identify([text, LINES["fr"]]) == ["", "fr"]


def test_a_text_is_identified_alone_as_among_others():
    identifier = Identifier.load()
    texts = [line[:end] for line in LINES.values() for end in range(0, len(line), 3)] * 80
    together = identifier.identify(texts)
    assert together[:150] == [identifier.identify([text])[0] for text in texts[:150]]
    assert identifier.is_other([]).tolist() == identifier.identify([]) == []


def test_ngrams_are_those_of_letters():
    assert hash_ngrams("A, b!").tolist() == hash_ngrams("a b").tolist()
    assert len(hash_ngrams("ab")) == 4 + 3 + 2 + 1  # of " ab "


@pytest.mark.parametrize(
    "text", ["आज ट्रेन नहीं चलेगी।", "Το τρένο δεν εκτελεί δρομολόγιο.", "القطار لا يعمل اليوم"]
)
def test_scripts_that_were_not_trained_on_are_other_languages(text):
    assert are_other_languages([text, ENGLISH]).tolist() == [True, False]


@pytest.mark.parametrize(
    "text",
    [
        "房租每月1250.50元，3月3日到期。",
        "今日14時30分、3番線から列車が出ます。",
        "会议于9:30开始。",
        "В 2024-м",
    ],
)
def test_digits_do_not_make_a_text_english(text):
    assert are_other_languages([text], certainly=True).all()
    with pytest.raises(LanguageError, match="does not look like English"):
        otherwords.score("maxsim", [text], [text])


def test_names_are_no_other_language():
    assert not are_other_languages(["Anna Berg", "Munich", "Ann Lee, 10", "OK!"]).any()


def test_translations_into_german_are_scored():
    scores = otherwords.score("otherwords-mt", [REFERENCE, RIGHT, WRONG, ""], [REFERENCE] * 4)
    copy, right, wrong, empty = scores.segments.tolist()
    assert copy == 1.0 > right > wrong > empty == 0.0
    assert not scores.problems or all("English" not in str(p) for p in scores.problems)


def test_rows_of_several_languages_are_scored_as_alone():
    hypotheses = [RIGHT, "The session begins on Monday at nine.", WRONG]
    references = [REFERENCE, ENGLISH, REFERENCE]
    together = otherwords.score("otherwords-mt", hypotheses, references).segments
    alone = [
        otherwords.score("otherwords-mt", [text], [reference]).corpus
        for text, reference in zip(hypotheses, references, strict=True)
    ]
    assert together.tolist() == alone
    mt = otherwords.metric("otherwords-mt")
    others = (mt.multilingual or Combine(model=OTHERS)).score_one(RIGHT, [REFERENCE])
    english = Combine(model="otherwords-mt").score_one(hypotheses[1], [ENGLISH])
    assert together[:2].tolist() == [others, english]


def test_an_output_in_another_language_than_english_scores_nothing():
    assert otherwords.score("otherwords-mt", [LINES["de"]], [LINES["en"]]).corpus == 0.0


def test_explanations_use_no_english_rules():
    explanation = otherwords.score("otherwords-mt", [RIGHT], [REFERENCE]).explain(0)
    assert "not English" in str(explanation)
    assert {span.verdict for spans in explanation.matches for span in spans} == {"same"}


def test_the_signature_names_both_combinations():
    signature = otherwords.metric("otherwords-mt").signature
    assert container.read(find(OTHERS)).short_digest in signature


def test_a_damaged_identifier_is_refused(tmp_path):
    path = tmp_path / "short.owm"
    weights = np.zeros((4, 2), np.int8)
    container.write(path, "language", {"weights": weights}, {"languages": ["de", "en"]})
    with pytest.raises(ModelError, match="damaged: its weights do not fit its languages"):
        Identifier.load(path)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (
            lambda: otherwords.score("otherwords-rewrite", [RIGHT] * 2, sources=[REFERENCE] * 2),
            r"English \(but like German\); rewrites in other languages have no metric of meaning",
        ),
        (
            lambda: otherwords.score("maxsim", [LINES["fr"]] * 2, [LINES["fr"]] * 2),
            r"English \(but like French\); score translations .* with otherwords-mt or chrf\+\+",
        ),
        (
            lambda: otherwords.try_text(LINES["ja"], references=[LINES["ja"]]),
            r"English \(but like Japanese\); score translations .* with otherwords-mt",
        ),
    ],
)
def test_refusals_name_the_language_and_what_is_possible(call, said):
    with pytest.raises(LanguageError, match=said):
        call()


def test_a_gate_says_what_it_cannot_check_in_german():
    rules = otherwords.Rules(no_contradictions=True)
    result = otherwords.gate(None, [RIGHT, WRONG], [REFERENCE] * 2, rules=rules)
    captions = [table.caption for table in result.tables()]
    assert captions[1:] == ["Segments that cannot be judged"]
    assert result.remarks[-1].startswith("2 of 2 segments are not English: rules and metrics for")
    limited = otherwords.gate(
        "chrf++", [RIGHT, ENGLISH], [REFERENCE] * 2, rules=otherwords.Rules(fail_under=1)
    )
    assert [problem.code for problem in limited.problems] == ["language"]
    assert "negation are not checked" in limited.remarks[-1]
    kept = otherwords.gate("chrf++", [ENGLISH], [ENGLISH], rules=otherwords.Rules(fail_under=1))
    assert not kept.remarks


@pytest.mark.parametrize("name", ["pem.adequacy", "pem.dissimilarity"])
def test_metrics_with_german_stems_read_german(name):
    texts = {"sources": [REFERENCE] * 2}
    result = otherwords.score(name, [RIGHT, WRONG], **texts, stem="german")
    assert not result.problems
    assert np.isfinite(result.segments).all()
    with pytest.raises(LanguageError):
        otherwords.score(name, [RIGHT, WRONG], **texts, stem="porter")


def test_what_refusals_advise_for_rewrites_works():
    for metric, options in (("chrf++", {"against": "source"}), ("pinc", {})):
        assert otherwords.score(metric, [RIGHT], sources=[REFERENCE], **options).corpus > 0


def test_strict_is_for_english():
    with pytest.raises(LanguageError, match="does not look like English"):
        otherwords.score("otherwords-mt", [RIGHT] * 5, [REFERENCE] * 5, strict=True)


def test_the_multilingual_encoder_adds_meaning_where_it_knows_the_language(monkeypatch):
    """Without its package, and in Czech, the combination without it is used; both are said."""
    monkeypatch.syspath_prepend(str(Path(__file__).parents[1] / "multilingual/src"))
    hypotheses = [RIGHT, "Vláda návrh projedná až příští týden.", "It begins on Monday."]
    references = [REFERENCE, "Vláda v úterý oznámila, že návrh projedná příští týden.", ENGLISH]
    scores, said = [], []
    for package in ("otherwords_multilingual", "otherwords_not_there"):
        monkeypatch.setattr(multilingual, "PACKAGE", package)
        result = otherwords.score(OtherwordsMt(), hypotheses, references)
        scores.append(result.segments.tolist())
        said += [str(result.explain(place)) for place in (0, 1, 2)]
    assert "multilingual:none" in result.signature
    assert scores[0][0] != scores[1][0]
    assert scores[0][1:] == scores[1][1:]
    assert "lengths and meaning were compared" in said[0]
    assert "the multilingual encoder does not know this language" in said[1]
    assert "meaning too with pip install 'otherwords[multilingual]'" in said[3]
    assert said[2] == said[5]


def test_an_english_output_for_a_german_reference_scores_nothing():
    result = otherwords.score(
        "otherwords-mt", ["The session begins on Monday at nine."], [REFERENCE]
    )
    assert result.corpus == 0.0

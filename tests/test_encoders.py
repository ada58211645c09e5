"""Static encoders: word pieces, vectors, files."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from bench.data import rows
from hypothesis import given, settings
from hypothesis import strategies as st
from tools.encoder_packing import BLANK, PUNCTUATION, Characters, pack, quantised

from otherwords import InputError, ModelError, UsageError
from otherwords.encoders.static import StaticEncoder
from otherwords.models import container
from otherwords.models.container import embedded
from tests.oracles import encoders as oracle

LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789"
WORDS = "the cat cats sat un want run running café naive new york don t ing ed 中 国".split()
VOCABULARY = [
    *dict.fromkeys([*WORDS, *LETTERS, *"!?.,'-—।", "α", "σ", "я", "ᄒ"]),
    *("##" + part for part in [*"aeionrst", "able", "want", "##", "ing", "ed", "ᅡ", "ᆫ", "я"]),
]
STABLE = st.sampled_from(
    [
        chr(c)
        for c in (*range(0x17F), *range(0x300, 0x350), *range(0x391, 0x3AA), *range(0x400, 0x450))
    ]
    + list("中国㐀한글。「」—…\u200b\u2028\u3000\ufeff\ufffd😀")
)
TEXTS = st.lists(st.one_of(STABLE, st.sampled_from([*WORDS, " ", " "])), max_size=30).map("".join)


@pytest.fixture(scope="module")
def encoder():
    return StaticEncoder.load()


@cache
def small() -> StaticEncoder:
    """Our own pieces with the characters of the embedded model; vectors of 32 random numbers."""
    generator = np.random.default_rng(1)
    listed = [piece for piece in VOCABULARY if piece.isascii()]
    others = [piece for piece in VOCABULARY if not piece.isascii()]
    arrays = pack(
        listed,
        generator.normal(size=(len(listed), 32)),
        generator.uniform(0.5, 2, len(listed)),
        generator.uniform(2, 10, len(listed)),
        others,
        Characters(np.zeros(1, np.uint8), {}),
    )
    characters = StaticEncoder.load().model.arrays
    arrays |= {name: a for name, a in characters.items() if name.startswith("characters/")}
    return StaticEncoder(container.in_memory("small", StaticEncoder.kind, arrays, {}))


def pieces(text, encoder):
    return " ".join(encoder.tokens([text])[0].pieces)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The cats sat.", "the cats sat ."),
        ("unwanted", "un ##want ##ed"),
        ("CAFÉ naïve", "[UNK] naive"),  # accents go before the vocabulary is asked: it has café
        ("cafe\u0301s", "[UNK]"),  # f inside a word is no piece
        ("don't", "don ' t"),
        ("new—york", "new — york"),
        ("中国cat", "中 国 cat"),
        ("c\u200bat\x00s\ufffd", "cats"),  # control characters do not split
        ("cat\u00a0sat\u3000", "cat sat"),
        ("한", "ᄒ ##ᅡ ##ᆫ"),  # Hangul decomposes
        ("ΑΣ", "[UNK]"),  # α is a piece, ##σ is not
        ("я Яя", "я я ##я"),
        ("", ""),
        (" \t\n", ""),
        ("\u0301", ""),
        ("a" * 100, "a " + " ".join(["##a"] * 99)),
        ("a" * 101, "[UNK]"),
        ("é" * 100, "e " + " ".join(["##e"] * 99)),
        ("[UNK] [CLS]", "[UNK] [UNK] [UNK] [UNK] [UNK] [UNK]"),  # no special tokens in text
    ],
)
def test_pieces_by_hand(text, expected):
    assert pieces(text, small()) == expected


@given(TEXTS)
@settings(max_examples=300, deadline=None)
def test_pieces_are_those_of_the_naive_twin(text):
    assert list(small().tokens([text])[0].pieces) == oracle.pieces(text, set(VOCABULARY))


@cache
def library():
    tokenizers = pytest.importorskip(
        "tokenizers", reason="the `tokenizers` library is not installed: pip install tokenizers"
    )
    numbers = {piece: i for i, piece in enumerate([*VOCABULARY, "[UNK]"])}
    model = tokenizers.models.WordPiece(numbers, unk_token="[UNK]", max_input_chars_per_word=100)
    tokenizer = tokenizers.Tokenizer(model)
    tokenizer.normalizer = tokenizers.normalizers.BertNormalizer()
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.BertPreTokenizer()
    return tokenizer


@given(st.one_of(TEXTS, st.text(max_size=40)))
@settings(max_examples=500, deadline=None)
def test_pieces_are_those_of_the_library(text):
    assert list(small().tokens([text])[0].pieces) == library().encode(text).tokens


@given(TEXTS)
@settings(max_examples=300, deadline=None)
def test_offsets_are_those_of_the_library(text):
    assert list(small().tokens([text])[0].spans) == library().encode(text).offsets


def test_every_character_is_that_of_the_library():
    tokenizer = library()
    texts = [f"a{chr(c)}a" for c in range(0x110000) if not 0xD800 <= c < 0xE000]
    expected = tokenizer.encode_batch(texts)
    for text, mine, theirs in zip(texts, small().tokens(texts), expected, strict=True):
        assert list(mine.pieces) == theirs.tokens, ascii(text)


@given(TEXTS)
@settings(max_examples=100, deadline=None)
def test_spans_lie_in_the_text(text):
    spans = small().tokens([text])[0].spans
    flat = [edge for span in spans for edge in span]
    assert all(0 <= begin < end <= len(text) for begin, end in spans)
    assert flat == sorted(flat) or "한" in text or "글" in text  # jamo share their syllable


def test_sentence_vectors_are_weighted_sums():
    text = "the cats don't run"
    [tokens], [rows] = small().tokens([text]), small().token_vectors([text])
    expected = oracle.pooled(rows.tolist(), tokens.weights)
    assert small().sentence_vectors([text])[0] == pytest.approx(expected, abs=1e-5)
    assert np.linalg.norm(rows, axis=1) == pytest.approx(1, abs=1e-5)


def test_neighbours_are_mixed_in():
    plain, mixed = (
        small().token_vectors(["cat sat ."]),
        small().token_vectors(["cat sat ."], mix=0.5),
    )
    assert mixed[0] == pytest.approx(np.array(oracle.mixed(plain[0].tolist(), 0.5)), abs=1e-5)


@given(st.lists(TEXTS, min_size=2, max_size=2), st.sampled_from([0.0, 0.5]), st.booleans())
@settings(max_examples=100, deadline=None)
def test_matching_is_that_of_the_naive_twin(texts, mix, weighted):
    sides = [rows.tolist() for rows in small().token_vectors(texts, mix=mix)]
    weights = [t.rarity if weighted else [1.0] * len(t.pieces) for t in small().tokens(texts)]
    found = small().match(texts, np.array([0]), np.array([1]), mix=mix, weighted=weighted)
    assert found[0] == pytest.approx(oracle.precision_recall(*sides, *weights), abs=1e-5)


def test_links_name_the_partner():
    partners, cosines, back, _ = small().links("cat sat .", "sat cat", mix=0)
    assert partners[:2].tolist() == [1, 0]
    assert cosines[:2].tolist() == [1.0, 1.0]
    assert back.tolist() == [1, 0]


def test_unknown_words_are_like_none_but_themselves(encoder):
    one, other = "\u2603\u2603", "\u2604\u2604"
    texts = [one, one, other, "snow"]
    assert encoder.tokens([one])[0].known == (False,)
    cosines = encoder.cosines(texts, np.array([0, 0, 0]), np.array([1, 2, 3]))
    assert cosines[0] == 1.0
    assert abs(cosines[1:]).max() < 0.35


def test_a_text_without_pieces(encoder):
    assert not encoder.sentence_vectors(["", " "]).any()
    assert encoder.token_vectors([""])[0].shape == (0, encoder.dimensions)
    assert encoder.sentence_vectors([]).shape == (0, encoder.dimensions)
    pairs = np.array([0, 0]), np.array([1, 2])
    texts = ["", " ", "word"]
    assert encoder.cosines(texts, *pairs).tolist() == [1.0, 0.0]
    assert encoder.match(texts, *pairs, mix=0.5, weighted=True).tolist() == [[1, 1], [0, 0]]


NEAR = [  # word, a word of like meaning, another of the same class
    "car vehicle tree", "buy purchase sing", "big large wooden", "begin start eat",
    "kill murder write", "doctor physician window", "quick fast green", "help assist fall",
    "country nation table", "child kid river", "angry furious empty", "speak talk carry",
    "money cash road", "error mistake garden", "allow permit drink", "film movie stone",
]  # fmt: skip


def test_near_words_have_near_vectors(encoder):
    vectors = [encoder.sentence_vectors(line.split()) for line in NEAR]
    margins = np.array([word @ near - word @ far for word, near, far in vectors])
    assert (margins > 0).all()
    assert margins.mean() > 0.3


def test_threads_do_not_matter(encoder):
    texts = [f"Text number {i} about rain, ships and café {i * i}." for i in range(300)]
    left, right = np.arange(299), np.arange(1, 300)
    results = [
        (
            encoder.sentence_vectors(texts, threads=n).tobytes(),
            encoder.cosines(texts, left, right, threads=n).tobytes(),
            encoder.match(texts, left, right, mix=0.5, weighted=True, threads=n).tobytes(),
            b"".join(rows.tobytes() for rows in encoder.token_vectors(texts, threads=n)),
        )
        for n in (1, 2, 5)
    ]
    assert len(set(results)) == 1


def test_four_bits_lose_little():
    vectors = np.random.default_rng(0).normal(size=(500, 64)) * np.linspace(2, 0.1, 64)
    codes, steps = quantised(vectors)
    restored = (codes - 7.5) * steps
    cosines = (restored * vectors).sum(1) / np.linalg.norm(restored, axis=1)
    # The best uniform quantiser of a normal variable has an error of .0115 at 16 levels (Max 1960),
    # which leaves a cosine of sqrt(1 - .0115) = .994.
    assert (cosines / np.linalg.norm(vectors, axis=1)).mean() == pytest.approx(0.994, abs=0.001)


def test_files(tmp_path, encoder):
    """A user's own file has the same format and loader."""
    model = small().model
    container.write(tmp_path / "mine.owm", StaticEncoder.kind, model.arrays, {"what": "test"})
    mine = StaticEncoder.load(tmp_path / "mine.owm")
    assert mine.signature == small().signature != encoder.signature
    vector = mine.sentence_vectors(["the cat"])
    assert vector.tobytes() == small().sentence_vectors(["the cat"]).tobytes()
    with pytest.raises(ModelError, match="an encoder model is needed"):
        StaticEncoder.load(embedded("lexicon"))


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("pieces/listed", lambda a: a[::-1].copy()),
        ("pieces/listed", lambda a: a[:0]),
        ("codes", lambda a: a[:-1]),
        ("steps", lambda a: np.zeros_like(a)),
        ("steps", lambda a: a.astype(np.float64)),
        ("weights", lambda a: a[:-1]),
        ("other_weight", lambda a: np.array([np.nan], np.float32)),
        ("characters/starts", lambda a: a[1:]),
        ("characters/classes", lambda a: a + np.uint8(16)),
        ("characters/fold_bounds", lambda a: a[:-1]),
        ("characters/fold_bounds", lambda a: a[:0]),
        ("characters/fold_values", lambda a: a + np.uint32(0x110000)),
    ],
)
def test_damaged_models_are_refused(name, change):
    arrays = dict(small().model.arrays)
    arrays[name] = change(arrays[name])
    with pytest.raises(ModelError, match="this is not an encoder"):
        StaticEncoder(container.in_memory("bad", StaticEncoder.kind, arrays, {}))
    del arrays[name]
    with pytest.raises(ModelError, match=f"no array '{name}'"):
        StaticEncoder(container.in_memory("bad", StaticEncoder.kind, arrays, {}))


def test_bad_input(encoder):
    with pytest.raises(UsageError, match="not a single text"):
        encoder.sentence_vectors("one text")
    with pytest.raises(UsageError, match="text 2 must be text, not int"):
        encoder.tokens(["a", 1])
    with pytest.raises(InputError, match="text 1 has half of a surrogate pair at character 2"):
        encoder.token_vectors(["a\ud800"])
    with pytest.raises(ValueError, match="not there"):
        encoder.cosines(["a"], np.array([0]), np.array([1]))


def test_packing_refuses_a_piece_that_is_there_twice():
    none = Characters(np.zeros(1, np.uint8), {})
    with pytest.raises(ModelError, match="twice"):
        pack(["a", "a"], np.eye(2, 32), np.ones(2), np.ones(2), [], none)


def test_classes_of_the_embedded_model(encoder):
    arrays = encoder.model.arrays
    classes = dict(
        zip(arrays["characters/starts"].tolist(), arrays["characters/classes"], strict=True)
    )
    assert classes[0x20] == BLANK
    assert classes[0x21] == PUNCTUATION


def test_no_text_in_the_file():
    """Hashes, not words: no run of letters as long as a sentence."""
    import re

    assert not re.search(
        rb"[a-z ]{40,}", embedded("encoder").read_bytes().split(b"characters/")[-1]
    )


@pytest.mark.data
def test_agreement_on_sts_benchmark(encoder):
    """Issue 18: distilled vectors reach .845 there, the teacher .870."""
    found = rows("similarity/stsb-en-dev")
    texts = [text for row in found for text in (row.source, row.hypothesis)]
    places = np.arange(0, len(texts), 2)
    cosines = encoder.cosines(texts, places, places + 1)
    human = [row.human["adequacy"] for row in found]
    assert np.corrcoef(cosines, human)[0, 1] > 0.845


@given(st.lists(st.tuples(TEXTS, TEXTS), min_size=1, max_size=3))
@settings(max_examples=60, deadline=None)
def test_soft_features_are_those_of_the_naive_twin(pairs):
    texts = [text for pair in pairs for text in pair]
    left, right = np.arange(0, len(texts), 2), np.arange(1, len(texts), 2)
    mixes = [0.0, 0.5]
    found = small().soft_features(texts, left, right, mixes=mixes, threads=2)
    cosines = small().cosines(texts, left, right)
    for row, cosine, pair in zip(found, cosines, pairs, strict=True):
        tokens = small().tokens(list(pair))
        signs = [
            [oracle.is_punctuation(text[begin]) for begin, _ in one.spans]
            for text, one in zip(pair, tokens, strict=True)
        ]
        expected = []
        for mix in mixes:
            rows = [one.tolist() for one in small().token_vectors(list(pair), mix=mix)]
            for one, other in ((0, 1), (1, 0)):
                expected += oracle.soft_summary(
                    rows[one], rows[other], tokens[one].rarity, signs[one]
                )
        expected = np.array(expected)
        near_half = np.zeros(len(expected), bool)  # a cosine of one half may fall on either side
        near_half[7::9] = True
        assert row[:-1][~near_half] == pytest.approx(expected[~near_half], abs=2e-5)
        if all(one.pieces for one in tokens):
            assert row[-1] == pytest.approx(cosine, abs=1e-6)


def test_soft_features_of_more_kinds_of_pieces_than_are_kept():
    """Products of kinds are kept up to 2^24; those of a text's first words are computed again."""
    words = [f"q{number}x" for number in range(4200)]
    texts = [" ".join(words + words[::-1]), " ".join(words[1::2] + [f"{w}y" for w in words[::2]])]
    pair = np.array([0]), np.array([1])
    [row] = small().soft_features(texts, *pair, mixes=[0.0])
    [expected] = small().match(texts, *pair)
    assert [row[1], row[10]] == pytest.approx(expected, abs=1e-6)


def test_a_copy_has_the_best_soft_features(encoder):
    texts = ["Rain fell on Rome, again.", "Rain fell on Rome, again."]
    [row] = encoder.soft_features(texts, np.array([0]), np.array([1]), mixes=[0.0, 0.5])
    assert row == pytest.approx(([1.0] * 7 + [0.0] * 2) * 4 + [1.0], abs=1e-5)

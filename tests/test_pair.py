"""The pair model: graph, file, metric, gate; a tiny encoder with random updates serves.

What needs the trained model and the weights of all-MiniLM-L6-v2 is in tests/test_pair_weights.py.
"""

from __future__ import annotations

import json
import math
import shutil

import numpy as np
import pytest

pytest.importorskip("onnxruntime", reason="the extra `neural` is not installed")
pytest.importorskip("tokenizers", reason="the extra `neural` is not installed")

import otherwords
from otherwords import Detector, ModelError, Rules, UsageError
from otherwords.encoders import pair as pairs_of
from otherwords.encoders import pair_model
from otherwords.encoders.bert_folder import read_folder
from otherwords.encoders.pair import PairModel
from otherwords.encoders.pair_graph import TOP as LAYERS_TOGETHER
from otherwords.encoders.pair_model import FINDINGS, joined, open_trained
from otherwords.errors import UnreadWarning
from otherwords.metrics import registry
from otherwords.metrics.facts import FEATURES, finding_features
from otherwords.metrics.pair import MOST, SHOWN, edits, turns
from otherwords.models import container
from tests import tiny_encoder as tiny
from tests import tiny_pair
from tests.oracles import bert

TEXTS = [
    "The cat sat on the mat.",
    "He bought a small car.",
    "a",
    "Prices rose in May by 3 %, and the ship's course is the same?",
    "He bought a small dog.",
]
LEFT, RIGHT = zip(*[(one, other) for one in TEXTS for other in TEXTS if one != other], strict=True)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tiny.write_folder(tmp_path_factory.mktemp("tiny") / "model")


@pytest.fixture(scope="module")
def file(tmp_path_factory, folder):
    return tiny_pair.write_pair(tmp_path_factory.mktemp("pair") / "tiny.owm", folder)


@pytest.fixture
def options(folder, file):
    return {"model": str(file), "encoder": str(folder)}


def fresh(folder, file, **more):
    return PairModel(open_trained(file), read_folder(folder), **more)


def by_definition(model, one, other):
    """Probabilities of a pair from the definitions alone; `other` is the reference."""
    base = tiny.weights()
    found = tiny_pair.arrays(base, tiny.LAYERS, tiny.HEADS)
    ids = [model.tokenizer.encode(text).ids for text in (other, one)]
    trained = tiny_pair.merged(found)
    logits = bert.pair(base, trained, *ids, tiny.LAYERS, tiny.HEADS, LAYERS_TOGETHER)
    scale = found["calibration"]
    return [1 / (1 + math.exp(-(a * x + b))) for x, (a, b) in zip(logits, scale, strict=True)]


def test_probabilities_are_those_of_the_definition(folder, file):
    model = fresh(folder, file, bits=32)
    found = model.probabilities(LEFT, RIGHT)
    assert found.shape == (len(LEFT), 4)
    for row, one, other in zip(found, LEFT, RIGHT, strict=True):
        assert row == pytest.approx(by_definition(model, one, other), abs=2e-5)
    assert np.ptp(found, axis=0).min() > 0.02  # the pairs differ


def test_exchanging_the_texts_exchanges_missing_and_added(folder, file, tmp_path):
    alike = damaged(file, tmp_path, put("calibration", lambda a: a[[0, 1, 2, 2]]))
    there, back = (
        fresh(folder, alike).probabilities(*sides) for sides in ((LEFT, RIGHT), (RIGHT, LEFT))
    )
    assert np.array_equal(there, back[:, [0, 1, 3, 2]])
    assert not np.array_equal(there, back)


@pytest.mark.parametrize("bits", [8, 32])
def test_a_pair_has_the_same_numbers_in_every_company(folder, file, bits):
    left = [f"{text} {'the ' * n}" for n in range(12) for text in TEXTS]
    right = left[7:] + left[:7]
    whole = fresh(folder, file, bits=bits).probabilities(left, right)
    threads = fresh(folder, file, bits=bits).probabilities(left, right, threads=4)
    assert np.array_equal(whole, threads)
    single = fresh(folder, file, bits=bits)
    alone = [single.probabilities([a], [b])[0] for a, b in zip(left, right, strict=True)]
    assert np.array_equal(whole, alone)


def test_eight_bits_are_close(folder, file):
    full, small = (fresh(folder, file, bits=bits).probabilities(LEFT, RIGHT) for bits in (32, 8))
    assert np.abs(full - small).mean() < 0.02
    assert np.abs(full - small).max() > 0  # it is not the same model


def test_repeated_pairs_are_computed_once(folder, file, monkeypatch):
    model, computed = fresh(folder, file), []
    run = model.run
    monkeypatch.setattr(model, "run", lambda rows: computed.append(len(rows)) or run(rows))
    first = model.probabilities(LEFT[:3] * 2, RIGHT[:3] * 2)
    assert sum(computed) == 3
    assert np.array_equal(first[:3], first[3:])
    assert np.array_equal(model.probabilities(RIGHT[:3], LEFT[:3])[:, :2], first[:3, :2])
    assert sum(computed) == 3


def test_states_of_texts_are_computed_once_and_bounded(folder, file, monkeypatch):
    model, computed = fresh(folder, file), []
    read = model._read
    monkeypatch.setattr(model, "_read", lambda ids: computed.append(len(ids)) or read(ids))
    first = model.probabilities([TEXTS[0]] * 4, TEXTS[1:])
    model.probabilities([TEXTS[1]], [TEXTS[2]])
    assert sum(computed) == len(TEXTS)
    monkeypatch.setattr(pairs_of, "PIECES", 20)
    again = fresh(folder, file)
    assert np.array_equal(again.probabilities([TEXTS[0]] * 4, TEXTS[1:]), first)
    assert 0 < sum(len(one[0]) for one in again._states.values()) <= 20


def test_what_is_kept_is_bounded(folder, file, monkeypatch):
    monkeypatch.setattr(pairs_of, "KEPT", 4)
    model = fresh(folder, file)
    whole = model.probabilities(LEFT, RIGHT)
    assert len(model._kept) == 4
    assert np.array_equal(model.probabilities(LEFT, RIGHT), whole)


def test_equal_and_empty_texts(folder, file):
    model = fresh(folder, file)
    left = ["", " ", "", "The cat.", "the  CAT."]
    right = ["", "", "The cat.", "", "The cat."]
    wanted = [[1, 0, 0, 0], [1, 0, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1], [1, 0, 0, 0]]
    assert model.probabilities(left, right).tolist() == wanted
    assert model.probabilities([], []).shape == (0, 4)


@pytest.mark.filterwarnings("ignore::otherwords.errors.UnreadWarning")
def test_texts_that_differ_in_what_is_not_read_are_not_equal(folder, file, options):
    """Words that are unknown to the model, and the end of a long text."""
    model = fresh(folder, file)
    long = " ".join(["the"] * 60)
    left = ["The cat \U0001f44d", f"{long} rose", "The cat \U0001f44d", long, f"{long} rose"]
    right = [
        "The cat \U0001f44e",
        f"{long} not rose",
        "the  CAT \U0001f44d ",
        long,
        f"{long}  ROSE",
    ]
    found = model.probabilities(left, right)
    assert (found[:2, 0] < 1).all()
    assert found[2:].tolist() == [[1, 0, 0, 0]] * 3  # case and spaces do not count
    metric = otherwords.metric("pair", **options)
    texts = f"{long} It passed.", f"{long} It did not pass."
    asked = metric.measure([texts[0]], [texts[1]], 1)
    [row] = finding_features([texts])
    assert row.any()  # what is not read by the model is read by `facts`
    assert asked[0].tolist() != metric.model.probabilities([texts[0]], [texts[1]])[0].tolist()


@pytest.mark.filterwarnings("ignore::otherwords.errors.UnreadWarning")  # of the metric's model
def test_what_is_not_read_is_counted(folder, file, options):
    model = fresh(folder, file)
    long = " ".join(["the"] * 60)
    assert model.unread(TEXTS[0], TEXTS[1]) == 0
    assert model.unread(long, TEXTS[0]) == 62 - model.longest > 0
    with pytest.warns(UnreadWarning, match="reads 38 word pieces") as warned:
        same = model.probabilities([long, f"{long} cat"], [TEXTS[0]] * 2)
    assert len(warned) == 1
    assert np.array_equal(same[0], same[1])  # the end is not read
    explained = otherwords.metric("pair", **options).explain(long, TEXTS[0])
    assert explained.details["unread"] == model.unread(long, TEXTS[0])


def test_texts_are_checked(folder, file):
    model = fresh(folder, file)
    with pytest.raises(UsageError, match="2 texts on the left but 1 on the right"):
        model.probabilities(["a", "b"], ["a"])
    with pytest.raises(UsageError, match="not a single text"):
        model.probabilities("a", ["a"])
    with pytest.raises(UsageError, match="bits must be 32 or 8, not 16"):
        fresh(folder, file, bits=16)


def test_progress_counts_pairs(folder, file):
    done = []
    fresh(folder, file).probabilities(LEFT * 30, RIGHT * 30, progress=done.append)
    assert sum(done) == 30 * len(LEFT)
    assert len(done) > 1


def test_the_metric(folder, file, options):
    pair = otherwords.metric("pair", **options)
    assert pair.score_one(TEXTS[0], TEXTS[0]) == 1.0
    assert pair.score_one(TEXTS[0], [TEXTS[1], TEXTS[0]]) == 1.0
    model = PairModel.load(file, folder)
    row = model.probabilities([TEXTS[1]], [TEXTS[4]])[0]
    metric = otherwords.metric("pair", facts=False, **options)
    assert metric.statistics([TEXTS[1]], [[TEXTS[4]]])[0].tolist() == [*row, 1]
    assert metric.columns == ("same", "contradicted", "missing", "added", "segments")
    result = otherwords.score(
        "pair", [TEXTS[1]], sources=[TEXTS[4]], against="source", facts=False, **options
    )
    assert result.corpus == row[0]
    assert model.signature in result.signature
    assert result.parts["missing"].tolist() == [row[2]]


def test_findings_count_beside_the_model(folder, file, options):
    one, other = "He paid 30 euros.", "He paid 20 euros."
    model = PairModel.load(file, folder)
    [logits] = model.logits([one], [other])
    weights = open_trained(file).findings
    [found] = finding_features([(one, other)])
    found = [found[FEATURES.index(name)] for name in FINDINGS]
    assert sum(found) > 0
    [more] = joined(model.measured([one], [other]))
    both, alone = (
        otherwords.metric("pair", facts=facts, **options).statistics([one], [[other]])[0]
        for facts in (True, False)
    )
    for place in (0, 1):
        scaled = weights[place] @ [logits[place], *found, *more, 1]
        assert both[place] == pytest.approx(1 / (1 + math.exp(-scaled)), abs=1e-6)
    assert both[0] < alone[0]
    assert both[2:].tolist() == alone[2:].tolist()
    back = otherwords.metric("pair", **options).statistics([other], [[one]])[0]
    assert back[:2].tolist() == both[:2].tolist()
    same = otherwords.metric("pair", **options).statistics([one, ""], [[one], [one]])
    assert same[:, :4].tolist() == [[1, 0, 0, 0], [0, 0, 1, 0]]


def test_of_several_references_the_likeliest_counts(options):
    metric = otherwords.metric("pair", **options)
    single = [metric.statistics([TEXTS[1]], [[text]])[0] for text in TEXTS[2:]]
    [row] = metric.statistics([TEXTS[1]], [TEXTS[2:]])
    assert row.tolist() == max(single, key=lambda one: one[0]).tolist()


def test_the_signature_has_model_base_bits_and_runtime(options, tmp_path, folder):
    import onnxruntime

    other = tiny_pair.write_pair(tmp_path / "other.owm", folder, seed=1)
    found = {
        otherwords.metric("pair", **{**options, **more}).signature
        for more in ({}, {"bits": 32}, {"facts": False}, {"model": str(other)})
    }
    assert len(found) == 4
    digest = container.read(options["model"]).short_digest
    wanted = f"facts:no|model:pair-{digest}-{read_folder(folder).digest[:8]}-8bit-onnxruntime-"
    assert f"pair|v:1|{wanted}{onnxruntime.__version__}" in found


def test_explanations_name_the_edits_that_turn_the_verdict(options):
    metric = otherwords.metric("pair", **options)
    one, other = "He bought a small car in May.", "He bought a small dog in May."
    explained = metric.explain(one, other)
    turned = explained.details["turns"]
    before = explained.score
    assert turned
    for turn, span in zip(turned, explained.matches[0], strict=True):
        assert turn["change"] == pytest.approx(turn["same"] - before, abs=1e-6)
        assert span.kind == turn["edit"]
        assert one[slice(*span.hypothesis)] == span.hypothesis_text == turn["hypothesis_text"]
        assert other[slice(*span.reference)] == span.reference_text == turn["reference_text"]
    same = explained.details["verdict"] == "same"
    changes = [turn["change"] * (-1 if same else 1) for turn in turned]
    assert changes == sorted(changes, reverse=True)
    assert min(changes) > 0


def test_explanations_are_printed(options, tmp_path, run):
    (tmp_path / "a.txt").write_text(" ".join(["the"] * 60) + " small car.\n")
    (tmp_path / "b.txt").write_text(" ".join(["the"] * 60) + " small dog.\n")
    settings = [word for name, value in options.items() for word in ("--set", f"{name}={value}")]
    command = ["score", tmp_path / "a.txt", "-r", tmp_path / "b.txt", "-m", "pair", *settings]
    for more in (["--explain", "1"], ["--explain", "worst=1"]):
        code, found, _ = run(*command, *more)
        assert code == 0
        assert "verdict: " in found
        assert "unread: " in found
    run(*command, "--explain", "worst=1", "-f", "html", "-o", tmp_path / "w.html")
    assert "verdict" in (tmp_path / "w.html").read_text()


def test_an_edit_that_makes_both_texts_the_same_turns_a_wrong_verdict(folder, tmp_path):
    file = tiny_pair.write_pair(tmp_path / "strict.owm", folder, threshold=0.999999)
    metric = otherwords.metric("pair", model=str(file), encoder=str(folder))
    explained = metric.explain("He bought a small car.", "He bought a small dog.")
    assert explained.details["verdict"] != "same"
    first = explained.details["turns"][0]
    assert (first["edit"], first["same"]) == ("replaced", 1.0)
    assert (first["hypothesis_text"], first["reference_text"]) == ("car", "dog")


def test_no_two_edits_give_the_same_texts(options):
    one, other = "He did not sit on the mat.", "He did sit on the mat."
    metric = otherwords.metric("pair", **options)
    found = turns(metric, one, other)
    texts = [turn.edit.apply(one, other) for turn in found]
    assert len(set(texts)) == len(texts) > 3


def test_explanations_of_equal_and_empty_texts(options):
    metric = otherwords.metric("pair", **options)
    for one, other in (("", ""), ("", TEXTS[0]), (TEXTS[0], ""), (TEXTS[0], TEXTS[0])):
        explained = metric.explain(one, other)
        assert explained.score == float(one == other)
        json_able = explained.details["turns"]
        assert isinstance(json_able, list)


def test_fewer_edits_of_long_texts_are_tried(options, monkeypatch):
    metric = otherwords.metric("pair", **options)
    tried = []
    monkeypatch.setattr(
        metric, "measure", lambda left, *rest: tried.append(left) or np.ones((len(left), 4))
    )
    long = "the small cat sat. " * 2000
    for texts in (TEXTS[:2], [long + "He bought a car.", long + "He bought a dog."]):
        turns(metric, *texts)
    assert len(tried[0]) > len(tried[1]) == 1 + SHOWN


def test_edits_are_bounded():
    one, other = " ".join(f"w{i}" for i in range(500)), " ".join(f"v{i}" for i in range(500))
    assert len(edits(one, other)) == MOST
    assert len(edits("a b " * 20_000, "b a " * 20_000)) == MOST  # and it takes no hours


@pytest.mark.parametrize(
    ("one", "other", "edit"),
    [
        ("He left home in May.", "He left in May.", ("home", "", "He left in May.")),
        ("He left in May.", "He left home in May.", ("", "home", "He left home in May.")),
        ("He hired her.", "He fired her.", ("hired", "fired", "He fired her.")),
    ],
)
def test_edits_undo_a_difference(one, other, edit):
    found = [
        (one[slice(*e.hypothesis)], other[slice(*e.reference)], e.apply(one, other)[0])
        for e in edits(one, other)
    ]
    assert edit in found


def damaged(file, tmp_path, change, **more):
    """The file after `change(arrays, provenance)`."""
    model = container.read(file)
    arrays, provenance = dict(model.arrays), dict(model.provenance) | more
    change(arrays, provenance)
    container.write(tmp_path / "damaged.owm", "pair", arrays, provenance)
    return tmp_path / "damaged.owm"


TOP = f"encoder.layer.{tiny.LAYERS - 1}"
QUERY = f"matrix/{TOP}.attention.self.query.weight"
NORM = f"vector/{TOP}.output.LayerNorm.weight"


def put(name, value):
    return lambda arrays, _: arrays.__setitem__(name, value(arrays[name]))


DAMAGE = {
    "no head": lambda arrays, _: arrays.pop("head/out/bias"),
    "head of another width": put("head/dense/weight/codes", lambda a: a[:, :-1].copy()),
    "not finite": put("head/out/bias", lambda a: np.full_like(a, np.nan)),
    "far": put("head/out/bias", lambda a: np.full_like(a, 1e9)),
    "no scale": lambda arrays, _: arrays.pop(f"{QUERY}/scale"),
    "scale of another type": put(f"{QUERY}/scale", lambda a: a.astype(np.float64)),
    "codes of another shape": put(f"{QUERY}/codes", lambda a: a[:-1].copy()),
    "codes of another type": put(f"{QUERY}/codes", lambda a: a.astype(np.int16)),
    "no matrix": lambda a, _: (a.pop(f"{QUERY}/codes"), a.pop(f"{QUERY}/scale")),
    "no vector": lambda arrays, _: arrays.pop(NORM),
    "no join": lambda arrays, _: arrays.pop("join/across"),
    "another number of heads": put("join/across", lambda a: a[:, :-1].copy()),
    "no findings": lambda arrays, _: arrays.pop("findings"),
    "findings of another shape": put("findings", lambda a: a[:, :-1].copy()),
    "findings that are no numbers": put("findings", lambda a: a * np.nan),
    "no codes of the head": lambda arrays, _: arrays.pop("head/dense/weight/codes"),
    "vector of another shape": put(NORM, lambda a: a[:-1].copy()),
    "unknown weight": lambda arrays, _: arrays.update({"vector/nothing": np.zeros(3, np.float32)}),
    "unknown section": lambda arrays, _: arrays.update({"more/x": np.zeros(3, np.float32)}),
    "no calibration": lambda arrays, _: arrays.pop("calibration"),
    "calibration of another shape": put("calibration", lambda a: a[:3].copy()),
    "endless calibration": put("calibration", lambda a: a + np.inf),
    "other outputs": lambda _, about: about.update(outputs=["same", "contradicted"]),
    "no outputs": lambda _, about: about.pop("outputs"),
    "no base": lambda _, about: about.pop("base"),
    "a base that is no text": lambda _, about: about.update(base=5),
    "no threshold": lambda _, about: about.pop("threshold"),
    "a threshold beyond 1": lambda _, about: about.update(threshold=1.5),
}


@pytest.mark.parametrize("name", DAMAGE)
def test_damaged_models_are_refused(name, file, folder, tmp_path):
    path = damaged(file, tmp_path, DAMAGE[name])
    with pytest.raises(ModelError, match=r"damaged\.owm: the pair model is damaged: ") as caught:
        PairModel.load(path, folder)
    assert "\n" not in str(caught.value)


def test_other_weights_are_refused(file, tmp_path, refused):
    other = tiny.write_folder(tmp_path / "other", seed=1)
    (tmp_path / "a.txt").write_text("The cat sat.\n")
    command = ["score", tmp_path / "a.txt", "-r", tmp_path / "a.txt", "-m", "pair"]
    error = refused(*command, "--set", f"encoder={other}", "--set", f"model={file}")
    assert error.count("\n") == 1
    wanted, found = (container.read(file).provenance["base"], read_folder(other).digest)
    assert f"needs the weights {wanted[:8]}, and these are {found[:8]}" in error


def test_wrong_calls_are_one_line(file, folder, tmp_path):
    with pytest.raises(ModelError, match="a pair model is needed"):
        PairModel.load(container.embedded("lexicon"), folder)
    with pytest.raises(ModelError, match="cannot open the model"):
        PairModel.load(tmp_path / "none.owm", folder)
    with pytest.raises(UsageError, match="needs the folder of the weights, not a file"):
        PairModel.load(file, file)
    with pytest.raises(UsageError, match="model must be 'pair' or a path"):
        PairModel.load(5, folder)
    with pytest.raises(UsageError, match="bits must be 32 or 8, not True"):
        PairModel.load(file, folder, bits=True)
    with pytest.raises(UsageError, match="facts must be true or false"):
        otherwords.metric("pair", facts=1, model=str(file), encoder=str(folder))


def test_a_graph_alone_is_no_base(file, folder, tmp_path):
    other = tmp_path / "graph"
    shutil.copytree(folder, other)
    (other / "model.safetensors").rename(other / "model.onnx")
    with pytest.raises(ModelError, match="the pair model needs the weights"):
        PairModel.load(file, other)


def test_a_model_that_changed_is_opened_again(folder, tmp_path):
    path = tiny_pair.write_pair(tmp_path / "m.owm", folder)
    before = PairModel.load(path, folder)
    assert PairModel.load(path, folder) is before
    tiny_pair.write_pair(path, folder, seed=1)
    assert PairModel.load(path, folder).signature != before.signature


def test_without_the_embedded_model(folder, monkeypatch, tmp_path):
    monkeypatch.setattr(pair_model, "embedded", lambda name: tmp_path / f"{name}.owm")
    with pytest.raises(ModelError, match="this installation has no embedded pair model"):
        PairModel.load(encoder=folder)


@pytest.fixture
def installed(tiny_package, monkeypatch, tmp_path):
    """Put a model that calls every pair of different texts a contradiction, or (threshold 0)
    none, in the place of the embedded one.
    """
    monkeypatch.syspath_prepend(str(tiny_package))
    [config] = tiny_package.rglob("config.json")

    def put_there(threshold):
        file = tiny_pair.write_pair(tmp_path / "p.owm", config.parent, threshold=threshold)
        monkeypatch.setattr(pair_model, "embedded", lambda name: file)
        registry._OBJECTS.clear()

    yield put_there
    registry._OBJECTS.clear()  # metrics of this model


NEVER, ALWAYS = 1e-6, 1 - 1e-6
REWRITES = ["He bought a small car.", "The cat sat on the mat."]
ORIGINALS = ["He bought a small dog.", "The cat sat on the mat."]


def test_the_gate_by_the_model(installed):
    installed(ALWAYS)
    given = {"sources": ORIGINALS, "rules": Rules(no_contradictions="pair")}
    result = otherwords.gate(None, REWRITES, **given)
    [check], [found] = result.checks, result.contradictions
    assert (check.metric, check.passed, check.offending) == ("pair", False, 1)
    assert (found.item, found.finding.kind) == ("1", "pair")
    assert (found.finding.hypothesis_text, found.finding.reference_text) == ("car", "dog")
    assert result.signatures["pair"].startswith("pair|v:1|")
    installed(NEVER)
    assert otherwords.gate(None, REWRITES, **given).passed


def test_the_gate_by_either(installed):
    installed(NEVER)
    rules = Rules(no_contradictions="either")
    result = otherwords.gate(
        None, ["He paid 30 euros."], sources=["He paid 20 euros."], rules=rules
    )
    checked = {check.metric: check.passed for check in result.checks}
    assert checked == {"facts": False, "pair": True}
    assert [one.finding.kind for one in result.contradictions] == ["number"]


def test_of_several_references_the_gate_takes_the_least_contradicted(installed):
    installed(ALWAYS)
    references = [["The mat sat.", REWRITES[0]], ["A cat.", "A mat.", "A dog."]]
    result = otherwords.gate(None, REWRITES, references, rules=Rules(no_contradictions="pair"))
    [found] = result.contradictions
    rows = otherwords.metric("pair").measure([REWRITES[1]] * 3, references[1], 1)
    assert (found.item, found.target) == ("2", references[1][int(np.argmin(rows[:, 1]))])


def test_the_options_of_gate_and_rank(installed, tmp_path, run, ok, refused):
    installed(ALWAYS)
    for name, lines in (("new.txt", REWRITES), ("old.txt", ORIGINALS)):
        (tmp_path / name).write_text("\n".join(lines) + "\n")
    command = ["gate", tmp_path / "new.txt", "-s", tmp_path / "old.txt"]
    code, out, _ = run(*command, "--no-contradictions", "--detector", "pair")
    assert code == 1
    assert "car" in out
    assert "--no-contradictions" in refused(*command, "--min-meaning", "0", "--detector", "pair")
    found = refused(*command, "--no-contradictions", "--set", f"encoder={tmp_path}")
    assert "--set does nothing without -m" in found
    found = refused(*command, "--no-contradictions", "--detector-encoder", tmp_path)
    assert "detector-encoder does nothing with the detector facts" in found
    found = refused(*command, "--no-contradictions", "--detector", "pair", "--tokenizer", "none")
    assert "--tokenizer does nothing without -m" in found
    accepted = tmp_path / "accepted.jsonl"
    command += ["--no-contradictions", "--detector", "pair"]
    assert "there is no such encoder" in refused(*command, "--detector-encoder", tmp_path / "none")
    run(*command, "-o", accepted)
    ok(*command, "--accept", accepted)
    rows = [{"source": ORIGINALS[0], "candidates": [REWRITES[0], ORIGINALS[0]]}]
    (tmp_path / "c.jsonl").write_text("\n".join(map(json.dumps, rows)))
    command = ["rank", tmp_path / "c.jsonl"]
    out = ok(*command, "--no-contradictions", "--detector", "pair")
    assert "(1 left out: they contradict it)" in out
    assert REWRITES[0] not in out
    assert "--no-contradictions" in refused(*command, "--detector", "pair")
    chosen = ["--no-contradictions", "--detector", "pair", "--detector-encoder", tmp_path / "none"]
    assert "there is no such encoder" in refused(*command, "-m", "pinc", *chosen)


def test_the_detector_takes_its_weights(folder, tmp_path, monkeypatch):
    """Where no package with weights is installed, their folder is given; metrics do not see it."""
    file = tiny_pair.write_pair(tmp_path / "p.owm", folder, threshold=ALWAYS)
    monkeypatch.setattr(pair_model, "embedded", lambda name: file)
    rules = Rules(no_contradictions=Detector("pair", folder))
    for metric in (None, "pinc", otherwords.metric("pinc")):
        result = otherwords.gate(metric, REWRITES, sources=ORIGINALS, rules=rules)
        assert [one.item for one in result.contradictions] == ["1"]
    with pytest.raises(UsageError, match="does nothing with the detector facts"):
        Detector("facts", folder)
    sources = [(ORIGINALS[0], [REWRITES[0], ORIGINALS[0]])]
    [ranking] = otherwords.rank(sources, "pinc", no_contradictions=rules.detector)
    assert ([one.place for one in ranking.ranked], ranking.left_out) == ([2], 1)


def test_rank_by_the_model_and_without_contradictions(installed):
    installed(ALWAYS)
    sources = [(ORIGINALS[0], [REWRITES[0], ORIGINALS[0]])]
    [ranking] = otherwords.rank(sources, "pair", against="source", findings=True)
    assert [one.place for one in ranking.ranked] == [2, 1]
    assert list(ranking.ranked[0].parts) == ["contradicted", "missing", "added"]
    assert ranking.left_out == 0
    [ranking] = otherwords.rank(sources, "pair", against="source", no_contradictions="pair")
    assert ([one.place for one in ranking.ranked], ranking.left_out) == ([2], 1)
    assert ranking.document["left_out"] == 1
    with pytest.raises(UsageError, match="detector must be facts, pair or either, not 'both'"):
        otherwords.rank(sources, no_contradictions="both")
    with pytest.raises(UsageError, match="no_contradictions must be true or false, not 1"):
        Rules(no_contradictions=1)


def test_rank_leaves_out_what_facts_finds():
    source = "He paid 20 euros for the book."
    texts = ["He paid 30 euros for the book.", "For the book he paid 20 euros."]
    [ranking] = otherwords.rank([(source, texts)], no_contradictions=True)
    assert ([one.place for one in ranking.ranked], ranking.left_out) == ([2], 1)

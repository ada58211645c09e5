from __future__ import annotations

import random
import subprocess
import sys
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import otherwords
from otherwords import InputError, ModelError, UsageError, _native
from otherwords.models import container
from otherwords.models.container import embedded
from otherwords.text.lexicon import Lexicon, synsets_path
from otherwords.text.stemmer import stem
from tests.oracles.wordnet import WordNet

DICT = Path("/usr/share/wordnet")  # Debian's wordnet-base
TOOL = Path(__file__).parents[1] / "tools" / "compile_lexicon.py"
CLITICS = TOOL.with_name("clitics.tsv")  # forms that we know better than morphy
needs_wordnet = pytest.mark.skipif(not DICT.is_dir(), reason="wordnet-base is not installed")


@pytest.fixture(scope="module")
def lexicon():
    return Lexicon.load()


@pytest.fixture(scope="module")
def wordnet():
    return WordNet(DICT)


@pytest.mark.parametrize(
    ("word", "tag", "lemma"),
    [
        ("geese", "NNS", "goose"), ("churches", "NNS", "church"), ("women", "NNS", "woman"),
        ("was", "VBD", "be"), ("stopped", "VBD", "stop"), ("making", "VBG", "make"),
        ("better", "JJR", "good"), ("largest", "JJS", "large"), ("works", "NNS", "work"),
        ("works", "VBZ", "work"), ("bus", "NN", "bus"), ("n't", "RB", "not"), ("ca", "MD", "can"),
        ("'s", "VBZ", "be"), ("'s", "POS", "'s"), ("the", "DT", "the"), ("London", "NNP", "london"),
        ("blogs", "NNS", "blog"), ("data", "NN", "data"), ("me", "PRP", "i"),
        ("googles", "VBZ", "google"), ("Élan", "NN", "élan"), ("later", "RBR", "late"),
    ],
)  # fmt: skip
def test_lemmas(lexicon, word, tag, lemma):
    assert lexicon.lemmatize([word], [tag]) == [lemma]


def test_lemmas_with_case(lexicon):
    words, tags = ["London", "NATO", "Geese", "iPods", "I"], ["NNP", "NNP", "NNS", "NNS", "PRP"]
    kept = lexicon.lemmatize(words, tags, case=True)
    assert kept == ["London", "NATO", "Goose", "ipod", "I"]


def test_synonyms(lexicon):
    assert lexicon.native.synonyms("car", "automobile")
    assert not lexicon.native.synonyms("car", "purchase")
    assert lexicon.native.synonyms("qwertz", "qwertz")
    assert "goose" in lexicon
    assert "qwertz" not in lexicon
    with pytest.raises(InputError, match="2 words but 1 tags"):
        lexicon.lemmatize(["a", "b"], ["DT"])


@needs_wordnet
def test_synonyms_equal_the_oracle(lexicon, wordnet):
    words = sorted({word for word, _ in wordnet.synsets if "_" not in word})
    rng = random.Random(0)
    sample = rng.sample(words, 400) + "go run get take make good well back light set".split()
    synonyms = cache(wordnet.synonyms)
    near = [(a, b) for a in sample for b in synonyms(a) if "_" not in b]
    far = [(rng.choice(sample), rng.choice(sample)) for _ in range(20_000)]
    found = 0
    for a, b in near + far:
        expected = bool(synonyms(a) & synonyms(b))
        assert lexicon.native.synonyms(a, b) == expected, (a, b)
        found += expected
    assert found > 1000


@needs_wordnet
def test_strict_synonyms_share_a_synset(lexicon, wordnet):
    words = sorted({word for word, _ in wordnet.synsets if "_" not in word})
    rng = random.Random(1)
    sample = rng.sample(words, 300) + "be know go run get take make good well back set".split()
    synonyms = cache(wordnet.synonyms)
    near = [(a, b) for a in sample for c in synonyms(a) for b in synonyms(c) if "_" not in b]
    strict = broad = 0
    for a, b in near:
        if a == b:
            continue
        expected = b in synonyms(a)
        assert lexicon.strict.synonyms(a, b) == expected, (a, b)
        strict += expected
        broad += lexicon.native.synonyms(a, b)
    assert 300 < strict < broad


@needs_wordnet
@pytest.mark.parametrize(
    ("letter", "tag", "endings"),
    [("n", "NNS", ["s", "es"]), ("v", "VBD", ["s", "ed", "d", "ing"]), ("a", "JJR", ["er", "st"])],
)
def test_lemmas_equal_morphy(lexicon, wordnet, letter, tag, endings):
    bases = sorted(w for w, kind in wordnet.synsets if kind == letter and w.isalpha())
    forms = [base + ending for base in bases[::7] for ending in endings]
    forms += [form for form, kind in wordnet.exceptions if kind == letter and form.isalpha()]
    ours = {line.split("\t")[1] for line in CLITICS.read_text().splitlines() if "\t" in line}
    forms = [form for form in forms if form not in ours]
    different = 0
    for form, found in zip(forms, lexicon.lemmatize(forms, [tag] * len(forms)), strict=True):
        expected = wordnet.morphy(form, letter)
        if expected is None or "_" in expected:
            continue  # where morphy is silent, our spelling rules may speak
        different += found != expected
    assert different == 0


@needs_wordnet
def test_embedded_lexicon_is_what_the_tool_makes(tmp_path):
    made = tmp_path / "lexicon.owm"
    subprocess.run([sys.executable, TOOL, DICT, "-o", made], check=True, capture_output=True)
    assert made.read_bytes() == embedded("lexicon").read_bytes()
    beside = synsets_path(made)
    assert beside.read_bytes() == synsets_path(embedded("lexicon")).read_bytes()


def test_a_users_own_lexicon(tmp_path):
    """A dict/ folder of two synsets, written by hand in WordNet's format."""
    folder = tmp_path / "dict"
    folder.mkdir()
    for name in ("noun", "verb", "adj", "adv"):
        (folder / f"data.{name}").write_text("  a licence\n")
        (folder / f"{name}.exc").write_text("")
    (folder / "data.noun").write_text(
        "  a licence\n00000014 05 n 02 frob 0 gizmo 0 000 | a thing\n"
        "00000050 05 n 03 Gizmo 0 whatsit 0 frob_thing 0 000 | another\n"
    )
    (folder / "noun.exc").write_text("frobae frob\n")
    made = tmp_path / "my.owm"
    subprocess.run([sys.executable, TOOL, folder, "-o", made], check=True, capture_output=True)
    mine = Lexicon.load(made)
    assert mine.lemmatize(["frobae", "whatsits"], ["NNS", "NNS"]) == ["frob", "whatsit"]
    assert mine.native.synonyms("frob", "gizmo")
    assert mine.native.synonyms("frob", "whatsit")  # both have gizmo
    assert mine.strict.synonyms("frob", "gizmo")
    assert not mine.strict.synonyms("frob", "whatsit")  # no synset has both
    options = {"references": [["frob"]], "lexicon": str(made), "any_language": True, "orders": 1}
    broad, strict = (
        otherwords.score("maxsim", ["whatsit"], **options, syn=syn).corpus
        for syn in ("word", "synset")
    )
    assert broad - strict == pytest.approx(0.5)  # eq. 1: half of a match is the synonym
    beside = synsets_path(made)
    beside.write_bytes(synsets_path(embedded("lexicon")).read_bytes())
    made.touch()
    with pytest.raises(ModelError, match="made with another lexicon"):
        otherwords.score("maxsim", ["whatsit"], **options, syn="synset")
    with pytest.raises(UsageError, match="unknown syn 'synsets'; did you mean 'synset'"):
        otherwords.score("maxsim", ["whatsit"], **options, syn="synsets")
    assert "frob_thing" not in mine
    assert mine.digest != Lexicon.load().digest


def test_antonyms():
    """hot, cold: a pointer of WordNet; the adverbs of gradual, sudden; pretty is like beautiful."""
    near, direct = (set(table.tolist()) for table in Lexicon.load().antonyms)
    keys = _native.hash_words(["cold hot", "gradually suddenly", "pretty ugly", "hot tree"])
    cold, gradually, pretty, tree = (keys >> np.uint64(32)).tolist()
    assert {cold, gradually} <= direct
    assert pretty in near - direct
    assert tree not in near | direct


class TestModelFiles:
    def test_round_trip_and_same_bytes(self, tmp_path):
        arrays = {"a": np.arange(5, dtype=np.uint64), "b": np.zeros((2, 0), dtype=np.int8)}
        paths = [tmp_path / "one.owm", tmp_path / "two.owm"]
        for path in paths:
            container.write(path, "test", arrays, {"by": "us"})
        assert paths[0].read_bytes() == paths[1].read_bytes()
        model = container.read(paths[0], "test")
        assert model.arrays["a"].tolist() == [0, 1, 2, 3, 4]
        assert model.arrays["b"].shape == (2, 0)
        assert model.provenance == {"by": "us"}

    @pytest.mark.parametrize("damage", ["truncated", "flipped", "header", "longer"])
    def test_damage_is_refused_with_its_reason(self, tmp_path, damage):
        raw = bytearray(embedded("lexicon").read_bytes())
        if damage == "truncated":
            raw = raw[:-100]
        elif damage == "flipped":
            raw[len(raw) // 2] ^= 1
        elif damage == "header":
            raw[40] ^= 1
        else:
            raw += b"x"
        path = tmp_path / "bad.owm"
        path.write_bytes(raw)
        with pytest.raises(ModelError, match=r"truncated|damaged"):
            Lexicon.load(path)

    def test_other_files_are_refused(self, tmp_path):
        path = tmp_path / "other"
        path.write_bytes(b"\x1f\x8b and so on, a gzip file")
        with pytest.raises(ModelError, match="looks like a gzip file"):
            Lexicon.load(path)
        path.write_bytes(b"")
        with pytest.raises(ModelError, match="the file is empty"):
            Lexicon.load(tmp_path / "other")
        with pytest.raises(ModelError, match="no such file"):
            Lexicon.load(tmp_path / "none")
        container.write(path, "tagger", {"a": np.zeros(1)}, {})
        with pytest.raises(ModelError, match="this is a tagger model; a lexicon model is needed"):
            Lexicon.load(path)

    def test_arrays_that_do_not_fit_are_refused(self, tmp_path):
        model = container.read(embedded("lexicon"), "lexicon")
        for name in model.arrays:
            arrays = {k: (v[:-1] if k == name else v) for k, v in model.arrays.items()}
            path = tmp_path / f"{name}.owm"
            container.write(path, "lexicon", arrays, {})
            with pytest.raises(ModelError):
                Lexicon.load(path)
            arrays[name] = model.arrays[name].astype(np.float64)
            path = tmp_path / f"{name}-type.owm"
            container.write(path, "lexicon", arrays, {})
            with pytest.raises(ModelError, match=f"array '{name}' has another type"):
                Lexicon.load(path)
        container.write(tmp_path / "x.owm", "lexicon", {"classes": np.zeros(1)}, {})
        with pytest.raises(ModelError, match="no array 'words'"):
            Lexicon.load(tmp_path / "x.owm")


def test_stems():
    # From Porter (1980), The Porter stemming algorithm.
    words = "caresses ponies cats agreed plastered motoring hopping relational conditional"
    stems = "caress poni cat agre plaster motor hop relat condit"
    assert stem(words.split()) == stems.split()

"""ARPA files: ours read by KenLM, those of other tools read by us, wrong ones refused."""

from __future__ import annotations

import gzip

import kenlm
import numpy as np
import pytest

from otherwords.build.lm import estimate, load_model, save_model
from otherwords.errors import InputError, UsageError

TEXT = [
    "the cat sat on the mat .",
    "the dog sat on the cat .",
    "a dog and a cat saw the mat .",
    "",
    "the mat was on the dog",
] * 3 + ["birds sang", "the birds sang on and on"]
QUERIES = [*TEXT, "", "unseen", "the unseen cat sat", "on the birds sang the dog .", "cat " * 50]

# As SRILM writes: no back-off where nothing follows, -99 for <s>, spaces among tabs.
SRILM = """
\\data\\
ngram 1=5
ngram 2=4
ngram 3=2

\\1-grams:
-0.6 </s>
-99\t<s>\t-0.3
-0.5\ta\t-0.25
-0.7\tb -0.125
-1.0\tc

\\2-grams:
-0.2\t<s> a -0.5
-0.4\ta b\t0.25
-0.6\tb </s>
-0.8\tb a

\\3-grams:
-0.1\t<s> a b
-0.3\ta b </s>

\\end\\
"""


@pytest.fixture
def srilm(tmp_path):
    def written(text=SRILM, name="lm.arpa"):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return path

    return written


def load(path):
    return load_model(path, tokenizer="none")


@pytest.mark.parametrize("order", [2, 3, 4, 5])  # it does not read models of single words
@pytest.mark.parametrize("options", [{}, {"prune": [0, 1]}, {"prune_entropy": 1e-2}])
def test_kenlm_reads_ours_and_scores_the_same(tmp_path, order, options):
    model = estimate(TEXT, order=order, tokenizer="none", **options)
    path = tmp_path / "lm.arpa"
    save_model(model, path)
    other = kenlm.Model(str(path))
    assert other.order == order
    expected = [other.score(text) for text in QUERIES]
    np.testing.assert_allclose(model.score(QUERIES), expected, atol=1e-4)
    for text in QUERIES:
        lengths = [(n, oov) for _, n, oov in other.full_scores(text)]
        ours = [(max(n, 1), n == 0) for _, _, n in model.tokens(text)]
        assert ours == lengths


@pytest.mark.parametrize("name", ["lm.arpa", "lm.arpa.gz"])
def test_there_and_back(tmp_path, name):
    model = estimate(TEXT, order=4, tokenizer="none")
    save_model(model, tmp_path / name)
    back = load(tmp_path / name)
    assert back.digest == model.digest
    assert back.words == model.words
    save_model(back, tmp_path / f"again-{name}")
    assert (tmp_path / f"again-{name}").read_bytes() == (tmp_path / name).read_bytes()
    if name.endswith(".gz"):
        assert gzip.decompress((tmp_path / name).read_bytes()).startswith(b"\\data\\\n")


def test_a_packed_file_has_no_words(tmp_path):
    model = estimate(TEXT, order=3)
    save_model(model, tmp_path / "lm.owm")
    assert b"birds" not in (tmp_path / "lm.owm").read_bytes()
    back = load_model(tmp_path / "lm.owm")
    assert back.score(QUERIES).tobytes() == model.score(QUERIES).tobytes()
    with pytest.raises(UsageError, match="hashes, not words"):
        save_model(back, tmp_path / "lm.arpa")


def test_a_file_of_another_tool(srilm):
    model = load(srilm())
    assert model.sizes == [6, 4, 2]  # <unk> is added
    # <s> a b </s>: found as bigram, trigram, trigram.
    assert model.score(["a b"])[0] == pytest.approx(-0.2 - 0.1 - 0.3)
    # b after <s>: back-off -0.3, b -0.7; a after b -0.8, <s> b is absent;
    # </s> after b a: back-off of "b a" is missing (0), of a -0.25, </s> -0.6.
    assert model.score(["b a"])[0] == pytest.approx(-0.3 - 0.7 - 0.8 - 0.25 - 0.6)
    # An unknown word where the file has no <unk>: -100, as in KenLM.
    assert model.tokens("x")[0][1] == pytest.approx(-0.3 - 100)


def test_kenlm_reads_the_file_of_another_tool_alike(srilm):
    tabs = SRILM.replace("-0.6 <", "-0.6\t<").replace(" -0.", "\t-0.")  # it is strict here
    path = srilm(tabs)
    other, model = kenlm.Model(str(path)), load(path)
    texts = ["a b", "b a", "a b a b c", "c c", "b", ""]
    expected = [other.score(text) for text in texts]
    np.testing.assert_allclose(model.score(texts), expected, atol=1e-5)


def test_a_suffix_that_pruning_left_out(srilm):
    # "a b </s>" without "b </s>": the same probabilities as by backing off.
    text = SRILM.replace("-0.6\tb </s>\n", "").replace("ngram 2=4", "ngram 2=3")
    model = load(srilm(text))
    assert model.sizes == [6, 4, 2]
    assert model.score(["a b"])[0] == pytest.approx(-0.2 - 0.1 - 0.3)
    assert model.score(["b"])[0] == pytest.approx(-0.3 - 0.7 - 0.125 - 0.6)


def test_odd_but_legal_files(srilm, tmp_path):
    expected = load(srilm()).score(["a b", "c"]).tolist()
    variants = [
        "\ufeff" + SRILM.lstrip(),
        SRILM.replace("\n", "\r\n"),
        "A comment of some tool.\n" + SRILM,
        SRILM.replace("ngram 1=5", "ngram  1 = 5"),
        SRILM.replace("ngram 1=5", "ngram 1=6").replace("-1.0\tc", "-1.0\tc\n-2\t<unk>\t0"),
    ]
    for text in variants:
        assert load(srilm(text)).score(["a b", "c"]).tolist() == expected
    no_probability = load(srilm(SRILM.replace("-1.0\tc", "-inf\tc")))
    assert np.isfinite(no_probability.score(["c"])).all()


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ("\\data\\", "data", 23, "no \\data\\ line"),
        ("ngram 2=4", "ngram 2", 4, "'ngram N=COUNT' is expected"),
        ("ngram 2=4\n", "", 4, "lengths of the header are not 1, 2, 3"),
        ("ngram 1=5", "ngram 1=4", 13, "\\2-grams: is expected here, not '-1.0"),
        ("ngram 1=5", "ngram 1=6", 14, "the header promises 6 1-grams, found 5"),
        ("-0.5\ta", "-0.5x\ta", 10, "the log10 probability is not a number: '-0.5x'"),
        ("-0.5\ta", "nan\ta", 10, "not a number"),
        ("-0.5\ta", "0.5\ta", 10, "above 0"),
        ("a\t-0.25", "a\tmuch", 10, "the back-off is not a number"),
        ("a\t-0.25", "a b c", 10, "not 4 fields"),
        ("-0.7\tb", "-0.7\ta", 11, "the word 'a' stands here again"),
        ("-0.8\tb a", "-0.8\tb q", 18, "the word 'q' is not among the 1-grams"),
        ("-0.8\tb a", "-0.8\ta b", 18, "this n-gram stands here again"),
        ("-0.6 </s>\n", "-0.6 d\n", 12, "have no </s>"),
        ("\\end\\\n", "", 23, "\\end\\ is missing"),
        ("\\3-grams:", "\\4-grams:", 20, "\\3-grams: is expected"),
    ],
)
def test_wrong_files_are_reported_with_their_line(srilm, old, new, line, message):
    path = srilm(SRILM.replace(old, new))
    with pytest.raises(InputError) as error:
        load(path)
    assert message in str(error.value)
    assert abs(error.value.line - line) <= 1
    assert str(error.value).startswith(f"{path}:")


def test_cut_off_anywhere(srilm):
    for size in range(len(SRILM) - 2):
        with pytest.raises(InputError):
            load(srilm(SRILM[:size]))


def test_bytes_that_are_not_text(tmp_path):
    path = tmp_path / "lm.arpa"
    path.write_bytes(SRILM.encode().replace(b"\tc\n", b"\t\xff\n"))
    with pytest.raises(InputError, match="not UTF-8"):
        load(path)
    path.write_bytes(bytes(range(256)) * 50)
    with pytest.raises(InputError, match="is this an ARPA file"):
        load(path)
    with pytest.raises(InputError, match="no such file"):
        load(tmp_path / "none.arpa")

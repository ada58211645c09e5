"""Phrase tables of others as a paraphrase model (`pack_pivots`)."""

from __future__ import annotations

import gzip

import pytest

import otherwords
from otherwords.errors import InputError, UsageError
from otherwords.lm import LanguageModel
from otherwords.phrases.paraphrase_model import ParaphraseModel
from otherwords.phrases.pivot_models import pack_pivots

TABLE = """\
a ||| x ||| 0.5 1 0.1 1 ||| 0-0 ||| 4 20 2
a ||| y ||| 0.6 1 0.9 1 ||| 0-0 ||| 30 20 18
b ||| y ||| 0.4 1 1.0 1 ||| 0-0 ||| 30 12 12
"""
ARPA = """\
\\data\\
ngram 1=5

\\1-grams:
-1 <s>
-1 </s>
-1 <unk>
-0.5 a
-0.5 b

\\end\\
"""
AS_GIVEN = {"tokenizer": "none", "case": True, "stem": False}


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "phrase-table.gz"
    with gzip.open(path, "wt", encoding="utf-8") as out:
        out.write(TABLE)
    return path


def test_a_moses_table_scores_as_the_paper_has_it(table, tmp_path):
    """GOLDEN.md: the edge of exactly .1 falls; 2 x .9 / (.9 + 1)."""
    made = pack_pivots(tmp_path / "m.owm", {"zh": table})
    assert (made.phrases, made.translations, made.ngrams) == ({"zh": 2}, {"zh": 3}, ())
    options = {"edge_threshold": 0.1, "ngram_threshold": 0.01, "orders": 4, "renormalise": False}
    found = otherwords.score(
        "pem-adequacy", ["a"], sources=["b"], model=made.path, **options, **AS_GIVEN
    )
    assert found.corpus == pytest.approx(2 * 0.9 / 1.9, rel=1e-9)


def test_a_language_model_comes_along(table, tmp_path):
    arpa = tmp_path / "lm.arpa"
    arpa.write_text(ARPA)
    made = pack_pivots(tmp_path / "m.owm", {"zh": table, "fr": table}, lm=arpa)
    assert made.ngrams == (5,)
    model = ParaphraseModel.load(made.path)
    assert model.languages == ["fr", "zh"]
    assert model.language_model is not None
    assert model.language_model.sizes == LanguageModel.load(arpa).sizes
    again = pack_pivots(tmp_path / "n.owm", {"fr": table, "zh": table}, lm=arpa)
    assert again.path.read_bytes() == made.path.read_bytes()


def test_tables_that_are_refused(tmp_path):
    bad = tmp_path / "bad"
    for text, message in {
        "a ||| x ||| 1 1 1 1 ||| 0-0 ||| 1 1 1\nb ||| x ||| 1 1 1 1\n": r"bad:2: .*no counts",
        "a ||| x ||| 1 1 2 1 ||| 0-0 ||| 1 1 1\n": r"bad:1: .*not a probability",
        "a ||| x ||| 1 1 0 1 ||| 0-0 ||| 1 1 1\n": r"bad: .*row 1: p\(f\|e\) is 0",
    }.items():
        bad.write_text(text)
        with pytest.raises(InputError, match=message):
            pack_pivots(tmp_path / "m.owm", {"zh": bad})
    with pytest.raises(UsageError, match="no phrase table"):
        pack_pivots(tmp_path / "m.owm", {})
    with pytest.raises(UsageError, match="no name for a language"):
        pack_pivots(tmp_path / "m.owm", {"a b": bad})
    assert not (tmp_path / "m.owm").exists()

"""Reading bitexts and links, cutting them into words, gold files."""

from __future__ import annotations

import gzip
import json
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from otherwords.build.bitext import (
    Aligner,
    Bitext,
    Gold,
    Links,
    encode,
    pharaoh,
    read_gold,
    read_links,
)
from otherwords.build.bitext.alignment import GoldText, is_swapped, join_bitexts
from otherwords.build.bitext.corpus import check_tokenizers, choose_tokenizer
from otherwords.build.bitext.pairs import read_text_pairs
from otherwords.errors import InputError, UsageError

ANY_TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)


def written(tmp_path, content, name="file"):
    path = tmp_path / name
    path.write_bytes(content)
    return str(path)


# Pairs


def test_every_line_stays_in_step(tmp_path):
    bad = [b"one", b"", b"a\tb\tc", b"\tx", b"a\0b\tc", b"caf\xe9\tx", b"bell\x07\tx"]
    long = b"w " * 5000 + b"\tx"
    path = written(tmp_path, b"\n".join([b"good one\tbonne", *bad, long, b"last\tfin"]))
    pairs = read_text_pairs([path])
    assert list(pairs.left) == ["good one", *[""] * 8, "last"]
    assert list(pairs.right) == ["bonne", *[""] * 8, "fin"]
    once = dict.fromkeys(("E101", "E103", "W503", "W601"), 1)
    assert pairs.report.dropped == {**once, "E601": 2, "W504": 2}


TEXTS = ["", "a b", "", "", "C a", "b, d", "", "a é 𝔘", "\x85 x\u2028 y\r"]


@pytest.mark.parametrize("size", [1, 2, 4, 100])
@pytest.mark.parametrize("tokenizer", ["auto", "none", "words"])
def test_texts_are_encoded_block_by_block(size, tokenizer, monkeypatch):
    whole = encode(TEXTS, tokenizer)
    monkeypatch.setattr("otherwords.build.bitext.corpus.BLOCK", size)
    for texts in (TEXTS, iter(TEXTS)):
        parts = encode(texts, tokenizer)
        assert list(parts.words) == list(whole.words)
        for one, other in zip(parts[:2], whole[:2], strict=True):
            assert one.dtype == other.dtype
            assert one.tolist() == other.tolist()
    assert encode([""] * 3, tokenizer).bounds.tolist() == [0, 0, 0, 0]
    assert encode([], tokenizer).bounds.tolist() == [0]


def test_duplicates_identical_sides_and_lopsided_pairs_are_kept(tmp_path):
    content = b"a\tx\na\tx\nsame\tsame\na\t" + b"x " * 50 + b"\n"
    pairs = read_text_pairs([written(tmp_path, content)])
    assert list(pairs.left) == ["a", "a", "same", "a"]
    assert not pairs.report.counts


def test_the_same_pairs_in_every_form(tmp_path):
    lines = [("a house", "une maison"), ("it's | here", "c'est | là")]
    tsv = "".join(f"{a}\t{b}\n" for a, b in lines).encode()
    bars = "".join(f"{a} ||| {b}\n" for a, b in lines).encode()
    sources = {
        "tsv": written(tmp_path, tsv, "tsv"),
        "gz": written(tmp_path, gzip.compress(tsv), "gz"),
        "bars": written(tmp_path, bars, "bars"),
        "crlf": written(tmp_path, tsv.replace(b"\n", b"\r\n"), "crlf"),
        "bom": written(tmp_path, b"\xef\xbb\xbf" + tsv, "bom"),
        "two": tuple(
            written(tmp_path, "".join(f"{line[k]}\n" for line in lines).encode(), f"side{k}")
            for k in (0, 1)
        ),
    }
    for name, source in sources.items():
        pairs = read_text_pairs([source])
        assert list(zip(pairs.left, pairs.right, strict=True)) == lines, name
    both = read_text_pairs([sources["tsv"], sources["two"]])
    assert list(both.left) == [a for a, _ in lines] * 2


def test_files_out_of_step(tmp_path):
    left, right = written(tmp_path, b"a\nb\n", "left"), written(tmp_path, b"x\n", "right")
    with pytest.raises(InputError, match=r"right:2: the file ends before line 2") as caught:
        read_text_pairs([(left, right)])
    assert caught.value.code == "E104"


# Words


def test_tokenizers():
    assert encode(["Don't go."], "penn").sentence(0) == ["do", "n't", "go", "."]
    assert encode(["L'homme, dit-il"], "words").sentence(0)[:3] == ["l'", "homme", ","]
    assert encode(["我们 go吧"], "characters").sentence(0) == ["我", "们", "go", "吧"]
    assert encode(["Don't go."], "none", case=True).sentence(0) == ["Don't", "go."]


def test_the_tokenizer_is_chosen_by_the_text():
    assert choose_tokenizer(["これは本です。"]) == "characters"
    assert choose_tokenizer(["Das ist nicht gut, und wir wissen es."]) == "words"
    assert choose_tokenizer(["This is what we have seen."]) == "penn"
    assert choose_tokenizer([]) == "penn"
    assert encode(["我们走"]).sentence(0) == ["我", "们", "走"]


def test_jieba_that_is_not_installed(monkeypatch):
    monkeypatch.setitem(sys.modules, "jieba", None)
    with pytest.raises(UsageError, match="needs the package jieba"):
        encode(["我们"], "jieba")


def test_jieba_cuts_words(monkeypatch):
    class Jieba:
        @staticmethod
        def lcut(text):
            return [text[:2], text[2:]]

        @staticmethod
        def setLogLevel(level):  # noqa: N802 - jieba's name
            pass

    monkeypatch.setitem(sys.modules, "jieba", Jieba)
    assert encode(["我们走吧"], "jieba").sentence(0) == ["我们", "走吧"]


def test_names_of_tokenizers():
    assert check_tokenizers("penn,jieba") == ("penn", "jieba")
    with pytest.raises(UsageError, match="did you mean 'words'"):
        check_tokenizers("penn,wrods")
    with pytest.raises(UsageError, match="two sides"):
        check_tokenizers("penn,words,none")


def test_a_lone_surrogate():
    with pytest.raises(InputError, match="lone surrogate at character 3"):
        encode(["a \ud800"], "none")


@given(st.lists(ANY_TEXT, max_size=8), st.sampled_from(["penn", "words", "characters", "none"]))
@settings(max_examples=150, deadline=None)
def test_ids_say_the_words(texts, tokenizer):
    side = encode(texts, tokenizer, case=True)
    assert len(side.bounds) == len(texts) + 1
    assert len(set(side.words)) == len(side.words) == len(set(side.tokens.tolist()))
    for number, text in enumerate(texts):
        words = side.sentence(number)
        assert "".join(words) in "".join(text.split()) or set(text) & set("\u200b\ufeff")
        assert all(words)


@given(st.lists(st.tuples(ANY_TEXT, ANY_TEXT), max_size=8), st.integers(0, 8))
@settings(max_examples=60, deadline=None)
def test_joined_is_the_same_as_encoded_together(pairs, cut):
    def text(rows):
        return Bitext(*(encode([row[k] for row in rows], "none") for k in (0, 1)))

    whole, parts = text(pairs), join_bitexts(text(pairs[:cut]), text(pairs[cut:]))
    for one, other in zip(whole, parts, strict=True):
        assert one.words == other.words
        assert one.tokens.tolist() == other.tokens.tolist()
        assert one.bounds.tolist() == other.bounds.tolist()


# Links

LINKS = st.lists(st.sets(st.tuples(st.integers(0, 4), st.integers(0, 4))), max_size=6)


@given(LINKS)
@settings(max_examples=60, deadline=None)
def test_pharaoh_out_and_in(tmp_path_factory, sentences):
    words = "a b c d e"
    text = Bitext(*(encode([words] * len(sentences), "none") for _ in range(2)))
    lines = "".join(" ".join(f"{i}-{j}" for i, j in links) + "\n" for links in sentences)
    path = tmp_path_factory.mktemp("links") / "links"
    path.write_text(lines)
    links = read_links(str(path), text, "bitext")
    assert [links.sentence(n) for n in range(len(sentences))] == [sorted(s) for s in sentences]
    path.write_text("".join(f"{line}\n" for line in pharaoh(links)))
    again = read_links(str(path), text, "bitext")
    assert [a.tolist() for a in links] == [a.tolist() for a in again]


def test_pharaoh_with_posteriors():
    links = Links(np.array([0, 1], np.uint32), np.array([2, 0], np.uint32), np.array([0, 0, 2]))
    assert list(pharaoh(links, np.array([0.5, 0.98765], np.float32))) == ["", "0-2:0.500 1-0:0.988"]


def test_links_that_do_not_fit(tmp_path):
    text = Bitext(encode(["a b", "c"], "none"), encode(["x", "y"], "none"))
    for content, message in (
        ("0-0\n0-1\n", ":2: link 0-1 points past the end: 1 words left, 1 right"),
        ("0-0\n", ":2: there are 1 lines here but 2 in bitext.tsv"),
        ("0-0\n\n\n", ":3: there are more lines here than the 2 of bitext.tsv"),
        ("0:0\n\n", ":1: '0:0' is not a link"),
        ("-1-0\n\n", ":1: '-1-0' is not a link"),
        ("0-99999999999999999999\n\n", " is not a link"),
        ("٠-0\n\n", " is not a link"),
    ):
        path = written(tmp_path, content.encode(), "links")
        with pytest.raises(InputError) as caught:
            read_links(path, text, "bitext.tsv")
        assert message in str(caught.value)


# Gold


def gold_file(tmp_path, *rows):
    content = "".join(json.dumps(row) + "\n" for row in rows)
    return written(tmp_path, content.encode(), "gold.jsonl")


ROW = {"source": ["la", "maison"], "target": ["the", "house"], "sure": ["1-1"], "possible": ["0-0"]}


def test_gold_counts_from_0_or_1(tmp_path):
    from_0 = gold_file(tmp_path, ROW)
    expected = Gold(
        ("la", "maison"), ("the", "house"), frozenset({(1, 1)}), frozenset({(0, 0), (1, 1)})
    )
    assert read_gold(from_0) == [expected]
    with pytest.raises(InputError, match=r"link 0-0 is outside .* are they numbered from 0\?"):
        read_gold(from_0, 1)
    from_1 = gold_file(tmp_path, {**ROW, "sure": ["2-2"], "possible": ["1-1"]})
    assert read_gold(from_1, 1) == [expected]
    with pytest.raises(InputError, match=r"link 2-2 is outside .* are they numbered from 1\?"):
        read_gold(from_1)


@pytest.mark.parametrize(
    "row",
    [
        "not json",
        "[1]",
        "{}",
        '{"source": 3, "target": ["a"], "sure": []}',
        '{"source": "a b", "target": ["a"], "sure": []}',
        '{"source": ["a"], "target": ["a"], "sure": null}',
        '{"source": ["a"], "target": ["a"], "sure": ["x"]}',
        '{"source": ["a"], "target": ["a"], "sure": [[0, 0]]}',
        '{"source": ["\\ud800"], "target": ["a"], "sure": []}',
        "[" * 100_000,
    ],
)
def test_rows_that_are_no_gold(tmp_path, row):
    path = written(tmp_path, f"{json.dumps(ROW)}\n{row}\n".encode())
    with pytest.raises(InputError, match=":2: "):
        read_gold(path)


def test_no_rows(tmp_path):
    with pytest.raises(InputError, match="no rows"):
        read_gold(written(tmp_path, b"\n\n"))


def test_swapped_gold_is_recognised():
    text = Bitext(encode(["the house is old"], "none"), encode(["la maison est vieille"], "none"))
    rows = [Gold(("la", "maison"), ("The", "house"), frozenset({(1, 0)}), frozenset({(1, 0)}))]
    assert is_swapped(rows, text)
    turned = [row.swapped() for row in rows]
    assert turned[0].sure == {(0, 1)}
    assert not is_swapped(turned, text)
    chinese = Bitext(encode(["a house"], "none"), encode(["我 的 房 子"], "none"))
    assert is_swapped([Gold(("房子",), ("House",), frozenset(), frozenset())], chinese)


def test_words_cut_to_characters_are_put_together_again():
    rows = [Gold(("房子", "旧"), ("old", "house"), frozenset(), frozenset())]
    judged = GoldText.of(rows, ("characters", "penn"), case=False)
    assert judged.bitext.left.sentence(0) == ["房", "子", "旧"]
    links = Links(np.array([0, 1, 2], np.uint32), np.array([1, 1, 0], np.uint32), np.array([0, 3]))
    assert judged.links(links) == [{(0, 1), (1, 0)}]


@given(st.lists(ANY_TEXT, min_size=1, max_size=6), st.sampled_from(["characters", "none"]))
@settings(max_examples=150, deadline=None)
def test_every_token_of_gold_has_its_word(words, tokenizer):
    rows = [Gold(tuple(words), ("x",), frozenset(), frozenset())]
    judged = GoldText.of(rows, (tokenizer, "none"), case=False)
    owners = judged.left_words[0]
    assert len(judged.bitext.left.tokens) == len(owners)
    assert sorted(set(owners)) == list(range(len(words)))
    judged.links(Aligner.train(judged.bitext).align(judged.bitext, threshold=0)[0])

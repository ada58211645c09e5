import contextlib
import gzip
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from otherwords.corpus.conllu import read_conllu, write_conllu
from otherwords.errors import InputError
from otherwords.text.sentence import Sentence

patient = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])


def rows(*lines: str) -> str:
    """CoNLL-U from lines in which a space stands for a tab; short ones are filled with `_`."""
    return "".join(
        (line if line.startswith("#") else "\t".join((line.split() + ["_"] * 10)[:10])) * bool(line)
        + "\n"
        for line in lines
    )


@pytest.fixture
def read(tmp_path: Path):
    def reader(content: str | bytes, name: str = "a.conllu") -> list[Sentence]:
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return list(read_conllu(path))

    return reader


PARSED = rows(
    "# sent_id = 1",
    "# text = Foxes sleep.",
    "1 Foxes fox NOUN NNS Number=Plur 2 nsubj _ _",
    "2 sleep sleep VERB VBP _ 0 root _ SpaceAfter=No",
    "3 . . PUNCT . _ 2 punct _ _",
    "",
)


def test_all_layers(read):
    (sentence,) = read(PARSED)
    assert sentence == Sentence(
        "Foxes sleep.",
        ("Foxes", "sleep", "."),
        ((0, 5), (6, 11), (11, 12)),
        ("NNS", "VBP", "."),
        ("fox", "sleep", "."),
        (1, -1, 1),
        ("nsubj", "root", "punct"),
    )


@pytest.mark.parametrize(
    "content",
    [
        "\ufeff" + PARSED,
        PARSED.replace("\n", "\r\n"),
        "\n\n" + PARSED + "\n\n",
        PARSED.rstrip("\n"),
        gzip.compress(PARSED.encode()),
    ],
    ids=["bom", "crlf", "blank lines", "no last newline", "gzip"],
)
def test_the_same_in_other_wrapping(read, content):
    assert read(content) == read(PARSED)


def test_streams(tmp_path):
    path = tmp_path / "a.conllu"
    path.write_text(PARSED + "\nbroken\n")
    sentences = read_conllu(path)
    assert next(sentences).tokens[0] == "Foxes"
    with pytest.raises(InputError, match=":8: 1 column "):
        next(sentences)


def test_words_of_a_range_that_spell_it_have_their_own_places(read):
    (sentence,) = read(rows("# text = We cannot.", "1 We", "2-3 cannot", "2 can", "3 not", "4 ."))
    assert sentence.tokens == ("We", "can", "not", ".")
    assert sentence.spans == ((0, 2), (3, 6), (6, 9), (9, 10))


def test_other_words_of_a_range_share_its_place(read):
    (sentence,) = read(rows("# text = vino del mar", "1 vino", "2-3 del", "2 de", "3 el", "4 mar"))
    assert sentence.text == "vino del mar"
    assert sentence.spans == ((0, 4), (5, 8), (5, 8), (9, 12))


def test_empty_nodes_are_left_out(read):
    (sentence,) = read(rows("0.1 x", "1 Ann", "2 eats", "2.1 food", "3 too"))
    assert sentence.tokens == ("Ann", "eats", "too")


def test_text_that_lacks_a_form_is_not_used(read):
    (sentence,) = read(rows("# text = something else", "1 Foxes", "2 sleep"))
    assert sentence.text == "Foxes sleep"
    assert sentence.spans == ((0, 5), (6, 11))


def test_text_of_other_languages_is_not_the_text(read):
    (sentence,) = read(rows("# text_en = Foxes", "1 Renards"))
    assert sentence.text == "Renards"


def test_white_space_inside_a_word(read):
    content = "# text = about 10 000 foxes\n" + rows("1 about", "2 X", "3 foxes").replace(
        "X", "10 000"
    )
    (sentence,) = read(content)
    assert sentence.tokens == ("about", "10_000", "foxes")
    assert sentence.text[slice(*sentence.spans[1])] == "10 000"


def test_unknown_layers(read):
    (sentence,) = read(rows("1 Foxes", "2 sleep"))
    assert (sentence.tags, sentence.lemmas, sentence.heads, sentence.relations) == (None,) * 4


def test_partly_known_lemmas_fall_back_to_the_form(read):
    (sentence,) = read(rows("1 Foxes fox", "2 zzz _"))
    assert sentence.lemmas == ("fox", "zzz")


@pytest.mark.parametrize(
    ("first", "second", "tags"),
    [
        ("NOUN NNS", "VERB VBP", ("NNS", "VBP")),
        ("NOUN NNS", "VERB _", ("NOUN", "VERB")),
        ("NOUN _", "VERB _", ("NOUN", "VERB")),
        ("_ NNS", "VERB _", None),
    ],
)
def test_tags_come_from_one_tag_set(read, first, second, tags):
    (sentence,) = read(rows(f"1 Foxes fox {first}", f"2 sleep sleep {second}"))
    assert sentence.tags == tags


def test_partly_known_relations_become_dep(read):
    (sentence,) = read(rows("1 Foxes _ _ _ _ 2 nsubj", "2 sleep _ _ _ _ 0 _"))
    assert sentence.relations == ("nsubj", "dep")


BAD = {
    "E301 spaces": ("1 a a X X _ 0 root _ _\n", 1, "separated by spaces"),
    "E301 few": ("# c\n1\ta\ta\n", 2, "3 columns where CoNLL-U has 10"),
    "E301 json": ('{"hypothesis": "a"}\n', 1, "looks like JSON"),
    "E302": (rows("one a"), 1, "found 'one'"),
    "E302 huge": (rows("9" * 5000 + " a"), 1, "ID must be"),
    "E303 gap": (rows("1 a", "3 b"), 2, "found 3, expected 2"),
    "E303 not from 1": (rows("2 a"), 1, "found 2, expected 1"),
    "E303 range late": (rows("1 a", "1-2 ab", "2 b"), 2, "found 1, expected 2"),
    "E303 range backwards": (rows("1 a", "2-1 ab", "2 b"), 2, "2-1 runs backwards"),
    "E303 ranges overlap": (rows("1-2 ab", "1 a", "2-3 bc", "2 b", "3 c"), 3, "overlaps"),
    "E303 range too long": (rows("1-3 ab", "1 a", "2 b"), 1, "ends after the last word, 2"),
    "E304": (rows("1 a _ _ _ _ x root"), 1, "found 'x'"),
    "E304 minus": (rows("1 a _ _ _ _ -1 root"), 1, "found '-1'"),
    "E304 part": (rows("1 a _ _ _ _ 0 root", "2 b"), 2, "HEAD is missing here"),
    "E305": (rows("1 a _ _ _ _ 2 root"), 1, "HEAD is 2, but the sentence has 1 words"),
    "E306": (rows("1 a _ _ _ _ 2 x", "2 b _ _ _ _ 1 x"), 1, "lead back to itself"),
    "E306 self": (rows("1 a _ _ _ _ 0 root", "2 b _ _ _ _ 2 x"), 2, "lead back to itself"),
    "E307": (rows("1 a", "", "# text = ", "", "1 b"), 3, "a block without words"),
    "E308": ("1\t \t_\t_\t_\t_\t_\t_\t_\t_\n", 1, "FORM is empty"),
    "E101": (b"1\tcaf\xe9" + b"\t_" * 8 + b"\n", 1, "byte 0xe9 is not UTF-8"),
}


@pytest.mark.parametrize("case", BAD)
def test_errors_say_where_and_what(read, case):
    content, line, message = BAD[case]
    with pytest.raises(InputError, match=message) as caught:
        read(content)
    assert caught.value.line == line
    assert caught.value.code == case.split()[0]
    assert caught.value.path.endswith("a.conllu")


def test_truncated_gzip(read):
    packed = gzip.compress(PARSED.encode() * 50)
    with pytest.raises(InputError, match="truncated or damaged"):
        read(packed[:-10], "a.conllu.gz")


def test_writes_multiword_tokens_and_spaces():
    sentence = Sentence(
        "del mar.", ("de", "el", "mar", "."), ((0, 3), (0, 3), (4, 7), (7, 8)), heads=(2, 2, -1, 2)
    )
    assert "\n".join(write_conllu([sentence])) + "\n" == (
        "# text = del mar.\n"
        + rows(
            "1-2 del",
            "1 de _ _ _ _ 3",
            "2 el _ _ _ _ 3",
            "3 mar _ _ _ _ 0 _ _ SpaceAfter=No",
            "4 . _ _ _ _ 3",
            "",
        )
    )


def test_an_empty_sentence_cannot_be_written():
    with pytest.raises(InputError, match="segment 2 is empty"):
        list(write_conllu([Sentence.from_tokens(["a"]), Sentence.from_tokens([])]))


characters = st.characters(
    exclude_categories=["Cs", "Z"],
    exclude_characters="\0",  # no text file may have it
).filter(lambda c: not c.isspace())
words = st.text(characters, min_size=1, max_size=6)
names = words.filter(lambda name: name != "_")


@st.composite
def sentences(draw: st.DrawFn) -> Sentence:
    tokens = draw(st.lists(words, min_size=1, max_size=8))
    count = len(tokens)
    layer = st.none() | st.lists(names, min_size=count, max_size=count)
    # A head to the left, or the root, can never close a circle.
    heads = draw(st.none() | st.tuples(*(st.integers(-1, i - 1) for i in range(count))))
    return Sentence.from_tokens(
        tokens,
        tags=draw(layer),
        lemmas=draw(layer),
        heads=heads,
        relations=None if heads is None else draw(layer),
    )


@patient
@given(st.lists(sentences(), max_size=4))
def test_reads_back_what_it_writes(tmp_path_factory, originals):
    path = tmp_path_factory.mktemp("conllu") / "a.conllu"
    path.write_text("".join(line + "\n" for line in write_conllu(originals)), newline="\n")
    assert list(read_conllu(path)) == originals


@patient
@given(st.binary(max_size=200) | st.text("0123456789-._\t\n# text=ab").map(str.encode))
def test_any_bytes_are_read_or_refused(tmp_path_factory, content):
    path = tmp_path_factory.mktemp("conllu") / "a.conllu"
    path.write_bytes(content)
    with contextlib.suppress(InputError):
        list(read_conllu(path))

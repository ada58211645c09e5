from __future__ import annotations

import gzip
import random
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from otherwords import _build, _native
from otherwords.errors import InputError, ModelError, UsageError
from otherwords.models.arrays import bucket_bounds
from otherwords.models.container import read, write
from otherwords.text.tagger import Tagger
from tests.oracles.tagger import TaggerOracle

Arrays = dict[str, NDArray[Any]]

EMBEDDED = Path(__file__).parents[1] / "src" / "otherwords" / "models" / "tagger.owm"
DEV = Path(__file__).parents[2] / "shared" / "data" / "tagged" / "dev.conll.gz"

# "saw" and "duck" are nouns after an article and verbs after a pronoun.
SENTENCES = [
    ("the duck saw the saw .", "DT NN VBD DT NN ."),
    ("they duck .", "PRP VBP ."),
    ("they saw the duck .", "PRP VBD DT NN ."),
    ("a saw is a tool .", "DT NN VBZ DT NN ."),
    ("we duck when they saw the dog .", "PRP VBP WRB PRP VBD DT NN ."),
    ("the dog is near a duck .", "DT NN VBZ IN DT NN ."),
    ("Mary saw the dog .", "NNP VBD DT NN ."),
]
FAMILIAR = ["The", "IS", "duck", "Saw", "they", "1,999", "U.S.", "well-known", "n't", "'s", "(",
            "``", "Co-Operate", "Mary", "don’t"]  # fmt: skip
STRANGE = [
    "",
    " ",
    "\0",
    "\x7f",
    "\u00ad",
    "ﬁ",
    "İstanbul",
    "ß",
    "e\u0301",
    "中文",
    "😀",
    "\U0010ffff",
    "-",
    "--",
    "’",
    "x" * 10_000,
    "É" * 300,
]


def lexicon(sentences: list[list[str]]) -> Arrays:
    """A lexicon of the sentences' words, in six classes, capitals and senses made up."""
    words = sorted({token for sentence in sentences for token in sentence})
    number = {word: i + 2 for i, word in enumerate(words)}
    text = [0]
    for sentence in sentences:
        text += [number[token] for token in sentence] + [0]
    classes, coarser = _build.cluster_words(
        np.array(text, dtype=np.uint32), len(words) + 2, classes=6, levels=[4, 3], iterations=3
    )
    keys, first = np.unique(_build.folded_word_keys(words), return_index=True)
    return {
        "word_keys": keys,
        "word_buckets": bucket_bounds(keys),
        "word_clusters": classes[2:][first],
        "coarser_clusters": coarser,
        "word_capitals": np.arange(len(keys), dtype=np.uint8) % 7,
        "word_senses": np.arange(len(keys), dtype=np.uint8) % 5,
    }


def train(seed: int = 1, **options: int) -> Arrays:
    sentences = [words.split() for words, _ in SENTENCES]
    tags = [tag for _, tags in SENTENCES for tag in tags.split()]
    names = sorted(set(tags))
    codes = np.array([names.index(tag) for tag in tags], dtype=np.uint8)
    words = lexicon(sentences)
    settings = {"cutoff": 1, "least": 1, "least_best": 1, "resolution": 6, "runs": 2, **options}
    return {
        "tag_names": np.frombuffer("\n".join(names).encode(), dtype=np.uint8),
        "margin": np.array([400], dtype=np.int32),
        **words,
        **_build.train_tagger(sentences, codes, len(names), words, seed=seed, **settings),
    }


def same(a: Mapping[str, NDArray[Any]], b: Mapping[str, NDArray[Any]]) -> bool:
    return a.keys() == b.keys() and all(np.array_equal(a[name], b[name]) for name in a)


@pytest.fixture(scope="module")
def tiny() -> Arrays:
    return train()


@pytest.fixture(scope="module")
def embedded() -> Tagger:
    return Tagger.load()


def random_sentences(seed: int, count: int) -> list[list[str]]:
    """Random words, some real ones, of characters that Python and the kernel class alike."""
    chance = random.Random(seed)
    alphabet = "abcxyzABCXYZ019-.,'/’“éÉß中😀"
    return [
        [
            chance.choice(FAMILIAR)
            if chance.random() < 0.6
            else "".join(chance.choices(alphabet, k=chance.randint(1, 9)))
            for _ in range(chance.randint(0, 14))
        ]
        for _ in range(count)
    ]


class TestTraining:
    def test_learns_what_it_is_shown(self, tiny: Arrays) -> None:
        tagged = _native.Tagger(tiny).tag([words.split() for words, _ in SENTENCES])
        assert [" ".join(row) for row in tagged] == [tags for _, tags in SENTENCES]

    def test_generalises_from_context(self, tiny: Arrays) -> None:
        assert _native.Tagger(tiny).tag([["they", "saw", "a", "tool", "."]]) == [
            ["PRP", "VBD", "DT", "NN", "."]
        ]

    def test_same_seed_same_arrays(self, tiny: Arrays) -> None:
        assert same(tiny, train())

    def test_other_seed_other_arrays(self, tiny: Arrays) -> None:
        assert not same(tiny, train(seed=2))

    def test_arrays_fit_the_index(self, tiny: Arrays) -> None:
        assert np.all(np.diff(tiny["feature_keys"].astype(object)) > 0)
        assert np.array_equal(tiny["feature_buckets"], bucket_bounds(tiny["feature_keys"]))

    def test_weak_features_are_dropped(self, tiny: Arrays) -> None:
        strong = train(least=3, least_best=5)
        assert len(strong["feature_keys"]) < len(tiny["feature_keys"])
        weights = np.abs(strong["row_weights"].astype(int))
        assert weights.min() >= 3
        assert np.maximum.reduceat(weights, strong["row_bounds"][:-1]).min() >= 5

    @pytest.mark.parametrize("wrong", [{"epochs": 0}, {"runs": 0}, {"colour": 1}])
    def test_bad_options_are_refused(self, wrong: dict[str, int]) -> None:
        with pytest.raises(ValueError, match="tagger training"):
            train(**wrong)

    def test_tag_out_of_range_is_refused(self, tiny: Arrays) -> None:
        with pytest.raises(ValueError, match="unknown tag"):
            _build.train_tagger([["a"]], np.array([1], dtype=np.uint8), 1, tiny)


class TestClusters:
    def test_words_of_like_neighbours_share_a_class(self) -> None:
        # "2 4 6" and "3 5 7" in turn: 2, 3 begin, 4, 5 are inside, 6, 7 end a sentence.
        text = np.array([0, 2, 4, 6, 0, 3, 5, 7, 0, 2, 5, 6, 0, 3, 4, 7] * 20, dtype=np.uint32)
        classes, coarser = _build.cluster_words(text, 8, classes=5, levels=[4, 3], iterations=9)
        assert classes[:2].tolist() == [0, 1]
        assert classes[2] == classes[3] != classes[4] == classes[5] != classes[6] == classes[7]
        assert [len(set(level)) for level in coarser.reshape(2, -1).tolist()] == [4, 3]

    def test_word_out_of_range_is_refused(self) -> None:
        with pytest.raises(ValueError, match="too high"):
            _build.cluster_words(
                np.array([3], dtype=np.uint32), 3, classes=5, levels=[], iterations=1
            )


class TestTagging:
    def test_kernel_agrees_with_oracle_on_tiny_model(self, tiny: Arrays) -> None:
        sentences = random_sentences(1, 300)
        oracle = TaggerOracle(tiny)
        assert _native.Tagger(tiny).tag(sentences) == [oracle.tag(s) for s in sentences]

    def test_kernel_agrees_with_oracle_on_embedded_model(self) -> None:
        arrays = read(EMBEDDED, "tagger").arrays
        sentences = random_sentences(2, 100)
        oracle = TaggerOracle(arrays)
        assert _native.Tagger(dict(arrays)).tag(sentences) == [oracle.tag(s) for s in sentences]

    def test_threads_do_not_matter(self, embedded: Tagger) -> None:
        sentences = random_sentences(3, 2000)
        once = embedded.tag(sentences)
        assert once == embedded.tag(sentences, threads=2) == embedded.tag(sentences, threads=7)

    def test_neighbouring_sentences_do_not_matter(self, embedded: Tagger) -> None:
        sentences = random_sentences(4, 300)
        assert embedded.tag(sentences) == [embedded.tag(sentence) for sentence in sentences]

    def test_two_taggers_do_not_mix(self, tiny: Arrays, embedded: Tagger) -> None:
        sentences = random_sentences(5, 50)
        small = _native.Tagger(tiny)
        before = small.tag(sentences), embedded.tag(sentences)
        assert before == (small.tag(sentences), embedded.tag(sentences))

    @pytest.mark.parametrize("token", STRANGE, ids=ascii)
    def test_strange_tokens_get_some_tag(self, embedded: Tagger, token: str) -> None:
        tags = embedded.tag(["The", token, "works", "."])
        assert len(tags) == 4
        assert set(tags) <= set(embedded.tags)

    def test_long_sentence(self, embedded: Tagger) -> None:
        assert embedded.tag(["the", "cat"] * 100_000) == ["DT", "NN"] * 100_000

    def test_nothing(self, embedded: Tagger) -> None:
        assert embedded.tag([]) == []
        assert embedded.tag([[], []]) == [[], []]

    def test_codes_and_names_agree(self, tiny: Arrays) -> None:
        tagger = _native.Tagger(tiny)
        sentences = random_sentences(6, 20)
        names = [tagger.tag_names[code] for code in tagger.tag_codes(sentences)]
        assert names == [tag for row in tagger.tag(sentences) for tag in row]

    def test_text_instead_of_tokens_is_refused(self, embedded: Tagger) -> None:
        with pytest.raises(UsageError, match="tokenise"):
            embedded.tag("The cat")

    def test_no_threads_are_refused(self, embedded: Tagger) -> None:
        with pytest.raises(UsageError, match="threads is 0"):
            embedded.tag(["a"], threads=0)

    @pytest.mark.parametrize("token", ["\ud800", 7])
    def test_what_is_not_text_is_refused(self, embedded: Tagger, token: Any) -> None:
        with pytest.raises(InputError, match="not Unicode text"):
            embedded.tag(["a", token])


class TestStyles:
    """Penn-style tokens and one-case text, whose tags anyone would agree on.

    No titles: the treebanks write "the President" as a name, and in one case that is moot.
    """

    @pytest.mark.parametrize(
        ("text", "tags"),
        [
            ("She did n't see the dog .", "PRP VBD RB VB DT NN ."),
            ("John 's book is well-known .", "NNP POS NN VBZ JJ ."),
            ("He said : `` We must go . ''", "PRP VBD : `` PRP MD VB . ''"),
            ("The man -LRB- a doctor -RRB- left .", "DT NN -LRB- DT NN -RRB- VBD ."),
            ("the teacher said that france would win .", "DT NN VBD IN NNP MD VB ."),
            ("THE TEACHER SAID THAT HE WOULD COME .", "DT NN VBD IN PRP MD VB ."),
        ],
    )  # fmt: skip
    def test_tags(self, embedded: Tagger, text: str, tags: str) -> None:
        assert " ".join(embedded.tag(text.split())) == tags


class TestModelFile:
    def test_digest_is_the_content_s(self, embedded: Tagger) -> None:
        assert embedded.digest == read(EMBEDDED, "tagger").short_digest

    def test_round_trip(self, tiny: Arrays, tmp_path: Path) -> None:
        write(tmp_path / "own.owm", "tagger", tiny, {})
        sentences = random_sentences(7, 20)
        assert Tagger.load(tmp_path / "own.owm").tag(sentences) == _native.Tagger(tiny).tag(
            sentences
        )

    def test_flipped_byte_is_refused(self, tmp_path: Path) -> None:
        data = bytearray(EMBEDDED.read_bytes())
        data[len(data) // 2] ^= 1
        (tmp_path / "bad.owm").write_bytes(data)
        with pytest.raises(ModelError, match="damaged"):
            Tagger.load(tmp_path / "bad.owm")

    @pytest.mark.parametrize(
        ("name", "change"),
        [
            ("row_tags", lambda a: np.full_like(a, 200)),
            ("row_tags", lambda a: a[:-1]),
            ("row_weights", lambda a: a[:-1]),
            ("row_bounds", lambda a: a[::-1].copy()),
            ("row_bounds", lambda a: a[:-1]),
            ("feature_keys", lambda a: a[1:]),
            ("feature_buckets", lambda a: a[:0]),
            ("feature_buckets", lambda a: a + 1),
            ("bigrams", lambda a: a[1:]),
            ("trigrams", lambda a: a[:0]),
            ("tag_names", lambda a: a[:2]),
            ("tag_names", lambda a: np.full(300, 10, dtype=np.uint8)),
            ("margin", lambda a: a[:0]),
            ("margin", lambda a: -a),
            ("margin", lambda a: a * 5_000_000),
            ("margin", lambda a: a.astype(np.int64)),
            ("word_clusters", lambda a: a + 1000),
            ("word_clusters", lambda a: a[:-1]),
            ("word_capitals", lambda a: a[:-1]),
            ("word_senses", lambda a: a[:-1]),
            ("coarser_clusters", lambda a: a[:-1]),
            ("coarser_clusters", lambda a: a[:0]),
            ("word_buckets", lambda a: a * 2),
        ],
    )
    def test_arrays_that_do_not_fit_are_refused(
        self, tiny: Arrays, tmp_path: Path, name: str, change: Any
    ) -> None:
        write(tmp_path / "bad.owm", "tagger", {**tiny, name: change(tiny[name])}, {})
        with pytest.raises(ModelError, match="damaged"):
            Tagger.load(tmp_path / "bad.owm")

    def test_missing_array_is_refused(self, tiny: Arrays, tmp_path: Path) -> None:
        rest = {name: array for name, array in tiny.items() if name != "trigrams"}
        write(tmp_path / "bad.owm", "tagger", rest, {})
        with pytest.raises(ModelError, match="no array 'trigrams'"):
            Tagger.load(tmp_path / "bad.owm")

    def test_size(self) -> None:
        assert EMBEDDED.stat().st_size <= 4_500_000


@pytest.mark.data
def test_accuracy_on_dev(embedded: Tagger) -> None:
    with gzip.open(DEV, "rt", encoding="utf-8", newline="\n") as file:
        blocks = [block.splitlines() for block in file.read().split("\n\n") if block.strip()]
    rows = [[line.split("\t") for line in block] for block in blocks]
    guesses = embedded.tag([[row[0] for row in sentence] for sentence in rows])
    right = [
        row[2] == guess
        for sentence, tags in zip(rows, guesses, strict=True)
        for row, guess in zip(sentence, tags, strict=True)
    ]
    assert sum(right) / len(right) >= 0.947

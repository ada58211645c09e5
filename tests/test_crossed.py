"""The crossed set that we ship: its structure, and that overlap and length do not give it away."""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from bench import crossed

from otherwords.corpus.inputs import read_candidates, read_rows
from otherwords.errors import InputError, UsageError

FILE = Path(__file__).parents[1] / "examples" / "crossed.jsonl"
CANDIDATES = ["right-close", "right-far", "wrong-close", "wrong-far"]
KINDS = {
    "negation",
    "number",
    "name",
    "antonym",
    "roles",
    "omission",
    "addition",
    "modality",
    "quantifier",
    "cause",
    "comparison",
    "time order",
}
GENRES = {
    "news",
    "business",
    "dialogue",
    "science",
    "technical",
    "travel",
    "health",
    "law",
    "sports",
    "cooking",
    "fiction",
    "reviews",
    "email",
}
# How far the means of right and wrong may be apart, in unigram F1 and in length ratio, and how
# far the share of originals whose right candidate has more of it may be from one half.
MARGINS = {"overlap": 0.015, "trigrams": 0.015, "length": 0.03}
SHARE = 0.08


@pytest.fixture(scope="module")
def rows():
    return [json.loads(line) for line in FILE.read_text("utf-8").splitlines()]


@pytest.fixture(scope="module")
def items(rows):
    found: dict[str, dict[str, dict]] = {}
    for row in rows:
        found.setdefault(row["item"], {})[row["system"]] = row
    return found


def words(text):
    return re.findall(r"[\w']+", text.lower())


def f1(found, wanted):
    """The F1 of two bags."""
    shared = (Counter(found) & Counter(wanted)).total()
    return 2 * shared / (len(found) + len(wanted))


def trigrams(text):
    return [text[start : start + 3] for start in range(len(text) - 2)]


def overlap_of(row):
    return f1(words(row["hypothesis"]), words(row["source"]))


MEASURES = {
    "overlap": overlap_of,
    "trigrams": lambda row: f1(trigrams(row["hypothesis"]), trigrams(row["source"])),
    "length": lambda row: len(words(row["hypothesis"])) / len(words(row["source"])),
}


def test_every_original_has_the_four_candidates(items):
    assert len(items) >= 160
    for item in items.values():
        assert sorted(item) == CANDIDATES
        assert len({(row["source"], row["kind"], row["genre"]) for row in item.values()}) == 1


def test_ids_and_human_scores_follow_from_the_candidate(rows):
    assert len({row["id"] for row in rows}) == len(rows)
    for row in rows:
        side, distance = row["system"].split("-")
        assert row["id"] == f"{row['item']}-{side[0]}{distance[0]}"
        assert row["human"] == {"meaning": int(side == "right")}
        assert row["references"] == []


def test_all_kinds_and_genres_are_there(items):
    kinds = Counter(item["right-far"]["kind"] for item in items.values())
    genres = Counter(item["right-far"]["genre"] for item in items.values())
    assert set(kinds) == KINDS
    assert min(kinds.values()) >= 13
    assert set(genres) == GENRES
    assert min(genres.values()) >= 10


def test_no_text_is_there_twice(rows, items):
    texts = [row["hypothesis"] for row in rows]
    texts += [item["right-far"]["source"] for item in items.values()]
    plain = Counter(" ".join(words(text)) for text in texts)
    assert [text for text, count in plain.items() if count > 1] == []


def test_sentences_are_of_common_length(rows):
    for row in rows:
        assert 8 <= len(row["source"].split()) <= 30, row["source"]
        assert 8 <= len(row["hypothesis"].split()) <= 30, row["hypothesis"]


def test_close_is_close_and_far_is_far(items):
    for name, item in items.items():
        close = min(overlap_of(item[one]) for one in ("right-close", "wrong-close"))
        far = max(overlap_of(item[one]) for one in ("right-far", "wrong-far"))
        assert close > 0.6, name
        assert far < 0.5, name


@pytest.mark.parametrize("distance", ["close", "far"])
@pytest.mark.parametrize("measure", MEASURES)
def test_right_and_wrong_are_balanced(items, measure, distance):
    right, wrong = (
        [MEASURES[measure](item[f"{side}-{distance}"]) for item in items.values()]
        for side in ("right", "wrong")
    )
    assert abs(sum(right) - sum(wrong)) / len(items) < MARGINS[measure]
    pairs = list(zip(right, wrong, strict=True))
    above = sum((one > other) + (one == other) / 2 for one, other in pairs) / len(pairs)
    assert abs(above - 0.5) < SHARE


def test_our_readers_read_it(items):
    assert len(list(read_rows(FILE))) == 4 * len(items)
    groups = list(read_candidates(FILE))
    assert [group.item for group in groups] == list(items)
    assert {len(group.rows) for group in groups} == {4}


def test_the_benchmark_compares_meaning_and_words():
    # Four candidates in the order of the benchmark: right-close, right-far, wrong-close, wrong-far.
    found = np.array([[3.0, 1.0, 3.0, 0.0], [3.0, 1.0, 1.0, 1.0]])
    assert crossed.wins(found, "right-far", "wrong-close").tolist() == [0.0, 0.5]
    assert crossed.wins(found, "right-far", "wrong-far").tolist() == [1.0, 0.5]
    assert crossed.wins(found, "right-close", "wrong-close").tolist() == [0.5, 1.0]
    # Mean 13 / 8, mean square 31 / 8; right 2 against wrong 1.25, close 2.5 against far .75.
    spread = math.sqrt(31 / 8 - (13 / 8) ** 2)
    assert crossed.moved(found, "right") == pytest.approx(0.75 / spread)
    assert crossed.moved(found, "close") == pytest.approx(1.75 / spread)


def test_the_benchmark_takes_options_of_metrics():
    items = crossed.read(FILE)[:3]
    plain, other = (crossed.scores(one, items) for one in ("pinc", "pinc:orders=1"))
    assert plain.shape == other.shape == (3, 4)
    assert not np.array_equal(plain, other)
    with pytest.raises(UsageError, match="no option 'oders'"):
        crossed.scores("pinc:oders=1", items)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda rows: rows[:3], "item crossed-001 has no"),
        (lambda rows: [*rows[:4], rows[0]], ":5: .*each once per item"),
        (lambda rows: [{**rows[0], "source": None}], ":1: .*needs one 'source'"),
        (lambda rows: [], "no rows"),
    ],
)
def test_the_benchmark_refuses_a_set_that_is_not_crossed(tmp_path, rows, change, message):
    path = tmp_path / "set.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in change(rows)), encoding="utf-8")
    with pytest.raises(InputError, match=message):
        crossed.read(path)

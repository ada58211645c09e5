"""What a model has seen: the filter of its training rows, and the metrics that are marked by it."""

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from otherwords.errors import DamagedModelError
from otherwords.models import container
from otherwords.models.seen import SPREAD, WIDEST, Seen, _steps, filter_of, pair_hash

WORDS = "ship storm harbour captain letter winter garden stone music river".split()


def texts(number: int, start: int) -> list[tuple[str, str]]:
    """Pairs that nobody else has: the numbers make them so."""
    chance = random.Random(start)
    return [
        (f"{n} {' '.join(chance.choices(WORDS, k=6))}", f"{n} {chance.choice(WORDS)}")
        for n in range(start, start + number)
    ]


@pytest.mark.parametrize("number", [1, 2, 50, 3000])
def test_all_that_was_stored_is_found(number):
    pairs = texts(number, 0)
    seen = filter_of(pairs)
    assert seen.found(pairs).all()
    assert seen.found([(right.upper(), f" {left} !") for left, right in pairs]).all()


@given(st.text(st.characters(max_codepoint=127)), st.text())
def test_plain_text_is_read_as_any_other(plain, other):
    """Letters of another width are the same text, by the way that is not for ASCII."""
    wide = "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in plain)
    assert pair_hash(plain, other) == pair_hash(wide, other) == pair_hash(other, wide)


def test_the_stated_rate_of_false_finds():
    seen = filter_of(texts(20_000, 0))
    others = seen.found(texts(200_000, 10**6))
    # 200,000 * 1.02 / 16,384 = 12.5, of a Poisson distribution: 5 standard deviations to each side.
    expected = len(others) * 1.02 / SPREAD
    assert abs(others.sum() - expected) < 5 * expected**0.5
    # The rate by arithmetic: what the filter holds, of all numbers that hashes fall on.
    held = len(np.unique(np.cumsum(seen.steps, dtype=np.int64)))
    assert held / seen.size == pytest.approx(1.02 / SPREAD, rel=0.02)


def test_two_bytes_for_each_pair():
    seen = filter_of(texts(20_000, 0))
    assert seen.steps.nbytes / 20_000 == pytest.approx(2.04, abs=0.02)


def test_steps_wider_than_two_bytes():
    """With 100 pairs the numbers go to 1.6 million; steps add up to the hashes all the same."""
    pairs = texts(100, 0)
    hashes = {pair_hash(*pair) % (100 * SPREAD) for pair in pairs}
    assert hashes <= set(np.cumsum(filter_of(pairs).steps, dtype=np.int64).tolist())
    gaps = np.diff(sorted(hashes))
    assert gaps.max() > 2**16  # or this would test nothing


@pytest.mark.parametrize("step", [1, WIDEST, WIDEST + 1, 2 * WIDEST, 2 * WIDEST + 1, 7 * 2**16])
def test_steps_add_up(step):
    assert np.cumsum(_steps(np.array([0, step])), dtype=np.int64)[-1] == step


def test_the_order_of_pairs_and_pairs_twice_do_not_matter():
    pairs = texts(500, 0)
    again = filter_of([*reversed(pairs), *pairs])
    assert again.steps.tobytes() == filter_of(pairs).steps.tobytes()


def test_nothing_was_seen():
    empty = filter_of([])
    assert not empty.found(texts(50, 0)).any()
    assert empty.share([]) == 0.0
    signs = filter_of([("...", "It rains."), ("?", "!")])
    assert not signs.found([("...", "It rains."), ("", ""), ("!!", "??")]).any()


def test_zero_is_no_member_of_a_filter_by_chance():
    """The first step begins at zero; zero itself is in the filter only if a hash is there."""
    seen = filter_of(texts(1, 0))
    assert len(seen.steps) == 1


def test_a_filter_goes_through_the_arrays_of_a_model():
    seen = filter_of(texts(50, 0))
    again = Seen.of_arrays(seen.arrays)
    assert again is not None
    assert (again.size, again.steps.tolist()) == (seen.size, seen.steps.tolist())
    assert Seen.of_arrays({}) is None
    with pytest.raises(ValueError, match="filter of training texts is damaged"):
        Seen.of_arrays({**seen.arrays, "seen/steps": seen.steps.astype(np.int64)})
    with pytest.raises(ValueError, match="filter of training texts is damaged"):
        Seen.of_arrays({**seen.arrays, "seen/size": np.array([0])})


def test_the_filter_does_not_change_the_digest(tmp_path):
    """Scores do not depend on it, so signatures do not either; damage to it is found."""
    numbers = {"weights": np.arange(5.0)}
    seen = filter_of(texts(50, 0))
    container.write(tmp_path / "a.owm", "combination", numbers, {})
    container.write(tmp_path / "b.owm", "combination", {**numbers, **seen.arrays}, {})
    digests = {container.verify(tmp_path / name).digest for name in ("a.owm", "b.owm")}
    assert len(digests) == 1
    content = (tmp_path / "b.owm").read_bytes()
    place = content.index(seen.steps.tobytes())
    (tmp_path / "b.owm").write_bytes(content[:place] + b"\x7f" + content[place + 1 :])
    with pytest.raises(DamagedModelError, match="seen/steps"):
        container.read(tmp_path / "b.owm")

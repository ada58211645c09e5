"""Batches worked on in threads: the same results and failures, in the same order."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import numpy as np
import pytest

from otherwords import metric
from otherwords.build.trees.parser import parse_files
from otherwords.io.processes import in_order
from otherwords.text.sentence import tokenize


@pytest.mark.parametrize("threads", [0, 1, 2, 5])
def test_results_keep_their_order(threads):
    first = threading.Event()

    def work(number: int) -> int:
        if number == 1 and threads > 1:
            assert first.wait(10)  # the others are done before it
        if number == 2:
            first.set()
        return number * number

    assert list(in_order(work, [1, 2, 3, 4, 5, 6, 7], threads)) == [1, 4, 9, 16, 25, 36, 49]


@pytest.mark.parametrize("threads", [0, 1, 2, 5])
def test_a_failure_of_reading_comes_after_the_results_before_it(threads):
    def items() -> Iterator[int]:
        yield from (1, 2, 3)
        raise ValueError("line 4")

    got = []
    with pytest.raises(ValueError, match="line 4"):
        got += [got.append(one) for one in in_order(lambda number: 10 * number, items(), threads)]
    assert got == [10, 20, 30]


@pytest.mark.parametrize("threads", [0, 1, 2, 5])
def test_a_failure_of_work_comes_before_later_failures_of_reading(threads):
    def items() -> Iterator[int]:
        yield from (1, 0)
        raise ValueError("line 3")

    got = []
    with pytest.raises(ZeroDivisionError):
        got += [got.append(one) for one in in_order(lambda number: 10 // number, items(), threads)]
    assert got == [10]


def test_threads_end_when_the_caller_stops():
    before = threading.active_count()
    numbers = in_order(str, iter(int, 1), 3)  # without end
    assert next(numbers) == "0"
    numbers.close()
    assert threading.active_count() == before


def test_trees_do_not_depend_on_threads(tmp_path):
    text = tmp_path / "text.txt"
    lines = (f"The {n} cats that sleep on mats see dog number {n * n}.\n" for n in range(150))
    text.write_text("".join(lines), encoding="utf-8")
    one, three = ([str(tree) for tree in parse_files([str(text)], threads=n)] for n in (1, 3))
    assert one == three
    assert len(one) == 150


@pytest.mark.parametrize("threads", [2, 3])
def test_stretches_of_pairs_are_measured_as_all_of_them(threads):
    left = [f"The {n % 7} ships of Ostrova sank {n} miles from hte coast." for n in range(40)]
    right = [f"{n % 5 + 3} ships from Ostrova went down near the coast." for n in range(40)]
    left[11] = right[11]
    rewrite = metric("otherwords-rewrite")
    one = rewrite.statistics(left, sources=right)
    assert np.array_equal(one, rewrite.statistics(left, sources=right, threads=threads))
    each = [rewrite.statistics([a], sources=[b]) for a, b in zip(left, right, strict=True)]
    assert np.array_equal(one, np.concatenate(each))
    left[30] = tokenize("A ship , they say , did n't sink .")  # its tokens make all texts tokens
    one = rewrite.statistics(left, sources=right)
    assert np.array_equal(one, rewrite.statistics(left, sources=right, threads=threads))

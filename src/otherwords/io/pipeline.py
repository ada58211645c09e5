"""Work on batches in threads, while the caller reads the next and uses the last."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from concurrent.futures import Future

__all__ = ["in_order"]

Item = TypeVar("Item")
Result = TypeVar("Result")


def in_order(
    work: Callable[[Item], Result], items: Iterable[Item], threads: int
) -> Iterator[Result]:
    """What the work makes of each item, in their order, by so many threads; 0: by the caller's.

    The caller's thread reads the items. What can be seen does not depend on the threads: results
    of all items before a failure are given before it is raised.

    >>> list(in_order(str.upper, ["a", "b"], 2))
    ['A', 'B']
    """
    if threads < 1:
        yield from map(work, items)
        return
    from concurrent.futures import ThreadPoolExecutor  # one thread need not wait for its import

    pool = ThreadPoolExecutor(threads)
    waiting: deque[Future[Result]] = deque()
    unread, failure = iter(items), None
    try:
        while True:
            try:
                item = next(unread)
            except StopIteration:
                break
            except Exception as error:  # of reading: raised when all before it is done
                failure = error
                break
            waiting.append(pool.submit(work, item))
            if len(waiting) > 2 * threads:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
        if failure is not None:
            raise failure
    finally:
        pool.shutdown(cancel_futures=True)

"""A page's calls lie in one piece: no call among them asks the system for memory each time that it is made."""
from __future__ import annotations

from resource import RUSAGE_THREAD, getrusage

import pytest

from config.stack import in_one_piece
from config.threads import Threads

TIMES = 200  # one call, made so often: where each needs a new piece, that is as many new pages of memory


def asked_at(depth: int) -> int:
    """How many pages of memory the system gave for calls that are made at this depth."""
    if depth:
        return asked_at(depth - 1)
    before = getrusage(RUSAGE_THREAD).ru_minflt
    for _ in range(TIMES):
        abs_of(-1)
    return getrusage(RUSAGE_THREAD).ru_minflt - before


def abs_of(number: int) -> int:
    return max(number, -number)


def most() -> int:
    """Where it is the most, of all depths that a page may have."""
    return max(map(asked_at, range(400)))


def test_no_depth_asks_for_memory_with_each_call() -> None:
    """It does where calls lie in pieces, as somewhere the end of one is met."""
    assert in_one_piece(most) < TIMES / 2


@pytest.mark.django_db
def test_the_threads_that_make_pages_work_so() -> None:
    threads = Threads(1, "test")
    try:
        assert threads.submit(most).result() < TIMES / 2
    finally:
        threads.shutdown()


def test_what_it_does_is_answered_and_what_it_raises_too() -> None:
    assert in_one_piece(lambda: 3) == 3
    with pytest.raises(ZeroDivisionError):
        in_one_piece(lambda: 1 // 0)

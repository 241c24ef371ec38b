"""Room for calls, in one piece.

Python keeps the frames of nested calls in pieces of 16 KB, asks the system for a new piece where one is full, and gives
it back as soon as the call that needed it ends. A page is made of some hundred nested calls, so that somewhere a short
one is made again and again just past the end of a piece: hundreds of times, for up to a fifth of the page’s time.
"""
from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")
ROOM = 256 * 1024  # bytes for the calls within; a page takes less than a quarter of it
OF_A_PLACE = 8  # bytes


def in_one_piece(work: Callable[[], T]) -> T:
    """Does the work, and answers what it answers; its calls lie in one piece."""
    return work()


# A piece is made at least as large as its first frame, in powers of two: what is left of it after a frame that says it
# needs a little more than half is what the calls within have. Memory that no call comes to is never touched.
in_one_piece.__code__ = in_one_piece.__code__.replace(co_stacksize=ROOM // OF_A_PLACE)

"""What never changes and is dear to make is kept in memory, and only so much of it."""
from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from threading import Lock
from typing import Any, Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")
KEPT: list[Bounded[Any, Any]] = []  # all that there are, for whoever goes on with another database


def forget() -> None:
    """Clears all of them."""
    for bounded in KEPT:
        bounded.clear()


class Bounded(Generic[K, V]):
    """Values by key; what nobody asked for longest makes way. Safe between threads."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept: OrderedDict[K, V] = OrderedDict()
        self._lock = Lock()
        KEPT.append(self)

    def get(self, key: K) -> V | None:
        """What is kept under this key, or None."""
        with self._lock:
            if key not in self._kept:
                return None
            self._kept.move_to_end(key)
            return self._kept[key]

    def put(self, key: K, value: V) -> V:
        """Keeps a value, and answers it."""
        with self._lock:
            self._kept[key] = value
            self._kept.move_to_end(key)
            while len(self._kept) > self._most:
                self._kept.popitem(last=False)
        return value

    def clear(self) -> None:
        """Forgets all of it."""
        with self._lock:
            self._kept.clear()

    def __len__(self) -> int:
        return len(self._kept)

"""Executables compiled for the shapes of calls; a limited number of them is kept."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

KeyT = TypeVar("KeyT", bound=Hashable)
ValueT = TypeVar("ValueT")


class Specializations(Generic[KeyT, ValueT]):
    """At most ``limit`` values by key, of which the one that was used least recently goes first."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._found: OrderedDict[KeyT, ValueT] = OrderedDict()
        #: How many were made.
        self.made = 0

    def get(self, key: KeyT, make: Callable[[], ValueT]) -> ValueT:
        """Returns the value of a key, which ``make`` makes if there is none."""
        if key not in self._found:
            made = make()
            self.made += 1
            while len(self._found) >= self._limit:
                self._found.popitem(last=False)
            self._found[key] = made
        self._found.move_to_end(key)
        return self._found[key]

    def all(self) -> dict[KeyT, ValueT]:
        """Returns the values, the one that was used last at the end."""
        return dict(self._found)

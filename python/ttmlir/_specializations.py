"""A bounded cache of executables compiled for the shapes of calls."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

KeyT = TypeVar("KeyT", bound=Hashable)
ValueT = TypeVar("ValueT")


class Specializations(Generic[KeyT, ValueT]):
    """A least-recently-used cache of at most ``limit`` values."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._found: OrderedDict[KeyT, ValueT] = OrderedDict()
        #: The number of values made so far.
        self.made = 0

    def get(self, key: KeyT, make: Callable[[], ValueT]) -> ValueT:
        """Returns the value for a key; ``make`` creates a missing one."""
        if key not in self._found:
            made = make()
            self.made += 1
            while len(self._found) >= self._limit:
                self._found.popitem(last=False)
            self._found[key] = made
        self._found.move_to_end(key)
        return self._found[key]

    def all(self) -> dict[KeyT, ValueT]:
        """Returns the values, the most recently used one last."""
        return dict(self._found)

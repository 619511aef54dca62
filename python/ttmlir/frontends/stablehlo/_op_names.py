"""Unique names for the ops of a program."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

#: Ops whose regions are parts of the program instead of the op's own implementation.
_CONTROL = frozenset({"stablehlo.case", "stablehlo.if", "stablehlo.while"})
#: Ops that JAX adds to another one, and that take its name.
_ADDED = frozenset({"stablehlo.broadcast_in_dim", "stablehlo.constant"})


class Names:
    """Assigns names in program order, with functions inlined: the second ``add`` is ``add_1``. Ops
    in regions of loops and conditionals keep JAX's names, and ops that implement another op have
    its name."""

    def __init__(self) -> None:
        self._used: set[str] = set()
        self._depth = 0
        self._outer = ""

    @contextmanager
    def of(self, op: str, name: str) -> Iterator[str]:
        """Yields the name of an op while it is imported.

        Args:
            op: its kind, such as ``stablehlo.add``.
            name: JAX's name of it.
        """
        is_inside = self._outer or self._depth
        own = self._outer or name if is_inside else self.unique(op, name)
        outer, depth = self._outer, self._depth
        if op in _CONTROL:
            self._depth += 1
        else:
            self._outer = own
        try:
            yield own
        finally:
            self._outer, self._depth = outer, depth

    def unique(self, op: str, name: str) -> str:
        """Returns the next unique name of an op outside of regions."""
        if not name:
            return ""
        kind = op.rpartition(".")[2]
        if op in _ADDED and not name.endswith(kind):
            name = f"{name}/{kind}"
        own, number = name, 0
        while own in self._used:
            number += 1
            own = f"{name}_{number}"
        self._used.add(own)
        return own

"""Names of the ops of a program: each has one of its own."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

#: Ops whose regions are parts of the program, and are not what the op itself is made of.
_CONTROL = frozenset({"stablehlo.case", "stablehlo.if", "stablehlo.while"})
#: Ops that JAX adds to another one, by whose name they go.
_ADDED = frozenset({"stablehlo.broadcast_in_dim", "stablehlo.constant"})


class Names:
    """Gives names in the order of the program, functions where they are called: the second ``add``
    is ``add_1``. Ops in the regions of loops and conditions keep what JAX calls them, and what
    another op is made of has its name."""

    def __init__(self) -> None:
        self._used: set[str] = set()
        self._depth = 0
        self._outer = ""

    @contextmanager
    def of(self, op: str, name: str) -> Iterator[str]:
        """The name of an op, for as long as it is imported.

        Args:
            op: its kind, such as ``stablehlo.add``.
            name: what JAX calls it.
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
        """The next name of an op outside of regions."""
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

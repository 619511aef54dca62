"""Results of the ops of a compiled program."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Probe:
    """A result of an op.

    ``names`` are the names in its location; a fused op has several, and the last one is that of the
    op whose value it is. ``source`` is ``file:line``, and ``precision`` the coarsest format among
    the values that the result depends on. ``reads`` are the indices of the results it is computed
    from.
    """

    op: str
    names: tuple[str, ...]
    source: str
    dtype: str
    shape: tuple[int, ...]
    precision: str
    reads: tuple[int, ...] = ()

"""Results of the ops of a compiled program."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Tap:
    """A result of an op.

    ``names`` are those in its location, of a fused op several, the last one that of the op whose
    value it is. ``source`` is ``file:line``, and ``precision`` the coarsest format of what the
    result depends on. ``reads`` has the numbers of the results that it is computed from.
    """

    op: str
    names: tuple[str, ...]
    source: str
    dtype: str
    shape: tuple[int, ...]
    precision: str
    reads: tuple[int, ...] = ()

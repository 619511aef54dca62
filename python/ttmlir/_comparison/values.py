"""What is compared: results of ops, and what a reference computes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Tap:
    """A result of an op.

    ``names`` are those in its location, of a fused op several, the last one that of the op whose
    value it is. ``source`` is ``file:line``, and ``precision`` the coarsest format of what the
    result depends on.
    """

    op: str
    names: tuple[str, ...]
    source: str
    dtype: str
    shape: tuple[int, ...]
    precision: str


@dataclass(frozen=True)
class Values:
    """Results of a reference.

    ``title`` says what it is. ``ops`` has the results of ops by the names that the importer gives
    them, in their order, of an op with several results all of them; ``outputs`` those of the
    program, None where random numbers are in them; ``unknown`` says by the name of an op why its
    results mean nothing. With ``has_bodies`` the names of what an op is made of begin with its own
    and a slash.
    """

    title: str
    ops: Mapping[str, tuple[Array, ...]]
    outputs: Sequence[Array | None]
    unknown: Mapping[str, str] = field(default_factory=dict)
    has_bodies: bool = False

    def name(self, name: str) -> str:
        """The name of the op of the reference that one of the program belongs to."""
        own = name
        while self.has_bodies and "/" in own and own not in self.ops and own not in self.unknown:
            own = own.rpartition("/")[0]
        return own if own in self.ops or own in self.unknown else name

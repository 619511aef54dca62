"""Results of a reference, which ``Executable.compare`` puts beside those of the chip."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]


#: The value of something that a source returns, or why nothing is known of it.
Known = Array | str


@dataclass(frozen=True)
class Returned:
    """What a source returns, in its own structure, and what it makes of the tensors that it has.

    ``leaves`` are those of what it returns, None where one is no tensor. ``state`` has parameters
    and buffers by their names, and ``inputs`` the tensors among the leaves of the arguments by
    their numbers: each as it was before the call, and as it is behind it.
    """

    leaves: Sequence[Known | None]
    state: Mapping[str, tuple[Array, Known]]
    inputs: Mapping[int, tuple[Array, Known]]


@dataclass(frozen=True)
class Values:
    """Results of a reference.

    ``title`` says what it is. ``ops`` has the results of ops by the names that the importer gives
    them, in their order, of an op with several results all of them; ``outputs`` those of the
    program: a text says why one is not known, None that the reference has none. ``unknown`` says by
    the name of an op why its results mean nothing. With ``has_bodies`` the names of what an op is
    made of begin with its own and a slash.

    ``returned`` is what the source returns; ``others`` has what a call of the executable gives
    besides the outputs of its program, by a name, each with what it should be.
    """

    title: str
    ops: Mapping[str, tuple[Array, ...]]
    outputs: Sequence[Known | None]
    unknown: Mapping[str, str] = field(default_factory=dict)
    has_bodies: bool = False
    returned: Returned | None = None
    others: Mapping[str, tuple[Array, Known]] = field(default_factory=dict)

    def name(self, name: str) -> str:
        """The name of the op of the reference that one of the program belongs to."""
        own = name
        while self.has_bodies and "/" in own and own not in self.ops and own not in self.unknown:
            own = own.rpartition("/")[0]
        return own if own in self.ops or own in self.unknown else name

"""Results of a reference, for ``Executable.compare``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]


#: A value that a source returns, or the reason why it is unknown.
Known = Array | str


@dataclass(frozen=True)
class Returned:
    """The return value of a source in its own structure, and the tensors that the call changes.

    ``leaves`` are the leaves of the return value, None for those that are not tensors. ``state``
    maps the names of parameters and buffers, and ``inputs`` the indices of argument leaves, to the
    tensor before and after the call.
    """

    leaves: Sequence[Known | None]
    state: Mapping[str, tuple[Array, Known]]
    inputs: Mapping[int, tuple[Array, Known]]


@dataclass(frozen=True)
class Values:
    """Results of a reference.

    ``title`` describes it. ``ops`` has the results of ops by the importer's names, in order; all
    results of an op with several. ``outputs`` are those of the program: a string is the reason why
    one is unknown, None means that the reference does not have it. ``unknown`` maps the names of
    ops to reasons why their results are meaningless. With ``has_bodies``, ops in the body of an op
    have its name and a slash as a prefix.

    ``returned`` is the return value of the source; ``others`` has additional results of the
    executable's calls by name, each with its expected value.
    """

    title: str
    ops: Mapping[str, tuple[Array, ...]]
    outputs: Sequence[Known | None]
    unknown: Mapping[str, str] = field(default_factory=dict)
    has_bodies: bool = False
    returned: Returned | None = None
    others: Mapping[str, tuple[Array, Known]] = field(default_factory=dict)

    def name(self, name: str) -> str:
        """Returns the name of the reference op for an op of the program."""
        own = name
        while self.has_bodies and "/" in own and own not in self.ops and own not in self.unknown:
            own = own.rpartition("/")[0]
        return own if own in self.ops or own in self.unknown else name

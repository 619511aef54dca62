"""Chooses the formats for a program's weights and computations."""

from __future__ import annotations

import fnmatch
from collections.abc import Mapping

from ttmlir.errors import Error

#: The float types that a policy applies to.
FLOATS = frozenset({"f16", "bf16", "f32", "f64"})
#: Formats of a policy, with the element type of their computations.
FORMATS = {"f32": "f32", "bf16": "bf16", "bfp8_b": "bf16", "bfp4_b": "bf16"}
#: Weights with fewer dimensions, such as those of norms, are not stored in block floats.
_BLOCK_RANK = 2
Policy = str | Mapping[str, str] | None


class DTypes:
    """A dtype policy: the formats to use for the floats of a model.

    Args:
        policy: ``f32``, ``bf16``, ``bfp8_b`` or ``bfp4_b`` for all weights and activations; or a
            mapping from patterns such as ``layers.*.mlp.*`` to formats, where the last matching
            pattern of a parameter's name, or of an op's submodule or node, wins; or None for the
            dtypes of the model. ``bfp8_b`` and ``bfp4_b`` store weights with two or more dimensions
            in block floats and everything else in bf16.

    Raises:
        Error: a format is not one of these.
    """

    def __init__(self, policy: Policy = None) -> None:
        found = {"*": policy} if isinstance(policy, str) else dict(policy or {})
        for pattern, name in found.items():
            if name not in FORMATS:
                expected = ", ".join(FORMATS)
                where = "" if pattern == "*" else f" of '{pattern}'"
                raise Error(f"dtype{where}: expected one of {expected}, found {name!r}")
        self._patterns = found
        self.used: set[str] = set()

    def _find(self, name: str) -> str | None:
        chosen = None
        for pattern, found in self._patterns.items():
            if fnmatch.fnmatchcase(name, pattern):
                self.used.add(pattern)
                chosen = found
        return chosen

    def check_used(self) -> None:
        """Raises Error if a pattern has matched nothing."""
        missing = [p for p in self._patterns if p not in self.used and p != "*"]
        if missing:
            raise Error(
                f"dtype: no parameter, submodule or node has a name like {', '.join(missing)}"
            )

    def stored(self, name: str, dtype: str, rank: int) -> str:
        """Returns the storage format of a parameter that has ``dtype`` in the model."""
        found = self._find(name) if dtype in FLOATS else None
        if found is None:
            return dtype
        return found if rank >= _BLOCK_RANK else FORMATS[found]

    def computed(self, place: str, dtype: str) -> str:
        """Returns the format of floats of ``dtype`` in the ops of a submodule, or in a node."""
        if dtype not in FLOATS or not self._patterns:
            return dtype
        found = self._find(place)
        return dtype if found is None else FORMATS[found]

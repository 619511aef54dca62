"""The calling convention of a padded program."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ttmlir._padding.factors import Dims, Extents, Factor, varies
from ttmlir.errors import InputError

Array = np.ndarray[Any, np.dtype[Any]]


@dataclass(frozen=True)
class Need:
    """The least extent of a factor for which an op is defined."""

    op: str
    factor: Factor
    least: int


@dataclass
class Padding:
    """The calling convention of a padded program: the factors whose truth values follow its inputs,
    and the dimensions of its results."""

    extents: Extents
    masks: list[Factor] = field(default_factory=list)
    results: list[Dims] = field(default_factory=list)
    needs: list[Need] = field(default_factory=list)

    def check(self, extents: Mapping[str, int]) -> None:
        """Raises InputError if an extent of a call is too small for an op."""
        for need in self.needs:
            found = self.extents.value(need.factor, extents)
            if found < need.least:
                raise InputError(
                    f"{need.op}: expected at least {need.least} along "
                    f"{self.extents.name(need.factor)}, found {found}"
                )

    def cut(self, array: Array, number: int, extents: Mapping[str, int]) -> Array:
        """Returns a result without padding.

        Args:
            array: the result.
            number: its index.
            extents: of the call.
        """
        if number >= len(self.results) or not varies(self.results[number]):
            return array
        dims = self.results[number]
        dims = dims[len(dims) - array.ndim :]  # Complex numbers have lost the one of their parts.
        factors = [f for dim in dims for f in dim]
        sizes = [self._size(f, extents) if f.varies else f.padded for f in factors]
        whole = array.reshape([f.padded for f in factors])[tuple(map(slice, sizes))]
        rest, shape = iter(sizes), []
        for dim in dims:
            shape.append(int(np.prod([next(rest) for _ in dim], dtype=int)))
        return np.ascontiguousarray(whole.reshape(shape))

    def _size(self, factor: Factor, extents: Mapping[str, int]) -> int:
        # Of no elements, none are left without the first one.
        return max(self.extents.value(factor, extents), 0)

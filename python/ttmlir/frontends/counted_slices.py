"""Slices with constant bounds along an extent that depends on values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ttmlir.builder import Tensor
from ttmlir.frontends.data_movement import Op, taken

Array = np.ndarray[Any, np.dtype[Any]]
#: No extent is greater.
_MOST = 2**31 - 1


@dataclass(frozen=True)
class Span:
    """The bounds of a slice, as in Python: negative ones count from the end, None for the end is
    the extent. The step is positive."""

    begin: int
    end: int | None
    step: int = 1

    @staticmethod
    def of(begin: int | None, end: int | None, step: int = 1) -> Span:
        """Returns the bounds without those that no extent reaches."""
        begin = 0 if begin is None or begin <= -_MOST else min(begin, _MOST)
        return Span(begin, None if end is None or end >= _MOST else max(end, -_MOST), step)

    @property
    def is_whole(self) -> bool:
        return (self.begin, self.end, self.step) == (0, None, 1)

    def count(self, numbers: Array) -> Array:
        """Returns the numbers of elements of the slice for extents."""

        def bound(place: int) -> Array:
            return np.maximum(numbers + place, 0) if place < 0 else np.minimum(numbers, place)

        end = numbers if self.end is None else bound(self.end)
        found: Array = np.maximum(end - bound(self.begin) + self.step - 1, 0) // self.step
        return found

    def build(
        self, op: Op, x: Tensor, dim: int, number: Tensor, bound: int
    ) -> tuple[Tensor, Tensor]:
        """Builds the slice.

        Args:
            op: the op of the source.
            x: the tensor to slice.
            dim: the dimension, whose first ``number`` elements exist.
            number: of them, i32 of shape (1,).
            bound: the greatest number of elements of the slice.

        Returns:
            The number of elements, i32 of shape (1,), and at most ``bound`` of them, which follow
            by an op on ``x`` only.
        """
        b = op.b

        def known(n: int) -> Tensor:
            return b.constant(n, shape=(1,), dtype="i32")

        def bounded(place: int) -> Tensor:
            if place < 0:
                return b.maximum(b.add(number, known(place)), known(0))
            return b.minimum(number, known(place))

        first = bounded(self.begin)
        count = b.subtract(number if self.end is None else bounded(self.end), first)
        count = b.maximum(b.add(count, known(self.step - 1)), known(0))
        if self.step != 1:
            step = known(self.step)
            count = b.div(b.subtract(count, b.remainder(count, step)), step)
        size = x.shape[dim]
        if self.begin < 0:
            places = b.constant(self.step * np.arange(min(bound, size), dtype=np.int32))
            return count, taken(op, x, dim, b.add(places, first))
        end = min(self.begin + (bound - 1) * self.step + 1, size)
        begins, ends, steps = [0] * x.rank, list(x.shape), [1] * x.rank
        begins[dim], ends[dim], steps[dim] = self.begin, end, self.step
        return count, b.slice(x, begins, ends, steps)

"""Extents that depend on values: computed up to a bound, with the number of elements.

An importer builds a program for such bounds like one of fixed shapes, and marks the values whose
first elements exist. It imports the program again with other bounds, and the analysis of buckets
compares both: a counted extent is a bucket whose extent the device computes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ttmlir._padding.analysis import Array, Padding, Walk, mark_count, mark_counted
from ttmlir._padding.factors import Extents, Factor, varies
from ttmlir._padding.rules import rule_of
from ttmlir.builder import Builder, Tensor
from ttmlir.errors import CompileError, Error

#: Why such a result cannot stay on the device.
CUT = "keep_on_device: a result whose extent depends on values is cut to size on the host"
_REFUSAL = "the program cannot compute with extents that depend on values"


def chosen(b: Builder, mask: Tensor) -> tuple[Tensor, Tensor]:
    """Returns the places of the true elements of a mask (n,) in order, followed by the others, and
    the number of the former, of shape (1,)."""
    order = b.argsort(b.typecast(b.logical_not(mask), "i32"), 0)
    return order, b.sum(b.typecast(mask, "i32"), (0,), True)


class Counts:
    """The extents of a program that depend on values.

    Args:
        are_others: whether the program is the one with other bounds.
    """

    def __init__(self, are_others: bool = False) -> None:
        self._are_others = are_others
        #: The greatest numbers of elements that the program computes, by the names of extents.
        self.bounds: dict[str, int] = {}
        #: The numbers of elements, by the names of the extents.
        self.numbers: dict[str, Tensor] = {}

    def bound(self, name: str, most: int) -> int:
        """Adds an extent of at most ``most`` and returns its bound in the program."""
        # Ops on a single element have other forms.
        more = _prime(len(self.bounds)) if self._are_others else 0
        self.bounds[name] = max(most, 2) + more
        return self.bounds[name]

    def marked(
        self, b: Builder, name: str, count: Tensor, values: Sequence[tuple[Tensor, int]]
    ) -> list[Tensor]:
        """Marks values of which the first ``count`` (1,) elements along a dimension exist.

        Args:
            b: the builder.
            name: of their extent.
            count: at most ``most`` of ``bound``.
            values: with the dimension each.

        Returns:
            The values to use, whose extents are the bound.
        """
        if b.block != b._function.entry_block:
            raise ValueError(
                "results whose extents depend on values are not supported in loops and conditions"
            )
        bound = self.bounds[name]
        if name not in self.numbers:
            # An op of its own, which nothing else of the program shares.
            count = b.reshape(b.reshape(count, (1, 1)), (1,))
            self.numbers[name] = mark_count(count, name)
        found = []
        for x, dim in values:
            if x.shape[dim] > bound:
                # Of two extents that are equal, this one may be longer.
                ends = [bound if d == dim else n for d, n in enumerate(x.shape)]
                x = b.slice(x, [0] * x.rank, ends, [1] * x.rank)
            amounts = [(0, bound - n if d == dim else 0) for d, n in enumerate(x.shape)]
            found.append(mark_counted(b.pad(x, amounts), name, dim))
        return found


def _prime(number: int) -> int:
    """Returns a prime number from 7 on: no difference of bounds is a multiple of another one."""
    found = 5
    for _ in range(number + 1):
        found += 2
        while any(found % n == 0 for n in range(3, found, 2)):
            found += 2
    return found


@dataclass(frozen=True)
class CountedResults:
    """The sizes of results: ``places`` has the indices of the program's outputs with the numbers of
    elements, by extent."""

    padding: Padding
    places: Mapping[str, int]

    def has(self, number: int) -> bool:
        """Whether an output of the program is cut."""
        return number < len(self.padding.results) and varies(self.padding.results[number])

    @property
    def any(self) -> bool:
        return any(map(varies, self.padding.results))

    def extents(self, arrays: Any) -> dict[str, int]:
        """Returns the numbers of elements; ``arrays`` returns an output by index."""
        return {name: int(arrays(place).reshape(-1)[0]) for name, place in self.places.items()}


@dataclass(frozen=True)
class CountedNumbers:
    """A known array, such as a shape or a range, with numbers or extents that follow counts: its
    values in the other program and in this one."""

    other: Array
    own: Array
    extents: Extents

    @property
    def is_followed(self) -> bool:
        """Whether all differences follow counts."""
        if self.other.ndim != self.own.ndim or self.other.dtype != self.own.dtype:
            return False
        pairs = zip(self.other.shape, self.own.shape, strict=True)
        if self.other.shape == self.own.shape and self.own.dtype.kind in "iu":
            pairs = zip(self.other.flat, self.own.flat, strict=True)
        elif not _are_equal(self.other[self._common], self.own[self._common]):
            return False
        factors = [Factor(int(x), int(y)) for x, y in pairs]
        return all(not f.varies or self.extents.expression(f) is not None for f in factors)

    @property
    def _common(self) -> tuple[slice, ...]:
        return tuple(slice(min(n)) for n in zip(self.other.shape, self.own.shape, strict=True))

    def value(self, extents: Mapping[str, int]) -> Array:
        """Returns the array of a call with these numbers of elements."""

        def number(other: Any, own: Any) -> int:
            factor = Factor(int(other), int(own))
            return self.extents.value(factor, extents) if factor.varies else int(own)

        if self.other.shape == self.own.shape:
            numbers = list(map(number, self.other.flat, self.own.flat))
            found: Array = np.array(numbers, self.own.dtype).reshape(self.own.shape)
        else:
            sizes = map(number, self.other.shape, self.own.shape)
            found = self.own[tuple(map(slice, sizes))].copy()
        return found


def followed(
    counts: tuple[Counts, Counts], other: Builder, padded: Builder, places: Sequence[int]
) -> CountedResults:
    """Changes a program so that its results do not depend on elements beyond the counts.

    Args:
        counts: of the other program, and of this one.
        other: the program with other bounds.
        padded: the program.
        places: the indices of the outputs with the numbers of elements, in order.

    Raises:
        CompileError: it has an op that cannot keep them apart; lists all of them.
    """
    others, own = counts
    bounds = {name: (others.bounds[name], own.bounds[name]) for name in own.numbers}
    extents = Extents(bounds, dict.fromkeys(bounds, 0))
    padding = Walk(other.module, padded.module, extents, rule_of, _REFUSAL).run()
    return CountedResults(padding, dict(zip(bounds, places, strict=True)))


def _are_equal(x: Array, y: Array) -> bool:
    return np.array_equal(x, y, equal_nan=y.dtype.kind in "fc")


def known_numbers(other: Any, own: Any, results: CountedResults) -> Any:
    """Returns a result that is known in both programs: the value, or numbers that follow counts.

    Raises:
        CompileError: it depends on the extents in another way.
    """
    found = CountedNumbers(np.asarray(other), np.asarray(own), results.padding.extents)
    if found.is_followed:
        return own if _are_equal(found.other, found.own) else found
    raise CompileError(
        f"{_REFUSAL}: a result depends only on extents and is not computed on the device"
    )


def check_no_counts(results: CountedResults | None) -> None:
    """Raises Error if a result is cut to size by the host."""
    if results is not None and results.any:
        raise Error("results whose extents depend on values cannot be compared")

"""Extents that depend on values: computed up to a bound, with the number of elements.

An importer builds a program for such bounds like one of fixed shapes, and marks the values whose
first elements exist. It imports the program again with other bounds, and the analysis of buckets
compares both: a counted extent is a bucket whose extent the device computes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

from ttmlir._padding.analysis import Walk
from ttmlir._padding.convention import Array, Padding
from ttmlir._padding.factors import Extents, Factor, varies
from ttmlir._padding.marks import mark_count, mark_counted, mark_part
from ttmlir._padding.rules import rule_of
from ttmlir.builder import Builder, Tensor
from ttmlir.errors import CompileError, Diagnostic, Error
from ttmlir.frontends.counted_slices import Span
from ttmlir.frontends.data_movement import Op

#: Why such a result cannot stay on the device.
CUT = "keep_on_device: a result whose extent depends on values is cut to size on the host"
_EQUAL = "its operands fit together only if extents that depend on values are equal"
_Built = TypeVar("_Built")
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
        sources: see ``sliced_extents``.
    """

    def __init__(
        self, are_others: bool = False, sources: Mapping[str, Mapping[int, str]] | None = None
    ) -> None:
        self._are_others = are_others
        #: For ops that slice extents: the names of the extents, by dimension.
        self.sources: Mapping[str, Mapping[int, str]] = sources or {}
        #: The shapes of tensors that ops slice.
        self.sliced_shapes: dict[str, tuple[int, ...]] = {}
        #: The greatest numbers of elements that the program computes, by the names of extents.
        self.bounds: dict[str, int] = {}
        #: The numbers of elements, by the names of the extents.
        self.numbers: dict[str, Tensor] = {}
        self._most: dict[str, int] = {}
        #: For the extent of a slice: that of the whole tensor, and by its number of elements, that
        #: of the slice.
        self._slices: dict[str, tuple[str, Array]] = {}

    def bound(self, name: str, most: int) -> int:
        """Adds an extent of at most ``most`` and returns its bound in the program."""
        # Ops on a single element have other forms.
        more = _prime(len(self.bounds)) if self._are_others else 0
        self.bounds[name] = max(most, 2) + more
        self._most[name] = most
        return self.bounds[name]

    def slice_extent(self, name: str, source: str, span: Span) -> str:
        """Adds the extent of a slice of an extent ``source``, unless a slice with as many elements
        has one; returns its name."""
        whole, numbers = self._slices.get(source) or (source, np.arange(self._most[source] + 1))
        numbers = span.count(numbers)
        for other, (origin, same) in self._slices.items():
            if origin == whole and np.array_equal(numbers, same):
                return other
        self.bound(name, int(numbers.max()))
        self._slices[name] = whole, numbers
        return name

    def sliced(self, op: Op, name: str, source: str, x: Tensor, dim: int, span: Span) -> Tensor:
        """Slices a tensor along a dimension of the extent ``source``; ``name`` is that of the
        result."""
        number = self.numbers[source]
        number = number if number.dtype == "i32" else op.b.typecast(number, "i32")
        count, found = span.build(op, x, dim, number, self.bounds[name])
        [marked] = self.marked(op.b, name, count, [(mark_part(found, dim), dim)])
        return marked

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
        """Returns the numbers of elements; ``arrays`` returns an output by index.

        Raises:
            InputError: an op needs more elements.
        """
        found = {name: int(arrays(place).reshape(-1)[0]) for name, place in self.places.items()}
        self.padding.check(found)
        return found


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


def sliced_extents(counts: tuple[Counts, Counts]) -> dict[str, dict[int, str]]:
    """Returns the extents that ops of a program slice, by op and dimension.

    Sources without symbolic shapes need it: they import the program again with these ``sources``.

    Args:
        counts: of the program with other bounds, and of the program.
    """
    others, own = counts
    bounds = {name: (others.bounds[name], n) for name, n in own.bounds.items()}
    extents = Extents(bounds, dict.fromkeys(bounds, 0))
    found: dict[str, dict[int, str]] = {}
    for op, shape in own.sliced_shapes.items():
        for dim, pair in enumerate(zip(others.sliced_shapes[op], shape, strict=True)):
            expression = extents.expression(Factor(*pair)) if len(set(pair)) > 1 else None
            if expression is not None and expression[1:] == (1, 0):
                found.setdefault(op, {})[dim] = expression[0]
    return found


def with_other_bounds(build: Callable[[], _Built]) -> _Built:
    """Builds the program with other bounds.

    Raises:
        CompileError: it cannot be built, although the program can.
    """
    try:
        return build()
    except CompileError as error:
        # The first one only counts the others, which begin with their ops.
        found = [
            Diagnostic("error", f"{one.message.partition(': ')[0]}: {_EQUAL}", one.location)
            for one in error.diagnostics
            if one.message.startswith("'")
        ]
        raise CompileError(_REFUSAL, found) from error


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

"""Intervals that hold a number whatever the rounding on the way to it.

The oracle of random programs: every tensor is a lower and an upper bound of each element in
float64. An op takes the bounds through its exact function and widens them by what the format of its
result and its documented error allow. So a comparison of two numbers that are closer than their
errors may come out either way, and what follows from it too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import ml_dtypes
import numpy as np

Array = np.ndarray[Any, np.dtype[Any]]
Function = Callable[..., Array]

#: Error of one rounding, relative to the number; of block floats, to the maximum of a block.
EPSILON = {"f32": 2.0**-23, "bf16": 2.0**-8, "bfp8_b": 2.0**-6}
HOST = {
    "f32": np.dtype(np.float32),
    "bf16": np.dtype(ml_dtypes.bfloat16),
    "i32": np.dtype(np.int32),
    "u32": np.dtype(np.uint32),
    "u16": np.dtype(np.uint16),
    "u8": np.dtype(np.uint8),
}
#: What results below this are off is not looked at: they may be flushed to zero.
TINY = 2.0**-120


def is_float(dtype: str) -> bool:
    return dtype in EPSILON


@dataclass(frozen=True)
class Interval:
    """Bounds of the elements of a tensor. Integers are exact: both are one array."""

    low: Array
    high: Array

    @staticmethod
    def exact(values: Array) -> Interval:
        wide = values.astype(np.float64)
        return Interval(wide, wide)

    @property
    def shape(self) -> tuple[int, ...]:
        return self.low.shape

    @property
    def centre(self) -> Array:
        return (self.low + self.high) / 2

    @property
    def radius(self) -> Array:
        return (self.high - self.low) / 2

    @property
    def largest(self) -> float:
        """The largest magnitude, 0 for a tensor without elements."""
        return float(max(np.abs(self.low).max(initial=0), np.abs(self.high).max(initial=0)))

    @property
    def is_exact(self) -> bool:
        return bool((self.low == self.high).all())

    def moved(self, function: Function) -> Interval:
        """Of an op that moves elements and computes nothing."""
        return Interval(function(self.low), function(self.high))

    def widened(self, by: Array | float) -> Interval:
        return Interval(self.low - by, self.high + by)

    def rounded(self, dtype: str, ulps: float = 0.0, slack: Array | float = 0.0) -> Interval:
        """After an error of ``ulps`` of f32 and the absolute ``slack``, stored as ``dtype``."""
        if not is_float(dtype):
            return self
        size = np.maximum(np.abs(self.low), np.abs(self.high))
        scale = block_maximum(size) if dtype.startswith("bfp") else size
        return self.widened(EPSILON[dtype] * scale + ulps * 2.0**-23 * size + slack + TINY)

    def holds(self, values: Array) -> Array:
        """Which elements lie between their bounds."""
        wide = values.astype(np.float64)
        return (wide >= self.low) & (wide <= self.high)


def block_maximum(size: Array) -> Array:
    """The maximum of each 16 elements of a row, which share an exponent, for each of them."""
    columns = size.shape[-1]
    padded = np.zeros((*size.shape[:-1], -(-columns // 16) * 16))
    padded[..., :columns] = size
    most = padded.reshape(*padded.shape[:-1], -1, 16).max(-1)
    return np.repeat(most, 16, axis=-1)[..., :columns]


def hull(*arrays: Array) -> Interval:
    stacked = np.broadcast_arrays(*arrays)
    return Interval(np.minimum.reduce(stacked), np.maximum.reduce(stacked))


def increasing(function: Function) -> Callable[[Interval], Interval]:
    return lambda x: Interval(function(x.low), function(x.high))


def decreasing(function: Function) -> Callable[[Interval], Interval]:
    return lambda x: Interval(function(x.high), function(x.low))


def lipschitz(function: Function, constant: float) -> Callable[[Interval], Interval]:
    """Of a function whose slope is at most ``constant``."""

    def apply(x: Interval) -> Interval:
        centre = function(x.centre)
        return Interval(centre, centre).widened(constant * x.radius)

    return apply


def corners(function: Function) -> Callable[[Interval, Interval], Interval]:
    """Of a function that is monotone in each argument where the other one is fixed."""

    def apply(x: Interval, y: Interval) -> Interval:
        return hull(*(function(a, b) for a in (x.low, x.high) for b in (y.low, y.high)))

    return apply


def absolute(x: Interval) -> Interval:
    straddles = (x.low < 0) & (x.high > 0)
    bounds = hull(np.abs(x.low), np.abs(x.high))
    return Interval(np.where(straddles, 0.0, bounds.low), bounds.high)


def truth(yes: Array, no: Array) -> Interval:
    """1 where something surely holds, 0 where it surely does not, and else between them."""
    return Interval(np.where(yes, 1.0, 0.0), np.where(no, 0.0, 1.0))


def equal(x: Interval, y: Interval) -> Interval:
    same = (x.low == x.high) & (y.low == y.high) & (x.low == y.low)
    return truth(same, (x.high < y.low) | (x.low > y.high))


def less(x: Interval, y: Interval) -> Interval:
    return truth(x.high < y.low, x.low >= y.high)


def less_equal(x: Interval, y: Interval) -> Interval:
    return truth(x.high <= y.low, x.low > y.high)


def negated(x: Interval) -> Interval:
    return Interval(1 - x.high, 1 - x.low)


def nonzero(x: Interval) -> Interval:
    return truth((x.low > 0) | (x.high < 0), (x.low == 0) & (x.high == 0))


def where(condition: Interval, x: Interval, y: Interval) -> Interval:
    is_set = nonzero(condition)
    both = hull(x.low, x.high, y.low, y.high)
    yes, no = is_set.low == 1, is_set.high == 0
    return Interval(
        np.where(yes, x.low, np.where(no, y.low, both.low)),
        np.where(yes, x.high, np.where(no, y.high, both.high)),
    )


def linear(function: Callable[[Array], Array], x: Interval, terms: int) -> tuple[Interval, Array]:
    """Of sums with weights of at most 1 and at least 0; also what adding ``terms`` of them in f32
    may be off."""
    magnitude = function(np.maximum(np.abs(x.low), np.abs(x.high)))
    return Interval(function(x.low), function(x.high)), accumulated(terms, magnitude)


#: What chips that have parts of sums add to the error of each, relative to its magnitude.
_of_chips = 0.0


@contextmanager
def sums_over_chips(chips: int, dtypes: Iterable[str]) -> Iterator[None]:
    """Bounds of sums whose parts are on several chips: each is rounded to one of the formats on
    its way to the next chip."""
    global _of_chips
    _of_chips = chips * max((EPSILON[d] for d in dtypes if is_float(d)), default=0.0)
    try:
        yield
    finally:
        _of_chips = 0.0


def accumulated(terms: int, magnitude: Array) -> Array:
    """The error of a sum of ``terms`` in f32 whose absolute values add up to ``magnitude``."""
    return (2.0**-23 * np.sqrt(terms) + _of_chips) * magnitude


def bilinear(
    product: Callable[[Array, Array], Array], x: Interval, y: Interval, terms: int
) -> tuple[Interval, Array]:
    """Of sums of products of elements of x and y."""
    a, b, da, db = x.centre, y.centre, x.radius, y.radius
    size = product(np.abs(a) + da, np.abs(b) + db)
    spread = size - product(np.abs(a), np.abs(b))
    centre = product(a, b)
    # The sums of the oracle itself are not exact either.
    return Interval(centre, centre).widened(spread + 1e-12 * size), accumulated(terms, size)


def softmax(x: Interval, axis: int) -> Interval:
    """Each element grows with its own number and shrinks with the others."""
    top = x.high.max(axis=axis, keepdims=True)
    low, high = np.exp(x.low - top), np.exp(x.high - top)
    others_low = low.sum(axis=axis, keepdims=True) - low
    others_high = high.sum(axis=axis, keepdims=True) - high
    return Interval(low / (low + others_high), high / (high + others_low))


def normalized(x: Interval, axes: Sequence[int], epsilon: float, centred: bool) -> Interval:
    """A layer norm, or without ``centred`` an RMS norm: the exact result of the centres, and what
    the radius can make of it."""
    axes = tuple(axes)

    def mean(values: Array) -> Array:
        return values.mean(axis=axes, keepdims=True)

    shift = mean(x.centre) if centred else 0.0
    shift_radius = mean(x.radius) if centred else 0.0
    values, radius = x.centre - shift, x.radius + shift_radius
    scale = np.sqrt(mean(values**2) + epsilon)
    # The root of a mean of squares is a norm: it changes by the norm of the change at most.
    change = np.sqrt(mean(radius**2))
    smallest = np.maximum(scale - change, np.sqrt(epsilon))
    result = values / scale
    return Interval(result, result).widened((radius + np.abs(result) * change) / smallest)

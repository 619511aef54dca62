"""Number formats: how they are written in the IR, random elements, and what a rounding may lose."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import prod
from typing import Any

import ml_dtypes
import numpy as np

Array = np.ndarray[Any, np.dtype[Any]]
Shape = tuple[int, ...]


@dataclass(frozen=True)
class Format:
    """A number format.

    ``element`` is the element type in the IR, ``host`` the numpy dtype of such a tensor,
    ``epsilon`` the relative error of one rounding. ``space`` names the memory of a tensor with a
    layout, ``tile`` the format of its tiles; in a block format the error is that of the block's
    maximum.
    """

    name: str
    element: str
    host: np.dtype[Any]
    epsilon: float = 0.0
    tile: str = ""
    space: str = ""

    @property
    def is_float(self) -> bool:
        return self.epsilon > 0

    @property
    def is_block(self) -> bool:
        return self.tile.startswith("bfp")

    def type(self, shape: Shape) -> str:
        """The tensor type, with its layout if it has one."""
        extents = "".join(f"{extent}x" for extent in shape)
        return f"tensor<{extents}{self.element}{self._encoding(shape)}>"

    def _encoding(self, shape: Shape) -> str:
        if not self.space:
            return ""
        dims = [f"d{i}" for i in range(len(shape))]
        rows = [f"{d} * {prod(shape[i + 1 : -1])}" for i, d in enumerate(dims[:-1])]
        extents, element = (prod(shape[:-1]), shape[-1]), self.element
        if self.tile:
            extents = -(-extents[0] // 32), -(-extents[1] // 32)
            element = f"!tt.tile<32x32, {self.tile}>"
        spread = "" if self.space == "system" else ", interleaved"
        return (
            f", #tt.layout<({', '.join(dims)}) -> ({' + '.join(rows) or '0'}, {dims[-1]}), undef, "
            f"<1x1>, memref<{extents[0]}x{extents[1]}x{element}, #tt.memory_space<{self.space}>>"
            f"{spread}>"
        )


BF16 = np.dtype(ml_dtypes.bfloat16)
FORMATS = {
    f.name: f
    for f in (
        Format("f32", "f32", np.dtype(np.float32), 2.0**-23),
        Format("bf16", "bf16", BF16, 2.0**-8),
        Format("bfp8_b", "bf16", np.dtype(np.float32), 2.0**-6, "bfp_bf8", "dram"),
        Format("u32", "i32", np.dtype(np.uint32)),
        Format("u16", "i16", np.dtype(np.uint16)),
        Format("u8", "i8", np.dtype(np.uint8)),
        Format("si32", "si32", np.dtype(np.int32)),
        Format("si16", "si16", np.dtype(np.int16)),
        Format("si8", "si8", np.dtype(np.int8)),
        Format("q8", "!quant.uniform<i8:f32, 0.5:3>", np.dtype(np.int8)),
        Format("qu8", "!quant.uniform<u8:f32, 0.25:128>", np.dtype(np.uint8)),
        Format("q16", "!quant.uniform<i16:f32, 0.125:-7>", np.dtype(np.int16)),
        Format("f32 on the host", "f32", np.dtype(np.float32), 2.0**-23, "", "system"),
        Format("f32 in DRAM", "f32", np.dtype(np.float32), 2.0**-23, "", "dram"),
        Format("f32 in L1", "f32", np.dtype(np.float32), 2.0**-23, "", "l1"),
        Format("f32 in tiles", "f32", np.dtype(np.float32), 2.0**-23, "f32", "dram"),
        Format("bf16 on the host", "bf16", BF16, 2.0**-8, "", "system"),
        Format("bf16 in tiles", "bf16", BF16, 2.0**-8, "bf16", "l1"),
    )
}
FLOATS = ("f32", "bf16", "bfp8_b")
#: Formats that hold every element of an op that only moves elements.
MOVED = ("f32", "bf16", "u32", "u16", "si32", "si16", "si8")
INTEGERS = ("u32", "u16", "si32", "si16", "si8")


def blocks(values: Array, reduce: Callable[[Array], Array]) -> Array:
    """``reduce`` over each block of 16 elements of a row, repeated for its elements."""
    columns = values.shape[-1]
    padded = np.zeros((*values.shape[:-1], -(-columns // 16) * 16), values.dtype)
    padded[..., :columns] = values
    parts = padded.reshape(*values.shape[:-1], -1, 16)
    return np.repeat(reduce(parts), 16, axis=-1).reshape(padded.shape)[..., :columns]


def quantized(values: Array) -> Array:
    """The nearest numbers that an 8-bit block float holds: the exponent of a block's maximum and
    seven bits of magnitude for each element."""
    wide = values.astype(np.float64)
    top = blocks(np.abs(wide), lambda parts: parts.max(axis=-1))
    step = 2.0 ** (np.floor(np.log2(np.where(top > 0, top, 1.0))) - 6)
    # There is no negative zero.
    return np.clip(np.round(wide / step), -127, 127) * step + 0.0


def random(
    rng: np.random.Generator, shape: Shape, name: str, low: float = -4.0, high: float = 4.0
) -> Array:
    """Random elements of a format in [low, high]."""
    form = FORMATS[name]
    if not form.is_float:
        bounds = np.iinfo(form.host)
        return rng.integers(
            max(bounds.min, int(low)), min(bounds.max, int(high)), shape, endpoint=True
        ).astype(form.host)
    values = rng.uniform(low, high, shape)
    if form.is_block:
        values = quantized(values)
    return values.astype(form.host)


def sprinkle(rng: np.random.Generator, values: Array, specials: tuple[float, ...]) -> Array:
    """``values`` with ``specials`` at random places."""
    flat = values.reshape(-1).copy()
    count = min(flat.size, max(1, flat.size // 16), 32)
    places = rng.choice(flat.size, count, replace=False)
    flat[places] = rng.choice(np.array(specials, np.float64), count).astype(values.dtype)
    return flat.reshape(values.shape)


def check(actual: Array, expected: Array, form: Format, ulps: float, slack: Array | float) -> None:
    """Compares with the exact result: NaN and infinities in the same places, integers equal, and
    other numbers within the rounding of the format, ``ulps`` of f32 and the absolute ``slack``."""
    assert actual.shape == expected.shape
    assert actual.dtype == form.host
    if not form.is_float:
        np.testing.assert_array_equal(actual.astype(np.float64), expected.astype(np.float64))
        return
    got, exact = actual.astype(np.float64), expected.astype(np.float64)
    with np.errstate(over="ignore"):
        exact = np.where(np.isinf(exact.astype(np.float32)), np.copysign(np.inf, exact), exact)
    np.testing.assert_array_equal(np.isnan(got), np.isnan(exact), err_msg="NaN elsewhere")
    np.testing.assert_array_equal(
        np.where(np.isinf(got), got, 0), np.where(np.isinf(exact), exact, 0), err_msg="infinities"
    )
    finite = np.isfinite(exact)
    size = np.where(finite, np.abs(exact), 0.0)
    scale = size
    if form.is_block:
        # Nothing is left of the other elements of a block that holds an infinity.
        scale = blocks(np.where(finite, size, np.inf), lambda parts: parts.max(axis=-1))
    allowed = form.epsilon * scale + ulps * 2.0**-23 * size + slack + 2.0**-126
    error = np.where(finite, np.abs(np.where(finite, got, 0) - np.where(finite, exact, 0)), 0)
    if error.size == 0:
        return
    worst = np.unravel_index(int(np.argmax(error - allowed)), error.shape)
    limit = np.broadcast_to(allowed, error.shape)[worst]
    assert error[worst] <= limit, (
        f"at {tuple(map(int, worst))}: expected {exact[worst]!r}, found {got[worst]!r}, which is "
        f"{error[worst]:.3g} off where {limit:.3g} is allowed"
    )

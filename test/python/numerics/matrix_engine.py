"""The matrix engine in integers, written from the description of its arithmetic alone.

Numbers are (sign, exponent, significand) in arrays, with the exponent bits and the bias of their
own format: 8 bits for bf16, tf32 and f32, 5 for f16, whose exponent 31 is one like any other.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

Array = np.ndarray[Any, np.dtype[Any]]

PHASES = {"lofi": 1, "hifi2": 2, "hifi3": 3, "hifi4": 4}


class Numbers(NamedTuple):
    """``negative`` is 0 or 1; an exponent of 0 is a zero, with the significand 0."""

    negative: Array
    exp: Array
    man: Array

    def __getitem__(self, index: Any) -> Numbers:  # type: ignore[override]
        return Numbers(*(np.asarray(part)[index] for part in tuple(self)))

    @property
    def transposed(self) -> Numbers:
        return Numbers(*(part.swapaxes(-1, -2) for part in tuple(self)))


def zeros(shape: tuple[int, ...]) -> Numbers:
    return Numbers(*(np.zeros(shape, np.int64) for _ in range(3)))


def bits_of(values: Array) -> Array:
    return values.view(f"u{values.itemsize}").astype(np.int64)


def numbers(values: Array) -> Numbers:
    """Elements of f32, bf16 or f16 with all their bits: significands of 24, 8 or 11."""
    fraction = {"float32": 23, "bfloat16": 7, "float16": 10}[values.dtype.name]
    bits = bits_of(values)
    width = 8 * values.itemsize - 1 - fraction
    exp = bits >> fraction & ((1 << width) - 1)
    man = bits & ((1 << fraction) - 1) | 1 << fraction
    return Numbers(bits >> (8 * values.itemsize - 1), exp, np.where(exp == 0, 0, man))


def source(values: Array, wide: bool) -> Numbers:
    """What a source register has of them: 11 bits. f32 is truncated to tf32 if ``wide``, else to
    bf16."""
    number = numbers(values)
    if values.dtype == np.float32:
        man = number.man >> 13 if wide else number.man >> 16 << 3
    else:
        man = number.man << 3 if values.dtype.name == "bfloat16" else number.man
    return number._replace(man=man)


def _rounded(man: Array, shift: Array, less: Array | int = 0) -> Array:
    """man >> shift with round half up; from 31 on 0."""
    by = np.clip(shift, 1, 30)
    return np.where(shift >= 31, 0, np.where(shift == 0, man, (man + (1 << (by - 1)) - less) >> by))


def _signed(negative: Array, man: Array) -> Array:
    return np.where(negative, -man, man)


@dataclass(frozen=True)
class Engine:
    """How the engine is configured.

    Args:
        fidelity: which phases of the multiplier there are.
        fp32: the destination has 32 bits, else 16.
        half: the sources have 5 exponent bits.
        wormhole: normalizes a sum of exactly -1 wrongly.
    """

    fidelity: str
    fp32: bool
    half: bool = False
    wormhole: bool = True

    @property
    def phases(self) -> range:
        return range(PHASES[self.fidelity])

    # One step ---------------------------------------------------------------------------------

    def product(self, a: Numbers, b: Numbers, phase: int) -> Numbers:
        """Products of slices; the significand has 10 bits behind the point."""
        left = a.man >> 1 & 31 if phase & 1 else a.man >> 6
        right = (b.man & 15) << 3 if phase & 2 else b.man >> 4
        adjust = (97 if self.fp32 else -15) if self.half else -127
        adjust -= (5 if phase & 1 else 0) + (7 if phase & 2 else 0)
        zero = (a.exp == 0) | (b.exp == 0)
        exp = np.where(zero, max(adjust, 0), a.exp + b.exp + adjust)
        return Numbers(a.negative ^ b.negative, exp, np.where(zero, 0, left * right))

    def group(self, products: Numbers) -> Numbers:
        """The sum over the last axis."""
        exp = products.exp.max(-1)
        shift = np.minimum(exp[..., None] - products.exp, 30)
        aligned = ((products.man << 1) + (1 << shift)) >> (shift + 1)
        total = np.where(exp <= 0, 0, _signed(products.negative, aligned).sum(-1))
        return Numbers((total < 0).astype(np.int64), exp, np.abs(total) << 13)

    def accumulate(self, dst: Numbers, *groups: Numbers) -> tuple[Numbers, Array]:
        """The destination plus groups, and where that overflows."""
        exp = dst.exp
        for group in groups:
            exp = np.maximum(exp, group.exp)
        total = 0
        for term, less in ((dst, 0), *((group, group.negative) for group in groups)):
            man = _rounded(term.man, exp - term.exp, less)
            if not self.fp32:
                man = (man + 4096 - less) >> 13 << 13
            total = total + _signed(term.negative, man)
        return self.normalize(total, exp)

    def normalize(self, total: Array, exp: Array) -> tuple[Numbers, Array]:
        magnitude = np.abs(total)
        excess = np.frexp(magnitude.astype(np.float64))[1].astype(np.int64) - 24
        man = np.where(
            excess > 0,
            _rounded(magnitude, np.maximum(excess, 0)),
            magnitude << np.maximum(-excess, 0),
        )
        new = exp + excess
        if self.wormhole and self.fp32:
            new = np.where(total == -1, new + 27, new)
        if not self.fp32:
            dropped = 13 if self.half else 16
            man = (man + (1 << (dropped - 1))) >> dropped << dropped
        carry = man >> 24
        man, new = man >> carry, new + carry
        zero = (total == 0) | (exp <= 0) | (new <= 0)
        if self.half and not self.fp32:
            overflow = ~zero & (new > 31)
            new, man = np.where(overflow, 31, new), np.where(overflow, 0xFFE000, man)
        else:
            overflow = ~zero & (new >= 255)
            new, man = np.where(overflow, 255, new), np.where(overflow, 1 << 23, man)
        negative = (total < 0).astype(np.int64)
        return Numbers(*(np.where(zero, 0, part) for part in (negative, new, man))), overflow

    def dot(self, dst: Numbers, a: Numbers, b: Numbers, phase: int) -> Numbers:
        """dst + the sum of 16 products over the last axis."""
        products = self.product(a, b, phase)
        groups = (self.group(products[..., :8]), self.group(products[..., 8:]))
        return self.accumulate(dst, *groups)[0]

    # Moves of destinations --------------------------------------------------------------------

    def to_source(self, dst: Numbers, other: str) -> Numbers:
        """What of a destination moves to a source register beside one of an operand of ``other``:
        as much as fits into f16, into tf32 beside f32, else into bf16."""
        if other == "f16" and self.fp32:
            exp = dst.exp - 112
            man = np.where(exp > 31, 0x7FF, np.where(exp <= 0, 0, dst.man >> 13))
            return Numbers(dst.negative, np.clip(exp, 0, 31), man)
        tf32 = other == "f16" or (other == "f32" and self.fp32)
        return dst._replace(man=dst.man >> 13 if tf32 else dst.man >> 16 << 3)

    def to_f32(self, dst: Numbers) -> Array:
        """A destination as bits of f32."""
        exp = dst.exp + (112 if self.half and not self.fp32 else 0)
        bits = dst.negative << 31 | exp << 23 | dst.man & 0x7FFFFF
        return np.where(dst.exp == 0, dst.negative << 31, bits)

    # Instructions -----------------------------------------------------------------------------

    def matmul(self, first: Numbers, second: Numbers, dst: Numbers | None = None) -> Numbers:
        """Products of matrices, K in tiles of 32; ``first`` is source B, ``second`` source A."""
        rows, inner = first.exp.shape
        dst = zeros((rows, second.exp.shape[1])) if dst is None else dst
        a, b = second.transposed[None, :, :], first[:, None, :]
        for tile in range(0, inner, 32):
            for phase in self.phases:
                for k in (tile, tile + 16):
                    dst = self.dot(dst, a[..., k : k + 16], b[..., k : k + 16], phase)
        return dst

    def multiply(self, a: Numbers, b: Numbers, dst: Numbers | None = None) -> Numbers:
        dst = zeros(a.exp.shape) if dst is None else dst
        lost = np.zeros(a.exp.shape, bool)
        for phase in self.phases:
            product = self.product(a, b, phase)
            man = np.where(product.exp <= 0, 0, product.man << 13)
            found, overflow = self.accumulate(dst, product._replace(man=man))
            # What overflows stays.
            parts = zip(tuple(dst), tuple(found), strict=True)
            dst = Numbers(*(np.where(lost, old, new) for old, new in parts))
            lost |= overflow
        return dst

    def add(self, a: Numbers, b: Numbers, dst: Numbers | None = None) -> Numbers:
        exp = np.maximum(a.exp, b.exp)
        total = 0
        for term in (a, b):
            shift = exp - term.exp
            man = np.where(shift >= 12, 0, _rounded(term.man, shift))
            total = total + _signed(term.negative, man)
        both = Numbers((total < 0).astype(np.int64), exp, np.abs(total) << 13)
        if self.half and self.fp32:  # the destination's bias
            both = both._replace(exp=np.where(exp == 0, 0, exp + 112))
        return self.accumulate(zeros(exp.shape) if dst is None else dst, both)[0]

    def subtract(self, a: Numbers, b: Numbers, dst: Numbers | None = None) -> Numbers:
        return self.add(a, b._replace(negative=b.negative ^ 1), dst)

    def pool(self, face: Numbers, weights: Numbers, line: Numbers) -> Numbers:
        """line + the weighted sum of the columns of a face, with all phases."""
        for phase in self.phases:
            line = self.dot(line, face.transposed, weights[None, :], phase)
        return line

    def sum_columns(self, tile: Numbers, weights: Numbers, line: Numbers) -> Numbers:
        """line (of 32) + the sums of the columns of a tile."""
        halves = []
        for columns in (slice(0, 16), slice(16, 32)):
            half = line[columns]
            for rows in (slice(0, 16), slice(16, 32)):
                half = self.pool(tile[rows, columns], weights, half)
            halves.append(half)
        return Numbers(*(np.concatenate(parts) for parts in zip(*halves, strict=True)))

    def sum_all(self, tile: Numbers, weights: Numbers, dst: Numbers, dtype: str) -> Numbers:
        """dst (one number) + the sum of a tile: its faces into a row, and that once more, as source
        A has numbers of ``dtype``, the format of the tile."""
        row = zeros((16,))
        for rows in (slice(0, 16), slice(16, 32)):
            for columns in (slice(0, 16), slice(16, 32)):
                row = self.pool(tile[rows, columns], weights, row)
        column = self.to_source(row, "f16" if self.half else dtype)
        return self.pool(column[:, None], weights, dst)


def greatest(words: Array, axis: Any = None) -> Array:
    """The maximum of f32 bits by sign and magnitude."""
    key = np.where(words >> 31, -(words & 0x7FFFFFFF) - 1, words)
    best = np.asarray(key.max(axis))
    return np.where(best < 0, -(best + 1) | 0x80000000, best)


# The packer ---------------------------------------------------------------------------------------


def pack(bits: Array, to: str) -> Array:
    """Bits of f32 to bits of f32, bf16 or f16; to the f32 bits of what bfp8_b and bfp4_b keep, with
    blocks along the last axis."""
    sign, magnitude = bits & 0x80000000, bits & 0x7FFFFFFF
    nan = magnitude > 0x7F800000
    if to == "f16":
        tf32 = (magnitude + 0x1000) >> 13
        exp, high = (tf32 >> 10) - 112, sign >> 16
        value = np.where((exp > 31) | nan, 0x7FFF, exp << 10 | tf32 & 1023) | high
        return np.where(exp < 0, 0, value)
    magnitude = np.where(nan, 0x7F800000, np.where(magnitude < 1 << 23, 0, magnitude))
    sign = np.where(magnitude == 0, 0, sign)
    if to == "f32":
        return sign | magnitude
    if to == "bf16":
        return (sign | magnitude) + 0x8000 >> 16
    return _pack_blocks(sign, ((magnitude >> 16) + 1) & ~1, {"bfp8_b": 7, "bfp4_b": 3}[to])


def _pack_blocks(sign: Array, bf16: Array, bits: int) -> Array:
    blocks = bf16.reshape(*bf16.shape[:-1], -1, 16)
    exp = blocks >> 7
    man = np.where(exp == 0, 0, blocks & 127 | 128)
    top = exp.max(-1, keepdims=True)
    shift = np.minimum(top - exp, 8)
    magnitude = np.minimum((man + (1 << shift)) >> (shift + 1), 127)
    magnitude = np.where(shift >= 8, 0, magnitude) >> (7 - bits)
    values = np.ldexp(magnitude.astype(np.float64), top - 127 - (bits - 1)).reshape(bf16.shape)
    values = np.where(sign != 0, -values, values)
    return np.where(values == 0, 0, bits_of(values.astype(np.float32)))

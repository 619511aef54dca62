"""Integers of 64 bits as two words of 32, with which ops are made of ops on words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ttmlir.builder import Builder, Tensor
from ttmlir.frontends.moves import reshaped, sliced
from ttmlir.frontends.stablehlo._elementwise import bits, cast
from ttmlir.frontends.stablehlo._op import Op, shape_of_value
from ttmlir.frontends.stablehlo._shapes import joined
from ttmlir.frontends.stablehlo._types import Shape
from ttmlir.frontends.stablehlo._values import Known, Spread, Value, Word, Words

#: On arrays that are known.
_FOLDED: dict[str, Callable[[Any, Any], Any]] = {
    "add": np.add,
    "bitwise_and": np.bitwise_and,
    "bitwise_or": np.bitwise_or,
    "bitwise_xor": np.bitwise_xor,
    "logical_left_shift": np.left_shift,
    "logical_right_shift": np.right_shift,
    "multiply": np.multiply,
    "subtract": np.subtract,
}
#: Where a right operand of 0 changes nothing, and where an operand of 0 gives 0.
_NEUTRAL = frozenset(_FOLDED) - {"bitwise_and", "multiply"}
_ZERO_LEFT = frozenset({"bitwise_and", "logical_left_shift", "logical_right_shift", "multiply"})
_COMMUTES = frozenset({"add", "bitwise_and", "bitwise_or", "bitwise_xor", "multiply"})


def word(number: int, shape: Shape = ()) -> Known:
    """A word that broadcasts to anything, or the same word everywhere."""
    return Known(np.broadcast_to(np.array(number, np.uint32), shape))


def is_zero(value: Value) -> bool:
    """Whether a word is known to be 0 everywhere."""
    return isinstance(value, Known) and value.splat() == 0


def on_words(op: Op, name: str, *operands: Word, dtype: str = "u32") -> Word:
    """An elementwise op on words, with as little as is not known."""
    shape = np.broadcast_shapes(*(x.shape for x in operands))
    if name in _COMMUTES and is_zero(operands[0]):
        operands = operands[::-1]
    if name in _NEUTRAL and is_zero(operands[1]) and operands[0].shape == shape:
        return operands[0]
    if name in _ZERO_LEFT and (
        is_zero(operands[0]) or (name in _COMMUTES and is_zero(operands[1]))
    ):
        return word(0, shape)
    arrays = [x.compact() for x in operands if isinstance(x, Known)]
    if name in _FOLDED and len(arrays) == len(operands):
        with np.errstate(over="ignore"):
            return Known(np.broadcast_to(_FOLDED[name](*arrays), shape))
    parts = [op.importer.part(x) for x in operands]
    return spread(op.b._eltwise(name, parts, None, dtype=dtype), shape)


def spread(tensor: Tensor, shape: Shape) -> Word:
    """A tensor that may have extents of 1 as a value of a shape."""
    return tensor if tensor.shape == shape else Spread(tensor, shape)


def flag(op: Op, value: Word) -> Word:
    """A truth value as a word of 0 or 1."""
    return spread(cast(op, op.importer.part(value), "u32"), value.shape)


def left(op: Op, x: Word, count: int) -> Word:
    """A word shifted by at most 32 places."""
    return word(0, x.shape) if count > 31 else on_words(op, "logical_left_shift", x, word(count))


def right(op: Op, x: Word, count: int) -> Word:
    return word(0, x.shape) if count > 31 else on_words(op, "logical_right_shift", x, word(count))


# To words and back -------------------------------------------------------------------------------


def halves(op: Op, i: int) -> tuple[Word, Word]:
    """The lower and the upper words of operand ``i``, of an integer of 64 bits."""
    return halves_of(op, op.inputs[i], op.input_dtype(i))


def halves_of(op: Op, value: Value, dtype: str) -> tuple[Word, Word]:
    """The lower and the upper words of a value, of i64 or u64."""
    if isinstance(value, Words):
        has_upper = value.dtype == "i64" or not value.is_narrow
        return value.low, value.high if has_upper else word(0, value.shape)
    if isinstance(value, Known):
        whole = value.compact().astype(np.uint64)
        low, high = whole & np.uint64(0xFFFFFFFF), whole >> np.uint64(32)
        found = (np.broadcast_to(x.astype(np.uint32), value.shape) for x in (low, high))
        return Known(next(found)), Known(next(found))
    x = op.importer.part(value)
    shape = x.shape if isinstance(value, Tensor) else value.shape  # type: ignore[union-attr]
    if dtype == "u64":
        return spread(cast(op, x, "u32"), shape), word(0, shape)
    signed = cast(op, x, "i32")
    sign = op.importer.part(Known(np.array(31, np.int32)))
    high = bits(op, op.b.right_shift(signed, sign), "u32")
    return spread(bits(op, signed, "u32"), shape), spread(high, shape)


def split(op: Op, pair: Tensor, dtype: str) -> Words:
    """Integers from a tensor of words with the lower and the upper one along its last dimension."""
    shape = pair.shape[:-1]
    low, high = (reshaped(op, sliced(op, pair, len(shape), i, i + 1), shape) for i in range(2))
    return Words(low, high, dtype)


def paired(op: Op, low: Word, high: Word) -> Tensor:
    """A tensor of words with the lower and the upper one of each integer along its last
    dimension."""
    words = [op.importer.tensor(half) for half in (low, high)]
    return joined(op, [reshaped(op, x, (*x.shape, 1)) for x in words], words[0].rank)


def as_tensor(builder: Builder, words: Words, low: Tensor) -> Tensor:
    """Integers that 32 bits hold as a tensor; ``low`` are their lower words.

    Raises:
        ValueError: they may need the upper ones.
    """
    if not words.is_narrow:
        raise ValueError(
            "the upper 32 bits of integers of 64 can be used by arithmetic, comparisons and "
            "conversions only: convert to 32 bits before"
        )
    if words.dtype == "i64":
        low = builder.bitcast_convert(low, "i32")
    return builder.typecast(low, words.dtype)


def as_output(builder: Builder, words: list[Tensor]) -> Tensor:
    """Lower and upper words as the host takes integers of 64 bits: the lower ones and then the
    upper ones, along a dimension of their own."""
    rows = [builder.reshape(x, (1, *(x.shape or (1,)))) for x in words]
    return builder.bitcast_convert(builder.concat(rows, 0), "i32")


# Floats of 64 bits -------------------------------------------------------------------------------


def words_of_float(op: Op, value: Value) -> tuple[Word, Word]:
    """The bits of an f64, which the device has rounded to an f32."""
    b, importer = op.b, op.importer
    x = importer.part(value)
    shape = x.shape if isinstance(value, Tensor) else shape_of_value(value)
    own = spread(bits(op, cast(op, x, "f32"), "u32"), shape)
    exponent = on_words(op, "bitwise_and", right(op, own, 23), word(0xFF))
    # The bias of 127 becomes 1023; 0, infinity and NaN have exponents of their own.
    power = importer.part(exponent)
    is_nothing, is_last = (
        b._eltwise("eq", (power, importer.part(word(n))), None, dtype="bool") for n in (0, 0xFF)
    )
    moved = b.add(power, importer.part(word(896)))
    last, zero = importer.part(word(0x7FF)), importer.part(word(0))
    power = b.where(is_nothing, zero, b.where(is_last, last, moved))
    mantissa = on_words(op, "bitwise_and", own, word(0x7FFFFF))
    high = on_words(op, "bitwise_or", left(op, spread(power, shape), 20), right(op, mantissa, 3))
    sign = on_words(op, "bitwise_and", own, word(0x80000000))
    return left(op, mantissa, 29), on_words(op, "bitwise_or", high, sign)


def float_of(op: Op, low: Word, high: Word) -> Tensor:
    """A number with the bits of an f64 as an f32. It is rounded to odd: what is between two numbers
    becomes the one whose last bit is set, so that random numbers in (0, 1) are neither 0 nor 1."""
    b, importer = op.b, op.importer
    mantissa = on_words(
        op,
        "bitwise_or",
        left(op, on_words(op, "bitwise_and", high, word(0xFFFFF)), 3),
        right(op, low, 29),
    )
    dropped = importer.part(on_words(op, "bitwise_and", low, word(0x1FFFFFFF)))
    mantissa = on_words(op, "bitwise_or", mantissa, flag(op, cast(op, dropped, "bool")))
    exponent = on_words(op, "bitwise_and", right(op, high, 20), word(0x7FF))
    # The bias of 1023 becomes 127.
    moved = left(op, on_words(op, "subtract", exponent, word(896)), 23)
    sign = importer.part(on_words(op, "bitwise_and", high, word(0x80000000)))
    inside = importer.part(on_words(op, "bitwise_or", moved, mantissa))
    power, zero = importer.part(exponent), importer.part(word(0))
    infinity = importer.part(word(0x7F800000))
    small = b._eltwise("le", (power, importer.part(word(896))), None, dtype="bool")
    great = b._eltwise("ge", (power, importer.part(word(1151))), None, dtype="bool")
    special = b._eltwise("eq", (power, importer.part(word(0x7FF))), None, dtype="bool")
    beyond = b.where(special, b.bitwise_or(infinity, importer.part(mantissa)), infinity)
    found = b.where(small, zero, b.where(great, beyond, inside))
    return bits(op, b.bitwise_or(found, sign), "f32")

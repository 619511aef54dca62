"""Ops on integers of 64 bits whose upper bits matter, such as random bits: ops on words.

The device computes in 32 bits, and arithmetic of 64 wraps there. But a program that puts a word
into the upper half, or that has a constant beyond 32 bits, means 64.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from ttmlir.builder import Tensor
from ttmlir.frontends.stablehlo._elementwise import bits, cast, upper_word
from ttmlir.frontends.stablehlo._op import HANDLERS, Op, Result
from ttmlir.frontends.stablehlo._types import FLOATS, NUMPY
from ttmlir.frontends.stablehlo._values import Known, Spread, Value, Word, Words, too_wide
from ttmlir.frontends.stablehlo._words import (
    flag,
    float_of,
    halves,
    is_zero,
    left,
    on_words,
    paired,
    right,
    split,
    spread,
    word,
    words_of_float,
)

Handler: TypeAlias = "Callable[[Op], Result]"

_WIDE = ("i64", "u64")
#: Ops that move elements, and how many of their operands have some.
_MOVES = {
    "stablehlo.broadcast_in_dim": 1,
    "stablehlo.concatenate": -1,
    "stablehlo.dynamic_slice": 1,
    "stablehlo.gather": 1,
    "stablehlo.reshape": 1,
    "stablehlo.reverse": 1,
    "stablehlo.slice": 1,
    "stablehlo.transpose": 1,
}


def handler_of(op: Op) -> Handler:
    """What imports an op: on words where the upper ones matter."""
    handler = _HANDLERS.get(op.name)
    return handler if handler is not None and _has_words(op) else HANDLERS[op.name]


def _has_words(op: Op) -> bool:
    given = [value for value in op.inputs if isinstance(value, Words)]
    if given:
        # Products of narrow numbers are none; signed ones wrap as all others do.
        return op.dtype() == "u64" or not all(value.is_narrow for value in given)
    if op.name == "stablehlo.shift_left":
        count = op.splat(1)
        return op.dtype() in _WIDE and count is not None and 32 <= int(count) < 64
    if op.name == "stablehlo.bitcast_convert":
        types = op.dtype(), op.input_dtype()
        return "f64" in types or (types[0] in _WIDE and types[1] in ("u32", "i32"))
    return any(isinstance(v, Known) and too_wide(v.compact()) is not None for v in op.inputs)


# Bits --------------------------------------------------------------------------------------------


def _bitwise(name: str) -> Handler:
    def handler(op: Op) -> Result:
        pairs = zip(halves(op, 0), halves(op, 1), strict=True)
        low, high = (on_words(op, name, x, y) for x, y in pairs)
        most = 2**64 - 1
        if name == "bitwise_and":
            most = min(_most(op, 0), _most(op, 1))
        return Words(low, high, op.dtype(), most)

    return handler


def _most(op: Op, i: int) -> int:
    """The greatest number that operand ``i`` may be, without a sign."""
    value = op.inputs[i]
    if isinstance(value, Words):
        return value.most
    if isinstance(value, Known) and value.array.size:
        return int(value.compact().astype(np.uint64).max())
    return 2**32 - 1 if op.input_dtype(i) == "u64" else 2**64 - 1


def _bounded(most: int) -> int:
    """A greatest number; what is beyond 64 bits wraps, and may be any."""
    return most if most < 2**64 else 2**64 - 1


def _not(op: Op) -> Result:
    low, high = (on_words(op, "bitwise_xor", x, word(0xFFFFFFFF)) for x in halves(op, 0))
    return Words(low, high, op.dtype())


def _count(op: Op) -> int:
    count = op.splat(1)
    if count is None:
        raise op.fail("integers of 64 bits can be shifted by a number that is known only")
    return int(count)


def _shift_left(op: Op) -> Result:
    low, high = halves(op, 0)
    count = _count(op)
    nothing = word(0, low.shape)
    if not 0 <= count < 64:
        return Words(nothing, nothing, op.dtype(), 0)
    if count >= 32:
        return Words(nothing, left(op, low, count - 32), op.dtype())
    high = on_words(op, "bitwise_or", left(op, high, count), right(op, low, 32 - count))
    return Words(left(op, low, count), high, op.dtype())


def _shift_right_logical(op: Op) -> Result:
    low, high = halves(op, 0)
    count = _count(op)
    nothing = word(0, low.shape)
    if not 0 <= count < 64:
        return Words(nothing, nothing, op.dtype(), 0)
    most = _most(op, 0) >> count
    if count >= 32:
        return Words(right(op, high, count - 32), nothing, op.dtype(), most)
    low = on_words(op, "bitwise_or", right(op, low, count), left(op, high, 32 - count))
    return Words(low, right(op, high, count), op.dtype(), most)


def _shift_right_arithmetic(op: Op) -> Result:
    low, high = halves(op, 0)
    count = _count(op)
    count = count if 0 <= count < 64 else 63
    signs = _signed_right(op, high, 31)
    if count >= 32:
        return Words(_signed_right(op, high, count - 32), signs, op.dtype())
    low = on_words(op, "bitwise_or", right(op, low, count), left(op, high, 32 - count))
    return Words(low, _signed_right(op, high, count), op.dtype())


def _signed_right(op: Op, x: Word, count: int) -> Word:
    """A word with a sign shifted by at most 31 places."""
    places = op.importer.part(Known(np.array(count, np.int32)))
    found = op.b.right_shift(bits(op, op.importer.part(x), "i32"), places)
    return spread(bits(op, found, "u32"), x.shape)


# Arithmetic --------------------------------------------------------------------------------------


def _less(op: Op, x: Word, y: Word) -> Word:
    """1 where a word is less than another one."""
    if is_zero(y):
        return word(0, x.shape)
    return flag(op, on_words(op, "lt", x, y, dtype="bool"))


def _add(op: Op) -> Result:
    (a, b), (c, d) = halves(op, 0), halves(op, 1)
    low = on_words(op, "add", a, c)
    carry = word(0, low.shape) if is_zero(a) or is_zero(c) else _less(op, low, a)
    high = on_words(op, "add", on_words(op, "add", b, d), carry)
    return Words(low, high, op.dtype(), _bounded(_most(op, 0) + _most(op, 1)))


def _subtract(op: Op) -> Result:
    (a, b), (c, d) = halves(op, 0), halves(op, 1)
    high = on_words(op, "subtract", on_words(op, "subtract", b, d), _less(op, a, c))
    return Words(on_words(op, "subtract", a, c), high, op.dtype())


def _multiply(op: Op) -> Result:
    (a, b), (c, d) = halves(op, 0), halves(op, 1)
    high: Word = word(0, a.shape)
    if not is_zero(a) and not is_zero(c):
        high = spread(upper_word(op, op.importer.part(a), op.importer.part(c)), a.shape)
    for x, y in ((a, d), (b, c)):
        high = on_words(op, "add", on_words(op, "multiply", x, y), high)
    most = _bounded(_most(op, 0) * _most(op, 1))
    return Words(on_words(op, "multiply", a, c), high, op.dtype(), most)


def _remainder(op: Op) -> Result:
    """Long division, so many bits of the lower word at a time as 32 bits have room for."""
    low, high = halves(op, 0)
    divisor, above = halves(op, 1)
    if op.dtype() != "u64" or not is_zero(above):
        raise op.fail(
            "of integers of 64 bits the remainder is supported where they have no sign and the "
            "divisor has 32 bits"
        )
    most = op.inputs[1].compact().max() if isinstance(op.inputs[1], Known) else 2**32 - 1
    step = 32 - min(int(most - 1).bit_length(), 31)
    rest: Word = _rest(op, high, divisor)
    for begin in reversed(range(0, 32, step)):
        size = min(step, 32 - begin)
        taken = on_words(op, "bitwise_and", right(op, low, begin), word((1 << size) - 1))
        moved = on_words(op, "bitwise_or", left(op, rest, size), taken)
        if most <= 2**31:
            rest = _rest(op, moved, divisor)
            continue
        # The bit that has no room: the number is greater than any divisor then.
        parts = [op.importer.part(x) for x in (right(op, rest, 31), moved, divisor)]
        fits = op.b._eltwise("lt", parts[1:], None, dtype="bool")
        stays = op.b.logical_and(op.b.logical_not(cast(op, parts[0], "bool")), fits)
        rest = spread(op.b.where(stays, parts[1], op.b.subtract(*parts[1:])), low.shape)
    return Words(rest, word(0, low.shape), "u64", int(most - 1))


def _rest(op: Op, x: Word, divisor: Word) -> Word:
    return x if is_zero(x) else on_words(op, "remainder", x, divisor)


# Comparisons -------------------------------------------------------------------------------------


def _is_less(op: Op, x: tuple[Word, Word], y: tuple[Word, Word], dtype: str) -> Word:
    upper = [op.importer.part(v) for v in (x[1], y[1])]
    if dtype == "i64":
        upper = [bits(op, v, "i32") for v in upper]
    b = op.b
    less, same = (b._eltwise(name, upper, None, dtype="bool") for name in ("lt", "eq"))
    below = op.importer.part(on_words(op, "lt", x[0], y[0], dtype="bool"))
    return spread(b.logical_or(less, b.logical_and(same, below)), x[0].shape)


def _compare(op: Op) -> Result:
    x, y = halves(op, 0), halves(op, 1)
    direction, b = op.text("comparison_direction"), op.b
    if direction in ("EQ", "NE"):
        name = direction.lower()
        same = [on_words(op, name, v, w, dtype="bool") for v, w in zip(x, y, strict=True)]
        low, high = (op.importer.part(v) for v in same)
        found = b.logical_and(low, high) if direction == "EQ" else b.logical_or(low, high)
        return spread(found, x[0].shape)
    if direction in ("GT", "LE"):
        x, y = y, x
    found = op.importer.part(_is_less(op, x, y, op.input_dtype()))
    if direction in ("LE", "GE"):
        found = b.logical_not(found)
    return spread(found, x[0].shape)


def _choose(op: Op, where: Word, x: tuple[Word, Word], y: tuple[Word, Word], most: int) -> Words:
    shape, chosen = x[0].shape, op.importer.part(where)
    low, high = (
        v
        if v is w or (is_zero(v) and is_zero(w))
        else spread(op.b.where(chosen, op.importer.part(v), op.importer.part(w)), shape)
        for v, w in zip(x, y, strict=True)
    )
    return Words(low, high, op.dtype(), most)


def _select(op: Op) -> Result:
    value = op.inputs[0]
    where = value if isinstance(value, (Known, Spread)) else op.tensor()
    return _choose(op, where, halves(op, 1), halves(op, 2), max(_most(op, 1), _most(op, 2)))


def _extremum(is_least: bool) -> Handler:
    def handler(op: Op) -> Result:
        x, y = halves(op, 0), halves(op, 1)
        less = _is_less(op, x, y, op.dtype())
        return _choose(op, less, *((x, y) if is_least else (y, x)), 2**64 - 1)

    return handler


# Types -------------------------------------------------------------------------------------------


def _convert(op: Op) -> Result:
    low, high = halves(op, 0)
    target, source = op.dtype(), op.input_dtype()
    if target in _WIDE:
        return Words(low, high, target, _most(op, 0))
    x = op.importer.part(low)
    if target == "bool":
        return spread(
            cast(op, op.importer.part(on_words(op, "bitwise_or", low, high)), "bool"), low.shape
        )
    if target in FLOATS:
        upper = op.importer.part(high)
        upper = cast(op, bits(op, upper, "i32") if source == "i64" else upper, "f32")
        scale = op.importer.part(Known(np.array(2.0**32, np.float32)))
        x = cast(op, op.b.add(op.b.multiply(upper, scale), cast(op, x, "f32")), target)
        return spread(x, low.shape)
    if NUMPY[target].kind == "i":
        x = bits(op, x, "i32")
    return spread(cast(op, x, target), low.shape)


def _bitcast_convert(op: Op) -> Result:
    target = op.dtype()
    if op.input_dtype() in _WIDE:
        low, high = halves(op, 0)
    elif op.input_dtype() == "f64":
        low, high = words_of_float(op, op.inputs[0])
    else:
        words = split(op, bits(op, op.tensor(), "u32"), "u64")
        low, high = words.low, words.high
    if target in _WIDE:
        return Words(low, high, target, 2**64 - 1)
    if target == "f64":
        return spread(float_of(op, low, high), low.shape)
    if target not in ("u32", "i32"):
        raise op.fail("of 64 bits only words of 32 bits can be made: use uint32")
    return bits(op, paired(op, low, high), target)


# Moving ------------------------------------------------------------------------------------------


class _Half(Op):
    """An op on the words of one half."""

    def dtype(self, i: int = 0) -> str:
        return _word_type(super().dtype(i))

    def input_dtype(self, i: int = 0) -> str:
        return _word_type(super().input_dtype(i))


def _word_type(dtype: str) -> str:
    return "u32" if dtype in _WIDE else dtype


def _move(op: Op) -> Result:
    count = _MOVES[op.name] % (len(op.inputs) + 1)
    moved: list[Word] = []
    pairs = [halves(op, i) for i in range(count)]
    for words in zip(*pairs, strict=True):
        if count == 1 and is_zero(words[0]) and op.name != "stablehlo.gather":
            moved.append(word(0, op.shape()))
            continue
        half = _Half(op.importer, op.operation, [*words, *op.inputs[count:]], op.place, op.name)
        found: Value = HANDLERS[op.name](half)  # type: ignore[assignment]
        assert isinstance(found, (Tensor, Known, Spread))
        moved.append(found)
    return Words(moved[0], moved[1], op.dtype(), max(_most(op, i) for i in range(count)))


_HANDLERS: dict[str, Handler] = {
    "stablehlo.add": _add,
    "stablehlo.and": _bitwise("bitwise_and"),
    "stablehlo.bitcast_convert": _bitcast_convert,
    "stablehlo.compare": _compare,
    "stablehlo.convert": _convert,
    "stablehlo.maximum": _extremum(is_least=False),
    "stablehlo.minimum": _extremum(is_least=True),
    "stablehlo.multiply": _multiply,
    "stablehlo.not": _not,
    "stablehlo.or": _bitwise("bitwise_or"),
    "stablehlo.remainder": _remainder,
    "stablehlo.select": _select,
    "stablehlo.shift_left": _shift_left,
    "stablehlo.shift_right_arithmetic": _shift_right_arithmetic,
    "stablehlo.shift_right_logical": _shift_right_logical,
    "stablehlo.subtract": _subtract,
    "stablehlo.xor": _bitwise("bitwise_xor"),
    **dict.fromkeys(_MOVES, _move),
}

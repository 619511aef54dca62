"""What random programs are made of: for each op, how it may be used and what it computes.

A rule looks at the values that there are and gives a step, or None where it finds no use.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

import intervals as iv
import numpy as np
from intervals import EPSILON, HOST, Array, Interval
from program_model import Chips, Step
from scipy import special

Rng = np.random.Generator
#: Numbers stay below this, so that nothing overflows and products of integers do not wrap.
LARGEST = 1000.0
#: Elements of a tensor at most, and of its matrices in tiles of their own. Eight chips have all
#: tensors of a program, and what ops are decomposed into besides.
ELEMENTS, PADDED = 1 << 16, 1 << 20
FLOATS = tuple(EPSILON)
EXTENTS = (1, 1, 2, 3, 4, 5, 7, 8, 16, 17, 31, 32, 33, 40, 63, 64, 65, 96, 100, 127, 128, 160)


def _tiles(shape: Sequence[int]) -> int:
    """Each matrix has tiles of its own."""
    *batches, height, width = (1, 1, *shape)
    return prod(batches) * -(-height // 32) * -(-width // 32)


def is_small(shape: Sequence[int]) -> bool:
    """Whether a tensor of a program may have this shape."""
    return 0 < prod(shape) <= ELEMENTS and _tiles(shape) * 32 * 32 <= PADDED


@dataclass
class Scope:
    """What a rule can use: the steps so far with their bounds."""

    rng: Rng
    mesh: tuple[int, ...]
    steps: list[Step]
    bounds: list[Chips]
    #: Of dimensions.
    extents: Sequence[int] = EXTENTS

    def some(self, accept: Callable[[Step, Chips], bool]) -> int | None:
        """A value that fits, rather a late one."""
        found = [
            i
            for i, step in enumerate(self.steps)
            if not step.is_whole and accept(step, self.bounds[i])
        ]
        if not found:
            return None
        late = found[-4:] if self.rng.random() < 0.7 else found
        return int(self.rng.choice(late))

    def choose(self, values: Sequence[Any]) -> Any:
        return values[int(self.rng.integers(len(values)))]

    def chance(self, probability: float) -> bool:
        return bool(self.rng.random() < probability)


Rule = Callable[[Scope], "Step | None"]


def each(function: Callable[..., Interval]) -> Callable[..., Chips]:
    """Of every chip on its own."""
    return lambda *operands: [function(*chips) for chips in zip(*operands, strict=True)]


def floating(step: Step, _: Chips) -> bool:
    return step.dtype in FLOATS


def shape_of(function: Callable[..., Array], *shapes: tuple[int, ...]) -> tuple[int, ...]:
    """The shape that a function of NumPy gives for some shapes."""
    return tuple(function(*(np.broadcast_to(np.float64(0), shape) for shape in shapes)).shape)


# Element by element -------------------------------------------------------------------------------


@dataclass(frozen=True)
class Unary:
    """``ulps`` is the error in f32; the op is for numbers in ``domain``."""

    bounds: Callable[[Interval], Interval]
    ulps: float = 0.0
    domain: tuple[float, float] = (-LARGEST, LARGEST)
    integers: bool = False


def _gelu(x: Array) -> Array:
    return x * special.ndtr(x)


def _silu(x: Array) -> Array:
    return x * special.expit(x)


def _leaky(x: Array) -> Array:
    return np.where(x >= 0, x, np.float32(0.01) * x)


UNARY: dict[str, Unary] = {
    "abs": Unary(iv.absolute, integers=True),
    "neg": Unary(iv.decreasing(np.negative), integers=True),
    "relu": Unary(iv.increasing(lambda x: np.maximum(x, 0)), integers=True),
    "exp": Unary(iv.increasing(np.exp), 2, (-20, 5)),
    "expm1": Unary(iv.increasing(np.expm1), 4, (-5, 5)),
    "log": Unary(iv.increasing(np.log), 2, (0.05, LARGEST)),
    "log1p": Unary(iv.increasing(np.log1p), 4, (-0.5, LARGEST)),
    "sqrt": Unary(iv.increasing(np.sqrt), 1, (0.01, LARGEST)),
    "rsqrt": Unary(iv.decreasing(lambda x: 1 / np.sqrt(x)), 2, (0.01, LARGEST)),
    "cbrt": Unary(iv.increasing(np.cbrt), 2),
    "reciprocal": Unary(iv.decreasing(lambda x: 1 / x), 1, (0.01, LARGEST)),
    "sigmoid": Unary(iv.increasing(special.expit), 4),
    "silu": Unary(iv.lipschitz(_silu, 1.1), 4, (-80, LARGEST)),
    "gelu": Unary(iv.lipschitz(_gelu, 1.13), 4),
    "erf": Unary(iv.increasing(special.erf), 4),
    "tanh": Unary(iv.increasing(np.tanh), 2),
    "sin": Unary(iv.lipschitz(np.sin, 1), 4, (-100, 100)),
    "cos": Unary(iv.lipschitz(np.cos, 1), 4, (-100, 100)),
    "ceil": Unary(iv.increasing(np.ceil)),
    "floor": Unary(iv.increasing(np.floor)),
    "sign": Unary(iv.increasing(np.sign), integers=True),
    "logical_not": Unary(lambda x: iv.negated(iv.nonzero(x)), integers=True),
    "leaky_relu": Unary(iv.increasing(_leaky), 1),
}


def unary(name: str) -> Rule:
    op = UNARY[name]

    def fits(step: Step, chips: Chips) -> bool:
        if step.dtype not in FLOATS:
            return op.integers and step.dtype == "i32"
        low, high = op.domain
        return all((c.low >= low).all() and (c.high <= high).all() for c in chips)

    def rule(scope: Scope) -> Step | None:
        x = scope.some(fits)
        if x is None:
            return None
        step = scope.steps[x]
        evaluate = each(lambda v: op.bounds(v).rounded(step.dtype, op.ulps))
        return Step(name, step.shape, step.dtype, (x,), evaluate=evaluate)

    return rule


@dataclass(frozen=True)
class Binary:
    bounds: Callable[[Interval, Interval], Interval]
    ulps: float = 1.0
    integers: bool = True


BINARY: dict[str, Binary] = {
    "add": Binary(lambda x, y: Interval(x.low + y.low, x.high + y.high)),
    "subtract": Binary(lambda x, y: Interval(x.low - y.high, x.high - y.low)),
    "multiply": Binary(iv.corners(np.multiply)),
    "maximum": Binary(
        lambda x, y: Interval(np.maximum(x.low, y.low), np.maximum(x.high, y.high)), 0
    ),
    "minimum": Binary(
        lambda x, y: Interval(np.minimum(x.low, y.low), np.minimum(x.high, y.high)), 0
    ),
    "div": Binary(iv.corners(np.divide), integers=False),
    "eq": Binary(iv.equal, 0),
    "ne": Binary(lambda x, y: iv.negated(iv.equal(x, y)), 0),
    "gt": Binary(lambda x, y: iv.less(y, x), 0),
    "ge": Binary(lambda x, y: iv.less_equal(y, x), 0),
    "lt": Binary(iv.less, 0),
    "le": Binary(iv.less_equal, 0),
}


def broadcasting(a: Step, b: Step) -> tuple[int, ...] | None:
    try:
        return tuple(np.broadcast_shapes(a.shape, b.shape))
    except ValueError:
        return None


def binary(name: str) -> Rule:
    op = BINARY[name]

    def rule(scope: Scope) -> Step | None:
        a = scope.some(lambda s, _: s.dtype in FLOATS or (op.integers and s.dtype == "i32"))
        if a is None:
            return None
        first = scope.steps[a]

        def fits(step: Step, chips: Chips) -> bool:
            shape = broadcasting(first, step)
            if step.dtype != first.dtype or shape is None or not is_small(shape):
                return False
            return name != "div" or all((c.low > 0.05).all() for c in chips)

        b = scope.some(fits)
        if b is None:
            return None
        shape = broadcasting(first, scope.steps[b])
        assert shape is not None
        dtype = first.dtype

        def bounds(x: Interval, y: Interval) -> Interval:
            return op.bounds(x, y).moved(lambda v: np.broadcast_to(v, shape))

        evaluate = each(lambda x, y: bounds(x, y).rounded(dtype, op.ulps))
        return Step(name, shape, dtype, (a, b), evaluate=evaluate)

    return rule


def where(scope: Scope) -> Step | None:
    c = scope.some(lambda s, _: s.dtype in FLOATS)
    if c is None:
        return None
    condition = scope.steps[c]
    x = scope.some(
        lambda s, _: s.dtype == condition.dtype and broadcasting(s, condition) is not None
    )
    if x is None:
        return None
    shape = broadcasting(scope.steps[x], condition)
    assert shape is not None
    if not is_small(shape):
        return None
    y = scope.some(lambda s, _: s.dtype == condition.dtype and s.shape == shape)
    if y is None:
        return None
    evaluate = each(lambda c, x, y: iv.where(c, x, y).moved(lambda v: np.broadcast_to(v, shape)))
    return Step("where", shape, condition.dtype, (c, x, y), evaluate=evaluate)


def clamp(scope: Scope) -> Step | None:
    x = scope.some(floating)
    if x is None:
        return None
    step = scope.steps[x]
    low, high = -0.75, float(scope.choose((0.5, 1.5, 40.0)))
    evaluate = each(lambda v: v.moved(lambda a: np.clip(a, low, high)).rounded(step.dtype))
    return Step("clamp", step.shape, step.dtype, (x,), {"min": low, "max": high}, evaluate)


def typecast(scope: Scope) -> Step | None:
    """Between floats, and of exact numbers to integers and back."""
    x = scope.some(lambda *_: True)
    if x is None:
        return None
    step, chips = scope.steps[x], scope.bounds[x]
    targets = [t for t in ("f32", "bf16") if t != step.dtype]
    whole = all(c.is_exact and (c.low == np.rint(c.low)).all() for c in chips)
    if step.dtype in FLOATS and whole:
        targets.append("i32")
    dtype = scope.choose(targets)
    evaluate = each(lambda v: v.rounded(dtype))
    return Step("typecast", step.shape, dtype, (x,), {"dtype": dtype}, evaluate)


# Movement -----------------------------------------------------------------------------------------

#: Keywords of a move and what it does in NumPy.
Move = tuple[dict[str, Any], Callable[[Array], Array]]


def _factors(scope: Scope, number: int, most: int) -> list[int]:
    factors: list[int] = []
    while number > 1 and len(factors) < most - 1:
        divisors = [d for d in range(1, number + 1) if number % d == 0]
        factors.append(int(scope.choose(divisors)))
        number //= factors[-1]
    return [*factors, number]


def _transpose(scope: Scope, shape: tuple[int, ...]) -> Move | None:
    if len(shape) < 2:
        return None
    i, j = (int(d) for d in scope.rng.choice(len(shape), 2, replace=False))
    return {"dim0": i, "dim1": j}, lambda x: np.swapaxes(x, i, j)


def _permute(scope: Scope, shape: tuple[int, ...]) -> Move:
    order = [int(d) for d in scope.rng.permutation(len(shape))]
    return {"permutation": order}, lambda x: np.transpose(x, order)


def _reshape(scope: Scope, shape: tuple[int, ...]) -> Move:
    target = _factors(scope, prod(shape), 4)
    return {"shape": target}, lambda x: np.reshape(x, target)


def _squeeze(scope: Scope, shape: tuple[int, ...]) -> Move | None:
    ones = [i for i, extent in enumerate(shape) if extent == 1]
    if not ones or len(shape) < 2:
        return None
    dim = int(scope.choose(ones))
    return {"dim": dim}, lambda x: np.squeeze(x, dim)


def _unsqueeze(scope: Scope, shape: tuple[int, ...]) -> Move | None:
    if len(shape) > 4:
        return None
    dim = int(scope.rng.integers(len(shape) + 1))
    return {"dim": dim}, lambda x: np.expand_dims(x, dim)


def _slice(scope: Scope, shape: tuple[int, ...]) -> Move:
    begins = [int(scope.rng.integers(e)) if scope.chance(0.5) else 0 for e in shape]
    ends = [
        int(scope.rng.integers(b + 1, e + 1)) if scope.chance(0.5) else e
        for b, e in zip(begins, shape, strict=True)
    ]
    steps = [int(scope.choose((1, 1, 1, 2, 3))) for _ in shape]
    place = tuple(slice(b, e, s) for b, e, s in zip(begins, ends, steps, strict=True))
    return {"begins": begins, "ends": ends, "step": steps}, lambda x: x[place]


def _pad(scope: Scope, shape: tuple[int, ...]) -> Move:
    sides = [tuple(int(n) for n in scope.rng.integers(0, 4, 2)) for _ in shape]
    value = float(scope.choose((0, 1, -2)))
    words = {"padding": sides, "value": value}
    return words, lambda x: np.pad(x, sides, constant_values=value)


def _repeat(scope: Scope, shape: tuple[int, ...]) -> Move:
    counts = [int(scope.choose((1, 1, 2, 3))) for _ in shape]
    return {"repeats": counts}, lambda x: np.tile(x, counts)


def _broadcast(scope: Scope, shape: tuple[int, ...]) -> Move:
    target = [int(scope.choose((1, 2, 33, 64))) if e == 1 else e for e in shape]
    return {"shape": target}, lambda x: np.broadcast_to(x, target)


MOVES: dict[str, Callable[[Scope, tuple[int, ...]], Move | None]] = {
    "transpose": _transpose,
    "permute": _permute,
    "reshape": _reshape,
    "squeeze": _squeeze,
    "unsqueeze": _unsqueeze,
    "slice": _slice,
    "pad": _pad,
    "repeat": _repeat,
    "broadcast": _broadcast,
}


def movement(name: str) -> Rule:
    def rule(scope: Scope) -> Step | None:
        x = scope.some(lambda s, _: name != "pad" or s.dtype in FLOATS)
        if x is None:
            return None
        step = scope.steps[x]
        made = MOVES[name](scope, step.shape)
        if made is None:
            return None
        words, function = made
        shape = shape_of(function, step.shape)
        if not is_small(shape):
            return None
        # An op that moves block floats makes other blocks of them.
        evaluate = each(lambda v: v.moved(function))
        return Step(name, shape, step.dtype, (x,), words, evaluate)

    return rule


def concat(scope: Scope) -> Step | None:
    a = scope.some(lambda *_: True)
    if a is None:
        return None
    first = scope.steps[a]
    dim = int(scope.rng.integers(len(first.shape)))

    def rest(shape: tuple[int, ...]) -> tuple[int, ...]:
        return (*shape[:dim], *shape[dim + 1 :])

    operands = [a]
    for _ in range(int(scope.rng.integers(1, 3))):
        other = scope.some(
            lambda s, _: (
                s.dtype == first.dtype
                and len(s.shape) == len(first.shape)
                and rest(s.shape) == rest(first.shape)
            )
        )
        assert other is not None
        operands.append(other)
    shapes = [scope.steps[i].shape for i in operands]
    shape = shape_of(lambda *xs: np.concatenate(xs, dim), *shapes)
    if not is_small(shape):
        return None

    def bounds(*parts: Interval) -> Interval:
        return Interval(
            np.concatenate([p.low for p in parts], dim),
            np.concatenate([p.high for p in parts], dim),
        )

    return Step("concat", shape, first.dtype, tuple(operands), {"dim": dim}, each(bounds))


# Where tensors lie --------------------------------------------------------------------------------


#: Bytes of a tensor in the L1 of a core at most. What is computed from it lies there too, and no
#: program is to place more than L1 has room for.
PLACED_BYTES = 24 << 10


def _bytes_a_core(shape: tuple[int, ...], words: dict[str, Any]) -> int:
    """Of the tiles of a tensor."""
    return -(-_tiles(shape) // prod(words.get("grid", (6, 6)))) * 32 * 32 * 4


def to_layout(scope: Scope) -> Step | None:
    x = scope.some(floating)
    if x is None:
        return None
    step = scope.steps[x]
    words: dict[str, Any] = {"memory_space": scope.choose(("dram", "l1", "l1"))}
    words["tiled"] = scope.chance(0.8)
    if words["memory_space"] == "l1" and scope.chance(0.7):
        kind = scope.choose(("height_sharded", "width_sharded", "block_sharded"))
        rows, columns = (int(n) for n in scope.rng.integers(1, 5, 2))
        grid = {
            "height_sharded": (rows * columns, 1),
            "width_sharded": (1, rows * columns),
            "block_sharded": (rows, columns),
        }[kind]
        # No more cores along a side than the grid of a small device has.
        words |= {"memory_layout": kind, "grid": tuple(min(n, 6) for n in grid)}
    if words["memory_space"] == "l1" and _bytes_a_core(step.shape, words) > PLACED_BYTES:
        return None
    stored = step.dtype
    if step.dtype == "bf16" and words["tiled"] and scope.chance(0.2):
        stored = words["format"] = "bfp8_b"
    evaluate = each(lambda v: v.rounded(stored) if stored != step.dtype else v)
    return Step("to_layout", step.shape, step.dtype, (x,), words, evaluate)


ELEMENTWISE: dict[str, Rule] = {
    **{name: unary(name) for name in UNARY},
    **{name: binary(name) for name in BINARY},
    "where": where,
    "clamp": clamp,
    "typecast": typecast,
}
MOVEMENT: dict[str, Rule] = {**{name: movement(name) for name in MOVES}, "concat": concat}

__all__ = ["ELEMENTWISE", "HOST", "MOVEMENT", "Rule", "Scope", "each", "to_layout"]

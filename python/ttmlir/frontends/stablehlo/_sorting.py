"""Sorting."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ttmlir.builder import Tensor
from ttmlir.frontends.data_movement import reshaped
from ttmlir.frontends.stablehlo._constant_folding import total_order as total_order_of
from ttmlir.frontends.stablehlo._constants import Known, Value
from ttmlir.frontends.stablehlo._elementwise import bits, cast, orderable_bits, total_order
from ttmlir.frontends.stablehlo._op import Op, Result, handles
from ttmlir.frontends.stablehlo._probe_values import samples
from ttmlir.frontends.stablehlo._reductions import as_shape
from ttmlir.frontends.stablehlo._types import FLOATS, Array

#: Up to this extent, any comparator can be evaluated on all pairs.
_PAIRS = 4096
_SAMPLES = 4096


@dataclass(frozen=True)
class Key:
    """An operand that a comparator compares, and the direction."""

    operand: int
    descending: bool


@handles("stablehlo.sort")
def _sort(op: Op) -> Result:
    dim = op.integer("dimension", -1) % max(len(op.input_shape()), 1)
    if not op.input_shape() or op.input_shape()[dim] < 2:
        return list(op.inputs)
    keys = _keys(op)
    if keys is None:
        return _by_pairs(op, dim)
    return _by_keys(op, dim, keys)


def _by_keys(op: Op, dim: int, keys: list[Key]) -> list[Value]:
    tensors = op.tensors()
    descending = keys[0].descending
    first: list[Tensor] = []
    for key in keys:
        x = tensors[key.operand]
        if x.dtype == "bool":
            x = cast(op, x, "u8")
        if key.descending != descending:
            x = op.b.neg(x) if x.dtype in FLOATS else op.b.bitwise_not(x)
        first.append(x)
    plain = [k for k in keys if k.descending == descending and tensors[k.operand].dtype != "bool"]
    own = {k.operand: keys.index(k) for k in plain}
    others = [i for i in range(len(tensors)) if i not in own]
    behind = [
        cast(op, tensors[i], "u8") if tensors[i].dtype == "bool" else tensors[i] for i in others
    ]
    found = op.b.sort([*first, *behind], dim, descending, len(keys))
    results = []
    for i, x in enumerate(tensors):
        place = own[i] if i in own else len(keys) + others.index(i)
        results.append(cast(op, found[place], x.dtype))
    return list(results)


def _by_pairs(op: Op, dim: int) -> list[Value]:
    """Sorts with any comparator by counting the predecessors of each element."""
    tensors, b = op.tensors(), op.b
    shape = tensors[0].shape
    extent = shape[dim]
    if extent > _PAIRS:
        raise op.fail(
            f"only {_PAIRS} elements can be sorted by a comparator that is not an order of the "
            f"operands, found {extent}: sort by lax.sort with num_keys"
        )
    before, behind = shape[: dim + 1], shape[dim + 1 :]
    rows = [reshaped(op, x, (*before, 1, *behind)) for x in tensors]
    columns = [reshaped(op, x, (*shape[:dim], 1, extent, *behind)) for x in tensors]
    square = (*before, extent, *behind)

    def less(x: list[Tensor], y: list[Tensor]) -> Tensor:
        pairs: list[Value] = [v for both in zip(x, y, strict=True) for v in both]
        (found,) = op.run(0, pairs)
        return op.importer.tensor(as_shape(op, found, square))

    # Element i goes after j if j is less, or if they are equal and j comes first.
    is_less = less(columns, rows)
    equal = b.logical_not(b.logical_or(is_less, less(rows, columns)))
    first = np.tril(np.ones((extent, extent), bool), -1)
    mask = first.reshape((1,) * dim + (extent, extent) + (1,) * len(behind))
    goes = b.logical_or(is_less, b.logical_and(equal, op.importer.tensor(Known(mask))))
    rank = b.sum(cast(op, goes, "i32"), dim + 1)
    order = b.argsort(reshaped(op, rank, shape), dim)
    return [b.gather_dim(x, order, dim) for x in tensors]


# Analysis of comparators --------------------------------------------------------------------------


def _keys(op: Op) -> list[Key] | None:
    """Returns the operands that a lexicographic comparator compares; None for another
    comparator."""
    count = len(op.inputs)
    dtypes = [op.input_dtype(i) for i in range(count)]
    try:
        order = _key_order(op, dtypes)
        if order and _agrees(op, dtypes, order):
            return order
    except ValueError:
        pass
    return None


def _evaluate(op: Op, pairs: list[tuple[Array, Array]]) -> Array:
    """Evaluates the comparator on samples."""
    (found,) = op.run(0, [Known(x) for pair in pairs for x in pair])
    if not isinstance(found, Known):
        raise ValueError("the comparator computes unknown values")
    return np.broadcast_to(found.array, pairs[0][0].shape)


def _key_order(op: Op, dtypes: list[str]) -> list[Key]:
    """Returns the keys, the most significant first."""
    rising = [samples(dtype, with_nan=False)[[1, -2]] for dtype in dtypes]
    rising = [samples(d)[[0, 1]] if d == "bool" else r for d, r in zip(dtypes, rising, strict=True)]

    def less(signs: list[int]) -> bool:
        """Whether x precedes y if operand i of x is less (-1), equal (0) or greater (1)."""
        pairs = [(r[[int(s > 0)]], r[[int(s < 0)]]) for s, r in zip(signs, rising, strict=True)]
        return bool(_evaluate(op, pairs)[0])

    count = len(dtypes)
    keys = []
    for i in range(count):
        alone = [0] * count
        alone[i] = -1
        up = less(alone)
        alone[i] = 1
        down = less(alone)
        if up != down:
            keys.append(Key(i, down))

    def precedence(key: Key) -> int:
        """Returns how many other keys take precedence over this one."""
        lost = 0
        for other in keys:
            if other is key:
                continue
            signs = [0] * count
            signs[key.operand] = 1 if key.descending else -1
            signs[other.operand] = -1 if other.descending else 1
            lost += not less(signs)
        return lost

    return sorted(keys, key=precedence)


def _agrees(op: Op, dtypes: list[str], keys: list[Key]) -> bool:
    """Whether the comparator agrees with the order of its keys on many samples."""
    rng = np.random.default_rng(0)
    drawn = []
    for dtype in dtypes:
        own = samples(dtype)
        x, y = (own[rng.integers(0, own.size, _SAMPLES)] for _ in range(2))
        drawn.append((x, np.where(rng.random(_SAMPLES) < 0.5, x, y)))
    said = _evaluate(op, drawn)
    want = np.zeros(_SAMPLES, bool)
    equal = np.ones(_SAMPLES, bool)
    for key in keys:
        x, y = (_ranked(v) for v in drawn[key.operand])
        want |= equal & ((x > y) if key.descending else (x < y))
        equal &= x == y
    has_nan = np.zeros(_SAMPLES, bool)
    for x, y in drawn:
        if x.dtype.kind in "fV":
            has_nan |= np.isnan(x.astype(np.float64)) | np.isnan(y.astype(np.float64))
    # Comparisons of IEEE leave the position of NaN open.
    open_ = has_nan & ~said
    return bool(((said == want) | open_).all())


def _ranked(x: Array) -> Array:
    """Maps numbers to the order of ``ttir.sort``: 0 and -0 are equal, NaN is the greatest."""
    if x.dtype.kind not in "fV":
        return x
    wide = x.astype(np.float64) + 0.0
    return total_order_of(np.where(np.isnan(wide), np.nan, wide))


@handles("chlo.top_k", "mhlo.topk")
def _top_k(op: Op) -> Result:
    """Uses the total order of floats, in which -NaN is the least and 0 is greater than -0."""
    x = op.tensor()
    ordered = x
    if x.dtype in FLOATS:
        ordered = total_order(op, x)
    elif x.dtype == "bool":
        ordered = cast(op, x, "u8")
    values, places = op.b.topk(ordered, op.shape()[-1], x.rank - 1)
    if x.dtype in FLOATS:
        values = bits(op, orderable_bits(op, values), "f32")
    return [cast(op, values, x.dtype), cast(op, places, op.dtype(1))]

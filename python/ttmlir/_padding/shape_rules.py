"""Rules of ops that change shapes."""

from __future__ import annotations

import numpy as np

from ttmlir._padding.analysis import RefusedError, Step, Value
from ttmlir._padding.factors import (
    Dim,
    Factor,
    Shape,
    dim_of,
    dims_of,
    extents,
    reshaped,
    varies,
)
from ttmlir._padding.rule_table import broadcast, rule

#: Begin, end and step of a slice.
Bounds = tuple[int, int, int]
_POSITIONS = "it takes elements at positions that depend on"


# Changes of shape --------------------------------------------------------------------------------


@rule("reshape", "squeeze", "unsqueeze")
def _reshape(step: Step) -> list[Value]:
    value, (other, padded) = step.inputs[0], step.shapes()
    known = None if value.known is None else value.known.reshape(padded)
    if not value.varies:
        return [Value(dims_of(other, padded), known)]
    dims = reshaped(value.dims, other, padded)
    if dims is None:
        raise step.refuse(value.dims, "it divides the extent")
    return [Value(dims, known, value.places)]


@rule("permute")
def _permute(step: Step) -> list[Value]:
    order, value = step.numbers("permutation"), step.inputs[0]
    known = None if value.known is None else np.transpose(value.known, order)
    return [Value(tuple(value.dims[i] for i in order), known)]


@rule("transpose")
def _transpose(step: Step) -> list[Value]:
    value = step.inputs[0]
    rank = len(value.dims)
    (a,), (b,) = step.numbers("dim0"), step.numbers("dim1")
    order = list(range(rank))
    order[a], order[b] = order[b % rank], order[a % rank]
    known = None if value.known is None else np.transpose(value.known, order)
    return [Value(tuple(value.dims[i] for i in order), known)]


@rule("concat")
def _concat(step: Step) -> list[Value]:
    [d] = step.numbers("dim")
    rank = len(step.inputs[0].dims)
    d %= rank
    *first, last = step.inputs
    if varies(v.dims[d] for v in first):
        raise step.refuse([v.dims[d] for v in first], "elements follow the padding along")
    others = [tuple(() if i == d else dim for i, dim in enumerate(v.dims)) for v in step.inputs]
    dims = list(broadcast(step, others, rank))
    dims[d] = dims_of(*step.shapes())[d]
    arrays = [v.known for v in step.inputs]
    known = None
    if all(a is not None for a in arrays):
        known = np.concatenate([np.asarray(a) for a in arrays], d)
    elif len(last.dims[d]) > 1 and varies([last.dims[d]]):
        raise step.refuse([last.dims[d]], "it extends a dimension that is merged with")
    return [Value(tuple(dims), known)]


@rule("slice")
def _slice(step: Step) -> list[Value]:
    value = step.inputs[0]
    begins, ends, steps = (step.pair(n) for n in ("begins", "ends", "step"))
    own, padded = (list(zip(begins[i], ends[i], steps[i], strict=True)) for i in (0, 1))
    bounds = own, padded
    known = None
    if value.known is not None:
        known = value.known[tuple(slice(*b) for b in padded)]
    shapes = extents(value.dims)
    if (found := _from_end(step, value, bounds, shapes)) is not None:
        return found
    rows = zip(value.dims, own, padded, *shapes, strict=True)
    dims = [_sliced(step, dim, (x, y), (m, n)) for dim, x, y, m, n in rows]
    return [Value(tuple(dims), known, value.places)]


def _sliced(step: Step, dim: Dim, bounds: tuple[Bounds, Bounds], whole: tuple[int, int]) -> Dim:
    """Returns a dimension of a slice, whose bounds and extents come in pairs."""
    first, second = bounds
    if not varies([dim]):
        if first != second:
            raise RefusedError("its bounds depend on the extent")
        return dim_of([Factor(*(len(range(*first)),) * 2)])
    (begin, end, each), (own, last, stride) = (
        (b + n * (b < 0), e + n * (e < 0), s)
        for (b, e, s), n in zip((first, second), whole, strict=True)
    )
    if (begin, own, end, last, each, stride) == (0, 0, *whole, 1, 1):
        return dim
    is_at_end = end - whole[0] == last - whole[1]
    is_fixed = end == last and begin == own and each == stride
    if len(dim) == 1 and is_fixed:
        step.needs([dim], end, _POSITIONS)
        return dim_of([Factor(*(len(range(begin, end, each)),) * 2)])
    if len(dim) > 1 or begin != own or (each, stride) != (1, 1) or not is_at_end:
        raise step.refuse([dim], _POSITIONS)
    return dim_of([Factor(end - begin, last - own)])


def _from_end(
    step: Step, value: Value, bounds: tuple[list[Bounds], list[Bounds]], whole: tuple[Shape, Shape]
) -> list[Value] | None:
    """Takes adjacent elements at constant distances from the end of a dimension that varies.

    Returns None for other slices.
    """
    changed = [
        [d for d, (b, n) in enumerate(zip(own, shape, strict=True)) if b != (0, n, 1)]
        for own, shape in zip(bounds, whole, strict=True)
    ]
    if changed[0] != changed[1] or len(changed[0]) != 1:
        return None
    [d] = changed[0]
    dim = value.dims[d]
    first, second = (
        (b + n * (b < 0) - n, e + n * (e < 0) - n, s)
        for (b, e, s), n in ((own[d], shape[d]) for own, shape in zip(bounds, whole, strict=True))
    )
    if not varies([dim]) or len(dim) > 1 or first != second or first[2] != 1:
        return None
    step.needs([dim], -first[0], _POSITIONS)
    x, b, along = step.tensor(0), step.b, np.arange(len(whole[1])) == d
    starts = b.multiply(step.walk.extent(dim[0]), b.constant(along.astype(np.int32)))
    starts = b.add(starts, b.constant(np.where(along, first[0], 0).astype(np.int32)))
    count = first[1] - first[0]
    sizes = [count if i == d else n for i, n in enumerate(x.shape)]
    step.walk.replaced(step.padded.results[0], b.dynamic_slice(x, starts, sizes))
    dims = list(value.dims)
    dims[d] = dim_of([Factor(count, count)])
    return [Value(tuple(dims))]


@rule("bitcast_convert")
def _bits(step: Step) -> list[Value]:
    value, shapes = step.inputs[0], step.shapes()
    if list(extents(value.dims)[1]) == shapes[1]:
        return [Value(value.dims)]
    if varies(value.dims):
        raise step.refuse(value.dims, "it changes the size of elements along")
    return [Value(dims_of(*shapes))]


@rule("pad")
def _pad(step: Step) -> list[Value]:
    amounts, value = step.numbers("padding"), step.inputs[0]
    for d, dim in enumerate(value.dims):
        if varies([dim]) and (amounts[2 * d] or amounts[2 * d + 1]):
            raise step.refuse([dim], "it pads the dimension of")
    dims = [
        dim if varies([dim]) else own
        for dim, own in zip(value.dims, dims_of(*step.shapes()), strict=True)
    ]
    return [Value(tuple(dims))]


@rule("repeat", "repeat_interleave")
def _repeat(step: Step) -> list[Value]:
    value = step.inputs[0]
    step.check_attributes("repeat_dimensions")
    dims = []
    for dim, own, each in zip(
        value.dims, dims_of(*step.shapes()), zip(*step.shapes(), strict=True), strict=True
    ):
        same = each == tuple(e[0] for e in extents([dim]))
        if not dim:
            dims.append(own)
        elif varies([dim]) and not same:
            raise step.refuse([dim], "it repeats the elements along")
        else:
            dims.append(dim if same else own)
    return [Value(tuple(dims))]

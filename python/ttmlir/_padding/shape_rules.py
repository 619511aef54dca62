"""Rules of ops that change shapes."""

from __future__ import annotations

import numpy as np

from ttmlir._padding.analysis import RefusedError, Step, Value
from ttmlir._padding.factors import Dim, Factor, dim_of, dims_of, extents, reshaped, varies
from ttmlir._padding.rule_table import broadcast, rule

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
    names = ("begins", "ends", "step")
    bounds = [list(zip(*(step.pair(n)[i] for n in names), strict=True)) for i in (0, 1)]
    known = None
    if value.known is not None:
        known = value.known[tuple(slice(*b) for b in bounds[1])]
    shapes = extents(value.dims)
    dims = [
        _sliced(step, dim, *pairs) for dim, *pairs in zip(value.dims, *bounds, *shapes, strict=True)
    ]
    return [Value(tuple(dims), known, value.places)]


def _sliced(
    step: Step,
    dim: Dim,
    first: tuple[int, int, int],
    second: tuple[int, int, int],
    *whole: int,
) -> Dim:
    """Returns a dimension of a slice; ``first`` and ``second`` are its bounds."""
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
    is_at_begin = end == last and end <= step.walk.least(dim)
    if len(dim) > 1 or begin != own or (each, stride) != (1, 1) or not (is_at_end or is_at_begin):
        raise step.refuse([dim], "it takes elements at positions that depend on")
    return dim_of([Factor(end - begin, last - own)])


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

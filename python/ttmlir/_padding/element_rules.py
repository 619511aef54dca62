"""Rules of new tensors, elementwise ops, and elements at indices."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ttmlir import ir
from ttmlir._padding.analysis import RefusedError, Step, Value
from ttmlir._padding.factors import Factor, dims_of, extents, varies
from ttmlir._padding.rule_table import apart, broadcast, rule

#: Elementwise ops.
_ELTWISE = frozenset(
    (
        "abs",
        "acos",
        "acosh",
        "add",
        "asin",
        "asinh",
        "atan",
        "atan2",
        "atanh",
        "bitwise_and",
        "bitwise_not",
        "bitwise_or",
        "bitwise_xor",
        "cbrt",
        "ceil",
        "clamp",
        "clamp_tensor",
        "clz",
        "cos",
        "cosh",
        "digamma",
        "div",
        "eq",
        "erf",
        "erfc",
        "erfinv",
        "exp",
        "exp2",
        "expm1",
        "floor",
        "frac",
        "ge",
        "gelu",
        "gelu_bw",
        "gt",
        "hardsigmoid",
        "isfinite",
        "le",
        "leaky_relu",
        "lgamma",
        "log",
        "log1p",
        "logical_and",
        "logical_left_shift",
        "logical_not",
        "logical_or",
        "logical_right_shift",
        "logical_xor",
        "lt",
        "maximum",
        "minimum",
        "mish",
        "multiply",
        "ne",
        "neg",
        "popcount",
        "power",
        "reciprocal",
        "relu",
        "relu6",
        "remainder",
        "right_shift",
        "round",
        "roundeven",
        "rsqrt",
        "selu",
        "sigmoid",
        "sign",
        "signbit",
        "silu",
        "sin",
        "sinh",
        "softsign",
        "sqrt",
        "square",
        "subtract",
        "tan",
        "tanh",
        "trunc",
        "typecast",
        "where",
    )
)


# New tensors -------------------------------------------------------------------------------------


@rule("constant", "fill")
def _constant(step: Step) -> list[Value]:
    attributes = [op.attributes["value"] for op in (step.other, step.padded)]
    dims = dims_of(*step.shapes())
    if attributes[0] == attributes[1]:
        return [Value(dims, _elements(attributes[1]))]
    arrays = [_elements(attribute) for attribute in attributes]
    if any(array is None for array in arrays):
        raise RefusedError("its elements depend on the extent")
    common = tuple(slice(min(pair)) for pair in zip(*(a.shape for a in arrays), strict=True))
    first, second = (array[common] for array in arrays)
    if not np.array_equal(first, second, equal_nan=first.dtype.kind == "f"):
        if _counted(step, *arrays):
            return [Value(dims)]
        place = tuple(np.argwhere(first != second)[0])
        raise RefusedError(
            f"its elements depend on the extent: {first[place]} and {second[place]} at the same "
            "place"
        )
    return [Value(dims, arrays[1])]


def _counted(step: Step, other: Any, padded: Any) -> bool:
    """Computes a constant that is a number of elements, or its reciprocal, from the inputs; returns
    whether it is one."""
    if not other.size or (other != other.flat[0]).any() or (padded != padded.flat[0]).any():
        return False
    numbers = [float(array.flat[0]) for array in (other, padded)]
    inverse = padded.dtype.kind == "f" and 0 < abs(numbers[1]) < 1
    counts = [round(1 / x) if inverse and x else round(x) for x in numbers]
    exact = [padded.dtype.type(1 / n if inverse and n else n) for n in counts]
    if exact != [other.flat[0], padded.flat[0]] or min(counts) < 1:
        return False
    b = step.walk.builder
    count = step.walk.number(Factor(*counts))
    if count is None:
        return False
    constant = b.of(step.padded.results[0])
    count = b.reciprocal(count) if inverse else count
    if constant.dtype != "f32":
        count = b.typecast(count, constant.dtype)
    count = b.reshape(count, (1,) * constant.rank)
    if constant.shape != count.shape:
        count = b.broadcast(count, constant.shape)
    step.walk.replaced(step.padded.results[0], count)
    return True


def _elements(attribute: Any) -> Any:
    try:
        return np.array(ir.DenseElementsAttr(attribute))
    except (TypeError, ValueError, RuntimeError):
        return None


@rule("full", "zeros", "ones")
def _full(step: Step) -> list[Value]:
    step.check_attributes("shape")
    other, padded = step.shapes()
    number = {"zeros": 0, "ones": 1}.get(step.name)
    if number is None:
        number = step.attribute("fill_value").value
    return [Value(dims_of(other, padded), np.broadcast_to(np.asarray(number), padded))]


@rule("arange")
def _arange(step: Step) -> list[Value]:
    step.check_attributes("end")
    other, padded = step.shapes()
    [d], [start], [each] = (step.numbers(n) for n in ("arange_dimension", "start", "step"))
    shape = [1] * len(padded)
    shape[d] = padded[d]
    known = (start + each * np.arange(padded[d])).reshape(shape)
    return [Value(dims_of(other, padded), np.broadcast_to(known, padded))]


# Elementwise -------------------------------------------------------------------------------------


@rule(*_ELTWISE)
def _elementwise(step: Step) -> list[Value]:
    step.check_attributes()
    dims = broadcast(step, [v.dims for v in step.inputs], len(step.shapes()[0]))
    if step.name == "typecast":
        return [Value(dims, step.inputs[0].known, step.inputs[0].places)]
    return [Value(dims)] * len(step.padded.results)


@rule("broadcast")
def _spread(step: Step) -> list[Value]:
    places = step.numbers("dimension")
    (other, padded), value = step.shapes(), step.inputs[0]
    dims = list(dims_of(other, padded))
    known = value.known
    for i, place in enumerate(places):
        if value.dims[i]:
            dims[place] = value.dims[i]
    if known is not None:
        shape = [1] * len(padded)
        for i, place in enumerate(places):
            shape[place] = known.shape[i]
        known = np.broadcast_to(known.reshape(shape), padded)
    return [Value(tuple(dims), known)]


# Elements at indices -----------------------------------------------------------------------------


@rule("embedding")
def _embedding(step: Step) -> list[Value]:
    places, table = step.inputs[:2]
    if varies(table.dims):
        raise step.refuse(table.dims, "it indexes the rows of a table with padding along")
    shape = dims_of(*step.shapes())
    return [Value((*places.dims, *shape[len(places.dims) :]))]


@rule("gather")
def _gather(step: Step) -> list[Value]:
    x, places = step.inputs[:2]
    names = ("offset_dims", "collapsed_slice_dims", "start_index_map")
    offsets, collapsed, mapped = (step.numbers(n) for n in names)
    [vector] = step.numbers("index_vector_dim")
    batching = step.numbers("operand_batching_dims"), step.numbers("start_indices_batching_dims")
    sizes = step.pair("slice_sizes")[1]
    whole = extents(x.dims)[1]
    if any(batching) and varies(x.dims):
        raise step.refuse(x.dims, "it indexes the elements of a tensor with padding along")
    for d, dim in enumerate(x.dims):
        if not varies([dim]):
            continue
        is_other = places.places == dim and mapped == [d]
        if sizes[d] != whole[d] and not (
            is_other or _is_inside(step, x, places, d, mapped, vector)
        ):
            raise step.refuse([dim], "it indexes elements along")
    rank = len(step.shapes()[0])
    batch = [dim for i, dim in enumerate(places.dims) if i != vector]
    rest = [
        dim if sizes[d] == whole[d] else dims_of([sizes[d]], [sizes[d]])[0]
        for d, dim in enumerate(x.dims)
        if d not in collapsed and d not in batching[0]
    ]
    dims = [rest.pop(0) if i in offsets else batch.pop(0) for i in range(rank)]
    return [Value(tuple(dims), places=x.places)]


def _is_inside(step: Step, x: Value, places: Value, d: int, mapped: list[int], vector: int) -> bool:
    """Whether indices along a dimension are known, and elements that are no padding are taken for
    all that are none: the index at place i along the same extent is at most i."""
    if places.known is None or d not in mapped or len(x.dims[d]) != 1:
        return False
    known = places.known
    if vector < known.ndim:
        known = np.take(known, mapped.index(d), vector)
    own = [i for i, dim in enumerate(places.dims) if i != vector and dim == x.dims[d]]
    axes = [i - (i > vector) for i in own]
    if (known < 0).any():
        return False
    return any(
        bool((known <= np.arange(known.shape[a]).reshape([-1] + [1] * (known.ndim - 1 - a))).all())
        for a in axes
    ) or bool((known < step.walk.least(x.dims[d])).all())


@rule("gather_dim")
def _gather_dim(step: Step) -> list[Value]:
    step.check_attributes()
    x, places = step.inputs
    [d] = (n % len(x.dims) for n in step.numbers("dim"))
    for i, (dim, own) in enumerate(zip(x.dims, places.dims, strict=True)):
        if i == d and varies([dim]) and places.places != dim:
            raise step.refuse([dim], "it indexes elements along")
        if i != d and varies([dim, own]) and dim != own:
            raise step.refuse([dim, own], "its operands are padded differently along")
    return [Value(places.dims, places=x.places)]


@rule("dynamic_slice")
def _dynamic_slice(step: Step) -> list[Value]:
    """Takes whole dimensions that have padding, and elements of others."""
    step.check_attributes("slice_sizes")
    x, starts = step.inputs
    if starts.varies:
        raise step.refuse(starts.dims, "the op has no rule for padding along")
    own = dims_of(*step.shapes())
    pairs = zip(x.dims, own, zip(*extents(x.dims), strict=True), strict=True)
    for dim, found, whole in pairs:
        if varies([dim, found]) and tuple(e[0] for e in extents([found])) != whole:
            raise step.refuse([dim], "it takes elements at positions that depend on")
    both = zip(x.dims, own, strict=True)
    return [Value(tuple(dim if varies([dim]) else found for dim, found in both))]


@rule("update_slice")
def _update_slice(step: Step) -> list[Value]:
    """Replaces whole dimensions that have padding, and elements of others."""
    step.check_attributes()
    x, update, *index = step.inputs
    if any(v.varies for v in index):
        return apart(step)
    for dim, own in zip(x.dims, update.dims, strict=True):
        if varies([dim, own]) and dim != own:
            raise step.refuse([dim, own], "its operands are padded differently along")
    return [Value(x.dims)]


@rule("scatter_dim")
def _scatter_dim(step: Step) -> list[Value]:
    step.check_attributes()
    x, places, updates = step.inputs
    [d] = (n % len(x.dims) for n in step.numbers("dim"))
    for i, (dim, own, new) in enumerate(zip(x.dims, places.dims, updates.dims, strict=True)):
        if varies([own, new]) and own != new:
            raise step.refuse([own, new], "its operands are padded differently along")
        if i != d and varies([dim]) and dim != own:
            raise step.refuse([dim], "its operands are padded differently along")
    _dropped(step, range(len(places.dims)))
    return [Value(x.dims)]


@rule("scatter")
def _scatter(step: Step) -> list[Value]:
    step.check_attributes()
    x, places, updates = step.inputs
    names = ("update_window_dims", "inserted_window_dims", "input_batching_dims")
    window, inserted, batching = (step.numbers(n) for n in names)
    [vector] = step.numbers("index_vector_dim")
    if batching and any(v.varies for v in step.inputs):
        return apart(step)
    inside = [dim for d, dim in enumerate(x.dims) if d not in inserted]
    for dim, own in zip(inside, (updates.dims[d] for d in window), strict=True):
        if varies([dim, own]) and dim != own:
            raise step.refuse([dim, own], "its operands are padded differently along")
    along = [d for d in range(len(places.dims)) if d != vector]
    rest = [dim for d, dim in enumerate(updates.dims) if d not in window]
    for dim, own in zip((places.dims[d] for d in along), rest, strict=True):
        if varies([dim, own]) and dim != own:
            raise step.refuse([dim, own], "its operands are padded differently along")
    _dropped(step, along)
    return [Value(x.dims)]


def _dropped(step: Step, dims: Sequence[int]) -> None:
    """Replaces padding of the indices of a scatter by numbers outside of all tensors, whose updates
    are dropped."""
    is_unsigned = step.tensor(1).dtype.startswith("u")
    step.cleaned(1, dims, math.inf if is_unsigned else -1)

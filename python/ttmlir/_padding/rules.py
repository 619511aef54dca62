"""The rules of ops: what is padding in their results."""

from __future__ import annotations

from typing import Any

import numpy as np

from ttmlir import ir
from ttmlir._padding.analysis import RefusedError, Rule, Step, Value
from ttmlir._padding.factors import Dim, Dims, Factor, dim_of, dims_of, extents, reshaped, varies

_RULES: dict[str, Rule] = {}
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
#: Reductions, with the element that leaves the result as it is; None is the least number.
_REDUCTIONS: dict[str, float | None] = {
    "sum": 0,
    "mean": 0,
    "max": None,
    "min": float("inf"),
    "prod": 1,
    "reduce_and": 1,
    "reduce_or": 0,
}
#: Ops in which an element depends on those before it along ``dim`` only.
_SCANS = ("cumsum", "cumprod", "cummax", "cummin")
#: Ops that treat the elements of the first dimension apart.
_BATCHED = (
    "avg_pool2d",
    "batch_norm_inference",
    "conv2d",
    "conv_transpose2d",
    "convolution",
    "global_avg_pool2d",
    "group_norm",
    "max_pool2d",
    "max_pool2d_with_indices",
    "upsample",
    "upsample2d",
)


def rule_of(step: Step) -> Rule:
    """Returns the rule of an op."""
    if step.name in _RULES:
        return _RULES[step.name]
    if step.name in _ELTWISE:
        return _elementwise
    if step.name in _BATCHED:
        return _batched
    return _apart


def _rule(*names: str) -> Any:
    def enter(rule: Rule) -> Rule:
        _RULES.update(dict.fromkeys(names, rule))
        return rule

    return enter


def _plain(step: Step) -> list[Value]:
    return [Value(dims_of(*step.shapes(i))) for i in range(len(step.padded.results))]


def _apart(step: Step) -> list[Value]:
    """An op without a rule."""
    found = _plain(step)
    for value in (*step.inputs, *found):
        if value.varies:
            raise step.refuse(value.dims, "the op is not known to keep padding apart along")
    step.check_attributes()
    for other, padded in zip(step.other.regions, step.padded.regions, strict=True):
        if [str(b) for b in other.blocks] != [str(b) for b in padded.blocks]:
            raise RefusedError("its body depends on the extents")
        # Values from outside of the body.
        if any(value.varies for value in step.walk.values.values()):
            raise RefusedError("a body is not known to keep padding apart")
    return found


# New tensors -------------------------------------------------------------------------------------


@_rule("constant", "fill")
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


@_rule("full", "zeros", "ones")
def _full(step: Step) -> list[Value]:
    step.check_attributes("shape")
    other, padded = step.shapes()
    number = {"zeros": 0, "ones": 1}.get(step.name)
    if number is None:
        number = step.attribute("fill_value").value
    return [Value(dims_of(other, padded), np.broadcast_to(np.asarray(number), padded))]


@_rule("arange")
def _arange(step: Step) -> list[Value]:
    step.check_attributes("end")
    other, padded = step.shapes()
    [d], [start], [each] = (step.numbers(n) for n in ("arange_dimension", "start", "step"))
    shape = [1] * len(padded)
    shape[d] = padded[d]
    known = (start + each * np.arange(padded[d])).reshape(shape)
    return [Value(dims_of(other, padded), np.broadcast_to(known, padded))]


# Elementwise -------------------------------------------------------------------------------------


def _broadcast(step: Step, inputs: list[Dims], rank: int) -> Dims:
    """Returns the dimensions of elements that are paired by NumPy's rules."""
    found: list[Dim] = []
    for i in range(rank):
        own = [dims[i - rank + len(dims)] for dims in inputs if i - rank + len(dims) >= 0]
        longest = [dim for dim in own if dim]
        if any(dim != longest[0] for dim in longest):
            raise step.refuse(longest, "its operands have different elements along")
        found.append(longest[0] if longest else ())
    return tuple(found)


def _elementwise(step: Step) -> list[Value]:
    step.check_attributes()
    dims = _broadcast(step, [v.dims for v in step.inputs], len(step.shapes()[0]))
    known = None
    if step.name == "typecast" and step.inputs[0].known is not None:
        known = step.inputs[0].known
    return [Value(dims, known)] * len(step.padded.results)


@_rule("broadcast")
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


# Changes of shape --------------------------------------------------------------------------------


@_rule("reshape", "squeeze", "unsqueeze")
def _reshape(step: Step) -> list[Value]:
    value, (other, padded) = step.inputs[0], step.shapes()
    dims = reshaped(value.dims, other, padded)
    if dims is None:
        raise step.refuse(value.dims, "it divides the extent")
    known = None if value.known is None else value.known.reshape(padded)
    return [Value(dims, known)]


@_rule("permute")
def _permute(step: Step) -> list[Value]:
    order, value = step.numbers("permutation"), step.inputs[0]
    known = None if value.known is None else np.transpose(value.known, order)
    return [Value(tuple(value.dims[i] for i in order), known)]


@_rule("transpose")
def _transpose(step: Step) -> list[Value]:
    value = step.inputs[0]
    rank = len(value.dims)
    (a,), (b,) = step.numbers("dim0"), step.numbers("dim1")
    order = list(range(rank))
    order[a], order[b] = order[b % rank], order[a % rank]
    known = None if value.known is None else np.transpose(value.known, order)
    return [Value(tuple(value.dims[i] for i in order), known)]


@_rule("concat")
def _concat(step: Step) -> list[Value]:
    [d] = step.numbers("dim")
    rank = len(step.inputs[0].dims)
    d %= rank
    *first, last = step.inputs
    if varies(v.dims[d] for v in first):
        raise step.refuse([v.dims[d] for v in first], "elements follow the padding along")
    others = [tuple(() if i == d else dim for i, dim in enumerate(v.dims)) for v in step.inputs]
    dims = list(_broadcast(step, others, rank))
    dims[d] = dims_of(*step.shapes())[d]
    arrays = [v.known for v in step.inputs]
    known = None
    if all(a is not None for a in arrays):
        known = np.concatenate([np.asarray(a) for a in arrays], d)
    elif len(last.dims[d]) > 1 and varies([last.dims[d]]):
        raise step.refuse([last.dims[d]], "it extends a dimension that is merged with")
    return [Value(tuple(dims), known)]


@_rule("slice")
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
    return [Value(tuple(dims), known)]


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
        raise step.refuse([dim], "it takes elements whose places depend on")
    return dim_of([Factor(end - begin, last - own)])


@_rule("pad")
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


@_rule("repeat", "repeat_interleave")
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


# Elements at indices -----------------------------------------------------------------------------


@_rule("embedding")
def _embedding(step: Step) -> list[Value]:
    places, table = step.inputs[:2]
    if varies(table.dims):
        raise step.refuse(table.dims, "it takes rows by number from a table with padding along")
    shape = dims_of(*step.shapes())
    return [Value((*places.dims, *shape[len(places.dims) :]))]


@_rule("gather")
def _gather(step: Step) -> list[Value]:
    x, places = step.inputs[:2]
    names = ("offset_dims", "collapsed_slice_dims", "start_index_map")
    offsets, collapsed, mapped = (step.numbers(n) for n in names)
    [vector] = step.numbers("index_vector_dim")
    batching = step.numbers("operand_batching_dims"), step.numbers("start_indices_batching_dims")
    sizes = step.pair("slice_sizes")[1]
    whole = extents(x.dims)[1]
    if any(batching) and varies(x.dims):
        raise step.refuse(x.dims, "it takes elements by number from a tensor with padding along")
    for d, dim in enumerate(x.dims):
        if not varies([dim]):
            continue
        if sizes[d] != whole[d] and not _is_inside(step, x, places, d, mapped, vector):
            raise step.refuse([dim], "it takes elements by number along")
    rank = len(step.shapes()[0])
    batch = [dim for i, dim in enumerate(places.dims) if i != vector]
    rest = [
        dim if sizes[d] == whole[d] else dims_of([sizes[d]], [sizes[d]])[0]
        for d, dim in enumerate(x.dims)
        if d not in collapsed and d not in batching[0]
    ]
    dims = [rest.pop(0) if i in offsets else batch.pop(0) for i in range(rank)]
    return [Value(tuple(dims))]


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


# Products and reductions -------------------------------------------------------------------------


@_rule("matmul", "linear")
def _matmul(step: Step) -> list[Value]:
    step.check_attributes()
    a, b = (list(v.dims) for v in step.inputs[:2])
    across, down = _flag(step, "transpose_a"), _flag(step, "transpose_b")
    rows, inner = (-1, -2) if across else (-2, -1)
    columns, own = (-2, -1) if down else (-1, -2)
    if len(a) < 2 or len(b) < 2:
        return _apart(step)
    if a[inner] != b[own]:
        raise step.refuse([a[inner], b[own]], "its operands have different elements along")
    step.cleaned(0, [len(a) + inner], 0)
    step.cleaned(1, [len(b) + own], 0)
    rank = len(step.shapes()[0])
    lead = _broadcast(step, [tuple(a[:-2]), tuple(b[:-2])], rank - 2)
    dims = (*lead, a[rows], b[columns])
    if len(step.inputs) > 2:
        dims = _broadcast(step, [dims, step.inputs[2].dims], rank)
    return [Value(dims)]


def _flag(step: Step, name: str, default: bool = False) -> bool:
    found = step.attribute(name)
    return default if found is None else bool(found.value)


@_rule("dot_general")
def _dot_general(step: Step) -> list[Value]:
    step.check_attributes()
    a, b = (v.dims for v in step.inputs[:2])
    names = ("batch_dims_lhs", "batch_dims_rhs", "contract_dims_lhs", "contract_dims_rhs")
    first, second, inner, own = (step.numbers(n) for n in names)
    for i, j in zip([*first, *inner], [*second, *own], strict=True):
        if a[i] != b[j]:
            raise step.refuse([a[i], b[j]], "its operands have different elements along")
    step.cleaned(0, inner, 0)
    step.cleaned(1, own, 0)
    rest = [dim for i, dim in enumerate(a) if i not in first and i not in inner]
    rest += [dim for j, dim in enumerate(b) if j not in second and j not in own]
    return [Value((*(a[i] for i in first), *rest))]


@_rule("scaled_dot_product_attention")
def _attention(step: Step) -> list[Value]:
    step.check_attributes()
    groups = [int(n) for n in step.attribute("operandSegmentSizes")]
    q, k, v = step.inputs[:3]
    keys = k.dims[2]
    if any(groups[4:7]) and any(value.varies for value in step.inputs[3 + groups[3] :]):
        return _apart(step)
    if k.dims != (*v.dims[:3], k.dims[3]):
        raise step.refuse(k.dims + v.dims, "keys and values have different elements along")
    if varies([keys]):
        if any(groups[5:7]):
            raise step.refuse([keys], "it reads a cache along")
        step.cleaned(1, [2], 0)
        step.cleaned(2, [2], 0)
        if groups[3] and not _flag(step, "is_causal", True):
            if step.inputs[3].dims[3] != keys:
                raise step.refuse([keys], "its mask is the same for all keys along")
            # A float mask is added, an integer mask is 0 for hidden keys.
            step.cleaned(3, [3], None if step.tensor(3).dtype.startswith(("f", "bf")) else 0)
        elif groups[4] or (
            step.attribute("sliding_window_size") and not _flag(step, "is_causal", True)
        ):
            return _apart(step)
        elif not _flag(step, "is_causal", True):
            _masked(step, keys)
    if varies((q.dims[3], v.dims[3], k.dims[3])):
        return _apart(step)
    batch = _broadcast(step, [q.dims[:1], k.dims[:1]], 1)
    return [Value((*batch, q.dims[1], q.dims[2], v.dims[3]))]


def _masked(step: Step, keys: Dim) -> None:
    """Adds a mask of keys to an attention without one."""
    b, padded = step.walk.builder, step.padded
    dtype = step.tensor(0).dtype
    zeros = b.constant(0, shape=(1, 1, 1, extents([keys])[1][0]), dtype=dtype)
    mask = step.walk.selected(zeros, ((), (), (), keys), [3], None)
    scale = padded.attributes["scale"].value if "scale" in padded.attributes else None
    q, k, v = (step.tensor(i) for i in range(3))
    made = b.scaled_dot_product_attention(
        q, k, v, attention_mask=mask, is_causal=False, scale=scale
    )
    step.walk.replaced(padded.results[0], made)


@_rule("softmax")
def _softmax(step: Step) -> list[Value]:
    step.check_attributes()
    value, [d] = step.inputs[0], step.numbers("dimension")
    step.cleaned(0, [d % len(value.dims)], None)
    return [Value(value.dims)]


@_rule(*_REDUCTIONS)
def _reduction(step: Step) -> list[Value]:
    step.check_attributes()
    value = step.inputs[0]
    rank = len(value.dims)
    given = step.attribute("dim_arg")
    dims = sorted({d % rank for d in step.numbers("dim_arg")}) if given is not None else []
    dims = dims or list(range(rank))
    along = [value.dims[d] for d in dims]
    if varies(along):
        neutral = _REDUCTIONS[step.name]
        tensor = step.tensor(0)
        if step.name == "min" and not tensor.dtype.startswith(("f", "bf")):
            raise step.refuse(along, "it is the least of integers along")
        step.cleaned(0, dims, neutral)
        if step.name == "mean":
            _divided(step, along)
    keeps = len(step.shapes()[0]) == rank
    found = [() if d in dims else dim for d, dim in enumerate(value.dims) if keeps or d not in dims]
    return [Value(tuple(found))]


def _divided(step: Step, along: list[Dim]) -> None:
    """Computes a mean as the sum divided by the number of elements that are no padding."""
    b = step.walk.builder
    x, rank = step.tensor(0), len(step.shapes()[0])
    given = step.attribute("dim_arg")
    dims = step.numbers("dim_arg") if given is not None and len(given) else None
    keeps = _flag(step, "keep_dim")
    wide = x if x.dtype == "f32" else b.typecast(x, "f32")
    total = b.sum(wide, dims, keeps)
    count = b.reshape(step.walk.count(along), (1,) * rank)
    mean = b.div(total, count)
    step.walk.replaced(
        step.padded.results[0], mean if x.dtype == "f32" else b.typecast(mean, x.dtype)
    )


@_rule("argmax")
def _argmax(step: Step) -> list[Value]:
    step.check_attributes()
    value = step.inputs[0]
    rank = len(value.dims)
    dims = sorted({d % rank for d in step.numbers("dim_arg")}) or list(range(rank))
    step.cleaned(0, dims, None)
    keeps = len(step.shapes()[0]) == rank
    found = [() if d in dims else dim for d, dim in enumerate(value.dims) if keeps or d not in dims]
    return [Value(tuple(found))]


@_rule("layer_norm", "rms_norm")
def _norm(step: Step) -> list[Value]:
    step.check_attributes("normalized_shape")
    value = step.inputs[0]
    count = max(len(step.pair("normalized_shape")[1]), 1)
    if varies(value.dims[-count:]) or any(v.varies for v in step.inputs[1:]):
        raise step.refuse(value.dims, "it normalizes along")
    return [Value(value.dims)]


@_rule(*_SCANS)
def _scan(step: Step) -> list[Value]:
    step.check_attributes()
    value = step.inputs[0]
    [d] = step.numbers("dim")
    if len(value.dims[d]) > 1 and varies([value.dims[d]]):
        raise step.refuse([value.dims[d]], "elements follow the padding along")
    return [Value(value.dims)]


@_rule("sort", "topk", "argsort", "reverse", "previous_equal")
def _along_others(step: Step) -> list[Value]:
    """Ops on whole rows along some dimensions, which have no padding."""
    value = step.inputs[0]
    step.check_attributes()
    name = "dimensions" if step.name == "reverse" else "dim"
    along = [value.dims[d] for d in step.numbers(name) or [-1]]
    if varies(along):
        raise step.refuse(along, "it changes the order along")
    found = []
    for result in _plain(step):
        same = zip(value.dims, result.dims, strict=True)
        found.append(Value(tuple(a if varies([a]) else b for a, b in same)))
    return found


def _batched(step: Step) -> list[Value]:
    """Ops on images: only the batch may have padding."""
    value = step.inputs[0]
    rest = [v.dims for v in step.inputs[1:]]
    if varies(value.dims[1:]) or any(varies(dims) for dims in rest):
        raise step.refuse(
            [*value.dims[1:], *(d for dims in rest for d in dims)], "it reads neighbours along"
        )
    step.check_attributes("batch_size", "input_height", "input_width")
    found = []
    for result in _plain(step):
        found.append(Value((value.dims[0], *result.dims[1:])))
    return found

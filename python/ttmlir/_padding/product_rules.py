"""Rules of products, reductions and ops on images."""

from __future__ import annotations

import math

from ttmlir._padding.analysis import Step, Value
from ttmlir._padding.factors import Dim, extents, varies
from ttmlir._padding.rule_table import apart, broadcast, plain, rule

#: Reductions, with the element that leaves the result as it is; None is the least number, infinity
#: the greatest.
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
    "global_avg_pool2d",
    "max_pool2d",
    "max_pool2d_with_indices",
    "upsample",
    "upsample2d",
)


# Products and reductions -------------------------------------------------------------------------


@rule("matmul", "linear")
def _matmul(step: Step) -> list[Value]:
    step.check_attributes()
    a, b = (list(v.dims) for v in step.inputs[:2])
    across, down = _flag(step, "transpose_a"), _flag(step, "transpose_b")
    rows, inner = (-1, -2) if across else (-2, -1)
    columns, own = (-2, -1) if down else (-1, -2)
    if len(a) < 2 or len(b) < 2:
        return apart(step)
    if a[inner] != b[own]:
        raise step.refuse([a[inner], b[own]], "its operands are padded differently along")
    step.cleaned(0, [len(a) + inner], 0)
    step.cleaned(1, [len(b) + own], 0)
    rank = len(step.shapes()[0])
    lead = broadcast(step, [tuple(a[:-2]), tuple(b[:-2])], rank - 2)
    dims = (*lead, a[rows], b[columns])
    if len(step.inputs) > 2:
        dims = broadcast(step, [dims, step.inputs[2].dims], rank)
    return [Value(dims)]


def _flag(step: Step, name: str, default: bool = False) -> bool:
    found = step.attribute(name)
    return default if found is None else bool(found.value)


@rule("dot_general")
def _dot_general(step: Step) -> list[Value]:
    step.check_attributes()
    a, b = (v.dims for v in step.inputs[:2])
    names = ("batch_dims_lhs", "batch_dims_rhs", "contract_dims_lhs", "contract_dims_rhs")
    first, second, inner, own = (step.numbers(n) for n in names)
    for i, j in zip([*first, *inner], [*second, *own], strict=True):
        if a[i] != b[j]:
            raise step.refuse([a[i], b[j]], "its operands are padded differently along")
    step.cleaned(0, inner, 0)
    step.cleaned(1, own, 0)
    rest = [dim for i, dim in enumerate(a) if i not in first and i not in inner]
    rest += [dim for j, dim in enumerate(b) if j not in second and j not in own]
    return [Value((*(a[i] for i in first), *rest))]


@rule("scaled_dot_product_attention")
def _attention(step: Step) -> list[Value]:
    step.check_attributes()
    groups = [int(n) for n in step.attribute("operandSegmentSizes")]
    q, k, v = step.inputs[:3]
    keys = k.dims[2]
    if any(groups[4:7]) and any(value.varies for value in step.inputs[3 + groups[3] :]):
        return apart(step)
    if k.dims != (*v.dims[:3], k.dims[3]):
        raise step.refuse(k.dims + v.dims, "keys and values are padded differently along")
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
            return apart(step)
        elif not _flag(step, "is_causal", True):
            _masked(step, keys)
    if varies((q.dims[3], v.dims[3], k.dims[3])):
        return apart(step)
    batch = broadcast(step, [q.dims[:1], k.dims[:1]], 1)
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


@rule("softmax")
def _softmax(step: Step) -> list[Value]:
    step.check_attributes()
    value, [d] = step.inputs[0], step.numbers("dimension")
    step.cleaned(0, [d % len(value.dims)], None)
    return [Value(value.dims)]


@rule(*_REDUCTIONS)
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


@rule("argmax")
def _argmax(step: Step) -> list[Value]:
    step.check_attributes()
    value = step.inputs[0]
    rank = len(value.dims)
    dims = sorted({d % rank for d in step.numbers("dim_arg")}) or list(range(rank))
    along = [value.dims[d] for d in dims]
    if varies(along):
        step.needs(along, 1, "it has no result without elements along")
        step.cleaned(0, dims, None)
        factors = tuple(f for dim in along for f in dim)
        if varies([factors[1:]]):
            _renumbered(step, dims, factors)
    keeps = len(step.shapes()[0]) == rank
    found = [() if d in dims else dim for d, dim in enumerate(value.dims) if keeps or d not in dims]
    return [Value(tuple(found))]


def _renumbered(step: Step, dims: list[int], factors: Dim) -> None:
    """Computes the place of an element among those of several factors that are no padding."""
    b = step.walk.builder
    keeps = len(step.shapes()[0]) == len(step.inputs[0].dims)
    found = b.argmax(step.tensor(0), dims[0] if len(dims) == 1 else None, keeps)
    rest = found
    total = each = b.constant(1, shape=(1,) * found.rank, dtype="i32")
    for i, factor in enumerate(reversed(factors)):
        size = b.constant(factor.padded, shape=(1,) * found.rank, dtype="i32")
        place = b.remainder(rest, size)
        rest = b.div(b.subtract(rest, place), size)
        total = b.add(total, b.multiply(place, each)) if i else place
        if factor.varies:
            size = b.reshape(step.walk.extent(factor), (1,) * found.rank)
        each = b.multiply(each, size)
    dtype = b.of(step.padded.results[0]).dtype
    found = total if total.dtype == dtype else b.typecast(total, dtype)
    step.walk.replaced(step.padded.results[0], found)


@rule("layer_norm", "rms_norm")
def _norm(step: Step) -> list[Value]:
    step.check_attributes("normalized_shape")
    value = step.inputs[0]
    count = max(len(step.pair("normalized_shape")[1]), 1)
    if varies(value.dims[-count:]) or any(v.varies for v in step.inputs[1:]):
        raise step.refuse(value.dims, "it normalizes along")
    return [Value(value.dims)]


@rule(*_SCANS)
def _scan(step: Step) -> list[Value]:
    step.check_attributes()
    value = step.inputs[0]
    [d] = step.numbers("dim")
    if len(value.dims[d]) > 1 and varies([value.dims[d]]):
        raise step.refuse([value.dims[d]], "elements follow the padding along")
    return [Value(value.dims)]


@rule("sort", "argsort")
def _sort(step: Step) -> list[Value]:
    """Padding stays behind the other elements: sorts are stable."""
    step.check_attributes()
    value = step.inputs[0]
    [d] = step.numbers("dim") or [-1]
    dim = value.dims[d]
    if not varies([dim]):
        return _along_others(step)
    if len(dim) > 1:
        raise step.refuse([dim], "it changes the order along")
    keys = step.numbers("num_keys") or [1]
    for number in range(keys[0]):
        last = _last(step, number, _flag(step, "descending"))
        step.cleaned(number, [d % len(value.dims)], last)
    found = [Value(v.dims) for v in step.inputs] if step.name == "sort" else []
    return [*found, Value(value.dims, places=dim)]


def _last(step: Step, number: int, is_descending: bool) -> float | None:
    """Returns the element that no other one of an input follows in order."""
    if is_descending:
        return None
    # NaN is greater than all numbers.
    return math.nan if step.tensor(number).dtype.startswith(("f", "bf")) else math.inf


@rule("topk")
def _topk(step: Step) -> list[Value]:
    """Padding is chosen last: the order is stable."""
    value, [k] = step.inputs[0], step.numbers("k")
    d = (step.numbers("dim") or [-1])[0] % len(value.dims)
    dim = value.dims[d]
    if not varies([dim]):
        return _along_others(step)
    step.check_attributes()
    if len(dim) > 1:
        raise step.refuse([dim], "it changes the order along")
    step.needs([dim], k, f"it takes {k} elements, of which there may be fewer along")
    step.cleaned(0, [d], _last(step, 0, _flag(step, "largest", True)))
    dims = [
        own if i == d else old
        for i, (own, old) in enumerate(zip(plain(step)[0].dims, value.dims, strict=True))
    ]
    return [Value(tuple(dims))] * 2


@rule("reverse", "previous_equal")
def _along_others(step: Step) -> list[Value]:
    """Ops on whole rows along some dimensions, which have no padding."""
    value = step.inputs[0]
    step.check_attributes()
    name = "dimensions" if step.name == "reverse" else "dim"
    along = [value.dims[d] for d in step.numbers(name) or [-1]]
    if varies(along):
        raise step.refuse(along, "it changes the order along")
    found = []
    for result in plain(step):
        same = zip(value.dims, result.dims, strict=True)
        found.append(Value(tuple(a if varies([a]) else b for a, b in same)))
    return found


@rule(*_BATCHED)
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
    for result in plain(step):
        found.append(Value((value.dims[0], *result.dims[1:])))
    return found


@rule("convolution")
def _convolution(step: Step) -> list[Value]:
    """Any order of dimensions: only the batch may have padding."""
    value, weights = step.inputs[:2]
    batch, place = step.numbers("input_dims")[0], step.numbers("output_dims")[0]
    rest = [*(dim for i, dim in enumerate(value.dims) if i != batch), *weights.dims]
    if varies(rest):
        raise step.refuse(rest, "it reads neighbours along")
    if step.numbers("batch_groups") not in ([], [1]):
        return apart(step)
    step.check_attributes()
    dims = list(plain(step)[0].dims)
    dims[place] = value.dims[batch]
    return [Value(tuple(dims))]

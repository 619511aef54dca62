"""Reductions, products, data movement and creation of tensors: cases with references in JAX."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from math import prod
from typing import Any

import jax.numpy as jnp
import numpy as np
import op_sizes
from hypothesis import strategies as st
from jax import lax
from op_attributes import i64, si64
from op_formats import FLOATS, FORMATS, MOVED, Array, Shape, random, sprinkle
from op_oracle import evaluate
from op_program import (
    Case,
    Strategy,
    boolean,
    dense,
    edges,
    f32,
    generators,
    i32,
    i32_list,
    i64_list,
    least,
    or_none,
    products,
    shapes,
    si32,
)

NAN, INF = float("nan"), float("inf")


def moved(rng: np.random.Generator, shape: Shape, dtype: str) -> Array:
    """Elements of every kind, for ops that compute nothing."""
    array = random(rng, shape, dtype, -1000, 2**31)
    if FORMATS[dtype].is_float:
        array = sprinkle(rng, random(rng, shape, dtype, -9, 9), (NAN, INF, -INF))
    return array


def accumulated(terms: int, magnitude: Any) -> Any:
    """The error of a sum of ``terms`` in f32, whose absolute values add up to ``magnitude``."""
    return 2.0**-23 * np.sqrt(terms) * np.where(np.isfinite(magnitude), magnitude, 0)


def magnitude_of(reference: Callable[..., Any], inputs: Sequence[tuple[Array, str]]) -> Array:
    """What the absolute values of the inputs add up to."""
    return evaluate(reference, *(np.abs(array.astype(np.float64)) for array, _ in inputs))


def axis(draw: st.DrawFn, rank: int) -> int:
    return draw(st.integers(-rank, rank - 1))


def along(vector: Any, dim: int, rank: int) -> Any:
    """A vector as a tensor that broadcasts along a dimension."""
    return vector.reshape([-1 if i == dim else 1 for i in range(rank)])


# Reductions ---------------------------------------------------------------------------------------


def reduced(shape: Shape, dims: Sequence[int], keep: bool) -> Shape:
    axes = {d % len(shape) for d in dims}
    extents = [1 if i in axes else e for i, e in enumerate(shape) if keep or i not in axes]
    return tuple(extents) if edges() else tuple(extents) or (1,)


def with_extent(shape: Shape, dim: int, extent: int) -> Shape:
    """The shape with another extent of a dimension, which may count from the end."""
    return tuple(extent if d == dim % len(shape) else e for d, e in enumerate(shape))


@st.composite
def reduction(draw: st.DrawFn, name: str) -> Case:
    dtype = draw(st.sampled_from(("f32", "bf16") if edges() else ("f32", "bf16", "bfp8_b")))
    shape, rng = draw(shapes(scalars=True, empty=True)), draw(generators())
    keep, rank = draw(st.booleans()), len(shape)
    dims = draw(st.sets(st.integers(0, rank - 1)).map(sorted)) if rank else []
    dims = [d - rank if draw(st.booleans()) else d for d in dims]
    axes = tuple(d % rank for d in dims) or tuple(range(rank))
    count = prod(shape[a] for a in axes)
    # A product stays in the range of f32.
    around = 1 / np.sqrt(max(count, 1))
    low, high = (1 - around, 1 + around) if name == "prod" else (-4.0, 4.0)
    array = random(rng, shape, dtype, low, high)
    if not FORMATS[dtype].is_block and draw(st.booleans()):
        array = sprinkle(rng, array, (NAN, INF, -INF))
    function: Callable[..., Any] = {
        "sum": jnp.sum,
        "mean": jnp.mean,
        "max": partial(jnp.max, initial=-INF),
        "min": partial(jnp.min, initial=INF),
        "prod": jnp.prod,
    }[name]
    out = reduced(shape, axes, keep)
    wide = np.abs(array.astype(np.float64)).sum(axis=axes, keepdims=keep).reshape(out)
    slack: Any = 0.0
    if name in ("sum", "mean"):
        slack = accumulated(count, wide) / (max(count, 1) if name == "mean" else 1)
    # A block result with NaN or infinity in it holds nothing else.
    out_dtype = "bf16" if FORMATS[dtype].is_block else dtype
    attributes = {"keep_dim": boolean(keep)}
    if dims:
        attributes["dim_arg"] = i32_list(dims)
    return Case(
        name,
        [(array, dtype)],
        out,
        out_dtype,
        lambda x: function(x, axis=axes, keepdims=keep),
        attributes,
        2 + (count if name == "prod" else 0),
        slack,
    )


@st.composite
def argmax(draw: st.DrawFn) -> Case:
    dtype = draw(st.sampled_from(("f32", "bf16", "u16", "si32")))
    shape = draw(shapes(scalars=True, empty=True))
    rng, keep, rank = draw(generators()), draw(st.booleans()), len(shape)
    dim = draw(st.none() | st.integers(-rank, rank - 1)) if rank else None
    # There is a greatest element.
    chosen = range(rank) if dim is None else [dim % rank]
    shape = tuple(max(e, 1) if d in chosen else e for d, e in enumerate(shape))
    array = random(rng, shape, dtype, -20, 20)  # With equal maxima: the first counts.
    if FORMATS[dtype].is_float:
        array = sprinkle(rng, np.round(array), draw(st.sampled_from([(INF,), (NAN, INF), (-INF,)])))
    attributes = {"keep_dim": boolean(keep)}
    if dim is not None:
        attributes["dim_arg"] = i32_list([dim])
    axes = range(rank) if dim is None else [dim]
    return Case(
        "argmax",
        [(array, dtype)],
        reduced(shape, list(axes), keep),
        "u32",
        lambda x: jnp.argmax(x, axis=dim),
        attributes,
    )


@st.composite
def cumsum(draw: st.DrawFn) -> Case:
    dtype = draw(st.sampled_from(("f32", "bf16", "si32")))
    shape, rng = draw(shapes(empty=True)), draw(generators())
    dim = axis(draw, len(shape))
    array = random(rng, shape, dtype, -40, 40)
    magnitude = np.cumsum(np.abs(array.astype(np.float64)), axis=dim)
    return Case(
        "cumsum",
        [(array, dtype)],
        shape,
        dtype,
        lambda x: jnp.cumsum(x, axis=dim),
        {"dim": i64(dim)},
        2,
        accumulated(shape[dim], magnitude),
    )


# Products -----------------------------------------------------------------------------------------


@st.composite
def product(draw: st.DrawFn, name: str) -> Case:
    dtype = draw(st.sampled_from(("f32", "bf16") if edges() else FLOATS))
    outer = draw(shapes(1, 3, empty=True)) if draw(st.booleans()) else ()
    outer = tuple(min(extent, 3) for extent in outer)
    sizes = op_sizes.current()
    m, k, n = (draw(st.sampled_from(products())) for _ in range(3))
    *outer, m, k, n = op_sizes.bounded((*outer, m, k, n), sizes.multiplications)
    rng = draw(generators())
    transpose_a, transpose_b = draw(st.booleans()), draw(st.booleans())
    batch_a = tuple(1 if draw(st.booleans()) else e for e in outer)
    batch_b = tuple(
        e if a == 1 else draw(st.sampled_from((1, e))) for a, e in zip(batch_a, outer, strict=True)
    )
    outer = tuple(np.broadcast_shapes(batch_a, batch_b))
    a = random(rng, (*batch_a, *((k, m) if transpose_a else (m, k))), dtype)
    b = random(rng, (*batch_b, *((n, k) if transpose_b else (k, n))), dtype)
    inputs = [(a, dtype), (b, dtype)]
    if name == "linear" and draw(st.booleans()):
        bias = draw(st.sampled_from([(n,), (1, n), (m, n)]))
        inputs.append((random(rng, bias, dtype), dtype))

    def reference(a: Any, b: Any, *bias: Any) -> Any:
        left = jnp.swapaxes(a, -1, -2) if transpose_a else a
        right = jnp.swapaxes(b, -1, -2) if transpose_b else b
        return sum(bias, jnp.matmul(left, right))

    magnitude = magnitude_of(reference, inputs)
    attributes = {}
    if transpose_a or draw(st.booleans()):
        attributes["transpose_a"] = boolean(transpose_a)
    if transpose_b:
        attributes["transpose_b"] = boolean(transpose_b)
    return Case(
        name,
        inputs,
        (*outer, m, n),
        "bf16" if dtype == "bfp8_b" else dtype,
        reference,
        attributes,
        2,
        accumulated(k + 1, magnitude),
    )


# Movement -----------------------------------------------------------------------------------------


Build = Callable[[st.DrawFn, Shape], tuple[Shape, Callable[[Any], Any], dict[str, str]]]


def mover(build: Build) -> Callable[..., Strategy]:
    """Cases of an op that moves elements: ``build`` gives shape, reference and attributes."""

    @st.composite
    def cases(draw: st.DrawFn, name: str, min_rank: int = 1) -> Case:
        dtype, rng = draw(st.sampled_from(MOVED)), draw(generators())
        shape = draw(shapes(min_rank, scalars=min_rank < 2, empty=True))
        out, reference, attributes = build(draw, shape)
        return Case(name, [(moved(rng, shape, dtype), dtype)], out, dtype, reference, attributes)

    return cases


@mover
def transpose(draw: st.DrawFn, shape: Shape) -> Any:
    dims = axis(draw, len(shape)), axis(draw, len(shape))
    out = np.swapaxes(np.empty(shape), *dims).shape
    attributes = {"dim0": si32(dims[0]), "dim1": si32(dims[1])}
    return out, lambda x: jnp.swapaxes(x, *dims), attributes


@mover
def permute(draw: st.DrawFn, shape: Shape) -> Any:
    order = draw(st.permutations(range(len(shape))))
    out = tuple(shape[d] for d in order)
    return out, lambda x: jnp.transpose(x, order), {"permutation": dense(order)}


@mover
def reshape(draw: st.DrawFn, shape: Shape) -> Any:
    rest, out = prod(shape), []
    if edges() and rest == 1 and draw(st.booleans()):
        return (), lambda x: jnp.reshape(x, ()), {"shape": "[]"}
    while len(out) < 4 and rest > 1 and draw(st.booleans()):
        out.append(draw(st.sampled_from([d for d in range(1, rest + 1) if rest % d == 0])))
        rest //= out[-1]
    out.append(rest)
    stated = list(out)
    if draw(st.booleans()) and rest:
        stated[draw(st.integers(0, len(out) - 1))] = -1
    return tuple(out), lambda x: jnp.reshape(x, out), {"shape": i32_list(stated)}


@st.composite
def squeezed(draw: st.DrawFn, name: str) -> Case:
    """squeeze and unsqueeze, whose shapes mirror each other."""
    dtype, rng = draw(st.sampled_from(MOVED)), draw(generators())
    shape = draw(shapes(1, 4, scalars=True, empty=True))
    place = draw(st.integers(0, len(shape)))
    longer = (*shape[:place], 1, *shape[place:])
    dim = place - len(longer) if draw(st.booleans()) else place
    source, target = (longer, shape) if name == "squeeze" else (shape, longer)
    array = moved(rng, source, dtype)
    return Case(
        name, [(array, dtype)], target, dtype, lambda x: x.reshape(target), {"dim": si32(dim)}
    )


@mover
def slice_(draw: st.DrawFn, shape: Shape) -> Any:
    begins, ends, steps = [], [], []
    for extent in shape:
        begin = draw(st.integers(0, max(extent - 1, 0)))
        # An empty slice is one of the edges.
        end = draw(st.integers(begin + (not edges() and extent > 0), extent))
        begins.append(begin - extent if draw(st.booleans()) else begin)
        ends.append(end - extent if end < extent and draw(st.booleans()) else end)
        steps.append(draw(st.integers(1, 3)))
    place = tuple(slice(*of) for of in zip(begins, ends, steps, strict=True))
    attributes = {"begins": i32_list(begins), "ends": i32_list(ends), "step": i32_list(steps)}
    return np.empty(shape)[place].shape, lambda x: x[place], attributes


@mover
def repeat(draw: st.DrawFn, shape: Shape) -> Any:
    out, counts = list(shape), [1] * len(shape)
    for d, extent in enumerate(shape):
        count = draw(st.integers(1, 3))
        if op_sizes.fits([*out[:d], extent * count, *out[d + 1 :]]):
            out[d], counts[d] = extent * count, count
    return tuple(out), lambda x: jnp.tile(x, counts), {"repeat_dimensions": dense(counts)}


@mover
def broadcast(draw: st.DrawFn, shape: Shape) -> Any:
    out = list(shape)
    for d, extent in enumerate(shape):
        if extent == 1:
            wider = draw(st.sampled_from((1, 2, 33)))
            out[d] = wider if op_sizes.fits([*out[:d], wider, *out[d + 1 :]]) else 1
    return tuple(out), lambda x: jnp.broadcast_to(x, out), {"dimension": i64_list(range(len(out)))}


@st.composite
def pad(draw: st.DrawFn) -> Case:
    dtype, rng, shape = (
        draw(st.sampled_from(("f32", "bf16", "u16"))),
        draw(generators()),
        draw(shapes(scalars=True, empty=True)),
    )
    sides = [draw(st.integers(0, 4)) for _ in range(2 * len(shape))]
    padded = [e + low + high for e, low, high in zip(shape, sides[::2], sides[1::2], strict=True)]
    if not op_sizes.fits(padded):
        sides = [0] * len(sides)
    pairs = list(zip(sides[::2], sides[1::2], strict=True))
    value = draw(st.sampled_from((0.0, 1.0, 2.5, INF)) if dtype != "u16" else st.just(3.0))
    return Case(
        "pad",
        [(moved(rng, shape, dtype), dtype)],
        tuple(e + low + high for e, (low, high) in zip(shape, pairs, strict=True)),
        dtype,
        lambda x: jnp.pad(x, pairs, constant_values=value) if shape else x,
        {"padding": dense(sides, 32), "value": f32(value)},
    )


LAYOUTS = {
    "f32 on the host": ("f32 in DRAM", "f32 in L1", "f32 in tiles"),
    "f32 in tiles": ("f32 on the host", "f32 in DRAM", "f32 in L1"),
    "bf16 on the host": ("bf16 in tiles", "bfp8_b"),
}


@st.composite
def to_layout(draw: st.DrawFn) -> Case:
    source = draw(st.sampled_from(sorted(LAYOUTS)))
    target = draw(st.sampled_from(LAYOUTS[source]))
    rng, shape = draw(generators()), draw(shapes())
    array = random(rng, shape, source)
    return Case("to_layout", [(array, source)], shape, target, lambda x: x, has_constraints=False)


@st.composite
def concat(draw: st.DrawFn) -> Case:
    dtype, rng, shape = draw(st.sampled_from(MOVED)), draw(generators()), draw(shapes(empty=True))
    dim = axis(draw, len(shape))
    arrays = []
    for _ in range(draw(st.integers(1, 3))):
        extents = list(shape)
        extents[dim] = draw(st.sampled_from((0, 1, 33) if edges() else (1, 3, 32, 33)))
        whole = [*shape[:dim], 3 * extents[dim], *shape[dim + 1 :]]
        extents[dim] = extents[dim] if op_sizes.fits(whole) else 1
        arrays.append(moved(rng, tuple(extents), dtype))
    out = np.concatenate(arrays, axis=dim).shape
    return Case(
        "concat",
        [(a, dtype) for a in arrays],
        out,
        dtype,
        lambda *xs: jnp.concatenate(xs, axis=dim),
        {"dim": si32(dim)},
    )


@st.composite
def gather_without_indices(draw: st.DrawFn, dtype: str) -> Case:
    """Windows at the beginning of every dimension: the vectors of indices have no elements."""
    shape, rng = draw(shapes(max_rank=3, scalars=True, empty=True)), draw(generators())
    sizes = tuple(draw(st.integers(0, extent)) for extent in shape)
    places = draw(st.sampled_from(((), (0,), (3,), (2, 2))))
    collapsed = [d for d, size in enumerate(sizes) if size == 1 and draw(st.booleans())]
    kept = [size for d, size in enumerate(sizes) if d not in collapsed]
    offsets = list(range(len(places), len(places) + len(kept)))
    numbers = lax.GatherDimensionNumbers(tuple(offsets), tuple(collapsed), ())
    return Case(
        "gather",
        [(moved(rng, shape, dtype), dtype), (np.zeros((*places, 0), np.uint32), "u32")],
        (*places, *kept),
        dtype,
        lambda x, at: lax.gather(x, at, numbers, sizes),
        {
            "offset_dims": dense(offsets),
            "collapsed_slice_dims": dense(collapsed),
            "operand_batching_dims": dense([]),
            "start_indices_batching_dims": dense([]),
            "start_index_map": dense([]),
            "index_vector_dim": si64(len(places)),
            "slice_sizes": dense(sizes),
        },
    )


@st.composite
def gather(draw: st.DrawFn) -> Case:
    """One batch dimension, or none; slices of whole rows, or windows; the index vector anywhere."""
    dtype, rng = draw(st.sampled_from(MOVED)), draw(generators())
    if edges() and draw(st.booleans()):
        return draw(gather_without_indices(dtype))
    batched = draw(st.booleans())
    lead = (draw(st.integers(least(), 3)),) if batched else ()
    extents = or_none(*op_sizes.current().rows)
    extent, full_width = op_sizes.bounded([draw(st.sampled_from(extents)), 33])
    data = (*lead, extent, full_width)
    places = (*lead, draw(st.integers(least(), 5)))
    width = draw(st.sampled_from(or_none(full_width, 5)))
    collapse = extent > 0 and draw(st.booleans())
    rows = 1 if collapse else draw(st.integers(least(), min(4, extent)))
    first = len(lead)
    starts = rng.integers(0, extent - rows + 1, (*places, 1))
    vector_dim = draw(st.integers(0, len(places)))
    indices = np.moveaxis(starts, -1, vector_dim).astype(np.uint32)
    sizes = [1] * first + [rows, width]
    # The dimensions of a slice come last.
    kept = [width] if collapse else [rows, width]
    offsets = list(range(len(places), len(places) + len(kept)))
    collapsed = [first] if collapse else []
    batches = [0] if batched else []
    numbers = lax.GatherDimensionNumbers(
        offset_dims=tuple(offsets),
        collapsed_slice_dims=tuple(collapsed),
        start_index_map=(first,),
        operand_batching_dims=tuple(batches),
        start_indices_batching_dims=tuple(batches),
    )

    def reference(x: Any, at: Any) -> Any:
        return lax.gather(x, jnp.moveaxis(at, vector_dim, -1), numbers, tuple(sizes))

    # Where the batch lies in the indices, whose vector may stand in front of it.
    index_batches = [0 if vector_dim > 0 else 1] if batched else []
    return Case(
        "gather",
        [(moved(rng, data, dtype), dtype), (indices, "u32")],
        (*places, *kept),
        dtype,
        reference,
        {
            "offset_dims": dense(offsets),
            "collapsed_slice_dims": dense(collapsed),
            "operand_batching_dims": dense(batches),
            "start_indices_batching_dims": dense(index_batches),
            "start_index_map": dense([first]),
            "index_vector_dim": si64(vector_dim),
            "slice_sizes": dense(sizes),
        },
    )


# Creation -----------------------------------------------------------------------------------------


@st.composite
def arange(draw: st.DrawFn) -> Case:
    dtype = draw(st.sampled_from(("f32", "bf16", "u32", "si32")))
    start = draw(st.integers(0 if dtype == "u32" else -20, 20))
    step = draw(st.sampled_from((1, 3) if dtype == "u32" else (1, 3, -2)))
    count = draw(st.sampled_from(or_none(*op_sizes.current().inner)))
    end = start + step * count
    if step > 0 and count:
        end -= draw(st.integers(0, step - 1))
    shape = list(draw(shapes(empty=True)))
    dim = draw(st.integers(0, len(shape) - 1))
    shape[dim] = 1
    shape = list(op_sizes.bounded(shape, op_sizes.current().elements // max(count, 1)))
    shape[dim] = count
    column = [count if d == dim else 1 for d in range(len(shape))]
    return Case(
        "arange",
        [],
        tuple(shape),
        dtype,
        lambda: jnp.broadcast_to(jnp.arange(start, end, step).reshape(column), shape),
        {
            "start": si64(start),
            "end": si64(end),
            "step": si64(step),
            "arange_dimension": i64(dim),
        },
        has_destination=False,
    )


@st.composite
def full(draw: st.DrawFn) -> Case:
    dtype = draw(st.sampled_from(("f32", "bf16", "u32", "u16", "si32")))
    shape = draw(shapes(scalars=True, empty=True))
    is_float = FORMATS[dtype].is_float
    value = draw(
        st.sampled_from((0.0, 0.3, -2.5, INF)) if is_float else st.sampled_from((0, 7, 300))
    )
    attributes = {"fill_value": f32(value) if is_float else i32(value), "shape": dense(shape, 32)}
    return Case(
        "full",
        [],
        shape,
        dtype,
        lambda: jnp.full(shape, np.float32(value) if is_float else value),
        attributes,
        has_destination=False,
    )


def elements(array: Array, dtype: str) -> str:
    """``dense`` elements of any value, as their bytes."""
    return f'dense<"0x{array.tobytes().hex().upper()}"> : {FORMATS[dtype].type(array.shape)}'


@st.composite
def constant(draw: st.DrawFn, name: str) -> Case:
    dtype, rng = draw(st.sampled_from(MOVED)), draw(generators())
    shape = draw(shapes(1, 4, scalars=True, empty=True))
    # Its elements stand in the text of the program.
    shape = op_sizes.bounded(shape, 1 << 16)
    array = moved(rng, shape, dtype)
    if draw(st.booleans()) and array.size:
        array = np.full_like(array, array.flat[0])
    return Case(
        name,
        [],
        shape,
        dtype,
        lambda: array.astype(np.float64),
        {"value": elements(array, dtype)},
        has_destination=name == "fill",
    )


CASES: dict[str, Strategy] = {
    **{name: reduction(name) for name in ("sum", "mean", "max", "min", "prod")},
    "argmax": argmax(),
    "cumsum": cumsum(),
    "matmul": product("matmul"),
    "linear": product("linear"),
    "transpose": transpose("transpose", min_rank=2),
    "permute": permute("permute"),
    "reshape": reshape("reshape"),
    "squeeze": squeezed("squeeze"),
    "unsqueeze": squeezed("unsqueeze"),
    "slice": slice_("slice"),
    "repeat": repeat("repeat"),
    "broadcast": broadcast("broadcast"),
    "pad": pad(),
    "concat": concat(),
    "to_layout": to_layout(),
    "gather": gather(),
    "arange": arange(),
    "full": full(),
    "fill": constant("fill"),
    "constant": constant("constant"),
}

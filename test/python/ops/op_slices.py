"""Slices at computed places, and tensors with rows picked or repeated: cases with references
in JAX and NumPy."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np
import op_sizes
from hypothesis import strategies as st
from jax import lax
from op_attributes import ui32
from op_formats import FORMATS, MOVED, random
from op_program import (
    Case,
    Strategy,
    boolean,
    dense,
    generators,
    i32,
    i32_list,
    least,
    or_none,
    shapes,
    si32,
)
from op_tensors import axis, moved, with_extent


def stretch(draw: st.DrawFn, extent: int, fewest: int) -> tuple[int, int, int, int]:
    """Begin, step, count and end of a slice of a dimension."""
    begin, step = draw(st.integers(0, max(extent - 1, 0))), draw(st.integers(1, 3))
    count = draw(st.integers(fewest, (extent - begin - 1) // step + 1))
    return begin, step, count, begin + max((count - 1) * step + 1, 0)


@st.composite
def dynamic_slice(draw: st.DrawFn, name: str) -> Case:
    """A window at a computed place, which is read or, by ``dynamic_update_slice``, written."""
    dtype, rng = draw(st.sampled_from(MOVED)), draw(generators())
    shape = draw(shapes(scalars=True, empty=True))
    sizes = tuple(draw(st.integers(least(), extent)) for extent in shape)
    starts = np.array([rng.integers(-2, e + 2) for e in shape], np.int32)
    at = np.maximum(starts, 0).tolist()
    inputs = [(moved(rng, shape, dtype), dtype)]
    if name == "dynamic_slice":
        inputs.append((starts, "si32"))
        attributes = {"slice_sizes": dense(sizes)}
        return Case(
            name, inputs, sizes, dtype, lambda x, _: lax.dynamic_slice(x, at, sizes), attributes
        )
    inputs += [(moved(rng, sizes, dtype), dtype), (starts, "si32")]
    return Case(name, inputs, shape, dtype, lambda x, y, _: lax.dynamic_update_slice(x, y, at))


@st.composite
def update_slice(draw: st.DrawFn) -> Case:
    """At places of which some are computed, inside of the input and outside."""
    dtype, rng = draw(st.sampled_from(MOVED)), draw(generators())
    lead = tuple(draw(st.lists(st.integers(1, 3), max_size=2)))
    rows, width = draw(st.sampled_from(or_none(1, 5, 32, 70))), (1, 3, 32, 40, 70)
    shape = (*lead, rows, draw(st.sampled_from(or_none(*width))))
    sizes = tuple(draw(st.integers(min(least(), extent), extent)) for extent in shape)
    dims = draw(st.permutations(range(len(shape))))[: draw(st.integers(0, len(shape)))]
    clamp, kind = draw(st.booleans()), draw(st.sampled_from(("si32", "u32", "u16")))
    starts = [int(rng.integers(0 if d in dims else -1, e + 1)) for d, e in enumerate(shape)]
    index = np.array([rng.integers(-2 if kind == "si32" else 0, shape[d] + 2) for d in dims])
    places = np.array(starts)
    for i, dim in enumerate(dims):
        places[dim] += index[i]
    last = np.array(shape) - sizes
    is_left_out = not clamp and bool((places < 0).any() or (places > last).any())
    at = [int(i) for i in np.clip(places, 0, last)]
    inputs = [(moved(rng, shape, dtype), dtype), (moved(rng, sizes, dtype), dtype)]
    if dims:
        inputs.append((index.astype(FORMATS[kind].host), kind))
    return Case(
        "update_slice",
        inputs,
        shape,
        dtype,
        lambda x, y, *_: x if is_left_out else lax.dynamic_update_slice(x, y, at),
        {
            "starts": dense(starts),
            "dims": dense(dims),
            "clamp": boolean(clamp),
        },
    )


@st.composite
def update_slices(draw: st.DrawFn) -> Case:
    """Several, each where its row of the index says."""
    dtype, rng = draw(st.sampled_from(MOVED)), draw(generators())
    count, each = draw(st.integers(1, 4)), draw(st.integers(1, 2))
    rank = draw(st.integers(2, 4))
    middle = tuple(draw(st.integers(1, 3)) for _ in range(rank - 3))
    rows = (draw(st.sampled_from((1, 5, 32, 70))),) if rank > 2 else ()
    shape = (count * each + draw(st.integers(0, 2)), *middle, *rows, draw(st.integers(1, 40)))
    sizes = (each, *(draw(st.integers(1, extent)) for extent in shape[1:]))
    dims = draw(st.permutations(range(rank)))[: draw(st.integers(1, rank))]
    clamp, kind = draw(st.booleans()), draw(st.sampled_from(("si32", "u32")))
    lowest = -2 if kind == "si32" else 0
    index = np.array([[rng.integers(lowest, shape[d] + 2) for d in dims] for _ in range(count)])
    last = np.array(shape) - sizes

    def reference(x: Any, y: Any, *_: Any) -> Any:
        for i in range(count):
            places = np.zeros(rank, int)
            places[0] = 0 if 0 in dims else i * each
            places[list(dims)] = index[i]
            if clamp or not ((places < 0).any() or (places > last).any()):
                at = [int(p) for p in np.clip(places, 0, last)]
                x = lax.dynamic_update_slice(x, y[i * each : (i + 1) * each], at)
        return x

    return Case(
        "update_slice",
        [
            (moved(rng, shape, dtype), dtype),
            (moved(rng, (count * each, *sizes[1:]), dtype), dtype),
            (index.astype(FORMATS[kind].host), kind),
        ],
        shape,
        dtype,
        reference,
        {"starts": dense([0] * rank), "dims": dense(dims), "clamp": boolean(clamp)},
    )


@st.composite
def slice_dynamic(draw: st.DrawFn) -> Case:
    dtype, rng = draw(st.sampled_from(MOVED)), draw(generators())
    shape = draw(shapes(scalars=True, empty=True))
    stretches = [stretch(draw, extent, least()) for extent in shape]
    begins, steps, out, ends = ([s[i] for s in stretches] for i in range(4))
    place = tuple(slice(b, e, s) for b, e, s in zip(begins, ends, steps, strict=True))
    given = [b - e if draw(st.booleans()) else b for b, e in zip(begins, shape, strict=True)]
    attributes = {"shape": dense(out)}
    if any(step > 1 for step in steps) or draw(st.booleans()):
        attributes["step"] = i32_list(steps)
    return Case(
        "slice_dynamic",
        [
            (moved(rng, shape, dtype), dtype),
            (np.array(given, np.int32), "si32"),
            (np.array(ends, np.int32), "si32"),
        ],
        tuple(out),
        dtype,
        lambda x, *_: x[place],
        attributes,
    )


@st.composite
def index(draw: st.DrawFn, name: str) -> Case:
    dtype, shape, rng = draw(st.sampled_from(MOVED)), draw(shapes(empty=True)), draw(generators())
    dim = axis(draw, len(shape))
    if name == "index_select":
        # There is an element.
        shape = with_extent(shape, dim, max(shape[dim], 1))
    extent = shape[dim]
    begin, step, count, end = stretch(draw, extent, least() if name == "index" else 1)
    first = begin - extent if draw(st.booleans()) else begin
    if name == "index":
        attributes = {"dim": i32(dim), "begin": i32(first), "end": i32(end), "step": i32(step)}
    else:
        attributes = {
            "dim": si32(dim),
            "begin": si32(first),
            "length": si32(count),
            "stride": si32(step),
        }
    return Case(
        name,
        [(moved(rng, shape, dtype), dtype)],
        with_extent(shape, dim, count),
        dtype,
        lambda x: lax.slice_in_dim(x, begin, end, step, dim % len(shape)),
        attributes,
    )


@st.composite
def repeat_interleave(draw: st.DrawFn) -> Case:
    dtype, shape, rng = draw(st.sampled_from(MOVED)), draw(shapes(empty=True)), draw(generators())
    dim, repeats = axis(draw, len(shape)), draw(st.integers(1, 3))
    if not op_sizes.fits(with_extent(shape, dim, shape[dim] * repeats)):
        repeats = 1
    return Case(
        "repeat_interleave",
        [(moved(rng, shape, dtype), dtype)],
        with_extent(shape, dim, shape[dim] * repeats),
        dtype,
        lambda x: jnp.repeat(x, repeats, axis=dim),
        {"repeats": ui32(repeats), "dim": si32(dim)},
    )


@st.composite
def reverse(draw: st.DrawFn) -> Case:
    dtype, rng = draw(st.sampled_from(MOVED)), draw(generators())
    shape = draw(shapes(scalars=True, empty=True))
    dims = draw(st.sets(st.integers(0, len(shape) - 1)).map(sorted)) if shape else []
    return Case(
        "reverse",
        [(moved(rng, shape, dtype), dtype)],
        shape,
        dtype,
        lambda x: lax.rev(x, dims),
        {"dimensions": dense(dims)},
    )


@st.composite
def get_dimension_size(draw: st.DrawFn) -> Case:
    shape, rng = draw(shapes(empty=True)), draw(generators())
    dim = draw(st.integers(0, len(shape) - 1))
    return Case(
        "get_dimension_size",
        [(random(rng, shape, "f32"), "f32")],
        (1,),
        "u32",
        lambda _: jnp.array(shape[dim]),
        {"dimension": i32(dim)},
    )


CASES: dict[str, Strategy] = {
    **{name: dynamic_slice(name) for name in ("dynamic_slice", "dynamic_update_slice")},
    "update_slice": update_slice() | update_slices(),
    "slice_dynamic": slice_dynamic(),
    "index": index("index"),
    "index_select": index("index_select"),
    "repeat_interleave": repeat_interleave(),
    "reverse": reverse(),
    "get_dimension_size": get_dimension_size(),
}

"""Orders, scatters and random numbers: cases with references in JAX, PyTorch and NumPy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import op_sizes
from hypothesis import strategies as st
from jax import lax
from op_attributes import i64, si64, text, ui32
from op_formats import FORMATS, MOVED, Array, Shape, random, sprinkle
from op_program import (
    Case,
    Strategy,
    boolean,
    dense,
    edges,
    f32,
    generators,
    i32,
    least,
    or_none,
    shapes,
    si32,
)
from op_tensors import along, axis, moved, with_extent

NAN, INF = float("nan"), float("inf")

#: Formats that are sorted and combined.
KEYS = ("f32", "bf16", "u32", "u16", "u8", "si32", "si16", "si8")
REDUCTIONS = ("sum", "prod", "max", "min", "invalid")


def reduce_type(name: str) -> str:
    return f"#tt.reduce_type<{name}>"


def keys(rng: np.random.Generator, shape: Shape, dtype: str) -> Array:
    """Elements of which many are equal, and among them those that orders are particular about."""
    if not FORMATS[dtype].is_float:
        bounds = np.iinfo(FORMATS[dtype].host)
        values = np.array([bounds.min, bounds.max, 0, 1, 2, 3, bounds.max // 2 + 1])
        return rng.choice(values, shape).astype(FORMATS[dtype].host)
    array = np.round(random(rng, shape, dtype, -9, 9).astype(np.float64) * 2) / 2
    return sprinkle(rng, array.astype(FORMATS[dtype].host), (NAN, INF, -INF, -0.0, 0.0))


# Scans --------------------------------------------------------------------------------------------


@st.composite
def running_product(draw: st.DrawFn) -> Case:
    dtype = draw(st.sampled_from(("f32", "bf16", "si32")))
    shape, rng = draw(shapes(empty=True)), draw(generators())
    dim = axis(draw, len(shape))
    limits = (-1, 1) if dtype == "si32" else (0.9, 1.1)
    array = random(rng, shape, dtype, *limits)
    # Each product rounds once more.
    slack = shape[dim] * 2.0**-23 * np.abs(np.cumprod(array.astype(np.float64), axis=dim))
    return Case(
        "cumprod",
        [(array, dtype)],
        shape,
        dtype,
        lambda x: jnp.cumprod(x, axis=dim),
        {"dim": i64(dim)},
        2,
        slack,
    )


@st.composite
def running_extreme(draw: st.DrawFn, name: str) -> Case:
    dtype = draw(st.sampled_from(KEYS))
    shape, rng = draw(shapes(empty=True)), draw(generators())
    dim = axis(draw, len(shape))
    function = lax.cummax if name == "cummax" else lax.cummin
    return Case(
        name,
        [(keys(rng, shape, dtype), dtype)],
        shape,
        dtype,
        lambda x: function(x, axis=dim % len(shape)),
        {"dim": i64(dim)},
    )


# Orders -------------------------------------------------------------------------------------------


def places_in_order(x: Any, dim: int, descending: bool) -> Any:
    """The places of a stable sort; NaNs are the greatest."""
    if not descending:
        return jnp.argsort(x, axis=dim, stable=True)
    # From behind, so that equal elements keep their order when it is reversed.
    backwards = jnp.argsort(jnp.flip(x, dim), axis=dim, stable=True)
    return x.shape[dim] - 1 - jnp.flip(backwards, dim)


@st.composite
def argsort(draw: st.DrawFn) -> Case:
    dtype, shape, rng = draw(st.sampled_from(KEYS)), draw(shapes(empty=True)), draw(generators())
    dim, descending = axis(draw, len(shape)), draw(st.booleans())
    return Case(
        "argsort",
        [(keys(rng, shape, dtype), dtype)],
        shape,
        draw(st.sampled_from(("u32", "si32", "u16"))),
        lambda x: places_in_order(x, dim, descending),
        {"dim": i64(dim), "descending": boolean(descending)},
    )


@st.composite
def sort(draw: st.DrawFn) -> Case:
    shape, rng = draw(shapes(max_rank=3, empty=True)), draw(generators())
    dim, descending = axis(draw, len(shape)), draw(st.booleans())
    dtypes = [draw(st.sampled_from(KEYS)) for _ in range(draw(st.integers(1, 3)))]
    count = draw(st.integers(1, len(dtypes)))
    inputs = [(keys(rng, shape, dtype), dtype) for dtype in dtypes]
    results = [*((shape, dtype) for dtype in dtypes), (shape, "si32")]
    pick = draw(st.integers(0, len(dtypes)))

    def reference(*xs: Any) -> Any:
        places = along(jnp.arange(shape[dim]), dim % len(shape), len(shape))
        order = jnp.broadcast_to(places, shape)
        for x in reversed(xs[:count]):
            moved_key = jnp.take_along_axis(x, order, axis=dim)
            order = jnp.take_along_axis(
                order, places_in_order(moved_key, dim, descending), axis=dim
            )
        return jnp.take_along_axis([*xs, None][pick], order, axis=dim) if pick < len(xs) else order

    return Case(
        "sort",
        inputs,
        shape,
        results[pick][1],
        reference,
        {
            "dim": si32(dim),
            "descending": boolean(descending),
            "stable": boolean(draw(st.booleans())),
            "num_keys": i32(count),
        },
        segments=(len(inputs), len(results)),
        results=results,
        picked=pick,
    )


@st.composite
def topk(draw: st.DrawFn) -> Case:
    dtype, rng = draw(st.sampled_from(KEYS)), draw(generators())
    shape = draw(shapes(max_rank=3, empty=True))
    dim, largest = axis(draw, len(shape)), draw(st.booleans())
    # There is an element.
    shape = with_extent(shape, dim, max(shape[dim], 1))
    k, pick = draw(st.integers(1, shape[dim])), draw(st.integers(0, 1))
    out = with_extent(shape, dim, k)

    def reference(x: Any) -> Any:
        order = lax.slice_in_dim(places_in_order(x, dim, largest), 0, k, axis=dim)
        return jnp.take_along_axis(x, order, axis=dim) if pick == 0 else order

    return Case(
        "topk",
        [(keys(rng, shape, dtype), dtype)],
        out,
        (dtype, "u32")[pick],
        reference,
        {
            "k": i32(k),
            "dim": i32(dim),
            "largest": boolean(largest),
            "sorted": boolean(draw(st.booleans())),
        },
        results=[(out, dtype), (out, "u32")],
        picked=pick,
    )


@st.composite
def previous_equal(draw: st.DrawFn) -> Case:
    dtype, rng = draw(st.sampled_from(("u32", "si32", "u16"))), draw(generators())
    count, limit = (
        draw(st.sampled_from(or_none(1, 7, 33, 1500))),
        draw(st.sampled_from((1, 5, 40, 1000))),
    )
    array = rng.integers(0 if dtype[0] == "u" else -3, limit + 3, count)
    array = array.astype(FORMATS[dtype].host)
    last: dict[int, int] = {}
    expected = np.arange(count)
    for place, number in enumerate(array.tolist()):
        if 0 <= number < limit:
            expected[place] = last.get(number, place)
            last[number] = place
    return Case(
        "previous_equal",
        [(array, dtype)],
        (count,),
        "u32",
        lambda _: expected,
        {"limit": i64(limit)},
    )


# Gathers and scatters -----------------------------------------------------------------------------


@st.composite
def gather_dim(draw: st.DrawFn) -> Case:
    dtype, rng = draw(st.sampled_from(MOVED)), draw(generators())
    shape = draw(shapes(max_rank=3, scalars=True, empty=True))
    if not shape:
        # A scalar has the dimension 0 or -1, of extent 1.
        index = np.array(rng.integers(-2, 3), np.int32)
        inputs = [(moved(rng, shape, dtype), dtype), (index, "si32")]
        dim = draw(st.integers(-1, 0))
        return Case("gather_dim", inputs, shape, dtype, lambda x, _: x, {"dim": i32(dim)})
    dim = axis(draw, len(shape))
    extents = [draw(st.integers(least(), extent)) for extent in shape]
    extents[dim] = draw(st.sampled_from(or_none(1, 5, 33))) if shape[dim] else 0
    out = op_sizes.bounded(extents)
    index = rng.integers(-2, shape[dim] + 2, out).astype(np.int32)
    part = tuple(slice(None) if d == dim % len(shape) else slice(0, e) for d, e in enumerate(out))

    def reference(x: Any, at: Any) -> Any:
        return jnp.take_along_axis(x[part], jnp.clip(at, 0, shape[dim] - 1), axis=dim)

    return Case(
        "gather_dim",
        [(moved(rng, shape, dtype), dtype), (index, "si32")],
        out,
        dtype,
        reference,
        {"dim": i32(dim)},
    )


def combined(
    name: str, table: Array, changes: list[tuple[Any, Array]], dtype: str
) -> tuple[Array, Array]:
    """A table after changes in their order, and how much their order may matter."""
    wide = np.array(table.astype(np.float64 if FORMATS[dtype].is_float else np.int64))
    magnitude, counts = np.asarray(np.abs(wide.astype(np.float64))), np.ones(wide.shape)
    functions: dict[str, Callable[..., Any]] = {
        "sum": np.add,
        "prod": np.multiply,
        "max": np.maximum,
        "min": np.minimum,
        "invalid": lambda _, x: x,
    }
    for place, update in changes:
        wide[place] = functions[name](wide[place], update.astype(wide.dtype))
        counts[place] += 1
        size = np.abs(update.astype(np.float64))
        magnitude[place] = magnitude[place] * size if name == "prod" else magnitude[place] + size
    slack = 2.0**-22 * counts * magnitude if name in ("sum", "prod") else np.zeros(wide.shape)
    return wide, slack


def to_combine(rng: np.random.Generator, shape: Shape, dtype: str, name: str) -> Array:
    limits = (0.8, 1.2) if name == "prod" and FORMATS[dtype].is_float else (-2, 2)
    return random(rng, shape, dtype, *limits)


@st.composite
def scatter_rows(draw: st.DrawFn) -> Case:
    dtype, rng = draw(st.sampled_from(("f32", "bf16", "si32", "u32"))), draw(generators())
    name = draw(st.sampled_from(REDUCTIONS))
    rows = draw(st.sampled_from(or_none(1, 5, 70)))
    cols = draw(st.sampled_from(or_none(1, 3, 32, 130)))
    count = draw(st.sampled_from(or_none(1, 9, 40)))
    table = to_combine(rng, (rows, cols), dtype, name)
    updates = to_combine(rng, (count, cols), dtype, name)
    kind = draw(st.sampled_from(("si32", "u32", "u16")))
    indices = rng.integers(-2 if kind == "si32" else 0, rows + 2, count)
    changes = [(int(i), updates[n]) for n, i in enumerate(indices) if 0 <= i < rows]
    expected, slack = combined(name, table, changes, dtype)
    return Case(
        "scatter_rows",
        [(table, dtype), (indices.astype(FORMATS[kind].host), kind), (updates, dtype)],
        (rows, cols),
        dtype,
        lambda *_: expected,
        {"reduce_type": reduce_type(name)},
        2,
        slack,
    )


@st.composite
def scatter_dim(draw: st.DrawFn) -> Case:
    dtype, rng = draw(st.sampled_from(("f32", "bf16", "si32"))), draw(generators())
    name = draw(st.sampled_from(REDUCTIONS))
    drawn = tuple(min(e, 40) for e in draw(shapes(max_rank=3, scalars=True, empty=True)))
    # A scalar has the dimension 0 or -1, of extent 1.
    shape = drawn or (1,)
    dim = axis(draw, len(shape))
    extents = [draw(st.integers(least() if drawn else 1, extent)) for extent in shape]
    if drawn:
        extents[dim] = draw(st.sampled_from(or_none(1, 5, 20)))
    places = op_sizes.bounded(extents, 1 << 10)
    source_shape = tuple(e + draw(st.integers(0, int(drawn != ()))) for e in places)
    table = to_combine(rng, shape, dtype, name)
    source = to_combine(rng, source_shape, dtype, name)
    index = rng.integers(-2, shape[dim] + 2, places).astype(np.int32)
    changes = []
    for at in np.ndindex(*places):
        target = list(at)
        target[dim] = int(index[at])
        if 0 <= target[dim] < shape[dim]:
            changes.append((tuple(target), source[at]))
    expected, slack = combined(name, table, changes, dtype)
    return Case(
        "scatter_dim",
        [
            (table.reshape(drawn), dtype),
            (index if drawn else index.reshape(()), "si32"),
            (source if drawn else source.reshape(()), dtype),
        ],
        drawn,
        dtype,
        lambda *_: expected,
        {"dim": i32(dim), "reduce_type": reduce_type(name)},
        2,
        slack.reshape(drawn),
    )


SCATTER_DIMS = (
    "update_window_dims",
    "inserted_window_dims",
    "input_batching_dims",
    "scatter_indices_batching_dims",
    "scatter_dims_to_operand_dims",
)


@st.composite
def scatter_into_a_scalar(draw: st.DrawFn, dtype: str, name: str) -> Case:
    """The vectors of indices have no elements: every update is for the one place."""
    rng, windows = draw(generators()), draw(st.sampled_from(((), (0,), (1,), (5,), (2, 3))))
    table, updates = (to_combine(rng, shape, dtype, name) for shape in ((), windows))
    changes = [((), updates[at]) for at in np.ndindex(*windows)]
    expected, slack = combined(name, table, changes, dtype)
    return Case(
        "scatter",
        [(table, dtype), (np.zeros((*windows, 0), np.int32), "si32"), (updates, dtype)],
        (),
        dtype,
        lambda *_: expected,
        {
            **dict.fromkeys(SCATTER_DIMS, dense([])),
            "index_vector_dim": si64(len(windows)),
            "reduce_type": reduce_type(name),
        },
        2,
        slack,
    )


@st.composite
def scatter(draw: st.DrawFn) -> Case:
    """A batch or none; windows with dimensions of extent 1 or without them, at one or two indices;
    the vector anywhere, windows that leave the input among them."""
    dtype, rng = draw(st.sampled_from(("f32", "bf16", "si32"))), draw(generators())
    name = draw(st.sampled_from(REDUCTIONS))
    if edges() and draw(st.booleans()):
        return draw(scatter_into_a_scalar(dtype, name))
    batched, inserts = draw(st.booleans()), draw(st.booleans())
    batch = (draw(st.integers(least(), 3)),) if batched else ()
    extents = (
        draw(st.sampled_from((1, 6, 33) if inserts else or_none(1, 6, 33))),
        draw(st.sampled_from(or_none(1, 5, 32))),
    )
    shape = (*batch, *extents)
    first = len(batch)
    choices = ([first], [first + 1], [first + 1, first], [])
    scattered = draw(st.sampled_from(choices if edges() else choices[:3]))
    windows = (*batch, draw(st.sampled_from(or_none(1, 7))))
    window = [draw(st.integers(least(), e)) for e in extents]
    if draw(st.booleans()):
        window[1] = extents[1]
    if inserts:
        window[0] = 1
    starts = np.zeros((*windows, len(scattered)), np.int64)
    for i, d in enumerate(scattered):
        starts[..., i] = rng.integers(-1, shape[d] - window[d - first] + 2, windows)
    vector_dim = draw(st.integers(0, len(windows)))
    indices = np.moveaxis(starts, -1, vector_dim).astype(np.int32)
    kept = window[1:] if inserts else window
    updates_shape = (*windows, *kept)
    # The dimensions of the windows in front, or behind.
    order = list(range(len(updates_shape)))
    if draw(st.booleans()):
        order = order[len(windows) :] + order[: len(windows)]
    window_dims = [order.index(d) for d in range(len(windows), len(updates_shape))]
    table = to_combine(rng, shape, dtype, name)
    updates = to_combine(rng, updates_shape, dtype, name)
    changes = []
    for at in np.ndindex(*windows):
        begin = [0] * 2
        for d, start in zip(scattered, starts[at], strict=True):
            begin[d - first] = int(start)
        inside = all(0 <= b <= e - w for b, e, w in zip(begin, extents, window, strict=True))
        if inside:
            place = tuple(slice(b, b + w) for b, w in zip(begin, window, strict=True))
            changes.append(((*at[:first], *place), updates[at].reshape(window)))
    expected, slack = combined(name, table, changes, dtype)
    batch_dim = [0 if vector_dim > 0 else 1] if batched else []
    dims = (window_dims, [first] * inserts, [0] * batched, batch_dim, scattered)
    return Case(
        "scatter",
        [(table, dtype), (indices, "si32"), (np.transpose(updates, order), dtype)],
        shape,
        dtype,
        lambda *_: expected,
        {
            **{key: dense(value) for key, value in zip(SCATTER_DIMS, dims, strict=True)},
            "index_vector_dim": si64(vector_dim),
            "reduce_type": reduce_type(name),
        },
        2,
        slack,
    )


# Bits and random numbers --------------------------------------------------------------------------


@st.composite
def bitcast_convert(draw: st.DrawFn) -> Case:
    pairs = (("f32", "u32"), ("u32", "f32"), ("si32", "u32"), ("bf16", "u16"), ("u16", "bf16"))
    source, target = draw(st.sampled_from(pairs))
    shape, rng = draw(shapes(scalars=True, empty=True)), draw(generators())
    array = random(rng, shape, source, 0, 30000)
    expected = array.view(FORMATS[target].host)
    return Case(
        "bitcast_convert",
        [(array, source)],
        shape,
        target,
        lambda _: expected.astype(np.float64) if FORMATS[target].is_float else expected,
    )


@st.composite
def threefry(draw: st.DrawFn) -> Case:
    from jax.extend.random import threefry_2x32

    shape, rng = draw(shapes(max_rank=3, scalars=True, empty=True)), draw(generators())
    key = rng.integers(0, 2**32, 2, np.uint32)
    counts = rng.integers(0, 2**32, shape, np.uint32)

    def reference(*_: Any) -> Any:
        return np.asarray(threefry_2x32((key[0], key[1]), jnp.asarray(counts.ravel())))

    return Case("threefry2x32", [(key, "u32"), (counts, "u32")], shape, "u32", reference, {})


@st.composite
def rng_bits(draw: st.DrawFn) -> Case:
    rng, shape = draw(generators()), draw(shapes(max_rank=3, scalars=True, empty=True))
    philox = draw(st.booleans())
    state = rng.integers(0, 2**32, 4, np.uint32)
    # A counter that carries.
    state[2] = draw(st.sampled_from((0, 5, 2**32 - 2)))
    pick = draw(st.integers(0, 1))
    algorithm = lax.RandomAlgorithm.RNG_PHILOX if philox else lax.RandomAlgorithm.RNG_THREE_FRY

    def reference(_: Any) -> Any:
        results = lax.rng_bit_generator(
            jnp.asarray(state), shape, dtype=np.uint32, algorithm=algorithm
        )
        return np.asarray(results[pick])

    return Case(
        "rng_bit_generator",
        [(state, "u32")],
        ((4,), shape)[pick],
        "u32",
        reference,
        {"algorithm": text("philox" if philox else "three_fry"), "shape": dense(shape)},
        results=[((4,), "u32"), (shape, "u32")],
        picked=pick,
    )


def uniform(shape: Shape, low: float, high: float, seed: int) -> Array:
    """The reference's numbers, drawn in 32 bits."""
    with jax.experimental.disable_x64():
        key = jax.random.key(seed)
        return np.asarray(jax.random.uniform(key, shape, jnp.float32, low, high))


@st.composite
def rand(draw: st.DrawFn) -> Case:
    shape = draw(shapes(scalars=True, empty=True))
    seed = draw(st.sampled_from((0, 7, 2**32 - 1)))
    low, high = draw(st.sampled_from(((0.0, 1.0), (-1.0, 1.0), (2.0, 5.5))))
    return Case(
        "rand",
        [],
        shape,
        draw(st.sampled_from(("f32", "bf16"))),
        lambda: uniform(shape, low, high, seed).astype(np.float64),
        {"shape": dense(shape), "low": f32(low), "high": f32(high), "seed": ui32(seed)},
        2,
    )


@st.composite
def dropout(draw: st.DrawFn) -> Case:
    shape, seed = draw(shapes(scalars=True, empty=True)), draw(st.sampled_from((0, 7)))
    dtype, rng = draw(st.sampled_from(("f32", "bf16"))), draw(generators())
    prob, scale = draw(st.sampled_from((0.0, 0.3, 1.0))), draw(st.sampled_from((1.0, 2.0)))

    def reference(x: Any) -> Any:
        stays = uniform(shape, 0.0, 1.0, seed) >= np.float32(prob)
        return np.where(stays, scale * np.asarray(x), 0)

    return Case(
        "dropout",
        [(random(rng, shape, dtype), dtype)],
        shape,
        dtype,
        reference,
        {"prob": f32(prob), "scale": f32(scale), "seed": ui32(seed)},
        2,
    )


@st.composite
def sampling(draw: st.DrawFn) -> Case:
    rng, seed = draw(generators()), draw(st.sampled_from((0, 7)))
    rows, columns = draw(st.sampled_from(or_none(1, 5, 33))), draw(st.sampled_from((1, 7, 64)))
    values = rng.uniform(-4, 4, (rows, columns)).astype(np.float32)
    indices = rng.integers(0, 50000, (rows, columns)).astype(np.int32)
    k = rng.integers(1, columns + 1, rows).astype(np.int32)
    p = rng.choice(np.array([0.0, 0.3, 0.9, 1.0], np.float32), rows)
    temp = rng.choice(np.array([0.5, 1.0, 2.0], np.float32), rows)
    chance = uniform((rows,), 0.0, 1.0, seed)

    def reference(*_: Any) -> Any:
        drawn = []
        for row in range(rows):
            logits = values[row].astype(np.float64) / temp[row]
            order = np.argsort(-logits, kind="stable")[: k[row]]
            weights = np.exp(logits[order] - logits[order[0]])
            weights /= weights.sum()
            stays = np.cumsum(weights) - weights < p[row]
            stays[0] = True
            reached = np.cumsum(np.where(stays, weights, 0))
            place = int(np.sum(reached <= chance[row] * reached[-1]))
            drawn.append(indices[row, order[place]])
        return np.array(drawn)

    return Case(
        "sampling",
        [(values, "f32"), (indices, "si32"), (k, "si32"), (p, "f32"), (temp, "f32")],
        (rows,),
        "si32",
        reference,
        {"seed": ui32(seed)},
    )


CASES: dict[str, Strategy] = {
    "cumprod": running_product(),
    "cummax": running_extreme("cummax"),
    "cummin": running_extreme("cummin"),
    "argsort": argsort(),
    "sort": sort(),
    "topk": topk(),
    "previous_equal": previous_equal(),
    "gather_dim": gather_dim(),
    "scatter_rows": scatter_rows(),
    "scatter_dim": scatter_dim(),
    "scatter": scatter(),
    "bitcast_convert": bitcast_convert(),
    "threefry2x32": threefry(),
    "rng_bit_generator": rng_bits(),
    "rand": rand(),
    "dropout": dropout(),
    "sampling": sampling(),
}

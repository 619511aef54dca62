"""Ops that slide windows, and other composites of their author: cases with references in JAX and
NumPy."""

from __future__ import annotations

from itertools import product
from math import ceil, floor, prod
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from hypothesis import strategies as st
from jax import lax
from op_attributes import dense_f32, i64, text
from op_formats import FORMATS, Array, Shape, random
from op_nn import pooled
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
    least,
    or_none,
    shapes,
)
from op_tensors import accumulated, along, magnitude_of

INF = float("inf")


def summed(reference: Any, inputs: list[tuple[Array, str]], terms: int) -> tuple[Shape, Any]:
    """The shape of a result, and what sums of products of floats may be off."""
    magnitude = magnitude_of(reference, inputs)
    is_float = FORMATS[inputs[0][1]].is_float
    return magnitude.shape, accumulated(terms, magnitude) if is_float else 0.0


def in_format(reference: Any, dtype: str) -> Any:
    """Integers wrap."""
    if FORMATS[dtype].is_float:
        return reference
    host = FORMATS[dtype].host
    return lambda *inputs: jnp.asarray(reference(*inputs)).astype(jnp.int64).astype(host)


# Convolutions -------------------------------------------------------------------------------------


@st.composite
def convolution(draw: st.DrawFn) -> Case:
    # Kernels have products of floats and, by them, of 8-bit integers.
    dtype, rng = draw(st.sampled_from(("f32", "bf16", "u8", "si8"))), draw(generators())
    space = draw(st.integers(0, 3))
    groups = draw(st.sampled_from((1, 1, 2, 3)))
    batch_groups = draw(st.sampled_from((1, 2))) if groups == 1 else 1
    kernel = [draw(st.integers(1, 3)) for _ in range(space)]
    extents = [draw(st.integers(1, 9 if space < 3 else 6)) for _ in range(space)]
    stride = [draw(st.integers(1, 3)) for _ in range(space)]
    base = [draw(st.integers(1, 3)) for _ in range(space)]
    taps = [draw(st.integers(1, 2)) for _ in range(space)]
    padding = []
    for extent, size, gap, tap in zip(extents, kernel, base, taps, strict=True):
        low, high = draw(st.integers(-1, 3)), draw(st.integers(-1, 3))
        # The window fits, and some of the input stays.
        if (extent - 1) * gap + 1 + min(low, 0) + min(high, 0) < 1:
            low, high = max(low, 0), max(high, 0)
        missing = (size - 1) * tap + 1 - ((extent - 1) * gap + 1 + low + high)
        padding.append((low, high + max(missing, 0)))
    channels = draw(st.integers(least(), 5))
    sizes = (
        [draw(st.integers(least(), 2)) * batch_groups, channels * groups, *extents],
        [draw(st.integers(least(), 5)) * groups * batch_groups, channels, *kernel],
    )
    specs = [tuple(draw(st.permutations(range(space + 2)))) for _ in range(3)]
    inputs = []
    for extents_of, spec in zip(sizes, specs[:2], strict=True):
        shape = [0] * (space + 2)
        for extent, dim in zip(extents_of, spec, strict=True):
            shape[dim] = extent
        inputs.append((random(rng, tuple(shape), dtype), dtype))

    def reference(x: Any, w: Any) -> Any:
        # A dimension of 1 more: JAX mixes up the groups of a convolution without windows.
        more = [(*spec, len(spec)) for spec in specs]
        result = lax.conv_general_dilated(
            x[..., None],
            w[..., None],
            (*stride, 1),
            (*padding, (0, 0)),
            (*base, 1),
            (*taps, 1),
            lax.ConvDimensionNumbers(*more),
            groups,
            batch_groups,
        )
        return result[..., 0]

    shape, slack = summed(reference, inputs, channels * prod(kernel))
    attributes = {
        "stride": dense(stride),
        "padding": dense([n for pair in padding for n in pair]),
        "input_dilation": dense(base),
        "weight_dilation": dense(taps),
        "input_dims": dense(specs[0]),
        "weight_dims": dense(specs[1]),
        "output_dims": dense(specs[2]),
        "groups": i64(groups),
        "batch_groups": i64(batch_groups),
    }
    return Case(
        "convolution", inputs, shape, dtype, in_format(reference, dtype), attributes, 1, slack
    )


@st.composite
def plain(draw: st.DrawFn, op: str) -> Case:
    """``conv1d`` and ``conv3d``."""
    dtype, rng = draw(st.sampled_from(("f32", "bf16", "u8", "si8"))), draw(generators())
    space = 1 if op == "conv1d" else 3
    groups = draw(st.sampled_from((1, 2)))
    in_order = tuple(draw(st.permutations(range(space + 2)))) if draw(st.booleans()) else None
    dims = in_order or (0, space + 1, *range(1, space + 1))
    kernel = [draw(st.integers(1, 3)) for _ in range(space)]
    extents = [draw(st.integers(3, 33 if space == 1 else 7)) for _ in range(space)]
    stride = [draw(st.integers(1, 2)) for _ in range(space)]
    dilation = [draw(st.integers(1, 2)) if space == 1 else 1 for _ in range(space)]
    both = [(draw(st.integers(0, 2)), draw(st.integers(0, 2))) for _ in range(space)]
    if draw(st.booleans()):
        both = [(low, low) for low, _ in both]
    both = [
        (max(low, (k - 1) * d // 2), max(high, (k - 1) * d // 2))
        for (low, high), k, d in zip(both, kernel, dilation, strict=True)
    ]
    channels, filters = draw(st.integers(least(), 5)), draw(st.integers(least(), 9)) * groups
    span = (-4.0, 4.0)
    if not FORMATS[dtype].is_float:
        # More products than f32 adds up exactly at once.
        channels, span = draw(st.sampled_from(or_none(1, 3, 300 if space == 1 else 5))), (-128, 255)
    shape = [0] * (space + 2)
    for dim, extent in zip(
        dims, (draw(st.integers(least(), 2)), channels * groups, *extents), strict=True
    ):
        shape[dim] = extent
    inputs = [
        (random(rng, tuple(shape), dtype, *span), dtype),
        (random(rng, (filters, channels, *kernel), dtype, *span), dtype),
    ]
    if draw(st.booleans()):
        inputs.append((random(rng, (*[1] * (space + 1), filters), dtype), dtype))

    def reference(x: Any, w: Any, *bias: Any) -> Any:
        numbers = lax.ConvDimensionNumbers(dims, tuple(range(space + 2)), dims)
        result = lax.conv_general_dilated(
            x, w, stride, both, None, dilation, numbers, feature_group_count=groups
        )
        return result + along(bias[0], dims[1], space + 2) if bias else result

    result, slack = summed(reference, inputs, channels * prod(kernel) + 1)
    symmetric = all(low == high for low, high in both)
    names = ("length",) if space == 1 else ("depth", "height", "width")
    flat = [n for pair in both for n in pair]
    attributes = {
        "stride": dense(stride, 32),
        "padding": dense([low for low, _ in both] if symmetric else flat, 32),
        "groups": i32(groups),
    }
    if space == 1:
        attributes["dilation"] = dense(dilation, 32)
    if in_order:
        for name, dim in zip(("batch", "channel", *names), dims, strict=True):
            attributes[f"{name}_dim"] = i64(dim)
    return Case(op, inputs, result, dtype, in_format(reference, dtype), attributes, 2, slack)


# Windows ------------------------------------------------------------------------------------------

COMBINE = {
    "sum": (lax.add, 0),
    "prod": (lax.mul, 1),
    "max": (lax.max, -INF),
    "min": (lax.min, INF),
}


@st.composite
def reduce_window(draw: st.DrawFn) -> Case:
    kind = draw(st.sampled_from(tuple(COMBINE)))
    dtype = draw(st.sampled_from(("f32", "bf16", "si32", "u8", "si8")))
    rng = draw(generators())
    rank = draw(st.integers(least(), 5))
    form: dict[str, list[int]] = {"window": [], "stride": [], "base": [], "taps": [], "extent": []}
    padding = []
    for _ in range(rank):
        extent = draw(st.integers(1, 40 if rank < 3 else 6))
        shape = draw(st.sampled_from(("none", "any", "any", "scan", "whole")))
        if shape in ("none", "any") and edges() and draw(st.booleans()):
            extent = 0
        window, stride, base, taps, pads = 1, 1, 1, 1, (0, 0)
        if shape == "scan":
            window = extent
            pads = draw(st.sampled_from(((extent - 1, 0), (0, extent - 1))))
        elif shape == "whole":
            window = extent
        elif shape == "any":
            window = draw(st.integers(1, 20 if rank < 3 else 4))
            stride, base, taps = (draw(st.integers(1, 3)) for _ in range(3))
            low, high = draw(st.integers(-1, 3)), draw(st.integers(-1, 3))
            spread = (extent - 1) * base + 1 if extent else 0
            if spread + min(low, 0) + min(high, 0) < 1:
                low, high = max(low, 0), max(high, 0)
            missing = (window - 1) * taps + 1 - (spread + low + high)
            pads = (low, high + max(missing, 0))
        padding.append(pads)
        for name, value in zip(form, (window, stride, base, taps, extent), strict=True):
            form[name].append(value)
    span = 1.5 if kind == "prod" else 4.0
    low = -span if kind != "prod" else 0.5
    array = random(rng, tuple(form["extent"]), dtype, low, span)
    combine, start = COMBINE[kind]
    is_float = FORMATS[dtype].is_float
    bounds = None if is_float else np.iinfo(FORMATS[dtype].host)

    def reference(x: Any) -> Any:
        first = start if bounds is None else min(max(start, bounds.min), bounds.max)
        first = jnp.asarray(first, x.dtype)
        return lax.reduce_window(
            x, first, combine, form["window"], form["stride"], padding, form["base"], form["taps"]
        )

    inputs, count = [(array, dtype)], prod(form["window"])
    magnitude = evaluate(reference, np.abs(array.astype(np.float64 if is_float else np.int64)))
    slack: Any = 0.0
    if is_float and kind == "sum":
        slack = accumulated(count, magnitude)
    if is_float and kind == "prod":
        slack = 2.0**-23 * count * np.where(np.isfinite(magnitude), magnitude, 0)
    attributes = {
        "kind": text(kind),
        "window": dense(form["window"]),
        "stride": dense(form["stride"]),
        "base_dilation": dense(form["base"]),
        "window_dilation": dense(form["taps"]),
        "padding": dense([n for pair in padding for n in pair]),
    }
    return Case(
        "reduce_window",
        inputs,
        magnitude.shape,
        dtype,
        in_format(reference, dtype),
        attributes,
        1,
        slack,
    )


def best_of(values: Array, isnan_wins: bool) -> int:
    """The place of the first greatest element, or of the last NaN."""
    if isnan_wins and np.isnan(values).any():
        return int(np.flatnonzero(np.isnan(values))[-1])
    return int(np.argmax(values))


@st.composite
def select_and_scatter(draw: st.DrawFn) -> Case:
    kind = draw(st.sampled_from(("max", "min")))
    dtype, rng = draw(st.sampled_from(("f32", "bf16", "si32"))), draw(generators())
    rank = draw(st.integers(1, 4))
    extents = [draw(st.integers(3, 12 if rank < 3 else 6)) for _ in range(rank)]
    window = [draw(st.integers(1, 3)) for _ in range(rank)]
    stride = [draw(st.integers(1, 3)) for _ in range(rank)]
    padding = [(draw(st.integers(0, k - 1)), draw(st.integers(0, k - 1))) for k in window]
    if edges():
        # A batch of nothing, or of something.
        for values, value in ((extents, 0), (window, 1), (stride, 1), (padding, (0, 0))):
            values[:0] = [value] if draw(st.booleans()) or value != 0 else [2]
    counts = tuple(
        (n + low + high - k) // s + 1
        for n, k, s, (low, high) in zip(extents, window, stride, padding, strict=True)
    )
    # Few values, so that some meet.
    operand = np.round(random(rng, tuple(extents), dtype).astype(np.float64))
    operand = operand.astype(FORMATS[dtype].host)
    source = random(rng, counts, dtype)

    def reference(x: Any, updates: Any) -> Any:
        x, updates = np.asarray(x, np.float64), np.asarray(updates, np.float64)
        result = np.zeros(x.shape)
        padded = np.pad(x if kind == "max" else -x, padding, constant_values=-INF)
        for at in np.ndindex(*counts):
            places = [
                tuple(i * s + o for i, s, o in zip(at, stride, offset, strict=True))
                for offset in product(*map(range, window))
            ]
            best = places[best_of(np.array([padded[p] for p in places]), False)]
            result[tuple(p - low for p, (low, _) in zip(best, padding, strict=True))] += updates[at]
        return result

    slack = 0.0
    if FORMATS[dtype].is_float:
        slack = accumulated(
            prod(window), float(np.abs(source.astype(np.float64)).max(initial=0)) * 9
        )
    attributes = {
        "kind": text(kind),
        "window": dense(window),
        "stride": dense(stride),
        "padding": dense([n for pair in padding for n in pair]),
    }
    return Case(
        "select_and_scatter",
        [(operand, dtype), (source, dtype)],
        tuple(extents),
        dtype,
        in_format(reference, dtype),
        attributes,
        1,
        slack,
    )


@st.composite
def max_pool2d_with_indices(draw: st.DrawFn) -> Case:
    dtype, rng = draw(st.sampled_from(("f32", "bf16", "si32"))), draw(generators())
    kernel = [draw(st.integers(1, 4)) for _ in range(2)]
    stride, dilation = ([draw(st.integers(1, 3)) for _ in range(2)] for _ in range(2))
    is_ceil, symmetric = draw(st.booleans()), draw(st.booleans())
    extents = [
        draw(st.integers(1, 12)) + (k - 1) * d for k, d in zip(kernel, dilation, strict=True)
    ]
    low = [draw(st.integers(0, k // 2)) for k in kernel]
    high = low if symmetric else [draw(st.integers(0, k // 2)) for k in kernel]
    windows = zip(extents, low, high, kernel, stride, dilation, strict=True)
    counts = [pooled(*window, is_ceil) for window in windows]
    batch, channels = draw(st.integers(least(), 2)), draw(st.sampled_from(or_none(1, 3, 33)))
    shape = (batch, *extents, channels)
    array = np.round(random(rng, shape, dtype).astype(np.float64)).astype(FORMATS[dtype].host)
    if FORMATS[dtype].is_float:
        array = np.where(rng.random(shape) < 0.05, np.nan, array).astype(FORMATS[dtype].host)
    picked = draw(st.integers(0, 1))
    result = (shape[0], *counts, shape[3])

    def reference(x: Any) -> Any:
        x = np.asarray(x, np.float64)
        values = np.zeros((2, *result))
        for n, y, z, c in np.ndindex(*result):
            rows = [y * stride[0] - low[0] + i * dilation[0] for i in range(kernel[0])]
            columns = [z * stride[1] - low[1] + i * dilation[1] for i in range(kernel[1])]
            places = [
                (r, q)
                for r, q in product(rows, columns)
                if 0 <= r < extents[0] and 0 <= q < extents[1]
            ]
            seen = np.array([x[n, r, q, c] for r, q in places])
            best = best_of(seen, True)
            row, column = places[best]
            values[:, n, y, z, c] = seen[best], row * extents[1] + column
        return values[picked]

    attributes = {
        "kernel": dense(kernel, 32),
        "stride": dense(stride, 32),
        "dilation": dense(dilation, 32),
        "padding": dense(low if symmetric else [*low, *high], 32),
        "ceil_mode": boolean(is_ceil),
    }
    results = ((result, dtype), (result, "si32"))
    return Case(
        "max_pool2d_with_indices",
        [(array, dtype)],
        result,
        results[picked][1],
        reference,
        attributes,
        results=results,
        picked=picked,
    )


@st.composite
def global_avg_pool2d(draw: st.DrawFn) -> Case:
    dtype, rng = draw(st.sampled_from(("f32", "bf16"))), draw(generators())
    shape = tuple(draw(st.sampled_from(or_none(1, 2, 7, 33))) for _ in range(4))
    array = random(rng, shape, dtype)
    slack = accumulated(shape[1] * shape[2], float(np.abs(array.astype(np.float64)).max(initial=0)))

    def reference(x: Any) -> Any:
        return jnp.mean(x, axis=(1, 2), keepdims=True)

    result = (shape[0], 1, 1, shape[3])
    return Case("global_avg_pool2d", [(array, dtype)], result, dtype, reference, {}, 1, slack)


# Resize -------------------------------------------------------------------------------------------


def place_of(
    mode: str, i: int, old: int, new: int, scale: float, start: float, end: float
) -> float:
    """Where ONNX has element ``i`` of the output in the input."""
    width = scale * old
    if mode == "half_pixel":
        return (i + 0.5) / scale - 0.5
    if mode == "half_pixel_symmetric":
        return old / 2 * (1 - new / width) + (i + 0.5) / scale - 0.5
    if mode == "pytorch_half_pixel":
        return (i + 0.5) / scale - 0.5 if width > 1 else 0.0
    if mode == "align_corners":
        return 0.0 if width == 1 else i * (old - 1) / (width - 1)
    if mode == "asymmetric":
        return i / scale
    if width == 1:
        return (start + end) * (old - 1) / 2
    return start * (old - 1) + i * (end - start) * (old - 1) / (width - 1)


def weights_of(mode: str, ratio: float, scale: float, a: float) -> list[float]:
    """ONNX's coefficients of the neighbours, the nearest ones."""
    reach = {"linear": 1, "cubic": 2}[mode]
    first = floor(-reach / scale) + 1

    def weigh(x: float) -> float:
        x = abs(x)
        if mode == "linear":
            return max(0.0, 1 - x)
        if x <= 1:
            return (a + 2) * x**3 - (a + 3) * x**2 + 1
        return a * x**3 - 5 * a * x**2 + 8 * a * x - 4 * a if x < 2 else 0.0

    found = [weigh(scale * (i - ratio)) for i in range(first, 2 - first)]
    return [w / sum(found) for w in found]


ROUND = {
    "round_prefer_floor": lambda x: ceil(x - 0.5),
    "round_prefer_ceil": lambda x: floor(x + 0.5),
    "floor": floor,
    "ceil": ceil,
}
COORDINATES = (
    *("half_pixel", "half_pixel_symmetric", "pytorch_half_pixel"),
    *("align_corners", "asymmetric", "tf_crop_and_resize"),
)


@st.composite
def resize(draw: st.DrawFn) -> Case:
    dtype, rng = draw(st.sampled_from(("f32", "bf16"))), draw(generators())
    mode = draw(st.sampled_from(("nearest", "linear", "cubic")))
    coordinates = draw(st.sampled_from(COORDINATES))
    rounding = draw(st.sampled_from(tuple(ROUND)))
    is_smooth = mode != "nearest" and coordinates != "tf_crop_and_resize"
    excludes, antialias = (is_smooth and draw(st.booleans()) for _ in range(2))
    a = float(np.float32(draw(st.sampled_from((-0.75, -0.5)))))
    rank = draw(st.integers(1, 4))
    shape = tuple(draw(st.sampled_from(or_none(1, 2, 5, 8, 33))) for _ in range(rank))
    given = draw(st.booleans())
    factors = [float(np.float32(draw(st.sampled_from((0.5, 0.6, 1, 1.5, 2, 3.3))))) for _ in shape]
    sizes = tuple(max(min(n, 1), floor(n * f)) for n, f in zip(shape, factors, strict=True))
    if not given:
        factors = [new / old if old else 1.0 for old, new in zip(shape, sizes, strict=True)]
    region = [draw(st.sampled_from((0.0, 0.25, -0.25))) for _ in shape]
    region += [draw(st.sampled_from((1.0, 0.75, 1.25))) for _ in shape]
    is_crop = coordinates == "tf_crop_and_resize"
    outside = 7.5
    array = random(rng, shape, dtype)

    def resized(values: Array, dim: int) -> tuple[Array, Array]:
        old, new, scale = shape[dim], sizes[dim], factors[dim]
        start, end = (region[dim], region[rank + dim]) if is_crop else (0.0, 1.0)
        if old == new and scale == 1 and start == 0 and end == 1:
            return values, np.ones(new, bool)
        moved = np.moveaxis(values, dim, 0)
        result, inside = np.zeros((new, *moved.shape[1:])), np.ones(new, bool)
        for i in range(new):
            place = place_of(coordinates, i, old, new, scale, start, end)
            inside[i] = not is_crop or 0 <= place <= old - 1
            if mode == "nearest":
                result[i] = moved[min(max(ROUND[rounding](place), 0), old - 1)]
                continue
            base = ceil(place) - 1
            weights = weights_of(mode, place - base, min(scale, 1.0) if antialias else 1.0, a)
            first = base + 1 - len(weights) // 2
            if excludes:
                weights = [w if 0 <= first + j < old else 0.0 for j, w in enumerate(weights)]
                weights = [w / sum(weights) for w in weights]
            for j, weight in enumerate(weights):
                result[i] += weight * moved[min(max(first + j, 0), old - 1)]
        return np.moveaxis(result, 0, dim), inside

    def reference(x: Any) -> Any:
        values, mask = np.asarray(x, np.float64), np.ones(sizes, bool)
        if values.size == 0:
            return np.zeros(sizes)
        for dim in range(rank):
            values, inside = resized(values, dim)
            mask &= along(inside, dim, rank)
        return np.where(mask, values, outside)

    attributes = {
        "sizes": dense(sizes),
        "mode": text(mode),
        "coordinates": text(coordinates),
        "nearest": text(rounding),
        "cubic_coefficient": f32(a),
        "exclude_outside": boolean(excludes),
        "antialias": boolean(antialias),
        "extrapolation": f32(outside),
    }
    if given:
        attributes["scales"] = dense_f32(factors)
    if is_crop:
        attributes["region"] = dense_f32(region)
    slack = 0.0 if mode == "nearest" else 64 * 2.0**-23 * 4 ** (rank / 2) * 4
    return Case("resize", [(array, dtype)], sizes, dtype, reference, attributes, 1, slack)


# Others -------------------------------------------------------------------------------------------


@st.composite
def clamp_tensor(draw: st.DrawFn) -> Case:
    dtype, rng = draw(st.sampled_from(("f32", "bf16", "si32", "u16"))), draw(generators())
    shape: Shape = (draw(st.sampled_from(or_none(1, 3))), draw(st.sampled_from(or_none(5, 33))))
    limits = [draw(st.sampled_from((shape, (1, shape[1]), (shape[0], 1)))) for _ in range(2)]
    if edges() and draw(st.booleans()):
        shape, limits = (), [(), ()]
    inputs = [(random(rng, s, dtype), dtype) for s in (shape, *limits)]
    return Case(
        "clamp_tensor",
        inputs,
        shape,
        dtype,
        lambda x, low, high: jnp.minimum(jnp.maximum(x, low), high),
    )


@st.composite
def gelu_bw(draw: st.DrawFn) -> Case:
    dtype, rng = draw(st.sampled_from(("f32", "bf16"))), draw(generators())
    approximate = draw(st.sampled_from(("none", "tanh")))
    shape = (draw(st.sampled_from((1, 3))), draw(st.sampled_from((5, 33))))
    if edges():
        shape = draw(shapes(scalars=True, empty=True))
    gradient, x = random(rng, shape, dtype), random(rng, shape, dtype, -8, 8)

    def reference(g: Any, at: Any) -> Any:
        def gelu(v: Any) -> Any:
            return jax.nn.gelu(v, approximate=approximate == "tanh")

        return jax.vjp(gelu, at)[1](g)[0]

    slack = 16 * 2.0**-23 * np.abs(gradient.astype(np.float64))
    return Case(
        "gelu_bw",
        [(gradient, dtype), (x, dtype)],
        shape,
        dtype,
        reference,
        {"approximate": text(approximate)},
        2,
        slack,
    )


CASES: dict[str, Strategy] = {
    "convolution": convolution(),
    "conv1d": plain("conv1d"),
    "conv3d": plain("conv3d"),
    "reduce_window": reduce_window(),
    "select_and_scatter": select_and_scatter(),
    "max_pool2d_with_indices": max_pool2d_with_indices(),
    "global_avg_pool2d": global_avg_pool2d(),
    "resize": resize(),
    "clamp_tensor": clamp_tensor(),
    "gelu_bw": gelu_bw(),
}

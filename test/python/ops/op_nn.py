"""Ops of neural networks: cases with references in JAX."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import op_sizes
from hypothesis import strategies as st
from jax import lax
from op_attributes import i64, text
from op_formats import FLOATS, FORMATS, Shape, random, sprinkle
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
from op_tensors import accumulated, magnitude_of

INF = float("inf")
#: The format of a result whose operands are in this one. Block floats give bf16.
RESULT = {"f32": "f32", "bf16": "bf16", "bfp8_b": "bf16"}


@st.composite
def softmax(draw: st.DrawFn) -> Case:
    dtype = draw(st.sampled_from(("f32", "bf16") if edges() else FLOATS))
    rng, shape = draw(generators()), draw(shapes(empty=True))
    dim = draw(st.integers(-len(shape), len(shape) - 1))
    scale = draw(st.sampled_from((1.0, 30.0, 1e4)))  # exp(1e4) would be infinite
    array = random(rng, shape, dtype, -scale, scale)
    if not FORMATS[dtype].is_block and draw(st.booleans()):
        array = sprinkle(rng, array, draw(st.sampled_from([(-INF,), (INF, -INF, float("nan"))])))
    finite = np.where(np.isfinite(array.astype(np.float64)), array.astype(np.float64), 0)
    # x - max is rounded to f32, which the exponential multiplies.
    spread = min(float(np.ptp(finite)), 104.0) if finite.size else 0.0
    return Case(
        "softmax",
        [(array, dtype)],
        shape,
        RESULT[dtype],
        lambda x: jax.nn.softmax(x, axis=dim),
        {"dimension": si32(dim)},
        8 + spread,
    )


@st.composite
def norm(draw: st.DrawFn, name: str) -> Case:
    dtype, rng = draw(st.sampled_from(("f32", "bf16"))), draw(generators())
    shape = draw(shapes(empty=True))
    inner = shape[draw(st.integers(0, len(shape) - 1)) :]
    axes = tuple(range(len(shape) - len(inner), len(shape)))
    offset = draw(st.sampled_from((0.0, 100.0)))  # A mean that is large against the spread.
    inputs = [(random(rng, shape, dtype, offset - 4, offset + 4), dtype)]
    has_weight, has_bias = draw(st.booleans()), draw(st.booleans())
    inputs += [(random(rng, inner, dtype), dtype) for has in (has_weight, has_bias) if has]
    epsilon = np.float32(draw(st.sampled_from((1e-5, 1e-2))))

    def reference(x: Any, *rest: Any) -> Any:
        centred = x - jnp.mean(x, axis=axes, keepdims=True) if name == "layer_norm" else x
        variance = jnp.mean(centred * centred, axis=axes, keepdims=True)
        result = centred / jnp.sqrt(variance + np.float64(epsilon))
        if has_weight:
            result = result * rest[0]
        return result + rest[-1] if has_bias else result

    # Where the variance is almost 0, the rounding of the mean is divided by sqrt(epsilon).
    wide = inputs[0][0].astype(np.float64)
    variance = wide.var(axis=axes, keepdims=True) if wide.size else 0.0
    deviation = np.sqrt(variance + float(epsilon))
    largest = np.abs(wide).max(initial=0)
    slack = 2.0**-23 * (largest / deviation if name == "layer_norm" else 1.0) * 8
    if has_weight:
        slack = slack * float(np.abs(inputs[1][0].astype(np.float64)).max(initial=0))
    return Case(
        name,
        inputs,
        shape,
        dtype,
        reference,
        {"normalized_shape": dense(inner), "epsilon": f32(epsilon)},
        8,
        slack,
        (1, int(has_weight), int(has_bias), 1),
    )


@st.composite
def embedding(draw: st.DrawFn, name: str) -> Case:
    dtype, rng = draw(st.sampled_from(("f32", "bf16"))), draw(generators())
    sizes = op_sizes.current()
    rows, width = draw(st.sampled_from(sizes.rows)), draw(st.sampled_from(or_none(*sizes.inner)))
    rows, width = op_sizes.bounded((rows, width))
    shape = draw(shapes(1, 2, scalars=True, empty=True))
    shape = op_sizes.bounded(shape, sizes.elements // max(width, 1))
    indices = rng.integers(0, rows, shape).astype(np.uint32)
    table = random(rng, (rows, width), dtype)
    inputs = [(indices, "u32"), (table, dtype)]
    if name == "embedding":
        return Case(name, inputs, (*shape, width), dtype, lambda i, w: w[i])
    gradient = random(rng, (*shape, width), dtype)

    def reference(at: Any, weight: Any, rows_of: Any) -> Any:
        flat = rows_of.reshape(indices.size, width)
        return jnp.zeros(weight.shape).at[at.reshape(-1)].add(flat)

    total = np.abs(gradient.astype(np.float64)).sum()
    inputs.append((gradient, dtype))
    slack = accumulated(indices.size, total)
    return Case(name, inputs, (rows, width), dtype, reference, slack=slack)


# Windows ------------------------------------------------------------------------------------------


@st.composite
def windows(draw: st.DrawFn, kernel_limit: int = 3) -> dict[str, int]:
    """Kernel, strides, dilations and paddings of a window that slides over 4 to 14 elements."""
    kernel = [draw(st.integers(1, kernel_limit)) for _ in range(2)]
    padding = [draw(st.integers(0, kernel[i % 2] // 2 + 1)) for i in range(4)]
    return {
        "kernel_height": kernel[0],
        "kernel_width": kernel[1],
        "stride_height": draw(st.integers(1, 3)),
        "stride_width": draw(st.integers(1, 3)),
        "dilation_height": draw(st.integers(1, 2)),
        "dilation_width": draw(st.integers(1, 2)),
        "padding_top": padding[0],
        "padding_left": padding[1],
        "padding_bottom": padding[2],
        "padding_right": padding[3],
    }


def image(draw: st.DrawFn) -> tuple[int, ...]:
    """Batch, height, width and channels of an image, and the filters of a convolution of it."""
    sizes = op_sizes.current()
    batch = draw(st.integers(least(), 2))
    height, width = draw(st.sampled_from(sizes.image)), draw(st.sampled_from(sizes.image))
    channels = draw(st.sampled_from(or_none(*sizes.channels)))
    filters = draw(st.sampled_from(or_none(*sizes.filters)))
    # Nine elements of the window of each result.
    bound = sizes.multiplications // 9
    while batch * height * width * channels * filters > bound:
        if channels * filters > height * width:
            channels, filters = max(1, channels // 3), max(1, filters // 2)
        else:
            height, width = max(6, height // 2), max(6, width // 2)
    return batch, height, width, channels, filters


def pair(window: dict[str, int], name: str) -> tuple[int, int]:
    return window[f"{name}_height"], window[f"{name}_width"]


def sides(window: dict[str, int]) -> list[tuple[int, int]]:
    return [
        (window["padding_top"], window["padding_bottom"]),
        (window["padding_left"], window["padding_right"]),
    ]


def convolution(
    x: Any, weight: Any, strides: Any, padding: Any, dilations: Any, groups: int
) -> Any:
    return lax.conv_general_dilated(
        x,
        weight,
        strides,
        padding,
        rhs_dilation=dilations,
        dimension_numbers=("NHWC", "OIHW", "NHWC"),
        feature_group_count=groups,
    )


@st.composite
def conv2d(draw: st.DrawFn) -> Case:
    dtype = draw(st.sampled_from(("f32", "bf16") if edges() else FLOATS))
    rng, window = draw(generators()), draw(windows())
    groups = draw(st.sampled_from((1, 1, 2, 3)))
    batch, height, width, channels, filters = image(draw)
    channels, filters = groups * channels, groups * filters
    shape = (batch, height, width, channels)
    kernel = pair(window, "kernel")
    x = random(rng, shape, dtype)
    weight_dtype = RESULT[dtype]
    weight = random(rng, (filters, channels // groups, *kernel), weight_dtype)
    inputs = [(x, dtype), (weight, weight_dtype)]
    if draw(st.booleans()):
        inputs.append((random(rng, (1, 1, 1, filters), weight_dtype), weight_dtype))

    def reference(x: Any, weight: Any, *bias: Any) -> Any:
        if prepared:
            weight = jnp.reshape(weight, (*kernel, channels // groups, filters))
            weight = jnp.transpose(weight, (3, 2, 0, 1))
        strides, dilations = pair(window, "stride"), pair(window, "dilation")
        return sum(bias, convolution(x, weight, strides, sides(window), dilations, groups))

    prepared = draw(st.booleans()) and weight.size > 0
    if prepared:
        weight = np.ascontiguousarray(weight.transpose(2, 3, 1, 0)).reshape(1, 1, -1, filters)
        inputs[1] = (weight, weight_dtype)
    magnitude = magnitude_of(reference, inputs)
    names = {name: si32(v) for name, v in window.items() if not name.startswith("kernel")}
    if prepared:
        names["kernel_size"] = dense(kernel, 32)
    return Case(
        "conv2d",
        inputs,
        magnitude.shape,
        RESULT[dtype],
        reference,
        {**names, "groups": si32(groups)},
        2,
        accumulated(channels * kernel[0] * kernel[1], magnitude),
    )


@st.composite
def conv_transpose2d(draw: st.DrawFn) -> Case:
    """Every element of the input adds a kernel to the result, at the place that the stride says."""
    dtype, rng, window = draw(st.sampled_from(("f32", "bf16"))), draw(generators()), draw(windows())
    groups = draw(st.sampled_from((1, 2)))
    batch, height, width, channels, filters = image(draw)
    channels, filters = groups * channels, groups * filters
    strides, dilations, kernel = (pair(window, n) for n in ("stride", "dilation", "kernel"))
    shape = (batch, height, width, channels)
    more = [draw(st.integers(0, max(s, d) - 1)) for s, d in zip(strides, dilations, strict=True)]
    more = [min(m, s - 1) for m, s in zip(more, strides, strict=True)]
    out = [
        (e - 1) * s - sum(p) + d * (k - 1) + 1 + m
        for e, s, p, d, k, m in zip(
            shape[1:3], strides, sides(window), dilations, kernel, more, strict=True
        )
    ]
    if min(out) < 1:
        window = {**window, **dict.fromkeys((n for n in window if n.startswith("padding")), 0)}
        out = [
            (e - 1) * s + d * (k - 1) + 1 + m
            for e, s, d, k, m in zip(shape[1:3], strides, dilations, kernel, more, strict=True)
        ]
    result = (shape[0], *out, filters)
    inputs = [
        (random(rng, shape, dtype), dtype),
        (random(rng, (channels, filters // groups, *kernel), dtype), dtype),
    ]
    if draw(st.booleans()):
        inputs.append((random(rng, (1, 1, 1, filters), dtype), dtype))

    def reference(x: Any, weight: Any, *bias: Any) -> Any:
        # Not jax.lax.conv_transpose, which takes minutes for the channels of real models.
        places = [(e - 1) * s + 1 for e, s in zip(shape[1:3], strides, strict=True)]
        whole = [
            p + d * (k - 1) + m for p, d, k, m in zip(places, dilations, kernel, more, strict=True)
        ]
        total = jnp.zeros((batch, *whole, filters), x.dtype)
        parts = x.reshape(batch, height, width, groups, channels // groups)
        for i, j in np.ndindex(*kernel):
            taps = weight[:, :, i, j].reshape(groups, channels // groups, filters // groups)
            added = jnp.einsum("bhwgc,gcf->bhwgf", parts, taps).reshape(*shape[:3], filters)
            rows, columns = (
                slice(t * d, t * d + p, s)
                for t, d, p, s in zip((i, j), dilations, places, strides, strict=True)
            )
            total = total.at[:, rows, columns].add(added)
        (top, bottom), (left, right) = sides(window)
        cut = total[:, top : whole[0] - bottom, left : whole[1] - right]
        return sum(bias, cut)

    magnitude = magnitude_of(reference, inputs)
    (top, bottom), (left, right) = sides(window)
    attributes = {
        "stride": dense(strides, 32),
        "padding": dense((top, left, bottom, right), 32),
        "output_padding": dense(more, 32),
        "dilation": dense(dilations, 32),
        "groups": i32(groups),
    }
    slack = accumulated(channels * kernel[0] * kernel[1], magnitude)
    return Case("conv_transpose2d", inputs, result, dtype, reference, attributes, 2, slack)


def pooled(extent: int, before: int, behind: int, k: int, s: int, d: int, ceil: bool) -> int:
    """Windows along a dimension."""
    room = extent + before + behind - d * (k - 1) - 1
    count = -(-room // s) + 1 if ceil else room // s + 1
    # A window that would begin in the far padding is dropped.
    return count - 1 if ceil and (count - 1) * s >= extent + before else count


@st.composite
def prepare_conv2d_weights(draw: st.DrawFn) -> Case:
    dtype, rng = draw(st.sampled_from(("f32", "bf16", "si32", "u8"))), draw(generators())
    kernel = draw(st.integers(1, 4)), draw(st.integers(1, 4))
    *_, channels, filters = image(draw)
    array = random(rng, (filters, channels, *kernel), dtype)
    result = (1, 1, kernel[0] * kernel[1] * channels, filters)
    return Case(
        "prepare_conv2d_weights",
        [(array, dtype)],
        result,
        dtype,
        lambda x: jnp.reshape(jnp.transpose(x, (2, 3, 1, 0)), result),
    )


@st.composite
def unfold(draw: st.DrawFn) -> Case:
    dtype, rng = draw(st.sampled_from(("f32", "bf16", "si32", "u8"))), draw(generators())
    window = draw(windows())
    kernel, strides, dilations = (pair(window, n) for n in ("kernel", "stride", "dilation"))
    n, h, w, c, _ = image(draw)
    c = max(c, 1)
    reach = [d * (k - 1) + 1 for d, k in zip(dilations, kernel, strict=True)]
    h, w = max(h, reach[0]), max(w, reach[1])
    out = [(e - r) // s + 1 for e, r, s in zip((h, w), reach, strides, strict=True)]
    result = (n * out[0] * out[1], kernel[0] * kernel[1] * c)

    def reference(x: Any) -> Any:
        images = jnp.reshape(x, (n, h, w, c))
        places = [
            images[
                :,
                i * dilations[0] : i * dilations[0] + (out[0] - 1) * strides[0] + 1 : strides[0],
                j * dilations[1] : j * dilations[1] + (out[1] - 1) * strides[1] + 1 : strides[1],
            ]
            for i in range(kernel[0])
            for j in range(kernel[1])
        ]
        return jnp.reshape(jnp.concatenate(places, axis=3), result)

    array = random(rng, (n, h, w * c), dtype)
    attributes = {
        "channels": i64(c),
        "kernel": dense(kernel, 32),
        "stride": dense(strides, 32),
        "dilation": dense(dilations, 32),
    }
    return Case("unfold", [(array, dtype)], result, dtype, reference, attributes)


@st.composite
def pool(draw: st.DrawFn, name: str) -> Case:
    dtype = draw(st.sampled_from(("f32", "bf16") if edges() else FLOATS))
    rng, window = draw(generators()), draw(windows())
    kernel, strides, dilations = (pair(window, n) for n in ("kernel", "stride", "dilation"))
    padding = [
        tuple(min(p, k // 2) for p in ps) for ps, k in zip(sides(window), kernel, strict=True)
    ]
    ((top, bottom), (left, right)) = padding
    window |= {"padding_top": top, "padding_bottom": bottom}
    window |= {"padding_left": left, "padding_right": right}
    ceil, counted = draw(st.booleans()), draw(st.booleans())
    batch, height, width, channels, _ = image(draw)
    shape: Shape = (batch, height, width, channels)
    out = [
        pooled(e, *p, k, s, d, ceil)
        for e, p, k, s, d in zip(shape[1:3], padding, kernel, strides, dilations, strict=True)
    ]
    # What the last window needs beyond the far padding, or does not need of it.
    far = [
        (o - 1) * s + d * (k - 1) + 1 - e - p[0]
        for o, s, d, k, e, p in zip(
            out, strides, dilations, kernel, shape[1:3], padding, strict=True
        )
    ]

    def reduce(x: Any, start: float, function: Any, outer: Any) -> Any:
        return lax.reduce_window(
            x,
            np.float64(start),
            function,
            (1, *kernel, 1),
            (1, *strides, 1),
            ((0, 0), *outer, (0, 0)),
            window_dilation=(1, *dilations, 1),
        )

    outer = [(p[0], f) for p, f in zip(padding, far, strict=True)]

    def reference(x: Any) -> Any:
        if name == "max_pool2d":
            return reduce(x, -np.inf, lax.max, outer)
        ones = jnp.ones_like(x)
        if counted:
            # The stated padding counts, what the last window has beyond it does not.
            ones = jnp.pad(ones, ((0, 0), *padding, (0, 0)), constant_values=1.0)
            rest = [(0, f - p[1]) for f, p in zip(far, padding, strict=True)]
            return reduce(x, 0, lax.add, outer) / reduce(ones, 0, lax.add, rest)
        return reduce(x, 0, lax.add, outer) / reduce(ones, 0, lax.add, outer)

    array = random(rng, shape, dtype)
    if name == "max_pool2d" and not FORMATS[dtype].is_block:
        array = sprinkle(rng, array, (INF, -INF))
    attributes = {key: si32(value) for key, value in window.items()} | {"ceil_mode": boolean(ceil)}
    if name == "avg_pool2d":
        attributes["count_include_pad"] = boolean(counted)
    slack = 2.0**-21 * 4 if name == "avg_pool2d" else 0.0
    result = (shape[0], *out, shape[3])
    return Case(name, [(array, dtype)], result, RESULT[dtype], reference, attributes, 2, slack)


@st.composite
def upsample(draw: st.DrawFn) -> Case:
    dtype, rng = draw(st.sampled_from(("f32", "bf16"))), draw(generators())
    n, h, w, c, _ = image(draw)
    factors = (draw(st.integers(1, 4)), draw(st.integers(1, 4)))
    mode = draw(st.sampled_from(("nearest", "bilinear", "")))
    while c > 1 and not op_sizes.fits((n, h * factors[0], w * factors[1], c)):
        c //= 2
    result = (n, h * factors[0], w * factors[1], c)
    scale = dense(factors, 32)
    if factors[0] == factors[1] and draw(st.booleans()):
        scale = si32(factors[0])

    def reference(x: Any) -> Any:
        if mode == "bilinear" and x.size:
            return jax.image.resize(x, result, "bilinear")
        return jnp.repeat(jnp.repeat(x, factors[0], axis=1), factors[1], axis=2)

    array = random(rng, (n, h, w, c), dtype)
    attributes = {"scale_factor": scale, **({"mode": text(mode)} if mode else {})}
    # `nearest` is exact.
    slack = 2.0**-21 * 4 if mode == "bilinear" else 0.0
    return Case("upsample", [(array, dtype)], result, dtype, reference, attributes, 0, slack)


CASES: dict[str, Strategy] = {
    "softmax": softmax(),
    "layer_norm": norm("layer_norm"),
    "rms_norm": norm("rms_norm"),
    "embedding": embedding("embedding"),
    "embedding_backward": embedding("embedding_backward"),
    "conv2d": conv2d(),
    "conv_transpose2d": conv_transpose2d(),
    "prepare_conv2d_weights": prepare_conv2d_weights(),
    "unfold": unfold(),
    "max_pool2d": pool("max_pool2d"),
    "avg_pool2d": pool("avg_pool2d"),
    "upsample": upsample(),
}

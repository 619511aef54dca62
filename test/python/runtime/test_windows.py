"""Convolutions, pooling and upsampling against JAX."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import machine
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jax_x64 import x64
from machine import BF16, ROW_MAJOR, one_op

from ttmlir import runtime

SEEDS = st.integers(0, 2**32)
DTYPES = st.sampled_from(["Float32", "BFloat16"])


def draw(rng, shape, dtype):
    return rng.normal(size=shape).astype(machine.DTYPES[dtype])


def within(found, exact, scale, dtype):
    tolerance = 2**-8 if dtype == "BFloat16" else 2e-6
    assert found.shape == exact.shape
    error = np.abs(found.astype(np.float64) - exact)
    assert (error <= tolerance * scale + 1e-30).all(), (error - tolerance * scale).max()


def convolve(x, w, **options):
    """In float64: JAX is the definition, not the precision."""
    with x64():
        dims = jax.lax.conv_dimension_numbers(x.shape, w.shape, ("NHWC", "OIHW", "NHWC"))
        return np.asarray(
            jax.lax.conv_general_dilated(
                jnp.asarray(x, jnp.float64),
                jnp.asarray(w, jnp.float64),
                dimension_numbers=dims,
                **options,
            )
        )


@st.composite
def convolutions(draw):
    groups = draw(st.sampled_from([1, 1, 2, 3]))
    case = {
        "batch": draw(st.integers(1, 2)),
        "height": draw(st.integers(1, 9)),
        "width": draw(st.integers(1, 9)),
        "inputs": groups * draw(st.integers(1, 3)),
        "outputs": groups * draw(st.integers(1, 4)),
        "groups": groups,
        "kernel": [draw(st.integers(1, 4)) for _ in range(2)],
        "stride": [draw(st.integers(1, 3)) for _ in range(2)],
        "dilation": [draw(st.integers(1, 2)) for _ in range(2)],
        "padding": [draw(st.integers(0, 3)) for _ in range(4)],  # top, left, bottom, right
        "bias": draw(st.booleans()),
    }
    return case


def pairs(case):
    top, left, bottom, right = case["padding"]
    return [(top, bottom), (left, right)]


@settings(max_examples=15, deadline=None)
@given(case=convolutions(), dtype=DTYPES, seed=SEEDS)
def test_conv2d(case, dtype, seed):
    rng = np.random.default_rng(seed)
    reach = [d * (k - 1) + 1 for d, k in zip(case["dilation"], case["kernel"], strict=True)]
    case["height"], case["width"] = max(case["height"], reach[0]), max(case["width"], reach[1])
    x = draw(rng, (case["batch"], case["height"], case["width"], case["inputs"]), dtype)
    w = draw(rng, (case["outputs"], case["inputs"] // case["groups"], *case["kernel"]), dtype)
    operands = {"input": x, "weight": w}
    options = {
        "window_strides": case["stride"],
        "padding": pairs(case),
        "rhs_dilation": case["dilation"],
        "feature_group_count": case["groups"],
    }
    exact, scale = convolve(x, w, **options), convolve(np.abs(x), np.abs(w), **options)
    if case["bias"]:
        operands["bias"] = draw(rng, (1, 1, 1, case["outputs"]), dtype)
        exact = exact + operands["bias"].astype(np.float64)
        scale = scale + np.abs(operands["bias"].astype(np.float64))
    top, left, bottom, right = case["padding"]
    out = one_op(
        "Conv2dOp",
        operands,
        exact.shape,
        in_channels=case["inputs"],
        out_channels=case["outputs"],
        groups=case["groups"],
        **image(case),
        **window(case),
        padding_height=top,
        padding_width=left,
        padding_bottom=bottom,
        padding_right=right,
    )
    within(out, exact, scale, dtype)


def image(case):
    return {
        "batch_size": case["batch"],
        "input_height": case["height"],
        "input_width": case["width"],
    }


def window(case):
    return {
        f"{name}_{side}": case[name][i]
        for name in ("kernel", "stride", "dilation")
        for i, side in enumerate(("height", "width"))
    }


@settings(max_examples=15, deadline=None)
@given(case=convolutions(), more=st.tuples(*[st.integers(0, 2)] * 2), dtype=DTYPES, seed=SEEDS)
def test_conv_transpose2d(case, more, dtype, seed):
    """The convolution of the input, spread by the stride, with the weights turned around."""
    rng = np.random.default_rng(seed)
    top, left, bottom, right = case["padding"]
    reach = [d * (k - 1) for d, k in zip(case["dilation"], case["kernel"], strict=True)]
    sizes = [
        (n - 1) * s + r + 1 + m - low - high
        for n, s, r, m, (low, high) in zip(
            (case["height"], case["width"]), case["stride"], reach, more, pairs(case), strict=True
        )
    ]
    if min(sizes) < 1:
        top = left = bottom = right = 0
    x = draw(rng, (case["batch"], case["height"], case["width"], case["inputs"]), dtype)
    per_group = case["outputs"] // case["groups"]
    w = draw(rng, (case["inputs"], per_group, *case["kernel"]), dtype)
    groups = case["groups"]

    def transposed(x, w):
        # (groups, in, out, kh, kw) to (groups * out, in, kh, kw), taps in reverse.
        split = w.reshape(groups, case["inputs"] // groups, *w.shape[1:]).swapaxes(1, 2)
        turned = split.reshape(-1, *split.shape[2:])[:, :, ::-1, ::-1]
        return convolve(
            x,
            turned,
            window_strides=(1, 1),
            padding=[
                (reach[0] - top, reach[0] - bottom + more[0]),
                (reach[1] - left, reach[1] - right + more[1]),
            ],
            lhs_dilation=case["stride"],
            rhs_dilation=case["dilation"],
            feature_group_count=groups,
        )

    exact, scale = transposed(x, w), transposed(np.abs(x), np.abs(w))
    operands = {"input": x, "weight": w}
    if case["bias"]:
        operands["bias"] = draw(rng, (1, 1, 1, case["outputs"]), dtype)
        exact = exact + operands["bias"].astype(np.float64)
        scale = scale + np.abs(operands["bias"].astype(np.float64))
    out = one_op(
        "ConvTranspose2dOp",
        operands,
        exact.shape,
        in_channels=case["inputs"],
        out_channels=case["outputs"],
        groups=groups,
        **image(case),
        kernel_size=case["kernel"],
        stride=case["stride"],
        padding=[top, left, bottom, right],
        output_padding=list(more),
        dilation=case["dilation"],
    )
    within(out, exact, scale, dtype)


def pooled(x, initial, combine, case, high):
    return np.asarray(
        jax.lax.reduce_window(
            jnp.asarray(x),
            initial,
            combine,
            window_dimensions=(1, *case["kernel"], 1),
            window_strides=(1, *case["stride"], 1),
            window_dilation=(1, *case["dilation"], 1),
            padding=((0, 0), (case["padding"][0], high[0]), (case["padding"][1], high[1]), (0, 0)),
        )
    )


@settings(max_examples=20, deadline=None)
@given(
    case=convolutions(),
    ceil=st.booleans(),
    count=st.booleans(),
    average=st.booleans(),
    dtype=st.sampled_from(["Float32", "BFloat16", "UInt8", "Int32"]),
    seed=SEEDS,
)
def test_pool2d(case, ceil, count, average, dtype, seed):
    rng = np.random.default_rng(seed)
    # No window may lie in the padding alone: its mean would be one of nothing.
    case["padding"] = [min(p, case["kernel"][i % 2] // 2) for i, p in enumerate(case["padding"])]
    case["dilation"] = [1, 1] if any(case["padding"]) else case["dilation"]
    reach = [d * (k - 1) + 1 for d, k in zip(case["dilation"], case["kernel"], strict=True)]
    case["height"], case["width"] = max(case["height"], reach[0]), max(case["width"], reach[1])
    shape = (case["batch"], case["height"], case["width"], case["inputs"])
    x = rng.normal(size=shape) * 50 + (100 if dtype == "UInt8" else 0)
    x = np.clip(x, 0, 250) if dtype == "UInt8" else x
    x = x.astype(machine.DTYPES[dtype])
    # Ceil mode makes room for a last window, unless it would begin in the padding behind.
    high = []
    for i, (extent, (low, behind)) in enumerate(zip(shape[1:3], pairs(case), strict=True)):
        room, stride = extent + low + behind - reach[i], case["stride"][i]
        extra = -room % stride if ceil else 0
        if extra and (room + extra) >= extent + low:
            extra = 0
        high.append(behind + extra)
    with x64():
        wide = x.astype(np.float64)
        if average:
            padding = ((0, 0), *pairs(case), (0, 0))
            ones = np.pad(np.ones_like(wide), padding, constant_values=1 if count else 0)
            total = pooled(wide, 0.0, jax.lax.add, case, high)
            # What counts, the padding included; what ceil mode adds does not.
            behind = {**case, "padding": [0, 0]}
            extra = [h - b for h, (_, b) in zip(high, pairs(case), strict=True)]
            number = pooled(ones, 0.0, jax.lax.add, behind, extra)
            exact = total / number
            scale = pooled(np.abs(wide), 0.0, jax.lax.add, case, high) / number
        else:
            exact = pooled(wide, -np.inf, jax.lax.max, case, high)
            scale = np.zeros_like(exact)
    top, left, bottom, right = case["padding"]
    fields = {"count_include_pad": count} if average else {}
    out = one_op(
        "AvgPool2dOp" if average else "MaxPool2dOp",
        {"in": x},
        exact.shape,
        channels=case["inputs"],
        **image(case),
        **window(case),
        padding_height=top,
        padding_width=left,
        padding_bottom=bottom,
        padding_right=right,
        ceil_mode=ceil,
        **fields,
    )
    if dtype in ("UInt8", "Int32"):
        # Integers truncate; a mean that is whole may come out just below itself.
        assert (np.abs(out - np.trunc(exact)) <= (np.abs(exact - np.round(exact)) < 1e-3)).all()
    else:
        within(out, exact, scale, dtype)


@settings(max_examples=15, deadline=None)
@given(
    shape=st.tuples(*[st.integers(1, 7)] * 4),
    scale=st.tuples(*[st.integers(1, 4)] * 2),
    mode=st.sampled_from(["Nearest", "Bilinear"]),
    dtype=DTYPES,
    seed=SEEDS,
)
def test_upsample(shape, scale, mode, dtype, seed):
    x = draw(np.random.default_rng(seed), shape, dtype)
    n, h, w, c = shape
    to = (n, h * scale[0], w * scale[1], c)

    def resize(array):
        with x64():
            method = mode.lower()
            return np.asarray(jax.image.resize(jnp.asarray(array, jnp.float64), to, method))

    fields = {"scale_factor": list(scale), "mode": mode}
    out = one_op("UpsampleOp", {"in": x}, to, **fields)
    if mode == "Nearest":
        np.testing.assert_array_equal(out, x.repeat(scale[0], axis=1).repeat(scale[1], axis=2))
    within(out, resize(x.astype(np.float64)), resize(np.abs(x.astype(np.float64))), dtype)


def test_block_floats(rng):
    """Operands of block floats are exact in bf16; the result has one exponent for 16 channels."""
    x = rng.integers(-60, 60, (1, 5, 5, 32)).astype(np.float32)
    w = rng.integers(-3, 3, (32, 32, 3, 3)).astype(BF16)
    exact = convolve(x, w, window_strides=(1, 1), padding=[(0, 0), (0, 0)])
    case = {"batch": 1, "height": 5, "width": 5, "kernel": [3, 3]}
    case |= {"stride": [1, 1], "dilation": [1, 1]}
    out = one_op(
        "Conv2dOp",
        {"input": x, "weight": w},
        exact.shape,
        dtypes={"input": "BFP_BFloat8"},
        dtype="BFP_BFloat8",
        in_channels=32,
        out_channels=32,
        groups=1,
        **image(case),
        **window(case),
    )
    machine.close(out, exact, "BFP_BFloat8")
    pixels = {"in": x}
    options = {"dtypes": {"in": "BFP_BFloat8"}, "dtype": "BFP_BFloat8"}
    out = one_op(
        "UpsampleOp", pixels, (1, 10, 5, 32), scale_factor=[2, 1], mode="Nearest", **options
    )
    np.testing.assert_array_equal(out, x.repeat(2, axis=1))


POOL = {"channels": 4, "batch_size": 1, "input_height": 5, "input_width": 5}
POOL |= {"kernel_height": 2, "kernel_width": 2, "stride_height": 1, "stride_width": 1}
POOL |= {"dilation_height": 1, "dilation_width": 1}
TRANSPOSED = {"in_channels": 4, "out_channels": 2, "batch_size": 1, "input_height": 5}
TRANSPOSED |= {"input_width": 5, "kernel_size": [1, 1], "stride": [1, 1], "padding": [0, 0, 0, 0]}
TRANSPOSED |= {"output_padding": [0, 0], "dilation": [1, 1], "groups": 2}


@pytest.mark.parametrize(
    ("table", "fields", "shape", "expected"),
    [
        ("AvgPool2dOp", POOL, (1, 5, 5, 4), r"expected 1x4x4x4 \(N, H, W, C\) in field out"),
        ("AvgPool2dOp", POOL | {"stride_width": 0}, (1, 4, 4, 4), "expected window extents from 1"),
        ("MaxPool2dOp", POOL | {"kernel_width": 9}, (1, 4, 4, 4), "window 2x9 does not fit into 5"),
        ("AvgPool2dOp", POOL | {"padding_right": 2**21}, (1, 4, 4, 4), "expected a padding from 0"),
        ("UpsampleOp", {"scale_factor": [2]}, (1, 5, 5, 4), "expected 2 elements in field scale_f"),
        ("UpsampleOp", {"scale_factor": [0, 1]}, (1, 5, 5, 4), "expected a scale factor from 1"),
        ("UpsampleOp", {"scale_factor": [2, 1]}, (1, 5, 5, 4), "expected shape 1x10x5x4 in field"),
        ("ConvTranspose2dOp", TRANSPOSED | {"groups": 3}, (1, 5, 5, 2), "groups that divide 4 and"),
        ("ConvTranspose2dOp", TRANSPOSED | {"groups": 4}, (1, 5, 5, 2), "groups that divide 4 and"),
        ("ConvTranspose2dOp", TRANSPOSED | {"stride": [1]}, (1, 5, 5, 2), "expected 2 elements in"),
        ("ConvTranspose2dOp", TRANSPOSED | {"padding": [9, 0, 0, 0]}, (1, 5, 5, 2), "found -4x5"),
        ("ConvTranspose2dOp", TRANSPOSED | {"kernel_size": [2, 1]}, (1, 6, 5, 2), "field weight"),
    ],
)
def test_malformed(table, fields, shape, expected):
    field = "input" if table.startswith("Conv") else "in"
    operands = {field: np.zeros((1, 5, 5, 4), np.float32)}
    if table.startswith("Conv"):
        operands["weight"] = np.zeros((4, 1, 1, 1), np.float32)
    layouts = {field: ROW_MAJOR}
    with pytest.raises(runtime.RuntimeError, match=expected):
        one_op(table, operands, shape, layouts=layouts, **fields)

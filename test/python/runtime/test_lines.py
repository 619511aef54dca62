"""Operations along dimensions: reductions, argmax, running sums, norms, softmax."""

from __future__ import annotations

import machine
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from machine import BF16, one_op
from test_eltwise_ops import SHAPES

from ttmlir import runtime

FLOATS = st.sampled_from(["Float32", "BFloat16", "BFP_BFloat8"])
SEEDS = st.integers(0, 2**32)


def draw(rng, shape, dtype, special=False):
    x = rng.normal(size=shape)
    if special and not dtype.startswith("BFP"):
        x = np.where(rng.random(shape) < 0.05, rng.choice([np.nan, np.inf, -np.inf], shape), x)
    return x.astype(machine.DTYPES[machine.ttnn_file.host_dtype(dtype)])


def within(found, exact, scale, dtype):
    """`scale` bounds what the terms of a sum add up to without signs."""
    tolerance = {"Float32": 2e-6, "BFloat16": 2**-8}.get(dtype, 2**-6)
    exact = np.asarray(exact, np.float64)
    assert found.shape == exact.shape
    wide = found.astype(np.float64)
    np.testing.assert_array_equal(np.isnan(wide), np.isnan(exact))
    np.testing.assert_array_equal(wide[np.isinf(exact)], exact[np.isinf(exact)])
    finite = np.isfinite(exact)
    error = np.abs(wide[finite] - exact[finite])
    bound = tolerance * np.broadcast_to(scale, exact.shape)[finite]
    assert (error <= bound + 1e-30).all(), (error - bound).max()


REDUCE = {"Sum": np.sum, "Mean": np.mean, "Max": np.max, "Min": np.min, "Prod": np.prod}


@settings(max_examples=15, deadline=None)
@given(
    shape=SHAPES,
    kind=st.sampled_from(sorted(REDUCE)),
    dtype=FLOATS,
    keep=st.booleans(),
    seed=SEEDS,
    data=st.data(),
)
def test_reduction(shape, kind, dtype, keep, seed, data):
    rng = np.random.default_rng(seed)
    dims = data.draw(st.sets(st.integers(0, len(shape) - 1), min_size=1))
    x = draw(rng, tuple(shape), dtype, special=True)
    if kind == "Prod":
        x = np.where(np.isfinite(x), np.clip(np.abs(x), 0.9, 1.1), x).astype(x.dtype)
    wide = quantized(x, dtype).astype(np.float64)
    with np.errstate(all="ignore"):
        exact = REDUCE[kind](wide, axis=tuple(dims), keepdims=keep)
        scale = np.nan_to_num(np.abs(wide), nan=0, posinf=0)
        scale = REDUCE[kind](scale, axis=tuple(dims), keepdims=keep)
    if kind in ("Max", "Min"):
        scale = np.nan_to_num(np.abs(exact), nan=0, posinf=0)
    if dtype.startswith("BFP"):
        scale = np.max(scale, initial=0)  # a block has one exponent
    if kind == "Prod":
        scale = scale * (1 + len(x) * 1e-2)
    fields = {"type": kind, "dim_arg": sorted(dims), "keep_dim": keep}
    out = one_op("ReductionOp", {"in": x}, exact.shape, dtypes={"in": dtype}, dtype=dtype, **fields)
    within(out, exact, scale, dtype)


def quantized(x, dtype):
    """What the device holds of a host array."""
    if not dtype.startswith("BFP"):
        return x
    program = machine.ttnn_file.Program()
    host = program.input(program.tensor(x.shape, "Float32"))
    device = program.get_device()
    moved, back = program.dram(x.shape, dtype), program.tensor(x.shape, "Float32")
    program.op("ToDeviceOp", **{"in": host}, device=device, out=moved)
    program.op("FromDeviceOp", **{"in": moved}, out=back)
    program.outputs = [back]
    return machine.run(program, x)[0]


@pytest.mark.parametrize("dtype", ["UInt8", "UInt16", "UInt32", "Int32"])
@pytest.mark.parametrize("kind", ["Sum", "Max", "Min", "Prod"])
def test_integer_reduction(dtype, kind, rng):
    numpy_type = machine.DTYPES[dtype]
    limits = np.iinfo(numpy_type)
    x = rng.integers(limits.min, limits.max, (3, 40, 7), dtype=numpy_type, endpoint=True)
    for axis in (0, 1, 2):
        options = {"dtype": numpy_type} if kind in ("Sum", "Prod") else {}
        exact = REDUCE[kind](x, axis=axis, **options)
        fields = {"type": kind, "dim_arg": [axis], "keep_dim": False}
        out = one_op("ReductionOp", {"in": x}, exact.shape, **fields)
        np.testing.assert_array_equal(out, exact)
    small = rng.integers(0, 255, (40, 70), dtype=np.uint8)
    total = one_op(
        "ReductionOp", {"in": small}, (40,), dtype="Int32", type="Sum", dim_arg=[1], keep_dim=False
    )
    np.testing.assert_array_equal(total, small.sum(axis=1, dtype=np.int32))


@settings(max_examples=15, deadline=None)
@given(
    shape=SHAPES,
    dtype=st.sampled_from(["Float32", "BFloat16", "UInt8", "UInt32", "Int32"]),
    out=st.sampled_from(["UInt32", "Int32", "UInt16"]),
    keep=st.booleans(),
    flat=st.booleans(),
    seed=SEEDS,
    data=st.data(),
)
def test_argmax(shape, dtype, out, keep, flat, seed, data):
    rng = np.random.default_rng(seed)
    x = rng.integers(0, 9, shape).astype(machine.DTYPES[dtype])  # ties: the first wins
    if dtype in ("Float32", "BFloat16") and data.draw(st.booleans()):
        x = np.where(rng.random(shape) < 0.1, np.nan, x).astype(x.dtype)
    dim = None if flat else data.draw(st.integers(-len(shape), len(shape) - 1))
    wide = x.astype(np.float64)
    expected = np.argmax(wide, axis=dim, keepdims=keep)
    fields = {} if flat else {"dim": dim}
    found = one_op("ArgMaxOp", {"in": x}, np.shape(expected), dtype=out, keep_dim=keep, **fields)
    np.testing.assert_array_equal(found, expected)


@settings(max_examples=15, deadline=None)
@given(shape=SHAPES, dtype=FLOATS, seed=SEEDS, data=st.data())
def test_cumsum(shape, dtype, seed, data):
    rng = np.random.default_rng(seed)
    dim = data.draw(st.integers(-len(shape), len(shape) - 1))
    x = draw(rng, tuple(shape), dtype, special=True)
    wide = quantized(x, dtype).astype(np.float64)
    with np.errstate(all="ignore"):
        exact = np.cumsum(wide, axis=dim)
    scale = np.cumsum(np.nan_to_num(np.abs(wide), nan=0, posinf=0), axis=dim)
    if dtype.startswith("BFP"):
        scale = scale.max()
    out = one_op("CumSumOp", {"in": x}, x.shape, dtypes={"in": dtype}, dtype=dtype, dim=dim)
    within(out, exact, scale, dtype)


@pytest.mark.parametrize("dtype", ["UInt8", "UInt32", "Int32"])
def test_cumsum_of_integers_wraps(dtype, rng):
    numpy_type = machine.DTYPES[dtype]
    limits = np.iinfo(numpy_type)
    x = rng.integers(limits.min, limits.max, (5, 70, 3), dtype=numpy_type, endpoint=True)
    for dim in (0, 1, 2):
        out = one_op("CumSumOp", {"in": x}, x.shape, dim=dim)
        np.testing.assert_array_equal(out, np.cumsum(x, axis=dim, dtype=numpy_type))


def norm_reference(x, weight, bias, axes, epsilon, rms):
    wide = x.astype(np.float64)
    mean = 0 if rms else wide.mean(axis=axes, keepdims=True)
    square = ((wide - mean) ** 2).mean(axis=axes, keepdims=True)
    factor = 1 / np.sqrt(square + np.float64(np.float32(epsilon)))
    # What an error of the mean or of an element makes of the result.
    scale = (np.abs(wide).max(axis=axes, keepdims=True) + np.abs(mean)) * factor
    result = (wide - mean) * factor
    if weight is not None:
        result = result * weight.astype(np.float64)
        scale = scale * np.abs(weight.astype(np.float64))
    if bias is not None:
        result = result + bias.astype(np.float64)
        scale = scale + np.abs(bias.astype(np.float64))
    return result, scale


@settings(max_examples=20, deadline=None)
@given(
    shape=SHAPES,
    dtype=FLOATS,
    rms=st.booleans(),
    affine=st.sampled_from([(False, False), (True, False), (True, True), (False, True)]),
    magnitude=st.sampled_from([1.0, 1e-12, 1e30]),
    seed=SEEDS,
    data=st.data(),
)
def test_norm(shape, dtype, rms, affine, magnitude, seed, data):
    rng = np.random.default_rng(seed)
    shape = tuple(shape)
    first = data.draw(st.integers(0, len(shape) - 1))
    inner = shape[first:]
    x = draw(rng, shape, dtype) * magnitude
    x = x.astype(machine.DTYPES[machine.ttnn_file.host_dtype(dtype)])
    operands = {"input": x}
    if affine[0]:
        operands["weight"] = rng.normal(size=inner).astype(BF16)
    if affine[1]:
        operands["bias"] = rng.normal(size=inner).astype(np.float32)
    exact, scale = norm_reference(
        quantized(x, dtype),
        operands.get("weight"),
        operands.get("bias"),
        tuple(range(first, len(shape))),
        1e-5,
        rms,
    )
    if dtype.startswith("BFP"):
        scale = scale.max()
    out = one_op(
        "RMSNormOp" if rms else "LayerNormOp",
        operands,
        shape,
        dtypes={"input": dtype},
        dtype=dtype,
        normalized_shape=list(inner),
        epsilon=1e-5,
    )
    within(out, exact, scale, dtype)


def test_wider_result_is_rounded_once(rng):
    """A bf16 operand of an f32 result: nothing rounds to bf16 on the way."""
    x = rng.normal(size=(33, 70)).astype(BF16)
    wide = x.astype(np.float64)
    e = np.exp(wide - wide.max(axis=1, keepdims=True))
    out = one_op("SoftmaxOp", {"in": x}, x.shape, dtype="Float32", dimension=1)
    within(out, e / e.sum(axis=1, keepdims=True), 1, "Float32")
    exact, scale = norm_reference(x, None, None, (1,), 1e-5, False)
    fields = {"normalized_shape": [70], "epsilon": 1e-5}
    out = one_op("LayerNormOp", {"input": x}, x.shape, dtype="Float32", **fields)
    within(out, exact, scale, "Float32")


def test_norm_propagates_nan():
    x = np.ones((3, 40), np.float32)
    x[1, 5] = np.nan
    x[2, 5] = np.inf
    for table in ("LayerNormOp", "RMSNormOp"):
        out = one_op(table, {"input": x}, x.shape, normalized_shape=[40], epsilon=1e-5)
        assert np.isfinite(out[0]).all() and np.isnan(out[1]).all() and np.isnan(out[2, 5])


@settings(max_examples=10, deadline=None)
@given(
    shape=SHAPES,
    dtype=FLOATS,
    offset=st.sampled_from([0, 1e4, -1e30]),
    seed=SEEDS,
    data=st.data(),
)
def test_softmax(shape, dtype, offset, seed, data):
    rng = np.random.default_rng(seed)
    dim = data.draw(st.integers(-len(shape), len(shape) - 1))
    x = (draw(rng, tuple(shape), dtype) * 4).astype(np.float64) + offset
    x = x.astype(machine.DTYPES[machine.ttnn_file.host_dtype(dtype)])
    wide = quantized(x, dtype).astype(np.float64)
    e = np.exp(wide - wide.max(axis=dim, keepdims=True))
    exact = e / e.sum(axis=dim, keepdims=True)
    out = one_op("SoftmaxOp", {"in": x}, x.shape, dtypes={"in": dtype}, dtype=dtype, dimension=dim)
    within(out, exact, 1 if dtype.startswith("BFP") else exact + 1e-7, dtype)


@pytest.mark.parametrize(
    ("table", "operands", "fields", "expected"),
    [
        ("ArgMaxOp", {"in": (4, 5)}, {"dim": 2}, "expected dim from -2 to 1, found 2"),
        ("ArgMaxOp", {"in": (4, 5)}, {"dim": 0}, "expected integer tensors, found f32"),
        ("CumSumOp", {"in": (4, 5)}, {"dim": -3}, "expected dim from -2 to 1, found -3"),
        (
            "LayerNormOp",
            {"input": (4, 5)},
            {"normalized_shape": [4]},
            "expected the innermost extents of 4x5 in field normalized_shape, found 4",
        ),
        (
            "RMSNormOp",
            {"input": (4, 5), "weight": (4,)},
            {"normalized_shape": [5]},
            "expected shape 5 in field weight, found 4",
        ),
        ("ReductionOp", {"in": (4, 5)}, {"dim_arg": [0, -2]}, "each dimension once in dim_arg"),
    ],
)
def test_malformed(table, operands, fields, expected):
    arrays = {name: np.zeros(shape, np.float32) for name, shape in operands.items()}
    with pytest.raises(runtime.RuntimeError, match=expected):
        one_op(table, arrays, (4, 5), **fields)

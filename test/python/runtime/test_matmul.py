"""Matrix products against NumPy in float64."""

from __future__ import annotations

import machine
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from machine import BF16, ROW_MAJOR, op_program, sharded

from ttmlir import runtime


def emit(program, ins, out, device):
    program.op("MatmulOp", in0=ins[0], in1=ins[1], out=out)


def product(a, b, **options):
    shape = np.matmul(np.empty(a.shape), np.empty(b.shape)).shape
    (out,) = machine.run(op_program([a.shape, b.shape], shape, emit, **options), a, b)
    return out


def close(out, a, b, relative):
    exact = a.astype(np.float64) @ b.astype(np.float64)
    bound = np.abs(a.astype(np.float64)) @ np.abs(b.astype(np.float64))
    assert out.shape == exact.shape
    assert (np.abs(out.astype(np.float64) - exact) <= relative * bound + 1e-30).all()


SHAPES = [
    ((64, 128), (128, 96)),
    ((33, 70), (70, 45)),
    ((1, 1), (1, 1)),
    ((3, 64, 32), (32, 48)),
    ((3, 64, 32), (3, 32, 48)),
    ((3, 33, 17), (3, 17, 9)),
    ((64, 32), (3, 32, 48)),
    ((1, 64, 32), (3, 32, 48)),
    ((2, 1, 40, 24), (1, 3, 24, 56)),
    ((2, 3, 40, 24), (3, 24, 56)),
    ((5,), (5,)),
    ((5,), (5, 7)),
    ((7, 5), (5,)),
]


@pytest.mark.parametrize("shapes", SHAPES, ids=str)
@pytest.mark.parametrize("layout", [{}, ROW_MAJOR], ids=["tile", "row_major"])
def test_f32(shapes, layout, rng):
    a, b = (rng.normal(size=shape).astype(np.float32) for shape in shapes)
    out = product(a, b, layouts=[layout, layout], out_layout=layout)
    close(out, a, b, 2**-20)


@pytest.mark.parametrize("shapes", SHAPES[:6], ids=str)
def test_bf16(shapes, rng):
    a, b = (rng.normal(size=shape).astype(BF16) for shape in shapes)
    close(product(a, b, dtypes="BFloat16"), a, b, 2**-8)


def test_bfp8_weights(rng):
    a = rng.normal(size=(64, 256)).astype(BF16)
    b = rng.normal(size=(256, 64)).astype(np.float32)
    out = product(a, b, dtypes=["BFloat16", "BFP_BFloat8"])
    close(out, a, b, 2**-5)


def test_padding_does_not_leak(rng):
    """Infinities in the padding of a tile must not reach the sums."""
    a = rng.normal(size=(40, 40)).astype(np.float32)

    def reciprocal_then_product(program, ins, out, device):
        middle = program.dram((40, 40))
        program.op("EltwiseOp", type="Reciprocal", ins=[ins[0]], out=middle)
        program.op("MatmulOp", in0=middle, in1=middle, out=out)

    (out,) = machine.run(op_program([a.shape], a.shape, reciprocal_then_product), a)
    r = (1 / a).astype(np.float32)
    close(out, r, r, 2**-18)


@pytest.mark.parametrize("grid", [(2, 4), (8, 8), (4, 1)])
def test_sharded(grid, rng):
    a = rng.normal(size=(128, 128)).astype(np.float32)
    b = rng.normal(size=(128, 128)).astype(np.float32)
    layout = sharded(grid)
    close(product(a, b, layouts=[layout, {}], out_layout=layout), a, b, 2**-20)


def test_threads_do_not_change_bits(rng):
    a = rng.normal(size=(300, 200)).astype(np.float32)
    b = rng.normal(size=(200, 250)).astype(np.float32)
    before = machine._runtime.get_num_threads()
    try:
        results = []
        for threads in (1, 2, 3):
            machine._runtime.set_num_threads(threads)
            results.append(product(a, b))
    finally:
        machine._runtime.set_num_threads(before)
    np.testing.assert_array_equal(results[0], results[1])
    np.testing.assert_array_equal(results[0], results[2])


@settings(max_examples=25, deadline=None)
@given(
    batch=st.sampled_from([(), (3,), (2, 3)]),
    sizes=st.tuples(*[st.integers(1, 80)] * 3),
    turned=st.tuples(st.booleans(), st.booleans()),
    shared=st.booleans(),
    bias=st.sampled_from([None, "row", "column", "full", "scalar"]),
    dtype=st.sampled_from(["Float32", "BFloat16", "BFP_BFloat8"]),
    tiled=st.booleans(),
    seed=st.integers(0, 2**32),
)
def test_linear(batch, sizes, turned, shared, bias, dtype, tiled, seed):
    """transpose_a, transpose_b, and a bias that is added before the one rounding."""
    rng = np.random.default_rng(seed)
    m, k, n = sizes
    whole = dtype.startswith("BFP")
    a = rng.integers(-7, 7, (*batch, m, k)) if whole else rng.normal(size=(*batch, m, k))
    b = rng.normal(size=(*(() if shared else batch), k, n))
    a = a.astype(machine.DTYPES[machine.ttnn_file.host_dtype(dtype)])
    b = b.astype(BF16 if whole else machine.DTYPES[dtype])
    left, right = (
        np.ascontiguousarray(x.swapaxes(-1, -2)) if t else x
        for x, t in zip((a, b), turned, strict=True)
    )
    operands = {"in0": left, "in1": right}
    exact = a.astype(np.float64) @ b.astype(np.float64)
    scale = np.abs(a.astype(np.float64)) @ np.abs(b.astype(np.float64))
    if bias:
        shape = {"row": (1, n), "column": (m, 1), "full": exact.shape, "scalar": (1,)}[bias]
        operands["bias"] = rng.normal(size=shape).astype(BF16)
        exact = exact + operands["bias"].astype(np.float64)
        scale = scale + np.abs(operands["bias"].astype(np.float64))
    layout = {"tiled": tiled or whole}
    out = machine.one_op(
        "LinearOp",
        operands,
        exact.shape,
        dtype=dtype,
        dtypes={"in0": dtype},
        layouts=dict.fromkeys(operands, layout),
        out_layout=layout,
        transpose_a=turned[0],
        transpose_b=turned[1],
    )
    tolerance = {"Float32": 2**-20, "BFloat16": 2**-8}.get(dtype, 2**-6)
    if whole:
        scale = scale.max()
    assert (np.abs(out.astype(np.float64) - exact) <= tolerance * scale).all()


@pytest.mark.parametrize("turned", [(False, False), (True, False), (False, True), (True, True)])
@pytest.mark.parametrize("shapes", SHAPES, ids=str)
def test_integers_wrap(shapes, turned, rng):
    a = rng.integers(-(2**31), 2**31, shapes[0]).astype(np.int32)
    b = rng.integers(0, 2**8, shapes[1]).astype(np.uint8)
    exact = a.astype(np.int64) @ b.astype(np.int64)
    bias = rng.integers(-(2**31), 2**31, exact.shape[-1:]).astype(np.int32)
    if min(a.ndim, b.ndim) == 1:
        turned = (False, False)
    left, right = (
        np.ascontiguousarray(x.swapaxes(-1, -2)) if t else x
        for x, t in zip((a, b), turned, strict=True)
    )
    fields = {"transpose_a": turned[0], "transpose_b": turned[1]}
    out = machine.one_op("MatmulOp", {"in0": left, "in1": right}, exact.shape, **fields)
    np.testing.assert_array_equal(out, exact.astype(np.int32))
    operands = {"in0": left, "in1": right, "bias": bias}
    out = machine.one_op("LinearOp", operands, exact.shape, **fields)
    np.testing.assert_array_equal(out, (exact + bias).astype(np.int32))


def test_integers_and_floats_do_not_mix(rng):
    a, b = np.ones((4, 5), np.float32), np.ones((5, 7), np.int32)
    with pytest.raises(runtime.RuntimeError, match="expected floating-point .* found i32"):
        machine.one_op("MatmulOp", {"in0": a, "in1": b}, (4, 7))


@pytest.mark.parametrize(
    ("operands", "shape", "fields", "expected"),
    [
        ({"in0": (5,), "in1": (5, 7)}, (7,), {"transpose_a": True}, "rank >= 2 to transpose in"),
        ({"in0": (4, 5), "in1": (5, 7)}, (5, 5), {"transpose_b": True}, "equal inner dimensions"),
        ({"in0": (4, 5), "in1": (5, 7), "bias": (4,)}, (4, 7), {}, "that broadcast, found 4 and"),
        ({"in0": (4, 5), "in1": (5, 7), "bias": (2, 4, 7)}, (4, 7), {}, "bias that broadcasts to"),
    ],
)
def test_linear_malformed(operands, shape, fields, expected):
    arrays = {name: np.zeros(extents, np.float32) for name, extents in operands.items()}
    with pytest.raises(runtime.RuntimeError, match=expected):
        machine.one_op("LinearOp", arrays, shape, **fields)

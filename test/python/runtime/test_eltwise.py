"""Elementwise operations: every type, broadcasting, layouts, formats."""

from __future__ import annotations

import machine
import numpy as np
import pytest
from machine import BF16, L1, ROW_MAJOR, op_program, sharded

BINARY = {
    "Add": np.add,
    "Multiply": np.multiply,
    "Subtract": np.subtract,
    "Div": np.divide,
    "Maximum": np.maximum,
    "GreaterEqual": lambda a, b: (a >= b).astype(a.dtype),
}
UNARY = {
    "Relu": lambda x: np.maximum(x, 0),
    "Sqrt": np.sqrt,
    "Sigmoid": lambda x: 1 / (1 + np.exp(-x)),
    "Reciprocal": lambda x: 1 / x,
    "Exp": np.exp,
    "Abs": np.abs,
    "Neg": np.negative,
}


def eltwise(kind):
    return lambda p, ins, out, device: p.op("EltwiseOp", type=kind, ins=ins, out=out)


def binary(kind, shape_a, shape_b, **options):
    shape = np.broadcast_shapes(shape_a, shape_b)
    return op_program([shape_a, shape_b], shape, eltwise(kind), **options)


@pytest.mark.parametrize("kind", BINARY)
def test_binary_f32_is_numpy(kind, rng):
    a, b = rng.normal(size=(2, 50, 70)).astype(np.float32)
    (out,) = machine.run(binary(kind, a.shape, b.shape), a, b)
    np.testing.assert_array_equal(out, BINARY[kind](a, b))


@pytest.mark.parametrize("kind", UNARY)
def test_unary_f32(kind, rng):
    x = rng.normal(size=(3, 40, 65)).astype(np.float32)
    if kind == "Sqrt":
        x = np.abs(x)
    (out,) = machine.run(op_program([x.shape], x.shape, eltwise(kind)), x)
    np.testing.assert_allclose(out, UNARY[kind](x.astype(np.float64)), rtol=1e-6, atol=1e-30)


@pytest.mark.parametrize("kind", ["Add", "Multiply"])
def test_bf16_rounds_once(kind, rng):
    a, b = rng.normal(size=(2, 64, 96)).astype(np.float32).astype(BF16)
    (out,) = machine.run(binary(kind, a.shape, b.shape, dtypes="BFloat16"), a, b)
    exact = BINARY[kind](a.astype(np.float64), b.astype(np.float64))
    np.testing.assert_allclose(out.astype(np.float64), exact, rtol=2**-8, atol=0)


@pytest.mark.parametrize("dtype", ["UInt32", "UInt16", "UInt8"])
def test_integers_wrap(dtype, rng):
    numpy_type = machine.DTYPES[dtype]
    high = np.iinfo(numpy_type).max
    a, b = rng.integers(0, high, size=(2, 33, 40), endpoint=True, dtype=numpy_type)
    for kind in ("Add", "Subtract", "Multiply", "Maximum", "GreaterEqual"):
        (out,) = machine.run(binary(kind, a.shape, b.shape, dtypes=dtype), a, b)
        np.testing.assert_array_equal(out, BINARY[kind](a, b))


@pytest.mark.parametrize(
    ("shape_a", "shape_b"),
    [
        ((4, 5, 40), (40,)),
        ((4, 5, 40), (5, 1)),
        ((1, 5, 40), (4, 1, 40)),
        ((4, 1, 1), (1, 5, 40)),
        ((33, 1), (1, 65)),
        ((2, 3, 64, 128), (1, 3, 1, 128)),
        ((7,), (1,)),
        ((), (3, 4)),
        ((), ()),
    ],
)
@pytest.mark.parametrize("layout", [{}, ROW_MAJOR], ids=["tile", "row_major"])
def test_broadcast(shape_a, shape_b, layout, rng):
    a = rng.normal(size=shape_a).astype(np.float32)
    b = rng.normal(size=shape_b).astype(np.float32)
    program = binary("Subtract", a.shape, b.shape, layouts=[layout, layout], out_layout=layout)
    (out,) = machine.run(program, np.asarray(a), np.asarray(b))
    np.testing.assert_array_equal(out, a - b)


LAYOUTS = [
    {},
    ROW_MAJOR,
    L1,
    {**L1, **ROW_MAJOR},
    sharded((2, 4)),
    sharded((8, 8), tiled=False),
    sharded((8, 1), "HeightSharded"),
    sharded((1, 4), "WidthSharded", tiled=False),
    {"layout": "SingleBank"},
]


@pytest.mark.parametrize("left", range(len(LAYOUTS)))
@pytest.mark.parametrize("right", range(len(LAYOUTS)))
def test_every_pair_of_layouts(left, right, rng):
    a, b = rng.normal(size=(2, 64, 128)).astype(np.float32)
    out_layout = LAYOUTS[(left + right) % len(LAYOUTS)]
    program = binary(
        "Add", a.shape, b.shape, layouts=[LAYOUTS[left], LAYOUTS[right]], out_layout=out_layout
    )
    (out,) = machine.run(program, a, b)
    np.testing.assert_array_equal(out, a + b)


@pytest.mark.parametrize("dtype", ["BFP_BFloat8", "BFP_BFloat4", "BFP_Float8"])
def test_block_floats(dtype, rng):
    a, b = rng.normal(size=(2, 40, 70)).astype(np.float32)
    (out,) = machine.run(binary("Add", a.shape, b.shape, dtypes=dtype), a, b)
    bits = 3 if dtype.endswith("4") else 7
    scale = np.abs(np.stack([a, b, a + b])).max()
    np.testing.assert_allclose(out, a + b, rtol=0, atol=4 * scale * 2.0**-bits)


def test_mixed_formats(rng):
    a = rng.normal(size=(40, 70)).astype(np.float32)
    b = rng.normal(size=(40, 70)).astype(BF16)
    program = binary("Multiply", a.shape, b.shape, dtypes=["Float32", "BFloat16"])
    (out,) = machine.run(program, a, b)
    np.testing.assert_array_equal(out, a * b.astype(np.float32))


def test_special_values():
    a = np.array([[np.inf, -np.inf, np.nan, 0.0, -0.0, 1e38]], np.float32)
    b = np.array([[-np.inf, 1.0, 1.0, -0.0, -0.0, 1e38]], np.float32)
    with np.errstate(all="ignore"):
        expected = a * b
    (out,) = machine.run(binary("Multiply", a.shape, b.shape), a, b)
    np.testing.assert_array_equal(out, expected)
    number = ~np.isnan(expected)
    np.testing.assert_array_equal(np.signbit(out[number]), np.signbit(expected[number]))


def test_result_over_an_operand(rng):
    """The result's tensor is also an operand; other users of it still see the old value."""
    a, b = rng.normal(size=(2, 64, 64)).astype(np.float32)

    def emit(program, ins, out, device):
        program.op("EltwiseOp", type="Add", ins=ins, out=ins[0])
        program.op("EltwiseOp", type="Multiply", ins=ins, out=out)

    program = op_program([a.shape, b.shape], a.shape, emit)
    (out,) = machine.run(program, a, b)
    np.testing.assert_array_equal(out, (a + b) * b)

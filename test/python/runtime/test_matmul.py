"""Matrix products against NumPy in float64."""

from __future__ import annotations

import machine
import numpy as np
import pytest
from machine import BF16, ROW_MAJOR, op_program, sharded


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

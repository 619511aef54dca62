"""The numbers of fused kernels of the TTMetal backend against the library's."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from op_formats import Array
from op_program import draws

import ttmlir
from ttmlir import runtime

#: Ops of one and of two inputs that stay in the range of f32 whatever they are given.
UNARY = ("abs", "neg", "relu", "sigmoid", "tanh", "floor", "sin", "gelu")
BINARY = ("add", "subtract", "maximum", "minimum", "multiply", "ge")


@draws(12)
@given(data=st.data())
def test_fused_ops_compute_the_same(data: st.DataObject) -> None:
    """Graphs of elementwise ops with broadcasts, and with results that several ops read."""
    b = ttmlir.Builder()
    shapes = [(2, 40, 33), (33,), (40, 1), (2, 1, 33)]
    values = [b.input(f"x{i}", shape) for i, shape in enumerate(shapes)]
    for _ in range(data.draw(st.integers(3, 24), label="ops")):
        if data.draw(st.booleans()):
            name = data.draw(st.sampled_from(UNARY))
            values.append(getattr(b, name)(data.draw(st.sampled_from(values[-4:]))))
        else:
            name = data.draw(st.sampled_from(BINARY))
            # The first input has the shape of the result.
            other = data.draw(st.sampled_from(values))
            values.append(getattr(b, name)(b.add(values[0], other), values[-1]))
    b.output(values[-1])
    rng = np.random.default_rng(0)
    inputs: list[Array] = [rng.uniform(-1, 1, shape).astype(np.float32) for shape in shapes]
    expected = ttmlir.compile(b)(*inputs)
    found = ttmlir.compile(b, backend="ttmetal")(*inputs)
    # What is rounded to bits of f32 in one backend and not in the other may differ by one of them
    # for each op.
    np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("numerics", list(runtime.Numerics), ids=lambda value: value.name)
def test_sums_in_registers_that_were_used(numerics: runtime.Numerics) -> None:
    """The matrix engine adds to a register that was written: a later sum takes another one."""
    b = ttmlir.Builder()
    x, y, z = (b.input(name, (64, 96), "bf16") for name in "xyz")
    total = b.add(b.add(x, y), b.multiply(x, z))
    for first, second in ((y, z), (x, z), (y, y)):
        total = b.add(total, b.subtract(first, second))
    b.output(total)
    # Integers that bf16 holds, so that every order and rounding gives the same.
    inputs = np.random.default_rng(1).integers(-3, 4, (3, 64, 96)).astype(np.float32)
    inputs = inputs.astype(ml_dtypes.bfloat16)
    exe = ttmlir.compile(b, backend="ttmetal")
    options = runtime.get_device_options(exe.device)
    try:
        runtime.set_device_options(exe.device, runtime.DeviceOptions(numerics=numerics))
        found = exe(*inputs)
    finally:
        runtime.set_device_options(exe.device, options)
    x1, y1, z1 = inputs.astype(np.int32)
    expected = x1 + y1 + x1 * z1 + (y1 - z1) + (x1 - z1)
    np.testing.assert_array_equal(np.asarray(found).astype(np.int32), expected)

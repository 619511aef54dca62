"""Norms of tensors whose last dimension the chips of a mesh share, against NumPy in float64."""

from __future__ import annotations

import numpy as np
import pytest
from op_formats import FORMATS, Array, check, random

import ttmlir

#: The ops of these tests.
NAMES = {"distributed_rms_norm", "distributed_layer_norm"}
MESHES = {(1, 2): "n300", (2, 4): "t3000", (8, 1): "t3000"}


def expected(
    op: str, x: Array, weight: Array | None, bias: Array | None, residual: Array | None
) -> Array:
    wide = x.astype(np.float64)
    if residual is not None:
        wide = wide + residual.astype(np.float64)
    if op == "distributed_layer_norm":
        wide = wide - wide.mean(axis=-1, keepdims=True)
    result = wide / np.sqrt((wide * wide).mean(axis=-1, keepdims=True) + np.float64(1e-5))
    if weight is not None:
        result = result * weight.astype(np.float64)
    return result if bias is None else result + bias.astype(np.float64)


@pytest.mark.parametrize("backend", ["ttnn", "ttmetal"])
@pytest.mark.parametrize("dtype", ["f32", "bf16"])
@pytest.mark.parametrize("mesh", sorted(MESHES))
@pytest.mark.parametrize("op", sorted(NAMES))
def test_numbers(op: str, mesh: tuple[int, int], dtype: str, backend: str) -> None:
    axis = 0 if mesh[1] == 1 else 1
    # The axis cuts the last dimension, the other one the first.
    dims = (2, 0) if axis == 0 else (0, 2)
    rng = np.random.default_rng(mesh[0] + mesh[1])
    shape = (4, 5, 40 * mesh[axis])
    arrays = [random(rng, shape, dtype) for _ in range(2)]
    rows = [random(rng, shape[-1:], dtype) for _ in range(2)]
    b = ttmlir.Builder(mesh_shape=mesh)
    x, residual = (b.mesh_shard(b.input(name, shape, dtype), dims) for name in ("x", "residual"))
    along = tuple(0 if d == axis else None for d in range(2))
    weight, bias = (
        b.mesh_shard(b.input(name, shape[-1:], dtype), along) for name in ("weight", "bias")
    )
    options = {} if op == "distributed_rms_norm" else {"bias": bias}
    whole = getattr(b, op)(x, axis, weight=weight, residual=residual, **options)
    plain = getattr(b, op)(x, axis)
    unused = b.neg(bias)
    b.output(*(b.mesh_gather(y, dims) for y in (whole, plain)), b.mesh_gather(unused, along))
    exe = ttmlir.compile(b, target=MESHES[mesh], backend=backend)
    found = exe(*arrays, *rows)
    own_bias = rows[1] if options else None
    form = FORMATS[dtype]
    check(found[0], expected(op, arrays[0], rows[0], own_bias, arrays[1]), form, 16, 2.0**-15)
    check(found[1], expected(op, arrays[0], None, None, None), form, 16, 2.0**-15)

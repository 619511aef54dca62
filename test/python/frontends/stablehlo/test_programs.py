"""Programs of many kinds agree with JAX on the CPU."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

jax = pytest.importorskip("jax")
pytest.importorskip("jaxlib.mlir.dialects.stablehlo")

from jax_programs import PROGRAMS  # noqa: E402

import ttmlir  # noqa: E402


def check(got: Any, want: Any, tolerance: float) -> None:
    """Compares leaves: integers exactly, floats relative to the greatest magnitude of a leaf."""
    got_leaves, got_tree = jax.tree.flatten(got)
    leaves, tree = jax.tree.flatten(want)
    assert got_tree == tree
    for i, (a, b) in enumerate(zip(got_leaves, map(np.asarray, leaves), strict=True)):
        assert (a.shape, a.dtype) == (b.shape, b.dtype), i
        if b.dtype.kind in "iub":
            np.testing.assert_array_equal(a, b, err_msg=f"result {i}")
            continue
        finite = np.abs(b[np.isfinite(b)])
        size = max(1.0, float(finite.max(initial=0.0)))
        np.testing.assert_allclose(a, b, rtol=0, atol=tolerance * size, err_msg=f"result {i}")


@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name: str) -> None:
    program = PROGRAMS[name]
    args = program.arguments(np.random.default_rng(0))
    with jax.default_matmul_precision("highest"):
        want = jax.jit(program.function)(*args)
        executable = ttmlir.compile(program.function, *args)
        check(executable(*args), want, program.tolerance)

"""StableHLO on JAX's CPU, and what agrees with it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import jax
import numpy as np
from jaxlib import xla_client


def run_text(text: str, inputs: Sequence[Any]) -> list[Any]:
    """What a module of StableHLO computes on the CPU."""
    device = jax.devices("cpu")[0]
    options = xla_client.CompileOptions()
    devices = xla_client.DeviceList((device,))
    executable = device.client.compile_and_load(text.encode(), devices, options)
    buffers = [jax.device_put(np.asarray(x), device) for x in inputs]
    return [np.asarray(x) for x in executable.execute(buffers)]


def assert_close(got: Any, want: Any, tolerance: float = 1e-5) -> None:
    """Compares trees of arrays: integers exactly, floats relative to the greatest magnitude."""
    leaves, tree = jax.tree.flatten(want)
    got_leaves, got_tree = jax.tree.flatten(got)
    assert got_tree == tree
    for i, (a, b) in enumerate(zip(got_leaves, map(np.asarray, leaves), strict=True)):
        assert (a.shape, a.dtype) == (b.shape, b.dtype), f"result {i}"
        if b.dtype.kind in "iub":
            np.testing.assert_array_equal(a, b, err_msg=f"result {i}")
            continue
        kind = np.complex128 if b.dtype.kind == "c" else np.float64
        wide = b.astype(kind)
        finite = np.abs(wide[np.isfinite(wide)])
        size = max(1.0, float(finite.max(initial=0.0)))
        np.testing.assert_allclose(
            a.astype(kind), wide, rtol=0, atol=tolerance * size, err_msg=f"result {i}"
        )

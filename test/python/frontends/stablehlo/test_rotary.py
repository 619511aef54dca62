"""Rotary embeddings of JAX functions are one op."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest

import ttmlir


def split(x: Any, cos: Any, sin: Any) -> Any:
    first, second = jnp.split(x, 2, axis=-1)
    return x * cos + jnp.concatenate([-second, first], axis=-1) * sin


def sliced(x: Any, cos: Any, sin: Any) -> Any:
    half = x.shape[-1] // 2
    turned = jnp.concatenate([-x[..., half:], x[..., :half]], axis=-1)
    return turned * sin + cos * x


@pytest.mark.parametrize("function", [split, sliced])
@pytest.mark.parametrize(
    ("shape", "table"), [((2, 4, 40, 64), (40, 64)), ((3, 8, 1, 128), (3, 1, 1, 128))]
)
def test_functions(function: Any, shape: tuple[int, ...], table: tuple[int, ...]) -> None:
    rng = np.random.default_rng(0)
    x = rng.standard_normal(shape, np.float32)
    angles = rng.uniform(0, 6, table).astype(np.float32)
    arrays = (x, np.cos(angles), np.sin(angles))
    exe = ttmlir.compile(function, *arrays, target="n150")
    names = [op.name for op in exe.estimate().ops if op.phase == "run" and op.kernels]
    assert names == ["rotary_embedding"]
    np.testing.assert_allclose(exe(*arrays), function(*arrays), rtol=0, atol=2e-6)

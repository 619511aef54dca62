"""Programs that JAX lowers to linalg itself: nothing in them was written for these front ends."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

import ttmlir

stablehlo = pytest.importorskip("jaxlib.mlir.dialects.stablehlo")
passmanager = pytest.importorskip("jaxlib.mlir.passmanager")


def to_linalg(function: Callable[..., Any], *arguments: Any) -> str:
    stablehlo.register_stablehlo_passes()
    module = jax.jit(function).lower(*arguments).compiler_ir("stablehlo")
    with module.context:
        passes = "inline,symbol-dce,stablehlo-legalize-to-linalg,canonicalize,cse"
        passmanager.PassManager.parse(f"builtin.module({passes})").run(module.operation)
    return str(module)


def conv(x: Any, k: Any) -> Any:
    numbers = ("NHWC", "HWIO", "NHWC")
    return lax.conv_general_dilated(x, k, (2, 1), [(1, 0), (1, 1)], dimension_numbers=numbers)


def attention(q: Any, k: Any, v: Any) -> Any:
    scores = jnp.einsum("bqhd,bkhd->bhqk", q, k) / q.shape[-1] ** 0.5
    mask = jnp.tril(jnp.ones(scores.shape[-2:], bool))
    return jnp.einsum("bhqk,bkhd->bqhd", jax.nn.softmax(jnp.where(mask, scores, -1e9)), v)


def layer_norm(x: Any, g: Any) -> Any:
    centred = x - x.mean(-1, keepdims=True)
    return centred * lax.rsqrt((centred**2).mean(-1, keepdims=True) + 1e-5) * g


CASES: dict[str, tuple[Callable[..., Any], list[tuple[int, ...]]]] = {
    "dense": (lambda x, w, b: jax.nn.relu(x @ w + b), [(4, 8), (8, 16), (16,)]),
    "softmax": (lambda x: jax.nn.softmax(x, axis=0), [(7, 40)]),
    "convolution": (conv, [(1, 9, 8, 4), (3, 3, 4, 33)]),
    "attention": (attention, [(2, 16, 4, 8), (2, 16, 4, 8), (2, 16, 4, 8)]),
    "layer norm": (layer_norm, [(2, 16, 64), (64,)]),
    "gelu": (lambda x: jax.nn.gelu(x, approximate=True), [(7, 40)]),
    "silu": (jax.nn.silu, [(7, 40)]),
    "contraction": (lambda a, b: jnp.einsum("abcd,dbe->eca", a, b), [(2, 3, 4, 5), (5, 3, 6)]),
    "variance": (lambda x: jnp.var(x, axis=(0, 2)), [(3, 5, 40)]),
    "pieces": (lambda x: (lax.slice(x, (1, 0), (7, 40), (1, 2)) * 2).T, [(7, 40)]),
    "padding": (lambda x: jnp.pad(x, ((1, 2), (0, 3)), constant_values=1.5), [(7, 40)]),
    "range": (lambda x: x + jnp.arange(40, dtype=jnp.float32), [(7, 40)]),
    "choice": (lambda x, y: jnp.where((x > y) & (y < 1), x, jnp.minimum(y, 0)), [(7, 40), (7, 1)]),
    "integers": (lambda x: jnp.sign(jnp.floor(x * 3).astype(jnp.int32) % 5) * 2, [(7, 40)]),
    "norm": (lambda x: jnp.sqrt((x * x).sum()), [(7, 40)]),
}


@pytest.mark.parametrize("name", CASES)
def test_programs(name: str) -> None:
    function, shapes = CASES[name]
    rng = np.random.default_rng(0)
    inputs = [rng.standard_normal(shape).astype(np.float32) for shape in shapes]
    got = ttmlir.compile(to_linalg(function, *inputs))(*inputs)
    with jax.default_matmul_precision("highest"):
        want = np.asarray(function(*inputs))
    assert got.dtype == want.dtype
    np.testing.assert_allclose(got.reshape(want.shape), want, rtol=1e-5, atol=1e-5)

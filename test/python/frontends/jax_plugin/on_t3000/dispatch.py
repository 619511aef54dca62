"""Calls on several meshes at once: they return before they are over, and keep their order."""

from __future__ import annotations

import gc
from concurrent.futures import ThreadPoolExecutor
from random import Random
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import NamedSharding
from jax.sharding import PartitionSpec as P
from placing import grid, put, random, row


def test_meshes_and_chips_at_once(chips: Any) -> None:
    """Two meshes without a common chip, one of all chips, and single chips: calls return at once,
    and each finds what was dispatched before it."""
    left, right, whole = row(chips[:4]), row(chips[4:]), grid(chips)
    step = jax.jit(lambda x: x * 0.5 + 1)
    host = random(16, 16)
    arrays = [
        put(left, host, "x"),
        put(right, host, None, "x"),
        put(whole, host, "data", "model"),
        jax.device_put(host, chips[3]),
        jax.device_put(host, chips[5]),
    ]
    expected = host
    for _ in range(6):
        arrays = [step(x) for x in arrays]
        expected = expected * np.float32(0.5) + 1
    for x in arrays:
        np.testing.assert_allclose(x, expected, rtol=1e-6)
    moved = jax.device_put(arrays[0], arrays[1].sharding)
    np.testing.assert_allclose(jax.jit(jnp.add)(moved, arrays[1]), 2 * expected, rtol=1e-6)


SPECS = [P(), P("data"), P("model"), P("data", "model"), P(None, "model"), P(("data", "model"))]


def work(chips: Any, seed: int) -> None:
    """Random calls, transfers, donations and deletions, with numbers that are checked."""
    rng = Random(seed)
    meshes = [grid(chips), grid([chips[i] for i in (0, 1, 4, 5)]), grid(chips[2:4] + chips[6:])]
    add = jax.jit(lambda x, y: (x + y, (x * y).sum()))
    halve = jax.jit(lambda x: x * 0.5 + 1, donate_argnums=0)
    for _ in range(15):
        mesh, host = rng.choice(meshes), np.full((16, 16), rng.random(), np.float32)
        x, y = (jax.device_put(host, NamedSharding(mesh, rng.choice(SPECS))) for _ in range(2))
        z, product = add(x, y)
        expected = host + host
        if rng.random() < 0.5:
            z, expected = halve(z), expected * np.float32(0.5) + 1
        if rng.random() < 0.3:
            x.delete()
        if rng.random() < 0.3:
            z = jax.device_put(z, NamedSharding(rng.choice(meshes), rng.choice(SPECS)))
        if rng.random() < 0.2:
            z = jax.device_put(z, rng.choice(chips))
        if rng.random() < 0.5:
            np.testing.assert_allclose(z, expected, rtol=1e-5)
            np.testing.assert_allclose(product, (host * host).sum(), rtol=1e-3)


def test_threads(chips: Any) -> None:
    """Nothing of it stays in DRAM."""
    gc.collect()
    before = [chip.memory_stats()["bytes_in_use"] for chip in chips]
    with ThreadPoolExecutor(3) as threads:
        for done in [threads.submit(work, chips, seed) for seed in range(3)]:
            done.result()
    gc.collect()
    assert [chip.memory_stats()["bytes_in_use"] for chip in chips] == before

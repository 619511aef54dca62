"""Libraries on top of JAX with sharded arrays, unchanged, where they are installed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import jax
import numpy as np
import pytest
from jax.sharding import Mesh, NamedSharding
from jax.sharding import PartitionSpec as P


def train(devices: Any, steps: int) -> list[float]:
    """The losses of a network with its batches over the devices, and the hidden layer, too."""
    optax = pytest.importorskip("optax")
    nnx = pytest.importorskip("flax.nnx")
    mesh = Mesh(np.array(devices).reshape(2, -1), ("data", "model"))

    class Network(nnx.Module):  # type: ignore[misc, name-defined]
        def __init__(self, rngs: Any) -> None:
            self.a = nnx.Linear(64, 128, rngs=rngs)
            self.norm = nnx.LayerNorm(128, rngs=rngs)
            self.b = nnx.Linear(128, 10, rngs=rngs)

        def __call__(self, x: Any) -> Any:
            return self.b(self.norm(nnx.gelu(self.a(x))))

    def where(path: Any, leaf: Any) -> NamedSharding:
        name = jax.tree_util.keystr(path)
        if leaf.ndim != 2:
            return NamedSharding(mesh, P())
        return NamedSharding(mesh, P(None, "model") if "'a'" in name else P("model", None))

    rng = np.random.default_rng(0)
    images = rng.standard_normal((128, 64), np.float32)
    labels = (images @ rng.standard_normal((64, 10), np.float32)).argmax(1)
    graph, params = nnx.split(Network(nnx.Rngs(0)))
    params = jax.tree_util.tree_map_with_path(lambda p, x: jax.device_put(x, where(p, x)), params)
    optimizer = optax.adamw(1e-2)
    state = jax.jit(optimizer.init)(params)

    @jax.jit
    def step(params: Any, state: Any, x: Any, y: Any) -> Any:
        def loss(params: Any) -> Any:
            logits = nnx.merge(graph, params)(x)
            return optax.softmax_cross_entropy_with_integer_labels(logits, y).mean()

        value, gradients = jax.value_and_grad(loss)(params)
        update, state = optimizer.update(gradients, state, params)
        return optax.apply_updates(params, update), state, value

    losses = []
    for i in range(steps):
        rows = slice(i % 4 * 32, i % 4 * 32 + 32)
        batch = jax.device_put((images[rows], labels[rows]), NamedSharding(mesh, P("data")))
        params, state, value = step(params, state, *batch)
        losses.append(value)
    for leaf in jax.tree.leaves((params, state)):
        assert leaf.devices() == set(devices) or leaf.ndim == 0
    return [float(value) for value in losses]


def test_flax_and_optax_train(chips: Any, cpus: Any) -> None:
    found, expected = train(chips, 20), train(cpus, 20)
    assert found[-1] < found[0] / 1.5
    np.testing.assert_allclose(found, expected, rtol=3e-2)


def test_orbax_checkpoint(chips: Any, tmp_path: Path) -> None:
    """Saved from one mesh, restored to the same one and to another."""
    orbax = pytest.importorskip("orbax.checkpoint")
    mesh = Mesh(np.array(chips).reshape(2, 4), ("data", "model"))
    places = {"w": NamedSharding(mesh, P("data", "model")), "step": NamedSharding(mesh, P())}
    state = jax.device_put(
        {"w": np.arange(128, dtype=np.float32).reshape(8, 16), "step": np.int32(7)}, places
    )
    state["w"] = jax.jit(lambda w: w * 2)(state["w"])
    path = tmp_path / "state"
    with orbax.StandardCheckpointer() as writer:
        writer.save(path, state)
    other = NamedSharding(Mesh(np.array(chips[:4]), ("x",)), P(None, "x"))
    for wanted in (places["w"], other):
        like = jax.tree.map(orbax.utils.to_shape_dtype_struct, state)
        like["w"] = jax.ShapeDtypeStruct((8, 16), np.float32, sharding=wanted)
        with orbax.StandardCheckpointer() as reader:
            found = reader.restore(path, like)
        assert found["w"].sharding.is_equivalent_to(wanted, 2)
        np.testing.assert_array_equal(found["w"], state["w"])
        assert int(found["step"]) == 7

"""Libraries on top of JAX, unchanged, where they are installed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest


def data() -> tuple[Any, Any]:
    rng = np.random.default_rng(0)
    images = rng.standard_normal((128, 8, 8, 1), np.float32)
    truth = rng.standard_normal((64, 10), np.float32)
    return images, (images.reshape(128, 64) @ truth).argmax(1)


def network_and_optimizer(seed: int) -> tuple[Any, Any]:
    """A small network with a convolution, batch norm and dropout, and its optimizer."""
    optax = pytest.importorskip("optax")
    nnx = pytest.importorskip("flax.nnx")

    class Network(nnx.Module):  # type: ignore[misc, name-defined]
        def __init__(self, rngs: Any) -> None:
            self.conv = nnx.Conv(1, 8, (3, 3), rngs=rngs)
            self.norm = nnx.BatchNorm(8, rngs=rngs)
            self.drop = nnx.Dropout(0.1, rngs=rngs)
            self.out = nnx.Linear(8 * 16, 10, rngs=rngs)

        def __call__(self, x: Any) -> Any:
            x = nnx.avg_pool(nnx.relu(self.norm(self.conv(x))), (2, 2), (2, 2))
            return self.out(self.drop(x.reshape(x.shape[0], -1)))

    network = Network(nnx.Rngs(seed))
    return network, nnx.Optimizer(network, optax.adamw(1e-2), wrt=nnx.Param)


def train(network: Any, optimizer: Any, device: Any, steps: range) -> list[float]:
    """The losses of some steps on the device."""
    optax = pytest.importorskip("optax")
    nnx = pytest.importorskip("flax.nnx")

    def step(network: Any, optimizer: Any, x: Any, y: Any) -> Any:
        def loss(network: Any) -> Any:
            return optax.softmax_cross_entropy_with_integer_labels(network(x), y).mean()

        value, gradients = nnx.value_and_grad(loss)(network)
        optimizer.update(network, gradients)
        return value

    images, labels = data()
    jitted = nnx.jit(step)
    losses = []
    for i in steps:
        rows = slice(i % 4 * 32, i % 4 * 32 + 32)
        losses.append(jitted(network, optimizer, images[rows], labels[rows]))
    assert losses[-1].devices() == {device}
    return [float(loss) for loss in losses]


def test_flax_and_optax_train(chip: Any) -> None:
    losses = []
    for device in (chip, jax.devices("cpu")[0]):
        with jax.default_device(device):
            losses.append(train(*network_and_optimizer(0), device, range(30)))
    found, expected = losses
    assert found[-1] < found[0] / 1.5
    np.testing.assert_allclose(found, expected, rtol=2e-2)


def test_optax_with_donated_state(chip: Any) -> None:
    optax = pytest.importorskip("optax")
    optimizer = optax.adam(1e-1)
    x = jax.device_put(np.random.default_rng(0).standard_normal((64, 8), np.float32), chip)
    truth = jax.device_put(np.arange(8, dtype=np.float32), chip)

    def step(weights: Any, state: Any) -> Any:
        loss, gradient = jax.value_and_grad(lambda w: jnp.mean((x @ w - x @ truth) ** 2))(weights)
        update, state = optimizer.update(gradient, state)
        return optax.apply_updates(weights, update), state, loss

    jitted = jax.jit(step, donate_argnums=(0, 1))
    weights = jax.device_put(np.zeros(8, np.float32), chip)
    with jax.default_device(chip):
        state = optimizer.init(weights)
    first = None
    for _ in range(60):
        old = weights
        weights, state, loss = jitted(weights, state)
        assert old.is_deleted()
        first = loss if first is None else first
    assert float(loss) < float(first) / 10


def test_orbax_checkpoint(chip: Any, tmp_path: Path) -> None:
    orbax = pytest.importorskip("orbax.checkpoint")
    state = {
        "w": jax.device_put(np.arange(12, dtype=np.float32).reshape(3, 4), chip),
        "step": jax.device_put(np.int32(7), chip),
    }
    state["w"] = jax.jit(lambda w: w * 2)(state["w"])
    path = tmp_path / "state"
    with orbax.StandardCheckpointer() as writer:
        writer.save(path, state)
    with orbax.StandardCheckpointer() as reader:
        found = reader.restore(path, jax.tree.map(orbax.utils.to_shape_dtype_struct, state))
    assert found["w"].devices() == {chip}
    np.testing.assert_array_equal(found["w"], state["w"])
    assert int(found["step"]) == 7


def test_training_goes_on_from_a_checkpoint(chip: Any, tmp_path: Path) -> None:
    """Parameters, statistics, the state of the optimizer and that of the random numbers."""
    orbax = pytest.importorskip("orbax.checkpoint")
    nnx = pytest.importorskip("flax.nnx")
    path = tmp_path / "state"
    with jax.default_device(chip):
        both = network_and_optimizer(0)
        before = train(*both, chip, range(4))
        state = nnx.to_pure_dict(nnx.state(both))
        with orbax.StandardCheckpointer() as writer:
            writer.save(path, state)
        expected = train(*both, chip, range(4, 8))

        others = network_and_optimizer(1)
        fresh = nnx.state(others)
        like = jax.tree.map(orbax.utils.to_shape_dtype_struct, nnx.to_pure_dict(fresh))
        with orbax.StandardCheckpointer() as reader:
            found = reader.restore(path, like)
        assert all(leaf.devices() == {chip} for leaf in jax.tree.leaves(found))
        nnx.replace_by_pure_dict(fresh, found)
        nnx.update(others, fresh)
        assert train(*others, chip, range(4, 8)) == expected
    assert expected[-1] < before[0]

"""Trains a small convolutional network with Flax and Optax on an emulated n150.

The scans of handwritten digits are real and come with scikit-learn. The program is plain JAX: only
the device refers to the chip. It also runs on JAX's CPU, with the same initial weights, and both
must reach the same accuracy.

    python examples/jax/train_digits.py [--steps 200] [--batch 64] [--seed 0]

Exits with status 1 if the accuracies differ by more than half a percent.
"""

from __future__ import annotations

import argparse
import sys
import time
from dataclasses import dataclass
from functools import partial
from typing import Any, cast

import jax
import numpy as np
import optax
from flax import nnx
from rich.console import Console
from rich.table import Table
from sklearn.datasets import load_digits  # type: ignore[import-untyped]

import ttmlir
import ttmlir.jax

Array = np.ndarray[Any, np.dtype[Any]]
#: Maximum difference of the accuracies: two of the scans.
TOLERANCE = 0.005


@dataclass(frozen=True)
class Digits:
    """Images (n, 8, 8, 1) in [0, 1], and labels (n,)."""

    images: Array
    labels: Array

    def batch(self, number: int, size: int) -> tuple[Array, Array]:
        """Returns batch ``number``, cycling through the data."""
        start = number % (len(self.images) // size) * size
        rows = slice(start, start + size)
        return self.images[rows], self.labels[rows]


def split_digits(seed: int) -> tuple[Digits, Digits]:
    """Returns training and test digits, of which the latter are a quarter."""
    images, labels = cast("tuple[Array, Array]", load_digits(return_X_y=True))
    images = (images / 16).astype(np.float32).reshape(-1, 8, 8, 1)
    order = np.random.default_rng(seed).permutation(len(images))
    test, train = order[: len(order) // 4], order[len(order) // 4 :]
    labels = labels.astype(np.int32)
    return Digits(images[train], labels[train]), Digits(images[test], labels[test])


class Network(nnx.Module):
    """Two convolutions with pooling, and a dense layer: (n, 8, 8, 1) to logits (n, 10)."""

    def __init__(self, rngs: nnx.Rngs) -> None:
        self.first = nnx.Conv(1, 16, (3, 3), rngs=rngs)
        self.second = nnx.Conv(16, 32, (3, 3), rngs=rngs)
        self.dense = nnx.Linear(2 * 2 * 32, 10, rngs=rngs)

    def __call__(self, x: jax.Array) -> jax.Array:
        pool = partial(nnx.max_pool, window_shape=(2, 2), strides=(2, 2))
        x = pool(nnx.relu(self.first(x)))
        x = pool(nnx.relu(self.second(x)))
        return self.dense(x.reshape(len(x), -1))


@nnx.jit
def step(
    network: Network, optimizer: nnx.Optimizer[Network], images: jax.Array, labels: jax.Array
) -> jax.Array:
    """Updates the network with one batch; returns the loss before."""

    def mean_loss(network: Network) -> jax.Array:
        logits = network(images)
        return optax.softmax_cross_entropy_with_integer_labels(logits, labels).mean()

    loss, gradient = nnx.value_and_grad(mean_loss)(network)
    optimizer.update(network, gradient)
    return loss


@nnx.jit
def predict(network: Network, images: jax.Array) -> jax.Array:
    return network(images).argmax(axis=1)


@dataclass(frozen=True)
class Training:
    """Results of training; ``report`` is that of a step on the chip."""

    losses: Array
    accuracy: float
    seconds: float
    report: ttmlir.Report | None


def train(device: jax.Device, steps: int, batch: int, seed: int) -> Training:
    """Trains and tests on a device."""
    training, testing = split_digits(seed)
    with jax.default_device(device):
        network = Network(nnx.Rngs(seed))
        optimizer = nnx.Optimizer(network, optax.adam(3e-3), wrt=nnx.Param)
        start = time.perf_counter()
        # A call returns immediately, and the losses are only read at the end.
        losses = [step(network, optimizer, *training.batch(i, batch)) for i in range(steps)]
        found = np.array(losses)
        seconds = time.perf_counter() - start
        accuracy = float((np.asarray(predict(network, testing.images)) == testing.labels).mean())
        report = None
        if device.platform != "cpu":
            report = ttmlir.jax.report(step, network, optimizer, *training.batch(0, batch))
    return Training(found, accuracy, seconds, report)


def show(console: Console, trainings: dict[str, Training]) -> None:
    table = Table(title="Training a convolutional network on handwritten digits")
    for column in ("device", "first loss", "last loss", "accuracy", "host time"):
        table.add_column(column, justify="left" if column == "device" else "right")
    for name, t in trainings.items():
        first, last = t.losses[0], t.losses[-1]
        time_needed = f"{t.seconds:.1f} s"
        table.add_row(name, f"{first:.4f}", f"{last:.4f}", f"{t.accuracy:.2%}", time_needed)
    console.print(table)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--steps", type=int, default=200)
    parser.add_argument("--batch", type=int, default=64)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    console = Console()

    chip, cpu = jax.devices("tt")[0], jax.devices("cpu")[0]
    run = partial(train, steps=options.steps, batch=options.batch, seed=options.seed)
    own, other = run(chip), run(cpu)
    show(console, {f"{chip.device_kind}": own, "JAX's CPU": other})
    assert own.report is not None
    console.print(
        f"The chip would need {own.report.seconds * 1e6:.1f} us for a step, "
        f"{len(own.report.ops)} ops."
    )
    if abs(own.accuracy - other.accuracy) <= TOLERANCE:
        return 0
    print(
        f"error: expected accuracies that differ by at most {TOLERANCE:.1%}, found "
        f"{own.accuracy:.2%} on the chip and {other.accuracy:.2%} on the CPU",
        file=sys.stderr,
    )
    return 1


if __name__ == "__main__":
    sys.exit(main())

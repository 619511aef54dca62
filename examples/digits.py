"""Trains a classifier of handwritten digits, compiles it and runs it on the emulated n150.

The scans are real and come with scikit-learn. The network has three dense layers; it runs in f32,
in bf16, and in bf16 with weights in bfp8 (8-bit mantissas that share an exponent), as library calls
(TTNN) and as generated kernels (TTMetal). Every prediction is compared with NumPy's.

    python examples/digits.py [--epochs 40] [--output-dir .]

Writes digits.ttnn (the compiled f32 network) and digits.png (a few scans with the predictions), and
exits with status 1 if too many predictions differ.
"""

from __future__ import annotations

import argparse
import itertools
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, cast

import ml_dtypes
import numpy as np
from rich.console import Console
from rich.progress import Progress
from rich.table import Table
from sklearn.datasets import load_digits  # type: ignore[import-untyped]

import ttmlir

Array = np.ndarray[Any, np.dtype[Any]]
LAYERS = (64, 128, 64, 10)


@dataclass(frozen=True)
class Variant:
    """Formats and backend of a compiled network, and the required agreement with NumPy."""

    name: str
    activations: str
    weights: str
    agreement: float
    backend: Literal["ttnn", "ttmetal"] = "ttnn"


VARIANTS = (
    Variant("f32", "f32", "f32", 1.0),
    Variant("bf16", "bf16", "bf16", 0.99),
    Variant("bf16, bfp8 weights", "bf16", "bfp8_b", 0.99),
    Variant("f32, TTMetal", "f32", "f32", 1.0, "ttmetal"),
    Variant("bf16, TTMetal", "bf16", "bf16", 0.99, "ttmetal"),
    Variant("bfp8 weights, TTMetal", "bf16", "bfp8_b", 0.99, "ttmetal"),
)


@dataclass(frozen=True)
class Outcome:
    variant: Variant
    predictions: Array
    accuracy: float
    agreement: float
    seconds: float
    report: ttmlir.Report


def split_digits() -> tuple[Array, Array, Array, Array]:
    """Returns train and test images (n, 64) in [0, 1] and their labels; a quarter is for
    testing."""
    images, labels = cast("tuple[Array, Array]", load_digits(return_X_y=True))
    images = (images / 16.0).astype(np.float32)
    order = np.random.default_rng(0).permutation(len(images))
    test, train = order[: len(order) // 4], order[len(order) // 4 :]
    return images[train], labels[train], images[test], labels[test]


def forward(parameters: list[Array], x: Array) -> list[Array]:
    """Returns the activations of every layer in NumPy; the last are the logits."""
    activations = [x]
    for i in range(0, len(parameters), 2):
        z = activations[-1] @ parameters[i] + parameters[i + 1]
        last = i + 2 == len(parameters)
        activations.append(z if last else np.maximum(z, 0))
    return activations


def train(images: Array, labels: Array, epochs: int, console: Console) -> list[Array]:
    """Trains weights and biases with Adam on the cross entropy, in float32."""
    rng = np.random.default_rng(1)
    parameters: list[Array] = []
    for fan_in, fan_out in itertools.pairwise(LAYERS):
        scale = np.sqrt(2 / fan_in)
        parameters.append((rng.standard_normal((fan_in, fan_out)) * scale).astype(np.float32))
        parameters.append(np.zeros((1, fan_out), np.float32))
    moments = [(np.zeros_like(p), np.zeros_like(p)) for p in parameters]
    step, targets = 0, np.eye(10, dtype=np.float32)[labels]
    with Progress(console=console, transient=True) as progress:
        for _ in progress.track(range(epochs), description="Training"):
            order = rng.permutation(len(images))
            for start in range(0, len(order), 64):
                batch = order[start : start + 64]
                step += 1
                for i, gradient in enumerate(gradients(parameters, images[batch], targets[batch])):
                    mean, square = moments[i]
                    mean += 0.1 * (gradient - mean)
                    square += 0.001 * (gradient**2 - square)
                    rate = 3e-3 * np.sqrt(1 - 0.999**step) / (1 - 0.9**step)
                    parameters[i] -= (rate * mean / (np.sqrt(square) + 1e-8)).astype(np.float32)
    return parameters


def gradients(parameters: list[Array], x: Array, targets: Array) -> list[Array]:
    """Returns the gradient of the mean cross entropy for each parameter."""
    activations = forward(parameters, x)
    logits = activations[-1] - activations[-1].max(axis=1, keepdims=True)
    softmax = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
    delta = (softmax - targets) / len(x)
    found: list[Array] = []
    for i in range(len(parameters) - 2, -1, -2):
        below = activations[i // 2]
        found[:0] = [below.T @ delta, delta.sum(axis=0, keepdims=True)]
        if i:
            delta = (delta @ parameters[i].T) * (below > 0)
    return found


def build(variant: Variant, batch: int) -> ttmlir.Builder:
    """Builds the network in TTIR: images and parameters are inputs, logits the output."""
    b = ttmlir.Builder("digits")
    x = b.input("x", (batch, LAYERS[0]), variant.activations)
    for i, (fan_in, fan_out) in enumerate(itertools.pairwise(LAYERS)):
        w = b.input(f"w{i}", (fan_in, fan_out), variant.weights)
        bias = b.input(f"b{i}", (1, fan_out), variant.activations)
        x = b.add(b.matmul(x, w, name=f"dense{i}"), bias, name=f"bias{i}")
        if i < len(LAYERS) - 2:
            x = b.relu(x, name=f"relu{i}")
    b.output(x)
    return b


def run(variant: Variant, parameters: list[Array], images: Array, labels: Array) -> Outcome:
    """Compiles a variant and runs it on all images at once."""
    network = build(variant, len(images))
    executable = ttmlir.compile(network, backend=variant.backend, target="n150")
    dtype = np.float32 if variant.activations == "f32" else ml_dtypes.bfloat16
    inputs = [array.astype(dtype) for array in [images, *parameters]]
    start = time.perf_counter()
    logits = executable(*inputs)
    seconds = time.perf_counter() - start
    predictions = logits.astype(np.float32).argmax(axis=1)
    expected = forward(parameters, images)[-1].argmax(axis=1)
    return Outcome(
        variant,
        predictions,
        float((predictions == labels).mean()),
        float((predictions == expected).mean()),
        seconds,
        executable.report(),
    )


def draw(images: Array, labels: Array, outcomes: list[Outcome], path: Path) -> None:
    """Draws a few scans, each with the predictions of all variants."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    # One of each digit, then scans that some variant misclassifies.
    wrong = np.flatnonzero(sum(o.predictions != labels for o in outcomes))
    chosen = [int(np.flatnonzero(labels == digit)[0]) for digit in range(10)]
    chosen += [int(i) for i in wrong if i not in chosen][:2]

    # Matplotlib's types are incomplete.
    plots: Any = pyplot
    figure, axes = plots.subplots(2, 6, figsize=(12, 5.4))
    for axis in axes.flat:
        axis.axis("off")
    for i, axis in zip(chosen, axes.flat, strict=False):
        axis.axis("on")
        axis.imshow(images[i].reshape(8, 8), cmap="gray_r")
        axis.set_xticks([])
        axis.set_yticks([])
        found = [int(o.predictions[i]) for o in outcomes]
        right = all(f == labels[i] for f in found)
        axis.set_title(
            "f32 {}  bf16 {}  bfp8 {}".format(*found),
            fontsize=10,
            color="tab:green" if right else "tab:red",
        )
        axis.set_xlabel(f"label {labels[i]}", fontsize=9)
    figure.suptitle("Handwritten digits on the emulated n150")
    figure.tight_layout()
    figure.savefig(path, dpi=110)
    plots.close(figure)


def show(console: Console, accuracy: float, outcomes: list[Outcome]) -> None:
    table = Table(title="Handwritten digits on the emulated n150")
    for column in ("numbers", "accuracy", "same as NumPy", "host time", "modelled time"):
        table.add_column(column, justify="left" if column == "numbers" else "right")
    table.add_row("NumPy f32", f"{accuracy:.2%}", "", "", "")
    for o in outcomes:
        table.add_row(
            o.variant.name,
            f"{o.accuracy:.2%}",
            f"{o.agreement:.2%}",
            f"{o.seconds * 1e3:.1f} ms",
            f"{o.report.seconds * 1e6:.1f} us",
        )
    console.print(table)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--epochs", type=int, default=40)
    parser.add_argument("--output-dir", type=Path, default=Path())
    options = parser.parse_args()
    console = Console()

    train_images, train_labels, images, labels = split_digits()
    start = time.perf_counter()
    parameters = train(train_images, train_labels, options.epochs, console)
    seconds = time.perf_counter() - start
    console.print(
        f"Trained {'-'.join(map(str, LAYERS))} on {len(train_images)} scans in "
        f"{seconds:.1f} s; {len(images)} scans to test"
    )
    accuracy = float((forward(parameters, images)[-1].argmax(axis=1) == labels).mean())

    options.output_dir.mkdir(parents=True, exist_ok=True)
    binary = options.output_dir / "digits.ttnn"
    ttmlir.compile(build(VARIANTS[0], len(images))).save(binary)
    outcomes = [run(variant, parameters, images, labels) for variant in VARIANTS]
    show(console, accuracy, outcomes)
    picture = options.output_dir / "digits.png"
    draw(images, labels, outcomes, picture)
    console.print(f"Compiled program: {binary}\nPicture: {picture}")

    failed = [o for o in outcomes if o.agreement < o.variant.agreement]
    for o in failed:
        print(
            f"error: {o.variant.name}: {o.agreement:.2%} of the predictions are NumPy's, "
            f"expected at least {o.variant.agreement:.0%}",
            file=sys.stderr,
        )
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

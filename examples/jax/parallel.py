"""Trains a Transformer block on the eight chips of an emulated t3000, and on one of them.

The step is plain JAX, written for one device. The shardings of the arrays determine how the chips
share the work: the batch is sharded over the axis ``data`` of the mesh, and the weights over the
axis ``model``, the first projections of attention and MLP by columns and the last ones by rows. JAX
inserts the communication between the chips, and the report counts the bytes on every Ethernet link.

    TTMLIR_TARGET=t3000 python examples/jax/parallel.py [--mesh 8x1 --mesh 2x4] [--steps 3]

Exits with status 1 if the losses or the weights of a mesh differ from those of one chip by more
than rounding explains.
"""

from __future__ import annotations

import argparse
import os
import sys
from dataclasses import dataclass
from typing import Any

# Read when JAX creates its devices.
os.environ.setdefault("TTMLIR_TARGET", "t3000")

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding
from jax.sharding import PartitionSpec as P
from rich.console import Console
from rich.table import Table

import ttmlir
import ttmlir.jax

Tree = dict[str, Any]
#: Extents of the axes ``data`` and ``model``.
MESHES = ((1, 1), (8, 1), (2, 4), (1, 8))
#: Tolerance of losses and weight changes, relative to the greatest: f32 sums in another order.
TOLERANCE = 1e-5
HIDDEN, HEADS, MLP = 128, 8, 512
RATE = 2.0


def initial_weights(seed: int) -> Tree:
    """Draws normal numbers divided by the root of the rows."""
    rng = np.random.default_rng(seed)
    shapes = {
        "q": (HIDDEN, HIDDEN),
        "k": (HIDDEN, HIDDEN),
        "v": (HIDDEN, HIDDEN),
        "o": (HIDDEN, HIDDEN),
        "up": (HIDDEN, MLP),
        "down": (MLP, HIDDEN),
    }
    return {
        name: rng.standard_normal(shape, np.float32) / np.sqrt(np.float32(shape[0]))
        for name, shape in shapes.items()
    }


#: Shardings of the weights: heads and the inner elements of the MLP are divided.
SPECS = {
    name: P("model", None) if name in ("o", "down") else P(None, "model")
    for name in ("q", "k", "v", "o", "up", "down")
}


def block(w: Tree, x: Any) -> Any:
    """Attention with causal mask and an MLP, from (batch, sequence, hidden) to the same shape."""

    def norm(x: Any) -> Any:
        return x * jax.lax.rsqrt((x * x).mean(-1, keepdims=True) + 1e-5)

    def heads(x: Any) -> Any:
        return x.reshape(*x.shape[:2], HEADS, -1)

    h = norm(x)
    q, k, v = (heads(h @ w[name]) for name in ("q", "k", "v"))
    scores = jnp.einsum("bshd,bthd->bhst", q, k) / np.sqrt(HIDDEN // HEADS)
    past = jnp.tri(x.shape[1], dtype=bool)
    shares = jax.nn.softmax(jnp.where(past, scores, -jnp.inf), axis=-1)
    x = x + jnp.einsum("bhst,bthd->bshd", shares, v).reshape(x.shape) @ w["o"]
    return x + jax.nn.gelu(norm(x) @ w["up"]) @ w["down"]


@jax.jit
def step(w: Tree, x: Any, y: Any) -> tuple[Tree, Any]:
    """Takes a step of gradient descent towards the targets ``y``; also returns the previous
    loss."""
    loss, gradient = jax.value_and_grad(lambda w: ((block(w, x) - y) ** 2).mean())(w)
    return jax.tree.map(lambda p, g: p - RATE * g, w, gradient), loss


@dataclass(frozen=True)
class Outcome:
    """Results of a mesh: the changes of the weights, the losses, the report of a step."""

    changes: Tree
    losses: list[float]
    report: ttmlir.Report


def run(extents: tuple[int, int], steps: int, batch: int, seed: int, devices: list[Any]) -> Outcome:
    """Trains on a mesh of chips with axes of these extents."""
    chips = np.array(devices[: extents[0] * extents[1]]).reshape(extents)
    mesh = Mesh(chips, ("data", "model"))

    cuts = {name: NamedSharding(mesh, spec) for name, spec in SPECS.items()}
    rows = NamedSharding(mesh, P("data"))

    rng = np.random.default_rng(seed)
    x, y = rng.standard_normal((2, batch, 32, HIDDEN), np.float32)
    x, y = jax.device_put((x, y), rows)
    first = initial_weights(seed)
    w = jax.device_put(first, cuts)
    losses = []
    for _ in range(steps):
        w, loss = step(w, x, y)
        losses.append(loss)
    assert all(array.sharding.is_equivalent_to(cuts[name], 2) for name, array in w.items())
    report = ttmlir.jax.report(step, w, x, y)
    changes = {name: np.asarray(array) - first[name] for name, array in w.items()}
    return Outcome(changes, [float(loss) for loss in losses], report)


def farthest(own: Outcome, other: Outcome) -> float:
    """Returns the greatest difference of losses and changes, relative to the greatest of each."""
    pairs = [(np.array(own.losses), np.array(other.losses))]
    pairs += [(own.changes[name], other.changes[name]) for name in own.changes]
    return max(float(np.abs(a - b).max() / np.abs(b).max()) for a, b in pairs)


def show(console: Console, outcomes: dict[tuple[int, int], Outcome], alone: Outcome) -> None:
    table = Table(title="A step of training on the emulated t3000")
    for column in ("data x model", "loss", "off", "link bytes", "busiest", "time"):
        table.add_column(column, justify="right")
    for (data, model), o in outcomes.items():
        links = [use.bytes for use in o.report.ethernet_use]
        table.add_row(
            f"{data} x {model}",
            f"{o.losses[0]:.4f} to {o.losses[-1]:.4f}",
            f"{farthest(o, alone):.1e}",
            f"{sum(links):,}",
            f"{max(links, default=0):,}",
            f"{o.report.seconds * 1e6:.0f} us",
        )
    console.print(table)


def parse_mesh(text: str) -> tuple[int, int]:
    known = {"x".join(map(str, mesh)): mesh for mesh in MESHES}
    if text not in known:
        raise argparse.ArgumentTypeError(f"expected one of {', '.join(known)}, found '{text}'")
    return known[text]


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--mesh", type=parse_mesh, action="append", help="data x model, as in 2x4")
    parser.add_argument("--steps", type=int, default=3)
    parser.add_argument("--batch", type=int, default=8)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()

    devices = jax.devices("tt")
    if len(devices) < 8:
        parser.error(f"expected the 8 chips of TTMLIR_TARGET=t3000, found {len(devices)}")
    meshes = dict.fromkeys([MESHES[0], *(options.mesh or MESHES[1:])])
    outcomes = {
        mesh: run(mesh, options.steps, options.batch, options.seed, devices) for mesh in meshes
    }
    alone = outcomes[MESHES[0]]
    show(Console(), outcomes, alone)
    wrong = [mesh for mesh, o in outcomes.items() if not farthest(o, alone) <= TOLERANCE]
    for data, model in wrong:
        print(f"error: {data} x {model}: expected numbers of one chip", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

"""Runs a tensor-parallel Llama block on the emulated n300 (1x2 chips) and t3000 (1x8 chips).

The block is RMS norm, grouped-query attention with rotary embedding and causal mask, and a gated
MLP, each with its residual. The projections into heads and into the MLP are cut by columns over the
chips, the projections out of them by rows; after those, reduce_scatter and all_gather add up what
the chips have. Weights are random numbers of the seed. The result is compared with NumPy in
float64, and bytes are counted on every Ethernet link.

    python examples/llama.py [--mesh 1x2 --mesh 1x8] [--collective all_reduce] [--seed 0]

Ends with status 1 if a result is not what it must be.
"""

from __future__ import annotations

import argparse
import sys
import time
from dataclasses import dataclass
from typing import Any

import ml_dtypes
import numpy as np
from rich.console import Console
from rich.table import Table

import ttmlir
from ttmlir.builder import Tensor

Array = np.ndarray[Any, np.dtype[Any]]
SEED = 0
#: The system that has the chips of a mesh.
TARGETS = {(1, 2): "n300", (1, 8): "t3000"}
COLLECTIVES = ("reduce_scatter", "all_reduce")
#: Least Pearson correlation with float64, and largest error in units of the result's deviation.
CORRELATION, ERROR = 0.999, 0.15


@dataclass(frozen=True)
class Config:
    """Sizes of a block; every chip has ``heads / chips`` heads and as much of the rest."""

    sequence: int = 64
    hidden: int = 512
    heads: int = 16
    kv_heads: int = 8
    head_dim: int = 32
    mlp: int = 1536
    theta: float = 10000.0
    epsilon: float = 1e-5

    def weights(self) -> dict[str, tuple[int, ...]]:
        """Shapes of all weights, in the order of the program's inputs."""
        queries, keys = self.heads * self.head_dim, self.kv_heads * self.head_dim
        return {
            "attention_norm": (self.hidden,),
            "wq": (self.hidden, queries),
            "wk": (self.hidden, keys),
            "wv": (self.hidden, keys),
            "wo": (queries, self.hidden),
            "mlp_norm": (self.hidden,),
            "w_gate": (self.hidden, self.mlp),
            "w_up": (self.hidden, self.mlp),
            "w_down": (self.mlp, self.hidden),
        }


#: The dimension of each weight that the chips divide; the norms are on every chip.
SPLIT = {"wq": 1, "wk": 1, "wv": 1, "wo": 0, "w_gate": 1, "w_up": 1, "w_down": 0}


def make_inputs(config: Config, seed: int) -> dict[str, Array]:
    """Activations and weights in bf16: normal numbers of ``default_rng(seed)``, drawn in the order
    of the program's inputs; matrices are divided by the root of their rows, norms are near 1."""
    rng = np.random.default_rng(seed)
    inputs = {"x": rng.standard_normal((config.sequence, config.hidden))}
    for name, shape in config.weights().items():
        values = rng.standard_normal(shape)
        inputs[name] = 1 + 0.1 * values if len(shape) == 1 else values / np.sqrt(shape[0])
    return {name: values.astype(ml_dtypes.bfloat16) for name, values in inputs.items()}


def angles(config: Config) -> tuple[Array, Array]:
    """Cosine and sine of the rotary embedding: (sequence, head_dim)."""
    half = np.arange(0, config.head_dim, 2) / config.head_dim
    angle = np.outer(np.arange(config.sequence), config.theta**-half)
    both = np.concatenate([angle, angle], axis=1)
    return np.cos(both), np.sin(both)


def causal_mask(config: Config) -> Array:
    """What is added to the scores: nothing for the past, much less than any score for the rest."""
    return np.triu(np.full((config.sequence, config.sequence), -1e4), k=1)


# The block in NumPy ------------------------------------------------------------------------------


def reference(config: Config, inputs: dict[str, Array]) -> Array:
    """The block in float64, from the same bf16 numbers."""
    w = {name: values.astype(np.float64) for name, values in inputs.items()}
    cos, sin = angles(config)

    def norm(x: Array, weight: Array) -> Array:
        return x / np.sqrt((x * x).mean(-1, keepdims=True) + config.epsilon) * weight

    def heads(x: Array) -> Array:
        return x.reshape(config.sequence, -1, config.head_dim).transpose(1, 0, 2)

    def rotate(x: Array) -> Array:
        first, second = np.split(x, 2, axis=-1)
        return x * cos + np.concatenate([-second, first], axis=-1) * sin

    x = w["x"]
    h = norm(x, w["attention_norm"])
    q, k, v = rotate(heads(h @ w["wq"])), rotate(heads(h @ w["wk"])), heads(h @ w["wv"])
    k, v = (np.repeat(t, config.heads // config.kv_heads, axis=0) for t in (k, v))
    scores = q @ k.transpose(0, 2, 1) / np.sqrt(config.head_dim) + causal_mask(config)
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    weights /= weights.sum(-1, keepdims=True)
    x = x + (weights @ v).transpose(1, 0, 2).reshape(config.sequence, -1) @ w["wo"]
    h = norm(x, w["mlp_norm"])
    gate = h @ w["w_gate"]
    return x + (gate / (1 + np.exp(-gate)) * (h @ w["w_up"])) @ w["w_down"]


# The block on a mesh -----------------------------------------------------------------------------


class Block:
    """Writes the block for a mesh of 1xN chips; shapes are those of one chip."""

    def __init__(self, config: Config, mesh: tuple[int, ...], collective: str) -> None:
        self.config, self.collective = config, collective
        self.chips = mesh[-1]
        self.b = ttmlir.Builder("llama", mesh_shape=mesh)

    def build(self) -> ttmlir.Builder:
        b, config = self.b, self.config
        x = b.input("x", (config.sequence, config.hidden), "bf16")
        weights = {n: b.input(n, shape, "bf16") for n, shape in config.weights().items()}
        x = b.mesh_shard(x, (None, None), name="shard_x")
        w = {
            n: b.mesh_shard(value, (None, SPLIT.get(n)), name=f"shard_{n}")
            for n, value in weights.items()
        }
        h = b.rms_norm(x, w["attention_norm"], epsilon=config.epsilon, name="attention_norm")
        x = b.add(x, self.sum(self.attention(h, w), w["wo"], "attention_out"), name="residual")
        h = b.rms_norm(x, w["mlp_norm"], epsilon=config.epsilon, name="mlp_norm")
        gate = b.silu(b.matmul(h, w["w_gate"], name="gate"), name="silu")
        h = b.multiply(gate, b.matmul(h, w["w_up"], name="up"), name="gated")
        x = b.add(x, self.sum(h, w["w_down"], "mlp_out"), name="out")
        b.output(b.mesh_gather(x, (None, None), name="gather"))
        return b

    def attention(self, h: Tensor, w: dict[str, Tensor]) -> Tensor:
        """(sequence, hidden) to the heads of a chip side by side: (sequence, heads * head_dim)."""
        b, config = self.b, self.config
        groups, group = config.kv_heads // self.chips, config.heads // config.kv_heads
        cos, sin = (b.constant(t, dtype="bf16") for t in angles(config))
        mask = b.constant(causal_mask(config), dtype="bf16")

        def heads(x: Tensor, count: int) -> Tensor:
            x = b.reshape(x, (config.sequence, count, config.head_dim))
            x = b.permute(x, (1, 0, 2))
            return b.reshape(x, (groups, -1, config.sequence, config.head_dim))

        q = self.rotate(heads(b.matmul(h, w["wq"], name="q"), groups * group), cos, sin)
        k = self.rotate(heads(b.matmul(h, w["wk"], name="k"), groups), cos, sin)
        v = heads(b.matmul(h, w["wv"], name="v"), groups)
        k, v = (b.broadcast(t, (groups, group, *t.shape[2:])) for t in (k, v))
        scores = b.matmul(q, k, transpose_b=True, name="scores")
        scores = b.add(scores * (config.head_dim**-0.5), mask)
        mixed = b.matmul(b.softmax(scores, name="softmax"), v, name="mixed")
        mixed = b.reshape(mixed, (groups * group, config.sequence, config.head_dim))
        return b.reshape(b.permute(mixed, (1, 0, 2)), (config.sequence, -1))

    def rotate(self, x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
        """The rotary embedding of every head."""
        b, half = self.b, self.config.head_dim // 2
        zeros = [0] * x.rank
        first = b.slice(x, zeros, [*x.shape[:-1], half])
        second = b.slice(x, [*zeros[:-1], half], x.shape)
        turned = b.concat([b.neg(second), first], dim=-1)
        return b.add(b.multiply(x, cos), b.multiply(turned, sin))

    def sum(self, x: Tensor, weight: Tensor, name: str) -> Tensor:
        """The product of which every chip has a summand, on all chips."""
        b = self.b
        part = b.matmul(x, weight, name=name)
        if self.collective == "all_reduce":
            return b.all_reduce(part, cluster_axis=1, name=f"{name}_sum")
        part = b.reduce_scatter(part, dim=-1, cluster_axis=1, name=f"{name}_scatter")
        return b.all_gather(part, dim=-1, cluster_axis=1, name=f"{name}_gather")


# Runs --------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Outcome:
    """A run and how far its result is from float64. ``links``: bytes by (from chip, to chip,
    link)."""

    mesh: tuple[int, ...]
    lowered: bool
    correlation: float
    max_error: float
    links: dict[tuple[int, int, int], int]
    modelled_seconds: float
    host_seconds: float

    @property
    def ok(self) -> bool:
        return self.correlation >= CORRELATION and self.max_error <= ERROR


def run(
    config: Config,
    mesh: tuple[int, ...],
    *,
    lowered: bool = False,
    collective: str = "reduce_scatter",
    seed: int = SEED,
) -> Outcome:
    """Compiles the block for a mesh and runs it; ``lowered`` sends bfp8 over the links."""
    inputs = make_inputs(config, seed)
    executable = ttmlir.compile(
        Block(config, mesh, collective).build(),
        target=TARGETS[mesh],
        enable_activation_dtype_lowering=lowered,
    )
    start = time.perf_counter()
    found = executable(*inputs.values()).astype(np.float64)
    host_seconds = time.perf_counter() - start
    expected = reference(config, inputs)
    report = executable.report()
    return Outcome(
        mesh,
        lowered,
        float(np.corrcoef(found.ravel(), expected.ravel())[0, 1]),
        float(np.abs(found - expected).max() / expected.std()),
        {(use.from_chip, use.to_chip, use.link): use.bytes for use in report.ethernet_use},
        report.seconds,
        host_seconds,
    )


def show(console: Console, outcomes: list[Outcome]) -> None:
    table = Table(title="Tensor-parallel Llama block, against NumPy in float64")
    for column in ("mesh", "wire", "correlation", "max error", "bytes a link", "links"):
        table.add_column(column, justify="right")
    for column in ("modelled", "host"):
        table.add_column(column, justify="right")
    for o in outcomes:
        sizes = sorted(set(o.links.values()))
        table.add_row(
            "x".join(map(str, o.mesh)) + f" {TARGETS[o.mesh]}",
            "bfp8" if o.lowered else "bf16",
            f"{o.correlation:.6f}",
            f"{o.max_error:.4f} sd",
            " to ".join(f"{s:,}" for s in dict.fromkeys((sizes[0], sizes[-1]))) if sizes else "0",
            str(len(o.links)),
            f"{o.modelled_seconds * 1e6:.1f} us",
            f"{o.host_seconds * 1e3:.0f} ms",
        )
    console.print(table)


def parse_mesh(text: str) -> tuple[int, ...]:
    known = {"x".join(map(str, mesh)): mesh for mesh in TARGETS}
    if text not in known:
        raise argparse.ArgumentTypeError(f"expected one of {', '.join(known)}, found {text!r}")
    return known[text]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--mesh", type=parse_mesh, action="append", help="1x2 or 1x8; both if none")
    parser.add_argument("--collective", choices=COLLECTIVES, default=COLLECTIVES[0])
    parser.add_argument("--sequence", type=int, default=Config.sequence)
    parser.add_argument("--seed", type=int, default=SEED)
    options = parser.parse_args()
    config = Config(sequence=options.sequence)
    outcomes = [
        run(config, mesh, lowered=lowered, collective=options.collective, seed=options.seed)
        for mesh in options.mesh or TARGETS
        for lowered in (False, True)
    ]
    show(Console(), outcomes)
    failed = [o for o in outcomes if not o.ok]
    for o in failed:
        print(
            f"error: mesh {o.mesh}: correlation {o.correlation:.6f} and error {o.max_error:.4f}, "
            f"expected at least {CORRELATION} and at most {ERROR}",
            file=sys.stderr,
        )
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

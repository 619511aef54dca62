"""Runs a tensor-parallel Llama block on the emulated n300 (1x2 chips) and t3000 (1x8 chips).

The block is RMS norm, grouped-query attention with rotary embedding and causal mask, and a gated
MLP, each with a residual connection. The first projections of attention and MLP are sharded by
columns over the chips, the last ones by rows; after those, reduce_scatter and all_gather sum the
partial results. It is a block of Llama 3 8B with a quarter of the width everywhere; weights are
random numbers from the seed.

Every mesh runs it four ways: as library calls (TTNN), with bf16 and with bfp8 between the chips,
and as kernels (TTMetal), with collectives of the library and with kernels for these too. Each
result is compared with NumPy in float64, and bytes are counted on every Ethernet link.

    python examples/llama.py [--mesh 1x2 --mesh 1x8] [--collective all_reduce] [--seed 0]

Exits with status 1 if a result differs from float64 by more than rounding explains.
"""

from __future__ import annotations

import argparse
import functools
import math
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import ml_dtypes
import numpy as np
import numpy.typing as npt
from rich.console import Console
from rich.table import Table

import ttmlir
from ttmlir.builder import Tensor

Array = npt.NDArray[Any]
Doubles = npt.NDArray[np.float64]
SEED = 0
#: The system with the chips of a mesh.
TARGETS: Mapping[tuple[int, ...], str] = {(1, 2): "n300", (1, 8): "t3000"}
COLLECTIVES = ("reduce_scatter", "all_reduce")
#: Keywords for ``ttmlir.compile``.
WAYS: Mapping[str, Mapping[str, Any]] = {
    "ttnn": {},
    "ttnn, bfp8": {"enable_activation_dtype_lowering": True},
    "ttmetal": {"backend": "ttmetal"},
    "ttmetal, kernels": {"backend": "ttmetal", "use_all_gather_kernel": True},
}


@dataclass(frozen=True)
class Config:
    """Sizes of a block; every chip has ``heads / chips`` heads and the same share of the rest.

    Llama 3 8B has the same heads, of 128 elements, hidden states of 4096 and an MLP of 14336.
    """

    sequence: int = 64
    hidden: int = 1024
    heads: int = 32
    kv_heads: int = 8
    head_dim: int = 32
    mlp: int = 3584
    theta: float = 500000.0
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


#: The sharded dimension of each weight; the norms are replicated.
SPLIT = {"wq": 1, "wk": 1, "wv": 1, "wo": 0, "w_gate": 1, "w_up": 1, "w_down": 0}


@functools.cache
def make_inputs(config: Config, seed: int) -> dict[str, Array]:
    """Activations and weights in bf16: normal numbers of ``default_rng(seed)``, drawn in the order
    of the program's inputs; matrices are divided by the root of their rows, norms are near 1."""
    rng = np.random.default_rng(seed)
    inputs = {"x": rng.standard_normal((config.sequence, config.hidden))}
    for name, shape in config.weights().items():
        values = rng.standard_normal(shape)
        inputs[name] = 1 + 0.1 * values if len(shape) == 1 else values / np.sqrt(shape[0])
    return {name: values.astype(ml_dtypes.bfloat16) for name, values in inputs.items()}


def angles(config: Config) -> tuple[Doubles, Doubles]:
    """Cosine and sine of the rotary embedding: (sequence, head_dim)."""
    half = np.arange(0, config.head_dim, 2) / config.head_dim
    angle = np.outer(np.arange(config.sequence), config.theta**-half)
    both = np.concatenate([angle, angle], axis=1)
    return np.cos(both), np.sin(both)


def causal_mask(config: Config) -> Doubles:
    """Returns the additive mask of scores: 0 for the past, a large negative number for the rest."""
    return np.triu(np.full((config.sequence, config.sequence), -1e4), k=1)


# The block in NumPy ------------------------------------------------------------------------------


@functools.cache
def expected_result(config: Config, seed: int) -> Doubles:
    """Computes the block in float64 on the inputs of a seed."""
    return reference(config, make_inputs(config, seed))


def reference(config: Config, inputs: dict[str, Array]) -> Doubles:
    """Computes the block in float64, from the same bf16 numbers."""
    w: dict[str, Doubles] = {name: values.astype(np.float64) for name, values in inputs.items()}
    cos, sin = angles(config)

    def norm(x: Doubles, weight: Doubles) -> Doubles:
        root: Doubles = np.sqrt((x * x).mean(-1, keepdims=True) + config.epsilon)
        return x / root * weight

    def heads(x: Doubles) -> Doubles:
        found: Doubles = x.reshape(config.sequence, -1, config.head_dim).transpose(1, 0, 2)
        return found

    def rotate(x: Doubles) -> Doubles:
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
    result: Doubles = x + (gate / (1 + np.exp(-gate)) * (h @ w["w_up"])) @ w["w_down"]
    return result


# The block on a mesh -----------------------------------------------------------------------------


class Block:
    """Builds the block for a mesh of 1xN chips; shapes are those of one chip."""

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
        """(sequence, hidden) to the concatenated heads of a chip: (sequence, heads * head_dim)."""
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
        """Applies the rotary embedding to every head."""
        b, half = self.b, self.config.head_dim // 2
        zeros = [0] * x.rank
        first = b.slice(x, zeros, [*x.shape[:-1], half])
        second = b.slice(x, [*zeros[:-1], half], x.shape)
        turned = b.concat([b.neg(second), first], dim=-1)
        return b.add(b.multiply(x, cos), b.multiply(turned, sin))

    def sum(self, x: Tensor, weight: Tensor, name: str) -> Tensor:
        """Sums the chips' partial products, with the result on all chips."""
        b = self.b
        part = b.matmul(x, weight, name=name)
        if self.collective == "all_reduce":
            return b.all_reduce(part, cluster_axis=1, name=f"{name}_sum")
        part = b.reduce_scatter(part, dim=-1, cluster_axis=1, name=f"{name}_scatter")
        return b.all_gather(part, dim=-1, cluster_axis=1, name=f"{name}_gather")


# Expected rounding error -------------------------------------------------------------------------

# Errors are in units of the standard deviation of the rounded tensor. A rounding error is uniform
# up to half of the last digit, and a leading digit is uniform on a logarithmic scale: the deviation
# is then 0.42 of the largest relative error.
_SPREAD = math.sqrt(3 / (8 * math.log(2)) / 3)
#: bf16 has 8 significant bits.
BF16 = 2**-8 * _SPREAD
#: Elements of bfp8 have 7 bits below the largest of 16, which is 2 deviations on average for normal
#: numbers and 3 for products of these.
BFP8 = 2**-7 * 3 * _SPREAD
#: Of a million normal numbers none is farther from 0, with a probability of 0.998.
DEVIATIONS = 6


def error_bound(chips: int, *, lowered: bool) -> float:
    """Standard deviation of the result's error: of all roundings on the way, which are independent.

    Products with random weights, norms and sums preserve relative errors, averages reduce them; no
    part of the result has a larger deviation than the whole.
    """
    # Partial sums are rounded before and after each addition; j of N parts have j/N of the variance
    # of the total.
    sums = 1 + sum(j / chips for j in range(2, chips + 1))
    # norm, q, k, v, two products and sums of the embeddings, scores, scale, mask, softmax, mixed;
    # residual, norm; out.
    exact = 13 + 2 + 1
    # Both sums; gate, silu, up and gated.
    maybe_lowered = 2 * sums + 4
    return math.sqrt(exact * BF16**2 + maybe_lowered * (BFP8 if lowered else BF16) ** 2)


# Runs --------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Outcome:
    """A run and the error of its result, in standard deviations of the result.

    ``links``: bytes by (from chip, to chip, link); ``remarks``: for each collective, whether it
    carries bfp8; ``seconds``: modelled time of the block, and of its collectives.
    """

    mesh: tuple[int, ...]
    way: str
    correlation: float
    max_error: float
    bound: float
    links: dict[tuple[int, int, int], int]
    remarks: tuple[ttmlir.Remark, ...]
    seconds: float
    collective_seconds: float

    @property
    def least_correlation(self) -> float:
        return 1 - self.bound**2 / 2

    @property
    def most_error(self) -> float:
        return DEVIATIONS * self.bound

    @property
    def ok(self) -> bool:
        return self.correlation >= self.least_correlation and self.max_error <= self.most_error


def compile_block(
    config: Config,
    mesh: tuple[int, ...],
    *,
    way: str = "ttnn",
    collective: str = "reduce_scatter",
) -> ttmlir.Executable:
    """Compiles the block for a mesh, in one of ``WAYS``."""
    block = Block(config, mesh, collective).build()
    # Only the decisions about the format of collectives.
    lowering = "ttnn-ccl-activation-dtype-lowering"
    return ttmlir.compile(block, target=TARGETS[mesh], remarks=lowering, **WAYS[way])


def run(
    config: Config,
    mesh: tuple[int, ...],
    *,
    way: str = "ttnn",
    collective: str = "reduce_scatter",
    seed: int = SEED,
) -> Outcome:
    """Compiles the block and runs it on the inputs of a seed."""
    inputs = make_inputs(config, seed)
    executable = compile_block(config, mesh, way=way, collective=collective)
    found: Doubles = executable(*inputs.values()).astype(np.float64)
    expected = expected_result(config, seed)
    report = executable.report()
    lowered = bool(WAYS[way].get("enable_activation_dtype_lowering"))
    return Outcome(
        mesh,
        way,
        float(np.corrcoef(found.ravel(), expected.ravel())[0, 1]),
        float(np.abs(found - expected).max() / expected.std()),
        error_bound(mesh[-1], lowered=lowered),
        {(use.from_chip, use.to_chip, use.link): use.bytes for use in report.ethernet_use},
        executable.remarks,
        report.seconds,
        sum(op.cycles for op in report.ops if op.ethernet_bytes) / report.clock_hz,
    )


def show(console: Console, outcomes: list[Outcome]) -> None:
    title = "Tensor-parallel Llama block, against NumPy in float64"
    table = Table(title=title, box=None, pad_edge=False)
    for column in ("mesh", "way", "correlation", "error", "bytes a link", "time", "collectives"):
        table.add_column(column, justify="left" if column == "way" else "right", no_wrap=True)
    for o in outcomes:
        table.add_row(
            "x".join(map(str, o.mesh)),
            o.way,
            f"{o.correlation:.6f}",
            f"{o.max_error:.4f}",
            f"{sum(o.links.values()) / len(o.links):,.0f}",
            f"{o.seconds * 1e6:.0f} us",
            f"{o.collective_seconds * 1e6:.0f} us",
        )
    console.print(table)
    for o in outcomes:
        if o.remarks:
            lowered = [r.name for r in o.remarks if r.kind == "passed"]
            mesh = "x".join(map(str, o.mesh))
            print(f"{mesh}: {len(lowered)} of {len(o.remarks)} collectives carry bfp8:")
            print(f"  {', '.join(lowered) or 'none'}")
        for r in o.remarks:
            if r.kind != "passed":
                print(f"  not {r.name}: {r.reason}")


def parse_mesh(text: str) -> tuple[int, ...]:
    known = {"x".join(map(str, mesh)): mesh for mesh in TARGETS}
    if text not in known:
        raise argparse.ArgumentTypeError(f"expected one of {', '.join(known)}, found {text!r}")
    return known[text]


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--mesh", type=parse_mesh, action="append", help="1x2 or 1x8; both if none")
    parser.add_argument("--way", choices=WAYS, action="append", help="all if none is given")
    parser.add_argument("--collective", choices=COLLECTIVES, default=COLLECTIVES[0])
    parser.add_argument("--sequence", type=int, default=Config.sequence)
    parser.add_argument("--seed", type=int, default=SEED)
    options = parser.parse_args()
    config = Config(sequence=options.sequence)
    outcomes = [
        run(config, mesh, way=way, collective=options.collective, seed=options.seed)
        for mesh in options.mesh or TARGETS
        for way in options.way or WAYS
    ]
    show(Console(), outcomes)
    failed = [o for o in outcomes if not o.ok]
    for o in failed:
        print(
            f"error: {o.way} on mesh {'x'.join(map(str, o.mesh))}: expected a correlation of at "
            f"least {o.least_correlation:.6f} and an error of at most {o.most_error:.4f}, found "
            f"{o.correlation:.6f} and {o.max_error:.4f}",
            file=sys.stderr,
        )
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

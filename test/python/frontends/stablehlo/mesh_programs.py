"""Programs over meshes, with what they are to send."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.sharding import AbstractMesh, AxisType, NamedSharding, PartitionSpec

P = PartitionSpec
MESH = AbstractMesh((2, 4), ("data", "model"), axis_types=(AxisType.Auto,) * 2)
WHOLE = P()
AXES = {"data": 2, "model": 4}


@dataclass(frozen=True)
class Argument:
    """Shape, sharding and dtype of an argument."""

    shape: tuple[int, ...]
    spec: PartitionSpec | None = WHOLE
    dtype: str = "float32"

    def described(self, mesh: AbstractMesh = MESH) -> jax.ShapeDtypeStruct:
        sharding = None if self.spec is None else NamedSharding(mesh, self.spec)
        return jax.ShapeDtypeStruct(self.shape, self.dtype, sharding=sharding)

    def array(self, rng: np.random.Generator) -> Any:
        if self.dtype == "int32":
            return rng.integers(0, 8, self.shape).astype(np.int32)
        found = np.asarray(rng.standard_normal(self.shape))
        if self.dtype == "complex64":
            found = found + 1j * rng.standard_normal(self.shape)
        return found.astype(self.dtype)


@dataclass(frozen=True)
class MeshProgram:
    """A function, its arguments, the shardings of its results, and the collectives that it needs,
    by the names of TTNN; None of one where another way may be as good. ``expected`` is what it
    computes, if one device cannot."""

    function: Callable[..., Any]
    arguments: Sequence[Argument]
    collectives: Mapping[str, int] | None = None
    outputs: Any = None
    tolerance: float = 2e-5
    expected: Callable[..., Any] | None = None


def pin(x: Any, *spec: Any) -> Any:
    """A constraint."""
    return lax.with_sharding_constraint(x, NamedSharding(MESH, P(*spec)))


def mlp(w: Any, v: Any, x: Any) -> Any:
    return jax.nn.relu(x @ w) @ v / 8


def complex_numbers(z: Any, w: Any) -> Any:
    shifted = jnp.roll(z, 3, 0) + jnp.pad(z, 1, constant_values=1j)[1:-1, 2:]
    places = jnp.arange(z.shape[0], dtype=z.dtype)[:, None]
    return jnp.fft.fft(z * 2j, axis=0), z @ w, shifted + places, jnp.prod(z[:, :8], 1), jnp.sum(z)


def step(w: Any, v: Any, x: Any, y: Any) -> Any:
    def loss(both: Any) -> Any:
        return jnp.mean((mlp(*both, x) - y) ** 2)

    value, gradient = jax.value_and_grad(loss)((w, v))
    return value, w - 0.1 * gradient[0], v - 0.1 * gradient[1]


def attention(q: Any, k: Any, v: Any, o: Any, x: Any) -> Any:
    def heads(t: Any) -> Any:
        return (x @ t / 8).reshape(*x.shape[:2], 8, -1)

    scores = jnp.einsum("bqhd,bkhd->bhqk", heads(q), heads(k)) / 3
    found = jnp.einsum("bhqk,bkhd->bqhd", jax.nn.softmax(scores), heads(v))
    return x + found.reshape(x.shape) @ o / 8


def loop(x: Any, w: Any) -> Any:
    def turn(c: Any, _: Any) -> Any:
        return jnp.tanh(c @ w / 8), c.sum(1)

    return lax.scan(turn, x, None, length=3)


def manual(
    function: Any,
    axes: set[str],
    inputs: PartitionSpec,
    outputs: PartitionSpec,
    mesh: AbstractMesh | None = MESH,
) -> Any:
    """A computation that is manual in some axes; one inside of another has the mesh of that."""
    return jax.shard_map(
        function, mesh=mesh, in_specs=inputs, out_specs=outputs, axis_names=axes, check_vma=False
    )


COLUMNS, ROWS = P(None, "model"), P("model", None)
WEIGHTS = (Argument((64, 256), COLUMNS), Argument((256, 64), ROWS))
BOTH = Argument((16, 64), P("data", "model"))

PROGRAMS: dict[str, MeshProgram] = {
    "complex numbers": MeshProgram(
        complex_numbers,
        [
            Argument((16, 64), P("data", "model"), "complex64"),
            Argument((64, 24), P("model"), "complex64"),
        ],
    ),
    "data parallel": MeshProgram(
        mlp, [Argument((64, 256)), Argument((256, 64)), Argument((32, 64), P("data"))], {}
    ),
    "tensor and data parallel": MeshProgram(
        mlp, [*WEIGHTS, Argument((64, 64), P("data"))], {"all_reduce": 1}
    ),
    "sequence parallel": MeshProgram(
        mlp,
        [*WEIGHTS, Argument((64, 64), P("data"))],
        {"reduce_scatter": 1},
        NamedSharding(MESH, P(("data", "model"))),
    ),
    # Of the sum of products, of the loss, and of both gradients.
    "train step": MeshProgram(
        step,
        [*WEIGHTS, Argument((512, 64), P("data")), Argument((512, 64), P("data"))],
        {"all_reduce": 4},
    ),
    "attention": MeshProgram(
        attention,
        [*[Argument((64, 64), COLUMNS)] * 3, Argument((64, 64), ROWS),
         Argument((4, 16, 64), P("data"))],
        {"all_reduce": 1},
    ),
    "weights gathered": MeshProgram(
        lambda w, x: x @ w,
        [Argument((64, 32), P("data")), Argument((256, 64), P("data"))],
        {"all_gather": 1},
    ),
    "softmax": MeshProgram(lambda x: jax.nn.softmax(x, -1), [BOTH], {"all_reduce": 2}),
    "elementwise": MeshProgram(
        lambda x, y: jnp.where(x > y, jnp.sin(x), y * 2).astype(jnp.bfloat16),
        [BOTH, Argument((64,), P("model"))],
        {},
        tolerance=2.0**-7,
    ),
    "shapes": MeshProgram(
        lambda x: jnp.broadcast_to(
            jnp.transpose(x.reshape(8, 2, 4, 16), (2, 0, 1, 3))[None], (3, 4, 8, 2, 16)
        ).reshape(3, 4, -1),
        [BOTH],
        {},
    ),
    "unsharded dimensions": MeshProgram(
        lambda x: (
            jnp.cumsum(x, 1), jnp.sort(x, 1), jnp.flip(x, 2), jnp.pad(x, ((0, 0), (1, 2), (0, 0))),
            lax.top_k(x, 2)[0], x[:, 1:5:2], jnp.concatenate([x, x], 1), x.argmax(2),
            lax.reduce_window(x, -jnp.inf, lax.max, (1, 2, 2), (1, 2, 2), "VALID"),
        ),
        [Argument((8, 6, 10), P(("data", "model")))],
        {},
    ),
    "places": MeshProgram(
        lambda x, i: (
            x[i], x.at[i].add(1.0), lax.dynamic_slice_in_dim(x, i[0], 2, 0),
            lax.dynamic_update_slice_in_dim(x, x[:2] * 2, i[1], 0),
        ),
        [Argument((8, 16), COLUMNS), Argument((4,), P(), "int32")],
        {},
    ),
    "batches of places": MeshProgram(
        lambda x, i: jnp.take_along_axis(x, i, 1),
        [Argument((16, 8), P("data")), Argument((16, 3), P("data"), "int32")],
        {},
    ),
    "a table whose rows are divided": MeshProgram(
        lambda e, i: e[i] * 2, [Argument((32, 16), ROWS), Argument((8, 3), P("data"), "int32")],
        {"all_reduce": 1},
    ),
    "updates of divided rows": MeshProgram(
        lambda e, i: (e.at[i].add(2.0), e.at[i, i].max(1.0), e.at[i].set(3.0, mode="drop")),
        [Argument((32, 16), P("model", "data")), Argument((6,), P(), "int32")], {},
    ),
    "logits of a divided vocabulary": MeshProgram(
        lambda x, w, i: -jnp.take_along_axis(jax.nn.log_softmax(x @ w / 8), i, -1),
        [Argument((64, 64), P("data")), Argument((64, 256), COLUMNS),
         Argument((64, 1), P("data"), "int32")],
        # The maximum, the sum of exponentials, and the logits of the labels.
        {"all_reduce": 3},
    ),
    "sums that are added first": MeshProgram(
        lambda x, v, y, w: (x @ v + y @ w + jnp.sin(x) @ w) / 8,
        [BOTH, Argument((64, 32), ROWS), BOTH, Argument((64, 32), ROWS)], {"all_reduce": 1},
    ),
    "convolution": MeshProgram(
        lambda x, w: lax.conv_general_dilated(
            x, w, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC")
        ),
        [Argument((4, 6, 6, 8), P("data")), Argument((3, 3, 8, 16), P(None, None, None, "model"))],
        {},
        NamedSharding(MESH, P("data", None, None, "model")),
    ),
    "depthwise convolution": MeshProgram(
        lambda x, w: lax.conv_general_dilated(
            x, w, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"), feature_group_count=8
        ),
        [Argument((4, 6, 6, 8), P("data", None, None, "model")),
         Argument((3, 3, 1, 8), P(None, None, None, "model"))],
        {},
    ),
    "loop": MeshProgram(loop, [Argument((16, 64), P("data")), Argument((64, 64), COLUMNS)]),
    "while": MeshProgram(
        lambda x: lax.while_loop(lambda c: c.sum() < 1e4, lambda c: c * 2 + 1, x), [BOTH]
    ),
    "condition": MeshProgram(
        lambda x: lax.switch(jnp.int32(x[0, 0] > 0), [jnp.sin, lambda v: v * 2], x), [BOTH]
    ),
    "reductions": MeshProgram(
        lambda x: (
            x.sum(), x.max(1), x.min(0), jnp.prod(jnp.tanh(x) + 1, 1), (x > 2).any(1),
            (x > -3).all(0), x.argmax(1), x.argmin(0), jax.nn.logsumexp(x, 1),
        ),
        [BOTH],
    ),
    "along sharded dimensions": MeshProgram(
        lambda x: (
            jnp.cumsum(x, 1), jnp.sort(x, 1), jnp.argsort(x, 0), jnp.flip(x, 0), jnp.roll(x, 3, 1),
            jnp.concatenate([x, x[:3]], 0), x[1:7, ::3], jnp.pad(x, ((1, 0), (2, 3))),
            x.reshape(-1), jnp.median(x, 1), jnp.take(x, jnp.array([3, 1]), 1),
        ),
        [BOTH],
    ),
    "places of maxima": MeshProgram(
        lambda x: (x.argmax(1), x.argmin(1), jnp.where(x > 0, x, 2.0).argmax(0), x[0].argmax()),
        [Argument((16, 64), P("data", "model"))],
    ),
    "places of maxima beside the mesh": MeshProgram(
        lambda x: x.argmax(1), [Argument((16, 64), P("data"))], {}
    ),
    "scattered": MeshProgram(
        jax.grad(lambda e, i: (e[i] ** 2).sum()),
        [Argument((32, 16), P("model", "data")), Argument((8,), P("data"), "int32")],
    ),
    "random numbers": MeshProgram(
        lambda x: x + jax.random.normal(jax.random.key(3), x.shape), [BOTH]
    ),
    "numbers along a dimension": MeshProgram(
        lambda x: (x + jnp.arange(64.0), jnp.tril(x), jax.nn.one_hot(jnp.arange(16) % 5, 64) * x,
                   lax.broadcasted_iota(jnp.uint8, (16, 64), 1) + x.astype(jnp.uint8) * 0),
        [BOTH],
        {},
    ),
    "factorization": MeshProgram(
        lambda x: jnp.linalg.qr(x)[1], [Argument((8, 6, 6), P(("data", "model")))], {}
    ),
    "uneven constraints": MeshProgram(
        lambda x: pin(pin(x.T, "model", "data") * 2, ("model", "data"), None) + 1,
        [Argument((15, 6), None)],
    ),
    "axes in both orders": MeshProgram(
        lambda x, y: pin(x, ("model", "data"), None) + pin(y, ("data", "model"), None),
        [Argument((16, 4), P(("data", "model"))), Argument((16, 4), P(None, ("data")))],
        outputs=NamedSharding(MESH, P("model", "data")),
    ),
    "part of an axis": MeshProgram(
        # 4 chips, but only 2 parts of the new dimension: half of the axis.
        lambda x: jnp.sin(x.reshape(2, 6, 8)).sum(1) @ jnp.ones((8, 3)),
        [Argument((12, 8), P("model"))],
    ),
    "manual in one axis": MeshProgram(
        lambda x: jnp.sin(
            manual(lambda v: lax.psum(v, "model") * 2, {"model"}, P(None, "model"), P())(x)
        ),
        [BOTH], {"all_reduce": 1},
        expected=lambda x: np.sin(2 * sum(np.split(x, 4, 1))),
    ),
    "manual in one axis, then in both": MeshProgram(
        lambda x: manual(
            lambda v: manual(lambda w: lax.pmax(w, "model") + lax.axis_index("data"), {"model"},
                              P(None, "model"), P(), None)(v * 2),
            {"data"}, P("data"), P("data"),
        )(x),
        [BOTH], {"all_reduce": 1},
        expected=lambda x: np.max(np.split(2 * x, 4, 1), 0) + np.arange(2).repeat(8)[:, None],
    ),
    "integers and truth values": MeshProgram(
        lambda x: (x.sum(1), (x > 3).sum(0), x.max(), (x > 6).any(), x.astype(bool).all(1)),
        [Argument((16, 8), P("data", "model"), "int32")],
    ),
}  # fmt: skip


# Collectives of shard_map ------------------------------------------------------------------------


@dataclass(frozen=True)
class Collective:
    """A function of a part, and what the whole result is for the parts of all chips, which are
    ``parts[data][model]``."""

    function: Callable[[Any], Any]
    inputs: PartitionSpec
    outputs: PartitionSpec
    expected: Callable[[list[list[Any]]], Any]
    shape: tuple[int, ...] = (16, 64)
    dtype: str = "float32"

    def whole(self, x: Any) -> Any:
        return jax.shard_map(
            self.function, mesh=MESH, in_specs=self.inputs, out_specs=self.outputs, check_vma=False
        )(x)


def parts_of(x: Any, spec: PartitionSpec) -> list[list[Any]]:
    """The part of each chip."""
    return [[_part(x, spec, {"data": i, "model": j}) for j in range(4)] for i in range(2)]


def _part(x: Any, spec: PartitionSpec, at: Mapping[str, int]) -> Any:
    for d, names in enumerate(spec):
        for name in (names,) if isinstance(names, str) else names or ():
            x = np.split(x, AXES[name], d)[at[name]]
    return x


def _joined(parts: Sequence[Sequence[Any]], rows: int | None = 0, columns: int | None = 1) -> Any:
    """The parts one behind the other: those along ``data`` in dimension ``rows``, those along
    ``model`` in ``columns``; those that are the same once."""
    lines = [line[0] if columns is None else np.concatenate(line, columns) for line in parts]
    return lines[0] if rows is None else np.concatenate(lines, rows)


def _each(change: Callable[[list[list[Any]], int, int], Any]) -> Callable[[list[list[Any]]], Any]:
    """The joined parts of a function of all parts and the place of a chip."""
    return lambda p: _joined([[change(p, i, j) for j in range(4)] for i in range(2)])


def _flat(p: list[list[Any]], model_first: bool = False) -> list[Any]:
    return (
        [p[i][j] for j in range(4) for i in range(2)] if model_first else [x for r in p for x in r]
    )


ALL, DATA, MODEL = P("data", "model"), P("data", None), P(None, "model")

COLLECTIVES: dict[str, Collective] = {
    "psum": Collective(
        lambda x: lax.psum(x, "model"), ALL, DATA, lambda p: _joined([[sum(r)] for r in p])
    ),
    "psum of the outer axis": Collective(
        lambda x: lax.psum(x, "data"), ALL, MODEL,
        lambda p: np.concatenate([p[0][j] + p[1][j] for j in range(4)], 1),
    ),
    "psum of both axes": Collective(
        lambda x: lax.psum(x, ("data", "model")), ALL, P(), lambda p: sum(_flat(p))
    ),
    "psum of integers": Collective(
        lambda x: lax.psum(x, "model"), ALL, DATA, lambda p: _joined([[sum(r)] for r in p]),
        dtype="int32",
    ),
    "pmean": Collective(
        lambda x: lax.pmean(x, "model"), ALL, DATA, lambda p: _joined([[sum(r) / 4] for r in p])
    ),
    "pmax": Collective(
        lambda x: lax.pmax(x, "data"), ALL, MODEL,
        lambda p: np.concatenate([np.maximum(p[0][j], p[1][j]) for j in range(4)], 1),
    ),
    "pmin": Collective(
        lambda x: lax.pmin(x, ("model", "data")), ALL, P(), lambda p: np.min(_flat(p), 0)
    ),
    "all_gather": Collective(
        lambda x: lax.all_gather(x, "model", axis=1, tiled=True), ALL, DATA,
        lambda p: _joined(p),
    ),
    "all_gather of a new dimension": Collective(
        lambda x: lax.all_gather(x, "data"), ALL, P(None, None, "model"),
        lambda p: np.concatenate([np.stack([p[0][j], p[1][j]]) for j in range(4)], 2),
    ),
    "all_gather of both axes": Collective(
        lambda x: lax.all_gather(x, ("data", "model")), ALL, P(), lambda p: np.stack(_flat(p))
    ),
    "all_gather, the other order": Collective(
        lambda x: lax.all_gather(x, ("model", "data")), ALL, P(), lambda p: np.stack(_flat(p, True))
    ),
    "psum_scatter": Collective(
        lambda x: lax.psum_scatter(x, "model", scatter_dimension=1, tiled=True), DATA, ALL,
        lambda p: _joined([[sum(r)] for r in p]),
    ),
    "psum_scatter of both axes": Collective(
        lambda x: lax.psum_scatter(x, ("model", "data"), scatter_dimension=0, tiled=True), P(),
        P(("model", "data")), lambda p: sum(_flat(p)),
    ),
    "psum_scatter of a dimension": Collective(
        lambda x: lax.psum_scatter(x, "model"), P(None, "data"), P(("model", "data")),
        lambda p: np.concatenate([p[i][0][j] * 4 for j in range(4) for i in range(2)]),
        shape=(4, 32),
    ),
    "ppermute around": Collective(
        lambda x: lax.ppermute(x, "model", [(i, (i + 1) % 4) for i in range(4)]), ALL, ALL,
        _each(lambda p, i, j: p[i][j - 1]),
    ),
    "ppermute to some": Collective(
        lambda x: lax.ppermute(x, "data", [(1, 0)]), ALL, ALL,
        _each(lambda p, i, j: p[1][j] if i == 0 else p[0][j] * 0),
    ),
    "ppermute of both axes": Collective(
        lambda x: lax.ppermute(x, ("data", "model"), [(i, i * 3 % 8) for i in range(8)]), ALL, ALL,
        _each(lambda p, i, j: _flat(p)[(4 * i + j) * 3 % 8]),
    ),
    "all_to_all": Collective(
        lambda x: lax.all_to_all(x, "model", 0, 1, tiled=True), ALL, P(("data", "model")),
        lambda p: _joined(p),
    ),
    "all_to_all of a dimension": Collective(
        lambda x: lax.all_to_all(x.reshape(4, 2, 16), "model", 0, 2), ALL, P("data", None, "model"),
        lambda p: np.concatenate([
            np.concatenate([
                np.stack([p[i][k].reshape(4, 2, 16)[j] for k in range(4)], 2) for j in range(4)
            ], 2) for i in range(2)
        ], 0),
    ),
    "pbroadcast": Collective(
        lambda x: lax.pbroadcast(x, ("model",), 2), ALL, ALL, _each(lambda p, i, j: p[i][2])
    ),
    "axis_index": Collective(
        lambda x: x * 0 + lax.axis_index("model") + 10 * lax.axis_index("data")
        + 100 * lax.axis_index(("model", "data")),
        ALL, ALL, _each(lambda p, i, j: p[i][j] * 0 + j + 10 * i + 100 * (2 * j + i)),
    ),
    "axis_size": Collective(
        lambda x: x * lax.axis_size("model"), ALL, ALL, _each(lambda p, i, j: p[i][j] * 4)
    ),
    "condition of a chip": Collective(
        lambda x: lax.cond(lax.axis_index("model") > 1, jnp.sin, lambda v: v * 2, x), ALL, ALL,
        _each(lambda p, i, j: np.sin(p[i][j]) if j > 1 else p[i][j] * 2),
    ),
    "choice of a chip": Collective(
        lambda x: lax.switch(
            lax.axis_index("model"), [jnp.sin, jnp.negative, lambda v: v * 2], x
        ),
        ALL, ALL,
        _each(lambda p, i, j: [np.sin, np.negative, lambda v: v * 2][min(j, 2)](p[i][j])),
    ),
    "loop of a chip": Collective(
        lambda x: lax.fori_loop(0, lax.axis_index("model"), lambda i, c: c * 2 + i, x), ALL, ALL,
        _each(lambda p, i, j: [lambda v: v, lambda v: v * 2, lambda v: v * 4 + 1,
                               lambda v: v * 8 + 4][j](p[i][j])),
    ),
    "loop until all are done": Collective(
        lambda x: lax.while_loop(
            lambda c: lax.pmax(c[0, 0], ("data", "model")) < 100, lambda c: c * 2, jnp.abs(x) + 1
        ),
        ALL, ALL,
        lambda p: (np.abs(_joined(p)) + 1) * 2 ** np.ceil(
            np.log2(100 / (1 + max(abs(x[0, 0]) for x in _flat(p))))
        ),
    ),
}  # fmt: skip

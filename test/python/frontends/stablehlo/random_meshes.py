"""Programs drawn by chance over meshes drawn by chance, with shardings drawn by chance."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from harnesses import difference
from jax import lax
from jax.sharding import AbstractMesh, AxisType, NamedSharding, PartitionSpec
from jaxlib.mlir import passmanager
from random_programs import RandomProgram, Step

import ttmlir
from ttmlir import runtime
from ttmlir.frontends.stablehlo import Imported, import_module
from ttmlir.frontends.stablehlo._loading import read

#: The extents of meshes, and chips of a t3000 that the partitions may be on; None leaves them open.
MESHES: Sequence[tuple[tuple[int, ...], Sequence[int] | None]] = (
    ((8,), None),
    ((2, 4), None),
    ((2, 4), range(8)),
    ((4, 2), None),
    ((4, 2), range(8)),
    ((2, 2, 2), None),
    ((2, 4), (3, 2, 1, 0, 7, 6, 5, 4)),
    ((8,), (0, 5, 2, 7, 1, 4, 3, 6)),
    ((2, 2), (0, 1, 4, 5)),
    ((2, 2), (6, 1, 2, 5)),
    ((4,), None),
    ((2,), (5, 4)),
)
TOLERANCE = {"float32": 5e-5, "bfloat16": 2.0**-6}


def _larger(rng: np.random.Generator, x: Any) -> Callable[[Any], Any]:
    """An op that works along dimensions: products, places, loops."""
    rank = x.ndim
    axis = int(rng.integers(rank))
    extent = x.shape[axis]
    places = jnp.asarray(rng.integers(0, extent, 4).astype(np.int32))
    low, high = (int(n) for n in rng.integers(0, 4, 2))
    outside = jnp.asarray(rng.integers(-2 * extent, 2 * extent, 5).astype(np.int32))
    others = jnp.asarray(rng.integers(-2, x.shape[-1] + 1, 4).astype(np.int32))
    columns = jnp.asarray(rng.standard_normal((x.shape[-1], 8)).astype(np.float32))
    last = x.shape[-1] ** 0.5
    pads = [(low, high, 0) if d == axis else (0, 0, 0) for d in range(rank)]
    factors = [n for n in range(2, extent) if extent % n == 0]
    inner = factors[0] if factors else 1
    split = (*x.shape[:axis], extent // inner, inner, *x.shape[axis + 1 :])
    whole = (slice(None),) * axis
    mode = str(rng.choice(["clip", "fill", "wrap"]))
    window = (1,) * (rank - 1) + (2,)
    ops: list[Callable[[Any], Any]] = [
        lambda v: v @ columns.astype(v.dtype) / last,
        lambda v: jnp.tanh(v) @ jnp.tanh(jnp.swapaxes(v, -1, -2)) / last,
        lambda v: v.sum(axis) / extent,
        lambda v: jnp.prod(jnp.tanh(v) * 0.5 + 1, axis),
        lambda v: lax.reduce_max(v, (axis,)) - lax.reduce_min(v, (axis,)),
        lambda v: lax.pad(v, jnp.zeros((), v.dtype), pads),
        lambda v: v.reshape(split),
        lambda v: v.reshape(-1, v.shape[-1]),
        lambda v: v.at[(*whole, places)].add(1),
        lambda v: v.at[(*whole, places)].max(0),
        lambda v: v.take(outside, axis, mode=mode),
        lambda v: v.at[(*whole, outside)].add(v.take(outside, axis, mode="clip"), mode="drop"),
        lambda v: v[places[:4] % v.shape[0], ..., others],
        lambda v: v.at[places[:4] % v.shape[0], ..., others].multiply(2),
        lambda v: jnp.where(v == v, v, 0).at[(*whole, outside[:2])].set(3, mode="clip"),
        lambda v: v @ columns.astype(v.dtype) / last + jnp.tanh(v) @ columns.astype(v.dtype) / last,
        lambda v: jnp.take_along_axis(v, jnp.argsort(v, axis), axis),
        lambda v: lax.dynamic_update_index_in_dim(v, v.take(0, axis), places[0], axis),
        lambda v: lax.fori_loop(0, 3, lambda i, c: jnp.tanh(c) + v * 0.1, v),
        lambda v: lax.while_loop(lambda c: c[0] < 3, lambda c: (c[0] + 1, c[1] * 0.5), (0, v))[1],
        lambda v: lax.cond(v.sum() > 0, lambda c: c * 2, jnp.tanh, v),
        lambda v: lax.scan(lambda c, e: (c + e.mean(), e * 2), 0.0, v)[1],
        lambda v: lax.top_k(v, 1)[0],
        lambda v: lax.sort([v, v * 2], dimension=axis, num_keys=1)[1],
        lambda v: jnp.cumsum(v, axis) / extent,
        lambda v: jnp.tril(v) if v.ndim > 1 else v,
        lambda v: v + lax.broadcasted_iota(jnp.float32, v.shape, axis).astype(v.dtype) / extent,
        lambda v: jnp.stack([v, -v], axis),
        lambda v: jnp.repeat(v, 2, axis),
        lambda v: lax.rem(v, jnp.float32(1.5).astype(v.dtype)),
        lambda v: jax.nn.one_hot(v.argmax(axis), extent),
        lambda v: jax.vmap(lambda r: lax.dynamic_slice_in_dim(r, places[1], 1))(v),
        lambda v: lax.reduce(v, jnp.ones((), v.dtype), lax.mul, (axis,)),
        # XLA leaves initial values out of dimensions of extent 1.
        lambda v: lax.reduce(v, jnp.asarray(2, v.dtype), lax.max, (axis,)) if extent > 1 else v,
        lambda v: jax.grad(lambda w: (jnp.tanh(w) ** 2).sum())(v),
        lambda v: lax.reduce_window(v, -jnp.inf, lax.max, window, (1,) * rank, "SAME"),
        lambda v: jnp.median(v, axis),
        lambda v: jnp.searchsorted(jnp.sort(v.reshape(-1)), v),
    ]  # fmt: skip
    return rng.choice(np.array(ops, object))


class _Program(RandomProgram):
    def draw(self, rng: np.random.Generator, values: list[Any]) -> Step | None:
        i = len(values) - 1 - int(min(rng.geometric(0.4) - 1, len(values) - 1))
        if rng.random() < 0.4 and values[i].dtype == np.float32 and values[i].ndim:
            op = _larger(rng, values[i])
            return lambda v: op(v[i])
        return super().draw(rng, values)


@dataclass
class RandomMesh:
    """A program by its seed, with the shardings of its arguments, of some values and results."""

    seed: int
    length: int = 6
    program: RandomProgram = field(init=False)
    devices: list[int] | None = field(init=False)

    def __post_init__(self) -> None:
        rng = np.random.default_rng([self.seed, 1])
        self.program = _Program(self.seed, self.length, (1, 2, 3, 4, 6, 8, 8, 16))
        extents, devices = MESHES[int(rng.integers(len(MESHES)))]
        self.devices = None if devices is None else list(devices)
        names = tuple("abc"[: len(extents)])
        self.mesh = AbstractMesh(extents, names, axis_types=(AxisType.Auto,) * len(extents))
        self.with_shardy = bool(rng.random() < 0.75)
        # As JAX does in front of a plugin: bodies then have constants of the function around them.
        self.is_canonical = bool(rng.random() < 0.5)
        values = [jax.ShapeDtypeStruct(a.shape, a.dtype) for a in self.program.arguments]
        self.inputs = [self._sharding(rng, v.shape) if rng.random() < 0.8 else None for v in values]
        results = jax.eval_shape(self.program.function, *values)
        self.constraints = [
            self._sharding(rng, v.shape, may_pad=True) if rng.random() < 0.3 else None
            for v in results
        ]
        self.outputs = [
            self._sharding(rng, v.shape) if rng.random() < 0.3 else None for v in results
        ]

    def _sharding(
        self, rng: np.random.Generator, shape: Sequence[int], may_pad: bool = False
    ) -> NamedSharding:
        """Some axes of the mesh, each along a dimension that they divide."""
        parts: list[list[str]] = [[] for _ in shape]
        for name in rng.permutation(self.mesh.axis_names):
            if not shape or rng.random() < 0.2:
                continue
            d = int(rng.integers(len(shape)))
            count = math.prod(self.mesh.shape[n] for n in [*parts[d], str(name)])
            if shape[d] % count == 0 or (may_pad and rng.random() < 0.3):
                parts[d].append(str(name))
        return NamedSharding(self.mesh, PartitionSpec(*(tuple(p) or None for p in parts)))

    def function(self, *arguments: Any) -> list[Any]:
        """What all steps return, with constraints on some."""
        values = list(arguments)
        for step, sharding in zip(self.program.steps, self.constraints, strict=True):
            found = step(values)
            if sharding is not None:
                found = lax.with_sharding_constraint(found, sharding)
            values.append(found)
        return values[len(arguments) :]

    def last(self, *arguments: Any) -> Any:
        """What the last step returns."""
        return self.function(*arguments)[-1]

    def imported(self, function: Callable[..., Any], outputs: Any) -> Imported:
        """The program over the mesh."""
        arguments = [
            jax.ShapeDtypeStruct(a.shape, a.dtype, sharding=s)
            for a, s in zip(self.program.arguments, self.inputs, strict=True)
        ]
        before = jax.config.jax_use_shardy_partitioner
        jax.config.update("jax_use_shardy_partitioner", self.with_shardy)
        try:
            jitted = jax.jit(function, keep_unused=True, out_shardings=outputs)
            lowered = jitted.trace(*arguments).lower(lowering_platforms=("tt",))
        finally:
            jax.config.update("jax_use_shardy_partitioner", before)
        module = read(lowered)
        if self.is_canonical:
            with module.context:
                passes = "builtin.module(canonicalize,cse)"
                passmanager.PassManager.parse(passes).run(module.operation)
        system = runtime.get_default_system_desc("t3000")
        return import_module(module, devices=self.devices, system=system)

    def run(self, imported: Imported) -> list[Any]:
        """What the program returns on emulated chips."""
        keywords = {}
        if imported.mesh is not None and imported.mesh.chips:
            keywords["chip_ids"] = imported.mesh.chips
        executable = ttmlir.compile(imported.builder, target="t3000", **keywords)
        found = executable(*self.program.arguments)
        return list(found) if isinstance(found, tuple) else [found]


def check(seed: int) -> None:
    """Raises AssertionError with the seed and the step that differs from JAX on the CPU."""
    drawn = RandomMesh(seed)
    arguments = drawn.program.arguments
    got = drawn.run(drawn.imported(drawn.function, drawn.outputs))
    values = [jnp.asarray(x) for x in [*arguments, *got]]
    with jax.default_matmul_precision("highest"):
        for i, step in enumerate(drawn.program.steps):
            want = np.asarray(step(values[: len(arguments) + i]))
            found = difference(np.asarray(got[i]), want, TOLERANCE.get(str(want.dtype), 0.0))
            assert not found, f"seed {seed}, step {i}: {found}"
    # Without the results of steps on the way, shardings are others.
    last = drawn.run(drawn.imported(drawn.last, drawn.outputs[-1]))[0]
    found = difference(np.asarray(last), got[-1], TOLERANCE.get(str(got[-1].dtype), 0.0))
    assert not found, f"seed {seed}: {found}"


if __name__ == "__main__":
    import sys
    import traceback

    first, end = int(sys.argv[1]), int(sys.argv[2])
    wrong = 0
    for number in range(first, end):
        try:
            check(number)
        except Exception as error:
            wrong += 1
            print(number, type(error).__name__, str(error)[:400].replace("\n", " "), flush=True)
            if end == first + 1:
                traceback.print_exc()
    print(f"{end - first} programs, {wrong} wrong")

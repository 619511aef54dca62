"""``shard_map`` with the collectives of ``jax.lax``: chips agree with devices of the CPU."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax
from jax.sharding import Mesh
from jax.sharding import PartitionSpec as P
from placing import put, row

Body = Callable[[Any], Any]
TURN = [(i, (i + 1) % 4) for i in range(4)]

#: The body on a 2x4 mesh of axes "a" and "b", and the sharding of its result; the argument of 8x16
#: has four rows and four columns on each chip.
COLLECTIVES: dict[str, tuple[Body, P]] = {
    "psum": (lambda x: lax.psum(x, "b"), P("a")),
    "psum of two axes": (lambda x: lax.psum(x, ("a", "b")), P()),
    "psum of a count": (lambda x: x * lax.psum(1, "b"), P("a", "b")),
    "pmean": (lambda x: lax.pmean(x, "a"), P(None, "b")),
    "pmax": (lambda x: lax.pmax(x, "b"), P("a")),
    "pmin": (lambda x: lax.pmin(x, "a"), P(None, "b")),
    "all_gather": (lambda x: lax.all_gather(x, "b", axis=1, tiled=True), P("a")),
    "all_gather of a new axis": (lambda x: lax.all_gather(x, "a"), P(None, None, "b")),
    "all_gather of two axes": (lambda x: lax.all_gather(x, ("a", "b"), tiled=True), P()),
    "psum_scatter": (lambda x: lax.psum_scatter(x, "b", tiled=True), P(("a", "b"))),
    "psum_scatter of an axis": (lambda x: lax.psum_scatter(x, "b"), P(("a", "b"))),
    "ppermute": (lambda x: lax.ppermute(x, "b", TURN), P("a", "b")),
    "ppermute to some": (lambda x: lax.ppermute(x, "b", [(0, 2), (3, 1)]), P("a", "b")),
    "all_to_all": (lambda x: lax.all_to_all(x, "b", 0, 1, tiled=True), P(("a", "b"), None)),
    "axis_index": (lambda x: x + lax.axis_index("b") + 10 * lax.axis_index("a"), P("a", "b")),
    "axis_size": (lambda x: x * lax.axis_size("b"), P("a", "b")),
    "groups": (
        lambda x: lax.psum(x, "b", axis_index_groups=[[0, 1], [2, 3]]),
        P("a", "b"),
    ),
}


def mapped(body: Body, mesh: Mesh, spec: P) -> Any:
    return jax.jit(
        jax.shard_map(body, mesh=mesh, in_specs=P("a", "b"), out_specs=spec, check_vma=False)
    )


def mesh_of(devices: Any) -> Mesh:
    return Mesh(np.array(devices).reshape(2, 4), ("a", "b"))


def argument() -> Any:
    return np.random.default_rng(0).integers(-8, 8, (8, 16)).astype(np.float32)


@pytest.mark.parametrize("name", COLLECTIVES)
def test_collectives(chips: Any, cpus: Any, name: str) -> None:
    body, spec = COLLECTIVES[name]
    found, expected = (
        mapped(body, mesh_of(devices), spec)(put(mesh_of(devices), argument(), "a", "b"))
        for devices in (chips, cpus)
    )
    assert found.sharding.spec == expected.sharding.spec
    np.testing.assert_array_equal(found, expected)


def test_integers(chips: Any) -> None:
    mesh = mesh_of(chips)
    x = argument().astype(np.int32)
    found = mapped(lambda x: (lax.psum(x, "b"), lax.pmax(x, "b")), mesh, P("a"))(
        put(mesh, x, "a", "b")
    )
    blocks = x.reshape(8, 4, 4)
    np.testing.assert_array_equal(found[0], blocks.sum(1))
    np.testing.assert_array_equal(found[1], blocks.max(1))


def test_gradients_of_collectives(chips: Any, cpus: Any) -> None:
    def gradient(devices: Any) -> Any:
        mesh = mesh_of(devices)

        def loss(x: Any) -> Any:
            def body(x: Any) -> Any:
                y = lax.all_gather(jnp.tanh(x), "b", axis=1, tiled=True)
                return lax.pmean((y * y).sum(), ("a", "b"))

            return jax.shard_map(body, mesh=mesh, in_specs=P("a", "b"), out_specs=P())(x)

        return jax.jit(jax.grad(loss))(put(mesh, argument() / 8, "a", "b"))

    np.testing.assert_allclose(gradient(chips), gradient(cpus), rtol=2e-2, atol=2e-3)


def test_some_axes_manual(chips: Any, cpus: Any) -> None:
    """The other one is JAX's."""

    def run(devices: Any) -> Any:
        mesh = mesh_of(devices)
        body = jax.shard_map(
            lambda x: lax.psum(x, "b") * 2,
            mesh=mesh,
            in_specs=P(None, "b"),
            out_specs=P(),
            axis_names={"b"},
        )
        return jax.jit(lambda x: body(x) + 1)(put(mesh, argument(), "a", "b"))

    np.testing.assert_array_equal(run(chips), run(cpus))


def test_ring_of_products(chips: Any) -> None:
    """A product whose right operand goes from chip to chip in a loop."""
    mesh = row(chips)
    rng = np.random.default_rng(0)
    a, b = (rng.standard_normal((64, 64), np.float32) / 8 for _ in range(2))
    turn = [(i, (i + 1) % 8) for i in range(8)]

    def body(a: Any, b: Any) -> Any:
        own = lax.axis_index("x")

        def step(i: Any, state: Any) -> Any:
            total, block = state
            columns = lax.dynamic_slice_in_dim(a, ((own - i) % 8) * 8, 8, 1)
            return total + columns @ block, lax.ppermute(block, "x", turn)

        return lax.fori_loop(0, 8, step, (jnp.zeros((8, 64), jnp.float32), b))[0]

    rows = P("x")
    f = jax.jit(
        jax.shard_map(body, mesh=mesh, in_specs=(rows, rows), out_specs=rows, check_vma=False)
    )
    found = f(put(mesh, a, "x"), put(mesh, b, "x"))
    np.testing.assert_allclose(found, a @ b, rtol=2e-2, atol=2e-3)


def test_pmap(chips: Any) -> None:
    """Of replicas in old releases of JAX."""
    x = argument()

    def body(x: Any) -> Any:
        return lax.psum(x, "i") + x * lax.axis_index("i"), lax.all_gather(x, "i")

    found, gathered = jax.pmap(body, axis_name="i", devices=chips)(x)
    np.testing.assert_array_equal(found, x.sum(0) + x * np.arange(8)[:, None])
    np.testing.assert_array_equal(gathered, np.stack([x] * 8))


def test_without_shardy(chips: Any) -> None:
    """Shardings as texts of HLO, which older programs have."""
    jax.config.update("jax_use_shardy_partitioner", False)
    try:
        mesh = mesh_of(chips)
        x = put(mesh, argument(), "a", "b")
        np.testing.assert_array_equal(jax.jit(lambda x: x @ x.T)(x), argument() @ argument().T)
        found = mapped(lambda x: lax.psum(x, "b"), mesh, P("a"))(x)
        np.testing.assert_array_equal(found, argument().reshape(8, 4, 4).sum(1))
    finally:
        jax.config.update("jax_use_shardy_partitioner", True)

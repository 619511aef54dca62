"""Functions of sharded arrays: results and where they are, donation, traffic."""

from __future__ import annotations

import gc
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.sharding import AxisType, NamedSharding
from jax.sharding import PartitionSpec as P
from placing import grid, put, random, row

import ttmlir.jax
from ttmlir import runtime


def mlp(a: Any, b: Any, x: Any) -> Any:
    return jax.nn.gelu(x @ a) @ b


def loss(a: Any, b: Any, x: Any, y: Any) -> Any:
    return jnp.mean((mlp(a, b, x) - y) ** 2)


def weights() -> tuple[Any, Any]:
    return random(64, 128) / 8, random(128, 32, seed=1) / 11


def close(found: Any, expected: Any) -> None:
    np.testing.assert_allclose(found, expected, rtol=2e-2, atol=2e-3)


@pytest.mark.parametrize("axis_type", [AxisType.Auto, AxisType.Explicit])
def test_tensor_and_data_parallel(chips: Any, axis_type: AxisType) -> None:
    """Eight chips agree with one."""
    mesh = grid(chips, axis_type)
    a, b = weights()
    x = random(16, 64, seed=2)
    where = P("data", None) if axis_type == AxisType.Explicit else None
    f = jax.jit(lambda a, b, x: jnp.dot(jax.nn.gelu(x @ a), b, out_sharding=where))
    with jax.set_mesh(mesh):
        found = f(
            put(mesh, a, None, "model"), put(mesh, b, "model", None), put(mesh, x, "data", None)
        )
    assert found.sharding.is_equivalent_to(NamedSharding(mesh, P("data", None)), 2)
    assert {shard.data.shape for shard in found.addressable_shards} == {(8, 32)}
    close(found, jax.jit(mlp)(*jax.device_put((a, b, x), chips[0])))


def test_gradients(chips: Any) -> None:
    mesh = grid(chips)
    a, b = weights()
    x, y = random(16, 64, seed=2), random(16, 32, seed=3)
    step = jax.jit(jax.value_and_grad(loss, argnums=(0, 1)))
    value, (da, db) = step(
        put(mesh, a, None, "model"),
        put(mesh, b, "model", None),
        put(mesh, x, "data"),
        put(mesh, y, "data"),
    )
    alone, (ga, gb) = step(*jax.device_put((a, b, x, y), chips[0]))
    assert value.sharding.is_fully_replicated
    close(value, alone)
    close(da, ga)
    close(db, gb)


def test_sharding_constraint(chips: Any) -> None:
    mesh = grid(chips)
    where = NamedSharding(mesh, P("model", "data"))

    @jax.jit
    def f(x: Any) -> Any:
        y = jax.lax.with_sharding_constraint(x * 2, where)
        return y, jnp.sort(y, axis=0)

    x = random(16, 32)
    doubled, ordered = f(put(mesh, x, "data", "model"))
    assert doubled.sharding.is_equivalent_to(where, 2)
    np.testing.assert_array_equal(doubled, x * 2)
    np.testing.assert_array_equal(ordered, np.sort(x * 2, axis=0))


def test_shardings_of_results(chips: Any) -> None:
    """Those that the caller wants, and those that the compiler chose, which JAX learns."""
    mesh = grid(chips)
    x = random(16, 32)
    own = put(mesh, x, "data", "model")
    chosen = jax.jit(lambda x: (x + 1, x.sum(), x.T))(own)
    assert chosen[0].sharding.is_equivalent_to(own.sharding, 2)
    assert chosen[1].sharding.is_fully_replicated
    np.testing.assert_array_equal(chosen[0], x + 1)
    np.testing.assert_array_equal(chosen[2], x.T)
    for spec in (P(), P("model"), P(None, ("data", "model")), P(("model", "data"), None)):
        wanted = NamedSharding(mesh, spec)
        result = jax.jit(lambda x: x - 1, out_shardings=wanted)(own)
        assert result.sharding.is_equivalent_to(wanted, 2)
        np.testing.assert_array_equal(result, x - 1)


def test_without_arguments(chips: Any) -> None:
    """What is made on the chips never was on the host."""
    mesh = grid(chips)
    make = jax.jit(
        lambda: jnp.arange(64.0).reshape(8, 8), out_shardings=NamedSharding(mesh, P("data"))
    )
    np.testing.assert_array_equal(make(), np.arange(64.0).reshape(8, 8))


def test_types_and_ranks(chips: Any) -> None:
    mesh = row(chips)
    for dtype in (np.bool_, np.int8, np.uint8, np.int16, np.int32, np.uint32, jnp.bfloat16):
        x = (np.arange(16 * 3).reshape(16, 3) % 2).astype(dtype)
        found = jax.jit(lambda x: (x, x[:, 0], x[0, 0]))(put(mesh, x, "x"))
        for own, expected in zip(found, (x, x[:, 0], x[0, 0]), strict=True):
            assert own.dtype == dtype
            np.testing.assert_array_equal(own, expected)
    wide = random(8, 2, 3, 4, 5)
    np.testing.assert_array_equal(jax.jit(lambda x: x * 2)(put(mesh, wide, "x")), wide * 2)


def test_other_orders_of_chips(chips: Any) -> None:
    """Permuted, four of eight, and no block of the board."""
    x, w = random(16, 32), random(32, 16, seed=1)
    for ids in ((7, 2, 5, 0, 3, 6, 1, 4), (5, 1, 0, 4), (2, 3, 7, 6)):
        mesh = row([chips[i] for i in ids])
        own = put(mesh, x, "x")
        assert [shard.device.id for shard in own.addressable_shards] == list(ids)
        close(jax.jit(lambda x, w: (x @ w).sum(0))(own, put(mesh, w, None, "x")), (x @ w).sum(0))
        np.testing.assert_array_equal(jax.jit(lambda x: x + 1)(own), x + 1)


def test_kernels(chips: Any) -> None:
    """The other backend."""
    mesh = grid(chips)
    a, b = weights()
    x = random(16, 64, seed=2)
    f = jax.jit(mlp, compiler_options={"backend": "ttmetal"})
    arrays = (put(mesh, a, None, "model"), put(mesh, b, "model", None), put(mesh, x, "data"))
    found = f(*arrays)
    close(found, jax.jit(mlp)(*jax.device_put((a, b, x), chips[0])))
    # From one backend to the other.
    np.testing.assert_array_equal(jax.jit(lambda y: y * 2)(found), np.asarray(found) * 2)


def test_donation(chips: Any) -> None:
    mesh = grid(chips)
    add = jax.jit(lambda a, b: a + b, donate_argnums=0)
    total, one = put(mesh, np.zeros((64, 64), np.float32), "data", "model"), None
    one = put(mesh, np.ones((64, 64), np.float32), "data", "model")
    total = add(total, one)
    before = [chip.memory_stats()["bytes_in_use"] for chip in chips]
    for _ in range(5):
        old = total
        total = add(total, one)
        assert old.is_deleted()
    assert np.asarray(total).min() == np.asarray(total).max() == 6
    after = [chip.memory_stats()["bytes_in_use"] for chip in chips]
    assert all(now <= then for now, then in zip(after, before, strict=True))
    with pytest.raises((RuntimeError, ValueError), match=r"deleted|donated"):
        add(old, one)
    # A shard of one array alone that is another array, too, is not given up.
    shared = put(mesh, np.zeros((64, 64), np.float32), "data", "model")
    with pytest.raises(Exception, match="donate"):
        add(shared, shared)
    np.testing.assert_array_equal(shared, np.zeros((64, 64)))


class Traffic:
    """Counts what goes between the host and the chips."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.placed = self.read = 0
        place, read = ttmlir.Executable.place, runtime.to_numpy

        def counted_place(*args: Any, **kwargs: Any) -> Any:
            self.placed += 1
            return place(*args, **kwargs)

        def counted_read(*args: Any) -> Any:
            self.read += 1
            return read(*args)

        monkeypatch.setattr(ttmlir.Executable, "place", counted_place)
        monkeypatch.setattr(runtime, "to_numpy", counted_read)


def test_results_stay_on_the_chips(chips: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    mesh = grid(chips)
    x = put(mesh, random(16, 64), "data", "model")
    f, g = jax.jit(lambda x: jnp.tanh(x) + x), jax.jit(lambda y: (y @ y.T, y))
    traffic = Traffic(monkeypatch)
    y = jax.block_until_ready(f(x))
    assert (traffic.placed, traffic.read) == (8, 0)
    jax.block_until_ready(g(g(y)[1]))
    jax.block_until_ready(f(x))
    assert (traffic.placed, traffic.read) == (8, 0)
    report = ttmlir.jax.report(g, y)
    assert not any("to_device" in op.name or "from_device" in op.name for op in report.ops)


def test_from_chip_to_chip(chips: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Arrays that a program has made do not go through the host."""
    host = random(32, 32)
    x = jax.jit(lambda x: x * 2)(jax.device_put(host, chips[0]))
    traffic = Traffic(monkeypatch)
    moved = x
    for chip in (*chips[1:], chips[0]):
        moved = jax.device_put(moved, chip)
    jax.block_until_ready(moved)
    spread = jax.block_until_ready(jax.device_put(x, NamedSharding(row(chips), P())))
    assert traffic.read == 0
    np.testing.assert_array_equal(moved, host * 2)
    np.testing.assert_array_equal(spread, host * 2)
    np.testing.assert_array_equal(x, host * 2)


def test_arrays_change_their_sharding(chips: Any) -> None:
    host = random(16, 32)
    places: list[Any] = [
        NamedSharding(grid(chips), P("data", "model")),
        NamedSharding(grid(chips), P("model")),
        NamedSharding(row(chips), P(None, "x")),
        NamedSharding(row(chips[::-1]), P("x")),
        NamedSharding(row(chips[4:]), P("x")),
        jax.sharding.SingleDeviceSharding(chips[6]),
        NamedSharding(grid(chips), P()),
        jax.sharding.SingleDeviceSharding(jax.devices("cpu")[0]),
        NamedSharding(grid(chips), P(None, ("model", "data"))),
    ]
    x = jax.device_put(host, places[0])
    for place in places[1:]:
        x = jax.device_put(x, place)
        assert x.sharding.is_equivalent_to(place, 2)
        np.testing.assert_array_equal(x, host)


def test_report_has_the_links(chips: Any) -> None:
    mesh = grid(chips)
    a, b = weights()
    report = ttmlir.jax.report(
        jax.jit(mlp),
        put(mesh, a, None, "model"),
        put(mesh, b, "model", None),
        put(mesh, random(16, 64, seed=2), "data"),
    )
    # Of the product with `b`, each chip has a sum of 8x32, a row of tiles, to reduce over a line of
    # four: no more than twice that goes over a link.
    assert 0 < max(use.bytes for use in report.ethernet_use) <= 2 * 32 * 32 * 4
    alone = ttmlir.jax.report(jax.jit(mlp), *jax.device_put((a, b, random(16, 64)), chips[0]))
    assert alone.ethernet_bytes == 0
    elementwise = ttmlir.jax.report(jax.jit(jnp.tanh), put(mesh, a, "data", "model"))
    assert elementwise.ethernet_bytes == 0


def test_loops(chips: Any) -> None:
    mesh = grid(chips)
    w, x = random(32, 32) / 8, random(16, 32, seed=1)

    @jax.jit
    def f(w: Any, x: Any) -> Any:
        y, norms = jax.lax.scan(lambda c, _: (jnp.tanh(c @ w), jnp.abs(c).max()), x, None, 3)
        return y, norms, jax.lax.while_loop(lambda c: c.sum() < 100, lambda c: c + 1, jnp.abs(x))

    found = f(put(mesh, w, None, "model"), put(mesh, x, "data", "model"))
    for own, alone in zip(found, f(*jax.device_put((w, x), chips[0])), strict=True):
        close(own, alone)


def test_memory_of_each_chip(chips: Any) -> None:
    """A shard counts on its chip, with the padding of its tiles once it is there."""
    gc.collect()
    mesh = grid(chips)

    def used() -> Any:
        return np.array([chip.memory_stats()["bytes_in_use"] for chip in chips])

    before = used()
    x = put(mesh, random(64, 128), "data", "model")
    np.testing.assert_array_equal(used() - before, [4 * 32 * 32] * 8)
    jax.block_until_ready(jax.jit(lambda x: x + 1)(x))
    # One tile has an address in all twelve channels.
    np.testing.assert_array_equal(used() - before, [12 * 4 * 32 * 32] * 8)
    del x
    np.testing.assert_array_equal(used(), before)


def test_made_of_single_arrays(chips: Any) -> None:
    """Shards of several origins: of a program, from the host, from another chip."""
    f: Callable[[Any], Any] = jax.jit(lambda x: x + 1)
    host = random(4, 8)
    parts = [
        f(jax.device_put(host[0:1], chips[0])),
        jax.device_put(host[1:2] + 1, chips[1]),
        jax.device_put(f(jax.device_put(host[2:3], chips[3])), chips[2]),
        jax.device_put(host[3:4] + 1, chips[3]),
    ]
    where = NamedSharding(row(chips[:4]), P("x"))
    x = jax.make_array_from_single_device_arrays((4, 8), where, parts)
    for backend in ("ttnn", "ttmetal"):
        g = jax.jit(lambda x: (x * 2, x.sum(0)), compiler_options={"backend": backend})
        doubled, total = g(x)
        close(doubled, (host + 1) * 2)
        close(total, (host + 1).sum(0))

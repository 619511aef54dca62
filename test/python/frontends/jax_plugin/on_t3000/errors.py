"""What goes wrong with sharded arrays is an exception of JAX, and the process lives on."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.sharding import Mesh, NamedSharding
from jax.sharding import PartitionSpec as P
from placing import put, row


@pytest.fixture
def mesh(chips: Any) -> Mesh:
    return row(chips)


@pytest.fixture
def x(mesh: Mesh) -> Any:
    return jax.device_put(
        np.arange(64, dtype=np.float32).reshape(16, 4), NamedSharding(mesh, P("x"))
    )


@pytest.fixture(autouse=True)
def lives_on(mesh: Mesh, x: Any) -> Iterator[None]:
    """Other programs on these chips run before and after."""
    f: Callable[[Any], Any] = jax.jit(lambda x: x.sum())
    assert float(f(x)) == 2016
    yield
    assert float(f(put(mesh, np.ones((16, 4), np.float32), "x"))) == 64


def test_mixed_devices(chips: Any, x: Any) -> None:
    other = jax.device_put(
        np.ones((16, 4), np.float32), NamedSharding(Mesh(chips[:4], "x"), P("x"))
    )
    for wrong in (other, jax.device_put(np.ones((16, 4), np.float32), chips[2])):
        with pytest.raises(ValueError, match="incompatible devices"):
            jax.jit(jnp.add)(x, wrong)


def test_shapes_that_do_not_divide(mesh: Mesh) -> None:
    with pytest.raises(ValueError, match=r"divisible by 8|dimension size is 12"):
        jax.device_put(np.ones((12, 4), np.float32), NamedSharding(mesh, P("x")))
    with pytest.raises(ValueError, match=r"divisible by 8|dimension size is 12"):
        jax.jit(lambda: jnp.ones((12, 4)), out_shardings=NamedSharding(mesh, P("x")))()


def test_deleted_arrays(x: Any) -> None:
    x.delete()
    with pytest.raises(RuntimeError, match="deleted"):
        jax.jit(lambda x: x + 1)(x)


def test_no_room(mesh: Mesh) -> None:
    """All results of the program fail, on each chip, and what is computed of them."""
    where = NamedSharding(mesh, P("x"))
    # 13 times 1 GiB on each chip.
    big = jax.jit(
        lambda: (*(jnp.full((8, 2**28), float(i)) for i in range(13)), jnp.ones(8)),
        out_shardings=where,
    )
    first, *_, ones = big()
    behind = jax.jit(lambda x: x * 2)(ones)
    for array in (first, ones, behind):
        for shard in array.addressable_shards:
            with pytest.raises(jax.errors.JaxRuntimeError, match=r"RESOURCE_EXHAUSTED.*no room"):
                jax.block_until_ready(shard.data)


def test_no_room_in_the_program(mesh: Mesh, chips: Any) -> None:
    """Not for an array, but for what is computed between them."""
    # Arrays of earlier tests may be in cycles with the errors that they raised.
    gc.collect()
    before = [chip.memory_stats()["bytes_in_use"] for chip in chips]

    def body(x: Any) -> Any:
        wide = jnp.broadcast_to(x[:, :1], (2**15, 2**17))
        return jnp.sort(wide, axis=0)[:8, :8]

    f = jax.jit(jax.shard_map(body, mesh=mesh, in_specs=P("x"), out_specs=P("x")))
    x = put(mesh, np.ones((8, 8), np.float32), "x")
    with pytest.raises(jax.errors.JaxRuntimeError, match="RESOURCE_EXHAUSTED"):
        f(x).block_until_ready()
    del x
    assert before == [chip.memory_stats()["bytes_in_use"] for chip in chips]


def test_an_op_that_there_is_not(x: Any) -> None:
    with pytest.raises(jax.errors.JaxRuntimeError, match=r"UNIMPLEMENTED(.|\n)*errors\.py"):
        jax.jit(lambda x: x.at[jnp.array([1, 1])].apply(jnp.sin))(x)


def test_options_of_the_compiler(x: Any) -> None:
    f = jax.jit(lambda x: x + 1, compiler_options={"mesh_shape": "2,4"})
    with pytest.raises(Exception, match="mesh_shape: the plugin for JAX sets this option itself"):
        f(x)
    lowered = jax.jit(
        lambda x: x @ x.T, compiler_options={"enable_activation_dtype_lowering": True}
    )
    assert lowered(x).shape == (16, 16)


def test_chips_that_nothing_joins(chips: Any) -> None:
    """A line of chips without links."""
    x = put(row([chips[0], chips[7]]), np.ones((16, 4), np.float32), "x")
    with pytest.raises(jax.errors.JaxRuntimeError, match="links"):
        jax.jit(lambda x: x.sum())(x).block_until_ready()

"""Prints what programs of JAX over several processes compute and what they cost, as JSON: for each
of them a digest of the whole results and the modelled cycles.

    mpirun -n N python -m ttmlir.mpi jax_programs.py [NAME ...]

The same script runs in one process, which then has all devices.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Callable
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import multihost_utils
from jax.sharding import AxisType, Mesh, NamedSharding
from jax.sharding import PartitionSpec as P

import ttmlir.jax

Array = np.ndarray[Any, Any]


def random(*shape: int, seed: int = 0, dtype: Any = np.float32) -> Array:
    return np.random.default_rng(seed).normal(0, 0.3, shape).astype(dtype)


def mesh_of(shape: tuple[int, ...], *names: str, devices: Any = None) -> Mesh:
    """A mesh of all chips, or of those given."""
    chips = jax.devices("tt") if devices is None else devices
    return jax.make_mesh(shape, names, devices=chips, axis_types=(AxisType.Auto,) * len(names))


def put(array: Array, mesh: Mesh, *spec: Any) -> jax.Array:
    """Each process puts its shards on its devices."""
    sharding = NamedSharding(mesh, P(*spec))
    return jax.make_array_from_callback(array.shape, sharding, lambda index: array[index])


def whole(tree: Any) -> list[Array]:
    """The elements of arrays, on all processes; those of the host are the same on all."""
    return [
        np.asarray(multihost_utils.process_allgather(leaf, tiled=True))
        if isinstance(leaf, jax.Array)
        else np.asarray(leaf)
        for leaf in jax.tree.leaves(tree)
    ]


def measured(function: Any, *arguments: Any) -> tuple[Any, float]:
    """The results of a call, and its cycles."""
    return function(*arguments), ttmlir.jax.report(function, *arguments).cycles


Made = tuple[Any, float]


def data_parallel_training() -> Made:
    """Steps of a training, whose state is donated; gradients are added up over all chips."""
    mesh = mesh_of((len(jax.devices("tt")),), "data")
    state = {
        "w1": put(random(64, 128), mesh),
        "b1": put(random(128), mesh),
        "w2": put(random(128, 32, seed=1), mesh),
    }

    def loss(state: Any, x: Any, y: Any) -> Any:
        hidden = jax.nn.relu(x @ state["w1"] + state["b1"])
        return jnp.mean((hidden @ state["w2"] - y) ** 2)

    def update(state: Any, x: Any, y: Any) -> Any:
        value, gradients = jax.value_and_grad(loss)(state, x, y)
        return jax.tree.map(lambda p, g: p - 0.1 * g, state, gradients), value

    step = jax.jit(update, donate_argnums=0)
    values = []
    for i in range(3):
        x = put(random(64, 64, seed=i), mesh, "data")
        y = put(random(64, 32, seed=10 + i), mesh, "data")
        old = state["w1"]
        state, value = step(state, x, y)
        assert old.is_deleted()
        # Every process has a copy of what all chips have.
        values.append(np.float32(value))
    cycles = ttmlir.jax.report(jax.jit(update), state, x, y).cycles
    return [state, *values], cycles


def tensor_parallel_product(**options: Any) -> Made:
    """A product whose addends are on the chips of a row."""
    mesh = mesh_of((2, len(jax.devices("tt")) // 2), "data", "model")
    x = put(random(64, 256), mesh, "data", "model")
    w = put(random(256, 64), mesh, "model", None)
    return measured(jax.jit(lambda x, w: jax.nn.gelu(x @ w), compiler_options=options), x, w)


def shard_map_collectives() -> Made:
    """Every collective of ``jax.lax`` along both axes."""
    mesh = mesh_of((2, len(jax.devices("tt")) // 2), "a", "b")

    def body(x: Any) -> Any:
        total = jax.lax.psum(x, "a")
        part = jax.lax.psum_scatter(total, "b", scatter_dimension=1, tiled=True)
        gathered = jax.lax.all_gather(part, "b", axis=1, tiled=True)
        size = jax.lax.axis_size("b")
        turned = jax.lax.ppermute(gathered, "b", [(i, (i + 1) % size) for i in range(size)])
        swapped = jax.lax.all_to_all(turned, "b", split_axis=0, concat_axis=1, tiled=True)
        index = jax.lax.axis_index("a") * 10 + jax.lax.axis_index("b")
        return turned + index, swapped, jax.lax.pmax(x, ("a", "b"))

    specs = (P("a", "b"), P("a", "b"), P())
    f = jax.jit(jax.shard_map(body, mesh=mesh, in_specs=P("a", "b"), out_specs=specs))
    return measured(f, put(random(64, 256), mesh, "a", "b"))


def process_local_data() -> Made:
    """Each process has its rows of the batch."""
    mesh = mesh_of((len(jax.devices("tt")),), "data")
    x = random(64, 32)
    rows = np.split(x, jax.process_count())[jax.process_index()]
    batch = jax.make_array_from_process_local_data(NamedSharding(mesh, P("data")), rows)
    assert batch.shape == x.shape
    assert len(batch.addressable_shards) == len(jax.local_devices(backend="tt"))
    f = jax.jit(lambda x: (x * 2, x.sum(0)))
    results, cycles = measured(f, batch)
    np.testing.assert_array_equal(whole(results[0])[0], x * 2)
    return results, cycles


def single_device_arrays() -> Made:
    """A global array of those of the chips, which programs of the process have computed."""
    mesh = mesh_of((len(jax.devices("tt")),), "data")
    double = jax.jit(lambda x: x * 2)
    shards = [
        double(jax.device_put(random(8, 32, seed=chip.id), chip))
        for chip in jax.local_devices(backend="tt")
    ]
    shape = (8 * len(jax.devices("tt")), 32)
    x = jax.make_array_from_single_device_arrays(shape, NamedSharding(mesh, P("data")), shards)
    return measured(jax.jit(lambda x: x - x.mean(0)), x)


def other_orders_of_chips() -> Made:
    """The positions of a process in the mesh are not next to each other."""
    chips = np.array(jax.devices("tt")).reshape(2, -1)[:, ::-1]
    mesh = mesh_of(chips.shape, "a", "b", devices=chips.ravel().tolist())
    x = put(random(64, 256), mesh, "b", "a")
    f = jax.jit(lambda x: (jnp.exp(x).sum(0), x.T @ x), out_shardings=NamedSharding(mesh, P(None)))
    return measured(f, x)


def some_chips_of_each_process() -> Made:
    """Four neighbours; of 2 processes each has two of them, of 4 one."""
    chips = [jax.devices("tt")[i] for i in (1, 2, 5, 6)]
    mesh = mesh_of((2, 2), "x", "y", devices=chips)
    return measured(jax.jit(lambda x: x - x.max(0)), put(random(64, 64), mesh, "x", "y"))


def kernels_between_chips() -> Made:
    return tensor_parallel_product(backend="ttmetal")


def loops() -> Made:
    """A loop whose end depends on a sum over all chips."""
    mesh = mesh_of((len(jax.devices("tt")),), "x")

    def body(x: Any) -> Any:
        return jax.lax.while_loop(
            lambda x: jax.lax.psum(jnp.abs(x).sum(), "x") < 5000.0, lambda x: x * 1.5, x
        )

    f = jax.jit(jax.shard_map(body, mesh=mesh, in_specs=P("x"), out_specs=P("x")))
    return measured(f, put(random(64, 64), mesh, "x"))


def resharding() -> Made:
    """``device_put`` to another sharding over the same chips is a program."""
    mesh = mesh_of((2, len(jax.devices("tt")) // 2), "a", "b")
    x = put(random(64, 256), mesh, "a", "b")
    y = jax.device_put(x, NamedSharding(mesh, P("b", None)))
    return measured(jax.jit(lambda y: y + 1), y)


def random_numbers() -> Made:
    mesh = mesh_of((len(jax.devices("tt")),), "x")
    sharding = NamedSharding(mesh, P("x"))
    make = partial(jax.random.normal, shape=(64, 32))
    key = jax.random.key_data(jax.random.key(7))
    f = jax.jit(lambda key: make(jax.random.wrap_key_data(key)), out_shardings=sharding)
    return measured(f, put(np.asarray(key), mesh))


PROGRAMS: dict[str, Callable[[], Made]] = {
    function.__name__: function
    for function in (
        data_parallel_training,
        tensor_parallel_product,
        shard_map_collectives,
        process_local_data,
        single_device_arrays,
        other_orders_of_chips,
        some_chips_of_each_process,
        kernels_between_chips,
        loops,
        resharding,
        random_numbers,
    )
}


def digests(name: str) -> dict[str, Any]:
    results, cycles = PROGRAMS[name]()
    bits = hashlib.sha256(b"".join(np.ascontiguousarray(a).tobytes() for a in whole(results)))
    return {"bits": bits.hexdigest()[:16], "cycles": cycles}


if __name__ == "__main__":
    jax.distributed.initialize()
    assert jax.process_index() == ttmlir.mpi.rank()
    assert jax.process_count() == ttmlir.mpi.size()
    print(json.dumps({name: digests(name) for name in sys.argv[1:] or PROGRAMS}, indent=1))

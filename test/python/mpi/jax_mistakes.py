"""Programs of JAX over several processes, on one of which something goes wrong.

    mpirun -n N python -m ttmlir.mpi jax_mistakes.py KIND FILE

The file gets the time of the mistake.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import AxisType, NamedSharding
from jax.sharding import PartitionSpec as P

from ttmlir import mpi

kind, file = sys.argv[1], Path(sys.argv[2])
rank = mpi.rank()


def mistake() -> None:
    file.write_text(str(time.time()), "utf-8")


def put(array: np.ndarray[Any, Any], devices: list[Any]) -> jax.Array:
    mesh = jax.make_mesh((len(devices),), ("x",), devices=devices, axis_types=(AxisType.Auto,))
    sharding = NamedSharding(mesh, P("x"))
    return jax.make_array_from_callback(array.shape, sharding, lambda index: array[index])


def initialize() -> None:
    if kind in ("number of processes", "number of a process", "addresses", "no initialization"):
        mistake()
    if kind == "number of processes":
        jax.distributed.initialize("127.0.0.1:43219", 3, rank)
    elif kind == "number of a process":
        jax.distributed.initialize(process_id=0)
    elif kind == "addresses":
        jax.distributed.initialize(f"127.0.0.1:4321{rank}")
    elif kind == "no initialization" and rank == 1:
        sys.exit(0)
    else:
        jax.distributed.initialize()
    if rank == 1 and kind in ("error before the devices", "end before the devices"):
        mistake()
        if kind == "error before the devices":
            raise ValueError("no luck")
        sys.exit(0)


def act() -> None:
    """What rank 1 does in place of a program."""
    mistake()
    if kind == "raise":
        raise ValueError("no luck")
    if kind == "kill":
        os.kill(os.getpid(), signal.SIGKILL)
    if kind == "end":
        sys.exit(0)


def large_integer() -> None:
    """One process has an argument that does not fit; the others get its error, and all go on."""
    jax.config.update("jax_enable_x64", True)
    elements = np.full((64, 32), 2**40 if rank == 1 else 1)
    for _ in range(2):
        x = put(elements, jax.devices("tt"))
        try:
            jax.block_until_ready(jax.jit(lambda x: x.astype(jnp.int32) * 2)(x))
        except jax.errors.JaxRuntimeError as error:
            print(f"caught {error}", flush=True)
    x = put(np.ones((64, 32), np.float32), jax.devices("tt"))
    y = jax.jit(lambda x: x - x.sum(0))(x)
    print(f"then {y.addressable_data(0)[0, 0]}", flush=True)


def failed_argument() -> None:
    """A program of one process fails, and its result is an argument of a program of all."""
    jax.config.update("jax_enable_x64", True)
    own = jax.local_devices(backend="tt")
    values = [np.full((8, 32), 2**40 if rank == 1 else 1) for _ in own]
    double = jax.jit(lambda x: x.astype(jnp.int32) * 2)
    shards = [double(jax.device_put(x, chip)) for x, chip in zip(values, own, strict=True)]
    mesh = jax.make_mesh((8,), ("x",), devices=jax.devices("tt"), axis_types=(AxisType.Auto,))
    sharding = NamedSharding(mesh, P("x"))
    x = jax.make_array_from_single_device_arrays((64, 32), sharding, shards)
    mistake()
    jax.block_until_ready(jax.jit(lambda x: x - x.max(0))(x))


if __name__ == "__main__":
    initialize()
    if kind in ("other system", "chips that are not divided"):
        mistake()
        if rank == 1 and kind == "other system":
            os.environ["TTMLIR_TARGET"] = "galaxy"
    chips = jax.devices("tt")
    if kind == "large integer":
        large_integer()
        sys.exit(0)
    if kind == "failed argument":
        failed_argument()
    if kind == "chips of some processes":
        mistake()
        x = put(np.ones((64, 32), np.float32), chips[:4])
        jax.jit(lambda x: x + 1)(x)
    x = put(np.ones((64, 32), np.float32), chips)
    for turn in range(4):
        f = jax.jit(lambda x: x - x.sum(0))
        if turn == 2 and rank == 1:
            if kind == "other program":
                mistake()
                f = jax.jit(lambda x: x - x.max(0))
            else:
                act()
        jax.block_until_ready(f(x))

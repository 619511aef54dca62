"""Calls of functions of JAX on the plugin, against calls of their executables, and against JAX's
CPU: what JAX and the plugin add to a call."""

from __future__ import annotations

from importlib.util import find_spec

import numpy as np
from rich.console import Console
from timing import add_rows, interleave, print_table, table

CALLS = 200


def run(console: Console) -> None:
    if find_spec("jax") is None:
        console.print("JAX is not installed: nothing to measure")
        return
    import jax
    import jax.numpy as jnp

    import ttmlir.jax

    made = table(f"{CALLS} calls of a function of JAX on the emulated chip")
    chip, cpu = jax.devices("ttmlir")[0], jax.devices("cpu")[0]
    for size in (32, 64):
        host = np.random.default_rng(0).standard_normal((size, size), np.float32)
        function = jax.jit(lambda x: jnp.tanh(x) + 1)
        on_chip, on_cpu = (jax.device_put(host, device) for device in (chip, cpu))
        executable = ttmlir.jax.executable(function, on_chip)

        def dispatch(x: jax.Array = on_chip, f: jax.stages.Wrapped = function) -> None:
            for _ in range(CALLS):
                y = f(x)
            y.block_until_ready()

        def wait(x: jax.Array = on_chip, f: jax.stages.Wrapped = function) -> None:
            for _ in range(CALLS):
                f(x).block_until_ready()

        def call(x: np.ndarray = host, exe: ttmlir.Executable = executable) -> None:
            for _ in range(CALLS):
                exe(x)

        timings = interleave(
            {
                "exe(x), NumPy to NumPy": call,
                "f(x), waits for the last one": dispatch,
                "f(x), waits for each": wait,
                "JAX on its CPU, waits for each": lambda x=on_cpu, wait=wait: wait(x),
            }
        )
        add_rows(made, f"tanh(x) + 1, {size} x {size}", timings)
    print_table(console, made)

"""Measures functions of JAX on the plugin: the overhead of calls over their executables, and their
compilation against JAX's CPU."""

from __future__ import annotations

import statistics
import time
from importlib.util import find_spec
from typing import Any

import numpy as np
from rich.console import Console
from timing import Timing, add_rows, interleave, print_table, table

CALLS = 200
TURNS = 5


def run(console: Console) -> None:
    if find_spec("jax") is None:
        console.print("JAX is not installed: nothing to measure")
        return
    _calls(console)
    _compilation(console)


def _calls(console: Console) -> None:
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


def _transformer_block(w: dict[str, Any], x: Any) -> Any:
    """Attention with causal mask, layer norms and an MLP, on (batch, sequence, hidden)."""
    import jax
    import jax.numpy as jnp

    def norm(x: Any, name: str) -> Any:
        centred = x - x.mean(-1, keepdims=True)
        scale = jax.lax.rsqrt((centred**2).mean(-1, keepdims=True) + 1e-5)
        return centred * scale * w[f"{name}_scale"] + w[f"{name}_shift"]

    h = norm(x, "first")
    q, k, v = ((h @ w[name]).reshape(*x.shape[:2], 8, -1) for name in "qkv")
    scores = jnp.einsum("bshd,bthd->bhst", q, k) / np.sqrt(q.shape[-1])
    shares = jax.nn.softmax(jnp.where(jnp.tri(x.shape[1], dtype=bool), scores, -jnp.inf))
    x = x + jnp.einsum("bhst,bthd->bshd", shares, v).reshape(x.shape) @ w["o"]
    return x + jax.nn.gelu(norm(x, "second") @ w["up"]) @ w["down"]


def _compilation(console: Console) -> None:
    """Measures compilation of a new program from Python to an executable."""
    import jax

    hidden = 256
    shapes: dict[str, tuple[int, ...]] = dict.fromkeys("qkvo", (hidden, hidden))
    shapes |= {"up": (hidden, 4 * hidden), "down": (4 * hidden, hidden)}
    for name in ("first", "second"):
        shapes |= {f"{name}_scale": (hidden,), f"{name}_shift": (hidden,)}

    def seconds(device: Any) -> float:
        jax.clear_caches()
        at = jax.sharding.SingleDeviceSharding(device)
        w, x = (
            jax.tree.map(
                lambda shape: jax.ShapeDtypeStruct(shape, np.float32, sharding=at),
                tree,
                is_leaf=lambda leaf: isinstance(leaf, tuple),
            )
            for tree in (shapes, (2, 128, hidden))
        )
        start = time.perf_counter()
        step = jax.jit(jax.value_and_grad(lambda w, x: (_transformer_block(w, x) ** 2).mean()))
        step.lower(w, x).compile()
        return time.perf_counter() - start

    devices = {
        "the emulated chip": jax.devices("ttmlir")[0],
        "JAX on its CPU": jax.devices("cpu")[0],
    }
    for device in devices.values():
        seconds(device)
    samples: dict[str, list[float]] = {name: [] for name in devices}
    for _ in range(TURNS):
        for name, device in devices.items():
            samples[name].append(seconds(device))
    made = table("Compiling a function of JAX, from Python to executable")
    timings = [Timing(name, min(s), statistics.median(s)) for name, s in samples.items()]
    add_rows(made, "Transformer block with gradients", timings)
    print_table(console, made)

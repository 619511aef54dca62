"""Strong and weak scaling of calls over ranks:

    for n in 1 2 4 8; do mpirun -n $n python -m ttmlir.mpi benchmarks/ranks.py; done

Rank 0 prints the seconds of a call, and the largest processor time and memory of a rank: these
divide by the ranks, while the seconds need a processor for each of them.
"""

from __future__ import annotations

import resource
import sys
import time
from collections.abc import Callable

import ml_dtypes
import numpy as np

import ttmlir
from ttmlir import _runtime, mpi

CALLS = 3


def layers(rows: int, parallel: str, backend: str = "ttnn") -> Callable[[], object]:
    """Calls of a gated MLP on the 32 chips of a Galaxy."""
    b = ttmlir.Builder("layers")
    x = b.input("x", (rows, 1024), "bf16")
    w = [b.input(f"w{i}", (1024, 1024), "bf16") for i in range(4)]
    for i in range(0, 4, 2):
        x = b.add(x, b.matmul(b.gelu(b.matmul(x, w[i])), w[i + 1]))
    b.output(x)
    names = [f"w{i}" for i in range(4)]
    exe = ttmlir.compile(b, target="galaxy", parallel=parallel, parameters=names, backend=backend)
    random = np.random.default_rng(0)
    exe.bind({n: random.standard_normal((1024, 1024)).astype(ml_dtypes.bfloat16) for n in names})
    given = random.standard_normal((rows, 1024)).astype(ml_dtypes.bfloat16)
    return lambda: exe(given)


CASES: dict[str, Callable[[], Callable[[], object]]] = {
    "strong, data": lambda: layers(2048, "data"),
    "strong, tensor": lambda: layers(2048, "tensor"),
    "strong, ttmetal": lambda: layers(1024, "data", "ttmetal"),
    "weak, data": lambda: layers(512 * mpi.size(), "data"),
    "weak, tensor": lambda: layers(512 * mpi.size(), "tensor"),
}


def largest(value: float) -> float:
    return max(map(float, _runtime.gather_texts("a measurement", repr(value))))


def measure(name: str) -> None:
    call = CASES[name]()
    call()
    times, processor = [], time.process_time()
    for _ in range(CALLS):
        begin = time.perf_counter()
        call()
        times.append(time.perf_counter() - begin)
    work = largest((time.process_time() - processor) / CALLS)
    memory = largest(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
    print(
        f"{name}: {mpi.size()} ranks, {min(times):.3f} s a call, {work:.3f} s of a processor, "
        f"{memory:.0f} MB",
        flush=True,
    )


if __name__ == "__main__":
    for chosen in sys.argv[1:] or CASES:
        measure(chosen)

"""Programs drawn by chance: each step agrees with JAX on the CPU for the same operands."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from harnesses import difference
from random_programs import RandomProgram

import ttmlir
from ttmlir._lowering import Backend

#: A step may be several ops, which round on both sides.
TOLERANCE = {"float32": 3e-5, "bfloat16": 2.0**-6}


@pytest.mark.sampled(6)
@pytest.mark.parametrize("seed", range(40))
def test_program(seed: int) -> None:
    check(seed)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("seed", range(1000, 1008))
def test_kernels(seed: int) -> None:
    check(seed, "ttmetal")


@pytest.mark.sampled(6)
@pytest.mark.parametrize("seed", range(3000, 3040))
def test_control_flow(seed: int) -> None:
    check(seed, "ttmetal" if seed % 8 == 0 else "ttnn", controls=True)


def check(seed: int, backend: Backend = "ttnn", *, controls: bool = False) -> None:
    """Raises AssertionError with the seed and the step that differs.

    In library calls every other seed runs the steps with ``optimization_level=1``, and each the
    last one with both levels.
    """
    program = RandomProgram(seed, controls=controls)
    arguments = program.arguments
    levels: list[dict[str, Any]] = [{"optimization_level": level} for level in (0, 1)]
    if backend != "ttnn":
        levels = [{}]
    options = levels[seed // 2 % len(levels)]
    got = ttmlir.compile(program.function, *arguments, backend=backend, **options)(*arguments)
    values = [jnp.asarray(x) for x in [*arguments, *got]]
    with jax.default_matmul_precision("highest"):
        for i, step in enumerate(program.steps):
            want = np.asarray(step(values[: len(arguments) + i]))
            found = difference(np.asarray(got[i]), want, TOLERANCE.get(str(want.dtype), 0.0))
            assert not found, f"seed {seed}, step {i}: {found}"
    # Without the results of steps on the way, the compiler may join them.
    results = []
    for options in levels:
        exe = ttmlir.compile(program.last, *arguments, backend=backend, **options)
        last = np.asarray(exe(*arguments))
        found = difference(last, got[-1], TOLERANCE.get(str(got[-1].dtype), 0.0))
        assert not found, f"seed {seed}, {options}: {found}"
        results.append(last)
    if not any("attention" in op.name for op in exe.report().ops):
        for other in results[1:]:
            np.testing.assert_array_equal(
                other.astype("float64"),
                results[0].astype("float64"),
                err_msg=f"seed {seed}: level 1 has other bits than level 0",
            )

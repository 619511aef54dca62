"""Programs of many kinds agree with JAX on the CPU."""

from __future__ import annotations

import jax
import jax_array_programs
import numpy as np
import pytest
from jax_programs import PROGRAMS
from oracle import assert_close

import ttmlir

assert jax_array_programs


@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name: str) -> None:
    program = PROGRAMS[name]
    args = program.arguments(np.random.default_rng(0))
    with jax.default_matmul_precision("highest"):
        want = jax.jit(program.function)(*args)
        executable = ttmlir.compile(program.function, *args)
        assert_close(executable(*args), want, program.tolerance)

"""Programs of many kinds agree with JAX on the CPU."""

from __future__ import annotations

import jax
import jax_array_programs
import numpy as np
import pytest
from jax_programs import PROGRAMS
from oracle import assert_close
from ways import Way, both

assert jax_array_programs


@pytest.mark.sampled(28)
@pytest.mark.parametrize(("way", "name"), both((pytest.param(n, id=n) for n in PROGRAMS), 10))
def test_program(way: Way, name: str) -> None:
    program = PROGRAMS[name]
    args = program.arguments(np.random.default_rng(0))
    with jax.default_matmul_precision("highest"):
        want = jax.jit(program.function)(*args)
        assert_close(way.run(program.function, args), want, program.tolerance)

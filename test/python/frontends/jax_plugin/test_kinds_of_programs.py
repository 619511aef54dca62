"""The programs of the importer's tests, as JAX runs them on the chip."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import jax
import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "stablehlo"))

import jax_array_programs
from jax_programs import PROGRAMS
from oracle import assert_close

assert jax_array_programs


@pytest.mark.sampled(8)
@pytest.mark.parametrize("name", PROGRAMS)
def test_program(chip: Any, name: str) -> None:
    program = PROGRAMS[name]
    args = program.arguments(np.random.default_rng(0))
    with jax.default_matmul_precision("highest"):
        found, want = (
            jax.jit(program.function)(*jax.device_put(args, device))
            for device in (chip, jax.devices("cpu")[0])
        )
    assert all(leaf.devices() == {chip} for leaf in jax.tree.leaves(found))
    assert_close(jax.tree.map(np.asarray, found), want, program.tolerance)

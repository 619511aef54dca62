"""Random programs with random shardings, on the chips as in the importer's tests."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.sharding import Mesh, NamedSharding
from jax.sharding import PartitionSpec as P

sys.path.append(str(Path(__file__).parents[2] / "stablehlo"))

from harnesses import difference
from random_meshes import TOLERANCE, RandomMesh

#: The chips of meshes that may have any.
CHIPS: dict[int, Sequence[int]] = {2: (0, 1), 4: (0, 1, 4, 5), 8: range(8)}


#: The last two have results of four rows on eight chips, without Shardy.
@pytest.mark.parametrize("seed", [*range(10), 1031, 1188])
def test_random_programs(chips: Any, seed: int) -> None:
    drawn = RandomMesh(seed)
    names = drawn.mesh.axis_names
    ids = drawn.devices or CHIPS[drawn.mesh.size]
    array = np.array([chips[i] for i in ids]).reshape([drawn.mesh.shape[n] for n in names])
    mesh = Mesh(array, names)

    def placed(shardings: Any) -> list[Any]:
        return [None if s is None else NamedSharding(mesh, s.spec) for s in shardings]

    drawn.constraints, outputs = placed(drawn.constraints), placed(drawn.outputs)
    whole = NamedSharding(mesh, P())
    arguments = [
        jax.device_put(x, where or whole)
        for x, where in zip(drawn.program.arguments, placed(drawn.inputs), strict=True)
    ]
    jax.config.update("jax_use_shardy_partitioner", drawn.with_shardy)
    try:
        found = jax.jit(drawn.function, keep_unused=True, out_shardings=outputs)(*arguments)
    finally:
        jax.config.update("jax_use_shardy_partitioner", True)
    for own, where in zip(found, outputs, strict=True):
        assert where is None or own.sharding.is_equivalent_to(where, own.ndim)
    # Each step of what the chips have computed for it.
    values = [jnp.asarray(np.asarray(x)) for x in [*arguments, *found]]
    with jax.default_matmul_precision("highest"):
        for i, step in enumerate(drawn.program.steps):
            want = np.asarray(step(values[: len(arguments) + i]))
            wrong = difference(np.asarray(found[i]), want, TOLERANCE.get(str(want.dtype), 0.0))
            assert not wrong, f"step {i}: {wrong}"

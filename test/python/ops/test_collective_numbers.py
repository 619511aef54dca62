"""The numbers of every collective on meshes of one and two axes, against NumPy in float64.

The tensors of the chips are the shards of a tensor with the axes of the mesh in front.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import collective_reference as reference
import numpy as np
import pytest
from collective_reference import Mesh
from hypothesis import given
from hypothesis import strategies as st
from op_formats import FORMATS, Array, check, random
from op_program import draws

import ttmlir
from ttmlir.builder import Tensor

MESHES: dict[Mesh, str] = {(1, 2): "n300", (2, 4): "t3000", (1, 8): "t3000", (8, 1): "t3000"}
DTYPES = ("f32", "bf16", "bfp8_b")
REDUCTIONS = ("all_reduce", "reduce_scatter")


def arguments(op: str, mesh: Mesh, axis: int, rng: np.random.Generator) -> dict[str, Any]:
    """What the builder's method and the reference take."""
    chips = int(np.prod(mesh))
    rows = rng.permutation(chips).reshape(-1, 2).tolist()
    if op == "collective_permute":
        count = int(rng.integers(0, chips, endpoint=True))
        sources, targets = rng.permutation(chips)[:count], rng.permutation(chips)[:count]
        return {"pairs": list(zip(sources.tolist(), targets.tolist(), strict=True))}
    if op == "collective_broadcast":
        return {"rows": rows[: max(1, len(rows) // 2)]}
    if op == "all_to_all":
        return {
            "split_dim": int(rng.integers(-2, 2)),
            "concat_dim": int(rng.integers(-2, 2)),
            "rows": rows,
        }
    given: dict[str, Any] = {"cluster_axis": axis}
    if op != "all_reduce":
        given["dim"] = int(rng.integers(-2, 2))
    if op in REDUCTIONS:
        given["reduce"] = str(rng.choice(list(reference.REDUCTIONS)))
    return given


#: The builder's names of arguments.
BUILDER_NAMES = {
    ("collective_permute", "pairs"): "source_target_pairs",
    ("collective_broadcast", "rows"): "replica_groups",
    ("all_to_all", "rows"): "replica_groups",
}
OPS = (
    *("all_gather", "all_reduce", "all_to_all", "collective_broadcast", "collective_permute"),
    *("mesh_partition", "reduce_scatter"),
)


def program(
    op: str, mesh: Mesh, shape: tuple[int, int], dtype: str, given: dict[str, Any]
) -> ttmlir.Builder:
    """From a tensor with the axes of the mesh in front to such a tensor of the results."""
    b = ttmlir.Builder(mesh_shape=mesh)
    host = "bf16" if dtype == "bfp8_b" else dtype
    x: Tensor = b.reshape(b.mesh_shard(b.input("x", (*mesh, *shape), host), (0, 1)), shape)
    if dtype == "bfp8_b":
        x = b.to_layout(x, format="bfp8_b")
    named = {BUILDER_NAMES.get((op, key), key): value for key, value in given.items()}
    y: Tensor = getattr(b, op)(x, **named)
    y = b.to_layout(y, memory_space="system", tiled=False) if dtype == "bfp8_b" else y
    b.output(b.mesh_gather(b.reshape(y, (1, 1, *y.shape)), (0, 1)))
    return b


@pytest.mark.parametrize("mesh", MESHES, ids=lambda mesh: "x".join(map(str, mesh)))
@pytest.mark.parametrize("op", OPS)
@draws(3)
@given(data=st.data())
def test_numbers(op: str, mesh: Mesh, data: st.DataObject) -> None:
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32 - 1), label="seed"))
    dtype = data.draw(st.sampled_from(DTYPES), label="dtype")
    axis = data.draw(st.sampled_from([a for a, e in enumerate(mesh) if e > 1]), label="axis")
    # Extents that the chips divide, of a tile, less and more.
    factor = data.draw(st.sampled_from((1, 3, 4, 5)), label="factor")
    shape = (8 * factor, 8 * data.draw(st.sampled_from((1, 4, 9)), label="columns"))
    given = arguments(op, mesh, axis, rng)
    array = random(rng, (*mesh, *shape), dtype)
    exe = ttmlir.compile(program(op, mesh, shape, dtype, given), target=MESHES[mesh])
    result = exe(array.astype(FORMATS["bf16"].host) if dtype == "bfp8_b" else array)

    chips = list(array.astype(np.float64).reshape(-1, *shape))
    function: Callable[..., list[Array]] = getattr(reference, op)
    expected = np.stack(function(chips, mesh, **given))
    slack: Any = 0.0
    if op in REDUCTIONS:
        # Partial results are rounded to the format on every chip of the way.
        hops = mesh[axis]
        magnitude = np.abs(array.astype(np.float64)).max() * hops
        slack = hops * FORMATS[dtype].epsilon * magnitude
    form = FORMATS["bf16"] if dtype == "bfp8_b" else FORMATS[dtype]
    if dtype == "bfp8_b" and op in REDUCTIONS:
        slack = slack + FORMATS["bfp8_b"].epsilon * np.abs(expected).max()
    check(result.reshape(expected.shape), expected, form, 0.0, slack)

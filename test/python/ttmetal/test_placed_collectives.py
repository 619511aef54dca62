"""Collectives as kernels, which work in DRAM, on tensors that lie elsewhere."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from collective_cases import Case, assert_same, cases, compile, run
from collective_reference import Mesh
from hypothesis import given
from hypothesis import strategies as st
from op_program import draws
from places import PLACES

import ttmlir

OPS: dict[str, dict[str, Any]] = {
    "all_gather": {"dim": -1},
    "all_reduce": {"reduce": "sum"},
    "reduce_scatter": {"dim": -2, "reduce": "max"},
}


def check(case: Case, memory_space: str) -> None:
    """The kernels' results are those of the command without places, which has NumPy's."""
    inputs = case.inputs()
    plain = compile(replace(case, before={}, after={}))
    kernels = compile(case, use_all_gather_kernel=True, default_memory_space=memory_space)
    assert '"ttmetal.collective"' not in kernels.mlir
    assert_same(run(kernels, inputs), run(plain, inputs))
    found = {
        remark.reason
        for remark in kernels.remarks
        if remark.op == f"ttir.{case.op}" and remark.kind == "missed"
    }
    in_dram = "works in dram: the op has no kernels for tensors in l1"
    assert found == ({in_dram} if memory_space == "l1" else set())


@pytest.mark.parametrize("op", OPS)
@pytest.mark.parametrize("memory_space", ["dram", "l1"])
@draws(15)
@given(data=st.data())
def test_places(memory_space: str, op: str, data: st.DataObject) -> None:
    case = data.draw(cases(op), label="case")
    places = st.sampled_from(
        [p for p in PLACES.values() if case.dtype != "bfp8_b" or p.get("tiled", True)]
    )
    before = data.draw(st.just({}) | places, label="before")
    after = data.draw(st.just({}) | places, label="after")
    check(replace(case, before=before, after=after), memory_space)


@pytest.mark.parametrize("op", OPS)
@pytest.mark.parametrize("mesh", [(1, 2), (2, 1), (2, 2), (1, 4)])
@pytest.mark.parametrize("place", ["interleaved", "blocks"])
def test_ragged_rows(place: str, mesh: Mesh, op: str) -> None:
    arguments = {"cluster_axis": mesh.index(max(mesh)), **OPS[op]}
    shapes = ((1, 200, 130), (2, 3, 20, 33))
    case = Case(op, mesh, shapes, "bf16", arguments, PLACES[place], PLACES[place])
    check(case, "l1")


@pytest.mark.parametrize("place", PLACES)
def test_the_result_is_returned_where_it_is_placed(place: str) -> None:
    x = np.random.default_rng(0).standard_normal((2 * 65, 70)).astype(np.float32)
    b = ttmlir.Builder(mesh_shape=(1, 2))
    chips = b.mesh_shard(b.input("x", x.shape), (None, 0))
    whole = b.all_gather(b.to_layout(chips, **PLACES[place]), cluster_axis=1, dim=0)
    b.output(b.to_layout(whole, **PLACES[place]), whole)
    exe = ttmlir.compile(
        b, backend="ttmetal", target="n300", use_all_gather_kernel=True, default_memory_space="l1"
    )
    assert_same(list(exe(x)), [x, x])

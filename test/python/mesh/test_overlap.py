"""Reductions over chips that overlap the products before them."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import ml_dtypes  # noqa: F401  (bfloat16)
import numpy as np
import pytest

import ttmlir


def block(rows: int, *, scattered: bool = False) -> ttmlir.Builder:
    """Each of eight chips multiplies by its part of the weights of a feed-forward block."""
    b = ttmlir.Builder("block", mesh_shape=(1, 8))
    x = b.mesh_shard(b.input("x", (rows, 2048), "bf16"), (None, None))
    w1 = b.mesh_shard(b.parameter("w1", (2048, 4096), "bf16"), (None, 1))
    w2 = b.mesh_shard(b.parameter("w2", (4096, 2048), "bf16"), (None, 0))
    y = b.matmul(b.silu(b.matmul(x, w1)), w2)
    if scattered:
        b.output(b.mesh_gather(b.reduce_scatter(y, 1, cluster_axis=1), (None, 1)))
    else:
        b.output(b.mesh_gather(b.all_reduce(y, cluster_axis=1), (None, None)))
    return b


def slices_of(exe: ttmlir.Executable) -> list[int]:
    return [int(n) for n in re.findall(r"overlap_slices = (\d+)", exe.mlir)]


@pytest.mark.parametrize("options", [{}, {"precision": "performance"}])
@pytest.mark.parametrize("scattered", [False, True])
@pytest.mark.parametrize("rows", [1, 32, 256])
def test_the_same_bits_in_less_time(rows: int, scattered: bool, options: dict[str, Any]) -> None:
    exe, plain = (
        ttmlir.compile(block(rows, scattered=scattered), target="t3000", **options, **more)
        for more in ({}, {"clock_search_limit": 0})
    )
    assert slices_of(exe)
    assert not slices_of(plain)
    rng = np.random.default_rng(0)
    arrays = [rng.normal(0, 0.1, t.shape).astype("bfloat16") for t in exe.inputs]
    found, expected = (np.asarray(e(*arrays), "f4") for e in (exe, plain))
    np.testing.assert_array_equal(found, expected)
    (after, before) = (
        next(op for op in e.estimate().ops if "reduce" in op.name) for e in (exe, plain)
    )
    assert after.ethernet_bytes == before.ethernet_bytes
    assert after.cycles < 0.9 * before.cycles
    assert exe.estimate().parts("run").total < plain.estimate().parts("run").total


def test_estimate_and_report_agree() -> None:
    exe = ttmlir.compile(block(32), target="t3000")
    rng = np.random.default_rng(0)
    report = exe.report(*(rng.normal(0, 0.1, t.shape).astype("bfloat16") for t in exe.inputs))
    found, expected = (
        [(op.name, op.cycles) for op in r.ops if op.phase == "run"]
        for r in (report, exe.estimate())
    )
    assert found == expected


def test_the_links_work_below_the_product(tmp_path: Path) -> None:
    exe = ttmlir.compile(block(256), target="t3000")
    rng = np.random.default_rng(0)
    arrays = [rng.normal(0, 0.1, t.shape).astype("bfloat16") for t in exe.inputs]
    exe.report(*arrays, trace=True).save_trace(tmp_path / "run.json")
    events = json.loads((tmp_path / "run.json").read_text())["traceEvents"]
    slices = [e for e in events if e["ph"] == "X"]
    ops = {e["name"]: e for e in slices if e["cat"] == "op"}
    begin, end = (ops[name]["ts"] for name in ("matmul", "all_reduce"))
    links = [e for e in slices if e["cat"] == "ethernet"]
    assert links
    assert all(begin < e["ts"] for e in links)
    assert min(e["ts"] for e in links) < end < max(e["ts"] + e["dur"] for e in links)
    assert max(e["ts"] + e["dur"] for e in links) <= end + ops["all_reduce"]["dur"]

"""The search of ``parallel="auto"``: layers that repeat, experts, memory and pipelines."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import ttmlir
from ttmlir import _divisions, _repeats
from ttmlir._divisions import Dram, fastest, seconds_on_chip
from ttmlir._link_bounds import link_seconds
from ttmlir.builder import Tensor


def layers(count: int, width: int = 256, rows: int = 32, experts: int = 0) -> ttmlir.Builder:
    """Normalized feed-forward layers with residuals, between an embedding and a head; with
    ``experts``, products with stacked weights."""
    b = ttmlir.Builder("layers")
    x = b.input("x", (rows, width), "bf16")
    x = b.gelu(b.matmul(x, b.parameter("embed", (width, width), "bf16")))
    for i in range(count):
        x = layer(b, x, i, width, experts)
    b.output(b.softmax(b.matmul(x, b.parameter("head", (width, 64), "bf16")), -1))
    return b


def layer(b: ttmlir.Builder, x: Tensor, i: int, width: int, experts: int) -> Tensor:
    if experts:
        wide = b.parameter(f"up{i}", (experts, width, 2 * width), "bf16")
        back = b.parameter(f"down{i}", (experts, 2 * width, width), "bf16")
        every = b.broadcast(b.reshape(x, (1, *x.shape)), (experts, *x.shape))
        return b.add(x, b.sum(b.matmul(b.gelu(b.matmul(every, wide)), back), [0]))
    y = b.layer_norm(x, b.parameter(f"scale{i}", (width,), "bf16"), normalized_shape=(width,))
    y = b.gelu(b.matmul(y, b.parameter(f"up{i}", (width, 2 * width), "bf16")))
    y = b.matmul(b.abs(b.relu(y)), b.parameter(f"down{i}", (2 * width, width), "bf16"))
    return b.add(x, y)


def compiler(b: ttmlir.Builder, target: str = "t3000") -> Any:
    return ttmlir.compile(b, target=target, mesh_shape=(1, 1))._recompile


def test_layers_that_repeat_are_compiled_once() -> None:
    whole = compiler(layers(9))
    found, few, more = whole.fewer_layers()
    assert found.count == 9
    for parallel in ({}, {"data": 8}, {"tensor": 8}, {"data": 2, "tensor": 4}):
        reports = [c.divided(parallel).estimate() for c in (few, more)]
        assert len(reports[0].ops) < len(reports[1].ops)
        full = whole.divided(parallel).estimate()
        times = [seconds_on_chip(report) for report in reports]
        assert found.extrapolated(*times) == pytest.approx(seconds_on_chip(full), rel=0.02)
        sizes = [report.dram_high_water for report in reports]
        assert found.extrapolated(*sizes) == pytest.approx(full.dram_high_water, rel=0.02)


@pytest.mark.parametrize("change", ["few", "other width", "result", "skip"])
def test_layers_that_are_not_equal(change: str) -> None:
    b = ttmlir.Builder("layers")
    x = first = b.input("x", (32, 256), "bf16")
    count = 2 if change == "few" else 6
    for i in range(count):
        x = layer(b, x, i, 256, 0)
        if change == "other width":
            x = b.slice(b.concat([x, x], 0), [0, 0], [32 + i, 256], [1, 1])
        if change == "result" and i == 2:
            middle = x
        if change == "skip" and i == 1:
            first = x
    results = [x, middle] if change == "result" else [b.add(x, first) if change == "skip" else x]
    b.output(*results)
    assert _repeats.repeats_of(b.module) is None


def test_a_value_from_before_the_layers() -> None:
    """Such as a mask, which all layers use."""
    b = ttmlir.Builder("layers")
    x = b.input("x", (32, 256), "bf16")
    mask = b.exp(b.input("mask", (32, 256), "bf16"))
    for i in range(6):
        x = b.multiply(layer(b, x, i, 256, 0), mask)
    b.output(x)
    found = _repeats.repeats_of(b.module)
    assert found is not None
    # The first one has no layer before it whose ops it could equal in full.
    assert found.count in (5, 6)
    whole = compiler(b)
    layers_found, few, more = whole.fewer_layers()
    times = [seconds_on_chip(c.divided({}).estimate()) for c in (few, more)]
    full = seconds_on_chip(whole.divided({}).estimate())
    assert layers_found.extrapolated(*times) == pytest.approx(full, rel=0.02)


def test_experts() -> None:
    b = layers(1, width=512, rows=32, experts=8)
    whole = compiler(b)
    best = fastest(whole, whole.desc)
    by_hand = seconds_on_chip(whole.divided({"expert": 8}).estimate())
    assert seconds_on_chip(whole.divided(best).estimate()) <= by_hand
    assert {"expert": 8} in _divisions.divisions(8, True)
    assert not any("expert" in part for part in _divisions.divisions(8))


def test_memory_is_a_constraint(monkeypatch: pytest.MonkeyPatch) -> None:
    """Data parallelism is the fastest, and has all weights on each chip."""
    whole = compiler(layers(4, width=512, rows=2048))
    assert fastest(whole, whole.desc) == {"data": 8}
    needed = whole.divided({"data": 8}).estimate().dram_high_water

    def small(desc: Any) -> Dram:
        return replace(of(desc), bytes=needed - 1)

    of = Dram.of
    monkeypatch.setattr(_divisions.Dram, "of", small)
    best = fastest(whole, whole.desc)
    assert best != {"data": 8}
    assert whole.divided(best).estimate().dram_high_water < needed


def test_links_take_no_less_than_their_bound() -> None:
    whole = compiler(layers(2, rows=512), "galaxy")
    for parallel in ({"tensor": 32}, {"data": 4, "tensor": 8}, {"sequence": 4, "tensor": 8}):
        exe = whole.divided(parallel)
        report = exe.estimate()
        taken = sum(op.cycles for op in report.ops if op.ethernet_bytes) / report.clock_hz
        assert 0 < link_seconds(exe, "wormhole_b0") < taken
    assert link_seconds(whole.divided({}), "wormhole_b0") == 0


def test_auto_runs() -> None:
    b = layers(5, rows=64)
    rng = np.random.default_rng(0)
    found = ttmlir.compile(b, target="n300", parallel="auto")
    one = ttmlir.compile(b, target="n300", mesh_shape=(1, 1))
    assert found.estimate().seconds <= one.estimate().seconds
    arrays = [(rng.normal(size=info.shape) / 16).astype("bfloat16") for info in one.inputs]
    a, e = (np.asarray(exe(*arrays), np.float32) for exe in (found, one))
    np.testing.assert_allclose(a, e, atol=2**-6)


def test_meshes_without_links_are_left_out() -> None:
    """A Galaxy of 8x4 chips has no mesh of 2x16 with links between all neighbours."""
    whole = compiler(layers(1), "galaxy")
    trials = list(_divisions.trials(whole.divided, [{}, {"data": 2, "tensor": 16}]))
    assert trials[0].report is not None
    assert "found none in the system" in trials[1].error

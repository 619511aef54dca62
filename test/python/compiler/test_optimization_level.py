"""optimization_level: faster on the clock, the same bits, and L1 is used."""

from __future__ import annotations

from collections.abc import Callable

import ml_dtypes  # noqa: F401  (bfloat16)
import numpy as np
import pytest

import ttmlir


def _drawn(exe: ttmlir.Executable) -> list[np.ndarray]:
    rng = np.random.default_rng(0)
    return [rng.standard_normal(t.shape).astype("bfloat16") for t in exe.inputs]


def residual_block() -> ttmlir.Builder:
    """Convolutions of all kinds with extents that no grid divides, and a pool."""
    b = ttmlir.Builder("residual_block")
    x = b.input("x", (2, 27, 29, 48), "bf16")
    first = b.input("first", (40, 48, 1, 1), "bf16")
    second = b.input("second", (40, 40, 3, 3), "bf16")
    third = b.input("third", (48, 40, 1, 1), "bf16")
    y = b.relu(b.conv2d(x, first))
    y = b.relu(b.conv2d(y, second, padding=(1, 1)))
    y = b.relu(b.add(b.conv2d(y, third), x))
    b.output(b.max_pool2d(y, kernel=(3, 3), stride=(2, 2), padding=(1, 1)))
    return b


def feed_forward() -> ttmlir.Builder:
    b = ttmlir.Builder("feed_forward")
    x = b.input("x", (3, 130, 96), "bf16")
    up, bias = b.input("up", (1, 96, 416), "bf16"), b.input("bias", (416,), "bf16")
    down = b.input("down", (1, 416, 96), "bf16")
    scale, shift = b.input("scale", (96,), "bf16"), b.input("shift", (96,), "bf16")
    y = b.layer_norm(x, scale, shift)
    b.output(b.add(b.matmul(b.gelu(b.linear(y, up, bias)), down), x))
    return b


def attention(**options: object) -> ttmlir.Builder:
    b = ttmlir.Builder("attention")
    q = b.input("q", (2, 6, 70, 64), "bf16")
    k, v = b.input("k", (2, 2, 70, 64), "bf16"), b.input("v", (2, 2, 70, 32), "bf16")
    b.output(b.scaled_dot_product_attention(q, k, v, **options))
    return b


def masked_attention() -> ttmlir.Builder:
    b = ttmlir.Builder("masked_attention")
    q = b.input("q", (2, 4, 33, 32), "bf16")
    k, v = b.input("k", (2, 4, 95, 32), "bf16"), b.input("v", (2, 4, 95, 32), "bf16")
    mask = b.input("mask", (2, 1, 1, 95), "bf16")
    b.output(
        b.scaled_dot_product_attention(q, k, v, attention_mask=mask, is_causal=False, scale=0.3)
    )
    return b


PROGRAMS: dict[str, Callable[[], ttmlir.Builder]] = {
    "residual_block": residual_block,
    "feed_forward": feed_forward,
    "attention": lambda: attention(is_causal=False),
    "causal_attention": attention,
    "window_attention": lambda: attention(sliding_window_size=17),
    "masked_attention": masked_attention,
}


@pytest.mark.parametrize("target", ["n150", "p150"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_faster_and_equal(name: str, target: str) -> None:
    plain, fast = (
        ttmlir.compile(PROGRAMS[name](), target=target, optimization_level=level)
        for level in (0, 1)
    )
    arrays = _drawn(plain)
    expected, found = plain(*arrays), fast(*arrays)
    np.testing.assert_array_equal(
        np.asarray(found, "float32"), np.asarray(expected, "float32"), strict=True
    )
    before, after = plain.report(), fast.report()
    assert after.cycles < before.cycles
    used = [max(op.l1_high_water for op in report.ops) for report in (before, after)]
    if "attention" not in name:  # one op: there is nothing between ops
        assert used[0] == 0 < used[1]


def test_names_are_those_of_the_values() -> None:
    """A fused op has the value, and so the name, of the activation."""
    b = ttmlir.Builder()
    x, w = b.input("x", (64, 64), "bf16"), b.input("w", (64, 64), "bf16")
    b.output(b.exp(b.relu(b.matmul(x, w, name="product"), name="act")))
    report = ttmlir.compile(b, optimization_level=1).report()
    names = {op.label: op.name for op in report.ops if op.kernels and op.label}
    assert names["act"] == "matmul"
    assert "product" not in names


def test_what_does_not_fit_stays_in_dram() -> None:
    b = ttmlir.Builder()
    x = b.input("x", (1, 8192, 8192), "bf16")
    b.output(b.exp(b.relu(b.exp(x))))
    exe = ttmlir.compile(b, optimization_level=1, remarks="ttnn-optimizer")
    assert max(op.l1_high_water for op in exe.report().ops) == 0
    reasons = {remark.reason for remark in exe.remarks if remark.decision == "NotPlaced"}
    assert any("there is no room for it" in reason for reason in reasons)

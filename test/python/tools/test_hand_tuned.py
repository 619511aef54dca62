"""Blocks of the hand-tuned models: where their tensors are, and their numbers."""

from __future__ import annotations

import importlib
import math
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import ml_dtypes  # noqa: F401  (bfloat16)
import numpy as np
import pytest

import ttmlir

ROOT = Path(__file__).parents[3]
Arrays = dict[str, np.ndarray[Any, Any]]


@pytest.fixture(scope="module")
def tuned() -> Any:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(ROOT / "benchmarks")
        yield SimpleNamespace(
            models=importlib.import_module("hand_tuned"),
            bench=importlib.import_module("bench_hand_tuned"),
        )


def drawn(exe: ttmlir.Executable, shapes: dict[str, tuple[int, ...]]) -> Arrays:
    """Weights of products and convolutions of which sums have about the size of their terms."""
    rng = np.random.default_rng(0)
    arrays = {}
    for tensor in exe.inputs:
        shape = shapes.get(tensor.name, tensor.shape)
        terms = math.prod(shape[1:]) if len(shape) == 4 else shape[-2] if len(shape) == 3 else 1
        scale = 1 if tensor.name not in shapes else terms**-0.5
        arrays[tensor.name] = (rng.standard_normal(shape) * scale).astype("bfloat16")
    return arrays


def run(program: Any) -> tuple[np.ndarray[Any, Any], Arrays, ttmlir.Executable]:
    """The result, what it was computed of in float64, and the executable."""
    exe = program.compiled()
    arrays = drawn(exe, program.weights)
    result = np.asarray(exe(*arrays.values()), np.float64)
    return result, {name: np.asarray(a, np.float64) for name, a in arrays.items()}, exe


def check_layouts(program: Any, exe: ttmlir.Executable) -> None:
    """Every layout that was asked for is that of one op, and no tensor between ops is in DRAM."""
    run = [op for op in exe.report().ops if op.phase == "run" and op.kernels]
    for name, layout in program.layouts.items():
        grid, memory, sharding, _, dtype = layout.split(":")
        (op,) = (op for op in run if op.label == name)
        found = op.results[0]
        assert (found.grid, found.memory, found.sharding, found.dtype) == (
            grid,
            memory,
            sharding,
            dtype,
        ), name
    assert all(op.dram_write_bytes == 0 for op in run[:-1])


def correlation(a: np.ndarray[Any, Any], b: np.ndarray[Any, Any]) -> float:
    return float(np.corrcoef(a.ravel(), b.ravel())[0, 1])


def normalized(x: np.ndarray[Any, Any], w: Arrays, name: str) -> np.ndarray[Any, Any]:
    x = x - x.mean(-1, keepdims=True)
    x = x / np.sqrt((x * x).mean(-1, keepdims=True) + 1e-5)
    return x * w[f"{name}.weight"] + w[f"{name}.bias"]


def test_layer_of_bert(tuned: Any) -> None:
    m = tuned.models
    e = m.Encoder(2, 64, 128, 4, 256, layers=1, grid=(2, 2), head_cores=4)
    p = m.Program()
    x = p.b.input("x", (e.batch, e.tokens, e.width), "bf16")
    mask = p.b.input("mask", (e.batch, 1, 1, e.tokens), "bf16")
    p.b.output(m.bert_layer(p, e, x, mask, "layer"))
    result, w, exe = run(p)

    def product(x: np.ndarray[Any, Any], name: str) -> np.ndarray[Any, Any]:
        return x @ w[f"layer.{name}.weight"] + w[f"layer.{name}.bias"]

    depth = e.width // e.heads
    joined = product(w["x"], "qkv").reshape(e.batch, e.tokens, 3, e.heads, depth)
    q, k, v = joined.transpose(2, 0, 3, 1, 4)
    weights = np.exp(q @ k.swapaxes(2, 3) + w["mask"])
    weights /= weights.sum(-1, keepdims=True)
    context = (weights @ v).transpose(0, 2, 1, 3).reshape(e.batch, e.tokens, e.width)
    y = normalized(product(context, "out") + w["x"], w, "layer.norm1")
    up = product(y, "up")
    gelu = up * 0.5 * (1 + np.vectorize(math.erf)(up / math.sqrt(2)))
    expected = normalized(product(gelu, "down") + y, w, "layer.norm2")
    assert correlation(result, expected) > 0.99
    check_layouts(p, exe)
    assert [op.label for op in exe.report().ops if op.name.startswith("eltwise.gelu")] == []


def convolved(x: np.ndarray[Any, Any], w: Arrays, name: str, stride: int) -> np.ndarray[Any, Any]:
    weight = w[f"{name}.weight"]
    size = weight.shape[2:]
    around = size[0] // 2
    x = np.pad(x, ((0, 0), (around, around), (around, around), (0, 0)))
    windows = np.lib.stride_tricks.sliding_window_view(x, size, (1, 2))[:, ::stride, ::stride]
    y: np.ndarray[Any, Any] = np.einsum("nhwcij,ocij->nhwo", windows, weight)
    return y + w[f"{name}.bias"]


@pytest.mark.parametrize("stride", [1, 2])
def test_block_of_resnet(tuned: Any, stride: int) -> None:
    m = tuned.models
    stage = m.Stage(1, 64, stride, m.block(2, 2))
    p = m.Program()
    x = p.b.input("x", (2, 16, 16, 64), "bf16")
    p.b.output(m.bottleneck(p, x, stage, "b", m.height(4), stride))
    result, w, exe = run(p)
    y = np.maximum(convolved(w["x"], w, "b.1", 1), 0)
    y = np.maximum(convolved(y, w, "b.2", stride), 0)
    expected = convolved(y, w, "b.3", 1) + convolved(w["x"], w, "b.0", stride)
    assert correlation(result, np.maximum(expected, 0)) > 0.99
    check_layouts(p, exe)
    # Activations and the sum are no ops of their own.
    assert not any(op.name.startswith("eltwise.relu") for op in exe.report().ops)


def test_folded_convolution_of_resnet(tuned: Any) -> None:
    """The first convolution, with a stride of 1 on folded pixels, is the one with 7x7 taps."""
    m = tuned.models
    rng = np.random.default_rng(0)
    image, taps = rng.standard_normal((2, 16, 16, 3)), rng.standard_normal((32, 3, 7, 7))

    def folded(x: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        n, h, w, c = x.shape
        y = x.reshape(n, h // 2, 2, w // 2, 2, c).transpose(0, 1, 3, 2, 4, 5)
        return np.pad(y.reshape(n, h // 2, w // 2, 4 * c), ((0, 0),) * 3 + ((0, 4),))

    weights = np.pad(taps, ((0, 0), (0, 0), (0, 1), (0, 1)))
    p = m.Program()
    around = np.pad(image, ((0, 0), (3, 3), (3, 3), (0, 0)))
    x = p.b.input("image", (2, 11, 11, 16), "bf16")
    p.b.output(m.conv(p, x, 32, 4, "stem", m.height(4), relu=False))
    arrays = {
        "image": folded(around),
        "stem.weight": folded(weights.transpose(0, 2, 3, 1)).transpose(0, 3, 1, 2),
        "stem.bias": np.zeros((1, 1, 1, 32)),
    }
    result = p.compiled()(*(a.astype("bfloat16") for a in arrays.values()))
    expected = convolved(image, {"c.weight": taps, "c.bias": np.zeros(32)}, "c", 2)
    assert correlation(np.asarray(result, np.float64), expected) > 0.99


def test_rows_of_the_table(tuned: Any) -> None:
    m, bench = tuned.models, tuned.bench
    e = m.Encoder(2, 64, 128, 4, 256, layers=2, grid=(2, 2), head_cores=4)
    model = m.Model("small", 2, 1000.0, lambda: m.vit(e, patch=8, classes=32))
    row = bench.row(model, "hifi2")
    assert sum(row.parts.values()) == pytest.approx(row.cost.run, rel=1e-6)
    assert len(row.cells()) == len(bench.COLUMNS)
    assert row.modelled == pytest.approx(2 / max(row.cost.run, row.cost.host))


def test_published_figures(tuned: Any) -> None:
    """Those of the other table."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(ROOT / "benchmarks")
        speed: ModuleType = importlib.import_module("bench_speed")
    expected = {model.name: model.published[tuned.bench.TARGET] for model in speed.MODELS}
    found = {model.name: (model.batch, model.published) for model in tuned.models.MODELS}
    assert found == expected

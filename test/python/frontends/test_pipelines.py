"""Pipelines of programs of each front end have the results of one chip."""

from __future__ import annotations

import io
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import ttmlir

RNG = np.random.default_rng(3)


def compiled(*source: Any, stages: int = 0, **keywords: Any) -> Any:
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "the pipeline uses")
        if not stages:
            return ttmlir.compile(*source, **keywords)
        return ttmlir.compile(*source, target="t3000", parallel={"pipeline": stages}, **keywords)


def transformer() -> Any:
    torch = pytest.importorskip("torch")
    nn = torch.nn

    class Block(nn.Module):  # type: ignore[name-defined, misc]
        def __init__(self, width: int, heads: int) -> None:
            super().__init__()
            self.heads = heads
            self.norm, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
            self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
            self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

        def forward(self, x: Any) -> Any:
            batch, rows, width = x.shape
            split = self.qkv(self.norm(x)).view(batch, rows, 3, self.heads, width // self.heads)
            q, k, v = split.permute(2, 0, 3, 1, 4)
            found = nn.functional.scaled_dot_product_attention(q, k, v)
            x = x + self.out(found.transpose(1, 2).reshape(batch, rows, width))
            return x + self.down(nn.functional.gelu(self.up(self.norm2(x))))

    torch.manual_seed(0)
    blocks = [Block(64, 2) for _ in range(4)]
    return nn.Sequential(nn.Embedding(50, 64), *blocks, nn.Linear(64, 50)).eval()


def residual_network() -> Any:
    torch = pytest.importorskip("torch")
    nn = torch.nn

    class Residual(nn.Module):  # type: ignore[name-defined, misc]
        def __init__(self, channels: int) -> None:
            super().__init__()
            self.first, self.second = (
                nn.Sequential(
                    nn.Conv2d(channels, channels, 3, padding=1, bias=False),
                    nn.BatchNorm2d(channels),
                )
                for _ in range(2)
            )

        def forward(self, x: Any) -> Any:
            return torch.relu(x + self.second(torch.relu(self.first(x))))

    torch.manual_seed(0)
    head = (nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(16, 10))
    stem = (nn.Conv2d(3, 16, 3, stride=2, padding=1), nn.ReLU())
    return nn.Sequential(*stem, *(Residual(16) for _ in range(4)), *head).eval()


def of_torch(module: Callable[[], Any], make: Callable[[Any], Any]) -> tuple[Any, ...]:
    torch = pytest.importorskip("torch")
    made = module()
    torch.manual_seed(1)
    example = make(torch)
    return (made, example), (example,)


def of_onnx() -> tuple[Any, ...]:
    torch = pytest.importorskip("torch")
    pytest.importorskip("onnx")
    x = torch.randn(4, 3, 16, 16)
    file = io.BytesIO()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.onnx.export(residual_network(), (x,), file, dynamo=False)
    return (file.getvalue(),), (x.numpy(),)


def of_jax() -> tuple[Any, ...]:
    jax = pytest.importorskip("jax")
    weights = RNG.normal(0, 0.1, (4, 2, 64, 64)).astype("f4")

    def network(x: Any) -> Any:
        for up, down in weights:
            x = x + jax.nn.silu(x @ up) @ down
        return {"last": x, "mean": x.mean(-1)}

    x = RNG.normal(0, 1, (4, 64)).astype("f4")
    return (network, x), (x,)


SOURCES: dict[str, Callable[[], tuple[Any, ...]]] = {
    "transformer": lambda: of_torch(transformer, lambda torch: torch.randint(0, 50, (4, 32))),
    "residual network": lambda: of_torch(residual_network, lambda torch: torch.randn(4, 3, 16, 16)),
    "onnx": of_onnx,
    "jax": of_jax,
}


def leaves(value: Any) -> list[np.ndarray]:
    if isinstance(value, dict):
        return [leaf for key in sorted(value) for leaf in leaves(value[key])]
    return [np.asarray(value)]


@pytest.mark.parametrize("backend", ["ttnn", "ttmetal"])
@pytest.mark.parametrize("name", SOURCES)
def test_results_of_one_chip(name: str, backend: Any) -> None:
    source, args = SOURCES[name]()
    expected = compiled(*source, backend=backend)(*args)
    found = compiled(*source, stages=4, micro_batches=2, backend=backend)(*args)
    assert type(found) is type(expected)
    for own, wanted in zip(leaves(found), leaves(expected), strict=True):
        np.testing.assert_array_equal(own, wanted)


def test_buffers_of_a_module_stay_with_their_stage() -> None:
    torch = pytest.importorskip("torch")

    class Counter(torch.nn.Module):  # type: ignore[name-defined, misc]
        def __init__(self) -> None:
            super().__init__()
            self.first, self.second = torch.nn.Linear(64, 64), torch.nn.Linear(64, 64)
            self.register_buffer("calls", torch.zeros(1))

        def forward(self, x: Any) -> Any:
            self.calls += 1
            return self.second(torch.tanh(self.first(x))) * self.calls

    torch.manual_seed(0)
    module, x = Counter().eval(), torch.randn(4, 64)
    one = compiled(module, x)
    exe = compiled(module, x, stages=2, micro_batches=1)
    for _ in range(3):
        np.testing.assert_array_equal(exe(x).numpy(), one(x).numpy())
    assert float(exe.buffers()["calls"]) == 3

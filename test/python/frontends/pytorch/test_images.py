"""Networks of images: what their calls are at level 1, and that they compute the same."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import ttmlir

torch = pytest.importorskip("torch")
nn, F = torch.nn, torch.nn.functional


class _Excited(nn.Module):
    """A depthwise block with squeeze and excitation."""

    def __init__(self) -> None:
        super().__init__()
        self.up, self.down = nn.Conv2d(32, 64, 1), nn.Conv2d(64, 32, 1)
        self.depth = nn.Conv2d(64, 64, 3, padding=1, groups=64)
        self.squeeze, self.excite = nn.Conv2d(64, 8, 1), nn.Conv2d(8, 64, 1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = F.relu6(self.depth(F.relu6(self.up(x))))
        z = self.squeeze(F.adaptive_avg_pool2d(y, 1))
        return x + self.down(y * torch.sigmoid(self.excite(F.silu(z))))


class _Neck(nn.Module):
    """An image grows between convolutions."""

    def __init__(self, mode: str) -> None:
        super().__init__()
        self.mode = mode
        self.first, self.last = nn.Conv2d(32, 48, 1), nn.Conv2d(80, 32, 3, padding=1)

    def forward(self, x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        grown = F.interpolate(self.first(x), scale_factor=2, mode=self.mode)
        return self.last(torch.cat([grown, y], 1))


class _Sequence(nn.Module):
    """A sequence becomes an image again."""

    def __init__(self) -> None:
        super().__init__()
        self.linear, self.conv = nn.Linear(32, 48), nn.Conv2d(48, 32, 3, padding=1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.conv(self.linear(x).transpose(1, 2).reshape(2, 48, 8, 12))


CASES: dict[str, tuple[Callable[[], nn.Module], list[tuple[int, ...]], dict[str, int]]] = {
    "excited": (
        _Excited,
        [(2, 32, 12, 14)],
        {"conv2d": 5, "permute": 2, "reduction.mean": 1, "eltwise.multiply": 1, "eltwise.add": 1},
    ),
    "nearest": (
        lambda: _Neck("nearest"),
        [(2, 32, 6, 7), (2, 32, 12, 14)],
        {"conv2d": 2, "permute": 3, "upsample": 1, "concat": 1},
    ),
    "bilinear": (
        lambda: _Neck("bilinear"),
        [(2, 32, 6, 7), (2, 32, 12, 14)],
        {"conv2d": 2, "permute": 3, "upsample": 1, "concat": 1},
    ),
    "sequence": (_Sequence, [(2, 96, 32)], {"linear": 1, "conv2d": 1, "permute": 1}),
}


@pytest.mark.parametrize("name", CASES)
def test_calls_and_numbers(name: str) -> None:
    make, shapes, calls = CASES[name]
    torch.manual_seed(0)
    model = make().eval()
    inputs = tuple(torch.randn(shape) for shape in shapes)
    with torch.no_grad():
        wanted = make_double(model)(*(x.double() for x in inputs)).numpy().ravel()
    found = {}
    for level in (0, 1):
        exe = ttmlir.compile(model, example_inputs=inputs, optimization_level=level)
        found[level] = np.asarray(exe(*inputs))
    np.testing.assert_array_equal(found[1], found[0])
    counts: dict[str, int] = {}
    for op in exe.report().ops:
        if op.phase == "run" and op.kernels:
            counts[op.name] = counts.get(op.name, 0) + 1
    assert counts == calls
    assert np.corrcoef(found[1].ravel(), wanted)[0, 1] > 0.9999
    exe = ttmlir.compile(model, example_inputs=inputs, precision="performance")
    assert np.corrcoef(np.asarray(exe(*inputs).float()).ravel(), wanted)[0, 1] > 0.99


def make_double(model: nn.Module) -> nn.Module:
    import copy

    return copy.deepcopy(model).double()

"""``torch.ops.ttmlir``: updates at computed positions, arguments in rows."""

from __future__ import annotations

import pytest
import torch
from torch import nn

import ttmlir
import ttmlir.frontends.torch

pytestmark = pytest.mark.torch


class Window(nn.Module):
    def __init__(self, dim: int) -> None:
        super().__init__()
        self.dim = dim

    def forward(self, x: torch.Tensor, rows: torch.Tensor, at: torch.Tensor) -> torch.Tensor:
        return torch.ops.ttmlir.update_slice(x, rows, at, self.dim) * 2


@pytest.mark.parametrize("backend", ["ttnn", "ttmetal"])
@pytest.mark.parametrize(("dim", "shape"), [(1, (2, 5, 40)), (-1, (2, 64, 3))])
@pytest.mark.parametrize("dtype", [torch.float32, torch.int32])
def test_update_slice(backend: str, dim: int, shape: tuple[int, ...], dtype: torch.dtype) -> None:
    torch.manual_seed(0)
    x, rows = ((torch.randn(n) * 9).to(dtype) for n in ((2, 64, 40), shape))
    exe = ttmlir.compile(Window(dim), x, rows, torch.tensor([0]), backend=backend)
    for at in (0, 7, 35):
        place = torch.tensor([at])
        assert torch.equal(exe(x, rows, place), Window(dim)(x, rows, place))


class Numbers(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.table = nn.Embedding(50, 32)

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        return self.table(torch.ops.ttmlir.in_rows(ids))


@pytest.mark.parametrize("backend", ["ttnn", "ttmetal"])
def test_in_rows_transfers_the_elements_only(backend: str) -> None:
    module, ids = Numbers().eval(), torch.tensor([[3, 49, 0]], dtype=torch.int32)
    exe = ttmlir.compile(module, ids, backend=backend)
    assert torch.equal(exe(ids), module(ids))
    assert exe.report(ids).host_to_device_bytes == 4 * 3

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


class Rows(nn.Module):
    """A row of each user, at its own place; one is left out."""

    def __init__(self, dims: list[int]) -> None:
        super().__init__()
        self.dims = dims

    def forward(self, x: torch.Tensor, rows: torch.Tensor, at: torch.Tensor) -> torch.Tensor:
        return torch.ops.ttmlir.update_slices(x, rows, at, self.dims) + 1


@pytest.mark.parametrize("backend", ["ttnn", "ttmetal"])
@pytest.mark.parametrize(
    ("dims", "starts"), [([1], [[0], [63], [70]]), ([0, 1], [[4, 7], [-1, 0], [0, 31]])]
)
def test_update_slices(backend: str, dims: list[int], starts: list[list[int]]) -> None:
    torch.manual_seed(0)
    x, rows = torch.randn(5, 64, 40), torch.randn(3, 1, 40)
    at = torch.tensor(starts, dtype=torch.int32)
    exe = ttmlir.compile(Rows(dims), x, rows, at, backend=backend)
    assert torch.equal(exe(x, rows, at), Rows(dims)(x, rows, at))
    expected = x.clone()
    for user, start in enumerate(starts):
        block, row = start if len(dims) == 2 else (user, start[0])
        if block >= 0 and row < 64:
            expected[block, row] = rows[user, 0]
    assert torch.equal(Rows(dims)(x, rows, at), expected + 1)


class Paged(nn.Module):
    def forward(
        self, q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, table: torch.Tensor
    ) -> torch.Tensor:
        keys, values = (torch.ops.ttmlir.read_pages(x, table) for x in (k, v))
        return nn.functional.scaled_dot_product_attention(q, keys, values, enable_gqa=True)


@pytest.mark.parametrize("backend", ["ttnn", "ttmetal"])
def test_read_pages(backend: str) -> None:
    torch.manual_seed(0)
    q = torch.randn(2, 4, 3, 32)
    k, v = torch.randn(7, 2, 32, 32), torch.randn(7, 2, 32, 40)
    table = torch.tensor([[5, 1, 0], [2, 6, -1]], dtype=torch.int32)
    exe = ttmlir.compile(Paged(), q, k, v, table, backend=backend)
    wanted = Paged()(q, k, v, table)
    torch.testing.assert_close(exe(q, k, v, table), wanted, rtol=0, atol=2e-5)
    if backend == "ttnn":
        assert "embedding" not in exe.mlir
        table[0, 0] = 7
        with pytest.raises(ttmlir.Error, match=r"expected a block in \[0, 7\) in the page table"):
            exe(q, k, v, table)


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

"""Functions along a dimension of a tensor of rank 0, which has the dimensions 0 and -1."""

from __future__ import annotations

from typing import Any

import pytest
import torch
import torch.nn.functional as F

import ttmlir

FUNCTIONS = {
    "activations": lambda x, i: (
        torch.softmax(x, 0),
        F.log_softmax(x, -1),
        F.softmin(x, 0),
        F.normalize(x, dim=0),
        F.cosine_similarity(x, x, dim=0),
    ),
    "reductions": lambda x, i: (
        torch.sum(x, -1, keepdim=True),
        torch.mean(x, 0),
        torch.prod(x, 0),
        torch.amax(x, 0),
        torch.all(x, 0),
        torch.any(x, -1),
        torch.argmax(x, 0, keepdim=True),
        torch.logsumexp(x, 0),
        torch.std(x, 0, correction=0),
        torch.linalg.vector_norm(x, 2, 0),
        torch.count_nonzero(x, 0),
        torch.nansum(x, 0),
    ),
    "running": lambda x, i: (
        torch.cumsum(x, 0),
        torch.cumprod(x, -1),
        torch.logcumsumexp(x, 0),
        *torch.cummax(x, 0),
        *torch.cummin(x, -1),
    ),
    "orders": lambda x, i: (
        *torch.sort(x, 0),
        *torch.sort(x, stable=True, dim=-1),
        torch.argsort(x, 0),
        torch.argsort(x, stable=True, dim=-1, descending=True),
        *torch.topk(x, 1),
        *torch.kthvalue(x, 1),
        *torch.median(x, 0),
        *torch.max(x, 0),
        *torch.min(x, -1),
    ),
    "movement": lambda x, i: (
        torch.flip(x, ()),
        torch.roll(x, 0),
        torch.squeeze(x, 0),
        torch.unsqueeze(x, -1),
        x.transpose(0, -1),
        x.permute(()),
        torch.movedim(x, 0, 0),
        x.expand(2, 3),
        torch.tile(x, (2,)),
        torch.repeat_interleave(x, 2),
        x.unfold(0, 1, 1),
    ),
    "indices": lambda x, i: (
        torch.index_select(x, 0, i),
        torch.gather(x, 0, i),
        torch.scatter(x, 0, i, x * 2),
        torch.scatter_add(x, 0, i, x * 2),
        torch.index_add(x, 0, i, x),
        torch.index_copy(x, 0, i, x * 3),
        torch.index_fill(x, 0, i, 2.0),
        torch.take_along_dim(x, i),
        torch.take(x, i),
    ),
}


class Module(torch.nn.Module):
    def __init__(self, function: Any) -> None:
        super().__init__()
        self.function = function

    def forward(self, x: Any, i: Any) -> Any:
        return self.function(x, i)


@pytest.mark.parametrize("backend", ["ttnn", "ttmetal"])
@pytest.mark.parametrize("functions", list(FUNCTIONS))
def test_scalars(functions: str, backend: str) -> None:
    module = Module(FUNCTIONS[functions])
    arguments = (torch.tensor(1.25), torch.tensor(0))
    found = ttmlir.compile(module, *arguments, backend=backend)(*arguments)
    torch.testing.assert_close(found, module(*arguments), rtol=1e-5, atol=1e-5)

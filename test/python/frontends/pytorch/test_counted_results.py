"""Results whose extent depends on values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import nn

import ttmlir
from ttmlir.errors import CompileError, Error, InputError


class Function(nn.Module):
    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__()
        self._function = function

    def forward(self, x: torch.Tensor, mask: torch.Tensor) -> Any:
        return self._function(x, mask)


def chosen(x: torch.Tensor, mask: torch.Tensor) -> Any:
    whole = x * 2
    return x[x > 0], torch.nonzero(x), torch.masked_select(whole, mask), x[mask[:, 0]], whole


@pytest.mark.parametrize("backend", ["ttnn", "ttmetal"])
def test_chosen_elements(backend: ttmlir.compiler.Backend) -> None:
    examples = torch.randn(4, 5), torch.ones(4, 5, dtype=torch.bool)
    exe = ttmlir.compile(Function(chosen), *examples, backend=backend)
    for share in (0.5, 0.0, 1.0):
        x, mask = torch.randn(4, 5).relu(), torch.rand(4, 5) < share
        for found, wanted in zip(exe(x, mask), chosen(x, mask), strict=True):
            assert found.dtype == wanted.dtype
            assert torch.equal(found, wanted)


def test_only_results() -> None:
    examples = torch.randn(4, 5), torch.ones(4, 5, dtype=torch.bool)
    with pytest.raises(CompileError, match="its operand has an extent that depends on values"):
        ttmlir.compile(Function(lambda x, mask: x[mask] + 1), *examples)
    exe = ttmlir.compile(Function(lambda x, mask: x[mask]), *examples)
    with pytest.raises(InputError, match="keep_on_device: a result whose extent depends"):
        exe(*examples, keep_on_device=True)
    with pytest.raises(Error, match="results whose extents depend on values cannot be compared"):
        exe.compare("f64", *examples)

"""Conditions and loops that depend on values: parts of the program."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from graphs import exported
from judge import difference

import ttmlir
from ttmlir.errors import CompileError


class Chooses(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.weight = torch.nn.Parameter(torch.randn(3, 3))
        self.register_buffer("rates", torch.rand(3))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        def above(x: torch.Tensor) -> torch.Tensor:
            # An op that is taken apart, and one in place.
            return torch.roll(x @ self.weight, 1, 0).add_(1)

        def below(x: torch.Tensor) -> torch.Tensor:
            return x * self.rates

        return torch.cond(x.sum() > 0, above, below, (x,)) * 2


def test_a_condition() -> None:
    module = Chooses()
    executable = ttmlir.compile(module, torch.ones(2, 3))
    with torch.no_grad():
        for x in (torch.ones(2, 3), -torch.ones(2, 3), torch.zeros(2, 3)):
            assert difference(executable(x), module(x), scale=4) == ""


def test_a_loop() -> None:
    def doubled(x: torch.Tensor, limit: torch.Tensor) -> Any:
        def goes_on(turn: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
            return y.sum() < limit

        def turn(turn: torch.Tensor, y: torch.Tensor) -> Any:
            return turn + 1, y * 2 + x

        start = (torch.tensor(0), x.clone())
        return torch._higher_order_ops.while_loop(goes_on, turn, start)

    class Doubles(torch.nn.Module):
        def forward(self, x: torch.Tensor, limit: torch.Tensor) -> Any:
            return doubled(x, limit)

    executable = ttmlir.compile(Doubles(), torch.ones(3), torch.tensor(100.0))
    for limit in (0.0, 50.0, 1000.0):
        turns, y = 0, torch.ones(3)
        while y.sum() < limit:
            turns, y = turns + 1, y * 2 + 1
        found = executable(torch.ones(3), torch.tensor(limit))
        assert difference(found, (torch.tensor(turns), y)) == ""


def test_a_scan() -> None:
    def totals(x: torch.Tensor) -> Any:
        def step(total: torch.Tensor, row: torch.Tensor) -> Any:
            return total + row, total * row

        return torch._higher_order_ops.scan(step, torch.zeros(3), x)

    with pytest.raises(CompileError, match="scan"):
        exported(totals, torch.randn(5, 3))

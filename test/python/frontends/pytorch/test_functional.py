"""Changes in place: what is imported as it is, and what PyTorch has to take apart."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch
import torch.nn.functional as F
from judge import difference
from torch import nn
from torch_modules import MODULES

import ttmlir
from ttmlir.frontends.torch._functional import functional, is_functional

Function = Callable[..., Any]


class Calls(nn.Module):
    def __init__(self, function: Function) -> None:
        super().__init__()
        self.function = function

    def forward(self, *args: torch.Tensor) -> Any:
        return self.function(*args)


def _chain(x: torch.Tensor) -> Any:
    y = x * 2
    z = y.add_(1).relu_()
    return y, z, z.mul_(3) - y


def _viewed_later(x: torch.Tensor) -> Any:
    y = x * 2
    y.add_(1)
    return y[0], y.view(-1)


def _viewed_before(x: torch.Tensor) -> Any:
    y = x * 2
    row = y[0]
    y.add_(1)
    return row


def _through_a_view(x: torch.Tensor) -> Any:
    y = x * 2
    y[0].add_(1)
    y[:, 1] = 5
    return y


def _dead_view(x: torch.Tensor) -> Any:
    y = x * 2
    total = y.view(-1).sum()
    return y.add_(1), total


def _same_memory(x: torch.Tensor) -> Any:
    y = x * 2
    z = F.dropout(y, 0.5, False)
    y.add_(1)
    return z


def _input(x: torch.Tensor) -> Any:
    return x.add_(1) * 2


def _hidden_view(x: torch.Tensor) -> Any:
    y = torch.einsum("ij->ji", x * 2)
    z = torch.einsum("ij->ji", y)
    z.exp_()
    return y


def _wider(x: torch.Tensor) -> Any:
    y = x.to(torch.bfloat16)
    return y.add_(x)


def _compared(x: torch.Tensor) -> Any:
    return (x * 1).gt_(0.5)


def _filled(x: torch.Tensor) -> Any:
    return torch.empty_like(x).fill_(2), torch.empty_like(x).zero_(), x.clone().copy_(x[0])


def _put(x: torch.Tensor) -> Any:
    y = x.clone()
    y[torch.tensor([0, 1]), torch.tensor([1, 2])] = 7.0
    return y.masked_fill_(y > 6, 0.0)


def _constant(x: torch.Tensor) -> Any:
    y = torch.arange(3).float()
    y.add_(1)
    return x * y


CASES = {
    _chain: True,
    _viewed_later: True,
    _viewed_before: False,
    _through_a_view: False,
    _dead_view: True,
    _same_memory: True,
    _input: False,
    _hidden_view: False,
    _wider: False,
    _compared: True,
    _filled: True,
    _put: True,
    _constant: True,
}


@pytest.mark.parametrize("function", CASES, ids=lambda f: f.__name__.strip("_"))
def test_changes_in_place(function: Function) -> None:
    x = torch.randn(4, 3)
    exported = torch.export.export(Calls(function), (x.clone(),))
    assert is_functional(exported.graph_module) == CASES[function]
    executable = ttmlir.compile(exported)
    ours, theirs = x.clone(), x.clone()
    for _ in range(2):
        assert difference(executable(ours), function(theirs)) == ""
    assert torch.equal(ours, theirs)


def test_functional_ops() -> None:
    aten = torch.ops.aten
    assert functional(aten.add_.Tensor) == aten.add.Tensor
    assert functional(aten.index_put_.default) == aten.index_put.default
    assert functional(aten.add.out) is None
    assert functional(aten.__iand__.Scalar) is None


def _unused(*_: Any, **__: Any) -> Any:
    raise AssertionError("the program was taken apart as a whole")


@pytest.mark.parametrize("name", MODULES)
def test_modules_are_imported_as_they_are(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    torch.manual_seed(0)
    module, args = MODULES[name]()
    monkeypatch.setattr(torch.export.ExportedProgram, "run_decompositions", _unused)
    executable = ttmlir.compile(module, example_inputs=args)
    with torch.no_grad():
        assert difference(executable(*args), module(*args), scale=4) == ""


def test_an_op_is_taken_apart_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.export.ExportedProgram, "run_decompositions", _unused)

    def rolled(x: torch.Tensor) -> Any:
        return torch.roll(x, (1, 2), (0, 1)), F.softplus(x), torch.diff(x, dim=0)

    x = torch.randn(4, 3)
    executable = ttmlir.compile(Calls(rolled), x)
    assert difference(executable(x), rolled(x)) == ""
    lines = {op.location for op in executable.report(x).ops}
    assert any("test_functional.py" in str(line) for line in lines)


def test_statistics_change() -> None:
    module, x = nn.BatchNorm1d(3), torch.randn(8, 3) + 1
    exported = torch.export.export(module, (x,))
    assert not is_functional(exported.graph_module)
    executable = ttmlir.compile(exported)
    assert difference(executable(x), module(x)) == ""
    assert difference(executable.buffers()["running_mean"], module.running_mean) == ""


@pytest.mark.parametrize(
    "layer",
    [
        nn.Conv1d(3, 4, 4, padding="same"),
        nn.Conv1d(3, 4, 3, padding="valid", dilation=2),
        nn.ConvTranspose1d(3, 6, 4, 2, 1, output_padding=1, groups=3),
        nn.InstanceNorm1d(3, affine=True),
        nn.GroupNorm(3, 3),
        nn.AdaptiveAvgPool1d(4),
    ],
    ids=lambda layer: type(layer).__name__,
)
def test_layers(layer: nn.Module, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.export.ExportedProgram, "run_decompositions", _unused)
    x = torch.randn(2, 3, 12)
    executable = ttmlir.compile(layer, x)
    with torch.no_grad():
        assert difference(executable(x), layer(x), scale=4) == ""
        assert difference(executable(x + 1), layer(x + 1), scale=4) == ""
    # A normalized tensor that 1 is added to has one result, not the second one.
    added = ttmlir.compile(nn.Sequential(layer, Calls(lambda y: y + 1)), x)
    with torch.no_grad():
        assert difference(added(x), layer(x) + 1, scale=4) == ""

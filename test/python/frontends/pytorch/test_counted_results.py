"""Values whose extent depends on other values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import nn
from torch._higher_order_ops import while_loop

import ttmlir
from ttmlir.errors import CompileError, Error, InputError


class Function(nn.Module):
    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__()
        self._function = function
        self.linear = nn.Linear(5, 3)

    def forward(self, x: torch.Tensor, mask: torch.Tensor) -> Any:
        return self._function(x, mask, self.linear)


def results(x: torch.Tensor, mask: torch.Tensor, linear: nn.Linear) -> Any:
    whole = x * 2
    return x[x > 0], torch.nonzero(x), torch.masked_select(whole, mask), x[mask[:, 0]], whole


def check(function: Callable[..., Any], shares: tuple[float, ...], **options: Any) -> None:
    """Compares a function of a tensor with zeros and of a mask, of which a share is true."""
    torch.manual_seed(0)
    module = Function(function)
    examples = torch.randn(4, 5), torch.ones(4, 5, dtype=torch.bool)
    exe = ttmlir.compile(module, *examples, **options)
    for share in shares:
        x, mask = torch.randn(4, 5).relu(), torch.rand(4, 5) < share
        for found, wanted in zip(exe(x, mask), module(x, mask), strict=True):
            if isinstance(wanted, int):
                assert found == wanted
            else:
                torch.testing.assert_close(found, wanted, atol=1e-5, rtol=1e-5, equal_nan=True)


@pytest.mark.parametrize("backend", ["ttnn", "ttmetal"])
def test_results(backend: ttmlir.compiler.Backend) -> None:
    check(results, (0.5, 0.0, 1.0), backend=backend)


def loops(rows: torch.Tensor, chosen: torch.Tensor) -> Any:
    total = rows.sum(0)
    last = while_loop(
        lambda i, y: i < 3,
        lambda i, y: (i + 1, y.softmax(0) * y.mean(0) + total + rows),
        (torch.tensor(0), rows * 2),
    )
    either = torch.cond(total.sum() > 4, lambda y: y.sum(), lambda y: y.prod(), (chosen,))
    return *last, either, rows.amax(1), chosen.sum()


USED: dict[str, Callable[..., Any]] = {
    "layers": lambda x, mask, linear: (
        linear(x[mask[:, 0]]).relu(),
        linear(x[mask[:, 0]]).sum(0),
        x[mask].reshape(-1, 1) * x[0],
    ),
    "reductions": lambda x, mask, linear: (
        x[mask].sum(),
        x[mask[:, 0]].mean(0),
        torch.cat([x - 1, x[mask[:, 0]]]).amin(0),
        torch.nonzero(mask).sum(0),
    ),
    "moments": lambda x, mask, linear: (
        x[mask].var(0),
        x[mask].std(0, correction=0),
        x[mask].std(0, correction=30),
        *torch.var_mean(x[mask[:, 0]], 0),
    ),
    "products": lambda x, mask, linear: (
        x[mask[:, 0]].T @ x[mask[:, 0]],
        x[mask[:, 0]] @ x[mask[:, 1]].T,
        x[mask[:, 0]].softmax(0),
    ),
    "places": lambda x, mask, linear: (
        x[mask.nonzero(as_tuple=True)],
        torch.zeros(4).index_add(0, mask.nonzero()[:, 0], x[mask]),
        torch.zeros(4, 5).index_put((mask.nonzero()[:, 0], mask.nonzero()[:, 1]), x[mask]),
        x.index_select(1, mask[0].nonzero()[:, 0]),
    ),
    "orders": lambda x, mask, linear: (
        x[mask].sort(descending=True).values,
        x[mask].argsort(stable=True),
        x[mask].cumsum(0),
    ),
    "masks of masks": lambda x, mask, linear: (
        x[mask][x[mask] > 1],
        x[:, mask[0]][mask[:, 1]],
        x[mask[:, 0]][:, mask[0]].sum(1),
    ),
    "slices": lambda x, mask, linear: (
        x[mask][:2],
        x[mask][1:4].sort().values,
        x[mask][-3:],
        x[mask][:-1].sum(),
        x[mask][1::3],
        x[mask][2:][:5] * 2,
        x[mask][:4] * (x * 2)[mask][:4],
        x[mask][:4].shape[0],
        x[mask[:, 0]][:2] @ x.T,
        x[:, mask[0]][:, :2].sum(1),
        mask.nonzero()[:3],
    ),
    "extents of one bound": lambda x, mask, linear: (
        x[mask][:, None] * x[x > 0],
        x[mask].sum() + x[~mask].sum(),
        x[~mask],
        x[mask][:3, None] - x[~mask][:3],
    ),
    "loops": lambda x, mask, linear: loops(x[mask[:, 0]], x[mask]),
    "distinct elements": lambda x, mask, linear: (
        *torch.unique(x, return_inverse=True, return_counts=True),
        *torch.unique((x * 2).int(), dim=1, return_inverse=True, return_counts=True),
        torch.unique(x[mask]),
        torch.unique(x[:, 0] > 0),
        x.unique().cumsum(0),
        torch.unique_consecutive(mask, dim=0),
        *torch.unique_consecutive(mask, return_inverse=True, return_counts=True),
    ),
    "repeated elements": lambda x, mask, linear: (
        torch.repeat_interleave(x, 5 * mask[:, 0] - 5 * mask[:, 0] + 2, dim=0, output_size=8),
        torch.repeat_interleave(torch.arange(4) % 3, output_size=3),
    ),
    "numbers": lambda x, mask, linear: (
        x[mask].shape[0],
        x[mask] / x[mask].shape[0],
        torch.arange(x[mask].shape[0]),
    ),
}


@pytest.mark.parametrize("name", USED)
def test_operands(name: str) -> None:
    check(USED[name], (0.5, 0.0, 1.0))


@pytest.mark.parametrize("name", ["layers", "slices"])
def test_operands_of_kernels(name: str) -> None:
    check(USED[name], (0.5, 0.0), backend="ttmetal")


def test_numbers_of_elements() -> None:
    """Ops that need elements never take those that do not exist."""

    def function(x: torch.Tensor, mask: torch.Tensor, linear: nn.Linear) -> Any:
        # Padding of any value but the least, or the greatest, would be chosen.
        chosen, rows = x[mask] - 9, x[:, mask[0]] + 9
        return (
            *chosen.topk(2),
            *(chosen * 1e6).int().topk(2, largest=False),
            *(-rows).topk(2, 1),
            *rows.topk(2, dim=1, largest=False),
            chosen.argmax(),
            (-chosen).argmin(),
            chosen.max(0).indices,
            rows.argmax(),
            rows.argmin(1),
            chosen[0],
            rows[:, -1],
            chosen.kthvalue(2).values,
        )

    torch.manual_seed(0)
    module = Function(function)
    exe = ttmlir.compile(module, torch.randn(4, 5), torch.ones(4, 5, dtype=torch.bool))
    for seed in range(6):
        torch.manual_seed(seed)
        x, mask = torch.randn(4, 5), torch.rand(4, 5) < 0.4
        mask[0, 1:3] = True
        for found, wanted in zip(exe(x, mask), module(x, mask), strict=True):
            torch.testing.assert_close(found, wanted)
    mask = torch.zeros(4, 5, dtype=torch.bool)
    mask[0, 1] = True
    message = (
        r"'topk' at .*test_counted_results.py:\d+:1: expected at least 2 along 'index', found 1"
    )
    with pytest.raises(InputError, match=message):
        exe(torch.ones(4, 5), mask)


REFUSED: dict[str, tuple[Callable[..., Any], str]] = {
    "reverse": (lambda x, mask, linear: x[mask].flip(0), "'flip': it changes the order along 'ind"),
    "middle": (lambda x, mask, linear: x[mask].median(), "at positions that depend on 'index'"),
    "pairs": (
        lambda x, mask, linear: x[mask][:3] * x[mask][1:4],
        "'aten.mul.Tensor': its operands fit together only if extents that depend on values are",
    ),
    "join": (lambda x, mask, linear: torch.cat([x[mask], x[0]]), "elements follow the padding"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused_operands(name: str) -> None:
    function, message = REFUSED[name]
    examples = torch.randn(4, 5), torch.ones(4, 5, dtype=torch.bool)
    with pytest.raises(CompileError, match="cannot compute with extents that depend on v") as found:
        ttmlir.compile(Function(function), *examples)
    [diagnostic] = found.value.diagnostics
    assert message in diagnostic.message
    assert "test_counted_results.py" in diagnostic.location


def test_refused_loops() -> None:
    def function(x: torch.Tensor, mask: torch.Tensor, linear: nn.Linear) -> Any:
        return while_loop(
            lambda i, y: i < 3, lambda i, y: (i + 1, y + y[mask].sum()), (torch.tensor(0), x)
        )

    examples = torch.randn(4, 5), torch.ones(4, 5, dtype=torch.bool)
    with pytest.raises(CompileError, match="'Function' cannot be imported") as found:
        ttmlir.compile(Function(function), *examples)
    assert "'aten.index.Tensor': the shape of the result depends" in str(found.value)


def test_limits_of_results() -> None:
    examples = torch.randn(4, 5), torch.ones(4, 5, dtype=torch.bool)
    exe = ttmlir.compile(Function(lambda x, mask, linear: x[mask]), *examples)
    with pytest.raises(InputError, match="keep_on_device: a result whose extent depends"):
        exe(*examples, keep_on_device=True)
    with pytest.raises(Error, match="results whose extents depend on values cannot be compared"):
        exe.compare("f64", *examples)
    with pytest.raises(CompileError, match="give it as output_size"):
        ttmlir.compile(
            Function(lambda x, mask, linear: x.repeat_interleave(mask[:, 0], 0)), *examples
        )

"""Gradients of determinants, and systems of linear equations, on both backends."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest
import torch
from graphs import Backend, exported
from judge import difference
from torch.fx.experimental.proxy_tensor import make_fx

import ttmlir
from ttmlir.errors import CompileError
from ttmlir.torch import backend

Function = Callable[..., Any]
_generator = torch.Generator().manual_seed(0)


def _normal(*shape: int) -> torch.Tensor:
    return torch.randn(shape, generator=_generator)


def _regular(*shape: int) -> torch.Tensor:
    """Matrices that are far from singular, and whose factors have pivots all the same."""
    extent = shape[-1]
    matrix = _normal(*shape) / math.sqrt(extent) + 2 * torch.eye(extent)
    return matrix[..., torch.randperm(extent, generator=_generator), :].contiguous()


def _gradients(function: Function, *tensors: torch.Tensor) -> tuple[Any, Any]:
    """Results of a function of tensors, and the gradients of a weighted sum of them."""
    given = [x.clone().requires_grad_() for x in tensors]
    found = function(*given)
    results = found if isinstance(found, tuple) else (found,)
    total = torch.zeros(())
    for y in (r for r in results if r.requires_grad):
        total = total + (y * torch.linspace(0.5, 1.5, y.numel()).reshape(y.shape)).sum()
    return results, torch.autograd.grad(total, given)


def _compiled(function: Function, target: Backend) -> Function:
    torch._dynamo.reset()
    return torch.compile(function, backend=backend, options={"backend": target}, dynamic=False)


#: Singular ones are among them: PyTorch has gradients of their determinants, too.
SMALL = torch.tensor(
    [
        [[1.0, 2, 3], [4, 5, 6], [7, 8, 9]],
        [[0, 2, 3], [4, 0, 6], [7, 8, 0]],
        [[0, 1, 0], [0, 0, 1], [1, 0, 0]],
        [[0, 0, 0], [0, 0, 0], [0, 0, 0]],
        [[1e-8, 1, 0], [1, 1, 0], [0, 0, 2]],
    ]
)
DETERMINANTS: dict[str, tuple[Function, torch.Tensor]] = {
    "det": (torch.det, SMALL),
    "det_of_columns": (lambda x: (torch.det(x.mT), torch.det((x * 2).mT)), SMALL),
    "det_of_one": (torch.det, _normal(2, 1, 1)),
    # Near to 1, so that cofactors near to 0 are compared absolutely.
    "det_of_many": (lambda x: torch.det(x / 2), _regular(2, 17, 17)),
    "slogdet": (torch.linalg.slogdet, _regular(5, 3, 3)),
    "slogdet_of_columns": (lambda x: torch.linalg.slogdet(x.mT), _regular(2, 3, 7, 7)),
    "slogdet_of_many": (torch.linalg.slogdet, _regular(33, 33)),
    "logdet": (lambda x: torch.logdet(x @ x.mT), _regular(3, 9, 9)),
    "negative_logdet": (torch.logdet, -torch.ones(3, 1, 1)),
}


@pytest.mark.sampled(8)
@pytest.mark.parametrize("target", ["ttnn", "ttmetal"])
@pytest.mark.parametrize("name", DETERMINANTS)
def test_gradients_of_determinants(name: str, target: Backend) -> None:
    function, x = DETERMINANTS[name]
    found = _gradients(_compiled(function, target), x)
    assert difference(found, _gradients(function, x), scale=4) == ""


def _program(function: Function, x: torch.Tensor) -> torch.export.ExportedProgram:
    class Calls(torch.nn.Module):
        def forward(self, x: torch.Tensor) -> Any:
            return tuple(function(x))

    return torch.export.export(Calls(), (x,))


@pytest.mark.parametrize("target", ["ttnn", "ttmetal"])
def test_determinants_in_bf16(target: Backend) -> None:
    """PyTorch has none: what is computed in bf16 stays near to f32."""
    x = _regular(3, 7, 7)
    executable = ttmlir.compile(_program(torch.linalg.slogdet, x), dtype="bf16", backend=target)
    for ours, theirs in zip(executable(x), torch.linalg.slogdet(x), strict=True):
        assert (ours - theirs).abs().max() < 0.1


class Flow(torch.nn.Module):
    """A linear map with its change of volume, as normalizing flows have them."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.weight = torch.nn.Parameter(_regular(width, width))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = x @ self.weight.mT
        return 0.5 * y.square().sum(1).mean() - torch.linalg.slogdet(self.weight)[1]


def test_training() -> None:
    x, losses = _normal(64, 9), []
    module = Flow(9)
    start = module.weight.detach().clone()
    for run in (_compiled(module, "ttnn"), module):
        with torch.no_grad():
            module.weight.copy_(start)
        optimizer = torch.optim.SGD(module.parameters(), 0.1)
        losses.append([])
        for _ in range(10):
            optimizer.zero_grad()
            loss = run(x)
            loss.backward()
            optimizer.step()
            losses[-1].append(loss.item())
    assert losses[0] == pytest.approx(losses[1], rel=1e-4)
    assert losses[0][-1] < losses[0][0] - 0.5


@pytest.mark.parametrize("target", ["ttnn", "ttmetal"])
@pytest.mark.parametrize("name", ["slogdet", "logdet"])
def test_torch_func(name: str, target: Backend) -> None:
    """The gradient of a gradient may be wanted there: it is the solution of equations."""
    function = DETERMINANTS[name][0] if name == "logdet" else lambda x: torch.linalg.slogdet(x)[1]
    gradient = torch.func.grad(lambda x: function(x).sum())
    x = _regular(2, 5, 5)
    module = make_fx(gradient)(x)
    found = ttmlir.compile(module, example_inputs=(x,), backend=target)(x)
    assert difference(found, gradient(x), scale=4) == ""
    assert difference(_compiled(gradient, target)(x), gradient(x), scale=4) == ""


RIGHT = _normal(2, 7, 5)
SYSTEMS: dict[str, tuple[Function, tuple[torch.Tensor, ...]]] = {
    "solve": (torch.linalg.solve, (_regular(2, 7, 7), RIGHT)),
    "solve_right": (
        lambda a, b: torch.linalg.solve(a.mT, b.mT, left=False),
        (_regular(2, 7, 7), RIGHT),
    ),
    "solve_vector": (torch.linalg.solve, (_regular(2, 7, 7), RIGHT[..., 0].contiguous())),
    "solve_broadcast": (torch.linalg.solve, (_regular(7, 7), RIGHT)),
    "inverse": (torch.linalg.inv, (_regular(3, 33, 33),)),
    "factors": (lambda x: torch.linalg.lu_factor(x)[0], (_regular(2, 7, 7),)),
    "three_factors": (torch.linalg.lu, (_normal(9, 4),)),
    "triangles": (
        lambda a, b: tuple(
            torch.linalg.solve_triangular(
                a, b if left else b.mT, upper=upper, left=left, unitriangular=unit
            )
            for upper in (False, True)
            for left in (False, True)
            for unit in (False, True)
        ),
        (_normal(2, 7, 7) / 4 + torch.eye(7), RIGHT),
    ),
}


@pytest.mark.sampled(6)
@pytest.mark.parametrize("target", ["ttnn", "ttmetal"])
@pytest.mark.parametrize("name", SYSTEMS)
def test_systems(name: str, target: Backend) -> None:
    function, tensors = SYSTEMS[name]
    found = exported(function, *tensors, backend=target)
    assert difference(found, function(*tensors), scale=4) == ""
    found = _gradients(_compiled(function, target), *tensors)
    assert difference(found, _gradients(function, *tensors), scale=4) == ""


@pytest.mark.parametrize("target", ["ttnn", "ttmetal"])
def test_factors(target: Backend) -> None:
    """Factors and pivots are those of PyTorch, also of what is not square or is singular."""

    def function(*matrices: torch.Tensor) -> list[Any]:
        found = [torch.linalg.lu_factor_ex(x) for x in matrices]
        return [found, [torch.lu_unpack(*f[:2], unpack_data=i != 1) for i, f in enumerate(found)]]

    tensors = (_normal(2, 7, 7), _normal(9, 4), _normal(3, 4, 9), SMALL[1:])
    found = exported(function, *tensors, backend=target)
    assert difference(found, function(*tensors), scale=4) == ""

    def solutions(x: torch.Tensor, b: torch.Tensor) -> list[torch.Tensor]:
        factors, pivots = torch.linalg.lu_factor(x)
        return [
            torch.linalg.lu_solve(factors, pivots, b if left else b.mT, left=left, adjoint=adjoint)
            for left in (False, True)
            for adjoint in (False, True)
        ]

    given = (_regular(2, 7, 7), RIGHT)
    found = exported(solutions, *given, backend=target)
    assert difference(found, solutions(*given), scale=4) == ""


def test_singular_systems() -> None:
    """PyTorch raises an error for them; the numbers of a program are not finite."""
    x = torch.zeros(2, 3, 3)
    x[0] = torch.eye(3)
    found = exported(torch.linalg.inv_ex, x)
    assert found.info.tolist() == [0, 1]
    assert torch.equal(found.inverse[0], torch.eye(3))
    assert not found.inverse[1].isfinite().any()


class Updates(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("total", torch.zeros(2, 7, 5))

    def forward(self, x: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
        self.total.add_(torch.linalg.solve(x, b))
        return self.total * 2


def test_systems_in_programs_that_change_a_buffer() -> None:
    """PyTorch orders its check for singular matrices by a token, which programs do not have."""
    args = (_regular(2, 7, 7), RIGHT)
    executable, module = ttmlir.compile(Updates(), *args), Updates()
    for _ in range(2):
        assert difference(executable(*args), module(*args), scale=4) == ""


MANY = torch.eye(65)
REFUSED: dict[str, tuple[Function, tuple[torch.Tensor, ...], str]] = {
    "many_rows": (torch.linalg.solve, (MANY, MANY), "_linalg_solve_ex.*at most 64 rows, found 65"),
    "large_triangle": (
        lambda x: torch.linalg.solve_triangular(x, x, upper=True),
        (MANY,),
        "linalg_solve_triangular.*at most 64 rows, found 65",
    ),
    "no_pivots": (
        lambda x: torch.linalg.lu_factor_ex(x, pivot=False),
        (_regular(3, 3),),
        "linalg_lu_factor_ex.*pivot=False is not supported: leave it out",
    ),
    "singular_values": (torch.linalg.svd, (_regular(3, 3),), "_linalg_svd.*singular values"),
    "torch_func": (
        torch.func.grad(lambda x: torch.linalg.slogdet(x)[1]),
        (_regular(3, 3),),
        "_unwrap_for_grad.*what make_fx makes",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refusals(name: str) -> None:
    function, tensors, message = REFUSED[name]
    with pytest.raises(CompileError, match=f"(?s){message}"):
        exported(function, *tensors)


def test_gradients_of_det_by_torch_func() -> None:
    x = _regular(3, 3)
    module = make_fx(torch.func.grad(torch.det))(x)
    with pytest.raises(CompileError, match=r"(?s)_linalg_svd.*gradient of slogdet"):
        ttmlir.compile(module, example_inputs=(x,))

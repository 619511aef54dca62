"""Changes in place: what is imported as it is, and what PyTorch has to take apart."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any

import pytest
import torch
import torch.nn.functional as F
from judge import difference
from torch import nn
from torch_modules import MODULES

import ttmlir
from ttmlir.errors import CompileError
from ttmlir.frontends.torch._functionalization import functional, is_functional

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


def loaded(exported: torch.export.ExportedProgram) -> torch.export.ExportedProgram:
    """The program, saved and loaded: each node has a storage of its own then."""
    file = io.BytesIO()
    torch.export.save(exported, file)
    file.seek(0)
    return torch.export.load(file)


#: What changes a view of ``y``, by the view and the change.
THROUGH_VIEWS: dict[str, Function] = {
    "slice copy": lambda x, y: y[:, :2].copy_(x[:, :2] * 5),
    "slice add": lambda x, y: y[:, 1:].add_(1),
    "select mul": lambda x, y: y[1].mul_(10),
    "setitem": lambda x, y: y.__setitem__((slice(None), 0), 7.0),
    "view mul": lambda x, y: y.view(-1).mul_(3),
    "reshape mul": lambda x, y: y.reshape(-1).mul_(3),
    "t relu": lambda x, y: y.t().relu_(),
    "unsqueeze zero": lambda x, y: y.unsqueeze(0).zero_(),
    "chunk sigmoid": lambda x, y: y.chunk(2, 1)[0].sigmoid_(),
    "split tanh": lambda x, y: y.split(2, 0)[1].tanh_(),
    "unbind neg": lambda x, y: y.unbind(0)[2].neg_(),
    "narrow fill": lambda x, y: y.narrow(1, 1, 2).fill_(4),
    "diagonal fill": lambda x, y: y.diagonal().fill_(4),
    "expand": lambda x, y: y[:1].expand(1, 3).mul_(2),
    "masked_fill": lambda x, y: y.view(-1).masked_fill_(x.reshape(-1) > 0, 9.0),
    "index_put": lambda x, y: y.view(-1).index_put_(
        (torch.tensor([1, 2]),), torch.tensor([5.0, 6.0])
    ),
    "scatter": lambda x, y: y[:2].scatter_(1, torch.tensor([[1], [2]]), 8.0),
    "detach add": lambda x, y: y.detach().add_(1),
    "view of a view": lambda x, y: y.t()[1:].view(2, 2, 2)[:, 0].add_(3),
    "as_strided": lambda x, y: y.as_strided((2, 2), (3, 1), 4).mul_(2),
}


@pytest.mark.sampled(10)
@pytest.mark.parametrize("case", THROUGH_VIEWS)
def test_changes_through_views(case: str) -> None:
    """Of what an op made, of an input, and where a branch does it; as exported and as loaded."""

    def made(x: torch.Tensor) -> Any:
        y = x * 2
        THROUGH_VIEWS[case](x, y)
        return y + 1

    def given(x: torch.Tensor) -> Any:
        THROUGH_VIEWS[case](x.clone(), x)
        return x * 1

    def seen(x: torch.Tensor) -> Any:
        y = x * 2
        view = y.view(-1)
        THROUGH_VIEWS[case](x, y)
        return view * 1

    x = torch.linspace(-1, 1, 12).reshape(4, 3)
    for function in (made, given, seen):
        exported = torch.export.export(Calls(function), (x.clone(),))
        programs = {"ttnn": [exported, loaded(exported)], "ttmetal": [loaded(exported)]}
        for backend, program in ((b, p) for b, found in programs.items() for p in found):
            executable = ttmlir.compile(program, backend=backend)
            ours, theirs = x.clone(), x.clone()
            assert difference(executable(ours), function(theirs)) == ""
            assert difference(ours, theirs) == ""


@pytest.mark.parametrize("function", CASES, ids=lambda f: f.__name__.strip("_"))
def test_loaded_programs(function: Function) -> None:
    x = torch.randn(4, 3)
    exported = torch.export.export(Calls(function), (x.clone(),))
    program = loaded(exported)
    assert is_functional(program.graph_module) == is_functional(exported.graph_module)
    assert difference(ttmlir.compile(program)(x.clone()), function(x.clone())) == ""


class Cache(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("keys", torch.zeros(2, 4))

    def forward(self, x: torch.Tensor, branch: torch.Tensor) -> Any:
        def changed(x: torch.Tensor) -> torch.Tensor:
            y = x * 2
            y[1].add_(3)
            return y

        self.keys[:, 1:2].copy_(x)
        return self.keys.sum(), torch.cond(branch, changed, torch.neg, (x,))


def test_a_loaded_cache() -> None:
    module, args = Cache(), (torch.ones(2, 1), torch.tensor(True))
    executable = ttmlir.compile(loaded(torch.export.export(module, args)))
    for number in (1, 2):
        args = (number * torch.ones(2, 1), torch.tensor(number == 1))
        assert difference(executable(*args), module(*args)) == ""
    assert difference(executable.buffers()["keys"], module.keys) == ""


@pytest.mark.parametrize(
    "function",
    [
        lambda x: (x * 2)[1:].as_strided((2, 2), (6, 1), 7),
        lambda x: (x * 2)[1:, 2:].as_strided((2, 3), (6, 2)),
        lambda x: (x * 2).t().as_strided((3, 2), (1, 6), 2),
        lambda x: x[1:].as_strided((2, 2), (6, 1), 0),
        lambda x: x.view(2, 12)[1].as_strided((5,), (2,)),
        lambda x: (x.t() * 2).as_strided((4, 3), (1, 4), 1),
        lambda x: (x * 2).chunk(2, 1)[1].as_strided((2, 2), (6, 1)),
        lambda x: x[::2].contiguous().as_strided((2, 2), (6, 1), 1),
        lambda x: torch.as_strided_scatter((x * 2)[1:], torch.ones(2, 2), (2, 2), (6, 1), 7),
    ],
)
def test_strides_of_views(function: Function) -> None:
    x = torch.arange(24.0).reshape(4, 6)
    exported = torch.export.export(Calls(function), (x,))
    for program in (exported, loaded(exported)):
        assert difference(ttmlir.compile(program)(x), function(x)) == ""


def test_tied_parameters() -> None:
    """One argument if they are one memory; a tensor and its negative are not the same numbers."""
    module = nn.Sequential(nn.Linear(40, 40, bias=False), nn.Linear(40, 40, bias=False))
    module[1].weight = module[0].weight
    x = torch.randn(2, 40)
    executable = ttmlir.compile(module, x)
    assert len(executable.programs[0].inputs) == 2
    weight = torch.randn(40, 40)
    negative = torch._neg_view(weight)
    assert negative.data_ptr() == weight.data_ptr()
    module = nn.Sequential(nn.Linear(40, 40, bias=False), nn.Linear(40, 40, bias=False))
    module[0].weight, module[1].weight = nn.Parameter(weight), nn.Parameter(negative)
    with torch.no_grad():
        assert difference(ttmlir.compile(module, x)(x), module(x), scale=4) == ""


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
    for name in ("running_mean", "running_var"):
        assert difference(executable.buffers()[name], getattr(module, name)) == ""


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


@pytest.mark.parametrize("dtype", [torch.float32, torch.int32, torch.bool])
@pytest.mark.parametrize("shape", [(), (4,), (2, 1), (1, 2, 4)])
def test_a_copy_is_broadcast(shape: tuple[int, ...], dtype: torch.dtype) -> None:
    """PyTorch's own decompositions put the source in the place of the copy."""

    class Copies(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.register_buffer("state", torch.zeros(1, 2, 4))

        def forward(self, x: Any) -> Any:
            self.state.copy_(x)
            return self.state * 2

    x = (torch.rand(shape) * 3).to(dtype)
    assert ttmlir.compile(Copies(), x)(x).equal(Copies()(x))
    # Nothing else converts the result in a program that users have decomposed.
    exported = torch.export.export(Copies(), (x,), strict=False).run_decompositions()
    loaded = ttmlir.compile(exported)
    loaded(x)
    assert loaded.buffers()["state"].equal(x.to(torch.float32).expand(1, 2, 4))


def test_results_keep_what_changed_arguments_had() -> None:
    class Swaps(nn.Module):
        def forward(self, x: torch.Tensor, y: torch.Tensor) -> tuple[torch.Tensor, ...]:
            old = y.clone()
            y.copy_(x)
            x.copy_(old)
            return old, y + 1

    def inputs() -> tuple[torch.Tensor, torch.Tensor]:
        return torch.arange(3, dtype=torch.int32), torch.tensor([5, 6, 7], dtype=torch.int32)

    expected, found = inputs(), inputs()
    results = ttmlir.compile(Swaps(), *inputs())(*found)
    for x, y in zip((*Swaps()(*expected), *expected), (*results, *found), strict=True):
        assert x.equal(y)


class Turned(nn.Module):
    """Changes the shape of a buffer, or of its argument, in place."""

    def __init__(self, is_buffer: bool) -> None:
        super().__init__()
        self.is_buffer = is_buffer
        self.register_buffer("kept", torch.zeros(5, 4))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        (self.kept if self.is_buffer else x).t_()
        return x + 1


@pytest.mark.parametrize("is_buffer", [True, False])
def test_shapes_that_change_in_place(is_buffer: bool) -> None:
    with pytest.raises(CompileError, match="cannot change in place") as caught:
        ttmlir.compile(Turned(is_buffer), torch.ones(3, 2))
    error, *notes = caught.value.diagnostics
    assert "'aten.t_.default'" in error.message
    line = Turned.forward.__code__.co_firstlineno + 1
    assert {note.location for note in notes} == {f"{__file__}:{line}:1"}

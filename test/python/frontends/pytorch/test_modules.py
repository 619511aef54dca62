"""``ttmlir.compile`` of modules: numbers, and the structure of arguments and results."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pytest
import torch
from judge import correlation, difference
from torch import nn
from torch.utils import _pytree as pytree
from torch_modules import MODULES, Decoder

import ttmlir
from ttmlir import runtime
from ttmlir.errors import CompileError, Error, InputError
from ttmlir.frontends.torch import import_program


def _reference(module: nn.Module, args: Any) -> Any:
    with torch.no_grad():
        return module(*args)


@pytest.mark.parametrize("name", MODULES)
def test_module(name: str) -> None:
    torch.manual_seed(0)
    module, args = MODULES[name]()
    executable = ttmlir.compile(module, example_inputs=args)
    assert isinstance(executable, ttmlir.Executable)
    assert difference(executable(*args), _reference(module, args), scale=4) == ""


@pytest.mark.parametrize("dtype", ["bf16", "bfp8_b"])
@pytest.mark.parametrize("name", ["residual_network", "encoder", "decoder", "separable_network"])
def test_formats(name: str, dtype: str) -> None:
    torch.manual_seed(0)
    module, args = MODULES[name]()
    executable = ttmlir.compile(module, example_inputs=args, dtype=dtype)
    stored = {info.data_type for info in executable.inputs if info.is_parameter}
    assert ("BFP_BFloat8" in stored) == (dtype == "bfp8_b")
    assert "Float32" not in stored
    found, expected = executable(*args), _reference(module, args)
    for a, b in zip(pytree.tree_leaves(found), pytree.tree_leaves(expected), strict=True):
        assert a.dtype == b.dtype
        assert correlation(a, b) > 0.99


def test_formats_by_name() -> None:
    module = nn.Sequential(nn.Linear(32, 32), nn.GELU(), nn.Linear(32, 32)).eval()
    x = torch.randn(4, 32)
    policy = {"*": "bf16", "0*": "bfp8_b", "2*": "f32"}
    executable = ttmlir.compile(module, example_inputs=(x,), dtype=policy)
    found = {info.name: info.data_type for info in executable.inputs if info.is_parameter}
    assert found["0.weight"] == "BFP_BFloat8"
    assert found["0.bias"] == "BFloat16"
    assert found["2.weight"] == found["2.bias"] == "Float32"
    assert correlation(executable(x), _reference(module, (x,))) > 0.999


@pytest.mark.parametrize(
    ("policy", "message"),
    [("f8", "expected one of f32, bf16, bfp8_b, bfp4_b, found 'f8'"), ({"nose*": "bf16"}, "nose")],
)
def test_wrong_formats(policy: Any, message: str) -> None:
    with pytest.raises(Error, match=message):
        ttmlir.compile(nn.Linear(4, 4), example_inputs=(torch.ones(1, 4),), dtype=policy)


# Structures --------------------------------------------------------------------------------------


class Pair(NamedTuple):
    first: torch.Tensor
    rest: list[torch.Tensor]


@dataclass
class Output:
    total: torch.Tensor
    parts: dict[str, torch.Tensor]


pytree.register_dataclass(Output)


class Structured(nn.Module):
    def forward(self, pair: Pair, *, scale: torch.Tensor, named: dict[str, Any]) -> Any:
        y = pair.first * scale + pair.rest[0]
        parts = {"a": y, "b": named["x"].sum(), "n": torch.ones(2)}
        return Output(y.sum(), parts), Pair(y, [y + 1]), None, 3


def test_trees() -> None:
    module = Structured()
    pair = Pair(torch.ones(2, 3), [torch.zeros(3)])
    keywords = {"scale": torch.tensor(2.0), "named": {"x": torch.arange(4)}}
    executable = ttmlir.compile(module, example_inputs=(pair,), example_kwargs=keywords)
    found, expected = executable(pair, **keywords), module(pair, **keywords)
    assert isinstance(found[0], Output)
    assert isinstance(found[1], Pair)
    assert found[2:] == (None, 3)
    assert difference(found, expected) == ""
    # Keywords come in any order.
    again = executable(pair, named=keywords["named"], scale=keywords["scale"])
    assert difference(again, expected) == ""
    with pytest.raises(InputError, match="structure"):
        executable(pair, scale=keywords["scale"], named={"y": torch.arange(4)})


def test_arrays_are_taken_and_tensors_returned() -> None:
    x = np.ones((2, 4), np.float32)
    executable = ttmlir.compile(nn.Identity(), x)
    assert torch.equal(executable(x), torch.ones(2, 4))
    kept = executable(x, keep_on_device=True)
    assert isinstance(kept, ttmlir.runtime.Tensor)
    assert torch.equal(executable(kept), torch.ones(2, 4))


@pytest.mark.parametrize(
    "x",
    [
        torch.randn(2, 3, 4, 5).to(memory_format=torch.channels_last),
        torch.randn(4, 3, 5, 2).transpose(0, 3),
        torch.randn(2, 3, 1, 5).expand(2, 3, 4, 5),
        torch.randn(2, 3, 8, 5)[:, :, ::2],
        torch.randn(2, 3, 4, 5, requires_grad=True),
    ],
    ids=["channels_last", "transposed", "expanded", "strided", "with_gradient"],
)
def test_layouts_of_inputs(x: torch.Tensor) -> None:
    module = nn.Conv2d(3, 4, 3, padding=1).to(memory_format=torch.channels_last)
    executable = ttmlir.compile(module, example_inputs=(x,))
    assert difference(executable(x), _reference(module, (x,))) == ""


class Whole(nn.Module):
    def forward(self, a: Any, b: Any, c: Any, d: Any, e: Any) -> Any:
        return a + 1, ~b, c * 2, d.sum(), torch.cat([e, e + 1]), e.shape[0], a[:, :0]


def test_types_at_the_border() -> None:
    args = (
        torch.arange(6).reshape(2, 3),
        torch.tensor([True, False]),
        torch.tensor(2.5, dtype=torch.float64),
        torch.empty(0, 3),
        torch.arange(3, dtype=torch.int8),
    )
    executable = ttmlir.compile(Whole(), example_inputs=args)
    assert difference(executable(*args), Whole()(*args)) == ""
    with pytest.raises(InputError, match="32 bits"):
        executable(args[0] + 2**40, *args[1:])
    with pytest.raises(InputError, match="input 0"):
        executable(args[0].float(), *args[1:])


def test_numbers_are_part_of_the_program() -> None:
    class Scaled(nn.Module):
        def forward(self, x: torch.Tensor, times: int) -> torch.Tensor:
            return x * times

    executable = ttmlir.compile(Scaled(), torch.ones(2), 3)
    assert executable(torch.ones(2), 3).tolist() == [3, 3]
    with pytest.raises(InputError, match="expected 3"):
        executable(torch.ones(2), 4)


# Parameters and buffers --------------------------------------------------------------------------


def test_tied_weights_are_stored_once() -> None:
    module = Decoder()
    program = import_program(torch.export.export(module, (torch.zeros(1, 4, dtype=torch.long),)))
    names = [n for n, t in program.parameters.items() if tuple(t.shape) == (64, 32)]
    assert len(names) == 1


def test_parameters_are_as_they_were() -> None:
    module = nn.Linear(4, 4)
    x = torch.randn(2, 4)
    executable, expected = ttmlir.compile(module, x), module(x)
    with torch.no_grad():
        module.weight.zero_()
    assert difference(executable(x), expected) == ""


class Cache(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("rows", torch.zeros(1, 2, 8, 4))
        self.register_buffer("calls", torch.tensor(0))

    def forward(self, x: torch.Tensor, place: torch.Tensor) -> torch.Tensor:
        self.rows[:, :, place] = x
        self.calls += 1
        return self.rows.sum(2) * self.calls


def test_buffers_stay_on_the_device() -> None:
    module = Cache()
    x = torch.randn(1, 2, 1, 4)
    executable = ttmlir.compile(module, x, torch.tensor([0]))
    for _ in range(2):
        other = Cache()
        for place in range(3):
            at = torch.tensor([place])
            assert difference(executable(x + place, at), other(x + place, at)) == ""
        assert difference(executable.buffers(), dict(other.named_buffers())) == ""
        executable.reset_buffers()
    assert module.calls == 0


def test_a_failed_call_loses_buffers(monkeypatch: pytest.MonkeyPatch) -> None:
    x, place = torch.randn(1, 2, 1, 4), torch.tensor([0])
    executable = ttmlir.compile(Cache(), x, place)

    def fails(*_: Any) -> Any:
        raise runtime.RuntimeError("the chip stopped")

    def failed_call() -> None:
        with monkeypatch.context() as patch:
            patch.setattr(runtime, "run", fails)
            with pytest.raises(Error, match="the chip stopped"):
                executable(x, place)

    # The values that the module has are not given up.
    failed_call()
    first = executable(x, place)
    with pytest.raises(InputError):
        executable(x[0], place)
    assert executable.buffers()["calls"] == 1
    failed_call()
    for again in (executable.buffers, lambda: executable(x, place)):
        with pytest.raises(Error, match=r"buffers \(rows, calls\) were lost .*the chip stopped"):
            again()
    executable.reset_buffers()
    assert difference(executable(x, place), first) == ""


def test_inputs_that_change() -> None:
    class Adds(nn.Module):
        def forward(self, x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
            x.add_(y)
            return x * 2

    executable = ttmlir.compile(Adds(), torch.ones(3), torch.ones(3))
    x, array = torch.ones(3), np.ones(3, np.float32)
    assert executable(x, torch.ones(3)).tolist() == [4, 4, 4]
    executable(array, np.ones(3, np.float32))
    assert x.tolist() == array.tolist() == [2, 2, 2]


def test_what_depends_on_constants_is_computed() -> None:
    class Rotations(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.register_buffer("rates", torch.rand(8))

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            angles = torch.outer(torch.arange(x.shape[0]), self.rates)
            return x * angles.cos()

    program = import_program(torch.export.export(Rotations(), (torch.ones(4, 8),)))
    text = str(program.builder)
    assert "ttir.cos" not in text
    assert text.count('"ttir.') == 2  # The constant and the product.


# Sources and errors ------------------------------------------------------------------------------


def test_exported_program() -> None:
    module, args = MODULES["experts"]()
    exported = torch.export.export(module, args)
    executable = ttmlir.compile(exported, backend="ttmetal", target="p150")
    assert executable.backend == "ttmetal"
    assert difference(executable(*args), _reference(module, args), scale=4) == ""
    assert executable.report(*args).seconds > 0
    with pytest.raises(Error, match="no example inputs"):
        ttmlir.compile(exported, example_inputs=args)


def test_examples_are_needed() -> None:
    with pytest.raises(Error, match="example_inputs"):
        ttmlir.compile(nn.Linear(2, 2))
    with pytest.raises(TypeError, match="found Tensor"):
        ttmlir.compile(nn.Linear(2, 2), example_inputs=torch.ones(1, 2))
    with pytest.raises(TypeError, match="both"):
        ttmlir.compile(nn.Linear(2, 2), torch.ones(1, 2), example_inputs=(torch.ones(1, 2),))
    with pytest.raises(TypeError, match="dtype for a module"):
        ttmlir.compile("func.func @f() { return }", dtype="bf16")


class Impossible(nn.Module):
    def forward(self, x: torch.Tensor) -> Any:
        y = torch.special.airy_ai(x)
        z = torch.linalg.eigvals(x.reshape(2, 2)).abs()
        return y, z, torch.special.bessel_j0(x)


def test_all_ops_that_cannot_be_expressed_at_once() -> None:
    with pytest.raises(CompileError) as caught:
        ttmlir.compile(Impossible(), torch.ones(4))
    first, *notes = caught.value.diagnostics
    for name in ("special_airy_ai", "linalg_eig", "special_bessel_j0"):
        assert name in first.message
        assert any(name in n.message for n in notes)
    lines = {n.location.split(":")[1] for n in notes}
    assert len(lines) == 3
    assert all("test_modules.py" in n.location for n in notes)


def test_values_that_shapes_depend_on() -> None:
    class Repeated(nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return x.repeat_interleave(x.long()) + 1

    with pytest.raises(CompileError, match=r"depends on values|dynamic"):
        ttmlir.compile(Repeated(), torch.ones(4))


def test_what_cannot_be_exported() -> None:
    class Branches(nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return x if x.sum() > 0 else -x

    with pytest.raises(CompileError, match="cannot export 'Branches'") as caught:
        ttmlir.compile(Branches(), torch.ones(2))
    (found,) = caught.value.diagnostics
    assert "data-dependent" in found.message
    assert found.location == f"{__file__}:{Branches.forward.__code__.co_firstlineno + 1}:1"


def test_lines_that_cannot_be_exported() -> None:
    class Product(nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            y = x + 1
            return y @ torch.ones(7, 3)

    with pytest.raises(CompileError, match="cannot export 'Product'") as caught:
        ttmlir.compile(Product(), torch.ones(2, 4))
    (found,) = caught.value.diagnostics
    assert found.message.startswith("'aten.mm.default': ")
    assert found.location == f"{__file__}:{Product.forward.__code__.co_firstlineno + 2}:1"


def test_the_package_alone_does_not_load_torch() -> None:
    code = (
        "import sys, ttmlir; b = ttmlir.Builder(); x = b.input('x', (2,)); b.output(b.exp(x));"
        "ttmlir.compile(b); assert 'torch' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)

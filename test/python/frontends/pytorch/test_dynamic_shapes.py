"""Modules with extents that vary, exact and padded to buckets."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import nn
from torch._higher_order_ops import while_loop
from torch.export import Dim

import ttmlir
from ttmlir.errors import CompileError, Error, InputError

ROWS, LENGTH = Dim("rows", min=1, max=64), Dim("length", min=3, max=512)
SHAPES = ({0: ROWS, 1: LENGTH},)
BUCKETS = {"rows": [2, 4], "length": [8, 48]}


class Function(nn.Module):
    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__()
        self._function = function
        self.linear = nn.Linear(8, 8)

    def forward(self, x: torch.Tensor) -> Any:
        return self._function(x, self.linear)


def made(function: Callable[..., Any], **keywords: Any) -> tuple[Any, nn.Module]:
    torch.manual_seed(0)
    module = Function(function).eval()
    return ttmlir.compile(module, torch.zeros(3, 5, 8), dynamic_shapes=SHAPES, **keywords), module


def close(found: Any, wanted: Any) -> None:
    torch.testing.assert_close(found, wanted, rtol=2e-5, atol=2e-5)


def test_specializations() -> None:
    exe, module = made(lambda x, linear: linear(x).reshape(-1, 4) + x.shape[1], specializations=2)
    assert repr(exe) == "<ttmlir.DynamicExecutable ('x' (rows, length, 8))>"
    assert exe.extents == ("rows", "length")
    for rows, length in ((2, 5), (3, 7), (2, 5), (1, 3), (3, 7)):
        x = torch.randn(rows, length, 8)
        close(exe(x), module(x))
    assert exe.compilations == 4
    assert exe.specializations == ({"rows": 1, "length": 3}, {"rows": 3, "length": 7})


def test_parameters_are_shared() -> None:
    exe, _ = made(lambda x, linear: linear(x))
    one, other = exe.specialize(rows=2, length=5), exe.specialize(rows=3, length=4)
    tensors = [list(e._bound.of(e.programs[0]).values()) for e in (one, other)]
    assert [t.address for t in tensors[0]] == [t.address for t in tensors[1]]


def test_exported_program() -> None:
    module = Function(lambda x, linear: linear(x).sum(1)).eval()
    exported = torch.export.export(module, (torch.zeros(3, 5, 8),), dynamic_shapes=SHAPES)
    exe = ttmlir.compile(exported, buckets={"x.1": [8]})
    assert exe.extents == ("x.0", "x.1")
    x = torch.randn(2, 6, 8)
    close(exe(x), module(x))
    assert exe.specializations == ({"x.0": 2, "x.1": 8},)


def test_buffers_belong_to_all_specializations() -> None:
    class Counter(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.register_buffer("calls", torch.zeros(1))

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            self.calls.add_(1)
            return x + self.calls

    exe = ttmlir.compile(
        Counter(), torch.zeros(3, 5), dynamic_shapes=({0: ROWS},), buckets={"rows": [2, 4]}
    )
    for i, rows in enumerate((1, 3, 2, 4)):
        close(exe(torch.zeros(rows, 5)), torch.full((rows, 5), i + 1.0))
    assert exe.buffers()["calls"].tolist() == [4.0]
    exe.reset_buffers()
    assert exe.buffers()["calls"].tolist() == [0.0]


def test_wrong_extents() -> None:
    exe, _ = made(lambda x, linear: linear(x))
    for x, message in (
        (torch.zeros(65, 5, 8), "the extent 'rows' is 65, expected 1 to 64"),
        (torch.zeros(2, 2, 8), "the extent 'length' is 2, expected 3 to 512"),
        (torch.zeros(2, 5, 7), r"input 'x' \(rows, length, 8\): found the shape \(2, 5, 7\)"),
        (torch.zeros(2, 5), r"input 'x' \(rows, length, 8\): found the shape \(2, 5\)"),
    ):
        with pytest.raises(InputError, match=message):
            exe(x)
    with pytest.raises(InputError, match="structure"):
        exe(torch.zeros(2, 5, 8), 1)
    with pytest.raises(InputError, match="expects the extents rows, length, length missing"):
        exe.specialize(rows=1)
    with pytest.raises(Error, match=r"no extent 'width' varies, expected one of 'x.0', 'x.1'"):
        exe.specialize(width=1)


def test_what_needs_fixed_shapes(tmp_path: Any) -> None:
    exe, module = made(lambda x, linear: linear(x))
    x = torch.randn(2, 5, 8)
    message = r"use the executable that specialize\(rows=\.\.\., length=\.\.\.\) returns"
    with pytest.raises(Error, match="save.. needs fixed shapes.*" + message):
        exe.save(tmp_path / "x.ttnn")
    with pytest.raises(Error, match=message):
        exe.programs  # noqa: B018
    one = exe.specialize(rows=2, length=5)
    one.save(tmp_path / "x.ttnn")
    inputs = [x.numpy(), module.linear.weight.detach().numpy(), module.linear.bias.detach().numpy()]
    names = [info.name for info in one.inputs]
    given = dict(zip(("x", "linear.weight", "linear.bias"), inputs, strict=True))
    found = ttmlir.load(tmp_path / "x.ttnn")(*(given[name] for name in names))
    close(torch.from_numpy(found), module(x))
    assert exe.estimate(rows=2, length=5).cycles == exe.report(x).cycles
    assert exe.compare("f64", x).first_off is None
    assert exe.compilations == 1


# Buckets -----------------------------------------------------------------------------------------

PADDED: dict[str, Callable[..., Any]] = {
    "reductions": lambda x, linear: (
        linear(x).mean(1),
        x.sum((0, 1)),
        x.amax(1),
        (-x).amin(0),
        x.argmax(1),
        x.mean((0, 1, 2)),
    ),
    "merged dimensions": lambda x, linear: linear(x.reshape(-1, 8)).reshape(x.shape) * 2,
    "a product along the padding": lambda x, linear: linear(x).mT @ x,
    "a sum over merged dimensions": lambda x, linear: linear(x).reshape(-1, 8).sum(0),
    "attention": lambda x, linear: nn.functional.scaled_dot_product_attention(
        x[:, None], linear(x)[:, None], x[:, None]
    ),
    "causal attention": lambda x, linear: nn.functional.scaled_dot_product_attention(
        x[:, None], linear(x)[:, None], x[:, None], is_causal=True
    ),
    "softmax": lambda x, linear: (linear(x) @ x.mT).softmax(-1) @ x,
    "slices": lambda x, linear: (x[:, 1:], x[:, 0], x[:, :-1].sum(1)),
    "elements from the end": lambda x, linear: (x[:, -1], linear(x)[:, -2:] * 2),
    "the greatest elements": lambda x, linear: (
        *x.topk(2, 1),
        *(-x).topk(3, 1, largest=False),
        x.argmax(),
        linear(x).mT.reshape(-1).argmin(),
    ),
    "loops": lambda x, linear: (
        while_loop(
            lambda i, y: i < 3,
            lambda i, y: (i + 1, (y + x).softmax(1) - linear(x).mean(1, True)),
            (torch.tensor(0), x),
        )
        + while_loop(
            lambda i, y: i < x.shape[1], lambda i, y: (i + 1, y / 2 + x), (torch.tensor(0), x)
        )
    ),
    "conditionals": lambda x, linear: torch.cond(
        x.sum() > 20, lambda x: x.cumsum(1), lambda x: x - x.amax(1, True), (x,)
    ),
    "positions": lambda x, linear: x * torch.arange(x.shape[1], dtype=torch.float)[:, None],
    "numbers of elements": lambda x, linear: (
        x / x.shape[1] * (x.shape[0] * x.shape[1]) + (x.shape[1] - 1)
    ),
    "scans": lambda x, linear: x.cumsum(1),
    "sorts": lambda x, linear: (
        x.sort(1).values,
        x.sort(1, descending=True).values[:, :2],
        x[..., 0].argsort(1),
        x.gather(1, linear(x).argsort(1)[..., :3]),
    ),
    "scatters": lambda x, linear: (
        torch.zeros(2, 8).index_add(0, x[:, 0, 0].long() % 2, x.sum(1)),
        torch.zeros_like(x).scatter(1, x.argsort(1), x),
        (x * 8).to(torch.int32).amin(1),
    ),
    # Padding of zeros gives infinities and NaN, which products with 0 keep.
    "no number in the padding": lambda x, linear: (x / x.sum(-1, True)).mT @ x.abs().log(),
}


@pytest.mark.parametrize("name", PADDED)
def test_buckets(name: str) -> None:
    exe, module = made(PADDED[name], buckets=BUCKETS)
    for rows, length in ((1, 3), (3, 8), (4, 40), (2, 5)):
        x = torch.rand(rows, length, 8) + 0.5
        close(exe(x), module(x))
    assert exe.compilations == 3


def test_buckets_of_kernels() -> None:
    exe, module = made(lambda x, linear: linear(x).softmax(1), buckets=BUCKETS, backend="ttmetal")
    for rows, length in ((1, 3), (2, 8)):
        x = torch.randn(rows, length, 8)
        close(exe(x), module(x))
    assert exe.compilations == 1


REFUSED: dict[str, tuple[Callable[..., Any], str]] = {
    "reverse": (lambda x, linear: x.flip(1), "'ttir.reverse' 'flip': it changes the order along"),
    "middle": (lambda x, linear: x.median(1), "it takes elements at positions that depend on 'len"),
    "number": (lambda x, linear: x * x.shape[1] ** 2, "depend on the extent: 9.0 and 64.0"),
    "sort": (
        lambda x, linear: x.reshape(-1, 8).sort(0).values,
        "it changes the order along 'length'",
    ),
    "join": (lambda x, linear: torch.cat([x, x], 1), "elements follow the padding along 'length'"),
    "pad": (lambda x, linear: nn.functional.pad(x, (0, 0, 1, 0)), "it pads the dimension of"),
    "window": (lambda x, linear: nn.functional.conv1d(x.mT, torch.ones(8, 8, 1)), "'length'"),
    "size": (lambda x, linear: (x, torch.arange(x.shape[1])), "is not computed on the device"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused_buckets(name: str) -> None:
    function, message = REFUSED[name]
    exe, _ = made(function, buckets={"length": [8]})
    with pytest.raises(CompileError, match="the program cannot pad 'length'") as caught:
        exe(torch.zeros(2, 4, 8))
    assert message in str(caught.value)


def test_wrong_buckets() -> None:
    for buckets, message in (
        ({"width": [8]}, "no extent 'width' varies"),
        ({"rows": []}, "expected a list of numbers for 'rows'"),
        ({"rows": 8}, "expected a list of numbers for 'rows', found 8"),
        ({"rows": [0]}, "expected numbers of 1 to 64 for 'rows', found 0"),
        ({"rows": [65]}, "expected numbers of 1 to 64 for 'rows', found 65"),
        ({"rows": [8], "x.0": [4]}, "'rows' is given twice"),
    ):
        with pytest.raises(Error, match=message):
            made(lambda x, linear: x + 1, buckets=buckets)
    exe, _ = made(lambda x, linear: x + 1, buckets={"length": [8]})
    with pytest.raises(InputError, match="the extent 'length' is 9, expected 1 to 8, its largest"):
        exe(torch.zeros(2, 9, 8))
    with pytest.raises(InputError, match="keep_on_device"):
        exe(torch.zeros(2, 8, 8), keep_on_device=True)
    with pytest.raises(Error, match=r"no extent of the program varies"):
        ttmlir.compile(nn.ReLU(), torch.zeros(3), buckets={"n": [4]})


def test_changed_inputs_are_not_padded() -> None:
    class Changes(nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            x.add_(1)
            return x * 2

    exe = ttmlir.compile(
        Changes(), torch.zeros(3, 5), dynamic_shapes=({0: ROWS},), buckets={"rows": [4]}
    )
    with pytest.raises(CompileError, match=r"calls change the input 'x' \(rows, 5\)"):
        exe(torch.zeros(2, 5))

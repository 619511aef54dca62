"""Ops that are made of others, or are those of ``torch._prims``, on both backends."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest
import torch
import torch.nn.functional as F
from graphs import Backend, exported
from judge import difference

from ttmlir.errors import CompileError
from ttmlir.torch import backend

Case = tuple[Callable[..., Any], tuple[torch.Tensor, ...]]
prims = torch.ops.prims
_generator = torch.Generator().manual_seed(0)


def _normal(*shape: int) -> torch.Tensor:
    return torch.randn(shape, generator=_generator)


def _integers(low: int, high: int, *shape: int) -> torch.Tensor:
    return torch.randint(low, high, shape, generator=_generator)


SORTED = torch.tensor([1.0, 3, 3, 5, 9])
SOUGHT = torch.tensor([[0.0, 1, 3, 4], [9, 10, math.nan, -1]])
SEARCHES: dict[str, Case] = {
    "left": (torch.searchsorted, (SORTED, SOUGHT)),
    "right": (
        lambda s, x: torch.searchsorted(s, x, right=True, out_int32=True),
        (SORTED, SOUGHT),
    ),
    "nan": (torch.searchsorted, (torch.tensor([1.0, 3, math.nan]), SOUGHT)),
    "sorter": (
        lambda s, x: torch.searchsorted(s, x, side="right", sorter=s.argsort(-1)),
        (_normal(2, 3, 7), _normal(2, 3, 4)),
    ),
    "rows": (torch.searchsorted, (_normal(4, 6).sort()[0], _normal(4, 3))),
    "numbers": (
        lambda s: (torch.searchsorted(s, 3), torch.searchsorted(s, 3.5), torch.bucketize(9, s)),
        (SORTED,),
    ),
    "scalar": (torch.searchsorted, (SORTED, torch.tensor(3.0))),
    "promoted": (torch.searchsorted, (torch.tensor([1, 3, 5]), SOUGHT)),
    "bucketize": (lambda s, x: torch.bucketize(x, s, right=True), (SORTED, SOUGHT)),
    "bf16": (torch.searchsorted, (SORTED.bfloat16(), SOUGHT.bfloat16())),
    "nothing": (lambda s, x: torch.searchsorted(s[:0], x) + x.long(), (SORTED, SORTED)),
}
MATRICES = torch.tensor(
    [
        [[1.0, 2, 3], [4, 5, 6], [7, 8, 9]],
        [[0, 2, 3], [4, 0, 6], [7, 8, 0]],
        [[0, 1, 0], [0, 0, 1], [1, 0, 0]],
        [[0, 0, 0], [0, 0, 0], [0, 0, 0]],
        [[1e-8, 1, 0], [1, 1, 0], [0, 0, 2]],
    ]
)
PRODUCTS: dict[str, Case] = {
    "bilinear": (F.bilinear, (_normal(4, 5), _normal(4, 6), _normal(3, 5, 6), _normal(3))),
    "trilinear": (
        lambda x, y, z: torch._trilinear(x, y, z, [1, 3], [0], [1, 2], [2, 3]),
        (_normal(4, 5), _normal(3, 5, 6), _normal(4, 6)),
    ),
    "int_mm": (
        torch._int_mm,
        (_integers(-128, 128, 17, 24).to(torch.int8), _integers(-128, 128, 24, 16).to(torch.int8)),
    ),
    "conv_tbc": (
        lambda x, w, b: torch.conv_tbc(x, w, b, 1),
        (_normal(7, 2, 3), _normal(3, 3, 4), _normal(4)),
    ),
    "convolution": (
        lambda x, w, b: torch._convolution(
            x, w, b, [2], [1], [1], True, [1], 1, False, False, True, True
        ),
        (_normal(2, 3, 6), _normal(3, 4, 3), _normal(4)),
    ),
    "det": (lambda x: (torch.det(x), torch.det(x.mT), *torch.linalg.slogdet(x)), (MATRICES,)),
    "det_of_one": (lambda x: (torch.det(x), torch.logdet(x * x)), (_normal(2, 1, 1),)),
    "det_of_many": (torch.linalg.slogdet, (_normal(2, 17, 17),)),
}
WEIGHT, INDICES = _normal(10, 3), torch.tensor([1, 2, 4, 5, 4, 3, 2, 9, 4])
STARTS, ENDS = torch.tensor([0, 3, 3, 8]), torch.tensor([0, 3, 3, 7])


def _bags(**options: Any) -> Callable[..., Any]:
    return lambda i, o, w: F.embedding_bag(i, w, o, **options)


BAGS: dict[str, Case] = {
    **{
        f"{mode}_{padding}_{last}": (
            _bags(mode=mode, padding_idx=padding, include_last_offset=last),
            (INDICES, ENDS if last else STARTS, WEIGHT),
        )
        for mode in ("sum", "mean", "max")
        for padding in (None, 4)
        for last in (False, True)
    },
    "rows": (lambda i, w: F.embedding_bag(i, w, mode="max"), (INDICES.reshape(3, 3), WEIGHT)),
    "weights": (
        lambda i, o, w, s: F.embedding_bag(i, w, o, mode="sum", per_sample_weights=s),
        (INDICES, STARTS, WEIGHT, _normal(9)),
    ),
    "constant_offsets": (lambda i, w: F.embedding_bag(i, w, STARTS), (INDICES, WEIGHT)),
    "bf16": (_bags(mode="mean"), (INDICES.int(), STARTS.int(), WEIGHT.bfloat16())),
    "renormed": (
        lambda i, o, w: F.embedding_bag(i, w * 1, o, max_norm=1.5),
        (INDICES, STARTS, WEIGHT),
    ),
    "every_result": (
        lambda i, o, w: torch.embedding_bag(w, i, o, False, 2),
        (INDICES, STARTS, WEIGHT),
    ),
}
IMAGE, COUNTS = _normal(2, 3, 9, 7), _integers(-80, 80, 2, 3, 5, 6)
WINDOWS: dict[str, Case] = {
    **{
        f"smoothed_{mode}_{aligned}": (
            lambda x, mode=mode, aligned=aligned: [
                F.interpolate(x, to, mode=mode, align_corners=aligned, antialias=True)
                for to in ((3, 4), (11, 13), (9, 1))
            ],
            (IMAGE,),
        )
        for mode in ("bilinear", "bicubic")
        for aligned in (False, True)
    },
    "smoothed_scale": (
        lambda x: F.interpolate(x, scale_factor=(0.4, 1.7), mode="bicubic", antialias=True),
        (IMAGE,),
    ),
    "bytes_nearest": (
        lambda x: (F.interpolate(x, (5, 3)), F.interpolate(x, (18, 7))),
        ((IMAGE * 20).to(torch.uint8),),
    ),
    "avg_pool1d": (
        lambda x: (F.avg_pool1d(x[0], 3), F.avg_pool1d(x[0], 4, 3, 2, True, False)),
        (COUNTS,),
    ),
    "avg_pool2d": (
        lambda x: (F.avg_pool2d(x, 2), F.avg_pool2d(x, 3, 2, 1, True, False)),
        (COUNTS,),
    ),
    "avg_pool_divisor": (lambda x: F.avg_pool2d(x, 2, divisor_override=-3), (COUNTS,)),
    "avg_pool3d": (lambda x: F.avg_pool3d(x, 2, 1, 1, count_include_pad=False), (COUNTS[None],)),
}
CUBE = _normal(2, 3, 4)
_UNARY = ["abs", "cos", "erf", "exp", "floor", "isfinite", "neg", "sign", "tanh", "erf_inv"]
_BINARY = ["add", "atan2", "div", "eq", "fmax", "ge", "lt", "maximum", "mul", "remainder", "sub"]
PRIMS: dict[str, Case] = {
    "shapes": (
        lambda x: (
            prims.collapse(x, 0, 1),
            prims.collapse_view(x, 1, 2),
            prims.squeeze(x[:1], [0]),
            prims.view_of(x) + 1,
            prims.transpose(x, [2, 0, 1]),
            prims.broadcast_in_dim(x, [2, 5, 3, 4], [0, 2, 3]),
            prims.rev(x, [0, 2]),
            prims.reshape(x, [4, 6]),
            prims.split_dim(x, 2, 2),
            prims.cat([x, x], 1),
            prims.as_strided(x, [2, 2], [1, 4], 3) + 1,
            prims.as_strided_scatter(x, x[0, :2, :2] * 0, [2, 2], [1, 4], 3),
            prims.copy_strided(x, [1, 2, 6]),
        ),
        (CUBE,),
    ),
    "reductions": (
        lambda x, i: (
            prims.sum(x, [0, 2]),
            prims.prod(x, [1]),
            prims.amax(x, [0]),
            prims.amin(x, [0, 1, 2]),
            prims.var(x, [1], 1),
            prims.sum(i, [1]),
        ),
        (CUBE, _integers(0, 9, 2, 3)),
    ),
    "one_operand": (
        lambda x: [getattr(prims, name)(x) for name in _UNARY],
        (CUBE / 4,),
    ),
    "two_operands": (
        lambda x, y: [getattr(prims, name)(x, y) for name in _BINARY],
        (CUBE, _normal(2, 3, 4)),
    ),
    "integers": (
        lambda x, y: [
            getattr(prims, name)(x, y)
            for name in ["bitwise_and", "shift_left", "shift_right_arithmetic", "div"]
        ],
        (_integers(-9, 9, 5).int(), _integers(1, 5, 5).int()),
    ),
    "others": (
        lambda x: (
            prims.where(x > 0, x, -x),
            prims.clone(x),
            prims.convert_element_type(x, torch.int32),
            prims.fill(x, 2.5),
            prims.pow(x.abs(), x),
            prims.device_put(x, torch.device("cpu")),
        ),
        (CUBE,),
    ),
}
VIEWS: dict[str, Case] = {
    "rrelu": (F.rrelu, (_normal(8),)),
    "of_views": (
        lambda x: (
            (x * 2)[1:].as_strided((2, 2), (6, 1), 7) * 1,
            x[1:].as_strided((2, 2), (6, 1), 8) * 1,
            x.T.as_strided((3, 2), (1, 2), 2),
        ),
        (torch.arange(24.0).reshape(4, 6),),
    ),
    "threshold_backward": (
        lambda g, x, i: (
            torch.ops.aten.threshold_backward(g, x, 0.5) * 2,
            torch.ops.aten.threshold_backward(g, i, 0.5),
            torch.ops.aten.threshold_backward(i, x, 0.5),
        ),
        (_normal(4).bfloat16(), _normal(4), torch.arange(4)),
    ),
}
_TABLES = {
    "searches": SEARCHES,
    "products": PRODUCTS,
    "bags": BAGS,
    "windows": WINDOWS,
    "prims": PRIMS,
    "views": VIEWS,
}
_CASES = [(table, name) for table, cases in _TABLES.items() for name in cases]


@pytest.mark.sampled(40)
@pytest.mark.parametrize("target", ["ttnn", "ttmetal"])
@pytest.mark.parametrize(("table", "name"), _CASES, ids=["-".join(c) for c in _CASES])
def test_values(table: str, name: str, target: Backend) -> None:
    function, tensors = _TABLES[table][name]
    found = exported(function, *tensors, backend=target)
    assert difference(found, function(*tensors), scale=4) == ""


@pytest.mark.parametrize("mode", ["sum", "mean", "max", "weights"])
def test_gradients_of_bags(mode: str) -> None:
    weight, own = (t.clone().requires_grad_() for t in (WEIGHT, _normal(9)))

    def function(w: torch.Tensor, s: torch.Tensor) -> torch.Tensor:
        if mode == "weights":
            return F.embedding_bag(INDICES, w, STARTS, mode="sum", per_sample_weights=s)
        return F.embedding_bag(INDICES, w, STARTS, mode=mode, padding_idx=4)

    def gradients(of: Callable[..., torch.Tensor]) -> Any:
        return torch.autograd.grad(of(weight, own).square().sum(), (weight, own), allow_unused=True)

    torch._dynamo.reset()
    found = gradients(torch.compile(function, backend=backend, dynamic=False))
    assert difference(found, gradients(function)) == ""


REFUSED: dict[str, tuple[Callable[..., Any], tuple[torch.Tensor, ...], str]] = {
    "many_rows": (torch.det, (torch.eye(65),), "at most 64 rows, found 65"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refusals(name: str) -> None:
    function, tensors, message = REFUSED[name]
    with pytest.raises(CompileError, match=f"(?s){message}"):
        exported(function, *tensors)

"""Images of bytes at other extents, and Lanczos' filter: with the roundings of PyTorch, on both
backends."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch
import torch.nn.functional as F
from graphs import Backend, exported
from judge import difference

from ttmlir.errors import CompileError
from ttmlir.torch import backend

aten = torch.ops.aten
Resize = Callable[[torch.Tensor], torch.Tensor]
_generator = torch.Generator().manual_seed(0)


def _bytes(*shape: int) -> torch.Tensor:
    return torch.randint(0, 256, shape, dtype=torch.uint8, generator=_generator)


def _of(**options: Any) -> Resize:
    return lambda x: F.interpolate(x, **options)


MODES: dict[str, dict[str, Any]] = {
    "nearest": {"mode": "nearest"},
    "nearest_exact": {"mode": "nearest-exact"},
    "bilinear": {"mode": "bilinear"},
    "bilinear_aligned": {"mode": "bilinear", "align_corners": True},
    "bilinear_smoothed": {"mode": "bilinear", "antialias": True},
    "bicubic": {"mode": "bicubic"},
    "bicubic_aligned": {"mode": "bicubic", "align_corners": True},
    "bicubic_smoothed": {"mode": "bicubic", "antialias": True},
    "lanczos_smoothed": {"mode": "lanczos", "antialias": True},
}
#: What is resized to which extents, or by which factors. The last dimension is never 1: PyTorch
#: 2.13 mixes up its own memory there.
_IMAGE, _EDGES = _bytes(2, 3, 37, 45), _bytes(1, 5, 33, 20).ge(128).to(torch.uint8) * 255
SIZES: dict[str, tuple[torch.Tensor, dict[str, Any]]] = {
    "mixed": (_IMAGE, {"size": (20, 61)}),
    "edges": (_EDGES, {"size": (50, 7)}),
    "one_dimension": (_IMAGE, {"size": (37, 70)}),
    "channels_last": (
        _bytes(2, 4, 9, 13).contiguous(memory_format=torch.channels_last),
        {"size": (5, 30)},
    ),
    "factors": (_bytes(1, 2, 21, 34), {"scale_factor": (0.43, 1.9)}),
    # Extents that stay, double and triple, by factors that are not 1, 2 and 3.
    "factors_of_nearly_1": (_bytes(1, 2, 29, 45), {"scale_factor": (1.03, 1.02)}),
    "factors_of_nearly_2": (_bytes(1, 2, 29, 40), {"scale_factor": (2.03, 2.02)}),
    "factors_of_nearly_3": (_bytes(1, 2, 29, 30), {"scale_factor": (3.03, 3.02)}),
    "large_and_nearly_2": (_bytes(1, 2, 29, 48), {"scale_factor": (3.03, 2.02)}),
    "four_channels_last": (
        _bytes(1, 4, 29, 48).contiguous(memory_format=torch.channels_last),
        {"scale_factor": (3.03, 2.02)},
    ),
    "from_one_column": (_bytes(1, 2, 9, 1), {"size": (4, 3)}),
    # The weights have as many bits as PyTorch's ever have.
    "far": (_bytes(1, 1, 600, 401), {"size": (2, 3)}),
}


@pytest.mark.sampled(12)
@pytest.mark.parametrize("target", ["ttnn", "ttmetal"])
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("mode", MODES)
def test_bytes(mode: str, size: str, target: Backend) -> None:
    image, options = SIZES[size]
    resize = _of(**options, **MODES[mode])
    assert torch.equal(exported(resize, image, backend=target), resize(image))


def test_bytes_of_compiled_functions() -> None:
    """AOTAutograd takes some modes apart, and then rounds in another way than PyTorch's kernels."""
    image = _bytes(2, 3, 17, 23)

    def function(x: torch.Tensor) -> list[torch.Tensor]:
        return [F.interpolate(x, (9, 31), **options) for options in MODES.values()]

    torch._dynamo.reset()
    found = torch.compile(function, backend=backend)(image)
    torch._dynamo.reset()
    expected = torch.compile(function, backend="aot_eager")(image)
    assert difference(found, expected) == ""
    for x, y in zip(found, function(image), strict=True):
        assert (x.int() - y.int()).abs().max() <= 1


@pytest.mark.parametrize("target", ["ttnn", "ttmetal"])
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_lanczos(dtype: torch.dtype, target: Backend) -> None:
    x = torch.randn(2, 3, 37, 45, generator=_generator).to(dtype)

    def function(x: torch.Tensor) -> list[torch.Tensor]:
        sizes = ((20, 61), (37, 9), (50, 45))
        return [F.interpolate(x, n, mode="lanczos", antialias=True) for n in sizes]

    expected = [y.to(dtype) for y in function(x.float())]
    assert difference(exported(function, x, backend=target), expected, scale=4) == ""


def test_gradients_of_lanczos() -> None:
    ours = torch.randn(2, 3, 17, 23, generator=_generator).requires_grad_()
    theirs = ours.detach().clone().requires_grad_()
    resize = _of(size=(9, 31), mode="lanczos", antialias=True)
    torch._dynamo.reset()
    torch.compile(resize, backend=backend)(ours).square().sum().backward()
    resize(theirs).square().sum().backward()
    assert difference(ours.grad, theirs.grad, scale=4) == ""


@pytest.mark.parametrize("target", ["ttnn", "ttmetal"])
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_nearest_of_floats(dtype: torch.dtype, target: Backend) -> None:
    """The elements themselves, also those that are not finite."""
    x = torch.randn(1, 2, 37, 45, generator=_generator).to(dtype)
    x[0, 0, 3] = torch.tensor([torch.inf, -torch.inf, torch.nan]).repeat(15)

    def function(x: torch.Tensor) -> list[torch.Tensor]:
        modes = ("nearest", "nearest-exact")
        return [F.interpolate(x, size, mode=m) for m in modes for size in ((20, 61), (37, 90))]

    assert difference(exported(function, x, backend=target), function(x)) == ""


def test_gradients_of_the_nearest() -> None:
    """PyTorch's gradient takes an extent that doubles as doubled, whatever the factor is."""
    gradient = torch.randn(1, 2, 58, 85, generator=_generator)

    def function(x: torch.Tensor) -> list[torch.Tensor]:
        shapes = ([58, 85], [1, 2, 29, 28])
        return [
            aten.upsample_nearest2d_backward(x, *shapes, 2.03, 3.05),
            aten.upsample_nearest2d_backward(x, *shapes, scales_h=2.03, scales_w=3.05),
            aten._upsample_nearest_exact2d_backward(x, *shapes, 2.03, 3.05),
        ]

    assert difference(exported(function, gradient), function(gradient)) == ""


#: PyTorch exports these, but its kernels for the CPU do not have them either.
REFUSED: dict[str, tuple[Resize, torch.Tensor]] = {
    "upsample_bilinear2d": (_of(size=(9, 31), mode="bilinear"), _bytes(1, 2, 5, 6).int()),
    "_upsample_bicubic2d_aa": (
        _of(size=(9, 31), mode="bicubic", antialias=True),
        _bytes(1, 2, 5, 6).to(torch.int8),
    ),
    "upsample_linear1d": (_of(size=9, mode="linear"), _bytes(1, 2, 5)),
    "upsample_trilinear3d": (_of(size=(9, 3, 3), mode="trilinear"), _bytes(1, 2, 5, 6, 7)),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refusals(name: str) -> None:
    resize, x = REFUSED[name]
    with pytest.raises(CompileError, match=f"(?s)aten.{name}.*of integers images of uint8"):
        exported(resize, x)

"""Modules that torchao quantizes: needs the package torchao."""

from __future__ import annotations

from typing import Any

import pytest
import torch
import torchao.quantization as ao
from torch import nn
from torchao.quantization.pt2e.quantize_pt2e import convert_pt2e, prepare_pt2e
from torchao.quantization.pt2e.quantizer.x86_inductor_quantizer import (
    X86InductorQuantizer,
    get_default_x86_inductor_quantization_config,
)

import ttmlir

pytestmark = pytest.mark.torch


def layers() -> nn.Module:
    torch.manual_seed(0)
    return nn.Sequential(nn.Linear(128, 256), nn.ReLU(), nn.Linear(256, 128)).eval()


@pytest.mark.parametrize(
    ("name", "stored"),
    [
        ("Int8WeightOnlyConfig", "int8"),
        ("Int8DynamicActivationInt8WeightConfig", "int8"),
        ("Int8DynamicActivationIntxWeightConfig", "int8"),
        ("IntxWeightOnlyConfig", "int8"),
        ("Float8WeightOnlyConfig", "float8_e4m3fn"),
    ],
)
def test_weights(name: str, stored: str) -> None:
    module, x = layers(), torch.randn(4, 128)
    ao.quantize_(module, getattr(ao, name)())
    with torch.no_grad():
        exe = ttmlir.compile(module, x)
        torch.testing.assert_close(exe(x), module(x), rtol=1e-4, atol=1e-4)
    shapes = [i.shape for i in exe.inputs if i.dtype == stored]
    assert (256, 128) in shapes
    assert (128, 256) in shapes


@pytest.mark.parametrize("is_dynamic", [False, True])
def test_pt2e(is_dynamic: bool) -> None:
    convolution = nn.Sequential(nn.Conv2d(3, 8, 3), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten())
    module = nn.Sequential(convolution, nn.Linear(72, 10)).eval()
    x = torch.randn(2, 3, 8, 8)
    quantizer: Any = X86InductorQuantizer()
    quantizer.set_global(get_default_x86_inductor_quantization_config(is_dynamic=is_dynamic))
    prepared = prepare_pt2e(torch.export.export(module, (x,)).module(), quantizer)
    prepared(x)
    converted = convert_pt2e(prepared)
    exe = ttmlir.compile(torch.export.export(converted, (x,)), remarks="ttir-integer-products")
    assert [r.decision for r in exe.remarks].count("Integers") == 2
    torch.testing.assert_close(exe(x), converted(x), rtol=0, atol=0.02)

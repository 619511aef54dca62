"""Weights that the program stores in block floats: the host moves and rounds them."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from torch import nn

import ttmlir

ROWS, WIDTH, HIDDEN = 32, 256, 320

#: Bits of a magnitude.
BITS = {"bfp8_b": 7, "bfp4_b": 3}


def rounded(weight: torch.Tensor, bits: int) -> torch.Tensor:
    """A matrix of in x out in block floats: 16 neighbours of a row share an exponent, and
    magnitudes are rounded to nearest, ties to even."""
    blocks = weight.double().reshape(weight.shape[0], -1, 16)
    largest = blocks.abs().amax(-1, keepdim=True)
    unit = torch.exp2(torch.floor(torch.log2(largest)) + 1 - bits)
    magnitudes = torch.round(blocks.abs() / unit).clamp(max=2**bits - 1)
    return (blocks.sign() * magnitudes * unit).reshape(weight.shape)


@pytest.mark.parametrize("dtype", ["bfp8_b", "bfp4_b"])
def test_transposed_weights_are_rounded_to_nearest(dtype: str) -> None:
    torch.manual_seed(0)
    linear = nn.Linear(WIDTH, HIDDEN, bias=False).bfloat16()
    x = torch.eye(WIDTH, dtype=torch.bfloat16)[:ROWS]
    weights = {"bfp8_b": "bfp_bf8", "bfp4_b": "bfp_bf4"}[dtype]
    exe = ttmlir.compile(linear, example_inputs=(x,), weight_dtype=weights)
    expected = rounded(linear.weight.detach().T, BITS[dtype])[:ROWS]
    np.testing.assert_array_equal(exe(x).double(), expected)


@pytest.mark.parametrize("dtype", ["bfp8_b", "bfp4_b"])
def test_parameters_in_block_floats_are_rounded_once(dtype: str) -> None:
    """The host has them in bf16 until their elements are where the product reads them."""
    torch.manual_seed(0)
    linear = nn.Linear(WIDTH, HIDDEN, bias=False).bfloat16()
    x = torch.eye(WIDTH, dtype=torch.bfloat16)[:ROWS, None]
    exe = ttmlir.compile(linear, example_inputs=(x,), dtype={"*": "bf16", "weight": dtype})
    [product] = [op for op in exe.estimate().ops if op.name == "matmul"]
    assert product.operands[1].dtype == dtype
    expected = rounded(linear.weight.detach().T, BITS[dtype])[:ROWS, None]
    np.testing.assert_array_equal(exe(x).double(), expected)

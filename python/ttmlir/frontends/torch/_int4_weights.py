"""Weights of 4 bits that PyTorch has packed for the CPU.

The order of the bits depends on the CPU's vectors. They are unpacked at import, in the order that
the installed PyTorch packs on this CPU, which is how it reads them too.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

from ttmlir.frontends.data_movement import permuted, reshaped
from ttmlir.frontends.torch._op import Op, Operand, Result, handles
from ttmlir.frontends.torch._types import array_of

_aten = torch.ops.aten
PRODUCT = _aten._weight_int4pack_mm_for_cpu.default
_PACK = _aten._convert_weight_to_int4pack_for_cpu.default


def is_packed(node: torch.fx.Node) -> bool:
    """Whether a value is only used as packed weights."""
    return bool(node.users) and all(
        user.target is PRODUCT and user.args[0] is not node and user.args[3] is not node
        for user in node.users
    )


def unpacked(packed: torch.Tensor) -> torch.Tensor:
    """Returns weights as uint8 from 0 to 15.

    Args:
        packed: (outer, inner / 2), uint8.

    Returns:
        The weights, (outer, inner).
    """
    outer, half = packed.shape
    shape = outer, 2 * half
    if packed.is_meta:
        return torch.empty(shape, dtype=torch.uint8, device="meta")
    found = np.empty(outer * 2 * half, np.uint8)
    found[_order(*shape)] = _halves(packed)
    return torch.from_numpy(found.reshape(shape))


def _order(outer: int, inner: int) -> np.ndarray[tuple[int, ...], Any]:
    """Returns the number of the weight of each 4 bits of packed weights: it packs the digits of
    these numbers."""
    dtype = torch.int32 if outer * inner < 2**31 else torch.int64
    numbers = torch.arange(outer * inner, dtype=dtype).reshape(outer, inner)
    found = np.zeros(outer * inner, array_of(numbers).dtype)
    for shift in range(0, (outer * inner - 1).bit_length(), 4):
        digits = ((numbers >> shift) & 15).to(torch.int32)
        found |= _halves(_PACK(digits, 1)).astype(found.dtype) << shift
    return found


def _halves(packed: torch.Tensor) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    """Returns the lower and the upper four bits of bytes, in order."""
    array = array_of(packed.contiguous())
    halves: np.ndarray[tuple[int, ...], np.dtype[np.uint8]]
    halves = np.stack([array & 15, array >> 4], -1).reshape(-1)
    return halves


def product_in_f64(
    x: torch.Tensor, packed: torch.Tensor, group: int, pairs: torch.Tensor
) -> torch.Tensor:
    """Computes ``_weight_int4pack_mm_for_cpu`` in float64, which PyTorch does not."""
    scales, zeros = pairs.double().permute(2, 1, 0).repeat_interleave(group, 2)
    return x.double() @ ((unpacked(packed).double() - 8) * scales + zeros).T


@handles("aten._convert_weight_to_int4pack_for_cpu")
def _convert(op: Op, self: Operand, innerKTiles: int) -> Result:
    """Computed weights stay unpacked."""
    if not is_packed(op.node):
        raise op.fail("packed weights are only supported in _weight_int4pack_mm_for_cpu")
    return op.tensor(self, "u8")


@handles("aten._weight_int4pack_mm_for_cpu")
def _product(
    op: Op, self: Operand, mat2: Operand, qGroupSize: int, qScaleAndZeros: Operand
) -> Result:
    """Weights are scaled in f32 and rounded to the dtype of the product."""
    b, dtype = op.b, op.dtype()
    weights = op.tensor(unpacked(mat2) if isinstance(mat2, torch.Tensor) else mat2)
    groups, outer, _ = op.tensor(qScaleAndZeros).shape
    inner = groups * qGroupSize
    if weights.shape != (outer, inner):
        raise op.fail(
            "expected packed weights that are a parameter, a buffer or a result of "
            "_convert_weight_to_int4pack_for_cpu"
        )
    # (groups, outer, 2): a factor, and the number that 0 stands for.
    pairs = permuted(op, op.tensor(qScaleAndZeros, "f32"), (2, 1, 0))
    scales, zeros = (
        reshaped(op, b.slice(pairs, [i, 0, 0], [i + 1, outer, groups]), (outer, groups, 1))
        for i in range(2)
    )
    numbers = b.subtract(op.cast(weights, "f32"), op.tensor(8.0, "f32"))
    numbers = reshaped(op, numbers, (outer, groups, qGroupSize))
    found = reshaped(op, b.add(b.multiply(numbers, scales), zeros), (outer, inner))
    return b.matmul(op.tensor(self, dtype), op.cast(found, dtype), transpose_b=True)

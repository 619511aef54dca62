"""Products of 8-bit floats with scales: for the whole tensor, for each row or for each block."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import torch

from ttmlir.builder import Tensor
from ttmlir.frontends.data_movement import permuted, reshaped, sliced, spread
from ttmlir.frontends.torch._op import Op, Operand, Result, handles, shape_of
from ttmlir.frontends.torch._types import Shape

#: The members of ``torch.nn.functional.ScalingType`` that are supported.
_TENSORWISE, _ROWWISE, _MX, _ROWS_OF_128, _BLOCKS_OF_128 = 0, 1, 3, 4, 5
#: A member of ``torch.nn.functional.SwizzleType``: scales in tiles of 128 rows and 4 columns.
_SWIZZLED = 1
_EXPECTED = (
    "expected one scale, one for each row, blocks of 1x128 or 128x128 with f32 scales, or of 1x32 "
    "with swizzled float8_e8m0fnu scales"
)


@dataclass(frozen=True)
class _Blocks:
    """Scales of an operand as f32: those of blocks of rows and columns."""

    scales: Tensor
    block: tuple[int, int]

    def transposed(self, op: Op) -> _Blocks:
        return _Blocks(permuted(op, self.scales, (1, 0)), (self.block[1], self.block[0]))


@handles("aten._scaled_mm")
def _scaled_mm(
    op: Op,
    self: Operand,
    mat2: Operand,
    scale_a: Operand,
    scale_b: Operand,
    bias: Operand | None = None,
    scale_result: Operand | None = None,
    out_dtype: torch.dtype | None = None,
    use_fast_accum: bool = False,
) -> Result:
    (rows, depth), (_, columns) = shape_of(self), shape_of(mat2)
    scales = [op.tensor(scale_a), op.tensor(scale_b)]
    if all(scale.dtype == "f8_e8m0fnu" for scale in scales):
        a = _unswizzled(op, scales[0], rows, depth)
        b = _unswizzled(op, scales[1], columns, depth).transposed(op)
        return _of_blocks(op, (self, mat2), (a, b), bias)
    shapes = [scale.shape for scale in scales]
    if all(math.prod(own) == 1 for own in shapes) or shapes == [(rows, 1), (1, columns)]:
        return _of_rows(op, (self, mat2), scales, bias, scale_result)
    groups = -(-depth // 128)
    ways: list[dict[Shape, tuple[int, int]]]
    ways = [{(n, groups): (1, 128), (-(-n // 128), groups): (128, 128)} for n in (rows, columns)]
    blocks = [ways[0].get(shapes[0]), ways[1].get(shapes[1][::-1])]
    if None in blocks or any(scale.dtype != "f32" for scale in scales):
        raise op.fail(_EXPECTED)
    a = _Blocks(scales[0], blocks[0] or (1, 1))
    b = _Blocks(permuted(op, scales[1], (1, 0)), blocks[1] or (1, 1)).transposed(op)
    return _of_blocks(op, (self, mat2), (a, b), bias)


@handles("aten._scaled_mm_v2")
def _scaled_mm_v2(
    op: Op,
    self: Operand,
    mat2: Operand,
    scale_a: Sequence[Operand],
    recipe_a: Sequence[int],
    swizzle_a: Sequence[int],
    scale_b: Sequence[Operand],
    recipe_b: Sequence[int],
    swizzle_b: Sequence[int],
    bias: Operand | None,
    out_dtype: torch.dtype | None,
    contraction_dim: Sequence[int] = (),
    use_fast_accum: bool = False,
) -> Result:
    if len(recipe_a) != 1 or len(recipe_b) != 1 or contraction_dim:
        raise op.fail(_EXPECTED)
    (rows, depth), (_, columns) = shape_of(self), shape_of(mat2)
    if {*recipe_a, *recipe_b} <= {_TENSORWISE, _ROWWISE}:
        factors = [
            x if math.prod(x.shape) == 1 else reshaped(op, x, shape)
            for x, shape in (
                (op.tensor(scale_a[0], "f32"), (rows, 1)),
                (op.tensor(scale_b[0], "f32"), (1, columns)),
            )
        ]
        return _of_rows(op, (self, mat2), factors, bias)
    a = _of_recipe(op, scale_a[0], recipe_a[0], swizzle_a, rows, depth)
    b = _of_recipe(op, scale_b[0], recipe_b[0], swizzle_b, columns, depth)
    return _of_blocks(op, (self, mat2), (a, b.transposed(op)), bias)


def _of_recipe(
    op: Op, scale: Operand, recipe: int, swizzle: Sequence[int], rows: int, depth: int
) -> _Blocks:
    """Returns the scales of an operand (rows, depth)."""
    if recipe == _MX and list(swizzle) == [_SWIZZLED]:
        return _unswizzled(op, op.tensor(scale), rows, depth)
    if recipe == _ROWS_OF_128:
        return _Blocks(op.tensor(scale, "f32"), (1, 128))
    if recipe == _BLOCKS_OF_128:
        # The first dimension is that of the depth, padded to a multiple of 4.
        found = sliced(op, op.tensor(scale, "f32"), 0, 0, -(-depth // 128))
        return _Blocks(permuted(op, found, (1, 0)), (128, 128))
    raise op.fail(_EXPECTED)


def _unswizzled(op: Op, scale: Tensor, rows: int, depth: int) -> _Blocks:
    """Returns the scales of blocks of 1x32 in order. They come in tiles of 128 rows and 4 columns,
    in which four rows 32 apart are adjacent."""
    tiles, groups = -(-rows // 128), -(-depth // 128)
    if math.prod(scale.shape) != tiles * groups * 512:
        raise op.fail(_EXPECTED)
    found = reshaped(op, op.cast(scale, "f32"), (tiles, groups, 32, 4, 4))
    found = permuted(op, found, (0, 3, 2, 1, 4))
    found = reshaped(op, found, (tiles * 128, groups * 4))
    found = sliced(op, sliced(op, found, 0, 0, rows), 1, 0, -(-depth // 32))
    return _Blocks(found, (1, 32))


def _of_rows(
    op: Op,
    operands: tuple[Operand, Operand],
    scales: Sequence[Tensor],
    bias: Operand | None,
    scale_result: Operand | None = None,
) -> Tensor:
    """Products computed as bf16, summed in f32 and scaled."""
    b = op.b
    left, right = (op.tensor(x, "bf16") for x in operands)
    found = b._build("matmul", (left, right), {}, name=None, dtype="f32")
    for scale in scales:
        factor = op.cast(scale, "f32")
        found = b.multiply(
            found, reshaped(op, factor, (1, 1)) if math.prod(factor.shape) == 1 else factor
        )
    if bias is not None:
        found = b.add(found, op.tensor(bias, "f32"))
    if scale_result is not None and op.dtype().startswith("f8"):
        found = b.multiply(found, spread(op, op.tensor(scale_result, "f32"), (1, 1)))
    return found


def _of_blocks(
    op: Op,
    operands: tuple[Operand, Operand],
    scales: tuple[_Blocks, _Blocks],
    bias: Operand | None,
) -> Tensor:
    """Products of operands that are scaled in f32 and rounded to bf16, summed in f32."""
    b = op.b
    left, right = (
        op.cast(b.multiply(op.tensor(x, "f32"), _repeated(op, own, shape_of(x))), "bf16")
        for x, own in zip(operands, scales, strict=True)
    )
    found = b._build("matmul", (left, right), {}, name=None, dtype="f32")
    return found if bias is None else b.add(found, op.tensor(bias, "f32"))


def _repeated(op: Op, blocks: _Blocks, shape: Shape) -> Tensor:
    """Returns the scale of each element of a matrix."""
    found = blocks.scales
    for d, size in enumerate(blocks.block):
        if size != 1:
            own = [*found.shape[: d + 1], 1, *found.shape[d + 1 :]]
            whole = [*found.shape[: d + 1], size, *found.shape[d + 1 :]]
            merged = [n * size if i == d else n for i, n in enumerate(found.shape)]
            found = reshaped(op, spread(op, reshaped(op, found, own), tuple(whole)), merged)
        found = sliced(op, found, d, 0, shape[d])
    if found.shape != tuple(shape):
        raise op.fail(f"expected scales of all elements of {shape}, found those of {found.shape}")
    return found

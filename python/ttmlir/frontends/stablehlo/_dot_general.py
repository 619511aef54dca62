"""Matrix products and convolutions."""

from __future__ import annotations

from jaxlib.mlir.dialects import stablehlo

from ttmlir._mlir_literals import array, integer
from ttmlir.builder import Tensor
from ttmlir.frontends.stablehlo._elementwise import cast
from ttmlir.frontends.stablehlo._op import Op, Result, handles
from ttmlir.frontends.stablehlo._types import FLOATS


def _operands(op: Op) -> tuple[Tensor, Tensor, str]:
    """Returns both operands and the dtype to compute in: booleans are counted, and integers with a
    float result become floats."""
    dtype = op.dtype()
    tensors = [op.tensor(0), op.tensor(1)]
    if dtype == "bool":
        dtype = "i32"
    tensors = [cast(op, t, "i32") if t.dtype == "bool" else t for t in tensors]
    if any((t.dtype in FLOATS) != (dtype in FLOATS) for t in tensors):
        tensors = [t if t.dtype in FLOATS else cast(op, t, "f32") for t in tensors]
        dtype = dtype if dtype in FLOATS else "f32"
    return tensors[0], tensors[1], dtype


@handles("stablehlo.dot_general")
def _dot_general(op: Op) -> Result:
    numbers = stablehlo.DotDimensionNumbers(op.attribute("dot_dimension_numbers"))
    left, right, dtype = _operands(op)
    attributes = {
        "batch_dims_lhs": array("i64", numbers.lhs_batching_dimensions),
        "batch_dims_rhs": array("i64", numbers.rhs_batching_dimensions),
        "contract_dims_lhs": array("i64", numbers.lhs_contracting_dimensions),
        "contract_dims_rhs": array("i64", numbers.rhs_contracting_dimensions),
    }
    found = op.b._build_several("dot_general", (left, right), attributes, dtype, None, None)[0]
    return cast(op, found, op.dtype())


@handles("stablehlo.convolution")
def _convolution(op: Op) -> Result:
    numbers = stablehlo.ConvDimensionNumbers(op.attribute("dimension_numbers"))
    image, kernel, dtype = _operands(op)
    count = len(numbers.input_spatial_dimensions)
    turned = [
        d
        for d, flag in zip(
            numbers.kernel_spatial_dimensions, op.bools("window_reversal", count), strict=True
        )
        if flag and kernel.shape[d] > 1
    ]
    if turned:
        kernel = op.b.reverse(kernel, turned)
    ones = [1] * count
    weight_dims = (
        numbers.kernel_output_feature_dimension,
        numbers.kernel_input_feature_dimension,
        *numbers.kernel_spatial_dimensions,
    )
    input_dims = (
        numbers.input_batch_dimension,
        numbers.input_feature_dimension,
        *numbers.input_spatial_dimensions,
    )
    output_dims = (
        numbers.output_batch_dimension,
        numbers.output_feature_dimension,
        *numbers.output_spatial_dimensions,
    )
    padding = [n for pair in op.pairs("padding", count) for n in pair]
    attributes = {
        "stride": array("i64", op.ints("window_strides", ones)),
        "padding": array("i64", padding),
        "input_dilation": array("i64", op.ints("lhs_dilation", ones)),
        "weight_dilation": array("i64", op.ints("rhs_dilation", ones)),
        "input_dims": array("i64", input_dims),
        "weight_dims": array("i64", weight_dims),
        "output_dims": array("i64", output_dims),
        "groups": integer("i64", op.integer("feature_group_count", 1)),
        "batch_groups": integer("i64", op.integer("batch_group_count", 1)),
    }
    found = op.b._build_several("convolution", (image, kernel), attributes, dtype, None, None)[0]
    return cast(op, found, op.dtype())

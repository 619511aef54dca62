"""Functions of TTIR, one for each op of TTNN at least, that make one module."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from op_definitions import definitions, eltwise_rows
from op_examples import ALIASES, OPTIMIZED, function_text, is_call

ANY = ALIASES["any"]


@dataclass(frozen=True)
class Case:
    """A function that applies one op: ``inputs`` and ``result`` are types like ``64x32xf32``."""

    name: str
    op: str
    inputs: tuple[str, ...]
    result: str
    attributes: str = ""
    is_segmented: bool = False
    segments: str = ""

    @property
    def text(self) -> str:
        tensors = [f"tensor<{t}>" for t in self.inputs]
        arguments = ", ".join(f"%a{i}: {t}" for i, t in enumerate(tensors))
        values = [f"%a{i}" for i in range(len(tensors))]
        result = f"tensor<{self.result}>"
        count = len(tensors) + 1
        parts = [f"operand_constraints = [{', '.join(['#any'] * count)}]"]
        if self.segments or self.is_segmented:
            sizes = self.segments or f"{len(tensors)}, 1"
            parts.append(f"operandSegmentSizes = array<i32: {sizes}>")
        if self.attributes:
            parts.append(self.attributes)
        operands = ", ".join([*values, "%0"])
        return "\n".join(
            [
                f"func.func @{self.name}({arguments}) -> {result} {{",
                f"  %0 = tensor.empty() : {result}",
                f'  %1 = "ttir.{self.op}"({operands}) <{{{", ".join(parts)}}}>',
                f"    : ({', '.join([*tensors, result])}) -> {result}",
                f"  return %1 : {result}",
                "}",
            ]
        )


#: Ops between chips.
COLLECTIVES = (
    *("all_gather", "all_reduce", "all_to_all", "collective_broadcast", "collective_permute"),
    *("mesh_partition", "mesh_shard", "reduce_scatter"),
)


def eltwise(op: str, arity: int, dtypes: tuple[str, ...]) -> list[Case]:
    """Shapes that are no multiples of a tile; the last input is broadcast."""
    found = []
    for dtype in dtypes:
        inputs = ["3x40x70"] * arity
        if arity > 1:
            inputs[-1] = "40x1"
        typed = tuple(f"{shape}x{dtype}" for shape in inputs)
        found.append(Case(f"{op}_{dtype}", op, typed, f"3x40x70x{dtype}", is_segmented=True))
    return found


SIGNED = ("si32",)

#: Elementwise functions of tensors alone, of one type.
OF_TENSORS = [
    row for row in eltwise_rows() if not row["parameters"] and row["mnemonic"] != "typecast"
]


def types(row: dict[str, Any]) -> tuple[str, ...]:
    return SIGNED if row["integersOnly"] else ("f32", "bf16")


WINDOW = (
    "kernel_height = 3 : si32, kernel_width = 2 : si32, stride_height = 2 : si32, "
    "stride_width = 1 : si32, dilation_height = 1 : si32, dilation_width = 2 : si32, "
    "ceil_mode = true, padding_left = 1 : si32, padding_right = 0 : si32, "
    "padding_top = 0 : si32, padding_bottom = 1 : si32"
)
CONV = (
    "stride_height = 2 : si32, stride_width = 1 : si32, dilation_height = 1 : si32, "
    "dilation_width = 2 : si32, groups = 2 : si32, padding_left = 1 : si32, "
    "padding_right = 0 : si32, padding_top = 2 : si32, padding_bottom = 1 : si32"
)
TRANSPOSED = (
    "dilation = array<i32: 1, 1>, groups = 2 : i32, output_padding = array<i32: 1, 0>, "
    "padding = array<i32: 0, 1, 1, 0>, stride = array<i32: 2, 2>"
)
GATHER = (
    "collapsed_slice_dims = array<i64: 0>, index_vector_dim = 1 : si64, "
    "offset_dims = array<i64: 1>, operand_batching_dims = array<i64>, "
    "slice_sizes = array<i64: 1, 70>, start_index_map = array<i64: 0>, "
    "start_indices_batching_dims = array<i64>"
)
NORM = "epsilon = 1.0e-5 : f32, normalized_shape = array<i64: 70>"


def reductions(op: str) -> list[Case]:
    dims = "dim_arg = [1 : i32], keep_dim = true"
    last = "dim_arg = [-1 : i32], keep_dim = false"
    return [
        Case(op, op, ("5x40x70xf32",), "5x1x70xf32", dims),
        Case(f"{op}_bf16", op, ("40x70xbf16",), "40xbf16", last),
        Case(f"{op}_all", op, ("4x7xf32",), "1xf32", "keep_dim = false"),
    ]


def norms(op: str) -> list[Case]:
    shape, row = "2x40x70xf32", "70xf32"
    return [
        Case(op, op, (shape, row, row), shape, NORM, segments="1, 1, 1, 1"),
        Case(f"{op}_weight", op, (shape, row), shape, NORM, segments="1, 1, 0, 1"),
        Case(f"{op}_plain", op, (shape,), shape, NORM, segments="1, 0, 0, 1"),
    ]


CASES = [
    *[case for row in OF_TENSORS for case in eltwise(row["mnemonic"], row["arity"], types(row))],
    *eltwise("add", 2, SIGNED),
    Case(
        "clamp",
        "clamp",
        ("40x70xf32",),
        "40x70xf32",
        "min = -0.3 : f32, max = 0x7F800000 : f32",
        is_segmented=True,
    ),
    Case(
        "leaky_relu",
        "leaky_relu",
        ("40x70xbf16",),
        "40x70xbf16",
        "parameter = 0.1 : f32",
        is_segmented=True,
    ),
    Case(
        "selu",
        "selu",
        ("40x70xf32",),
        "40x70xf32",
        "alpha = 1.5 : f32, scale = 1.25 : f32",
        is_segmented=True,
    ),
    Case("typecast", "typecast", ("40x70xf32",), "40x70xbf16", is_segmented=True),
    Case("typecast_int", "typecast", ("40x70xf32",), "40x70xsi32", is_segmented=True),
    *[case for op in ("sum", "mean", "max", "min", "prod") for case in reductions(op)],
    Case("argmax", "argmax", ("40x70xf32",), "40xi32", "dim_arg = [1 : i32], keep_dim = false"),
    Case("argmax_all", "argmax", ("40x70xf32",), "1xi32", "keep_dim = false"),
    Case("cumsum", "cumsum", ("40x70xf32",), "40x70xf32", "dim = 0 : i64"),
    Case("softmax", "softmax", ("40x70xf32",), "40x70xf32", "dimension = -1 : si32"),
    Case("softmax_rows", "softmax", ("40x70xbf16",), "40x70xbf16", "dimension = 0 : si32"),
    *norms("layer_norm"),
    *norms("rms_norm"),
    Case("matmul", "matmul", ("40x70xf32", "70x33xf32"), "40x33xf32"),
    Case("matmul_bf16", "matmul", ("3x40x70xbf16", "3x70x33xbf16"), "3x40x33xbf16"),
    Case(
        "matmul_transposed",
        "matmul",
        ("70x40xf32", "33x70xf32"),
        "40x33xf32",
        "transpose_a = true, transpose_b = true",
    ),
    Case(
        "linear",
        "linear",
        ("40x70xf32", "33x70xf32", "33xf32"),
        "40x33xf32",
        "transpose_b = true",
    ),
    Case("linear_plain", "linear", ("40x70xf32", "70x33xf32"), "40x33xf32"),
    Case(
        "transpose",
        "transpose",
        ("3x40x70xf32",),
        "70x40x3xf32",
        "dim0 = 0 : si32, dim1 = 2 : si32",
    ),
    Case("permute", "permute", ("2x3x5xf32",), "5x2x3xf32", "permutation = array<i64: 2, 0, 1>"),
    Case("concat", "concat", ("3x4xf32", "3x5xf32", "3x6xf32"), "3x15xf32", "dim = 1 : si32"),
    Case("concat_one", "concat", ("3x4xbf16",), "3x4xbf16", "dim = 0 : si32"),
    Case("reshape", "reshape", ("6x35xf32",), "2x105xf32", "shape = [2 : i32, 105 : i32]"),
    Case(
        "slice",
        "slice",
        ("40x70xf32",),
        "20x3xf32",
        "begins = [0 : i32, -7 : i32], ends = [40 : i32, -1 : i32], step = [2 : i32, 2 : i32]",
    ),
    Case(
        "pad",
        "pad",
        ("31x60xf32",),
        "32x64xf32",
        "padding = array<i32: 0, 1, 2, 2>, value = 0xFF800000 : f32",
    ),
    Case("repeat", "repeat", ("4x7xf32",), "8x21xf32", "repeat_dimensions = array<i64: 2, 3>"),
    Case("gather", "gather", ("40x70xf32", "10x1xi32"), "10x70xf32", GATHER),
    Case("embedding", "embedding", ("5x7xi32", "50x40xbf16"), "5x7x40xbf16"),
    Case(
        "embedding_backward",
        "embedding_backward",
        ("5x7xi32", "50x40xbf16", "5x7x40xbf16"),
        "50x40xbf16",
    ),
    Case("conv2d", "conv2d", ("2x9x8x4xf32", "6x2x3x2xf32", "1x1x1x6xf32"), "2x5x7x6xf32", CONV),
    Case("conv2d_plain", "conv2d", ("2x9x8x4xbf16", "6x2x3x2xbf16"), "2x5x7x6xbf16", CONV),
    Case(
        "conv_transpose2d",
        "conv_transpose2d",
        ("2x5x4x4xf32", "4x3x3x2xf32", "1x1x1x6xf32"),
        "2x11x7x6xf32",
        TRANSPOSED,
    ),
    Case("max_pool2d", "max_pool2d", ("2x9x8x4xbf16",), "2x5x7x4xbf16", WINDOW),
    Case(
        "avg_pool2d",
        "avg_pool2d",
        ("2x9x8x4xf32",),
        "2x5x7x4xf32",
        f"{WINDOW}, count_include_pad = false",
    ),
    Case(
        "upsample",
        "upsample",
        ("1x5x4x3xf32",),
        "1x10x12x3xf32",
        'mode = "bilinear", scale_factor = array<i32: 2, 3>',
    ),
    Case(
        "upsample_nearest",
        "upsample",
        ("1x5x4x3xf32",),
        "1x10x8x3xf32",
        'mode = "nearest", scale_factor = 2 : si32',
    ),
]

# Functions that are no single op: what constants and layouts become.
FUNCTIONS = (Path(__file__).parent / "functions.mlir").read_text()

# The example of an op that is in none of them.
EXAMPLES = [
    # The library of C has a function of that name and no parameters.
    function_text(op).replace("@rand(", "@random_numbers(")
    for op in definitions().values()
    if is_call(op)
    and op.mnemonic not in {case.op for case in CASES}
    and f'"{op.name}"' not in FUNCTIONS
]

# What is fused, and what one call is, with optimization.
FUSED = """
func.func @fused(%a: tensor<40x70xbf16>, %b: tensor<70x33xbf16>) -> tensor<40x33xbf16> {
  %0 = tensor.empty() : tensor<40x33xbf16>
  %1 = "ttir.matmul"(%a, %b, %0) <{operand_constraints = [#any, #any, #any]}>
    : (tensor<40x70xbf16>, tensor<70x33xbf16>, tensor<40x33xbf16>) -> tensor<40x33xbf16>
  %2 = tensor.empty() : tensor<40x33xbf16>
  %3 = "ttir.gelu"(%1, %2)
    <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}>
    : (tensor<40x33xbf16>, tensor<40x33xbf16>) -> tensor<40x33xbf16>
  return %3 : tensor<40x33xbf16>
}
"""
OPTIMIZED_EXAMPLES = [function_text(definitions()[name]) for name in sorted(OPTIMIZED)]

# Each function of a file names the C++ of all of them.
MODULES = [
    "\n".join([f"#any = {ANY}", *(case.text for case in CASES), FUNCTIONS]),
    "\n".join([f"#any = {ANY}", *EXAMPLES]),
    "\n".join([f"#any = {ANY}", FUSED, *OPTIMIZED_EXAMPLES]),
]
#: The optimization level of each.
LEVELS = [0, 0, 1]

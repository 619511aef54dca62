"""Programs in TTIR of today that need more than one op, and one for each thing that the form has,
with the same programs of the builder."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from today_form import Array, Builder

import ttmlir


@dataclass(frozen=True)
class Program:
    """A text, what it is about, its inputs, and the same built in the form of 2024."""

    about: str
    text: str
    own: Callable[[Builder], Any]
    inputs: tuple[Array, ...] = ()
    mesh: tuple[int, int] | None = None
    options: dict[str, Any] = field(default_factory=dict)

    @property
    def ops(self) -> set[str]:
        return set(re.findall(r"\bttir\.(\w+)\"?[ (]", self.text))

    def build(self) -> Builder:
        b = ttmlir.Builder("main", mesh_shape=self.mesh) if self.mesh else ttmlir.Builder("main")
        made = self.own(b)
        b.output(*(made if isinstance(made, tuple) else (made,)))
        return b


def numbers(*shape: int, seed: int = 0) -> Array:
    return np.random.default_rng(seed).uniform(-4, 4, shape).astype(np.float32)


def whole(*shape: int, dtype: Any = np.int32) -> Array:
    low = 0 if np.issubdtype(dtype, np.unsignedinteger) else -9
    return np.random.default_rng(len(shape)).integers(low, 10, shape).astype(dtype)


# Tensors of numbers -------------------------------------------------------------------------------


def made(op: str, result: str, attributes: str, own: Callable[[Builder], Any]) -> Program:
    """An op without operands, whose numbers are added to those of the input."""
    text = f"""
func.func @main(%x: tensor<{result}>) -> tensor<{result}> {{
  %0 = "ttir.{op}"() <{{{attributes}}}> : () -> tensor<{result}>
  %1 = "ttir.add"(%x, %0) : (tensor<{result}>, tensor<{result}>) -> tensor<{result}>
  return %1 : tensor<{result}>
}}"""
    *extents, element = result.split("x")
    shape = tuple(map(int, extents))
    dtype = "f32" if element == "f32" else "si32"
    x = numbers(*shape) if element == "f32" else whole(*shape)
    return Program(
        f"{op} of {result}", text, lambda b: b.add(b.input("x", shape, dtype), own(b)), (x,)
    )


ALONG = "start = 1 : si64, end = 13 : si64, step = 2 : si64, arange_dimension = 1 : i64"
FILLED = [
    made("ones", "4x6xf32", "shape = array<i32: 4, 6>", lambda b: b.ones((4, 6))),
    made("zeros", "4x6xf32", "shape = array<i32: 4, 6>", lambda b: b.zeros((4, 6))),
    made(
        "full",
        "4x6xf32",
        "shape = array<i32: 4, 6>, fill_value = 2.5 : f32",
        lambda b: b.full((4, 6), 2.5),
    ),
    made(
        "full",
        "4x6xi32",
        "shape = array<i32: 4, 6>, fill_value = -3 : i32",
        lambda b: b.full((4, 6), -3, "si32"),
    ),
    made("arange", "4x6xf32", ALONG, lambda b: b.arange((4, 6), 1, 2, 1)),
    made(
        "constant",
        "2x3xf32",
        "value = dense<[[1.5, 2.5, 3.5], [0.0, -1.0, 4.0]]> : tensor<2x3xf32>",
        lambda b: b.constant(np.array([[1.5, 2.5, 3.5], [0, -1, 4]], np.float32)),
    ),
]

# Layouts and destinations -------------------------------------------------------------------------

LAYOUTS = [
    Program(
        "layouts",
        """
#layout = #ttcore.metal_layout<logical_shape = 4x8, dim_alignments = 32x32,
    collapsed_intervals = dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>, l1, sharded>
func.func @main(%x: tensor<4x8xf32>) -> tensor<4x8xbf16> {
  %0 = ttir.empty() : tensor<4x8xf32, #layout>
  %1 = ttir.to_layout %x, %0 : tensor<4x8xf32> into tensor<4x8xf32, #layout>
      -> tensor<4x8xf32, #layout>
  %2 = "ttir.neg"(%1) : (tensor<4x8xf32, #layout>) -> tensor<4x8xf32, #layout>
  %3 = ttir.empty() : tensor<4x8xbf16>
  %4 = ttir.to_layout %2, %3 : tensor<4x8xf32, #layout> into tensor<4x8xbf16> -> tensor<4x8xbf16>
  return %4 : tensor<4x8xbf16>
}""",
        lambda b: b.typecast(b.neg(b.input("x", (4, 8))), "bf16"),
        (numbers(4, 8),),
    ),
    Program(
        "an empty tensor that is read",
        """
func.func @main(%x: tensor<4x8xf32>) -> tensor<8x8xf32> {
  %0 = ttir.empty() : tensor<4x8xf32>
  %1 = "ttir.concat"(%x, %0) <{dim = 0 : si32}>
      : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}""",
        lambda b: b.concat([b.input("x", (4, 8)), b.zeros((4, 8))], 0),
        (numbers(4, 8),),
    ),
    Program(
        "destinations of several results",
        """
func.func @main(%x: tensor<1x4x4x3xf32>) -> (tensor<1x2x2x3xf32>, tensor<1x2x2x3xi32>) {
  %0 = ttir.empty() : tensor<1x2x2x3xf32>
  %1 = ttir.empty() : tensor<1x2x2x3xi32>
  %2:2 = "ttir.max_pool2d_with_indices"(%x, %0, %1) <{kernel = array<i32: 2, 2>,
      stride = array<i32: 2, 2>, dilation = 1 : i32, padding = array<i32: 0, 0, 0, 0>,
      ceil_mode = false}> : (tensor<1x4x4x3xf32>, tensor<1x2x2x3xf32>, tensor<1x2x2x3xi32>)
      -> (tensor<1x2x2x3xf32>, tensor<1x2x2x3xi32>)
  return %2#0, %2#1 : tensor<1x2x2x3xf32>, tensor<1x2x2x3xi32>
}""",
        lambda b: b.max_pool2d_with_indices(b.input("x", (1, 4, 4, 3)), (2, 2)),
        (numbers(1, 4, 4, 3),),
    ),
]

# Quantized tensors --------------------------------------------------------------------------------

Q8, Q16 = "!quant.uniform<i8:f32, 2.500000e-01:3>", "!quant.uniform<i16:f32, 1.250000e-01>"
AXIS = "!quant.uniform<i8:f32:1, {5.000000e-01:-2, 2.500000e-01:3}>"


def quantized(b: Builder) -> Any:
    small = b.quantize(b.input("x", (4, 2)), Q8)
    return b.dequantize(small), b.dequantize(b.requantize(small, Q16))


def unrolled(b: Builder) -> Any:
    x = b.input("x", (4, 2))
    scale, zero = b.input("s", (1,)), b.input("z", (1,), "si32")
    small = b.quantize_unrolled(x, scale, zero)
    again = b.requantize_unrolled(small, scale, zero, b.add(scale, scale), zero)
    return b.dequantize_unrolled(small, scale, zero), again


QUANTIZED = [
    Program(
        "numbers of a quantized type",
        f"""
func.func @main(%x: tensor<4x2xf32>) -> (tensor<4x2xf32>, tensor<4x2xf32>) {{
  %0 = "ttir.quantize"(%x) : (tensor<4x2xf32>) -> tensor<4x2x{Q8}>
  %1 = "ttir.dequantize"(%0) : (tensor<4x2x{Q8}>) -> tensor<4x2xf32>
  %2 = "ttir.requantize"(%0) : (tensor<4x2x{Q8}>) -> tensor<4x2x{Q16}>
  %3 = "ttir.dequantize"(%2) : (tensor<4x2x{Q16}>) -> tensor<4x2xf32>
  return %1, %3 : tensor<4x2xf32>, tensor<4x2xf32>
}}""",
        quantized,
        (numbers(4, 2),),
    ),
    Program(
        "numbers of each place along an axis",
        f"""
func.func @main(%x: tensor<4x2xf32>) -> tensor<4x2xf32> {{
  %0 = "ttir.quantize"(%x) : (tensor<4x2xf32>) -> tensor<4x2x{AXIS}>
  %1 = "ttir.dequantize"(%0) : (tensor<4x2x{AXIS}>) -> tensor<4x2xf32>
  return %1 : tensor<4x2xf32>
}}""",
        lambda b: b.dequantize(b.quantize(b.input("x", (4, 2)), AXIS)),
        (numbers(4, 2),),
    ),
    Program(
        "numbers that are operands",
        """
func.func @main(%x: tensor<4x2xf32>, %s: tensor<1xf32>, %z: tensor<1xi32>)
    -> (tensor<4x2xf32>, tensor<4x2xi8>) {
  %0 = "ttir.quantize_unrolled"(%x, %s, %z)
      : (tensor<4x2xf32>, tensor<1xf32>, tensor<1xi32>) -> tensor<4x2xi8>
  %1 = "ttir.dequantize_unrolled"(%0, %s, %z)
      : (tensor<4x2xi8>, tensor<1xf32>, tensor<1xi32>) -> tensor<4x2xf32>
  %2 = "ttir.add"(%s, %s) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
  %3 = "ttir.requantize_unrolled"(%0, %s, %z, %2, %z) : (tensor<4x2xi8>, tensor<1xf32>,
      tensor<1xi32>, tensor<1xf32>, tensor<1xi32>) -> tensor<4x2xi8>
  return %1, %3 : tensor<4x2xf32>, tensor<4x2xi8>
}""",
        unrolled,
        (numbers(4, 2), np.array([0.25], np.float32), np.array([3], np.int32)),
    ),
]

# Meshes -------------------------------------------------------------------------------------------

MESH = (1, 2)
PAIRS = "dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>"
GROUPS = "dense<[[0, 1]]> : tensor<1x2xi64>"


def sharded(name: str, argument: str, full: str, local: str, direction: str) -> str:
    dim, shape = ("0", "2") if full.count("x") == 1 else ("1", "1, 2")
    return f"""  %{name} = "ttir.mesh_shard"(%{argument}) <{{shard_dims = array<i64: -1, {dim}>,
      shard_direction = #ttcore.shard_direction<{direction}>, shard_shape = array<i64: {shape}>,
      shard_type = #ttcore.shard_type<devices>}}> : (tensor<{full}>) -> tensor<{local}>
"""


def on_chips(
    op: str,
    attributes: str,
    result: tuple[int, int],
    own: Callable[..., Any],
    vectors: int = 0,
    tensors: int = 1,
) -> Program:
    """An op on the halves (8, 32) of tensors, and on those (32) of ``vectors``, which each of two
    chips has; ``result`` is the shape of a chip's."""
    count = tensors + vectors
    # Operands as the op has them: a tensor, vectors, a tensor.
    kinds = ["8x64xf32"] + ["64xf32"] * vectors + ["8x64xf32"] * (tensors - 1)
    halves = [kind.replace("64x", "32x") for kind in kinds]
    rows, columns = result
    local, full = f"{rows}x{columns}xf32", f"{rows}x{2 * columns}xf32"
    arguments = ", ".join(f"%a{i}: tensor<{kind}>" for i, kind in enumerate(kinds))
    text = 'module attributes {ttcore.meshes = #ttcore.meshes<[<"mesh" = 1x2>]>} {\n'
    text += f"func.func @main({arguments}) -> tensor<{full}> {{\n"
    for i, (kind, half) in enumerate(zip(kinds, halves, strict=True)):
        text += sharded(f"h{i}", f"a{i}", kind, half, "full_to_shard")
    names = ", ".join(f"%h{i}" for i in range(count))
    types = ", ".join(f"tensor<{half}>" for half in halves)
    text += f'  %r = "ttir.{op}"({names}) <{{{attributes}}}> : ({types}) -> tensor<{local}>\n'
    text += sharded("f", "r", local, full, "shard_to_full")
    text += f"  return %f : tensor<{full}>\n}}\n}}\n"

    def build(b: Builder) -> Any:
        values = []
        for i, kind in enumerate(kinds):
            shape = tuple(map(int, kind.split("x")[:-1]))
            dims = (None, len(shape) - 1)
            values.append(b.mesh_shard(b.input(f"a{i}", shape), dims))
        return b.mesh_gather(own(b, *values), (None, 1))

    inputs = tuple(numbers(*map(int, kind.split("x")[:-1]), seed=i) for i, kind in enumerate(kinds))
    return Program(f"{op} on chips", text, build, inputs, MESH)


SUM = "cluster_axis = 1 : ui32, reduce_type = #ttcore.reduce_type<sum>"
ON_CHIPS = [
    on_chips(
        "all_gather",
        "all_gather_dim = 1 : si32, cluster_axis = 1 : ui32",
        (8, 64),
        lambda b, x: b.all_gather(x, 1, 1),
    ),
    on_chips("all_reduce", SUM, (8, 32), lambda b, x: b.all_reduce(x, 1)),
    on_chips(
        "all_reduce",
        SUM.replace("sum", "max"),
        (8, 32),
        lambda b, x: b.all_reduce(x, 1, "max"),
    ),
    on_chips("all_reduce_async", SUM, (8, 32), lambda b, x: b.all_reduce(x, 1)),
    on_chips(
        "reduce_scatter",
        f"scatter_dim = 1 : si32, {SUM}",
        (8, 16),
        lambda b, x: b.reduce_scatter(x, 1, 1),
    ),
    on_chips(
        "mesh_partition",
        "dim = 1 : si32, cluster_axis = 1 : ui32",
        (8, 16),
        lambda b, x: b.mesh_partition(x, 1, 1),
    ),
    on_chips(
        "all_to_all",
        f"split_dim = 0 : si32, concat_dim = 1 : si32, split_count = 2 : si32, "
        f"replica_groups = {GROUPS}",
        (4, 64),
        lambda b, x: b.all_to_all(x, 0, 1, [[0, 1]]),
    ),
    on_chips(
        "collective_broadcast",
        f"replica_groups = {GROUPS}",
        (8, 32),
        lambda b, x: b.collective_broadcast(x, [[0, 1]]),
    ),
    on_chips(
        "collective_permute",
        f"source_target_pairs = {PAIRS}",
        (8, 32),
        lambda b, x: b.collective_permute(x, [(0, 1), (1, 0)]),
    ),
    on_chips(
        "distributed_rms_norm",
        "cluster_axis = 1 : ui32, epsilon = 1.0e-3 : f32, "
        "operandSegmentSizes = array<i32: 1, 1, 1>",
        (8, 32),
        lambda b, x, w, r: b.distributed_rms_norm(x, 1, weight=w, residual=r, epsilon=1e-3),
        vectors=1,
        tensors=2,
    ),
    on_chips(
        "distributed_layer_norm",
        "cluster_axis = 1 : ui32, operandSegmentSizes = array<i32: 1, 1, 1, 1>",
        (8, 32),
        lambda b, x, w, c, r: b.distributed_layer_norm(x, 1, weight=w, bias=c, residual=r),
        vectors=2,
        tensors=2,
    ),
]

# Element types ------------------------------------------------------------------------------------

#: Element type of a text, the dtype of its arrays, and its name in the builder.
TYPES: dict[str, tuple[Any, str]] = {
    "f64": (np.float64, "f64"),
    "f16": (np.float16, "f16"),
    "i1": (np.bool_, "bool"),
    "i8": (np.int8, "si8"),
    "i16": (np.int16, "si16"),
    "i32": (np.int32, "si32"),
    "i64": (np.int64, "si64"),
    "si8": (np.int8, "si8"),
    "si16": (np.int16, "si16"),
    "si32": (np.int32, "si32"),
    "si64": (np.int64, "si64"),
    "ui8": (np.uint8, "u8"),
    "ui16": (np.uint16, "u16"),
    "ui32": (np.uint32, "u32"),
    "ui64": (np.uint64, "u64"),
}


def of_type(element: str, dtype: Any, own: str) -> Program:
    text = f"""
func.func @main(%x: tensor<3x1x{element}>, %y: tensor<5x{element}>) -> tensor<3x5x{element}> {{
  %0 = "ttir.maximum"(%x, %y) : (tensor<3x1x{element}>, tensor<5x{element}>)
      -> tensor<3x5x{element}>
  return %0 : tensor<3x5x{element}>
}}"""
    inputs = tuple(
        (numbers(*shape) if np.issubdtype(dtype, np.floating) else whole(*shape)).astype(dtype)
        if not np.issubdtype(dtype, np.unsignedinteger)
        else whole(*shape, dtype=dtype)
        for shape in ((3, 1), (5,))
    )
    return Program(
        f"elements of {element}",
        text,
        lambda b: b.maximum(b.input("x", (3, 1), own), b.input("y", (5,), own)),
        inputs,
    )


ELEMENT_TYPES = [of_type(element, *rest) for element, rest in TYPES.items()]

# The shape of a module, calls and attributes ------------------------------------------------------


def scalars(b: Builder) -> Any:
    x = b.input("x", (4, 8))
    return b.multiply(x, b.mean(x, dim=[0, 1], keep_dim=True))


def twice(b: Builder) -> Any:
    x, w = b.input("x", (4, 8)), b.input("w", (8,))
    return b.neg(b.add(x, b.exp(w)))


def filled(b: Builder) -> Any:
    cache = b.input("cache", (2, 3, 8, 4))
    once = b.fill_cache(cache, b.input("x", (1, 3, 5, 4)), 1)
    return once, b.add(once, once)


WHOLE = """
module @jit_f attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32,
    ttcore.meshes = #ttcore.meshes<[<"mesh" = 1x1>]>} {
  ttcore.device_module {
    builtin.module {
      func.func private @hoisted_neg_decl(tensor<4x8xf32>) -> tensor<4x8xf32>
          attributes {tt.function_type = "forward_cpu_declaration"}
      func.func private @const_eval(%a: tensor<8xf32>) -> tensor<8xf32>
          attributes {tt.function_type = "const_eval"} {
        %0 = "ttir.exp"(%a) : (tensor<8xf32>) -> tensor<8xf32>
        return %0 : tensor<8xf32>
      }
      func.func private @helper(%a: tensor<4x8xf32>, %b: tensor<8xf32>) -> tensor<4x8xf32> {
        %0 = "ttir.add"(%a, %b) : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
        return %0 : tensor<4x8xf32>
      }
      func.func @main(
          %arg0: tensor<4x8xf32> {ttcore.argument_type = #ttcore.argument_type<input>,
            ttcore.shard_status = #ttcore.shard_status<unsharded>, ttir.name = "x",
            ttcore.local_shape = #ttcore<local_shape local_shape = tensor<4x8xf32>>},
          %arg1: tensor<8xf32> {ttcore.argument_type = #ttcore.argument_type<parameter>,
            ttir.name = "w"}) -> (tensor<4x8xf32>
            {ttcore.shard_status = #ttcore.shard_status<unsharded>})
          attributes {tt.function_type = "forward_device"} {
        %0 = ttcore.load_cached(@const_eval, [%arg1]) : (tensor<8xf32>) -> tensor<8xf32>
        %1 = func.call @helper(%arg0, %0)
            : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
        %2 = ttir.empty() : tensor<4x8xf32>
        %3 = ttir.to_layout %1, %2 : tensor<4x8xf32> into tensor<4x8xf32> -> tensor<4x8xf32>
        %4 = call @hoisted_neg_decl(%3) {ttir.cpu_hoisted_call}
            : (tensor<4x8xf32>) -> tensor<4x8xf32>
        return %4 : tensor<4x8xf32>
      }
    }
  }
  ttcore.cpu_module {
    builtin.module {
      func.func @hoisted_neg(%a: tensor<4x8xf32>) -> tensor<4x8xf32> {
        %0 = "ttir.neg"(%a) : (tensor<4x8xf32>) -> tensor<4x8xf32>
        return %0 : tensor<4x8xf32>
      }
    }
  }
}
"""

POINTS = [
    Program(
        "rank 0",
        """
func.func @main(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = "ttir.mean"(%x) <{keep_dim = false}> : (tensor<4x8xf32>) -> tensor<f32>
  %1 = "ttir.multiply"(%x, %0) : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}""",
        scalars,
        (numbers(4, 8),),
    ),
    Program(
        "what is changed is seen behind",
        """
func.func @main(%cache: tensor<2x3x8x4xf32>, %x: tensor<1x3x5x4xf32>)
    -> (tensor<2x3x8x4xf32>, tensor<2x3x8x4xf32>) {
  "ttir.fill_cache"(%cache, %x) <{batch_offset = 1 : i32}>
      : (tensor<2x3x8x4xf32>, tensor<1x3x5x4xf32>) -> ()
  %0 = "ttir.add"(%cache, %cache)
      : (tensor<2x3x8x4xf32>, tensor<2x3x8x4xf32>) -> tensor<2x3x8x4xf32>
  return %cache, %0 : tensor<2x3x8x4xf32>, tensor<2x3x8x4xf32>
}""",
        filled,
        (numbers(2, 3, 8, 4), numbers(1, 3, 5, 4, seed=1)),
    ),
    Program(
        "modules of a device and of the host, calls, and what is computed once",
        WHOLE,
        twice,
        (numbers(4, 8), numbers(8)),
    ),
    Program(
        "a device, and what it is",
        """
#system_desc = #ttcore.system_desc<[{role = host, target_triple = "x86_64-pc-linux-gnu"}],
    [{arch = <wormhole_b0>, grid = 8x8, l1_size = 1499136, num_dram_channels = 12}], [0],
    [3 : i32], [ 0x0x0x0]>
module attributes {ttcore.system_desc = #system_desc} {
  ttcore.device @default_device = <workerGrid = #ttcore.grid<8x8, (d0, d1) -> (0, d0, d1)>,
    l1Map = (d0, d1, d2)[s0] -> (0, d0, d1, d2 + s0),
    dramMap = (d0, d1, d2)[s0, s1] -> (0, 0, (d0 * s1 + d2) mod 12, (d1 floordiv 12) * s0),
    meshShape = 1x1, chipIds = [0], meshTopology = [linear, ring]>
  func.func @main(%x: tensor<4x8xf32>, %w: tensor<8xf32>) -> tensor<4x8xf32> {
    %0 = "ttir.exp"(%w) : (tensor<8xf32>) -> tensor<8xf32>
    %1 = "ttir.add"(%x, %0) : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
    %2 = "ttir.neg"(%1) : (tensor<4x8xf32>) -> tensor<4x8xf32>
    return %2 : tensor<4x8xf32>
  }
}""",
        twice,
        (numbers(4, 8), numbers(8)),
    ),
    Program(
        "attributes of functions, arguments and ops",
        """
func.func @main(
    %x: tensor<4x8xf32> {ttcore.argument_type = #ttcore.argument_type<input>,
      ttcore.shard_status = #ttcore.shard_status<presharded>, ttir.name = "x", vendor.note = 3,
      ttcore.local_shape = #ttcore<local_shape local_shape = tensor<4x8xf32>>},
    %w: tensor<8xf32> {ttcore.argument_type = #ttcore.argument_type<constant>})
    -> (tensor<4x8xf32> {ttcore.shard_status = #ttcore.shard_status<unsharded>})
    attributes {tt.function_type = "forward_device"} {
  %0 = "ttir.exp"(%w) {ttir.should_hoist, vendor.note = "kept"} : (tensor<8xf32>) -> tensor<8xf32>
  %1 = "ttir.add"(%x, %0) {ttir.should_hoist} : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
  %2 = "ttir.neg"(%1) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %2 : tensor<4x8xf32>
}""",
        twice,
        (numbers(4, 8), numbers(8)),
    ),
]

PROGRAMS = [*FILLED, *LAYOUTS, *QUANTIZED, *ON_CHIPS, *ELEMENT_TYPES, *POINTS]

"""The planted faults: the change, its place, and the tests most likely to detect it.

Each fault is a mistake that a developer could make and that affects users: a result, a text, a
time, or the rejection of invalid input. See ``run.py``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

#: In ``faulty``: the condition "this fault is active", if the expression is not replaced as a
#: whole.
ACTIVE = "FAULT"


@dataclass(frozen=True)
class Fault:
    """A change to a source.

    Attributes:
        number: activates the fault.
        kind: the kind of mistake.
        file: relative to the checkout.
        original: the correct text: an expression, unless ``faulty`` contains ``ACTIVE``.
        faulty: the expression to replace it, or a text with ``ACTIVE`` that contains both versions.
        first: the tests to run first: a suite (``unit``, ``lit`` or ``pytest``) and its arguments.
            Those of ``unit`` are for ``ctest -R``, the others' first one is a path in the suite.
        context: a text around ``original`` that is unique in the file if ``original`` is not.
    """

    number: int
    kind: str
    file: str
    original: str
    faulty: str
    first: Sequence[str]
    context: str = ""

    @property
    def area(self) -> str:
        """``compiler``, ``runtime`` or ``python``."""
        return {"cpp": "compiler"}.get(self.file.split("/")[0], self.file.split("/")[0])

    @property
    def is_python(self) -> bool:
        return self.file.endswith(".py")

    @property
    def place(self) -> str:
        """The text that must occur in the file exactly once."""
        return self.context or self.original


COMPILER = (
    Fault(
        1,
        "off by one in a verifier",
        "cpp/dialects/Shapes/WindowShapeRules.cpp",
        "value < minimum",
        "value < minimum - 1",
        ("lit", "Dialect/TTIR/ops/window-errors.mlir"),
    ),
    Fault(
        2,
        "wrong comparison in a shape rule",
        "cpp/dialects/Shapes/IndexShapeRules.cpp",
        "own > input.getDimSize(d)",
        "own >= input.getDimSize(d)",
        ("lit", "Dialect/TTIR/ops/places-errors.mlir"),
    ),
    Fault(
        3,
        "a case left out of a fold",
        "cpp/dialects/TTIR/FoldConstants.cpp",
        "first < 0 ? first + shape[d] : first",
        "first",
        ("lit", "Dialect/TTIR/canonicalize/constants_that_move.mlir"),
    ),
    Fault(
        4,
        "wrong number in a canonicalization",
        "cpp/dialects/TTIR/Simplify.cpp",
        "isFloat(op) ? -0.0 : 0.0",
        "0.0",
        ("lit", "Dialect/TTIR/canonicalize/neutral_elements.mlir"),
    ),
    Fault(
        5,
        "swapped dimensions in a conversion",
        "cpp/conversion/TTIRToTTNN/WindowPatterns.cpp",
        "op.getPaddingLeft()",
        "op.getPaddingTop()",
        ("lit", "Conversion/TTIRToTTNN/windows.mlir"),
        context="/*padding_width=*/op.getPaddingLeft()",
    ),
    Fault(
        6,
        "wrong neutral element",
        "cpp/conversion/TTIRToTTMetal/ReducePatterns.cpp",
        "OOBVal::Inf",
        "OOBVal::Zero",
        ("pytest", "ops/test_backends.py", "-k", "test_same_numbers and min"),
        context="case PoolType::Min:\n    return OOBVal::Inf;",
    ),
    Fault(
        7,
        "dropped condition on padding",
        "cpp/conversion/TTIRToTTMetal/FillPattern.cpp",
        "layout.getOobVal() == OOBVal::Undef",
        "true",
        ("lit", "Conversion/TTIRToTTMetal/fill.mlir"),
    ),
    Fault(
        8,
        "off by one in a kernel",
        "cpp/conversion/TTIRToTTMetal/MovementPatterns.cpp",
        "I32(low[dim] - 1) < place",
        "I32(low[dim]) < place",
        ("pytest", "ops/test_l1.py", "-k", "test_numbers and pad"),
    ),
    Fault(
        9,
        "swapped operands in a fusion",
        "cpp/dialects/TTIR/Transforms/Fusing/Fusing.cpp",
        "!isFirst",
        "false",
        ("lit", "Dialect/TTIR/fusing/fusing.mlir"),
        context="if (!isFirst)\n                  return std::nullopt;",
    ),
    Fault(
        10,
        "off by one in a decomposition",
        "cpp/dialects/TTIR/Transforms/Decomposition/DecomposeReductions.cpp",
        "distance < extent",
        "distance < extent - 1",
        ("lit", "Dialect/TTIR/decomposition/reductions.mlir"),
        context="distance < extent; distance *= 2",
    ),
    Fault(
        11,
        "a use that is not seen",
        "cpp/dialects/TTNN/Transforms/Deallocate.cpp",
        "getTensor(dps.getTiedOpOperand(result)->get())",
        "dps.getTiedOpOperand(result)->get()",
        ("lit", "Dialect/TTNN/deallocate/lifetimes.mlir"),
    ),
    Fault(
        12,
        "dropped condition on layouts",
        "cpp/dialects/TTIR/Transforms/Optimizer/LegalLayouts.cpp",
        "tileRows % rows != 0 || tileColumns % columns != 0",
        "tileRows % rows != 0",
        ("lit", "Dialect/TTIR/optimizer/candidates.mlir"),
    ),
    Fault(
        13,
        "minimum instead of maximum",
        "cpp/dialects/TTIR/Transforms/Memory/L1Room.cpp",
        "std::max(last, getStep(user))",
        "std::min(last, getStep(user))",
        ("lit", "Dialect/TTIR/propagate_layout/room.mlir"),
    ),
    Fault(
        14,
        "wrong unit in a message",
        "cpp/dialects/TTIR/Transforms/Memory/Allocate.cpp",
        'isL1 ? " bytes a core" : " bytes a bank"',
        'isL1 ? " bytes a bank" : " bytes a core"',
        ("lit", "Dialect/TTIR/allocate/allocate-errors.mlir"),
    ),
    Fault(
        15,
        "lost sign in a file",
        "cpp/target/TTNN/Attributes.cpp",
        "value == 0 && std::signbit(value)",
        "false",
        ("pytest", "compiler/test_flatbuffer_details.py", "-k", "test_sign_of_zero"),
    ),
    Fault(
        16,
        "off by one in a loop",
        "cpp/target/TTMetal/Branches.cpp",
        "arith::CmpIPredicate::slt",
        "arith::CmpIPredicate::sle",
        ("lit", "Translate/ttmetal_to_flatbuffer.mlir"),
    ),
    Fault(
        17,
        "signed instead of unsigned",
        "cpp/conversion/TTKernelToEmitC/ArithPatterns.cpp",
        "isUnsigned ? emitc::getUnsignedTypeFor",
        "isUnsigned && !FAULT ? emitc::getUnsignedTypeFor",
        ("lit", "Conversion/TTKernelToEmitC/special.mlir"),
    ),
    Fault(
        18,
        "swapped sides",
        "cpp/conversion/TodayToTTIR/WindowRules.cpp",
        "padding[2]",
        "padding[0]",
        ("pytest", "frontends/test_today.py", "-k", "test_op and conv2d"),
        context='si32("padding_bottom", padding[2])',
    ),
    Fault(
        19,
        "missed rounding",
        "cpp/conversion/TodayToTTIR/ElementwiseRules.cpp",
        "isExactInF32(value) || std::isnan(value)",
        "true",
        ("pytest", "frontends/test_today.py", "-k", "test_op and clamp_scalar"),
    ),
    Fault(
        20,
        "unsigned read as signed",
        "cpp/conversion/TosaToTTIR/TosaQuantized.cpp",
        "isUnsigned && value < 0",
        "false",
        ("pytest", "frontends/test_tosa_tensors.py", "-k", "test_zero_points"),
    ),
    Fault(
        21,
        "ignored operand",
        "cpp/conversion/LinalgToTTIR/Reductions.cpp",
        "known != reduction.neutral",
        "false",
        ("lit", "Conversion/LinalgToTTIR/reductions.mlir"),
    ),
    Fault(
        22,
        "dropped term of an index",
        "cpp/conversion/SCFToTT/Numbers.cpp",
        "place && known == 0",
        "bool(place)",
        ("pytest", "frontends/test_linalg_loops.py", "-k", "known_in_part"),
    ),
)

RUNTIME = (
    Fault(
        23,
        "missed ties to even",
        "runtime/lib/numerics/isa/bfp.cpp",
        "(aligned + ((1 << (kDrop - 1)) - 1) + odd) >> kDrop",
        "(aligned + ((1 << (kDrop - 1)) - 1)) >> kDrop",
        ("pytest", "kernel/test_tensors.py", "-k", "halves"),
    ),
    Fault(
        24,
        "half away from zero instead of to even",
        "runtime/lib/numerics/isa/convert.cpp",
        "(raw + 0x7fffu + ((raw >> 16) & 1u)) >> 16",
        "(raw + 0x8000u) >> 16",
        ("unit", "Formats.Bf16EveryRounding"),
    ),
    Fault(
        25,
        "one side left out",
        "runtime/lib/numerics/pool.cpp",
        "before + extent + after",
        "before + extent",
        ("unit", "Pool.Average"),
    ),
    Fault(
        26,
        "zeros with a sign compared by bits",
        "runtime/lib/numerics/sort.cpp",
        "x == 0 ? 0.0f : x",
        "x",
        ("pytest", "ops/test_places.py", "-k", "zeros_and_nan"),
    ),
    Fault(
        27,
        "off by one at a border",
        "runtime/lib/numerics/conv_transpose.cpp",
        "col >= args.inW * w.strideW",
        "col > args.inW * w.strideW",
        ("unit", "Pool.ConvTranspose"),
    ),
    Fault(
        28,
        "off by one in a check of ids",
        "runtime/lib/emulator/semaphores.cpp",
        "id >= count",
        "id > count",
        ("unit", "Faults.SemaphoreIdOutOfRange"),
    ),
    Fault(
        29,
        "weaker check of circular buffers",
        "runtime/lib/emulator/buffers.cpp",
        "pages > buffer.waited && checks(t, Check::Buffers)",
        "pages > buffer.available() && checks(t, Check::Buffers)",
        ("pytest", "kernel/test_mistakes.py"),
    ),
    Fault(
        30,
        "wrong comparison in a check of bounds",
        "runtime/lib/emulator/checks_dram.cpp",
        "end <= before->end",
        "begin < before->end",
        ("pytest", "kernel/test_memory.py"),
        context="before && end <= before->end",
    ),
    Fault(
        31,
        "ignored flag of multicasts",
        "runtime/lib/emulator/noc_transfers.cpp",
        "cores - (inside && !loopback)",
        "cores - inside",
        ("pytest", "kernel/test_right_programs.py", "-k", "multicast_to_the_sender"),
    ),
    Fault(
        32,
        "free blocks that are not joined",
        "runtime/lib/emulator/allocator.cpp",
        "previous->first + previous->second == address",
        "false",
        ("unit", "^Allocator"),
    ),
    Fault(
        33,
        "off by one in an order of epochs",
        "runtime/lib/emulator/vector_clock.cpp",
        "epochOf(access) <= epochOf(landed.upTo)",
        "epochOf(access) < epochOf(landed.upTo)",
        ("unit", "^VectorClock"),
    ),
    Fault(
        34,
        "off by one in a time",
        "runtime/lib/clock/compute_time.cpp",
        "(phases - 1)",
        "phases",
        ("unit", "^ComputeTime.ElementsAreMultiplied"),
        context="const double later = timing.phaseCyclesPerTile * (phases - 1);",
    ),
    Fault(
        35,
        "rounded down instead of up",
        "runtime/lib/clock/noc_time.cpp",
        "std::ceil(bytes / timing_.nocPacketBytes)",
        "std::floor(bytes / timing_.nocPacketBytes)",
        ("unit", "^NocTime.TheLastPacket"),
    ),
    Fault(
        36,
        "rounded before it is multiplied",
        "runtime/lib/collectives/linear.cpp",
        "pages.count() * (i + 1) / count",
        "pages.count() / count * (i + 1)",
        ("unit", "^Collectives"),
    ),
    Fault(
        37,
        "swapped rows and columns of faces",
        "runtime/lib/tensix/reduce.cpp",
        "(face & 1)",
        "(face >> 1)",
        ("unit", "(TileReduce|MatrixUnit)"),
    ),
    Fault(
        38,
        "wrong limit of a fast path",
        "runtime/lib/tensix/binary.cpp",
        "context.config.fidelity >= MathFidelity::HiFi3",
        "context.config.fidelity >= MathFidelity::HiFi2",
        ("unit", "^TilesOnce"),
    ),
    Fault(
        39,
        "half of a check of files",
        "runtime/lib/ttnn/verifier/windows.cpp",
        "s.inChannels % s.groups || s.outChannels % s.groups",
        "s.inChannels % s.groups",
        ("pytest", "runtime/test_windows.py", "-k", "malformed"),
    ),
    Fault(
        40,
        "too narrow a type for sums",
        "runtime/lib/ttnn/reduce_ops.cpp",
        "commonType({in.type}, out.type)",
        "in.type",
        ("pytest", "runtime/test_lines.py", "-k", "integer_reduction"),
    ),
    Fault(
        41,
        "swapped sides of a padding",
        "runtime/lib/ttnn/shape_ops.cpp",
        "step.padding[i]",
        "step.padding[i + 1]",
        ("pytest", "runtime/test_movement.py", "-k", "pad_more_in_front"),
        context="low.push_back(step.padding[i]);",
    ),
    Fault(
        42,
        "dropped check of a file",
        "runtime/lib/common/layout.cpp",
        "memory->size() != std::uint64_t(described)",
        "false",
        ("pytest", "runtime/test_files.py", "-k", "inconsistent_fields"),
    ),
    Fault(
        43,
        "extents of 1 forgotten",
        "runtime/pjrt/transfers.cpp",
        "buffer.dims[dim] > 1 && strides.byte_strides[dim] != expected",
        "strides.byte_strides[dim] != expected",
        ("pytest", "frontends/jax_plugin/test_host_layouts.py"),
    ),
    Fault(
        44,
        "wrong message",
        "runtime/lib/emulator/deadlock.cpp",
        '(minimum ? "at least " : "")',
        '""',
        ("pytest", "kernel/test_faults.py", "-k", "awaited_value"),
    ),
)

PYTHON = (
    Fault(
        45,
        "ignored argument of a builder",
        "python/ttmlir/builder/_sort_scatter.py",
        "boolean(largest)",
        "boolean(True)",
        ("pytest", "frontends/onnx_models/test_indexing.py", "-k", "topk"),
    ),
    Fault(
        46,
        "off by one in an option",
        "python/ttmlir/_options.py",
        "not 0 <= value < 2**63",
        "not 0 < value < 2**63",
        ("pytest", "compiler/test_options.py"),
    ),
    Fault(
        47,
        "dropped check of keywords",
        "python/ttmlir/_lowering.py",
        "name not in names and value != defaults[name]",
        "False",
        ("pytest", "api/test_compile.py"),
    ),
    Fault(
        48,
        "windows that reach over the end",
        "python/ttmlir/frontends/torch/_pooling.py",
        "np.minimum(begins + kernel, extent + padding)",
        "begins + kernel",
        ("pytest", "frontends/pytorch/test_ops.py", "-k", "pool"),
    ),
    Fault(
        49,
        "a factor left out",
        "python/ttmlir/frontends/torch/_normalization.py",
        "count / max(count - 1, 1)",
        "1.0",
        ("pytest", "frontends/pytorch/test_functional.py", "-k", "statistics_change"),
    ),
    Fault(
        50,
        "ignored attribute of a node",
        "python/ttmlir/frontends/onnx/_attention.py",
        "is_causal and left < 0 and mask is None and keys == new",
        "is_causal and mask is None and keys == new",
        ("pytest", "frontends/onnx_models/test_attention.py", "-k", "causal_window"),
    ),
    Fault(
        51,
        "ignored attribute of a scale",
        "python/ttmlir/frontends/onnx/_grid_sample.py",
        "(extent - 1 if align else extent)",
        "extent",
        ("pytest", "frontends/onnx_models/test_resizing.py"),
    ),
    Fault(
        52,
        "missed rounding",
        "python/ttmlir/frontends/onnx/_quantization.py",
        "op.b.roundeven(quotient)",
        "quotient",
        ("pytest", "frontends/onnx_models/test_quantization.py", "-k", "halves_of_blocks"),
    ),
    Fault(
        53,
        "places that are not moved inside",
        "python/ttmlir/frontends/stablehlo/_indexing.py",
        "min(max(int(value.array.reshape(())), 0), extent - size)",
        "int(value.array.reshape(()))",
        ("pytest", "frontends/stablehlo/test_texts.py", "-k", "slices"),
    ),
    Fault(
        54,
        "a dimension that must not be sharded",
        "python/ttmlir/frontends/stablehlo/spmd/op_sharding_rules.py",
        '[op.integer("dimension", -1) % max(rank, 1)]',
        "[]",
        ("pytest", "frontends/stablehlo/test_meshes.py"),
    ),
    Fault(
        55,
        "a permutation instead of its inverse",
        "python/jax_plugins/ttmlir/_mesh.py",
        "[shard for p in self.positions if (shard := shards[p]) is not None]",
        "[shards[p] for p in map(self.positions.index, range(len(shards)))]",
        ("pytest", "frontends/jax_plugin/test_meshes.py"),
    ),
    Fault(
        56,
        "a time that begins with the op",
        "python/ttmlir/_report/tables.py",
        "(op.start + kernel.begin)",
        "kernel.begin",
        ("pytest", "api/test_report.py", "-k", "kernels_stand"),
    ),
    Fault(
        57,
        "numbers that are none, forgotten",
        "python/ttmlir/_comparison/alignment.py",
        "accuracy.special > 0",
        "False",
        ("pytest", "api/test_compare.py"),
    ),
    Fault(
        58,
        "ignored option of a command",
        "python/ttrt/common/run.py",
        'self["check"] or (self.checks_by_default and not self["no-check"])',
        'self["check"] or self.checks_by_default',
        ("pytest", "ttmetal/test_ttrt.py", "-k", "unchecked"),
    ),
    Fault(
        59,
        "ignored tolerance",
        "python/ttrt/common/golden.py",
        "max(1e-5, rounding) if rtol is None else rtol",
        "max(1e-5, rounding)",
        ("pytest", "ttrt/test_goldens.py"),
    ),
    Fault(
        60,
        "wrong axis of a grid",
        "python/ttmlir/kernel/_resources.py",
        "self.page_columns // self.grid[1]",
        "self.page_columns // self.grid[0]",
        ("pytest", "kernel/test_tensors.py", "-k", "pages_of_a_core"),
    ),
)

FAULTS = (*COMPILER, *RUNTIME, *PYTHON)

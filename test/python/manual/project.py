"""What is where, names, and how an op is added."""

from __future__ import annotations

from pathlib import Path

import ttmlir

from .definitions import Op
from .ops import TTIR, TTNN
from .table import Exists, In, Listed, Page, Python, Reads, Runs, Target

SCHEMA = Path(ttmlir.__file__).parent / "schema"
GENERATED = "generated from the definitions of the op, by cpp/dialects/OpTables.td"


def signature(table: dict[str, str], name: str) -> str:
    return next(text for text, names in table.items() if name in names.split())


READING = Page("Additional Reading", why="links to other sites")
CONDUCT = Page("Contributor Covenant Code of Conduct", why="no command, listing or option")

STRUCTURE = Page(
    "Project Structure",
    {
        "Project Structure": [
            Exists("env"),
            Exists("include/ttmlir", here="cpp"),
            Exists("include/ttmlir/Dialect", here="cpp/dialects"),
            Exists("Dialect/<dialect>/IR", here="cpp/dialects/TTIR/TTIROps.td"),
            Exists("Passes.[h|td]", here="cpp/dialects/TTIR/Transforms/Passes.td"),
            Exists("Dialect/<dialect>/Transforms", here="cpp/dialects/TTIR/Transforms"),
            Exists("include/ttmlir/Target", here="schema"),
            Exists("lib", here="cpp"),
            Exists("lib/CAPI", here="cpp/capi"),
            Exists("lib/Dialect", here="cpp/dialects"),
            Exists("runtime"),
            Exists("runtime/include/tt/runtime"),
            Exists("runtime/lib"),
            Exists("runtime/tools/python", here="python/ttrt"),
            Exists("test"),
            Exists("tools/ttmlir-opt", here="tools/ttmlir-tools/ttmlir-opt.cpp"),
        ]
    },
)

NAMESPACES = Page(
    "Namespaces",
    {
        "Namespaces": [
            In("namespace mlir::tt {", "cpp/dialects"),
            In("namespace mlir::tt::ttir {", "cpp/dialects"),
            In("::mlir::tt::ttnn", "cpp/dialects/TTNN"),
            In("::mlir::tt::ttmetal", "cpp/dialects/TTMetal"),
            In("::mlir::tt::ttkernel", "cpp/dialects/TTKernel"),
            In("namespace tt::runtime {", "runtime/include"),
            In("namespace tt::runtime::ttnn {", "runtime/lib"),
            In("namespace tt::runtime::ttmetal {", "runtime/lib"),
        ]
    },
)

OVERVIEW = Page(
    "Dialects Overview",
    {
        "tt": [
            Reads("!tt.tile<32x32, bf16>"),
            Reads(
                "#tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, "
                "memref<64x128xf32, #tt.memory_space<l1>>>"
            ),
            Reads("#tt.grid<8x8>"),
        ],
        "ttir": [
            Exists("tosa", here="cpp/conversion/TosaToTTIR"),
            Exists("linalg", here="cpp/conversion/LinalgToTTIR"),
            Op("ttir.generic", "GenericOp", "inputs*, outputs* -> results*"),
            Op("ttir.to_layout", "ToLayoutOp", "input, output -> result"),
            In("tensor.pad", "test/ttmlir/Conversion"),
            Op("ttir.yield", "YieldOp", "values:tensor|memref*"),
            Op("ttir.kernel", "KernelOp", signature(TTIR, "kernel:KernelOp")),
        ],
        "ttkernel": [
            Op("ttkernel.noc_async_read", "NocAsyncReadOp", "srcNocAddr:noc_addr"),
            Op("ttkernel.noc_async_write", "NocAsyncWriteOp", "srcLocalL1Addr:i32"),
            Op("ttkernel.cb_push_back", "CBPushBackOp", "cb:cb"),
            Op("ttkernel.matmul", "MatmulOp", "dst_index:i32"),
            Op("ttkernel.add", "AddOp", "dst_index:i32"),
            Listed("ttkernel.multiply", "named ttkernel.mul, as on the page of the dialect"),
            Listed("ttkernel.sfpu_*", "named after what they compute, such as ttkernel.exp_tile"),
        ],
        "ttmetal": [
            Op("ttmetal.dispatch", "DispatchOp", "inputs*, outputs* -> results*"),
        ],
    },
)


TTIR_MATMUL = Op("ttir.matmul", "MatmulOp", signature(TTIR, "matmul:MatmulOp"))
TTNN_MATMUL = Op("ttnn.matmul", "MatmulOp", signature(TTNN, "matmul:MatmulOp"))
SIMPLE_MATMUL = "test/ttmlir/Dialect/TTNN/simple_matmul.mlir"
FROM_TTIR = "cpp/conversion/TTIRToTTNN"

ADDING = Page(
    "Adding an Op",
    {
        "1. Define the Op in the TTIR frontend dialect": [
            Exists(
                "include/ttmlir/Dialect/TTIR/IR/TTIROps.td", here="cpp/dialects/TTIR/TTIROps.td"
            ),
            TTIR_MATMUL,
            In("class TTIR_DPSOp<", "cpp/dialects/TTIR"),
            In("TT_OperandConstraintArrayAttr", "cpp/dialects"),
            Listed("AnyRankedTensor", "TT_Tensor: ranked, of static shape, with sizes that fit"),
            In("getDpsInitsMutable()", "cpp/dialects/TTIR"),
            In("hasVerifier = 1", "cpp/dialects"),
            In("TTIROps.h.inc", "cpp/dialects/TTIR"),
            Exists("lib/Dialect/TTIR/IR/TTIROps.cpp", here="cpp/dialects/TTIR/TTIROps.cpp"),
            Listed(
                "mlir::tt::ttir::MatmulOp::verify",
                "one verifier for both dialects, in cpp/dialects/Shapes",
            ),
        ],
        "2. Define the Op in the TTNN backend dialect": [
            Exists("TTNNOps.td", here="cpp/dialects/TTNN/TTNNOps.td"),
            TTNN_MATMUL,
            Listed("TTNN_NamedDPSOp", "named TTNN_DPSOp"),
            Exists("TTNNOps.cpp", here="cpp/dialects/TTNN/TTNNOps.cpp"),
            Listed(
                "mlir::tt::ttnn::MatmulOp::verify",
                "one verifier for both dialects, in cpp/dialects/Shapes",
            ),
        ],
        "3. Convert / Implement the Op in the TTNN passes": [
            Exists(
                "lib/Conversion/TTIRToTTNN/TTIRToTTNNPass.cpp",
                here=f"{FROM_TTIR}/TTIRToTTNN.cpp",
            ),
            In("void runOnOperation() final", f"{FROM_TTIR}/TTIRToTTNN.cpp"),
            Exists("include/ttmlir/Conversion/Passes.td", here=f"{FROM_TTIR}/Passes.td"),
            In(
                'def ConvertTTIRToTTNN : Pass<"convert-ttir-to-ttnn", "::mlir::ModuleOp">',
                f"{FROM_TTIR}/Passes.td",
            ),
            In("populateTTIRToTTNNPatterns(", f"{FROM_TTIR}/TTIRToTTNN.cpp"),
            In("populateTTIRToTTNNPatterns(", f"{FROM_TTIR}/CallPatterns.cpp"),
            Listed(
                "ElementwiseOpConversionPattern<ttir::AbsOp, ttnn::AbsOp> and so on",
                "ops with the same arguments in both dialects are lowered by tables of theirs",
            ),
            Listed("MatmulOpConversionPattern", "loweredTo of the op's definition stands for it"),
            Exists(
                "lib/Conversion/TTNNToEmitC/TTNNToEmitC.cpp",
                here="cpp/conversion/TTNNToEmitC/TTNNToEmitC.cpp",
            ),
            Listed("populateTTNNToEmitCPatterns", "one function for all ops, by their schemas"),
        ],
        "4. Add a unit test for the Op": [
            Exists("test/ttmlir/Dialect"),
            Exists(SIMPLE_MATMUL),
            In(
                "// RUN: ttmlir-opt --ttir-load-system-desc --ttir-implicit-device --ttir-layout "
                "--convert-ttir-to-ttnn %s | FileCheck %s",
                SIMPLE_MATMUL,
            ),
            In(
                "// CHECK: #[[TILED_LAYOUT:.*]] = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, "
                "memref<2x4x!tt.tile<32x32, bf16>, #dram>, interleaved>",
                SIMPLE_MATMUL,
            ),
            In('// CHECK: %[[C:.*]] = "ttnn.matmul"[[C:.*]]', SIMPLE_MATMUL),
            Runs(
                SIMPLE_MATMUL,
                instead="llvm-lit -v ./build/test/ttmlir/Dialect/TTNN/simple_matmul.mlir",
            ),
            Target("check-ttmlir"),
            Runs(f"./build/bin/ttmlir-opt --ttir-layout --convert-ttir-to-ttnn {SIMPLE_MATMUL}"),
        ],
        "5. Define flatbuffer schema for the Op": [
            Exists("include/ttmlir/Target/TTNN/program.fbs", here="schema/TTNN/program.fbs"),
            In(
                "table MatmulOp {\n  in0: tt.target.TensorRef;\n  in1: tt.target.TensorRef;\n"
                "  out: tt.target.TensorRef;\n",
                SCHEMA / "TTNN" / "operations.fbs",
            ),
            In("union OpType {", SCHEMA / "TTNN" / "operations.fbs"),
            In("table TensorRef {", "schema/Common/types.fbs"),
        ],
        "6. Serialize the Op in the flatbuffer format": [
            Exists(
                "build/include/ttmlir/Target/TTNN/program_generated.h",
                here="schema/TTNN/program.fbs",
            ),
            Exists(
                "lib/Target/TTNN/TTNNToFlatbuffer.cpp", here="cpp/target/TTNN/TTNNToFlatbuffer.cpp"
            ),
            In("createOp(FlatbufferObjectCache &cache", "cpp/target/TTNN"),
            In("FlatbufferObjectCache", "cpp/target"),
            Listed("createOp(..., MatmulOp op), CreateMatmulOp", GENERATED),
            Listed(
                "getOperandThroughDPSOps", "results share the table of what they are written to"
            ),
            Runs(
                f"./build/bin/ttmlir-opt --ttir-to-ttnn-backend-pipeline {SIMPLE_MATMUL} | "
                "./build/bin/ttmlir-translate --ttnn-to-flatbuffer -o out.ttnn"
            ),
            Runs("ttrt read out.ttnn"),
        ],
        "7. Add runtime support for the Op": [
            Exists("runtime/lib/ttnn/program.cpp", here="runtime/lib/ttnn/executor.cpp"),
            Listed("liveTensors.at(op->in0()->global_id())", "files are decoded before they run"),
            In("global_id", "runtime/lib/ttnn/decoder.cpp"),
            Runs("ttrt run out.ttnn"),
        ],
    },
)

DOXYGEN = Page(
    "Doxygen",
    {
        "Build Instructions": [
            Listed("cmake -B build", "makes the build tree that these tests run in"),
            Target("doxygen"),
        ]
    },
)

SPECIFICATIONS = Page(
    "Specifications",
    {
        "Specifications": [
            Listed("docs/src/specs", "docs/src/design.md, and the definitions of ops and passes"),
            Listed("## Motivation and so on", "a form for texts"),
        ]
    },
)

STITCHING = Page(
    "Runtime Stitching",
    {
        "Simple Example": [
            Python(
                "mod_a = forge.compile(PyTorch_module_a)\n"
                "mod_b = forge.compile(PyTorch_module_b)\n"
                "for i in range(10):\n"
                "    outs_a = mod_a(ins_a)\n"
                "    outs_b = mod_b(outs_a)\n"
                "assert (outs_b == 3).all()",
                # Programs of the builder for modules of PyTorch.
                before="import numpy, ttmlir as forge\n"
                "def program(scale):\n"
                "    b = forge.Builder()\n"
                "    x = b.input('x', (64, 64))\n"
                "    b.output(x + float(scale))\n"
                "    return b\n"
                "PyTorch_module_a, PyTorch_module_b = program(1), program(2)\n"
                "ins_a = numpy.zeros((64, 64), 'f4')",
            )
        ],
        "Proposed Changes": [
            In("Tensor toLayout(Tensor tensor,", "runtime/include/tt/runtime/runtime.h"),
            In(
                "::tt::target::TensorDesc const *tensorDesc", "runtime/include/tt/runtime/runtime.h"
            ),
        ],
        "Test Plan": [
            Exists("two programs, one behind the other", here="test/python/runtime"),
        ],
    },
)

PAGES = [
    READING,
    CONDUCT,
    STRUCTURE,
    NAMESPACES,
    OVERVIEW,
    ADDING,
    DOXYGEN,
    SPECIFICATIONS,
    STITCHING,
]

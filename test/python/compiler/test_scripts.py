"""Scripts in the style of the reference: star imports, positional arguments, explicit contexts."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

SCRIPTS = {
    "layouts": """
from ttmlir.ir import *
from ttmlir.dialects import tt

ctx = Context()
tt.register_dialect(ctx)
loc = Location.unknown(ctx)


def create_tensor_layout(shape, grid, memorySpace=tt.MemorySpace.DeviceL1,
                         collapseIntervals=[(0, -1)], oobVal=tt.OOBVal.Undef,
                         memLayout=tt.TensorMemoryLayout.None_):
    if isinstance(grid, list) or isinstance(grid, tuple):
        grid = tt.ir.GridAttr.get(ctx, list(grid))
    tensorTy = RankedTensorType.get(shape, F32Type.get(ctx), None, loc)
    layout = tt.ir.LayoutAttr.get(
        ctx, tensorTy, memorySpace, grid, collapseIntervals, oobVal, memLayout)
    return RankedTensorType.get(shape, F32Type.get(ctx), layout, loc)


def tilize(tensor, dataType, tileShape=[32, 32]):
    assert len(tileShape) == 2
    return tt.ir.LayoutAttr.with_element_type_(
        ctx, tensor.encoding, tt.ir.TileType.get(ctx, tileShape[0], tileShape[1], dataType))


def parallelize(tensor, grid, collapseIntervals=[(0, -1)]):
    if isinstance(grid, list) or isinstance(grid, tuple):
        grid = tt.ir.GridAttr.get(ctx, list(grid))
    return tt.ir.LayoutAttr.with_grid_(ctx, tensor.encoding, tensor.shape, grid, collapseIntervals)


t0 = create_tensor_layout([2, 3, 64, 128], [2, 4])
print(t0)
print(tilize(t0, tt.DataType.BFP_BFloat8).wrapped())
print(parallelize(t0, [3, 2]).wrapped())
print(create_tensor_layout([8, 96, 32], (2, 1, 2), collapseIntervals=[(1, -1)]))
print(tt.ir.LayoutAttr.getLayout(t0).grid_attr.shape)
""",
    "devices": """
from ttmlir.ir import *
from ttmlir.dialects import tt

ctx = Context()
tt.register_dialect(ctx)
system = tt.ir.SystemDescAttr.get_default(ctx)
print(tt.ir.DeviceAttr.from_system_desc(ctx, system, [1]))
c0 = AffineConstantExpr.get(0, ctx)
d0, d1 = AffineDimExpr.get(0, ctx), AffineDimExpr.get(1, ctx)
s0, s1 = AffineSymbolExpr.get(0, ctx), AffineSymbolExpr.get(1, ctx)
worker = AffineMap.get(2, 0, [c0, d1, d0], ctx)
memory = AffineMap.get(2, 2, [c0, c0, c0, d0], ctx)
device = tt.ir.DeviceAttr.get(ctx, [8, 8], worker, memory, memory, [1], [0])
print(tt.ir.DeviceType.get(ctx, tt.ir.DeviceAttr.unwrap(device)))
""",
    "pipeline": """
import sys
from ttmlir.ir import *
from ttmlir.passes import passes
from ttmlir.overrides import overrides
import ttrt.binary

with Context() as ctx, open(sys.argv[1]) as f:
    module = Module.parse(f.read())
passes.ttir_to_ttnn_backend_pipeline(module, "enable-optimizer=false")
print(overrides.get_ptr(module.operation) != 0)
passes.ttnn_to_flatbuffer_file(module, "out.ttnn")
fbb = ttrt.binary.load_binary_from_capsule(passes.ttnn_to_flatbuffer_binary(module))
print(fbb.file_identifier, [p["name"] for p in ttrt.binary.as_dict(fbb)["programs"]])
print(open("out.ttnn", "rb").read()[8:12].decode())
""",
    "modules": """
from ttmlir.ir import *
from ttmlir.dialects import tt, ttir, func, tensor, arith

with Context() as ctx, Location.unknown():
    tt.register_dialect(ctx, True)
    module = Module.create()
    with InsertionPoint(module.body):
        kind = RankedTensorType.get([64, 128], F32Type.get())

        @func.FuncOp.from_py_func(kind, kind, name="forward")
        def forward(a, b):
            empty = tensor.empty([64, 128], F32Type.get())
            any_device = Attribute.parse("#tt.operand_constraint<any_device>")
            return ttir.multiply([kind], [a, b], [empty], ArrayAttr.get([any_device] * 3))

    module.operation.verify()
    print(module)
""",
}
EXPECTED = {
    "layouts": [
        "tensor<2x3x64x128xf32, #tt.layout<(d0, d1, d2, d3) -> (d0 * 192 + d1 * 64 + d2, d3), "
        "undef, <2x4>, memref<192x32xf32, #tt.memory_space<l1>>>>",
        "memref<6x1x!tt.tile<32x32, bfp_bf8>, #tt.memory_space<l1>>",
        "<3x2>, memref<128x64xf32, #tt.memory_space<l1>>",
        "(d0, d1, d2) -> (d0, d1, d2), undef, <2x1x2>, memref<4x96x16xf32",
        "[2, 4]",
    ],
    "devices": [
        "workerGrid = #tt.grid<8x8, (d0, d1) -> (0, d0, d1)>",
        "workerGrid = #tt.grid<8x8, (d0, d1) -> (0, d1, d0)>",
    ],
    "pipeline": ["True", "TTNN ['forward']", "TTNN"],
    "modules": ['"ttir.multiply"(%arg0, %arg1, %0)'],
}
MULTIPLY = Path(__file__).parents[2] / "ttmlir" / "Dialect" / "TTNN" / "simple_multiply.mlir"


@pytest.mark.parametrize("name", SCRIPTS)
def test_script(name: str, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", SCRIPTS[name], str(MULTIPLY)],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    for text in EXPECTED[name]:
        assert text in done.stdout

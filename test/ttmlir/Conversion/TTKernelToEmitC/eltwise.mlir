// RUN: ttmlir-opt --convert-ttkernel-to-emitc %s | FileCheck %s
// RUN: ttmlir-opt --convert-ttkernel-to-emitc %s | ttmlir-translate --mlir-to-cpp | FileCheck %s --check-prefix=CPP
// A kernel of the library's form: buffers are variables, ops are calls, loops are loops.
#l1_ = #tt.memory_space<l1>
!in0 = !ttkernel.cb<cb_in0, 1024, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>
!in1 = !ttkernel.cb<cb_in1, 33792, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>
!out = !ttkernel.cb<cb_out0, 66560, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>
// CHECK-LABEL: func.func @multiply() {
// CHECK: %[[V0:.*]] = "emitc.variable"() <{value = #emitc.opaque<"::tt::CB::c_in0">}> : () -> !emitc.lvalue<!emitc.opaque<"::tt::CB">>
// CHECK: %[[IN0:.*]] = emitc.load %[[V0]]
// CHECK: "emitc.variable"() <{value = #emitc.opaque<"::tt::CB::c_in1">}>
// CHECK: "emitc.variable"() <{value = #emitc.opaque<"::tt::CB::c_out0">}>
// CHECK: emitc.call_opaque "mul_tiles_init"(%[[IN0]], %{{.*}}) : (!emitc.opaque<"::tt::CB">, !emitc.opaque<"::tt::CB">) -> ()
// CHECK: emitc.for %
// CHECK: call_opaque "tile_regs_acquire"() : () -> ()
// CHECK-NOT: ttkernel
// CHECK: return

// CPP: void multiply() {
// CPP: ::tt::CB [[V0:v[0-9]+]] = ::tt::CB::c_in0;
// CPP: ::tt::CB [[IN0:v[0-9]+]] = [[V0]];
// CPP: ::tt::CB [[V1:v[0-9]+]] = ::tt::CB::c_in1;
// CPP: ::tt::CB [[IN1:v[0-9]+]] = [[V1]];
// CPP: ::tt::CB [[V2:v[0-9]+]] = ::tt::CB::c_out0;
// CPP: ::tt::CB [[OUT:v[0-9]+]] = [[V2]];
// CPP: int32_t [[ZERO:v[0-9]+]] = 0;
// CPP: binary_op_init_common([[IN0]], [[IN1]], [[OUT]]);
// CPP-NEXT: mul_tiles_init([[IN0]], [[IN1]]);
// CPP-NEXT: for (int32_t [[I:[a-z0-9]+]] = [[ZERO]]; [[I]] < {{v[0-9]+}}; [[I]] += {{v[0-9]+}}) {
// CPP-NEXT: tile_regs_acquire();
// CPP-NEXT: mul_tiles([[IN0]], [[IN1]], [[I]], [[I]], [[ZERO]]);
// CPP-NEXT: tile_regs_commit();
// CPP-NEXT: tile_regs_wait();
// CPP-NEXT: pack_tile([[ZERO]], [[OUT]], [[I]]);
// CPP-NEXT: tile_regs_release();
// CPP-NEXT: }
// CPP-NEXT: return;
func.func @multiply(%in0: !in0, %in1: !in1, %out: !out) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %tiles = arith.constant 8 : i32
  "ttkernel.binary_op_init_common"(%in0, %in1, %out) : (!in0, !in1, !out) -> ()
  "ttkernel.mul_tiles_init"(%in0, %in1) : (!in0, !in1) -> ()
  scf.for %i = %zero to %tiles step %one : i32 {
    "ttkernel.tile_regs_acquire"() : () -> ()
    "ttkernel.mul_tiles"(%in0, %in1, %i, %i, %zero) : (!in0, !in1, i32, i32, i32) -> ()
    "ttkernel.tile_regs_commit"() : () -> ()
    "ttkernel.tile_regs_wait"() : () -> ()
    "ttkernel.pack_tile"(%zero, %out, %i) : (i32, !out, i32) -> ()
    "ttkernel.tile_regs_release"() : () -> ()
  }
  "ttkernel.return"() : () -> ()
}

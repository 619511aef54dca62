// RUN: ttmlir-opt %s | ttmlir-opt | FileCheck %s
// Every op prints as it was read.
#l1_ = #tt.memory_space<l1>
// CHECK-LABEL: func.func @kernel
func.func @kernel(%cb_in0: !ttkernel.cb<cb_in0, 1024, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>, %cb_in1: !ttkernel.cb<cb_in1, 33792, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>, %cb_out0: !ttkernel.cb<cb_out0, 66560, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>, %sc_in: !ttkernel.cb<cb_in0, 1024, memref<64x128xf32, #l1_>, 512, 1>, %sc_out: !ttkernel.cb<cb_out0, 66560, memref<64x128xf32, #l1_>, 512, 1>, %i: i32) {
  // CHECK: "ttkernel.get_noc_addr"(%[[I:.*]], %[[I]], %[[I]]) : (i32, i32, i32) -> !ttkernel.noc_addr
  %noc = "ttkernel.get_noc_addr"(%i, %i, %i) : (i32, i32, i32) -> !ttkernel.noc_addr
  // CHECK: "ttkernel.noc_async_read"({{.*}}) : (!ttkernel.noc_addr, i32, i32) -> ()
  "ttkernel.noc_async_read"(%noc, %i, %i) : (!ttkernel.noc_addr, i32, i32) -> ()
  // CHECK: "ttkernel.noc_async_read_barrier"() : () -> ()
  "ttkernel.noc_async_read_barrier"() : () -> ()
  // CHECK: "ttkernel.noc_async_write"({{.*}}) : (i32, !ttkernel.noc_addr, i32) -> ()
  "ttkernel.noc_async_write"(%i, %noc, %i) : (i32, !ttkernel.noc_addr, i32) -> ()
  // CHECK: "ttkernel.noc_async_write_barrier"() : () -> ()
  "ttkernel.noc_async_write_barrier"() : () -> ()
  // CHECK: "ttkernel.acquire_dst"() : () -> ()
  "ttkernel.acquire_dst"() : () -> ()
  // CHECK: "ttkernel.release_dst"() : () -> ()
  "ttkernel.release_dst"() : () -> ()
  // CHECK: "ttkernel.tile_regs_acquire"() : () -> ()
  "ttkernel.tile_regs_acquire"() : () -> ()
  // CHECK: "ttkernel.tile_regs_commit"() : () -> ()
  "ttkernel.tile_regs_commit"() : () -> ()
  // CHECK: "ttkernel.tile_regs_wait"() : () -> ()
  "ttkernel.tile_regs_wait"() : () -> ()
  // CHECK: "ttkernel.tile_regs_release"() : () -> ()
  "ttkernel.tile_regs_release"() : () -> ()
  // CHECK: "ttkernel.pack"({{.*}}) : (i32, !ttkernel.cb<cb_out0, 66560, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>, i32) -> ()
  "ttkernel.pack"(%i, %cb_out0, %i) : (i32, !ttkernel.cb<cb_out0, 66560, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>, i32) -> ()
  // CHECK: "ttkernel.pack_tile"({{.*}}) : (i32, !ttkernel.cb<cb_out0, 66560, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>, i32) -> ()
  "ttkernel.pack_tile"(%i, %cb_out0, %i) : (i32, !ttkernel.cb<cb_out0, 66560, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>, i32) -> ()
  // CHECK: "ttkernel.pack_set_data_type"() <{data_type = 0 : i32}> : () -> ()
  "ttkernel.pack_set_data_type"() <{data_type = 0 : i32}> : () -> ()
  // CHECK: "ttkernel.unpack_a"({{.*}}) : (!ttkernel.cb<cb_in0, 1024, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>, i32) -> ()
  "ttkernel.unpack_a"(%cb_in0, %i) : (!ttkernel.cb<cb_in0, 1024, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>, i32) -> ()
  // CHECK: "ttkernel.unpack_ab"({{.*}}) : (!ttkernel.cb<cb_in0, 1024, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>, i32, !ttkernel.cb<cb_in1, 33792, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>, i32) -> ()
  "ttkernel.unpack_ab"(%cb_in0, %i, %cb_in1, %i) : (!ttkernel.cb<cb_in0, 1024, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>, i32, !ttkernel.cb<cb_in1, 33792, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>, i32) -> ()
  // CHECK: "ttkernel.unpack_set_data_type"() <{data_type_a = 0 : i32, data_type_b = 2 : i32}> : () -> ()
  "ttkernel.unpack_set_data_type"() <{data_type_a = 0 : i32, data_type_b = 2 : i32}> : () -> ()
  // CHECK: "ttkernel.add"({{.*}}) : (i32) -> ()
  "ttkernel.add"(%i) : (i32) -> ()
  // CHECK: "ttkernel.sub"({{.*}}) : (i32) -> ()
  "ttkernel.sub"(%i) : (i32) -> ()
  // CHECK: "ttkernel.mul"({{.*}}) : (i32) -> ()
  "ttkernel.mul"(%i) : (i32) -> ()
  // CHECK: "ttkernel.matmul"({{.*}}) : (i32) -> ()
  "ttkernel.matmul"(%i) : (i32) -> ()
  // CHECK: "ttkernel.binary_op_init_common"({{.*}}) : (!ttkernel.cb<cb_in0, 1024, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>, !ttkernel.cb<cb_in1, 33792, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>, !ttkernel.cb<cb_out0, 66560, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>) -> ()
  "ttkernel.binary_op_init_common"(%cb_in0, %cb_in1, %cb_out0) : (!ttkernel.cb<cb_in0, 1024, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>, !ttkernel.cb<cb_in1, 33792, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>, !ttkernel.cb<cb_out0, 66560, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>) -> ()
  // CHECK: "ttkernel.add_tiles_init"({{.*}}) : (!ttkernel.cb<cb_in0, 1024, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>, !ttkernel.cb<cb_in1, 33792, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>) -> ()
  "ttkernel.add_tiles_init"(%cb_in0, %cb_in1) : (!ttkernel.cb<cb_in0, 1024, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>, !ttkernel.cb<cb_in1, 33792, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>) -> ()
  // CHECK: "ttkernel.add_tiles"({{.*}}) : (!ttkernel.cb<cb_in0, 1024, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>, !ttkernel.cb<cb_in1, 33792, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>, i32, i32, i32) -> ()
  "ttkernel.add_tiles"(%cb_in0, %cb_in1, %i, %i, %i) : (!ttkernel.cb<cb_in0, 1024, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>, !ttkernel.cb<cb_in1, 33792, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>, i32, i32, i32) -> ()
  // CHECK: "ttkernel.mul_tiles_init"({{.*}}) : (!ttkernel.cb<cb_in0, 1024, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>, !ttkernel.cb<cb_in1, 33792, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>) -> ()
  "ttkernel.mul_tiles_init"(%cb_in0, %cb_in1) : (!ttkernel.cb<cb_in0, 1024, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>, !ttkernel.cb<cb_in1, 33792, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>) -> ()
  // CHECK: "ttkernel.mul_tiles"({{.*}}) : (!ttkernel.cb<cb_in0, 1024, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>, !ttkernel.cb<cb_in1, 33792, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>, i32, i32, i32) -> ()
  "ttkernel.mul_tiles"(%cb_in0, %cb_in1, %i, %i, %i) : (!ttkernel.cb<cb_in0, 1024, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>, !ttkernel.cb<cb_in1, 33792, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>, i32, i32, i32) -> ()
  // CHECK: "ttkernel.tilize_init"({{.*}}) : (!ttkernel.cb<cb_in0, 1024, memref<64x128xf32, #l1_>, 512, 1>, i32, !ttkernel.cb<cb_out0, 66560, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>) -> ()
  "ttkernel.tilize_init"(%sc_in, %i, %cb_out0) : (!ttkernel.cb<cb_in0, 1024, memref<64x128xf32, #l1_>, 512, 1>, i32, !ttkernel.cb<cb_out0, 66560, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>) -> ()
  // CHECK: "ttkernel.untilize_init"({{.*}}) : (!ttkernel.cb<cb_in0, 1024, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>, !ttkernel.cb<cb_out0, 66560, memref<64x128xf32, #l1_>, 512, 1>) -> ()
  "ttkernel.untilize_init"(%cb_in0, %sc_out) : (!ttkernel.cb<cb_in0, 1024, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>, !ttkernel.cb<cb_out0, 66560, memref<64x128xf32, #l1_>, 512, 1>) -> ()
  // CHECK: "ttkernel.tilize_block"({{.*}}) : (!ttkernel.cb<cb_in0, 1024, memref<64x128xf32, #l1_>, 512, 1>, i32, !ttkernel.cb<cb_out0, 66560, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>) -> ()
  "ttkernel.tilize_block"(%sc_in, %i, %cb_out0) : (!ttkernel.cb<cb_in0, 1024, memref<64x128xf32, #l1_>, 512, 1>, i32, !ttkernel.cb<cb_out0, 66560, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>) -> ()
  // CHECK: "ttkernel.untilize_block"({{.*}}) : (!ttkernel.cb<cb_in0, 1024, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>, i32, !ttkernel.cb<cb_out0, 66560, memref<64x128xf32, #l1_>, 512, 1>) -> ()
  "ttkernel.untilize_block"(%cb_in0, %i, %sc_out) : (!ttkernel.cb<cb_in0, 1024, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>, i32, !ttkernel.cb<cb_out0, 66560, memref<64x128xf32, #l1_>, 512, 1>) -> ()
  // CHECK: "ttkernel.cb_wait_front"({{.*}}) : (!ttkernel.cb<cb_in0, 1024, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>, i32) -> ()
  "ttkernel.cb_wait_front"(%cb_in0, %i) : (!ttkernel.cb<cb_in0, 1024, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>, i32) -> ()
  // CHECK: "ttkernel.cb_pop_front"({{.*}}) : (!ttkernel.cb<cb_in0, 1024, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>, i32) -> ()
  "ttkernel.cb_pop_front"(%cb_in0, %i) : (!ttkernel.cb<cb_in0, 1024, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>, i32) -> ()
  // CHECK: "ttkernel.cb_reserve_back"({{.*}}) : (!ttkernel.cb<cb_out0, 66560, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>, i32) -> ()
  "ttkernel.cb_reserve_back"(%cb_out0, %i) : (!ttkernel.cb<cb_out0, 66560, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>, i32) -> ()
  // CHECK: "ttkernel.cb_push_back"({{.*}}) : (!ttkernel.cb<cb_out0, 66560, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>, i32) -> ()
  "ttkernel.cb_push_back"(%cb_out0, %i) : (!ttkernel.cb<cb_out0, 66560, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>, i32) -> ()
  // CHECK: "ttkernel.builtin"(%{{.*}}) <{kind = @eltwise, op = @multiply}> : (!ttkernel.cb<cb_in0, 1024, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>) -> ()
  "ttkernel.builtin"(%cb_in0) <{kind = @eltwise, op = @multiply}> : (!ttkernel.cb<cb_in0, 1024, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>) -> ()
  // CHECK: "ttkernel.return"() : () -> ()
  "ttkernel.return"() : () -> ()
}
// CHECK-LABEL: func.func @never
func.func @never() {
  // CHECK: "ttkernel.unreachable"() : () -> ()
  "ttkernel.unreachable"() : () -> ()
}

// A loop around the ops leaves them in the kernel.
// CHECK-LABEL: func.func @loop
func.func @loop(%cb: !ttkernel.cb<cb_in0, 1024, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>, %n: i32, %lower: index, %upper: index, %step: index) {
  // CHECK: scf.for
  scf.for %k = %lower to %upper step %step {
    // CHECK: "ttkernel.cb_wait_front"
    "ttkernel.cb_wait_front"(%cb, %n) : (!ttkernel.cb<cb_in0, 1024, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>, i32) -> ()
    // CHECK: "ttkernel.builtin"() <{kind = @step, op = @next}> : () -> ()
    "ttkernel.builtin"() <{kind = @step, op = @next}> : () -> ()
  }
  "ttkernel.return"() : () -> ()
}

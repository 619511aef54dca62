// RUN: ttmlir-opt --convert-ttkernel-to-emitc %s | ttmlir-translate --mlir-to-cpp | FileCheck %s
// Set-up and its end, pointers and sizes of buffers, and what else is a call without more ado.
#l1_ = #tt.memory_space<l1>
!rows = !ttkernel.cb<cb_in2, 132096, memref<64x128xf32, #l1_>, 512, 1>
!in = !ttkernel.cb<cb_in0, 1024, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>
!in1 = !ttkernel.cb<cb_in1, 33792, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>
!out = !ttkernel.cb<cb_out0, 66560, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>
// CHECK-LABEL: void compute() {
// CHECK: ::tt::CB [[IN_:v[0-9]+]] = ::tt::CB::c_in0;
// CHECK: ::tt::CB [[IN:v[0-9]+]] = [[IN_]];
// CHECK: ::tt::CB [[IN1_:v[0-9]+]] = ::tt::CB::c_in1;
// CHECK: ::tt::CB [[IN1:v[0-9]+]] = [[IN1_]];
// CHECK: ::tt::CB [[ROWS_:v[0-9]+]] = ::tt::CB::c_in2;
// CHECK: ::tt::CB [[ROWS:v[0-9]+]] = [[ROWS_]];
// CHECK: ::tt::CB [[OUT_:v[0-9]+]] = ::tt::CB::c_out0;
// CHECK: ::tt::CB [[OUT:v[0-9]+]] = [[OUT_]];
// CHECK: int32_t [[I:v[0-9]+]] = 0;
// CHECK: mm_init([[IN]], [[IN1]], [[OUT]], [[I]]);
// CHECK: mm_init_short([[IN]], [[IN1]], [[I]]);
// CHECK: matmul_tiles([[IN]], [[IN1]], [[I]], [[I]], [[I]]);
// CHECK: reduce_init<PoolType::SUM, ReduceDim::REDUCE_ROW>([[IN]], [[IN1]], [[OUT]]);
// CHECK: reduce_uninit();
// CHECK: transpose_wh_init([[IN]], [[OUT]]);
// CHECK: unary_op_init_common([[IN]], [[OUT]]);
// CHECK: fill_tile_int([[I]], [[I]]);
// CHECK: max_tile([[I]], [[I]]);
// CHECK: pack_tile_block([[I]], [[OUT]], [[I]]);
// CHECK: tilize_uninit([[ROWS]], [[OUT]]);
// CHECK: untilize_uninit([[IN]]);
func.func @compute(%in: !in, %in1: !in1, %rows: !rows, %out: !out) {
  %i = arith.constant 0 : i32
  "ttkernel.mm_init"(%in, %in1, %out, %i) : (!in, !in1, !out, i32) -> ()
  "ttkernel.mm_init_short"(%in, %in1, %i) : (!in, !in1, i32) -> ()
  "ttkernel.matmul_tiles"(%in, %in1, %i, %i, %i) : (!in, !in1, i32, i32, i32) -> ()
  "ttkernel.reduce_init"(%in, %in1, %out) <{pool_type = #ttkernel.pool_type<sum>, reduce_dim = #ttkernel.reduce_dim<row>}> : (!in, !in1, !out) -> ()
  "ttkernel.reduce_uninit"() : () -> ()
  "ttkernel.transpose_wh_init"(%in, %out) : (!in, !out) -> ()
  "ttkernel.unary_op_init_common"(%in, %out) : (!in, !out) -> ()
  "ttkernel.fill_tile_int"(%i, %i) : (i32, i32) -> ()
  "ttkernel.max_tile"(%i, %i) : (i32, i32) -> ()
  "ttkernel.pack_tile_block"(%i, %out, %i) : (i32, !out, i32) -> ()
  "ttkernel.tilize_uninit"(%rows, %out) : (!rows, !out) -> ()
  "ttkernel.untilize_uninit"(%in) : (!in) -> ()
  "ttkernel.return"() : () -> ()
}

// CHECK-LABEL: void move() {
// CHECK: int32_t [[ARG:v[0-9]+]] = get_common_arg_val<uint32_t>(
// CHECK: int32_t [[READ:v[0-9]+]] = get_read_ptr({{v[0-9]+}});
// CHECK: int32_t [[WRITE:v[0-9]+]] = get_write_ptr({{v[0-9]+}});
// CHECK: int32_t {{v[0-9]+}} = get_tile_size({{v[0-9]+}});
// CHECK: int32_t {{v[0-9]+}} = get_dataformat({{v[0-9]+}});
// CHECK: int32_t [[SEMAPHORE:v[0-9]+]] = get_semaphore([[ARG]]);
// CHECK: int64_t [[ALL:v[0-9]+]] = get_noc_multicast_addr([[ARG]], [[ARG]], [[ARG]], [[ARG]], [[SEMAPHORE]]);
// CHECK: noc_inline_dw_write([[ALL]], [[READ]]);
// CHECK: MEM_ZEROS_BASE
// CHECK: MEM_ZEROS_SIZE
func.func @move(%in: !in, %out: !out) {
  %zero = arith.constant 0 : i32
  %arg = "ttkernel.get_common_arg_val"(%zero) : (i32) -> i32
  %read = "ttkernel.get_read_ptr"(%in) : (!in) -> i32
  %write = "ttkernel.get_write_ptr"(%out) : (!out) -> i32
  %bytes = "ttkernel.get_tile_size"(%in) : (!in) -> i32
  %format = "ttkernel.get_dataformat"(%in) : (!in) -> i32
  %semaphore = "ttkernel.get_semaphore"(%arg) : (i32) -> i32
  %all = "ttkernel.get_noc_multicast_addr"(%arg, %arg, %arg, %arg, %semaphore) : (i32, i32, i32, i32, i32) -> !ttkernel.noc_addr
  "ttkernel.noc_inline_dw_write"(%all, %read) : (!ttkernel.noc_addr, i32) -> ()
  %base = "ttkernel.mem_zeros_base"() : () -> i32
  %size = "ttkernel.mem_zeros_size"() : () -> i32
  "ttkernel.store_to_l1"(%base, %write) <{bytes = 4 : i32}> : (i32, i32) -> ()
  "ttkernel.store_to_l1"(%size, %write) <{bytes = 4 : i32}> : (i32, i32) -> ()
  "ttkernel.store_to_l1"(%bytes, %write) <{bytes = 4 : i32}> : (i32, i32) -> ()
  "ttkernel.store_to_l1"(%format, %write) <{bytes = 4 : i32}> : (i32, i32) -> ()
  "ttkernel.return"() : () -> ()
}

// RUN: ttmlir-opt --convert-ttkernel-to-emitc %s | ttmlir-translate --mlir-to-cpp | FileCheck %s
// Attributes are template arguments; what the library has no function for is written out.
#l1_ = #tt.memory_space<l1>
!in = !ttkernel.cb<cb_in0, 1024, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>
!scaler = !ttkernel.cb<cb_int7, 33792, memref<1x1x!tt.tile<32x32, f32>, #l1_>, 4096, 1>
!out = !ttkernel.cb<cb_dfl1, 66560, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>
// CHECK-LABEL: void compute() {
// CHECK-DAG: ::tt::CB::c_in0;
// CHECK-DAG: ::tt::CB::c_intermed7;
// CHECK-DAG: ::tt::CB::dataflow1;
// CHECK: init_bcast<EltwiseBinaryType::ELWSUB, BroadcastType::COL>(
// CHECK: reduce_tile<PoolType::MAX, ReduceDim::REDUCE_ROW>(
// CHECK: binary_dest_reuse_tiles<EltwiseBinaryType::ELWMUL, EltwiseBinaryReuseDestType::DEST_TO_SRCA>(
// CHECK: binary_dest_reuse_tiles<EltwiseBinaryType::ELWADD, EltwiseBinaryReuseDestType::DEST_TO_SRCB>(
// CHECK: typecast_tile<static_cast<uint32_t>(DataFormat::Float32), static_cast<uint32_t>(DataFormat::Bfp8_b)>(
// CHECK: pack_tile<true>(
// CHECK: unpack_set_data_type(DataFormat::Float32, DataFormat::Float16_b);
func.func @compute(%in: !in, %scaler: !scaler, %out: !out) {
  %i = arith.constant 0 : i32
  "ttkernel.init_bcast"(%in, %scaler, %out) <{binary_type = #ttkernel.eltwise_binary_type<sub>, broadcast_type = #ttkernel.broadcast_type<col>}> : (!in, !scaler, !out) -> ()
  "ttkernel.reduce_tile"(%in, %scaler, %i, %i, %i) <{pool_type = #ttkernel.pool_type<max>, reduce_dim = #ttkernel.reduce_dim<row>}> : (!in, !scaler, i32, i32, i32) -> ()
  "ttkernel.binary_dest_reuse_tiles"(%in, %i, %i) <{binary_type = #ttkernel.eltwise_binary_type<mul>}> : (!in, i32, i32) -> ()
  "ttkernel.binary_dest_reuse_tiles"(%in, %i, %i) <{binary_type = #ttkernel.eltwise_binary_type<add>, dst_is_second}> : (!in, i32, i32) -> ()
  "ttkernel.typecast_tile"(%i) <{in_dtype = 0 : i32, out_dtype = 4 : i32}> : (i32) -> ()
  "ttkernel.pack_tile"(%i, %out, %i) <{out_of_order}> : (i32, !out, i32) -> ()
  "ttkernel.unpack_set_data_type"() <{data_type_a = 0 : i32, data_type_b = 2 : i32}> : () -> ()
  "ttkernel.return"() : () -> ()
}

// CHECK-LABEL: void move() {
// CHECK: int32_t [[ARG:v[0-9]+]] = get_arg_val<uint32_t>(
// CHECK: int32_t {{v[0-9]+}} = get_compile_time_arg_val(3);
// CHECK: TensorAccessor [[S:v[0-9]+]] = TensorAccessor(TensorAccessorArgs(false, {4, 8}, {2, 2}, {{[{][{]}}0, 0, 2, 4}}), [[ARG]], 2048, 2080);
// CHECK: int64_t {{v[0-9]+}} = get_noc_addr([[ARG]], [[S]], [[ARG]]);
// CHECK: int64_t {{v[0-9]+}} = get_noc_addr_from_bank_id<true>(
// CHECK: volatile tt_l1_ptr uint16_t* [[P:v[0-9]+]] = (volatile tt_l1_ptr uint16_t*) [[ARG]];
// CHECK: int32_t [[LOADED:v[0-9]+]] = *[[P]];
// CHECK: volatile tt_l1_ptr uint8_t* [[Q:v[0-9]+]] = (volatile tt_l1_ptr uint8_t*) [[ARG]];
// CHECK: *[[Q]] = [[LOADED]];
// CHECK: fill_with_val<uint16_t>(
// CHECK: volatile tt_l1_ptr uint32_t* [[SEM:v[0-9]+]] = (volatile tt_l1_ptr uint32_t*) [[ARG]];
// CHECK: noc_semaphore_wait([[SEM]], [[LOADED]]);
// CHECK: noc_semaphore_set({{v[0-9]+}}, my_x[noc_index]);
// CHECK: DPRINT << "row {" << [[ARG]] << "} of \"all\"" << ENDL();
// CHECK: DPRINT << "no {value}" << ENDL();
// CHECK: ASSERT({{v[0-9]+}}, "less \"than\"");
// CHECK: uint32_t [[X:v[0-9]+]] = (uint32_t) [[ARG]];
// CHECK: bool [[LESS:v[0-9]+]] = [[X]] < {{v[0-9]+}};
// CHECK: int32_t {{v[0-9]+}} = [[LESS]] ? [[ARG]] : [[LOADED]];
func.func @move() {
  %zero = arith.constant 0 : i32
  %arg = "ttkernel.get_arg_val"(%zero) : (i32) -> i32
  %compile = "ttkernel.get_compile_time_arg_val"() <{arg_index = 3 : i32}> : () -> i32
  %tensor = "ttkernel.tensor_accessor"(%arg) <{args = #ttkernel.tensor_accessor_args<l1, block_sharded, 2048, 2080, tensor = 4x8, shard = 2x2, cores = [<0x0, 2x4>]>}> : (i32) -> !ttkernel.tensor_accessor
  %noc = "ttkernel.tensor_accessor_get_noc_addr"(%tensor, %arg, %arg) : (!ttkernel.tensor_accessor, i32, i32) -> !ttkernel.noc_addr
  %bank = "ttkernel.get_noc_addr_from_bank_id"(%arg, %arg) <{dram}> : (i32, i32) -> !ttkernel.noc_addr
  %loaded = "ttkernel.load_from_l1"(%arg) <{bytes = 2 : i32}> : (i32) -> i32
  "ttkernel.store_to_l1"(%loaded, %arg) <{bytes = 1 : i32}> : (i32, i32) -> ()
  "ttkernel.fill_with_val"(%arg, %arg, %arg) <{bytes = 2 : i32}> : (i32, i32, i32) -> ()
  "ttkernel.noc_semaphore_wait"(%arg, %loaded) : (i32, i32) -> ()
  %x = "ttkernel.my_x"() : () -> i32
  "ttkernel.noc_semaphore_set"(%arg, %x) : (i32, i32) -> ()
  "ttkernel.dprint"(%arg) <{fmt = "row {{}} of \22all\22"}> : (i32) -> ()
  "ttkernel.dprint"() <{fmt = "no {value}"}> : () -> ()
  %less = arith.cmpi slt, %arg, %loaded : i32
  "ttkernel.assert"(%less) <{message = "less \22than\22"}> : (i1) -> ()
  %min = arith.minui %arg, %loaded : i32
  "ttkernel.store_to_l1"(%min, %arg) <{bytes = 4 : i32}> : (i32, i32) -> ()
  "ttkernel.unreachable"() : () -> ()
}

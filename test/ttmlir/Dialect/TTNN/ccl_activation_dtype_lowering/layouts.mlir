// RUN: ttmlir-opt --ttnn-ccl-activation-dtype-lowering %s | FileCheck %s
// RUN: ttmlir-opt --ttnn-ccl-activation-dtype-lowering --remarks --verify-diagnostics %s
// Where the tensors of a chain lie.
#dram = #tt.memory_space<dram>
#t = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<1x4x!tt.tile<32x32, bf16>, #dram>, interleaved>
#w = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<4x4x!tt.tile<32x32, bf16>, #dram>, interleaved>
#t8 = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<1x4x!tt.tile<32x32, bfp_bf8>, #dram>, interleaved>
#rows = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<32x128xbf16, #dram>, interleaved>
#host = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<32x128xbf16, #tt.memory_space<system>>>
#shards = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x4>, memref<1x1x!tt.tile<32x32, bf16>, #tt.memory_space<l1>>, block_sharded>
#d = #tt.device<workerGrid = #tt.grid<8x8, (d0, d1) -> (0, d0, d1)>, l1Map = (d0, d1)[s0, s1] -> (0, d0 floordiv s0, d1 floordiv s1, (d0 mod s0) * s1 + d1 mod s1), dramMap = (d0, d1)[s0, s1] -> (0, 0, ((((d0 floordiv s0) * 8 + d1 floordiv s1) * (s0 * s1) + (d0 mod s0) * s1 + d1 mod s1) floordiv 8192) mod 12, (((d0 floordiv s0) * 8 + d1 floordiv s1) * (s0 * s1) + (d0 mod s0) * s1 + d1 mod s1) floordiv 98304 + (((d0 floordiv s0) * 8 + d1 floordiv s1) * (s0 * s1) + (d0 mod s0) * s1 + d1 mod s1) mod 8192), meshShape = , chipIds = [0]>

// CHECK-DAG: #[[T:.*]] = #tt.layout<{{.*}}memref<1x4x!tt.tile<32x32, bf16>
// CHECK-DAG: #[[T8:.*]] = #tt.layout<{{.*}}memref<1x4x!tt.tile<32x32, bfp_bf8>
// CHECK-DAG: #[[S8:.*]] = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x4>, memref<1x1x!tt.tile<32x32, bfp_bf8>, #{{.*}}>, block_sharded>

// Shards in L1 and moves between memories keep grid, memory and memory layout.
// CHECK-LABEL: func.func @shards(
func.func @shards(%d: !tt.device<#d>, %x: tensor<32x128xbf16, #t>, %w: tensor<128x128xbf16, #w>, %residual: tensor<32x128xbf16, #t>) -> tensor<32x128xbf16, #t> {
  // CHECK: "ttnn.matmul"({{.*}} -> tensor<32x128xbf16, #[[S8]]>
  %e0 = "ttnn.empty"() <{dtype = #tt.supportedDataTypes<bf16>, layout = #ttnn.layout<tile>, shape = #ttnn.shape<32x128>}> : () -> tensor<32x128xbf16, #shards>
  %m = "ttnn.matmul"(%x, %w, %e0) : (tensor<32x128xbf16, #t>, tensor<128x128xbf16, #w>, tensor<32x128xbf16, #shards>) -> tensor<32x128xbf16, #shards>
  // CHECK: "ttnn.to_memory_config"({{.*}} -> tensor<32x128xbf16, #[[T8]]>
  %c = "ttnn.to_memory_config"(%m, %d) : (tensor<32x128xbf16, #shards>, !tt.device<#d>) -> tensor<32x128xbf16, #t>
  // expected-remark @below {{[Passed] Lowered}}
  %r = "ttnn.all_reduce"(%c) <{cluster_axis = 1 : ui32, reduce_type = #tt.reduce_type<sum>}> : (tensor<32x128xbf16, #t>) -> tensor<32x128xbf16, #t>
  // CHECK: "ttnn.to_layout"({{.*}} -> tensor<32x128xbf16, #[[S8]]>
  %l = "ttnn.to_layout"(%r, %d) <{layout = #ttnn.layout<tile>}> : (tensor<32x128xbf16, #t>, !tt.device<#d>) -> tensor<32x128xbf16, #shards>
  // CHECK: "ttnn.to_device"({{.*}}<block_sharded>, <l1>{{.*}} -> tensor<32x128xbf16, #[[S8]]>
  %v = "ttnn.to_device"(%l, %d) <{memory_config = #ttnn.memory_config<<block_sharded>, <l1>>}> : (tensor<32x128xbf16, #shards>, !tt.device<#d>) -> tensor<32x128xbf16, #shards>
  // CHECK: "ttnn.add"({{.*}} : (tensor<32x128xbf16, #[[T]]>, tensor<32x128xbf16, #[[S8]]>, tensor<32x128xbf16, #[[T]]>)
  %e1 = "ttnn.empty"() <{dtype = #tt.supportedDataTypes<bf16>, layout = #ttnn.layout<tile>, shape = #ttnn.shape<32x128>}> : () -> tensor<32x128xbf16, #t>
  %y = "ttnn.add"(%residual, %v, %e1) <{operandSegmentSizes = array<i32: 2, 1>}> : (tensor<32x128xbf16, #t>, tensor<32x128xbf16, #shards>, tensor<32x128xbf16, #t>) -> tensor<32x128xbf16, #t>
  return %y : tensor<32x128xbf16, #t>
}

// There are no block floats without tiles,
// CHECK-LABEL: func.func @rows(
func.func @rows(%x: tensor<32x128xbf16, #t>, %w: tensor<128x128xbf16, #w>, %residual: tensor<32x128xbf16, #t>) -> tensor<32x128xbf16, #t> {
  // CHECK-NOT: #[[T8]]>
  %e0 = "ttnn.empty"() <{dtype = #tt.supportedDataTypes<bf16>, layout = #ttnn.layout<row_major>, shape = #ttnn.shape<32x128>}> : () -> tensor<32x128xbf16, #rows>
  %m = "ttnn.matmul"(%x, %w, %e0) : (tensor<32x128xbf16, #t>, tensor<128x128xbf16, #w>, tensor<32x128xbf16, #rows>) -> tensor<32x128xbf16, #rows>
  // expected-remark @below {{the result of ttnn.matmul is not in tiles of 32x32 on the device}}
  %r = "ttnn.all_reduce"(%m) <{cluster_axis = 1 : ui32, reduce_type = #tt.reduce_type<sum>}> : (tensor<32x128xbf16, #rows>) -> tensor<32x128xbf16, #t>
  %e1 = "ttnn.empty"() <{dtype = #tt.supportedDataTypes<bf16>, layout = #ttnn.layout<tile>, shape = #ttnn.shape<32x128>}> : () -> tensor<32x128xbf16, #t>
  %y = "ttnn.add"(%residual, %r, %e1) <{operandSegmentSizes = array<i32: 2, 1>}> : (tensor<32x128xbf16, #t>, tensor<32x128xbf16, #t>, tensor<32x128xbf16, #t>) -> tensor<32x128xbf16, #t>
  return %y : tensor<32x128xbf16, #t>
}

// none on the host,
// CHECK-LABEL: func.func @host(
func.func @host(%d: !tt.device<#d>, %x: tensor<32x128xbf16, #t>, %w: tensor<128x128xbf16, #w>, %residual: tensor<32x128xbf16, #t>) -> tensor<32x128xbf16, #t> {
  // CHECK-NOT: #[[T8]]>
  %e0 = "ttnn.empty"() <{dtype = #tt.supportedDataTypes<bf16>, layout = #ttnn.layout<tile>, shape = #ttnn.shape<32x128>}> : () -> tensor<32x128xbf16, #t>
  %m = "ttnn.matmul"(%x, %w, %e0) : (tensor<32x128xbf16, #t>, tensor<128x128xbf16, #w>, tensor<32x128xbf16, #t>) -> tensor<32x128xbf16, #t>
  // expected-remark @below {{the result of ttnn.to_memory_config is not in tiles of 32x32 on the device}}
  %r = "ttnn.all_reduce"(%m) <{cluster_axis = 1 : ui32, reduce_type = #tt.reduce_type<sum>}> : (tensor<32x128xbf16, #t>) -> tensor<32x128xbf16, #t>
  %h = "ttnn.to_memory_config"(%r, %d) : (tensor<32x128xbf16, #t>, !tt.device<#d>) -> tensor<32x128xbf16, #host>
  %e1 = "ttnn.empty"() <{dtype = #tt.supportedDataTypes<bf16>, layout = #ttnn.layout<tile>, shape = #ttnn.shape<32x128>}> : () -> tensor<32x128xbf16, #t>
  %y = "ttnn.add"(%residual, %h, %e1) <{operandSegmentSizes = array<i32: 2, 1>}> : (tensor<32x128xbf16, #t>, tensor<32x128xbf16, #host>, tensor<32x128xbf16, #t>) -> tensor<32x128xbf16, #t>
  return %y : tensor<32x128xbf16, #t>
}

// and nothing to do for those that are there.
// CHECK-LABEL: func.func @already(
func.func @already(%x: tensor<32x128xbf16, #t>, %w: tensor<128x128xbf16, #w>, %residual: tensor<32x128xbf16, #t>) -> tensor<32x128xbf16, #t> {
  %e0 = "ttnn.empty"() <{dtype = #tt.supportedDataTypes<bfp_bf8>, layout = #ttnn.layout<tile>, shape = #ttnn.shape<32x128>}> : () -> tensor<32x128xbf16, #t8>
  %m = "ttnn.matmul"(%x, %w, %e0) : (tensor<32x128xbf16, #t>, tensor<128x128xbf16, #w>, tensor<32x128xbf16, #t8>) -> tensor<32x128xbf16, #t8>
  // expected-remark @below {{the result of ttnn.matmul is bfp_bf8, expected bf16}}
  %r = "ttnn.all_reduce"(%m) <{cluster_axis = 1 : ui32, reduce_type = #tt.reduce_type<sum>}> : (tensor<32x128xbf16, #t8>) -> tensor<32x128xbf16, #t8>
  %e1 = "ttnn.empty"() <{dtype = #tt.supportedDataTypes<bf16>, layout = #ttnn.layout<tile>, shape = #ttnn.shape<32x128>}> : () -> tensor<32x128xbf16, #t>
  %y = "ttnn.add"(%residual, %r, %e1) <{operandSegmentSizes = array<i32: 2, 1>}> : (tensor<32x128xbf16, #t>, tensor<32x128xbf16, #t8>, tensor<32x128xbf16, #t>) -> tensor<32x128xbf16, #t>
  return %y : tensor<32x128xbf16, #t>
}

// RUN: ttmlir-opt --ttnn-ccl-activation-dtype-lowering %s | FileCheck %s
// RUN: ttmlir-opt --ttnn-ccl-activation-dtype-lowering --remarks --verify-diagnostics %s
// Which ops of a mesh may be on the way. (all_gather and reduce_scatter are in projection.mlir.)
#dram = #tt.memory_space<dram>
#t = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<1x4x!tt.tile<32x32, bf16>, #dram>, interleaved>
#w = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<4x4x!tt.tile<32x32, bf16>, #dram>, interleaved>
#half = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<1x2x!tt.tile<32x32, bf16>, #dram>, interleaved>
#long = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<1x8x!tt.tile<32x32, bf16>, #dram>, interleaved>

// CHECK-DAG: #[[T:.*]] = #tt.layout<{{.*}}memref<1x4x!tt.tile<32x32, bf16>
// CHECK-DAG: #[[T8:.*]] = #tt.layout<{{.*}}memref<1x4x!tt.tile<32x32, bfp_bf8>
// CHECK-DAG: #[[H8:.*]] = #tt.layout<{{.*}}memref<1x2x!tt.tile<32x32, bfp_bf8>

// All that move tensors over links.
// CHECK-LABEL: func.func @each(
func.func @each(%x: tensor<32x128xbf16, #t>, %w: tensor<128x128xbf16, #w>, %residual: tensor<32x128xbf16, #t>) -> tensor<32x128xbf16, #t> {
  %e0 = "ttnn.empty"() <{dtype = #tt.supportedDataTypes<bf16>, layout = #ttnn.layout<tile>, shape = #ttnn.shape<32x128>}> : () -> tensor<32x128xbf16, #t>
  %m = "ttnn.matmul"(%x, %w, %e0) : (tensor<32x128xbf16, #t>, tensor<128x128xbf16, #w>, tensor<32x128xbf16, #t>) -> tensor<32x128xbf16, #t>
  // CHECK: "ttnn.all_reduce"({{.*}} -> tensor<32x128xbf16, #[[T8]]>
  // expected-remark @below {{[Passed] Lowered}}
  %c0 = "ttnn.all_reduce"(%m) <{cluster_axis = 1 : ui32, reduce_type = #tt.reduce_type<sum>}> : (tensor<32x128xbf16, #t>) -> tensor<32x128xbf16, #t>
  // CHECK: "ttnn.collective_permute"({{.*}} -> tensor<32x128xbf16, #[[T8]]>
  // expected-remark @below {{[Passed] Lowered}}
  %c1 = "ttnn.collective_permute"(%c0) <{source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}> : (tensor<32x128xbf16, #t>) -> tensor<32x128xbf16, #t>
  // CHECK: "ttnn.collective_broadcast"({{.*}} -> tensor<32x128xbf16, #[[T8]]>
  // expected-remark @below {{[Passed] Lowered}}
  %c2 = "ttnn.collective_broadcast"(%c1) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<32x128xbf16, #t>) -> tensor<32x128xbf16, #t>
  %e1 = "ttnn.empty"() <{dtype = #tt.supportedDataTypes<bf16>, layout = #ttnn.layout<tile>, shape = #ttnn.shape<32x128>}> : () -> tensor<32x128xbf16, #t>
  %y = "ttnn.add"(%residual, %c2, %e1) <{operandSegmentSizes = array<i32: 2, 1>}> : (tensor<32x128xbf16, #t>, tensor<32x128xbf16, #t>, tensor<32x128xbf16, #t>) -> tensor<32x128xbf16, #t>
  return %y : tensor<32x128xbf16, #t>
}

// A chip takes its part from what it has: nothing crosses a link, so this alone lowers nothing.
// CHECK-LABEL: func.func @partition(
func.func @partition(%x: tensor<32x128xbf16, #t>, %w: tensor<128x128xbf16, #w>, %residual: tensor<32x64xbf16, #half>) -> tensor<32x64xbf16, #half> {
  // CHECK: "ttnn.matmul"({{.*}} -> tensor<32x128xbf16, #[[T]]>
  %e0 = "ttnn.empty"() <{dtype = #tt.supportedDataTypes<bf16>, layout = #ttnn.layout<tile>, shape = #ttnn.shape<32x128>}> : () -> tensor<32x128xbf16, #t>
  %m = "ttnn.matmul"(%x, %w, %e0) : (tensor<32x128xbf16, #t>, tensor<128x128xbf16, #w>, tensor<32x128xbf16, #t>) -> tensor<32x128xbf16, #t>
  %p = "ttnn.mesh_partition"(%m) <{cluster_axis = 1 : ui32, dim = 1 : si32}> : (tensor<32x128xbf16, #t>) -> tensor<32x64xbf16, #half>
  %e1 = "ttnn.empty"() <{dtype = #tt.supportedDataTypes<bf16>, layout = #ttnn.layout<tile>, shape = #ttnn.shape<32x64>}> : () -> tensor<32x64xbf16, #half>
  %y = "ttnn.add"(%residual, %p, %e1) <{operandSegmentSizes = array<i32: 2, 1>}> : (tensor<32x64xbf16, #half>, tensor<32x64xbf16, #half>, tensor<32x64xbf16, #half>) -> tensor<32x64xbf16, #half>
  return %y : tensor<32x64xbf16, #half>
}

// On the way it is passed; all_gather puts the parts together.
// CHECK-LABEL: func.func @on_the_way(
func.func @on_the_way(%x: tensor<32x128xbf16, #t>, %w: tensor<128x128xbf16, #w>, %residual: tensor<32x128xbf16, #t>) -> tensor<32x128xbf16, #t> {
  %e0 = "ttnn.empty"() <{dtype = #tt.supportedDataTypes<bf16>, layout = #ttnn.layout<tile>, shape = #ttnn.shape<32x128>}> : () -> tensor<32x128xbf16, #t>
  %m = "ttnn.matmul"(%x, %w, %e0) : (tensor<32x128xbf16, #t>, tensor<128x128xbf16, #w>, tensor<32x128xbf16, #t>) -> tensor<32x128xbf16, #t>
  // expected-remark @below {{[Passed] Lowered}}
  %r = "ttnn.all_reduce"(%m) <{cluster_axis = 1 : ui32, reduce_type = #tt.reduce_type<sum>}> : (tensor<32x128xbf16, #t>) -> tensor<32x128xbf16, #t>
  // CHECK: "ttnn.mesh_partition"({{.*}} -> tensor<32x64xbf16, #[[H8]]>
  %p = "ttnn.mesh_partition"(%r) <{cluster_axis = 1 : ui32, dim = 1 : si32}> : (tensor<32x128xbf16, #t>) -> tensor<32x64xbf16, #half>
  // CHECK: "ttnn.all_gather"({{.*}} -> tensor<32x128xbf16, #[[T8]]>
  // expected-remark @below {{[Passed] Lowered}}
  %g = "ttnn.all_gather"(%p) <{all_gather_dim = 1 : si32, cluster_axis = 1 : ui32}> : (tensor<32x64xbf16, #half>) -> tensor<32x128xbf16, #t>
  %e1 = "ttnn.empty"() <{dtype = #tt.supportedDataTypes<bf16>, layout = #ttnn.layout<tile>, shape = #ttnn.shape<32x128>}> : () -> tensor<32x128xbf16, #t>
  %y = "ttnn.add"(%residual, %g, %e1) <{operandSegmentSizes = array<i32: 2, 1>}> : (tensor<32x128xbf16, #t>, tensor<32x128xbf16, #t>, tensor<32x128xbf16, #t>) -> tensor<32x128xbf16, #t>
  return %y : tensor<32x128xbf16, #t>
}

// CHECK-LABEL: func.func @exchange(
func.func @exchange(%x: tensor<32x128xbf16, #t>, %w: tensor<128x128xbf16, #w>, %residual: tensor<16x256xbf16, #long>) -> tensor<16x256xbf16, #long> {
  %e0 = "ttnn.empty"() <{dtype = #tt.supportedDataTypes<bf16>, layout = #ttnn.layout<tile>, shape = #ttnn.shape<32x128>}> : () -> tensor<32x128xbf16, #t>
  %m = "ttnn.matmul"(%x, %w, %e0) : (tensor<32x128xbf16, #t>, tensor<128x128xbf16, #w>, tensor<32x128xbf16, #t>) -> tensor<32x128xbf16, #t>
  // CHECK: "ttnn.all_to_all"({{.*}} -> tensor<16x256xbf16, #{{.*}}>
  // expected-remark @below {{[Passed] Lowered}}
  %a = "ttnn.all_to_all"(%m) <{concat_dim = 1 : si32, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, split_count = 2 : si32, split_dim = 0 : si32}> : (tensor<32x128xbf16, #t>) -> tensor<16x256xbf16, #long>
  %e1 = "ttnn.empty"() <{dtype = #tt.supportedDataTypes<bf16>, layout = #ttnn.layout<tile>, shape = #ttnn.shape<16x256>}> : () -> tensor<16x256xbf16, #long>
  %y = "ttnn.add"(%residual, %a, %e1) <{operandSegmentSizes = array<i32: 2, 1>}> : (tensor<16x256xbf16, #long>, tensor<16x256xbf16, #long>, tensor<16x256xbf16, #long>) -> tensor<16x256xbf16, #long>
  return %y : tensor<16x256xbf16, #long>
}

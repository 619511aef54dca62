// RUN: ttmlir-opt --ttnn-ccl-activation-dtype-lowering %s | FileCheck %s
// RUN: ttmlir-opt --ttnn-ccl-activation-dtype-lowering --remarks --verify-diagnostics %s
// Both operands of the multiply, what it gives and what comes behind it become bfp_bf8.
#dram = #tt.memory_space<dram>
#t = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<1x4x!tt.tile<32x32, bf16>, #dram>, interleaved>
#w = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<4x4x!tt.tile<32x32, bf16>, #dram>, interleaved>

// CHECK-DAG: #[[T:.*]] = #tt.layout<{{.*}}memref<1x4x!tt.tile<32x32, bf16>
// CHECK-DAG: #[[T8:.*]] = #tt.layout<{{.*}}memref<1x4x!tt.tile<32x32, bfp_bf8>

// Llama's: silu(x W1) * (x W3), then W2, with collectives at all three products.
// CHECK-LABEL: func.func @mlp(
func.func @mlp(%x: tensor<32x128xbf16, #t>, %w1: tensor<128x128xbf16, #w>, %w2: tensor<128x128xbf16, #w>, %w3: tensor<128x128xbf16, #w>, %residual: tensor<32x128xbf16, #t>) -> tensor<32x128xbf16, #t> {
  // CHECK: %[[M1:.*]] = "ttnn.matmul"(%arg0, %arg1, {{.*}} -> tensor<32x128xbf16, #[[T8]]>
  %e0 = "ttnn.empty"() <{dtype = #tt.supportedDataTypes<bf16>, layout = #ttnn.layout<tile>, shape = #ttnn.shape<32x128>}> : () -> tensor<32x128xbf16, #t>
  %m1 = "ttnn.matmul"(%x, %w1, %e0) : (tensor<32x128xbf16, #t>, tensor<128x128xbf16, #w>, tensor<32x128xbf16, #t>) -> tensor<32x128xbf16, #t>
  // expected-remark @below {{[Passed] Lowered}}
  %r1 = "ttnn.all_reduce"(%m1) <{cluster_axis = 1 : ui32, reduce_type = #tt.reduce_type<sum>}> : (tensor<32x128xbf16, #t>) -> tensor<32x128xbf16, #t>
  // CHECK: %[[S:.*]] = "ttnn.silu"({{.*}} -> tensor<32x128xbf16, #[[T8]]>
  %e1 = "ttnn.empty"() <{dtype = #tt.supportedDataTypes<bf16>, layout = #ttnn.layout<tile>, shape = #ttnn.shape<32x128>}> : () -> tensor<32x128xbf16, #t>
  %s = "ttnn.silu"(%r1, %e1) <{operandSegmentSizes = array<i32: 1, 1>}> : (tensor<32x128xbf16, #t>, tensor<32x128xbf16, #t>) -> tensor<32x128xbf16, #t>
  // CHECK: %[[M3:.*]] = "ttnn.matmul"(%arg0, %arg3, {{.*}} -> tensor<32x128xbf16, #[[T8]]>
  %e2 = "ttnn.empty"() <{dtype = #tt.supportedDataTypes<bf16>, layout = #ttnn.layout<tile>, shape = #ttnn.shape<32x128>}> : () -> tensor<32x128xbf16, #t>
  %m3 = "ttnn.matmul"(%x, %w3, %e2) : (tensor<32x128xbf16, #t>, tensor<128x128xbf16, #w>, tensor<32x128xbf16, #t>) -> tensor<32x128xbf16, #t>
  // expected-remark @below {{[Passed] Lowered}}
  %r3 = "ttnn.all_reduce"(%m3) <{cluster_axis = 1 : ui32, reduce_type = #tt.reduce_type<sum>}> : (tensor<32x128xbf16, #t>) -> tensor<32x128xbf16, #t>
  // CHECK: "ttnn.empty"() <{dtype = #tt.supportedDataTypes<bfp_bf8>
  // CHECK-NEXT: %[[P:.*]] = "ttnn.multiply"(%[[S]], {{.*}} : (tensor<32x128xbf16, #[[T8]]>, tensor<32x128xbf16, #[[T8]]>, tensor<32x128xbf16, #[[T8]]>) -> tensor<32x128xbf16, #[[T8]]>
  %e3 = "ttnn.empty"() <{dtype = #tt.supportedDataTypes<bf16>, layout = #ttnn.layout<tile>, shape = #ttnn.shape<32x128>}> : () -> tensor<32x128xbf16, #t>
  %p = "ttnn.multiply"(%s, %r3, %e3) <{operandSegmentSizes = array<i32: 2, 1>}> : (tensor<32x128xbf16, #t>, tensor<32x128xbf16, #t>, tensor<32x128xbf16, #t>) -> tensor<32x128xbf16, #t>
  // CHECK: %[[M2:.*]] = "ttnn.matmul"(%[[P]], %arg2, {{.*}} -> tensor<32x128xbf16, #[[T8]]>
  %e4 = "ttnn.empty"() <{dtype = #tt.supportedDataTypes<bf16>, layout = #ttnn.layout<tile>, shape = #ttnn.shape<32x128>}> : () -> tensor<32x128xbf16, #t>
  %m2 = "ttnn.matmul"(%p, %w2, %e4) : (tensor<32x128xbf16, #t>, tensor<128x128xbf16, #w>, tensor<32x128xbf16, #t>) -> tensor<32x128xbf16, #t>
  // expected-remark @below {{[Passed] Lowered}}
  %r2 = "ttnn.all_reduce"(%m2) <{cluster_axis = 1 : ui32, reduce_type = #tt.reduce_type<sum>}> : (tensor<32x128xbf16, #t>) -> tensor<32x128xbf16, #t>
  // CHECK: "ttnn.empty"() <{dtype = #tt.supportedDataTypes<bf16>
  // CHECK-NEXT: "ttnn.add"(%arg4, {{.*}} : (tensor<32x128xbf16, #[[T]]>, tensor<32x128xbf16, #[[T8]]>, tensor<32x128xbf16, #[[T]]>) -> tensor<32x128xbf16, #[[T]]>
  %e5 = "ttnn.empty"() <{dtype = #tt.supportedDataTypes<bf16>, layout = #ttnn.layout<tile>, shape = #ttnn.shape<32x128>}> : () -> tensor<32x128xbf16, #t>
  %y = "ttnn.add"(%residual, %r2, %e5) <{operandSegmentSizes = array<i32: 2, 1>}> : (tensor<32x128xbf16, #t>, tensor<32x128xbf16, #t>, tensor<32x128xbf16, #t>) -> tensor<32x128xbf16, #t>
  return %y : tensor<32x128xbf16, #t>
}

// The product may be moved before W2 reads it.
// CHECK-LABEL: func.func @behind(
func.func @behind(%x: tensor<32x128xbf16, #t>, %w1: tensor<128x128xbf16, #w>, %w2: tensor<128x128xbf16, #w>, %w3: tensor<128x128xbf16, #w>, %residual: tensor<32x128xbf16, #t>) -> tensor<32x128xbf16, #t> {
  %e0 = "ttnn.empty"() <{dtype = #tt.supportedDataTypes<bf16>, layout = #ttnn.layout<tile>, shape = #ttnn.shape<32x128>}> : () -> tensor<32x128xbf16, #t>
  %m1 = "ttnn.matmul"(%x, %w1, %e0) : (tensor<32x128xbf16, #t>, tensor<128x128xbf16, #w>, tensor<32x128xbf16, #t>) -> tensor<32x128xbf16, #t>
  %e1 = "ttnn.empty"() <{dtype = #tt.supportedDataTypes<bf16>, layout = #ttnn.layout<tile>, shape = #ttnn.shape<32x128>}> : () -> tensor<32x128xbf16, #t>
  %s = "ttnn.silu"(%m1, %e1) <{operandSegmentSizes = array<i32: 1, 1>}> : (tensor<32x128xbf16, #t>, tensor<32x128xbf16, #t>) -> tensor<32x128xbf16, #t>
  %e2 = "ttnn.empty"() <{dtype = #tt.supportedDataTypes<bf16>, layout = #ttnn.layout<tile>, shape = #ttnn.shape<32x128>}> : () -> tensor<32x128xbf16, #t>
  %m3 = "ttnn.matmul"(%x, %w3, %e2) : (tensor<32x128xbf16, #t>, tensor<128x128xbf16, #w>, tensor<32x128xbf16, #t>) -> tensor<32x128xbf16, #t>
  // CHECK: "ttnn.multiply"({{.*}} -> tensor<32x128xbf16, #[[T8]]>
  %e3 = "ttnn.empty"() <{dtype = #tt.supportedDataTypes<bf16>, layout = #ttnn.layout<tile>, shape = #ttnn.shape<32x128>}> : () -> tensor<32x128xbf16, #t>
  %p = "ttnn.multiply"(%m3, %s, %e3) <{operandSegmentSizes = array<i32: 2, 1>}> : (tensor<32x128xbf16, #t>, tensor<32x128xbf16, #t>, tensor<32x128xbf16, #t>) -> tensor<32x128xbf16, #t>
  // CHECK: "ttnn.collective_permute"({{.*}} -> tensor<32x128xbf16, #[[T8]]>
  // expected-remark @below {{[Passed] Lowered}}
  %g = "ttnn.collective_permute"(%p) <{source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}> : (tensor<32x128xbf16, #t>) -> tensor<32x128xbf16, #t>
  // CHECK: "ttnn.matmul"({{.*}} -> tensor<32x128xbf16, #[[T8]]>
  %e4 = "ttnn.empty"() <{dtype = #tt.supportedDataTypes<bf16>, layout = #ttnn.layout<tile>, shape = #ttnn.shape<32x128>}> : () -> tensor<32x128xbf16, #t>
  %m2 = "ttnn.matmul"(%g, %w2, %e4) : (tensor<32x128xbf16, #t>, tensor<128x128xbf16, #w>, tensor<32x128xbf16, #t>) -> tensor<32x128xbf16, #t>
  // expected-remark @below {{[Passed] Lowered}}
  %r2 = "ttnn.all_reduce"(%m2) <{cluster_axis = 1 : ui32, reduce_type = #tt.reduce_type<sum>}> : (tensor<32x128xbf16, #t>) -> tensor<32x128xbf16, #t>
  // CHECK: "ttnn.add"({{.*}} -> tensor<32x128xbf16, #[[T]]>
  %e5 = "ttnn.empty"() <{dtype = #tt.supportedDataTypes<bf16>, layout = #ttnn.layout<tile>, shape = #ttnn.shape<32x128>}> : () -> tensor<32x128xbf16, #t>
  %y = "ttnn.add"(%r2, %residual, %e5) <{operandSegmentSizes = array<i32: 2, 1>}> : (tensor<32x128xbf16, #t>, tensor<32x128xbf16, #t>, tensor<32x128xbf16, #t>) -> tensor<32x128xbf16, #t>
  return %y : tensor<32x128xbf16, #t>
}

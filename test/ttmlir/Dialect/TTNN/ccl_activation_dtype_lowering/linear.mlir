// RUN: ttmlir-opt --ttnn-ccl-activation-dtype-lowering %s | FileCheck %s
// RUN: ttmlir-opt --ttnn-ccl-activation-dtype-lowering --remarks --verify-diagnostics %s
// ttnn.linear matches as ttnn.matmul does.
#dram = #tt.memory_space<dram>
#t = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<1x4x!tt.tile<32x32, bf16>, #dram>, interleaved>
#w = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<4x4x!tt.tile<32x32, bf16>, #dram>, interleaved>
#bias = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<1x4x!tt.tile<32x32, bf16>, #dram>, interleaved>

// CHECK-DAG: #[[T:[a-z0-9_]*]] = #tt.layout<{{.*}}memref<1x4x!tt.tile<32x32, bf16>
// CHECK-DAG: #[[T8:[a-z0-9_]*]] = #tt.layout<{{.*}}memref<1x4x!tt.tile<32x32, bfp_bf8>

// CHECK-LABEL: func.func @linear(
func.func @linear(%x: tensor<32x128xbf16, #t>, %w1: tensor<128x128xbf16, #w>, %w2: tensor<128x128xbf16, #w>, %w3: tensor<128x128xbf16, #w>, %bias: tensor<1x128xbf16, #bias>, %residual: tensor<32x128xbf16, #t>) -> tensor<32x128xbf16, #t> {
  // CHECK: "ttnn.linear"(%arg0, %arg1, {{.*}} -> tensor<32x128xbf16, #[[T8]]>
  %e0 = "ttnn.empty"() <{dtype = #tt.supportedDataTypes<bf16>, layout = #ttnn.layout<tile>, shape = #ttnn.shape<32x128>}> : () -> tensor<32x128xbf16, #t>
  %m1 = "ttnn.linear"(%x, %w1, %bias, %e0) <{operandSegmentSizes = array<i32: 1, 1, 1, 1>}> : (tensor<32x128xbf16, #t>, tensor<128x128xbf16, #w>, tensor<1x128xbf16, #bias>, tensor<32x128xbf16, #t>) -> tensor<32x128xbf16, #t>
  // expected-remark @below {{[Passed] Lowered}}
  %r1 = "ttnn.all_reduce"(%m1) <{cluster_axis = 1 : ui32, reduce_type = #tt.reduce_type<sum>}> : (tensor<32x128xbf16, #t>) -> tensor<32x128xbf16, #t>
  // CHECK: "ttnn.linear"(%arg0, %arg3, {{.*}} -> tensor<32x128xbf16, #[[T8]]>
  %e1 = "ttnn.empty"() <{dtype = #tt.supportedDataTypes<bf16>, layout = #ttnn.layout<tile>, shape = #ttnn.shape<32x128>}> : () -> tensor<32x128xbf16, #t>
  %m3 = "ttnn.linear"(%x, %w3, %bias, %e1) <{operandSegmentSizes = array<i32: 1, 1, 1, 1>}> : (tensor<32x128xbf16, #t>, tensor<128x128xbf16, #w>, tensor<1x128xbf16, #bias>, tensor<32x128xbf16, #t>) -> tensor<32x128xbf16, #t>
  // CHECK: %[[P:.*]] = "ttnn.multiply"({{.*}} -> tensor<32x128xbf16, #[[T8]]>
  %e2 = "ttnn.empty"() <{dtype = #tt.supportedDataTypes<bf16>, layout = #ttnn.layout<tile>, shape = #ttnn.shape<32x128>}> : () -> tensor<32x128xbf16, #t>
  %p = "ttnn.multiply"(%r1, %m3, %e2) <{operandSegmentSizes = array<i32: 2, 1>}> : (tensor<32x128xbf16, #t>, tensor<32x128xbf16, #t>, tensor<32x128xbf16, #t>) -> tensor<32x128xbf16, #t>
  // CHECK: "ttnn.linear"(%[[P]], %arg2, %arg4, {{.*}} -> tensor<32x128xbf16, #[[T8]]>
  %e3 = "ttnn.empty"() <{dtype = #tt.supportedDataTypes<bf16>, layout = #ttnn.layout<tile>, shape = #ttnn.shape<32x128>}> : () -> tensor<32x128xbf16, #t>
  %m2 = "ttnn.linear"(%p, %w2, %bias, %e3) <{operandSegmentSizes = array<i32: 1, 1, 1, 1>}> : (tensor<32x128xbf16, #t>, tensor<128x128xbf16, #w>, tensor<1x128xbf16, #bias>, tensor<32x128xbf16, #t>) -> tensor<32x128xbf16, #t>
  // expected-remark @below {{[Passed] Lowered}}
  %r2 = "ttnn.all_reduce"(%m2) <{cluster_axis = 1 : ui32, reduce_type = #tt.reduce_type<sum>}> : (tensor<32x128xbf16, #t>) -> tensor<32x128xbf16, #t>
  // CHECK: "ttnn.add"({{.*}} : (tensor<32x128xbf16, #[[T]]>, tensor<32x128xbf16, #[[T8]]>, tensor<32x128xbf16, #[[T]]>)
  %e4 = "ttnn.empty"() <{dtype = #tt.supportedDataTypes<bf16>, layout = #ttnn.layout<tile>, shape = #ttnn.shape<32x128>}> : () -> tensor<32x128xbf16, #t>
  %y = "ttnn.add"(%residual, %r2, %e4) <{operandSegmentSizes = array<i32: 2, 1>}> : (tensor<32x128xbf16, #t>, tensor<32x128xbf16, #t>, tensor<32x128xbf16, #t>) -> tensor<32x128xbf16, #t>
  return %y : tensor<32x128xbf16, #t>
}

// The product of the gate is not the activations of the linear but its bias.
// CHECK-LABEL: func.func @as_bias(
func.func @as_bias(%x: tensor<32x128xbf16, #t>, %w1: tensor<128x128xbf16, #w>, %w2: tensor<128x128xbf16, #w>, %w3: tensor<128x128xbf16, #w>, %residual: tensor<32x128xbf16, #t>) -> tensor<32x128xbf16, #t> {
  %e0 = "ttnn.empty"() <{dtype = #tt.supportedDataTypes<bf16>, layout = #ttnn.layout<tile>, shape = #ttnn.shape<32x128>}> : () -> tensor<32x128xbf16, #t>
  %m1 = "ttnn.matmul"(%x, %w1, %e0) : (tensor<32x128xbf16, #t>, tensor<128x128xbf16, #w>, tensor<32x128xbf16, #t>) -> tensor<32x128xbf16, #t>
  // expected-remark @below {{the tensor is operand 2 of the ttnn.linear behind ttnn.multiply, expected operand 0, the activations}}
  %r1 = "ttnn.all_reduce"(%m1) <{cluster_axis = 1 : ui32, reduce_type = #tt.reduce_type<sum>}> : (tensor<32x128xbf16, #t>) -> tensor<32x128xbf16, #t>
  %e1 = "ttnn.empty"() <{dtype = #tt.supportedDataTypes<bf16>, layout = #ttnn.layout<tile>, shape = #ttnn.shape<32x128>}> : () -> tensor<32x128xbf16, #t>
  %m3 = "ttnn.matmul"(%x, %w3, %e1) : (tensor<32x128xbf16, #t>, tensor<128x128xbf16, #w>, tensor<32x128xbf16, #t>) -> tensor<32x128xbf16, #t>
  // CHECK: "ttnn.multiply"({{.*}} -> tensor<32x128xbf16, #[[T]]>
  %e2 = "ttnn.empty"() <{dtype = #tt.supportedDataTypes<bf16>, layout = #ttnn.layout<tile>, shape = #ttnn.shape<32x128>}> : () -> tensor<32x128xbf16, #t>
  %p = "ttnn.multiply"(%r1, %m3, %e2) <{operandSegmentSizes = array<i32: 2, 1>}> : (tensor<32x128xbf16, #t>, tensor<32x128xbf16, #t>, tensor<32x128xbf16, #t>) -> tensor<32x128xbf16, #t>
  %e3 = "ttnn.empty"() <{dtype = #tt.supportedDataTypes<bf16>, layout = #ttnn.layout<tile>, shape = #ttnn.shape<32x128>}> : () -> tensor<32x128xbf16, #t>
  %m2 = "ttnn.linear"(%x, %w2, %p, %e3) <{operandSegmentSizes = array<i32: 1, 1, 1, 1>}> : (tensor<32x128xbf16, #t>, tensor<128x128xbf16, #w>, tensor<32x128xbf16, #t>, tensor<32x128xbf16, #t>) -> tensor<32x128xbf16, #t>
  // expected-remark @below {{[Passed] Lowered}}
  %r2 = "ttnn.all_reduce"(%m2) <{cluster_axis = 1 : ui32, reduce_type = #tt.reduce_type<sum>}> : (tensor<32x128xbf16, #t>) -> tensor<32x128xbf16, #t>
  %e4 = "ttnn.empty"() <{dtype = #tt.supportedDataTypes<bf16>, layout = #ttnn.layout<tile>, shape = #ttnn.shape<32x128>}> : () -> tensor<32x128xbf16, #t>
  %y = "ttnn.add"(%residual, %r2, %e4) <{operandSegmentSizes = array<i32: 2, 1>}> : (tensor<32x128xbf16, #t>, tensor<32x128xbf16, #t>, tensor<32x128xbf16, #t>) -> tensor<32x128xbf16, #t>
  return %y : tensor<32x128xbf16, #t>
}

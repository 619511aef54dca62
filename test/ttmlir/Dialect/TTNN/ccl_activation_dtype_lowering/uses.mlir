// RUN: ttmlir-opt --ttnn-ccl-activation-dtype-lowering %s | FileCheck %s
// RUN: ttmlir-opt --ttnn-ccl-activation-dtype-lowering --remarks --verify-diagnostics %s
// A tensor that is used elsewhere too ends the chain.
#dram = #tt.memory_space<dram>
#t = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<1x4x!tt.tile<32x32, bf16>, #dram>, interleaved>
#w = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<4x4x!tt.tile<32x32, bf16>, #dram>, interleaved>

// CHECK-DAG: #[[T:.*]] = #tt.layout<{{.*}}memref<1x4x!tt.tile<32x32, bf16>
// CHECK-DAG: #[[T8:.*]] = #tt.layout<{{.*}}memref<1x4x!tt.tile<32x32, bfp_bf8>

// CHECK-LABEL: func.func @source(
func.func @source(%x: tensor<32x128xbf16, #t>, %w: tensor<128x128xbf16, #w>, %residual: tensor<32x128xbf16, #t>) -> tensor<32x128xbf16, #t> {
  // CHECK: "ttnn.matmul"({{.*}} -> tensor<32x128xbf16, #[[T]]>
  %e0 = "ttnn.empty"() <{dtype = #tt.supportedDataTypes<bf16>, layout = #ttnn.layout<tile>, shape = #ttnn.shape<32x128>}> : () -> tensor<32x128xbf16, #t>
  %m = "ttnn.matmul"(%x, %w, %e0) : (tensor<32x128xbf16, #t>, tensor<128x128xbf16, #w>, tensor<32x128xbf16, #t>) -> tensor<32x128xbf16, #t>
  // expected-remark @below {{the result of ttnn.matmul has 2 uses, expected 1}}
  %r = "ttnn.all_reduce"(%m) <{cluster_axis = 1 : ui32, reduce_type = #tt.reduce_type<sum>}> : (tensor<32x128xbf16, #t>) -> tensor<32x128xbf16, #t>
  %e1 = "ttnn.empty"() <{dtype = #tt.supportedDataTypes<bf16>, layout = #ttnn.layout<tile>, shape = #ttnn.shape<32x128>}> : () -> tensor<32x128xbf16, #t>
  %s = "ttnn.add"(%residual, %r, %e1) <{operandSegmentSizes = array<i32: 2, 1>}> : (tensor<32x128xbf16, #t>, tensor<32x128xbf16, #t>, tensor<32x128xbf16, #t>) -> tensor<32x128xbf16, #t>
  %e2 = "ttnn.empty"() <{dtype = #tt.supportedDataTypes<bf16>, layout = #ttnn.layout<tile>, shape = #ttnn.shape<32x128>}> : () -> tensor<32x128xbf16, #t>
  %y = "ttnn.add"(%s, %m, %e2) <{operandSegmentSizes = array<i32: 2, 1>}> : (tensor<32x128xbf16, #t>, tensor<32x128xbf16, #t>, tensor<32x128xbf16, #t>) -> tensor<32x128xbf16, #t>
  return %y : tensor<32x128xbf16, #t>
}

// Collectives on both sides of the tensor with two uses say so.
// CHECK-LABEL: func.func @middle(
func.func @middle(%x: tensor<32x128xbf16, #t>, %w: tensor<128x128xbf16, #w>, %residual: tensor<32x128xbf16, #t>) -> tensor<32x128xbf16, #t> {
  %e0 = "ttnn.empty"() <{dtype = #tt.supportedDataTypes<bf16>, layout = #ttnn.layout<tile>, shape = #ttnn.shape<32x128>}> : () -> tensor<32x128xbf16, #t>
  %m = "ttnn.matmul"(%x, %w, %e0) : (tensor<32x128xbf16, #t>, tensor<128x128xbf16, #w>, tensor<32x128xbf16, #t>) -> tensor<32x128xbf16, #t>
  // CHECK: "ttnn.all_reduce"({{.*}} -> tensor<32x128xbf16, #[[T]]>
  // expected-remark @below {{the result of ttnn.all_reduce has 2 uses, expected 1}}
  %r = "ttnn.all_reduce"(%m) <{cluster_axis = 1 : ui32, reduce_type = #tt.reduce_type<sum>}> : (tensor<32x128xbf16, #t>) -> tensor<32x128xbf16, #t>
  // CHECK: "ttnn.collective_permute"({{.*}} -> tensor<32x128xbf16, #[[T]]>
  // expected-remark @below {{the result of ttnn.all_reduce has 2 uses, expected 1}}
  %g = "ttnn.collective_permute"(%r) <{source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}> : (tensor<32x128xbf16, #t>) -> tensor<32x128xbf16, #t>
  %e1 = "ttnn.empty"() <{dtype = #tt.supportedDataTypes<bf16>, layout = #ttnn.layout<tile>, shape = #ttnn.shape<32x128>}> : () -> tensor<32x128xbf16, #t>
  %y = "ttnn.add"(%g, %r, %e1) <{operandSegmentSizes = array<i32: 2, 1>}> : (tensor<32x128xbf16, #t>, tensor<32x128xbf16, #t>, tensor<32x128xbf16, #t>) -> tensor<32x128xbf16, #t>
  return %y : tensor<32x128xbf16, #t>
}

// An op that reads a tensor twice uses it twice.
// CHECK-LABEL: func.func @twice(
func.func @twice(%x: tensor<32x128xbf16, #t>, %w: tensor<128x128xbf16, #w>) -> tensor<32x128xbf16, #t> {
  %e0 = "ttnn.empty"() <{dtype = #tt.supportedDataTypes<bf16>, layout = #ttnn.layout<tile>, shape = #ttnn.shape<32x128>}> : () -> tensor<32x128xbf16, #t>
  %m = "ttnn.matmul"(%x, %w, %e0) : (tensor<32x128xbf16, #t>, tensor<128x128xbf16, #w>, tensor<32x128xbf16, #t>) -> tensor<32x128xbf16, #t>
  // expected-remark @below {{the result of ttnn.all_reduce has 2 uses, expected 1}}
  %r = "ttnn.all_reduce"(%m) <{cluster_axis = 1 : ui32, reduce_type = #tt.reduce_type<sum>}> : (tensor<32x128xbf16, #t>) -> tensor<32x128xbf16, #t>
  %e1 = "ttnn.empty"() <{dtype = #tt.supportedDataTypes<bf16>, layout = #ttnn.layout<tile>, shape = #ttnn.shape<32x128>}> : () -> tensor<32x128xbf16, #t>
  %y = "ttnn.add"(%r, %r, %e1) <{operandSegmentSizes = array<i32: 2, 1>}> : (tensor<32x128xbf16, #t>, tensor<32x128xbf16, #t>, tensor<32x128xbf16, #t>) -> tensor<32x128xbf16, #t>
  return %y : tensor<32x128xbf16, #t>
}

// Nobody reads the last one.
// CHECK-LABEL: func.func @unused(
func.func @unused(%x: tensor<32x128xbf16, #t>, %w: tensor<128x128xbf16, #w>) {
  %e0 = "ttnn.empty"() <{dtype = #tt.supportedDataTypes<bf16>, layout = #ttnn.layout<tile>, shape = #ttnn.shape<32x128>}> : () -> tensor<32x128xbf16, #t>
  %m = "ttnn.matmul"(%x, %w, %e0) : (tensor<32x128xbf16, #t>, tensor<128x128xbf16, #w>, tensor<32x128xbf16, #t>) -> tensor<32x128xbf16, #t>
  // expected-remark @below {{the result of ttnn.all_reduce has 0 uses, expected 1}}
  %r = "ttnn.all_reduce"(%m) <{cluster_axis = 1 : ui32, reduce_type = #tt.reduce_type<sum>}> : (tensor<32x128xbf16, #t>) -> tensor<32x128xbf16, #t>
  return
}

// What frees a tensor does not use it.
// CHECK-LABEL: func.func @freed(
func.func @freed(%x: tensor<32x128xbf16, #t>, %w: tensor<128x128xbf16, #w>, %residual: tensor<32x128xbf16, #t>) -> tensor<32x128xbf16, #t> {
  // CHECK: %[[E:.*]] = "ttnn.empty"() <{dtype = #tt.supportedDataTypes<bfp_bf8>
  // CHECK: "ttnn.matmul"({{.*}} -> tensor<32x128xbf16, #[[T8]]>
  %e0 = "ttnn.empty"() <{dtype = #tt.supportedDataTypes<bf16>, layout = #ttnn.layout<tile>, shape = #ttnn.shape<32x128>}> : () -> tensor<32x128xbf16, #t>
  %m = "ttnn.matmul"(%x, %w, %e0) : (tensor<32x128xbf16, #t>, tensor<128x128xbf16, #w>, tensor<32x128xbf16, #t>) -> tensor<32x128xbf16, #t>
  // CHECK: %[[R:.*]] = "ttnn.all_reduce"({{.*}} -> tensor<32x128xbf16, #[[T8]]>
  // expected-remark @below {{[Passed] Lowered}}
  %r = "ttnn.all_reduce"(%m) <{cluster_axis = 1 : ui32, reduce_type = #tt.reduce_type<sum>}> : (tensor<32x128xbf16, #t>) -> tensor<32x128xbf16, #t>
  // CHECK: "ttnn.dealloc"(%[[E]]) : (tensor<32x128xbf16, #[[T8]]>) -> ()
  "ttnn.dealloc"(%e0) : (tensor<32x128xbf16, #t>) -> ()
  %e1 = "ttnn.empty"() <{dtype = #tt.supportedDataTypes<bf16>, layout = #ttnn.layout<tile>, shape = #ttnn.shape<32x128>}> : () -> tensor<32x128xbf16, #t>
  %y = "ttnn.add"(%residual, %r, %e1) <{operandSegmentSizes = array<i32: 2, 1>}> : (tensor<32x128xbf16, #t>, tensor<32x128xbf16, #t>, tensor<32x128xbf16, #t>) -> tensor<32x128xbf16, #t>
  // CHECK: "ttnn.dealloc"(%[[R]]) : (tensor<32x128xbf16, #[[T8]]>) -> ()
  "ttnn.dealloc"(%r) : (tensor<32x128xbf16, #t>) -> ()
  return %y : tensor<32x128xbf16, #t>
}

// RUN: ttmlir-opt --ttnn-ccl-activation-dtype-lowering %s | FileCheck %s
// RUN: ttmlir-opt --ttnn-ccl-activation-dtype-lowering --remarks --verify-diagnostics %s
// Chains that neither pattern fits stay in bf16.
#dram = #tt.memory_space<dram>
#t = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<1x4x!tt.tile<32x32, bf16>, #dram>, interleaved>
#w = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<4x4x!tt.tile<32x32, bf16>, #dram>, interleaved>
#i = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<1x4x!tt.tile<32x32, si32>, #dram>, interleaved>

// CHECK-NOT: bfp_bf8

// A product without collectives is none of the pass's business.
// CHECK-LABEL: func.func @isolated(
func.func @isolated(%x: tensor<32x128xbf16, #t>, %w: tensor<128x128xbf16, #w>) -> tensor<32x128xbf16, #t> {
  %e0 = "ttnn.empty"() <{dtype = #tt.supportedDataTypes<bf16>, layout = #ttnn.layout<tile>, shape = #ttnn.shape<32x128>}> : () -> tensor<32x128xbf16, #t>
  %m = "ttnn.matmul"(%x, %w, %e0) : (tensor<32x128xbf16, #t>, tensor<128x128xbf16, #w>, tensor<32x128xbf16, #t>) -> tensor<32x128xbf16, #t>
  return %m : tensor<32x128xbf16, #t>
}

// CHECK-LABEL: func.func @ends_elsewhere(
func.func @ends_elsewhere(%x: tensor<32x128xbf16, #t>, %w: tensor<128x128xbf16, #w>) -> tensor<32x128xbf16, #t> {
  %e0 = "ttnn.empty"() <{dtype = #tt.supportedDataTypes<bf16>, layout = #ttnn.layout<tile>, shape = #ttnn.shape<32x128>}> : () -> tensor<32x128xbf16, #t>
  %m = "ttnn.matmul"(%x, %w, %e0) : (tensor<32x128xbf16, #t>, tensor<128x128xbf16, #w>, tensor<32x128xbf16, #t>) -> tensor<32x128xbf16, #t>
  // expected-remark @below {{the chain ends in ttnn.softmax, expected ttnn.add, or ttnn.multiply in front of a matmul or linear}}
  %r = "ttnn.all_reduce"(%m) <{cluster_axis = 1 : ui32, reduce_type = #tt.reduce_type<sum>}> : (tensor<32x128xbf16, #t>) -> tensor<32x128xbf16, #t>
  %e1 = "ttnn.empty"() <{dtype = #tt.supportedDataTypes<bf16>, layout = #ttnn.layout<tile>, shape = #ttnn.shape<32x128>}> : () -> tensor<32x128xbf16, #t>
  %y = "ttnn.softmax"(%r, %e1) <{dimension = 1 : si32}> : (tensor<32x128xbf16, #t>, tensor<32x128xbf16, #t>) -> tensor<32x128xbf16, #t>
  return %y : tensor<32x128xbf16, #t>
}

// CHECK-LABEL: func.func @silu_before_add(
func.func @silu_before_add(%x: tensor<32x128xbf16, #t>, %w: tensor<128x128xbf16, #w>, %residual: tensor<32x128xbf16, #t>) -> tensor<32x128xbf16, #t> {
  %e0 = "ttnn.empty"() <{dtype = #tt.supportedDataTypes<bf16>, layout = #ttnn.layout<tile>, shape = #ttnn.shape<32x128>}> : () -> tensor<32x128xbf16, #t>
  %m = "ttnn.matmul"(%x, %w, %e0) : (tensor<32x128xbf16, #t>, tensor<128x128xbf16, #w>, tensor<32x128xbf16, #t>) -> tensor<32x128xbf16, #t>
  // expected-remark @below {{ttnn.silu stands between ttnn.matmul and ttnn.add}}
  %r = "ttnn.all_reduce"(%m) <{cluster_axis = 1 : ui32, reduce_type = #tt.reduce_type<sum>}> : (tensor<32x128xbf16, #t>) -> tensor<32x128xbf16, #t>
  %e1 = "ttnn.empty"() <{dtype = #tt.supportedDataTypes<bf16>, layout = #ttnn.layout<tile>, shape = #ttnn.shape<32x128>}> : () -> tensor<32x128xbf16, #t>
  %s = "ttnn.silu"(%r, %e1) <{operandSegmentSizes = array<i32: 1, 1>}> : (tensor<32x128xbf16, #t>, tensor<32x128xbf16, #t>) -> tensor<32x128xbf16, #t>
  %e2 = "ttnn.empty"() <{dtype = #tt.supportedDataTypes<bf16>, layout = #ttnn.layout<tile>, shape = #ttnn.shape<32x128>}> : () -> tensor<32x128xbf16, #t>
  %y = "ttnn.add"(%residual, %s, %e2) <{operandSegmentSizes = array<i32: 2, 1>}> : (tensor<32x128xbf16, #t>, tensor<32x128xbf16, #t>, tensor<32x128xbf16, #t>) -> tensor<32x128xbf16, #t>
  return %y : tensor<32x128xbf16, #t>
}

// CHECK-LABEL: func.func @no_product(
func.func @no_product(%x: tensor<32x128xbf16, #t>, %residual: tensor<32x128xbf16, #t>) -> tensor<32x128xbf16, #t> {
  %e0 = "ttnn.empty"() <{dtype = #tt.supportedDataTypes<bf16>, layout = #ttnn.layout<tile>, shape = #ttnn.shape<32x128>}> : () -> tensor<32x128xbf16, #t>
  %m = "ttnn.relu"(%x, %e0) <{operandSegmentSizes = array<i32: 1, 1>}> : (tensor<32x128xbf16, #t>, tensor<32x128xbf16, #t>) -> tensor<32x128xbf16, #t>
  // expected-remark @below {{the tensor comes from ttnn.relu, expected ttnn.matmul or ttnn.linear}}
  %r = "ttnn.all_reduce"(%m) <{cluster_axis = 1 : ui32, reduce_type = #tt.reduce_type<sum>}> : (tensor<32x128xbf16, #t>) -> tensor<32x128xbf16, #t>
  // expected-remark @below {{the tensor comes from ttnn.relu, expected ttnn.matmul or ttnn.linear}}
  %g = "ttnn.collective_permute"(%r) <{source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}> : (tensor<32x128xbf16, #t>) -> tensor<32x128xbf16, #t>
  %e1 = "ttnn.empty"() <{dtype = #tt.supportedDataTypes<bf16>, layout = #ttnn.layout<tile>, shape = #ttnn.shape<32x128>}> : () -> tensor<32x128xbf16, #t>
  %y = "ttnn.add"(%residual, %g, %e1) <{operandSegmentSizes = array<i32: 2, 1>}> : (tensor<32x128xbf16, #t>, tensor<32x128xbf16, #t>, tensor<32x128xbf16, #t>) -> tensor<32x128xbf16, #t>
  return %y : tensor<32x128xbf16, #t>
}

// CHECK-LABEL: func.func @argument(
func.func @argument(%x: tensor<32x128xbf16, #t>, %residual: tensor<32x128xbf16, #t>) -> tensor<32x128xbf16, #t> {
  // expected-remark @below {{the tensor is an argument, expected the result of ttnn.matmul or ttnn.linear}}
  %r = "ttnn.all_reduce"(%x) <{cluster_axis = 1 : ui32, reduce_type = #tt.reduce_type<sum>}> : (tensor<32x128xbf16, #t>) -> tensor<32x128xbf16, #t>
  %e0 = "ttnn.empty"() <{dtype = #tt.supportedDataTypes<bf16>, layout = #ttnn.layout<tile>, shape = #ttnn.shape<32x128>}> : () -> tensor<32x128xbf16, #t>
  %y = "ttnn.add"(%residual, %r, %e0) <{operandSegmentSizes = array<i32: 2, 1>}> : (tensor<32x128xbf16, #t>, tensor<32x128xbf16, #t>, tensor<32x128xbf16, #t>) -> tensor<32x128xbf16, #t>
  return %y : tensor<32x128xbf16, #t>
}

// Not a residual.
// CHECK-LABEL: func.func @integers(
func.func @integers(%x: tensor<32x128xbf16, #t>, %w: tensor<128x128xbf16, #w>, %residual: tensor<32x128xi32, #i>) -> tensor<32x128xbf16, #t> {
  %e0 = "ttnn.empty"() <{dtype = #tt.supportedDataTypes<bf16>, layout = #ttnn.layout<tile>, shape = #ttnn.shape<32x128>}> : () -> tensor<32x128xbf16, #t>
  %m = "ttnn.matmul"(%x, %w, %e0) : (tensor<32x128xbf16, #t>, tensor<128x128xbf16, #w>, tensor<32x128xbf16, #t>) -> tensor<32x128xbf16, #t>
  // expected-remark @below {{the other operand of ttnn.add is si32, expected bf16 or f32}}
  %r = "ttnn.all_reduce"(%m) <{cluster_axis = 1 : ui32, reduce_type = #tt.reduce_type<sum>}> : (tensor<32x128xbf16, #t>) -> tensor<32x128xbf16, #t>
  %e1 = "ttnn.empty"() <{dtype = #tt.supportedDataTypes<bf16>, layout = #ttnn.layout<tile>, shape = #ttnn.shape<32x128>}> : () -> tensor<32x128xbf16, #t>
  %y = "ttnn.add"(%residual, %r, %e1) <{operandSegmentSizes = array<i32: 2, 1>}> : (tensor<32x128xi32, #i>, tensor<32x128xbf16, #t>, tensor<32x128xbf16, #t>) -> tensor<32x128xbf16, #t>
  return %y : tensor<32x128xbf16, #t>
}

// The tensor goes on in another block.
// CHECK-LABEL: func.func @blocks(
func.func @blocks(%x: tensor<32x128xbf16, #t>, %w: tensor<128x128xbf16, #w>) -> tensor<32x128xbf16, #t> {
  %e0 = "ttnn.empty"() <{dtype = #tt.supportedDataTypes<bf16>, layout = #ttnn.layout<tile>, shape = #ttnn.shape<32x128>}> : () -> tensor<32x128xbf16, #t>
  %m = "ttnn.matmul"(%x, %w, %e0) : (tensor<32x128xbf16, #t>, tensor<128x128xbf16, #w>, tensor<32x128xbf16, #t>) -> tensor<32x128xbf16, #t>
  // expected-remark @below {{the chain ends in cf.br}}
  %r = "ttnn.all_reduce"(%m) <{cluster_axis = 1 : ui32, reduce_type = #tt.reduce_type<sum>}> : (tensor<32x128xbf16, #t>) -> tensor<32x128xbf16, #t>
  cf.br ^next(%r : tensor<32x128xbf16, #t>)
^next(%y: tensor<32x128xbf16, #t>):
  return %y : tensor<32x128xbf16, #t>
}

// Nothing reaches this block, so an op may use itself.
// CHECK-LABEL: func.func @unreachable(
func.func @unreachable(%x: tensor<32x128xbf16, #t>) -> tensor<32x128xbf16, #t> {
  return %x : tensor<32x128xbf16, #t>
^never:
  // expected-remark @below {{the tensor comes from itself}}
  %r = "ttnn.all_reduce"(%g) <{cluster_axis = 1 : ui32, reduce_type = #tt.reduce_type<sum>}> : (tensor<32x128xbf16, #t>) -> tensor<32x128xbf16, #t>
  // expected-remark @below {{the tensor comes from itself}}
  %g = "ttnn.collective_permute"(%r) <{source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}> : (tensor<32x128xbf16, #t>) -> tensor<32x128xbf16, #t>
  return %g : tensor<32x128xbf16, #t>
}

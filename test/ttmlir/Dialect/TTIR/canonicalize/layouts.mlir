// RUN: ttmlir-opt %s --canonicalize | FileCheck %s
// A layout is part of the type: ops between different ones stay, and so do conversions through a format with fewer values.
#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
#dram = #tt.memory_space<dram>
#system = #tt.memory_space<system>
#host = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #system>>
#device = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #dram>, interleaved>
#blocks = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<2x4x!tt.tile<32x32, bfp_bf8>, #dram>, interleaved>
// CHECK-LABEL: func.func @there
// CHECK: "ttir.to_layout"
func.func @there(%a: tensor<64x128xf32, #host>) -> tensor<64x128xf32, #device> {
  %0 = tensor.empty() : tensor<64x128xf32, #device>
  %1 = "ttir.to_layout"(%a, %0) : (tensor<64x128xf32, #host>, tensor<64x128xf32, #device>) -> tensor<64x128xf32, #device>
  return %1 : tensor<64x128xf32, #device>
}
// CHECK-LABEL: func.func @nowhere
// CHECK-NEXT: return %arg0
func.func @nowhere(%a: tensor<64x128xf32, #host>) -> tensor<64x128xf32, #host> {
  %0 = tensor.empty() : tensor<64x128xf32, #host>
  %1 = "ttir.to_layout"(%a, %0) : (tensor<64x128xf32, #host>, tensor<64x128xf32, #host>) -> tensor<64x128xf32, #host>
  return %1 : tensor<64x128xf32, #host>
}
// CHECK-LABEL: func.func @and_back
// CHECK-NEXT: return %arg0
func.func @and_back(%a: tensor<64x128xf32, #host>) -> tensor<64x128xf32, #host> {
  %0 = tensor.empty() : tensor<64x128xf32, #device>
  %1 = "ttir.to_layout"(%a, %0) : (tensor<64x128xf32, #host>, tensor<64x128xf32, #device>) -> tensor<64x128xf32, #device>
  %2 = tensor.empty() : tensor<64x128xf32, #host>
  %3 = "ttir.to_layout"(%1, %2) : (tensor<64x128xf32, #device>, tensor<64x128xf32, #host>) -> tensor<64x128xf32, #host>
  return %3 : tensor<64x128xf32, #host>
}
// CHECK-LABEL: func.func @through_block_floats
// CHECK-COUNT-2: "ttir.to_layout"
func.func @through_block_floats(%a: tensor<64x128xf32, #host>) -> tensor<64x128xf32, #host> {
  %0 = tensor.empty() : tensor<64x128xf32, #blocks>
  %1 = "ttir.to_layout"(%a, %0) : (tensor<64x128xf32, #host>, tensor<64x128xf32, #blocks>) -> tensor<64x128xf32, #blocks>
  %2 = tensor.empty() : tensor<64x128xf32, #host>
  %3 = "ttir.to_layout"(%1, %2) : (tensor<64x128xf32, #blocks>, tensor<64x128xf32, #host>) -> tensor<64x128xf32, #host>
  return %3 : tensor<64x128xf32, #host>
}
// CHECK-LABEL: func.func @move
// CHECK: "ttir.reshape"
func.func @move(%a: tensor<64x128xf32, #host>) -> tensor<64x128xf32, #device> {
  %0 = tensor.empty() : tensor<64x128xf32, #device>
  %1 = "ttir.reshape"(%a, %0) <{operand_constraints = [#any, #any], shape = [64 : i32, 128 : i32]}> : (tensor<64x128xf32, #host>, tensor<64x128xf32, #device>) -> tensor<64x128xf32, #device>
  return %1 : tensor<64x128xf32, #device>
}
// A constant that is stored in block floats is rounded like any other tensor.
// CHECK-LABEL: func.func @rounded
// CHECK: "ttir.neg"
func.func @rounded() -> tensor<64x128xf32, #blocks> {
  %c = "ttir.constant"() <{value = dense<1.001> : tensor<64x128xf32>}> : () -> tensor<64x128xf32, #device>
  %0 = tensor.empty() : tensor<64x128xf32, #blocks>
  %1 = "ttir.neg"(%c, %0) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<64x128xf32, #device>, tensor<64x128xf32, #blocks>) -> tensor<64x128xf32, #blocks>
  return %1 : tensor<64x128xf32, #blocks>
}

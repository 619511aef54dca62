// RUN: ttmlir-opt --convert-tosa-to-ttir %s | FileCheck %s
// An op becomes a destination of the result's type and the ttir op, every
// operand of which may lie anywhere on the device in tiles.

// CHECK: #any_device_tile = #tt.operand_constraint<dram|l1|tile|none|interleaved|single_bank|height_sharded|width_sharded|block_sharded|any_layout|any_device_tile>

// CHECK-LABEL: func.func @abs(
// CHECK-SAME: %[[A:.*]]: tensor<13x21x3xf32>
// CHECK-NEXT: %[[E:.*]] = tensor.empty() : tensor<13x21x3xf32>
// CHECK-NEXT: %[[R:.*]] = "ttir.abs"(%[[A]], %[[E]]) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any_device_tile, #any_device_tile]}> : (tensor<13x21x3xf32>, tensor<13x21x3xf32>) -> tensor<13x21x3xf32>
// CHECK-NEXT: return %[[R]]
func.func @abs(%a: tensor<13x21x3xf32>) -> tensor<13x21x3xf32> {
  %0 = tosa.abs %a : (tensor<13x21x3xf32>) -> tensor<13x21x3xf32>
  return %0 : tensor<13x21x3xf32>
}

// CHECK-LABEL: func.func @add(
// CHECK-SAME: %[[A:.*]]: tensor<13x21x3xf32>, %[[B:.*]]: tensor<13x1x3xf32>
// CHECK-NEXT: %[[E:.*]] = tensor.empty() : tensor<13x21x3xf32>
// CHECK-NEXT: %[[R:.*]] = "ttir.add"(%[[A]], %[[B]], %[[E]]) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any_device_tile, #any_device_tile, #any_device_tile]}> : (tensor<13x21x3xf32>, tensor<13x1x3xf32>, tensor<13x21x3xf32>) -> tensor<13x21x3xf32>
// CHECK-NEXT: return %[[R]]
func.func @add(%a: tensor<13x21x3xf32>, %b: tensor<13x1x3xf32>) -> tensor<13x21x3xf32> {
  %0 = tosa.add %a, %b : (tensor<13x21x3xf32>, tensor<13x1x3xf32>) -> tensor<13x21x3xf32>
  return %0 : tensor<13x21x3xf32>
}

// The shift is a parameter and leaves nothing behind.
// CHECK-LABEL: func.func @mul(
// CHECK-NEXT: %[[E:.*]] = tensor.empty() : tensor<13x21x3xf32>
// CHECK-NEXT: "ttir.multiply"(%{{.*}}, %{{.*}}, %[[E]]) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any_device_tile, #any_device_tile, #any_device_tile]}>
// CHECK-NEXT: return
func.func @mul(%a: tensor<13x21x3xf32>, %b: tensor<13x21x3xf32>) -> tensor<13x21x3xf32> {
  %shift = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %0 = tosa.mul %a, %b, %shift : (tensor<13x21x3xf32>, tensor<13x21x3xf32>, tensor<1xi8>) -> tensor<13x21x3xf32>
  return %0 : tensor<13x21x3xf32>
}

// CHECK-LABEL: func.func @negate(
// CHECK-NEXT: %[[E:.*]] = tensor.empty() : tensor<13x21x3xbf16>
// CHECK-NEXT: "ttir.neg"(%{{.*}}, %[[E]]) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any_device_tile, #any_device_tile]}>
// CHECK-NEXT: return
func.func @negate(%a: tensor<13x21x3xbf16>) -> tensor<13x21x3xbf16> {
  %zero = "tosa.const"() <{values = dense<0.0> : tensor<1xbf16>}> : () -> tensor<1xbf16>
  %0 = tosa.negate %a, %zero, %zero : (tensor<13x21x3xbf16>, tensor<1xbf16>, tensor<1xbf16>) -> tensor<13x21x3xbf16>
  return %0 : tensor<13x21x3xbf16>
}

// CHECK-LABEL: func.func @sub(
// CHECK-NEXT: %[[E:.*]] = tensor.empty() : tensor<1x21x3xf32>
// CHECK-NEXT: "ttir.subtract"(%{{.*}}, %{{.*}}, %[[E]]) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any_device_tile, #any_device_tile, #any_device_tile]}>
// CHECK-NEXT: return
func.func @sub(%a: tensor<1x21x3xf32>, %b: tensor<1x21x3xf32>) -> tensor<1x21x3xf32> {
  %0 = tosa.sub %a, %b : (tensor<1x21x3xf32>, tensor<1x21x3xf32>) -> tensor<1x21x3xf32>
  return %0 : tensor<1x21x3xf32>
}

// CHECK-LABEL: func.func @greater_equal(
// CHECK-SAME: -> tensor<13x21x3xi1>
// CHECK-NEXT: %[[E:.*]] = tensor.empty() : tensor<13x21x3xi1>
// CHECK-NEXT: %[[R:.*]] = "ttir.ge"(%{{.*}}, %{{.*}}, %[[E]]) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any_device_tile, #any_device_tile, #any_device_tile]}> : (tensor<13x21x3xf32>, tensor<13x1x3xf32>, tensor<13x21x3xi1>) -> tensor<13x21x3xi1>
// CHECK-NEXT: return %[[R]] : tensor<13x21x3xi1>
func.func @greater_equal(%a: tensor<13x21x3xf32>, %b: tensor<13x1x3xf32>) -> tensor<13x21x3xi1> {
  %0 = tosa.greater_equal %a, %b : (tensor<13x21x3xf32>, tensor<13x1x3xf32>) -> tensor<13x21x3xi1>
  return %0 : tensor<13x21x3xi1>
}

// Which form a text is in, and the three forms that an op had.
// RUN: ttmlir-opt %s | FileCheck %s
// RUN: ttmlir-opt --ttir-form=today --split-input-file %s | FileCheck %s
// RUN: ttmlir-translate --today-to-ttir %s | FileCheck %s
// RUN: not ttmlir-opt --ttir-form=2024 %s 2>&1 | FileCheck --check-prefix=OWN %s
// RUN: not ttmlir-opt --ttir-form=2026 %s 2>&1 | FileCheck --check-prefix=BAD %s
// OWN: error: custom op 'ttir.empty' is unknown
// BAD: Cannot find option named '2026'

// CHECK-LABEL: func.func @value
// CHECK-SAME: (%[[A:.*]]: tensor<4x8xsi32>, %[[B:.*]]: tensor<8xsi32>) -> tensor<4x8xsi32>
// CHECK-NEXT: %[[D:.*]] = tensor.empty() : tensor<4x8xsi32>
// CHECK-NEXT: %[[R:.*]] = "ttir.add"(%[[A]], %[[B]], %[[D]]) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any_device_tile, #any_device_tile, #any_device_tile]}> : (tensor<4x8xsi32>, tensor<8xsi32>, tensor<4x8xsi32>) -> tensor<4x8xsi32>
// CHECK-NEXT: return %[[R]]
func.func @value(%a: tensor<4x8xi32>, %b: tensor<8xi32>) -> tensor<4x8xi32> {
  %0 = "ttir.add"(%a, %b) : (tensor<4x8xi32>, tensor<8xi32>) -> tensor<4x8xi32>
  return %0 : tensor<4x8xi32>
}

// CHECK-LABEL: func.func @destination
// CHECK: tensor.empty
// CHECK-NEXT: "ttir.add"(%arg0, %arg1, %{{.*}}) <{operandSegmentSizes = array<i32: 2, 1>
// CHECK-NOT: tensor.empty
// CHECK: return
func.func @destination(%a: tensor<4x8xf32>, %b: tensor<8xf32>) -> tensor<4x8xf32> {
  %0 = ttir.empty() : tensor<4x8xf32>
  %1 = "ttir.add"(%a, %b, %0) : (tensor<4x8xf32>, tensor<8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @segments
// CHECK: "ttir.relu"(%arg0, %{{.*}}) <{operandSegmentSizes = array<i32: 1, 1>
func.func @segments(%a: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = tensor.empty() : tensor<4x8xf32>
  %1 = "ttir.relu"(%a, %0) <{operandSegmentSizes = array<i32: 1, 1>}> : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}

// An argument as a destination.
// CHECK-LABEL: func.func @argument
// CHECK: %[[D:.*]] = tensor.empty
// CHECK: "ttir.relu"(%arg0, %[[D]])
func.func @argument(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = "ttir.relu"(%a, %b) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// What is empty and read has zeros.
// CHECK-LABEL: func.func @zeros
// CHECK: %[[Z:.*]] = "ttir.constant"() <{value = dense<0.000000e+00> : tensor<4x8xf32>}>
// CHECK: "ttir.concat"(%arg0, %[[Z]], %{{.*}})
func.func @zeros(%a: tensor<4x8xf32>) -> tensor<8x8xf32> {
  %0 = ttir.empty() : tensor<4x8xf32>
  %1 = "ttir.concat"(%a, %0) <{dim = 0 : si32}> : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}

// RUN: ttmlir-opt --ttir-legalize-types %s | FileCheck %s
// Nothing is computed of tensors without elements.
#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>

// CHECK-LABEL: func.func @dummy
// CHECK-SAME: (%arg0: tensor<1x1xf32> {tt.host_type = tensor<0x3xf32>}) -> (tensor<1x1xf32> {tt.host_type = tensor<0x3xf32>})
func.func @dummy(%x: tensor<0x3xf32>) -> tensor<0x3xf32> {
  %0 = tensor.empty() : tensor<0x3xf32>
  // CHECK: %[[C:.*]] = "ttir.constant"() <{value = dense<0.000000e+00> : tensor<1x1xf32>}>
  // CHECK-NOT: ttir.exp
  %1 = "ttir.exp"(%x, %0) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<0x3xf32>, tensor<0x3xf32>) -> tensor<0x3xf32>
  // CHECK: return %[[C]]
  return %1 : tensor<0x3xf32>
}

// CHECK-LABEL: func.func @neutral
func.func @neutral(%x: tensor<0x3xf32>) -> (tensor<1x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>) {
  %0 = tensor.empty() : tensor<1x3xf32>
  // CHECK: dense<0.000000e+00> : tensor<1x3xf32>
  %1 = "ttir.sum"(%x, %0) <{dim_arg = [0 : i32], keep_dim = true, operand_constraints = [#any, #any]}> : (tensor<0x3xf32>, tensor<1x3xf32>) -> tensor<1x3xf32>
  // CHECK: dense<1.000000e+00> : tensor<1x3xf32>
  %2 = "ttir.prod"(%x, %0) <{dim_arg = [0 : i32], keep_dim = true, operand_constraints = [#any, #any]}> : (tensor<0x3xf32>, tensor<1x3xf32>) -> tensor<1x3xf32>
  // CHECK: dense<0xFF800000> : tensor<1x3xf32>
  %3 = "ttir.max"(%x, %0) <{dim_arg = [0 : i32], keep_dim = true, operand_constraints = [#any, #any]}> : (tensor<0x3xf32>, tensor<1x3xf32>) -> tensor<1x3xf32>
  return %1, %2, %3 : tensor<1x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>
}

// CHECK-LABEL: func.func @parts
func.func @parts(%x: tensor<0x3xf32>, %y: tensor<2x3xf32>, %z: tensor<1x3xf32>) -> (tensor<3x3xf32>, tensor<2x3xf32>) {
  %0 = tensor.empty() : tensor<3x3xf32>
  // CHECK: %[[C:.*]] = "ttir.concat"(%arg1, %arg2, %{{.*}}) <{dim = 0 : si32
  %1 = "ttir.concat"(%y, %x, %z, %0) <{dim = 0 : si32, operand_constraints = [#any, #any, #any, #any]}> : (tensor<2x3xf32>, tensor<0x3xf32>, tensor<1x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
  %2 = tensor.empty() : tensor<2x3xf32>
  %3 = "ttir.concat"(%y, %x, %2) <{dim = 0 : si32, operand_constraints = [#any, #any, #any]}> : (tensor<2x3xf32>, tensor<0x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: return %[[C]], %arg1
  return %1, %3 : tensor<3x3xf32>, tensor<2x3xf32>
}

// CHECK-LABEL: func.func @product
func.func @product(%a: tensor<2x0xf32>, %b: tensor<0x3xf32>) -> (tensor<2x3xf32>, tensor<4x5xf32>) {
  %0 = tensor.empty() : tensor<2x3xf32>
  // CHECK: dense<0.000000e+00> : tensor<2x3xf32>
  %1 = "ttir.matmul"(%a, %b, %0) <{operand_constraints = [#any, #any, #any]}> : (tensor<2x0xf32>, tensor<0x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: dense<2.500000e+00> : tensor<4x5xf32>
  %2 = tensor.empty() : tensor<4x5xf32>
  %3 = "ttir.pad"(%b, %2) <{operand_constraints = [#any, #any], padding = array<i32: 2, 2, 1, 1>, value = 2.5 : f32}> : (tensor<0x3xf32>, tensor<4x5xf32>) -> tensor<4x5xf32>
  return %1, %3 : tensor<2x3xf32>, tensor<4x5xf32>
}

// The extents of a tensor without elements are those that it had.
// CHECK-LABEL: func.func @extent
func.func @extent(%x: tensor<0x5xf32>) -> tensor<1xsi32> {
  %0 = tensor.empty() : tensor<1xsi32>
  // CHECK: "ttir.constant"() <{value = dense<5> : tensor<1xsi32>}>
  %1 = "ttir.get_dimension_size"(%x, %0) <{dimension = 1 : i32, operand_constraints = [#any, #any]}> : (tensor<0x5xf32>, tensor<1xsi32>) -> tensor<1xsi32>
  return %1 : tensor<1xsi32>
}

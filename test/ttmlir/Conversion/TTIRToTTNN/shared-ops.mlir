// RUN: ttmlir-opt --ttir-layout --convert-ttir-to-ttnn --split-input-file %s | FileCheck %s
// Ops that become the call of their name, attributes and all.
#any = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile|interleaved>
// CHECK-LABEL: func.func @parameters
// CHECK: "ttnn.clamp"({{.*}}) <{max = 6.000000e+00 : f32, min = 0.000000e+00 : f32, operandSegmentSizes = array<i32: 1, 1>}>
// CHECK: "ttnn.leaky_relu"({{.*}}) <{operandSegmentSizes = array<i32: 1, 1>, parameter = 2.500000e-01 : f32}>
// CHECK: "ttnn.where"({{.*}}) <{operandSegmentSizes = array<i32: 3, 1>}>
func.func @parameters(%arg0: tensor<8x9xf32>) -> tensor<8x9xf32> {
  %0 = tensor.empty() : tensor<8x9xf32>
  %1 = "ttir.clamp"(%arg0, %0) <{max = 6.0 : f32, min = 0.0 : f32, operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<8x9xf32>, tensor<8x9xf32>) -> tensor<8x9xf32>
  %2 = tensor.empty() : tensor<8x9xf32>
  %3 = "ttir.leaky_relu"(%1, %2) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any], parameter = 0.25 : f32}> : (tensor<8x9xf32>, tensor<8x9xf32>) -> tensor<8x9xf32>
  %4 = tensor.empty() : tensor<8x9xf32>
  %5 = "ttir.where"(%arg0, %1, %3, %4) <{operandSegmentSizes = array<i32: 3, 1>, operand_constraints = [#any, #any, #any, #any]}> : (tensor<8x9xf32>, tensor<8x9xf32>, tensor<8x9xf32>, tensor<8x9xf32>) -> tensor<8x9xf32>
  return %5 : tensor<8x9xf32>
}

// -----

// A typecast states the data type of its result.
#any = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile|interleaved>
// CHECK-LABEL: func.func @typecast
// CHECK: "ttnn.typecast"({{.*}}) <{dtype = #tt.supportedDataTypes<si32>, operandSegmentSizes = array<i32: 1, 1>}>
func.func @typecast(%arg0: tensor<8x9xf32>) -> tensor<8x9xsi32> {
  %0 = tensor.empty() : tensor<8x9xsi32>
  %1 = "ttir.typecast"(%arg0, %0) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<8x9xf32>, tensor<8x9xsi32>) -> tensor<8x9xsi32>
  return %1 : tensor<8x9xsi32>
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile|interleaved>
// CHECK-LABEL: func.func @products
// CHECK: "ttnn.matmul"({{.*}}) <{transpose_a = true}>
// CHECK: "ttnn.linear"({{.*}}) <{transpose_b = true}>
func.func @products(%arg0: tensor<8x4xf32>, %arg1: tensor<8x9xf32>, %arg2: tensor<9xf32>) -> (tensor<4x9xf32>, tensor<8x8xf32>) {
  %0 = tensor.empty() : tensor<4x9xf32>
  %1 = "ttir.matmul"(%arg0, %arg1, %0) <{operand_constraints = [#any, #any, #any], transpose_a = true}> : (tensor<8x4xf32>, tensor<8x9xf32>, tensor<4x9xf32>) -> tensor<4x9xf32>
  %2 = tensor.empty() : tensor<8x8xf32>
  %3 = "ttir.linear"(%arg1, %arg1, %2) <{operand_constraints = [#any, #any, #any], transpose_b = true}> : (tensor<8x9xf32>, tensor<8x9xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  return %1, %3 : tensor<4x9xf32>, tensor<8x8xf32>
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile|interleaved>
// CHECK-LABEL: func.func @embedding_backward
// CHECK: "ttnn.embedding_bw"({{.*}})
func.func @embedding_backward(%arg0: tensor<4xi32>, %arg1: tensor<8x9xf32>, %arg2: tensor<4x9xf32>) -> tensor<8x9xf32> {
  %0 = tensor.empty() : tensor<8x9xf32>
  %1 = "ttir.embedding_backward"(%arg0, %arg1, %arg2, %0) <{operand_constraints = [#any, #any, #any, #any]}> : (tensor<4xi32>, tensor<8x9xf32>, tensor<4x9xf32>, tensor<8x9xf32>) -> tensor<8x9xf32>
  return %1 : tensor<8x9xf32>
}

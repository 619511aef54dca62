// RUN: ttmlir-opt --ttir-layout --convert-ttir-to-ttnn %s | FileCheck %s
// RUN: ttmlir-opt --ttir-layout --convert-ttir-to-ttnn --remarks %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// Ops that change shapes, and reductions. Dimensions from the end count from the front afterwards;
// squeezed and unsqueezed tensors are reshaped.
// REMARK-DAG: remark: [Passed] Renamed | Category:convert-ttir-to-ttnn | Function=shapes | Op=ttir.squeeze, Reason="becomes ttnn.reshape
#any = #tt.operand_constraint<any_device>

// CHECK-LABEL: func.func @shapes
// CHECK: "ttnn.reshape"({{.*}}) <{shape = [4 : i32, 8 : i32]}> : (tensor<4x1x8xf32, {{.*}} -> tensor<4x8xf32,
// CHECK: "ttnn.reshape"({{.*}}) <{shape = [4 : i32, 1 : i32, 8 : i32, 1 : i32]}> : {{.*}} -> tensor<4x1x8x1xf32,
// CHECK: "ttnn.reshape"({{.*}}) <{shape = [1 : i32, 4 : i32, 1 : i32, 8 : i32]}> : {{.*}} -> tensor<1x4x1x8xf32,
// CHECK: "ttnn.concat"({{.*}}) <{dim = 2 : si32}> : {{.*}} -> tensor<4x1x16xf32,
// CHECK: "ttnn.transpose"({{.*}}) <{dim0 = 0 : si32, dim1 = 2 : si32}> : {{.*}} -> tensor<8x1x4xf32,
func.func @shapes(%a: tensor<4x1x8xf32>) -> (tensor<4x8xf32>, tensor<4x1x8x1xf32>, tensor<1x4x1x8xf32>, tensor<4x1x16xf32>, tensor<8x1x4xf32>) {
  %0 = tensor.empty() : tensor<4x8xf32>
  %1 = "ttir.squeeze"(%a, %0) <{dim = -2 : si32, operand_constraints = [#any, #any]}> : (tensor<4x1x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  %2 = tensor.empty() : tensor<4x1x8x1xf32>
  %3 = "ttir.unsqueeze"(%a, %2) <{dim = 3 : si32, operand_constraints = [#any, #any]}> : (tensor<4x1x8xf32>, tensor<4x1x8x1xf32>) -> tensor<4x1x8x1xf32>
  %4 = tensor.empty() : tensor<1x4x1x8xf32>
  %5 = "ttir.unsqueeze"(%a, %4) <{dim = -4 : si32, operand_constraints = [#any, #any]}> : (tensor<4x1x8xf32>, tensor<1x4x1x8xf32>) -> tensor<1x4x1x8xf32>
  %6 = tensor.empty() : tensor<4x1x16xf32>
  %7 = "ttir.concat"(%a, %a, %6) <{dim = -1 : si32, operand_constraints = [#any, #any, #any]}> : (tensor<4x1x8xf32>, tensor<4x1x8xf32>, tensor<4x1x16xf32>) -> tensor<4x1x16xf32>
  %8 = tensor.empty() : tensor<8x1x4xf32>
  %9 = "ttir.transpose"(%a, %8) <{dim0 = 0 : si32, dim1 = 2 : si32, operand_constraints = [#any, #any]}> : (tensor<4x1x8xf32>, tensor<8x1x4xf32>) -> tensor<8x1x4xf32>
  return %1, %3, %5, %7, %9 : tensor<4x8xf32>, tensor<4x1x8x1xf32>, tensor<1x4x1x8xf32>, tensor<4x1x16xf32>, tensor<8x1x4xf32>
}

// CHECK-LABEL: func.func @reductions
// CHECK: "ttnn.sum"({{.*}}) <{dim_arg = [1 : i32, -1 : i32], keep_dim = false}>
// CHECK: "ttnn.mean"({{.*}}) <{dim_arg = [2 : i32], keep_dim = true}>
// CHECK: "ttnn.max"({{.*}}) <{keep_dim = false}>
// CHECK: "ttnn.softmax"({{.*}}) <{dimension = -1 : si32}>
func.func @reductions(%a: tensor<4x1x8xf32>) -> (tensor<4xf32>, tensor<4x1x1xf32>, tensor<1xf32>, tensor<4x1x8xf32>) {
  %0 = tensor.empty() : tensor<4xf32>
  %1 = "ttir.sum"(%a, %0) <{dim_arg = [1 : i32, -1 : i32], keep_dim = false, operand_constraints = [#any, #any]}> : (tensor<4x1x8xf32>, tensor<4xf32>) -> tensor<4xf32>
  %2 = tensor.empty() : tensor<4x1x1xf32>
  %3 = "ttir.mean"(%a, %2) <{dim_arg = [2 : i32], keep_dim = true, operand_constraints = [#any, #any]}> : (tensor<4x1x8xf32>, tensor<4x1x1xf32>) -> tensor<4x1x1xf32>
  %4 = tensor.empty() : tensor<1xf32>
  %5 = "ttir.max"(%a, %4) <{keep_dim = false, operand_constraints = [#any, #any]}> : (tensor<4x1x8xf32>, tensor<1xf32>) -> tensor<1xf32>
  %6 = tensor.empty() : tensor<4x1x8xf32>
  %7 = "ttir.softmax"(%a, %6) <{dimension = -1 : si32, operand_constraints = [#any, #any]}> : (tensor<4x1x8xf32>, tensor<4x1x8xf32>) -> tensor<4x1x8xf32>
  return %1, %3, %5, %7 : tensor<4xf32>, tensor<4x1x1xf32>, tensor<1xf32>, tensor<4x1x8xf32>
}

// RUN: ttmlir-opt %s | ttmlir-opt | FileCheck %s
// Reductions, positions and running sums.
#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
// CHECK-LABEL: func.func @argmax
// CHECK: "ttir.argmax"(%{{.*}}, %{{.*}}) <{dim_arg = [1 : i32], keep_dim = false, operand_constraints = [#any_device, #any_device]}> : (tensor<64x128xf32>, tensor<64xi32>) -> tensor<64xi32>
func.func @argmax(%a: tensor<64x128xf32>) -> (tensor<64xi32>) {
  %0 = tensor.empty() : tensor<64xi32>
  %1 = "ttir.argmax"(%a, %0) <{dim_arg = [1 : i32], keep_dim = false, operand_constraints = [#any, #any]}> : (tensor<64x128xf32>, tensor<64xi32>) -> tensor<64xi32>
  return %1 : tensor<64xi32>
}
// CHECK-LABEL: func.func @cumsum
// CHECK: "ttir.cumsum"(%{{.*}}, %{{.*}}) <{dim = 1 : i64, operand_constraints = [#any_device, #any_device]}> : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
func.func @cumsum(%a: tensor<64x128xf32>) -> (tensor<64x128xf32>) {
  %0 = tensor.empty() : tensor<64x128xf32>
  %1 = "ttir.cumsum"(%a, %0) <{dim = 1 : i64, operand_constraints = [#any, #any]}> : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  return %1 : tensor<64x128xf32>
}
// CHECK-LABEL: func.func @min
// CHECK: "ttir.min"(%{{.*}}, %{{.*}}) <{dim_arg = [-1 : i32], keep_dim = true, operand_constraints = [#any_device, #any_device]}> : (tensor<512x1024xf32>, tensor<512x1xf32>) -> tensor<512x1xf32>
func.func @min(%a: tensor<512x1024xf32>) -> (tensor<512x1xf32>) {
  %0 = tensor.empty() : tensor<512x1xf32>
  %1 = "ttir.min"(%a, %0) <{dim_arg = [-1 : i32], keep_dim = true, operand_constraints = [#any, #any]}> : (tensor<512x1024xf32>, tensor<512x1xf32>) -> tensor<512x1xf32>
  return %1 : tensor<512x1xf32>
}
// CHECK-LABEL: func.func @prod
// CHECK: "ttir.prod"(%{{.*}}, %{{.*}}) <{dim_arg = [-1 : i32], keep_dim = true, operand_constraints = [#any_device, #any_device]}> : (tensor<512x1024xf32>, tensor<512x1xf32>) -> tensor<512x1xf32>
func.func @prod(%a: tensor<512x1024xf32>) -> (tensor<512x1xf32>) {
  %0 = tensor.empty() : tensor<512x1xf32>
  %1 = "ttir.prod"(%a, %0) <{dim_arg = [-1 : i32], keep_dim = true, operand_constraints = [#any, #any]}> : (tensor<512x1024xf32>, tensor<512x1xf32>) -> tensor<512x1xf32>
  return %1 : tensor<512x1xf32>
}

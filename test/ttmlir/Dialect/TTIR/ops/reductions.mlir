// RUN: ttmlir-opt %s | ttmlir-opt | FileCheck %s
// Reductions, with every way of stating the output that is taken.
#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
// CHECK-LABEL: func.func @sum_keep
// CHECK: "ttir.sum"(%{{.*}}, %{{.*}}) <{dim_arg = [-1 : i32], keep_dim = true, operand_constraints = [#any_device, #any_device]}>
func.func @sum_keep(%a: tensor<512x1024xf32>) {
  %0 = tensor.empty() : tensor<512x1xf32>
  %1 = "ttir.sum"(%a, %0) <{dim_arg = [-1 : i32], keep_dim = true, operand_constraints = [#any, #any]}> : (tensor<512x1024xf32>, tensor<512x1xf32>) -> tensor<512x1xf32>
  return
}
// CHECK-LABEL: func.func @mean_drop
// CHECK: "ttir.mean"(%{{.*}}, %{{.*}}) <{dim_arg = [0 : i32], keep_dim = false, operand_constraints = [#any_device, #any_device]}>
func.func @mean_drop(%a: tensor<512x1024xf32>) {
  %0 = tensor.empty() : tensor<1024xf32>
  %1 = "ttir.mean"(%a, %0) <{dim_arg = [0 : i32], keep_dim = false, operand_constraints = [#any, #any]}> : (tensor<512x1024xf32>, tensor<1024xf32>) -> tensor<1024xf32>
  return
}
// CHECK-LABEL: func.func @max_all
// CHECK: "ttir.max"(%{{.*}}, %{{.*}}) <{keep_dim = true, operand_constraints = [#any_device, #any_device]}>
func.func @max_all(%a: tensor<4x8x32xf32>) {
  %0 = tensor.empty() : tensor<1x1x1xf32>
  %1 = "ttir.max"(%a, %0) <{keep_dim = true, operand_constraints = [#any, #any]}> : (tensor<4x8x32xf32>, tensor<1x1x1xf32>) -> tensor<1x1x1xf32>
  return
}
// CHECK-LABEL: func.func @sum_all_drop
// CHECK: "ttir.sum"(%{{.*}}, %{{.*}}) <{keep_dim = false, operand_constraints = [#any_device, #any_device]}>
func.func @sum_all_drop(%a: tensor<4x8x32xf32>) {
  %0 = tensor.empty() : tensor<1xf32>
  %1 = "ttir.sum"(%a, %0) <{keep_dim = false, operand_constraints = [#any, #any]}> : (tensor<4x8x32xf32>, tensor<1xf32>) -> tensor<1xf32>
  return
}
// CHECK-LABEL: func.func @sum_two
// CHECK: "ttir.sum"(%{{.*}}, %{{.*}}) <{dim_arg = [0 : i32, 2 : i32], keep_dim = false, operand_constraints = [#any_device, #any_device]}>
func.func @sum_two(%a: tensor<4x8x32xf32>) {
  %0 = tensor.empty() : tensor<8xf32>
  %1 = "ttir.sum"(%a, %0) <{dim_arg = [0 : i32, 2 : i32], keep_dim = false, operand_constraints = [#any, #any]}> : (tensor<4x8x32xf32>, tensor<8xf32>) -> tensor<8xf32>
  return
}
// CHECK-LABEL: func.func @sum_padded_to_a_tile
// CHECK: "ttir.sum"(%{{.*}}, %{{.*}}) <{dim_arg = [-1 : i32], keep_dim = true, operand_constraints = [#any_device, #any_device]}>
func.func @sum_padded_to_a_tile(%a: tensor<512x1024xbf16>) {
  %0 = tensor.empty() : tensor<512x32xbf16>
  %1 = "ttir.sum"(%a, %0) <{dim_arg = [-1 : i32], keep_dim = true, operand_constraints = [#any, #any]}> : (tensor<512x1024xbf16>, tensor<512x32xbf16>) -> tensor<512x32xbf16>
  return
}
// CHECK-LABEL: func.func @mean_dropped_despite_keep_dim
// CHECK: "ttir.mean"(%{{.*}}, %{{.*}}) <{dim_arg = [1 : i32], keep_dim = true, operand_constraints = [#any_device, #any_device]}>
func.func @mean_dropped_despite_keep_dim(%a: tensor<512x1024xf32>) {
  %0 = tensor.empty() : tensor<512xf32>
  %1 = "ttir.mean"(%a, %0) <{dim_arg = [1 : i32], keep_dim = true, operand_constraints = [#any, #any]}> : (tensor<512x1024xf32>, tensor<512xf32>) -> tensor<512xf32>
  return
}

// RUN: ttmlir-opt %s | ttmlir-opt | FileCheck %s
// Reductions, positions and running sums.
// CHECK-LABEL: func.func @argmax
// CHECK: "ttnn.argmax"(%{{.*}}, %{{.*}}) <{dim_arg = [1 : i32], keep_dim = false}> : (tensor<64x128xf32>, tensor<64xi32>) -> tensor<64xi32>
func.func @argmax(%a: tensor<64x128xf32>, %0: tensor<64xi32>) -> (tensor<64xi32>) {
  %1 = "ttnn.argmax"(%a, %0) <{dim_arg = [1 : i32], keep_dim = false}> : (tensor<64x128xf32>, tensor<64xi32>) -> tensor<64xi32>
  return %1 : tensor<64xi32>
}
// CHECK-LABEL: func.func @cumsum
// CHECK: "ttnn.cumsum"(%{{.*}}, %{{.*}}) <{dim = 1 : i64}> : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
func.func @cumsum(%a: tensor<64x128xf32>, %0: tensor<64x128xf32>) -> (tensor<64x128xf32>) {
  %1 = "ttnn.cumsum"(%a, %0) <{dim = 1 : i64}> : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  return %1 : tensor<64x128xf32>
}
// CHECK-LABEL: func.func @min
// CHECK: "ttnn.min"(%{{.*}}, %{{.*}}) <{dim_arg = [-1 : i32], keep_dim = true}> : (tensor<512x1024xf32>, tensor<512x1xf32>) -> tensor<512x1xf32>
func.func @min(%1: tensor<512x1024xf32>, %0: tensor<512x1xf32>) -> (tensor<512x1xf32>) {
  %2 = "ttnn.min"(%1, %0) <{dim_arg = [-1 : i32], keep_dim = true}> : (tensor<512x1024xf32>, tensor<512x1xf32>) -> tensor<512x1xf32>
  return %2 : tensor<512x1xf32>
}
// CHECK-LABEL: func.func @prod
// CHECK: "ttnn.prod"(%{{.*}}, %{{.*}}) <{dim_arg = [-1 : i32], keep_dim = true}> : (tensor<512x1024xf32>, tensor<512x1xf32>) -> tensor<512x1xf32>
func.func @prod(%1: tensor<512x1024xf32>, %0: tensor<512x1xf32>) -> (tensor<512x1xf32>) {
  %2 = "ttnn.prod"(%1, %0) <{dim_arg = [-1 : i32], keep_dim = true}> : (tensor<512x1024xf32>, tensor<512x1xf32>) -> tensor<512x1xf32>
  return %2 : tensor<512x1xf32>
}

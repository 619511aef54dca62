// RUN: ttmlir-opt --ttir-decomposition %s | FileCheck %s
// Reductions keep their dimensions, and a reshape drops them; products multiply halves.
#any = #tt.operand_constraint<any_device>
// CHECK-LABEL: func.func @dropped
// CHECK: %[[SUM:.*]] = "ttir.sum"(%arg0, {{.*}}dim_arg = [0 : i32, 2 : i32], keep_dim = true{{.*}} -> tensor<1x64x1xf32>
// CHECK: "ttir.reshape"(%[[SUM]], {{.*}} -> tensor<64xf32>
func.func @dropped(%a: tensor<3x64x10xf32>) -> tensor<64xf32> {
  %0 = tensor.empty() : tensor<64xf32>
  %1 = "ttir.sum"(%a, %0) <{dim_arg = [-1 : i32, 0 : i32], keep_dim = false, operand_constraints = [#any, #any]}> : (tensor<3x64x10xf32>, tensor<64xf32>) -> tensor<64xf32>
  return %1 : tensor<64xf32>
}
// CHECK-LABEL: func.func @mean
// CHECK: %[[SUM:.*]] = "ttir.sum"(%arg0, {{.*}} -> tensor<64x1xf32>
// CHECK: "ttir.full"() <{fill_value = 1.000000e+01 : f32
// CHECK: "ttir.div"(%[[SUM]], {{.*}} -> tensor<64x1xbf16>
func.func @mean(%a: tensor<64x10xbf16>) -> tensor<64x1xbf16> {
  %0 = tensor.empty() : tensor<64x1xbf16>
  %1 = "ttir.mean"(%a, %0) <{dim_arg = [1 : i32], keep_dim = true, operand_constraints = [#any, #any]}> : (tensor<64x10xbf16>, tensor<64x1xbf16>) -> tensor<64x1xbf16>
  return %1 : tensor<64x1xbf16>
}
// CHECK-LABEL: func.func @prod
// CHECK: %[[P:.*]] = "ttir.multiply"({{.*}} -> tensor<64x1xf32>
// CHECK: "ttir.concat"(%[[P]], {{.*}} -> tensor<64x2xf32>
// CHECK: "ttir.multiply"({{.*}} -> tensor<64x1xf32>
// CHECK-NOT: "ttir.multiply"
func.func @prod(%a: tensor<64x3xf32>) -> tensor<64x1xf32> {
  %0 = tensor.empty() : tensor<64x1xf32>
  %1 = "ttir.prod"(%a, %0) <{dim_arg = [1 : i32], keep_dim = true, operand_constraints = [#any, #any]}> : (tensor<64x3xf32>, tensor<64x1xf32>) -> tensor<64x1xf32>
  return %1 : tensor<64x1xf32>
}
// The least index of a maximum.
// CHECK-LABEL: func.func @argmax
// CHECK: %[[MAX:.*]] = "ttir.max"(%arg0,
// CHECK: "ttir.eq"(%arg0, %[[MAX]],
// CHECK: "ttir.where"
// CHECK: "ttir.min"
// CHECK: "ttir.typecast"{{.*}} -> tensor<64x1xi32>
func.func @argmax(%a: tensor<64x10xf32>) -> tensor<64xi32> {
  %0 = tensor.empty() : tensor<64xi32>
  %1 = "ttir.argmax"(%a, %0) <{dim_arg = [1 : i32], keep_dim = false, operand_constraints = [#any, #any]}> : (tensor<64x10xf32>, tensor<64xi32>) -> tensor<64xi32>
  return %1 : tensor<64xi32>
}
// Distances 1, 2 and 4.
// CHECK-LABEL: func.func @cumsum
// CHECK-COUNT-3: "ttir.add"
// CHECK-NOT: "ttir.add"
// CHECK: return
func.func @cumsum(%a: tensor<64x5xf32>) -> tensor<64x5xf32> {
  %0 = tensor.empty() : tensor<64x5xf32>
  %1 = "ttir.cumsum"(%a, %0) <{dim = 1 : i64, operand_constraints = [#any, #any]}> : (tensor<64x5xf32>, tensor<64x5xf32>) -> tensor<64x5xf32>
  return %1 : tensor<64x5xf32>
}

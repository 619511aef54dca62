// RUN: ttmlir-opt --ttir-erase-inverse-ops %s | FileCheck %s
// RUN: ttmlir-opt --ttir-erase-inverse-ops --remarks %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// REMARK-DAG: remark: [Passed] Moved | Category:ttir-erase-inverse-ops | Function=residual | Op=ttir.batch_norm_inference, Reason="3 ops compute with dimensions in the order [0, 2, 3, 1]
#any = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile>

// The norm of a batch and the sum have channels last as their inputs do; the
// statistics stay.
// CHECK-LABEL: func.func @residual
// CHECK-NOT: ttir.permute
// CHECK: "ttir.batch_norm_inference"(%arg0, %arg2, %arg2, %arg2, %arg2, %{{.*}}dimension = 3 : i32
// CHECK: "ttir.add"(%{{.*}}, %arg1
// CHECK: "ttir.relu"
// CHECK-SAME: -> tensor<1x8x8x16xf32>
// CHECK-NOT: ttir.permute
// CHECK: return
func.func @residual(%x: tensor<1x8x8x16xf32>, %y: tensor<1x8x8x16xf32>, %v: tensor<16xf32>) -> tensor<1x8x8x16xf32> {
  %e0 = tensor.empty() : tensor<1x16x8x8xf32>
  %0 = "ttir.permute"(%x, %e0) <{permutation = array<i64: 0, 3, 1, 2>, operand_constraints = [#any, #any]}> : (tensor<1x8x8x16xf32>, tensor<1x16x8x8xf32>) -> tensor<1x16x8x8xf32>
  %e1 = tensor.empty() : tensor<1x16x8x8xf32>
  %1 = "ttir.permute"(%y, %e1) <{permutation = array<i64: 0, 3, 1, 2>, operand_constraints = [#any, #any]}> : (tensor<1x8x8x16xf32>, tensor<1x16x8x8xf32>) -> tensor<1x16x8x8xf32>
  %e2 = tensor.empty() : tensor<1x16x8x8xf32>
  %2 = "ttir.batch_norm_inference"(%0, %v, %v, %v, %v, %e2) <{dimension = 1 : i32, epsilon = 1.0e-05 : f32, operand_constraints = [#any, #any, #any, #any, #any, #any]}> : (tensor<1x16x8x8xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<1x16x8x8xf32>) -> tensor<1x16x8x8xf32>
  %e3 = tensor.empty() : tensor<1x16x8x8xf32>
  %3 = "ttir.add"(%2, %1, %e3) <{operand_constraints = [#any, #any, #any], operandSegmentSizes = array<i32: 2, 1>}> : (tensor<1x16x8x8xf32>, tensor<1x16x8x8xf32>, tensor<1x16x8x8xf32>) -> tensor<1x16x8x8xf32>
  %e4 = tensor.empty() : tensor<1x16x8x8xf32>
  %4 = "ttir.relu"(%3, %e4) <{operand_constraints = [#any, #any], operandSegmentSizes = array<i32: 1, 1>}> : (tensor<1x16x8x8xf32>, tensor<1x16x8x8xf32>) -> tensor<1x16x8x8xf32>
  %e5 = tensor.empty() : tensor<1x8x8x16xf32>
  %5 = "ttir.permute"(%4, %e5) <{permutation = array<i64: 0, 2, 3, 1>, operand_constraints = [#any, #any]}> : (tensor<1x16x8x8xf32>, tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xf32>
  return %5 : tensor<1x8x8x16xf32>
}

// Dimensions that ops name.
// CHECK-LABEL: func.func @dims
// CHECK-NOT: ttir.permute
// CHECK: "ttir.concat"(%arg0, %arg1, %{{.*}}dim = 3 : si32
// CHECK: "ttir.pad"{{.*}}padding = array<i32: 0, 0, 1, 1, 2, 2, 0, 0>
// CHECK: "ttir.slice"{{.*}}begins = [0 : i32, 1 : i32, 2 : i32, 8 : i32], ends = [1 : i32, 9 : i32, 8 : i32, 24 : i32]
// CHECK: "ttir.softmax"{{.*}}dimension = 3 : si32
// CHECK: "ttir.cumsum"{{.*}}dim = 1 : i64
// CHECK: "ttir.max"{{.*}}dim_arg = [1 : i32, 2 : i32]
// CHECK: "ttir.multiply"
// CHECK-NOT: ttir.permute
// CHECK: return
func.func @dims(%x: tensor<1x8x6x16xf32>, %y: tensor<1x8x6x16xf32>) -> tensor<1x8x6x16xf32> {
  %e0 = tensor.empty() : tensor<1x16x8x6xf32>
  %0 = "ttir.permute"(%x, %e0) <{permutation = array<i64: 0, 3, 1, 2>, operand_constraints = [#any, #any]}> : (tensor<1x8x6x16xf32>, tensor<1x16x8x6xf32>) -> tensor<1x16x8x6xf32>
  %e1 = tensor.empty() : tensor<1x16x8x6xf32>
  %1 = "ttir.permute"(%y, %e1) <{permutation = array<i64: 0, 3, 1, 2>, operand_constraints = [#any, #any]}> : (tensor<1x8x6x16xf32>, tensor<1x16x8x6xf32>) -> tensor<1x16x8x6xf32>
  %e2 = tensor.empty() : tensor<1x32x8x6xf32>
  %2 = "ttir.concat"(%0, %1, %e2) <{dim = 1 : si32, operand_constraints = [#any, #any, #any]}> : (tensor<1x16x8x6xf32>, tensor<1x16x8x6xf32>, tensor<1x32x8x6xf32>) -> tensor<1x32x8x6xf32>
  %e3 = tensor.empty() : tensor<1x32x10x10xf32>
  %3 = "ttir.pad"(%2, %e3) <{padding = array<i32: 0, 0, 0, 0, 1, 1, 2, 2>, value = 0.0 : f32, operand_constraints = [#any, #any]}> : (tensor<1x32x8x6xf32>, tensor<1x32x10x10xf32>) -> tensor<1x32x10x10xf32>
  %e4 = tensor.empty() : tensor<1x16x8x6xf32>
  %4 = "ttir.slice"(%3, %e4) <{begins = [0 : i32, 8 : i32, 1 : i32, 2 : i32], ends = [1 : i32, 24 : i32, 9 : i32, 8 : i32], step = [1 : i32, 1 : i32, 1 : i32, 1 : i32], operand_constraints = [#any, #any]}> : (tensor<1x32x10x10xf32>, tensor<1x16x8x6xf32>) -> tensor<1x16x8x6xf32>
  %e5 = tensor.empty() : tensor<1x16x8x6xf32>
  %5 = "ttir.softmax"(%4, %e5) <{dimension = 1 : si32, operand_constraints = [#any, #any]}> : (tensor<1x16x8x6xf32>, tensor<1x16x8x6xf32>) -> tensor<1x16x8x6xf32>
  %e6 = tensor.empty() : tensor<1x16x8x6xf32>
  %6 = "ttir.cumsum"(%5, %e6) <{dim = 2 : i64, operand_constraints = [#any, #any]}> : (tensor<1x16x8x6xf32>, tensor<1x16x8x6xf32>) -> tensor<1x16x8x6xf32>
  %e7 = tensor.empty() : tensor<1x16x1x1xf32>
  %7 = "ttir.max"(%6, %e7) <{dim_arg = [2 : i32, 3 : i32], keep_dim = true, operand_constraints = [#any, #any]}> : (tensor<1x16x8x6xf32>, tensor<1x16x1x1xf32>) -> tensor<1x16x1x1xf32>
  %e8 = tensor.empty() : tensor<1x16x8x6xf32>
  %8 = "ttir.multiply"(%6, %7, %e8) <{operand_constraints = [#any, #any, #any], operandSegmentSizes = array<i32: 2, 1>}> : (tensor<1x16x8x6xf32>, tensor<1x16x1x1xf32>, tensor<1x16x8x6xf32>) -> tensor<1x16x8x6xf32>
  %e9 = tensor.empty() : tensor<1x8x6x16xf32>
  %9 = "ttir.permute"(%8, %e9) <{permutation = array<i64: 0, 2, 3, 1>, operand_constraints = [#any, #any]}> : (tensor<1x16x8x6xf32>, tensor<1x8x6x16xf32>) -> tensor<1x8x6x16xf32>
  return %9 : tensor<1x8x6x16xf32>
}

// Constants are made in the new order, parameters are permuted once, and
// reductions that drop dimensions take either.
// CHECK-LABEL: func.func @ends
// CHECK: %[[P:.*]] = "ttir.reshape"(%arg1, %{{.*}}shape = [1 : i32, 1 : i32, 1 : i32, 16 : i32]
// CHECK: %[[HALF:.*]] = "ttir.constant"() <{value = dense<5.000000e-01> : tensor<1x1x1x16xf32>}>
// CHECK-NOT: ttir.permute
// CHECK: "ttir.multiply"(%arg0, %[[P]]
// CHECK: "ttir.add"(%{{.*}}, %[[HALF]]
// CHECK: "ttir.mean"{{.*}}dim_arg = [1 : i32, 2 : i32], keep_dim = false{{.*}}tensor<1x8x8x16xf32>, tensor<1x16xf32>
// CHECK-NOT: ttir.permute
// CHECK: return
func.func @ends(%x: tensor<1x8x8x16xf32>, %p: tensor<16x1x1xf32> {tt.argument_type = #tt.argument_type<parameter>}) -> tensor<1x16xf32> {
  %e0 = tensor.empty() : tensor<1x16x8x8xf32>
  %0 = "ttir.permute"(%x, %e0) <{permutation = array<i64: 0, 3, 1, 2>, operand_constraints = [#any, #any]}> : (tensor<1x8x8x16xf32>, tensor<1x16x8x8xf32>) -> tensor<1x16x8x8xf32>
  %1 = "ttir.constant"() <{value = dense<5.0e-01> : tensor<1x16x1x1xf32>}> : () -> tensor<1x16x1x1xf32>
  %e2 = tensor.empty() : tensor<1x16x8x8xf32>
  %2 = "ttir.multiply"(%0, %p, %e2) <{operand_constraints = [#any, #any, #any], operandSegmentSizes = array<i32: 2, 1>}> : (tensor<1x16x8x8xf32>, tensor<16x1x1xf32>, tensor<1x16x8x8xf32>) -> tensor<1x16x8x8xf32>
  %e3 = tensor.empty() : tensor<1x16x8x8xf32>
  %3 = "ttir.add"(%2, %1, %e3) <{operand_constraints = [#any, #any, #any], operandSegmentSizes = array<i32: 2, 1>}> : (tensor<1x16x8x8xf32>, tensor<1x16x1x1xf32>, tensor<1x16x8x8xf32>) -> tensor<1x16x8x8xf32>
  %e4 = tensor.empty() : tensor<1x16xf32>
  %4 = "ttir.mean"(%3, %e4) <{dim_arg = [-2 : i32, -1 : i32], keep_dim = false, operand_constraints = [#any, #any]}> : (tensor<1x16x8x8xf32>, tensor<1x16xf32>) -> tensor<1x16xf32>
  return %4 : tensor<1x16xf32>
}

// One permutation before or one behind: nothing is saved.
// CHECK-LABEL: func.func @nothing_saved
// CHECK: "ttir.relu"(%arg0
// CHECK: "ttir.permute"
// CHECK: return
func.func @nothing_saved(%x: tensor<1x8x8x16xf32>) -> tensor<1x16x8x8xf32> {
  %e0 = tensor.empty() : tensor<1x8x8x16xf32>
  %0 = "ttir.relu"(%x, %e0) <{operand_constraints = [#any, #any], operandSegmentSizes = array<i32: 1, 1>}> : (tensor<1x8x8x16xf32>, tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xf32>
  %e1 = tensor.empty() : tensor<1x16x8x8xf32>
  %1 = "ttir.permute"(%0, %e1) <{permutation = array<i64: 0, 3, 1, 2>, operand_constraints = [#any, #any]}> : (tensor<1x8x8x16xf32>, tensor<1x16x8x8xf32>) -> tensor<1x16x8x8xf32>
  return %1 : tensor<1x16x8x8xf32>
}

// The value is wanted in both orders: one permutation instead of two.
// CHECK-LABEL: func.func @both_orders
// CHECK: %[[R:.*]] = "ttir.relu"(%arg0
// CHECK-COUNT-1: "ttir.permute"(%[[R]]
// CHECK-NOT: ttir.permute
// CHECK: return
func.func @both_orders(%x: tensor<1x8x8x16xf32>) -> (tensor<1x16x8x8xf32>, tensor<1x8x8x16xf32>) {
  %e0 = tensor.empty() : tensor<1x16x8x8xf32>
  %0 = "ttir.permute"(%x, %e0) <{permutation = array<i64: 0, 3, 1, 2>, operand_constraints = [#any, #any]}> : (tensor<1x8x8x16xf32>, tensor<1x16x8x8xf32>) -> tensor<1x16x8x8xf32>
  %e1 = tensor.empty() : tensor<1x16x8x8xf32>
  %1 = "ttir.relu"(%0, %e1) <{operand_constraints = [#any, #any], operandSegmentSizes = array<i32: 1, 1>}> : (tensor<1x16x8x8xf32>, tensor<1x16x8x8xf32>) -> tensor<1x16x8x8xf32>
  %e2 = tensor.empty() : tensor<1x8x8x16xf32>
  %2 = "ttir.permute"(%1, %e2) <{permutation = array<i64: 0, 2, 3, 1>, operand_constraints = [#any, #any]}> : (tensor<1x16x8x8xf32>, tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xf32>
  return %1, %2 : tensor<1x16x8x8xf32>, tensor<1x8x8x16xf32>
}

// Pairs become one permutation, or none.
// CHECK-LABEL: func.func @pairs
// CHECK-COUNT-1: "ttir.permute"(%arg0, %{{.*}}permutation = array<i64: 3, 0, 1, 2>
// CHECK-NOT: ttir.permute
// CHECK: return %arg0, %{{.*}} :
func.func @pairs(%x: tensor<2x3x5x7xf32>) -> (tensor<2x3x5x7xf32>, tensor<7x2x3x5xf32>) {
  %e0 = tensor.empty() : tensor<2x5x7x3xf32>
  %0 = "ttir.permute"(%x, %e0) <{permutation = array<i64: 0, 2, 3, 1>, operand_constraints = [#any, #any]}> : (tensor<2x3x5x7xf32>, tensor<2x5x7x3xf32>) -> tensor<2x5x7x3xf32>
  %e1 = tensor.empty() : tensor<2x3x5x7xf32>
  %1 = "ttir.permute"(%0, %e1) <{permutation = array<i64: 0, 3, 1, 2>, operand_constraints = [#any, #any]}> : (tensor<2x5x7x3xf32>, tensor<2x3x5x7xf32>) -> tensor<2x3x5x7xf32>
  %e2 = tensor.empty() : tensor<7x2x3x5xf32>
  %2 = "ttir.permute"(%0, %e2) <{permutation = array<i64: 2, 0, 3, 1>, operand_constraints = [#any, #any]}> : (tensor<2x5x7x3xf32>, tensor<7x2x3x5xf32>) -> tensor<7x2x3x5xf32>
  return %1, %2 : tensor<2x3x5x7xf32>, tensor<7x2x3x5xf32>
}

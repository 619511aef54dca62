// RUN: ttmlir-opt --ttir-legalize-types %s | FileCheck %s
// What ops do on i1 is done on 0 and 1.
#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>

// CHECK-LABEL: func.func @arithmetic
func.func @arithmetic(%a: tensor<4xi1>, %b: tensor<4xi1>) -> tensor<4xi1> {
  %0 = tensor.empty() : tensor<4xi1>
  // CHECK: %[[OR:.*]] = "ttir.logical_or"(%arg0, %arg1, %{{.*}}) {{.*}} -> tensor<4xui8>
  %1 = "ttir.add"(%a, %b, %0) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<4xi1>, tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  // CHECK: %[[AND:.*]] = "ttir.logical_and"(%[[OR]], %arg1
  %2 = "ttir.multiply"(%1, %b, %0) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<4xi1>, tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  // CHECK: %[[NOT:.*]] = "ttir.logical_not"(%[[AND]]
  %3 = "ttir.bitwise_not"(%2, %0) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  // CHECK-NOT: ttir.neg
  %4 = "ttir.neg"(%3, %0) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  // CHECK: return %[[NOT]]
  return %4 : tensor<4xi1>
}

// CHECK-LABEL: func.func @typecast
func.func @typecast(%a: tensor<4xf32>) -> (tensor<4xi1>, tensor<4xf32>) {
  %0 = tensor.empty() : tensor<4xi1>
  // CHECK: %[[ZERO:.*]] = "ttir.constant"() <{value = dense<0.000000e+00> : tensor<1xf32>}>
  // CHECK: %[[NE:.*]] = "ttir.ne"(%arg0, %[[ZERO]], %{{.*}}) {{.*}} -> tensor<4xui8>
  %1 = "ttir.typecast"(%a, %0) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<4xf32>, tensor<4xi1>) -> tensor<4xi1>
  %2 = tensor.empty() : tensor<4xf32>
  // CHECK: "ttir.typecast"(%[[NE]], %{{.*}}) {{.*}} (tensor<4xui8>, tensor<4xf32>)
  %3 = "ttir.typecast"(%1, %2) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<4xi1>, tensor<4xf32>) -> tensor<4xf32>
  return %1, %3 : tensor<4xi1>, tensor<4xf32>
}

// CHECK-LABEL: func.func @reductions
func.func @reductions(%a: tensor<4x5xi1>) -> (tensor<4x1xi1>, tensor<4x1xi1>, tensor<4x1xsi32>) {
  %0 = tensor.empty() : tensor<4x1xi1>
  // CHECK: "ttir.max"(%arg0
  %1 = "ttir.sum"(%a, %0) <{dim_arg = [1 : i32], keep_dim = true, operand_constraints = [#any, #any]}> : (tensor<4x5xi1>, tensor<4x1xi1>) -> tensor<4x1xi1>
  // CHECK: "ttir.min"(%arg0
  %2 = "ttir.prod"(%a, %0) <{dim_arg = [1 : i32], keep_dim = true, operand_constraints = [#any, #any]}> : (tensor<4x5xi1>, tensor<4x1xi1>) -> tensor<4x1xi1>
  %3 = tensor.empty() : tensor<4x1xsi32>
  // A count does not fit into 8 bits.
  // CHECK: %[[WIDE:.*]] = "ttir.typecast"(%arg0, %{{.*}}) {{.*}} -> tensor<4x5xsi32>
  // CHECK: "ttir.sum"(%[[WIDE]]
  %4 = "ttir.sum"(%a, %3) <{dim_arg = [1 : i32], keep_dim = true, operand_constraints = [#any, #any]}> : (tensor<4x5xi1>, tensor<4x1xsi32>) -> tensor<4x1xsi32>
  return %1, %2, %4 : tensor<4x1xi1>, tensor<4x1xi1>, tensor<4x1xsi32>
}

// A resource has a byte for each element.
// CHECK-LABEL: func.func @resource
func.func @resource() -> tensor<3xi1> {
  // CHECK: value = dense<[1, 0, 1]> : tensor<3xui8>
  %0 = "ttir.constant"() <{value = dense_resource<bits> : tensor<3xi1>}> : () -> tensor<3xi1>
  return %0 : tensor<3xi1>
}

{-#
  dialect_resources: {
    builtin: {
      bits: "0x01000000010001"
    }
  }
#-}

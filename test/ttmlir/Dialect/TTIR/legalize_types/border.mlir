// RUN: ttmlir-opt --ttir-legalize-types %s | FileCheck %s
// Types of the border become those of the machine, and the source's are noted.
#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>

// CHECK-LABEL: func.func @elements
// CHECK-SAME: (%[[B:.*]]: tensor<4xui8> {tt.host_type = tensor<4xi1>}, %[[S:.*]]: tensor<4xsi32> {tt.host_type = tensor<4xsi64>}, %[[U:.*]]: tensor<4xui32> {tt.host_type = tensor<4xi64>}, %[[F:.*]]: tensor<4xf32> {tt.host_type = tensor<4xf64>, ttir.name = "w"}, %[[K:.*]]: tensor<4xsi8>)
// CHECK-SAME: -> (tensor<4xsi32> {tt.host_type = tensor<4xsi64>}, tensor<4xui32> {tt.host_type = tensor<4xi64>}, tensor<4xf32> {tt.host_type = tensor<4xf64>}, tensor<4xsi8>)
func.func @elements(%b: tensor<4xi1>, %s: tensor<4xsi64>, %u: tensor<4xi64>, %f: tensor<4xf64> {ttir.name = "w"}, %k: tensor<4xsi8>) -> (tensor<4xsi64>, tensor<4xi64>, tensor<4xf64>, tensor<4xsi8>) {
  // CHECK: %[[D:.*]] = tensor.empty() : tensor<4xsi32>
  %0 = tensor.empty() : tensor<4xsi64>
  // CHECK: %[[R:.*]] = "ttir.where"(%[[B]], %[[S]], %[[S]], %[[D]])
  // CHECK-SAME: (tensor<4xui8>, tensor<4xsi32>, tensor<4xsi32>, tensor<4xsi32>) -> tensor<4xsi32>
  %1 = "ttir.where"(%b, %s, %s, %0) <{operandSegmentSizes = array<i32: 3, 1>, operand_constraints = [#any, #any, #any, #any]}> : (tensor<4xi1>, tensor<4xsi64>, tensor<4xsi64>, tensor<4xsi64>) -> tensor<4xsi64>
  // CHECK: return %[[R]], %[[U]], %[[F]], %[[K]]
  return %1, %u, %f, %k : tensor<4xsi64>, tensor<4xi64>, tensor<4xf64>, tensor<4xsi8>
}

// Private functions have no border.
// CHECK-LABEL: func.func private @inner
// CHECK-SAME: (%{{.*}}: tensor<1xf32>) -> tensor<1xf32>
func.func private @inner(%x: tensor<f64>) -> tensor<f64> {
  return %x : tensor<f64>
}

// CHECK-LABEL: func.func @calls
func.func @calls(%x: tensor<f64>) -> tensor<f64> {
  // CHECK: call @inner(%{{.*}}) : (tensor<1xf32>) -> tensor<1xf32>
  %0 = call @inner(%x) : (tensor<f64>) -> tensor<f64>
  return %0 : tensor<f64>
}

// CHECK-LABEL: func.func @constants
func.func @constants() -> (tensor<2x2xsi64>, tensor<2xi64>, tensor<f64>, tensor<3xi1>) {
  // CHECK: value = dense<{{\[}}[1, -2], [2147483647, -2147483648]]> : tensor<2x2xsi32>
  %0 = "ttir.constant"() <{value = dense<[[1, -2], [2147483647, -2147483648]]> : tensor<2x2xsi64>}> : () -> tensor<2x2xsi64>
  // CHECK: value = dense<4294967295> : tensor<2xui32>
  %1 = "ttir.constant"() <{value = dense<4294967295> : tensor<2xi64>}> : () -> tensor<2xi64>
  // CHECK: value = dense<1.000000e-01> : tensor<1xf32>
  %2 = "ttir.constant"() <{value = dense<0.1> : tensor<f64>}> : () -> tensor<f64>
  // CHECK: value = dense<[1, 0, 1]> : tensor<3xui8>
  %3 = "ttir.constant"() <{value = dense<[true, false, true]> : tensor<3xi1>}> : () -> tensor<3xi1>
  return %0, %1, %2, %3 : tensor<2x2xsi64>, tensor<2xi64>, tensor<f64>, tensor<3xi1>
}

// RUN: ttmlir-opt %s | ttmlir-opt | FileCheck %s
// Ops that make tensors.
#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
// CHECK-LABEL: func.func @arange
// CHECK: "ttir.arange"() <{arange_dimension = 1 : i64, end = 128 : si64, start = 0 : si64, step = 1 : si64}> : () -> tensor<64x128xf32>
func.func @arange() -> (tensor<64x128xf32>) {
  %0 = "ttir.arange"() <{arange_dimension = 1 : i64, end = 128 : si64, start = 0 : si64, step = 1 : si64}> : () -> tensor<64x128xf32>
  return %0 : tensor<64x128xf32>
}
// CHECK-LABEL: func.func @full
// CHECK: "ttir.full"() <{fill_value = 5.000000e-01 : f32, shape = array<i32: 64, 128>}> : () -> tensor<64x128xf32>
func.func @full() -> (tensor<64x128xf32>) {
  %0 = "ttir.full"() <{fill_value = 5.000000e-01 : f32, shape = array<i32: 64, 128>}> : () -> tensor<64x128xf32>
  return %0 : tensor<64x128xf32>
}
// CHECK-LABEL: func.func @fill
// CHECK: "ttir.fill"(%{{.*}}) <{operand_constraints = [#any_device], value = dense<1.000000e+00> : tensor<64x128xf32>}> : (tensor<64x128xf32>) -> tensor<64x128xf32>
func.func @fill() -> (tensor<64x128xf32>) {
  %0 = tensor.empty() : tensor<64x128xf32>
  %1 = "ttir.fill"(%0) <{operand_constraints = [#any], value = dense<1.000000e+00> : tensor<64x128xf32>}> : (tensor<64x128xf32>) -> tensor<64x128xf32>
  return %1 : tensor<64x128xf32>
}

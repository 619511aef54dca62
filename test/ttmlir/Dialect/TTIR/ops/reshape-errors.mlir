// RUN: ttmlir-opt %s -split-input-file -verify-diagnostics
// One case for each rule of ttir.reshape.
#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
func.func @reshape_rank(%a: tensor<64x2xf32>) {
  %0 = tensor.empty() : tensor<128xf32>
  // expected-error @+1 {{Shape attribute size must match output tensor rank}}
  %1 = "ttir.reshape"(%a, %0) <{operand_constraints = [#any, #any], shape = [64 : i32, 2 : i32]}> : (tensor<64x2xf32>, tensor<128xf32>) -> tensor<128xf32>
  return
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
func.func @reshape_elements(%a: tensor<64xf32>) {
  %0 = tensor.empty() : tensor<32x3xf32>
  // expected-error @+1 {{Input and output tensors must have the same number of elements}}
  %1 = "ttir.reshape"(%a, %0) <{operand_constraints = [#any, #any], shape = [32 : i32, 3 : i32]}> : (tensor<64xf32>, tensor<32x3xf32>) -> tensor<32x3xf32>
  return
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
func.func @reshape_two_free(%a: tensor<64xf32>) {
  %0 = tensor.empty() : tensor<32x2xf32>
  // expected-error @+1 {{Shape attribute must have at most one -1 element}}
  %1 = "ttir.reshape"(%a, %0) <{operand_constraints = [#any, #any], shape = [-1 : i32, -1 : i32]}> : (tensor<64xf32>, tensor<32x2xf32>) -> tensor<32x2xf32>
  return
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
func.func @reshape_negative(%a: tensor<64xf32>) {
  %0 = tensor.empty() : tensor<32x2xf32>
  // expected-error @+1 {{All dimensions must not be negative except the one with -1}}
  %1 = "ttir.reshape"(%a, %0) <{operand_constraints = [#any, #any], shape = [32 : i32, -2 : i32]}> : (tensor<64xf32>, tensor<32x2xf32>) -> tensor<32x2xf32>
  return
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
func.func @reshape_mismatch(%a: tensor<64xf32>) {
  %0 = tensor.empty() : tensor<32x2xf32>
  // expected-error @+1 {{Shape attribute must match the output tensor shape for dimensions that are not -1}}
  %1 = "ttir.reshape"(%a, %0) <{operand_constraints = [#any, #any], shape = [16 : i32, 4 : i32]}> : (tensor<64xf32>, tensor<32x2xf32>) -> tensor<32x2xf32>
  return
}

// RUN: ttmlir-opt %s -split-input-file -verify-diagnostics
// Rules of ops that make a tensor out of nothing, and of repeat.
#any = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile>
func.func @repeat(%arg0: tensor<2x3xf32>) -> tensor<4x3xf32> {
  %0 = tensor.empty() : tensor<4x3xf32>
  // expected-error @+1 {{repeat dimensions must have 2 entries for its input: found 1}}
  %1 = "ttir.repeat"(%arg0, %0) <{operand_constraints = [#any, #any], repeat_dimensions = array<i64: 2>}> : (tensor<2x3xf32>, tensor<4x3xf32>) -> tensor<4x3xf32>
  return %1 : tensor<4x3xf32>
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile>
func.func @repeat(%arg0: tensor<2x3xf32>) -> tensor<4x3xf32> {
  %0 = tensor.empty() : tensor<4x3xf32>
  // expected-error @+1 {{repeat dimensions must be positive: found 0}}
  %1 = "ttir.repeat"(%arg0, %0) <{operand_constraints = [#any, #any], repeat_dimensions = array<i64: 2, 0>}> : (tensor<2x3xf32>, tensor<4x3xf32>) -> tensor<4x3xf32>
  return %1 : tensor<4x3xf32>
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile>
func.func @repeat(%arg0: tensor<2x3xf32>) -> tensor<4x3xf32> {
  %0 = tensor.empty() : tensor<4x3xf32>
  // expected-error @+1 {{Output shape mismatch: expected 4x6, found 4x3}}
  %1 = "ttir.repeat"(%arg0, %0) <{operand_constraints = [#any, #any], repeat_dimensions = array<i64: 2, 2>}> : (tensor<2x3xf32>, tensor<4x3xf32>) -> tensor<4x3xf32>
  return %1 : tensor<4x3xf32>
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile>
func.func @fill() -> tensor<2x3xf32> {
  %0 = tensor.empty() : tensor<2x3xf32>
  // expected-error @+1 {{failed to verify that all of {value, result} have same shape: value is 'tensor<2x4xf32>', result is 'tensor<2x3xf32>'}}
  %1 = "ttir.fill"(%0) <{operand_constraints = [#any], value = dense<1.0> : tensor<2x4xf32>}> : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %1 : tensor<2x3xf32>
}

// -----

func.func @full() -> tensor<2x3xf32> {
  // expected-error @+1 {{shape must be that of the result: expected 2x3, found 2x4}}
  %1 = "ttir.full"() <{fill_value = 1.0 : f32, shape = array<i32: 2, 4>}> : () -> tensor<2x3xf32>
  return %1 : tensor<2x3xf32>
}

// -----

func.func @full() -> tensor<2x3xf32> {
  // expected-error @+1 {{fill_value must be an f32 for a tensor of 'f32': found 1 : i32}}
  %1 = "ttir.full"() <{fill_value = 1 : i32, shape = array<i32: 2, 3>}> : () -> tensor<2x3xf32>
  return %1 : tensor<2x3xf32>
}

// -----

func.func @arange() -> tensor<2x3xf32> {
  // expected-error @+1 {{arange_dimension must be in [0, 2): found 2}}
  %1 = "ttir.arange"() <{arange_dimension = 2 : i64, end = 3 : si64, start = 0 : si64, step = 1 : si64}> : () -> tensor<2x3xf32>
  return %1 : tensor<2x3xf32>
}

// -----

func.func @arange() -> tensor<2x3xf32> {
  // expected-error @+1 {{expected at least one number from 0 to 3 by 0, found none}}
  %1 = "ttir.arange"() <{arange_dimension = 1 : i64, end = 3 : si64, start = 0 : si64, step = 0 : si64}> : () -> tensor<2x3xf32>
  return %1 : tensor<2x3xf32>
}

// -----

func.func @arange() -> tensor<2x3xf32> {
  // expected-error @+1 {{expected at least one number from 0 to -3 by 1, found none}}
  %1 = "ttir.arange"() <{arange_dimension = 1 : i64, end = -3 : si64, start = 0 : si64, step = 1 : si64}> : () -> tensor<2x3xf32>
  return %1 : tensor<2x3xf32>
}

// -----

func.func @arange() -> tensor<2x3xf32> {
  // expected-error @+1 {{Output must have 4 numbers in dimension 1: found 2x3}}
  %1 = "ttir.arange"() <{arange_dimension = 1 : i64, end = 7 : si64, start = 0 : si64, step = 2 : si64}> : () -> tensor<2x3xf32>
  return %1 : tensor<2x3xf32>
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile>
func.func @bitwise(%arg0: tensor<2xf32>, %arg1: tensor<2xi32>) {
  %0 = tensor.empty() : tensor<2xi32>
  // expected-error @+1 {{expected integer elements, found 'tensor<2xf32>'}}
  %1 = "ttir.bitwise_and"(%arg0, %arg1, %0) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<2xf32>, tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
  return
}

// -----

#any = #tt.operand_constraint<any>
func.func @repeat(%arg0: tensor<4x64xf32>) -> tensor<4x64xf32> {
  %0 = tensor.empty() : tensor<4x64xf32>
  // expected-error @+1 {{repeat dimensions must give extents of 64 bits: found 4611686018427387904}}
  %1 = "ttir.repeat"(%arg0, %0) <{operand_constraints = [#any, #any], repeat_dimensions = array<i64: 1, 4611686018427387904>}> : (tensor<4x64xf32>, tensor<4x64xf32>) -> tensor<4x64xf32>
  return %1 : tensor<4x64xf32>
}

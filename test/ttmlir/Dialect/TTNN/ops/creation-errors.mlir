// RUN: ttmlir-opt %s -split-input-file -verify-diagnostics
// Rules of calls that make a tensor, and of those that state what their operands show.
#l1_ = #tt.memory_space<l1>
#layout = #tt.layout<(d0) -> (0, d0), undef, <1x1>, memref<1x2xf32, #l1_>>
func.func @from_device(%arg0: tensor<2xf32, #layout>) {
  // expected-error @+1 {{result must be in system memory: found l1}}
  %0 = "ttnn.from_device"(%arg0) : (tensor<2xf32, #layout>) -> tensor<2xf32, #layout>
  return
}

// -----

func.func @from_device_shape(%arg0: tensor<2xf32>) {
  // expected-error @+1 {{Input and result shapes must be the same: found 2 and 3}}
  %0 = "ttnn.from_device"(%arg0) : (tensor<2xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @constant_shape() {
  // expected-error @+1 {{value is 'tensor<2xf32>', result is 'tensor<3xf32>'}}
  %0 = "ttnn.constant"() <{value = dense<[0.2, 1.3]> : tensor<2xf32>}> : () -> tensor<3xf32>
  return
}

// -----

func.func @constant_placement() {
  // expected-error @+1 {{expected both a device and a memory_config, or neither: found a memory_config only}}
  %0 = "ttnn.constant"() <{memory_config = #ttnn.memory_config<<interleaved>, <dram>>, value = dense<[0.2, 1.3]> : tensor<2xf32>}> : () -> tensor<2xf32>
  return
}

// -----

func.func @arange_count() {
  // expected-error @+1 {{expected at least one number from 4 to 4 by 1, found none}}
  %0 = "ttnn.arange"() <{end = 4 : si64, start = 4 : si64, step = 1 : si64}> : () -> tensor<1xf32>
  return
}

// -----

func.func @arange_shape() {
  // expected-error @+1 {{result must have rank 1 and 4 numbers: found 1x4}}
  %0 = "ttnn.arange"() <{end = 4 : si64, start = 0 : si64, step = 1 : si64}> : () -> tensor<1x4xf32>
  return
}

// -----

func.func @arange_placement() {
  // expected-error @+1 {{expected both a device and a memory_config, or neither: found a memory_config only}}
  %0 = "ttnn.arange"() <{end = 4 : si64, memory_config = #ttnn.memory_config<<interleaved>, <dram>>, start = 0 : si64, step = 1 : si64}> : () -> tensor<4xf32>
  return
}

// -----

func.func @typecast(%arg0: tensor<4xf32>, %arg1: tensor<4xbf16>) {
  // expected-error @+1 {{dtype must be that of the result: expected bf16, found f32}}
  %0 = "ttnn.typecast"(%arg0, %arg1) <{dtype = #tt.supportedDataTypes<f32>, operandSegmentSizes = array<i32: 1, 1>}> : (tensor<4xf32>, tensor<4xbf16>) -> tensor<4xbf16>
  return
}

// -----

func.func @repeat(%arg0: tensor<4xf32>, %arg1: tensor<9xf32>) {
  // expected-error @+1 {{Output shape mismatch: expected 8, found 9}}
  %0 = "ttnn.repeat"(%arg0, %arg1) <{repeat_dims = #ttnn.shape<2>}> : (tensor<4xf32>, tensor<9xf32>) -> tensor<9xf32>
  return
}

// -----

func.func @bitwise(%arg0: tensor<2xi32>, %arg1: tensor<2xf32>) {
  // expected-error @+1 {{expected integer elements, found 'tensor<2xf32>'}}
  %0 = "ttnn.bitwise_not"(%arg0, %arg1) <{operandSegmentSizes = array<i32: 1, 1>}> : (tensor<2xi32>, tensor<2xf32>) -> tensor<2xf32>
  return
}

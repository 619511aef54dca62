// RUN: ttmlir-opt --ttir-layout --convert-ttir-to-ttnn --split-input-file %s | FileCheck %s
// RUN: ttmlir-opt --ttir-layout --convert-ttir-to-ttnn --split-input-file --remarks %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// Elements that differ keep their values; equal ones become a fill, zeros an
// empty tensor that says so.
// REMARK-DAG: remark: [Passed] Created | Category:convert-ttir-to-ttnn{{.*}} | Op=ttir.constant, Reason="becomes a fill: all elements are
// REMARK-DAG: remark: [Passed] Created | Category:convert-ttir-to-ttnn{{.*}} | Op=ttir.constant, Reason="becomes ttnn.constant, with
// CHECK-LABEL: func.func @constants
func.func @constants() -> (tensor<2xf32>, tensor<2xi32>, tensor<2xf32>, tensor<4xi32>) {
  // CHECK: "ttnn.constant"() <{value = dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>}> : () -> tensor<2xf32, #{{.*}}>
  %0 = "ttir.constant"() <{value = dense<[1.0, 2.0]> : tensor<2xf32>}> : () -> tensor<2xf32>
  // CHECK: "ttnn.full"(%{{.*}}) <{fillValue = 7.000000e+00 : f32}>
  %1 = "ttir.constant"() <{value = dense<7> : tensor<2xi32>}> : () -> tensor<2xi32>
  // CHECK: "ttnn.empty"() <{{.*}}> {ttnn.zeros}
  %2 = "ttir.constant"() <{value = dense<0.0> : tensor<2xf32>}> : () -> tensor<2xf32>
  // An integer that is no f32 keeps all its digits.
  // CHECK: "ttnn.constant"() <{value = dense<16777217> : tensor<4xi32>}>
  %3 = "ttir.constant"() <{value = dense<16777217> : tensor<4xi32>}> : () -> tensor<4xi32>
  return %0, %1, %2, %3 : tensor<2xf32>, tensor<2xi32>, tensor<2xf32>, tensor<4xi32>
}

// -----

// On the device, where an op wants it.
#any_device = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile|interleaved>
// CHECK-LABEL: func.func @on_device
func.func @on_device(%arg0: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // CHECK: "ttnn.constant"(%{{.*}}) <{memory_config = #ttnn.memory_config<<interleaved>, <dram>>, value = dense<{{.*}}> : tensor<2x3xf32>}> : (!tt.device<#device>) -> tensor<2x3xf32, #{{.*}}>
  %0 = "ttir.constant"() <{value = dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
  %1 = tensor.empty() : tensor<2x3xf32>
  %2 = "ttir.add"(%arg0, %0, %1) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any_device, #any_device, #any_device]}> : (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return %2 : tensor<2x3xf32>
}

// -----

#any_device = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile|interleaved>
// CHECK-LABEL: func.func @full_and_fill
func.func @full_and_fill() -> (tensor<2x3xf32>, tensor<2x3xf32>) {
  // CHECK: "ttnn.full"(%{{.*}}) <{fillValue = 5.000000e-01 : f32}>
  %0 = "ttir.full"() <{fill_value = 5.0e-01 : f32, shape = array<i32: 2, 3>}> : () -> tensor<2x3xf32>
  // A fill makes its result itself: its destination goes.
  // CHECK-NOT: ttnn.empty
  // CHECK: "ttnn.full"(%{{.*}}) <{fillValue = 2.500000e-01 : f32}>
  %1 = tensor.empty() : tensor<2x3xf32>
  %2 = "ttir.fill"(%1) <{operand_constraints = [#any_device], value = dense<0.25> : tensor<2x3xf32>}> : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0, %2 : tensor<2x3xf32>, tensor<2x3xf32>
}

// -----

// The library makes a line; other dimensions repeat it.
// CHECK-LABEL: func.func @arange
func.func @arange() -> (tensor<5xf32>, tensor<2x5x3xf32>) {
  // CHECK: "ttnn.arange"() <{end = 10 : si64, start = 0 : si64, step = 2 : si64}> : () -> tensor<5xf32, #{{.*}}>
  %0 = "ttir.arange"() <{arange_dimension = 0 : i64, end = 10 : si64, start = 0 : si64, step = 2 : si64}> : () -> tensor<5xf32>
  // CHECK: %[[LINE:.*]] = "ttnn.arange"() <{end = -5 : si64, start = 0 : si64, step = -1 : si64}>
  // CHECK: %[[RESHAPED:.*]] = "ttnn.reshape"(%[[LINE]], %{{.*}}) <{shape = [1 : i32, 5 : i32, 1 : i32]}>
  // CHECK: "ttnn.repeat"(%[[RESHAPED]], %{{.*}}) <{repeat_dims = #ttnn.shape<2x1x3>}>
  %1 = "ttir.arange"() <{arange_dimension = 1 : i64, end = -5 : si64, start = 0 : si64, step = -1 : si64}> : () -> tensor<2x5x3xf32>
  return %0, %1 : tensor<5xf32>, tensor<2x5x3xf32>
}

// -----

// A line of the result's own shape is not repeated, and lies as the result does.
#dram = #tt.memory_space<dram>
#system = #tt.memory_space<system>
#tiles = #tt.layout<(d0, d1, d2, d3) -> (d0 + d1 + d2, d3), undef, <1x1>, memref<1x1x!tt.tile<32x32, bf16>, #dram>, interleaved>
#rows = #tt.layout<(d0, d1, d2, d3) -> (d0 + d1 + d2, d3), undef, <1x1>, memref<1x4xbf16, #system>>
// CHECK: #[[TILES:.*]] = #tt.layout<(d0, d1, d2, d3) -> (d0 + d1 + d2, d3), undef, <1x1>, memref<1x1x!tt.tile<32x32, bf16>, #dram>, interleaved>
// CHECK-LABEL: func.func @placed_arange
func.func @placed_arange() -> tensor<1x1x1x4xbf16, #tiles> {
  // CHECK: "ttnn.reshape"
  // CHECK-NOT: ttnn.repeat
  // CHECK: return %{{.*}} : tensor<1x1x1x4xbf16, #[[TILES]]>
  %0 = "ttir.arange"() <{arange_dimension = 3 : i64, end = 6 : si64, start = 2 : si64, step = 1 : si64}> : () -> tensor<1x1x1x4xbf16, #rows>
  %1 = tensor.empty() : tensor<1x1x1x4xbf16, #tiles>
  %2 = "ttir.to_layout"(%0, %1) : (tensor<1x1x1x4xbf16, #rows>, tensor<1x1x1x4xbf16, #tiles>) -> tensor<1x1x1x4xbf16, #tiles>
  return %2 : tensor<1x1x1x4xbf16, #tiles>
}

// Tiles are full only where the last dimension is wide: no step of a big op has a narrow one.
// RUN: ttmlir-opt --ttir-expand-composites --split-input-file %s | FileCheck %s
#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>

// CHECK-LABEL: func.func @dropout
// CHECK-NOT: tensor<16777216x
// CHECK: "ttir.logical_right_shift"{{.*}} -> tensor<4096x4096xi32>
// CHECK-NOT: tensor<16777216x
// CHECK: return
func.func @dropout(%a: tensor<4096x4096xbf16>) -> tensor<4096x4096xbf16> {
  %0 = tensor.empty() : tensor<4096x4096xbf16>
  %1 = "ttir.dropout"(%a, %0) <{prob = 1.000000e-01 : f32, scale = 1.11111116 : f32, seed = 7 : ui32, operand_constraints = [#any, #any]}> : (tensor<4096x4096xbf16>, tensor<4096x4096xbf16>) -> tensor<4096x4096xbf16>
  return %1 : tensor<4096x4096xbf16>
}

// -----
#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>

// A list has rows of its own while it is computed, both for pairs and for fours of words.
// CHECK-LABEL: func.func @bits
// CHECK: "ttir.add"{{.*}} -> tensor<1024x1024xi32>
// CHECK: "ttir.reshape"{{.*}} -> tensor<1048576xi32>
func.func @bits(%s: tensor<4xi32>) -> tensor<1048576xi32> {
  %0 = tensor.empty() : tensor<4xi32>
  %1 = tensor.empty() : tensor<1048576xi32>
  %2:2 = "ttir.rng_bit_generator"(%s, %0, %1) <{algorithm = "three_fry", shape = array<i64: 1048576>, operand_constraints = [#any, #any, #any]}> : (tensor<4xi32>, tensor<4xi32>, tensor<1048576xi32>) -> (tensor<4xi32>, tensor<1048576xi32>)
  return %2#1 : tensor<1048576xi32>
}

// -----
#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>

// The channels, along which no window slides, are last while elements move.
// CHECK-LABEL: func.func @select_and_scatter
// CHECK: "ttir.permute"{{.*}}permutation = array<i64: 0, 2, 3, 1>{{.*}} -> tensor<8x112x112x64xbf16>
// CHECK-NOT: x1xf32>
// CHECK: "ttir.permute"{{.*}}permutation = array<i64: 0, 3, 1, 2>{{.*}} -> tensor<8x64x112x112xbf16>
func.func @select_and_scatter(%a: tensor<8x64x112x112xbf16>, %b: tensor<8x64x56x56xbf16>) -> tensor<8x64x112x112xbf16> {
  %0 = tensor.empty() : tensor<8x64x112x112xbf16>
  %1 = "ttir.select_and_scatter"(%a, %b, %0) <{kind = "max", window = array<i64: 1, 1, 3, 3>, stride = array<i64: 1, 1, 2, 2>, padding = array<i64: 0, 0, 0, 0, 0, 1, 0, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<8x64x112x112xbf16>, tensor<8x64x56x56xbf16>, tensor<8x64x112x112xbf16>) -> tensor<8x64x112x112xbf16>
  return %1 : tensor<8x64x112x112xbf16>
}

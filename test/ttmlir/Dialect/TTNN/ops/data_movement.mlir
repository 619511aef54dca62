// RUN: ttmlir-opt %s | ttmlir-opt | FileCheck %s
// Ops that move elements.
// CHECK-LABEL: func.func @gather
// CHECK: "ttnn.gather"(%{{.*}}, %{{.*}}, %{{.*}}) <{collapsed_slice_dims = array<i64: 0>, index_vector_dim = 1 : si64, offset_dims = array<i64: 1>, operand_batching_dims = array<i64>, slice_sizes = array<i64: 1, 128>, start_index_map = array<i64: 0>, start_indices_batching_dims = array<i64>}> : (tensor<64x128xf32>, tensor<10x1xi32>, tensor<10x128xf32>) -> tensor<10x128xf32>
func.func @gather(%a: tensor<64x128xf32>, %b: tensor<10x1xi32>, %0: tensor<10x128xf32>) -> (tensor<10x128xf32>) {
  %1 = "ttnn.gather"(%a, %b, %0) <{collapsed_slice_dims = array<i64: 0>, index_vector_dim = 1 : si64, offset_dims = array<i64: 1>, operand_batching_dims = array<i64>, slice_sizes = array<i64: 1, 128>, start_index_map = array<i64: 0>, start_indices_batching_dims = array<i64>}> : (tensor<64x128xf32>, tensor<10x1xi32>, tensor<10x128xf32>) -> tensor<10x128xf32>
  return %1 : tensor<10x128xf32>
}
// CHECK-LABEL: func.func @pad
// CHECK: "ttnn.pad"(%{{.*}}, %{{.*}}) <{padding = array<i32: 0, 1, 2, 2>, value = 0.000000e+00 : f32}> : (tensor<31x60xf32>, tensor<32x64xf32>) -> tensor<32x64xf32>
func.func @pad(%a: tensor<31x60xf32>, %0: tensor<32x64xf32>) -> (tensor<32x64xf32>) {
  %1 = "ttnn.pad"(%a, %0) <{padding = array<i32: 0, 1, 2, 2>, value = 0.000000e+00 : f32}> : (tensor<31x60xf32>, tensor<32x64xf32>) -> tensor<32x64xf32>
  return %1 : tensor<32x64xf32>
}
// CHECK-LABEL: func.func @permute
// CHECK: "ttnn.permute"(%{{.*}}, %{{.*}}) <{permutation = array<i64: 2, 0, 1>}> : (tensor<2x32x64xf32>, tensor<64x2x32xf32>) -> tensor<64x2x32xf32>
func.func @permute(%a: tensor<2x32x64xf32>, %0: tensor<64x2x32xf32>) -> (tensor<64x2x32xf32>) {
  %1 = "ttnn.permute"(%a, %0) <{permutation = array<i64: 2, 0, 1>}> : (tensor<2x32x64xf32>, tensor<64x2x32xf32>) -> tensor<64x2x32xf32>
  return %1 : tensor<64x2x32xf32>
}
// CHECK-LABEL: func.func @repeat
// CHECK: "ttnn.repeat"(%{{.*}}, %{{.*}}) <{repeat_dims = #ttnn.shape<1x2>}> : (tensor<64x128xf32>, tensor<64x256xf32>) -> tensor<64x256xf32>
func.func @repeat(%1: tensor<64x128xf32>, %0: tensor<64x256xf32>) -> (tensor<64x256xf32>) {
  %2 = "ttnn.repeat"(%1, %0) <{repeat_dims = #ttnn.shape<1x2>}> : (tensor<64x128xf32>, tensor<64x256xf32>) -> tensor<64x256xf32>
  return %2 : tensor<64x256xf32>
}
// CHECK-LABEL: func.func @slice
// CHECK: "ttnn.slice"(%{{.*}}, %{{.*}}) <{begins = [0 : i32, 32 : i32], ends = [64 : i32, 96 : i32], step = [1 : i32, 2 : i32]}> : (tensor<64x128xf32>, tensor<64x32xf32>) -> tensor<64x32xf32>
func.func @slice(%a: tensor<64x128xf32>, %0: tensor<64x32xf32>) -> (tensor<64x32xf32>) {
  %1 = "ttnn.slice"(%a, %0) <{begins = [0 : i32, 32 : i32], ends = [64 : i32, 96 : i32], step = [1 : i32, 2 : i32]}> : (tensor<64x128xf32>, tensor<64x32xf32>) -> tensor<64x32xf32>
  return %1 : tensor<64x32xf32>
}
// CHECK-LABEL: func.func @split_heads
// CHECK: %{{.*}}, %{{.*}}, %{{.*}} = "ttnn.split_query_key_value_and_split_heads"(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) <{num_heads = 8 : ui32, num_kv_heads = 2 : ui32, transpose_key = true}> : (tensor<2x40x768xbf16>, tensor<2x8x40x64xbf16>, tensor<2x2x64x40xbf16>, tensor<2x2x40x64xbf16>) -> (tensor<2x8x40x64xbf16>, tensor<2x2x64x40xbf16>, tensor<2x2x40x64xbf16>)
func.func @split_heads(%a: tensor<2x40x768xbf16>, %0: tensor<2x8x40x64xbf16>, %1: tensor<2x2x64x40xbf16>, %2: tensor<2x2x40x64xbf16>) -> (tensor<2x8x40x64xbf16>, tensor<2x2x64x40xbf16>, tensor<2x2x40x64xbf16>) {
  %3:3 = "ttnn.split_query_key_value_and_split_heads"(%a, %0, %1, %2) <{num_heads = 8 : ui32, num_kv_heads = 2 : ui32, transpose_key = true}> : (tensor<2x40x768xbf16>, tensor<2x8x40x64xbf16>, tensor<2x2x64x40xbf16>, tensor<2x2x40x64xbf16>) -> (tensor<2x8x40x64xbf16>, tensor<2x2x64x40xbf16>, tensor<2x2x40x64xbf16>)
  return %3#0, %3#1, %3#2 : tensor<2x8x40x64xbf16>, tensor<2x2x64x40xbf16>, tensor<2x2x40x64xbf16>
}
// CHECK-LABEL: func.func @concatenate_heads
// CHECK: "ttnn.concatenate_heads"(%{{.*}}, %{{.*}}) : (tensor<2x4x40x64xbf16>, tensor<2x40x256xbf16>) -> tensor<2x40x256xbf16>
func.func @concatenate_heads(%a: tensor<2x4x40x64xbf16>, %0: tensor<2x40x256xbf16>) -> tensor<2x40x256xbf16> {
  %1 = "ttnn.concatenate_heads"(%a, %0) : (tensor<2x4x40x64xbf16>, tensor<2x40x256xbf16>) -> tensor<2x40x256xbf16>
  return %1 : tensor<2x40x256xbf16>
}
// CHECK-LABEL: func.func @rotary_embedding
// CHECK: "ttnn.rotary_embedding"(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) <{compute_config = #ttnn.device_compute_kernel_config<math_fidelity = hifi2>}> : (tensor<2x8x40x64xbf16>, tensor<2x1x1x64xbf16>, tensor<2x1x1x64xbf16>, tensor<2x8x40x64xbf16>) -> tensor<2x8x40x64xbf16>
func.func @rotary_embedding(%a: tensor<2x8x40x64xbf16>, %b: tensor<2x1x1x64xbf16>, %0: tensor<2x8x40x64xbf16>) -> tensor<2x8x40x64xbf16> {
  %1 = "ttnn.rotary_embedding"(%a, %b, %b, %0) <{compute_config = #ttnn.device_compute_kernel_config<math_fidelity = hifi2>}> : (tensor<2x8x40x64xbf16>, tensor<2x1x1x64xbf16>, tensor<2x1x1x64xbf16>, tensor<2x8x40x64xbf16>) -> tensor<2x8x40x64xbf16>
  return %1 : tensor<2x8x40x64xbf16>
}

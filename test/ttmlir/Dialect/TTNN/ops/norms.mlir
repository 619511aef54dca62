// RUN: ttmlir-opt %s | ttmlir-opt | FileCheck %s
// Products with bias, norms and gradients.
// CHECK-LABEL: func.func @linear
// CHECK: "ttnn.linear"(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) <{transpose_b = true}> : (tensor<64x128xbf16>, tensor<96x128xbf16>, tensor<96xbf16>, tensor<64x96xbf16>) -> tensor<64x96xbf16>
func.func @linear(%a: tensor<64x128xbf16>, %b: tensor<96x128xbf16>, %c: tensor<96xbf16>, %0: tensor<64x96xbf16>) -> (tensor<64x96xbf16>) {
  %1 = "ttnn.linear"(%a, %b, %c, %0) <{transpose_b = true}> : (tensor<64x128xbf16>, tensor<96x128xbf16>, tensor<96xbf16>, tensor<64x96xbf16>) -> tensor<64x96xbf16>
  return %1 : tensor<64x96xbf16>
}
// CHECK-LABEL: func.func @layer_norm
// CHECK: "ttnn.layer_norm"(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) <{epsilon = 9.99999974E-6 : f32, normalized_shape = array<i64: 128>, operandSegmentSizes = array<i32: 1, 1, 1, 1>}> : (tensor<2x64x128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<2x64x128xf32>) -> tensor<2x64x128xf32>
func.func @layer_norm(%a: tensor<2x64x128xf32>, %b: tensor<128xf32>, %c: tensor<128xf32>, %0: tensor<2x64x128xf32>) -> (tensor<2x64x128xf32>) {
  %1 = "ttnn.layer_norm"(%a, %b, %c, %0) <{epsilon = 9.99999974E-6 : f32, normalized_shape = array<i64: 128>, operandSegmentSizes = array<i32: 1, 1, 1, 1>}> : (tensor<2x64x128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<2x64x128xf32>) -> tensor<2x64x128xf32>
  return %1 : tensor<2x64x128xf32>
}
// CHECK-LABEL: func.func @rms_norm
// CHECK: "ttnn.rms_norm"(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) <{epsilon = 9.99999974E-6 : f32, normalized_shape = array<i64: 128>, operandSegmentSizes = array<i32: 1, 1, 1, 1>}> : (tensor<2x64x128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<2x64x128xf32>) -> tensor<2x64x128xf32>
func.func @rms_norm(%a: tensor<2x64x128xf32>, %b: tensor<128xf32>, %c: tensor<128xf32>, %0: tensor<2x64x128xf32>) -> (tensor<2x64x128xf32>) {
  %1 = "ttnn.rms_norm"(%a, %b, %c, %0) <{epsilon = 9.99999974E-6 : f32, normalized_shape = array<i64: 128>, operandSegmentSizes = array<i32: 1, 1, 1, 1>}> : (tensor<2x64x128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<2x64x128xf32>) -> tensor<2x64x128xf32>
  return %1 : tensor<2x64x128xf32>
}
// CHECK-LABEL: func.func @embedding_bw
// CHECK: "ttnn.embedding_bw"(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) : (tensor<1x32xi32>, tensor<512x128xbf16>, tensor<1x32x128xbf16>, tensor<512x128xbf16>) -> tensor<512x128xbf16>
func.func @embedding_bw(%a: tensor<1x32xi32>, %b: tensor<512x128xbf16>, %c: tensor<1x32x128xbf16>, %0: tensor<512x128xbf16>) -> (tensor<512x128xbf16>) {
  %1 = "ttnn.embedding_bw"(%a, %b, %c, %0) : (tensor<1x32xi32>, tensor<512x128xbf16>, tensor<1x32x128xbf16>, tensor<512x128xbf16>) -> tensor<512x128xbf16>
  return %1 : tensor<512x128xbf16>
}

// RUN: ttmlir-opt %s | ttmlir-opt | FileCheck %s
// Every call that computes, elementwise ones apart.
#device = #tt.device<workerGrid = #tt.grid<8x8, (d0, d1) -> (0, d0, d1)>, l1Map = (d0, d1)[s0, s1] -> (0, d0 floordiv s0, d1 floordiv s1, (d0 mod s0) * s1 + d1 mod s1), dramMap = (d0, d1)[s0, s1] -> (0, 0, 0, d0 * s1 + d1), meshShape = , chipIds = [0]>
// CHECK-LABEL: func.func @matmul
// CHECK: "ttnn.matmul"(%{{.*}}, %{{.*}}, %{{.*}}) :
func.func @matmul(%a0: tensor<64x128xbf16>, %a1: tensor<128x96xbf16>, %o: tensor<64x96xbf16>) {
  %0 = "ttnn.matmul"(%a0, %a1, %o) : (tensor<64x128xbf16>, tensor<128x96xbf16>, tensor<64x96xbf16>) -> tensor<64x96xbf16>
  return
}
// CHECK-LABEL: func.func @sum
// CHECK: "ttnn.sum"(%{{.*}}, %{{.*}}) <{dim_arg = [-1 : i32], keep_dim = true}> :
func.func @sum(%a0: tensor<512x1024xf32>, %o: tensor<512x1xf32>) {
  %0 = "ttnn.sum"(%a0, %o) <{dim_arg = [-1 : i32], keep_dim = true}> : (tensor<512x1024xf32>, tensor<512x1xf32>) -> tensor<512x1xf32>
  return
}
// CHECK-LABEL: func.func @mean
// CHECK: "ttnn.mean"(%{{.*}}, %{{.*}}) <{keep_dim = false}> :
func.func @mean(%a0: tensor<512x1024xf32>, %o: tensor<1xf32>) {
  %0 = "ttnn.mean"(%a0, %o) <{keep_dim = false}> : (tensor<512x1024xf32>, tensor<1xf32>) -> tensor<1xf32>
  return
}
// CHECK-LABEL: func.func @max
// CHECK: "ttnn.max"(%{{.*}}, %{{.*}}) <{dim_arg = [1 : i32], keep_dim = false}> :
func.func @max(%a0: tensor<512x1024xf32>, %o: tensor<512xf32>) {
  %0 = "ttnn.max"(%a0, %o) <{dim_arg = [1 : i32], keep_dim = false}> : (tensor<512x1024xf32>, tensor<512xf32>) -> tensor<512xf32>
  return
}
// CHECK-LABEL: func.func @transpose
// CHECK: "ttnn.transpose"(%{{.*}}, %{{.*}}) <{dim0 = 0 : si32, dim1 = 1 : si32}> :
func.func @transpose(%a0: tensor<64x128xf32>, %o: tensor<128x64xf32>) {
  %0 = "ttnn.transpose"(%a0, %o) <{dim0 = 0 : si32, dim1 = 1 : si32}> : (tensor<64x128xf32>, tensor<128x64xf32>) -> tensor<128x64xf32>
  return
}
// CHECK-LABEL: func.func @concat
// CHECK: "ttnn.concat"(%{{.*}}, %{{.*}}, %{{.*}}) <{dim = 1 : si32}> :
func.func @concat(%a0: tensor<32x32xf32>, %a1: tensor<32x64xf32>, %o: tensor<32x96xf32>) {
  %0 = "ttnn.concat"(%a0, %a1, %o) <{dim = 1 : si32}> : (tensor<32x32xf32>, tensor<32x64xf32>, tensor<32x96xf32>) -> tensor<32x96xf32>
  return
}
// CHECK-LABEL: func.func @reshape
// CHECK: "ttnn.reshape"(%{{.*}}, %{{.*}}) <{shape = [2 : i32, 4 : i32, 32 : i32]}> :
func.func @reshape(%a0: tensor<8x32xf32>, %o: tensor<2x4x32xf32>) {
  %0 = "ttnn.reshape"(%a0, %o) <{shape = [2 : i32, 4 : i32, 32 : i32]}> : (tensor<8x32xf32>, tensor<2x4x32xf32>) -> tensor<2x4x32xf32>
  return
}
// CHECK-LABEL: func.func @embedding
// CHECK: "ttnn.embedding"(%{{.*}}, %{{.*}}, %{{.*}}) :
func.func @embedding(%a0: tensor<1x32xi32>, %a1: tensor<512x128xf32>, %o: tensor<1x32x128xf32>) {
  %0 = "ttnn.embedding"(%a0, %a1, %o) : (tensor<1x32xi32>, tensor<512x128xf32>, tensor<1x32x128xf32>) -> tensor<1x32x128xf32>
  return
}
// CHECK-LABEL: func.func @softmax
// CHECK: "ttnn.softmax"(%{{.*}}, %{{.*}}) <{dimension = -1 : si32}> :
func.func @softmax(%a0: tensor<64x10xf32>, %o: tensor<64x10xf32>) {
  %0 = "ttnn.softmax"(%a0, %o) <{dimension = -1 : si32}> : (tensor<64x10xf32>, tensor<64x10xf32>) -> tensor<64x10xf32>
  return
}
// CHECK-LABEL: func.func @conv2d
// CHECK: "ttnn.conv2d"(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) <{batch_size = 1 : i32, dilation_height = 1 : i32, dilation_width = 1 : i32, groups = 1 : i32, in_channels = 64 : i32, input_height = 32 : i32, input_width = 32 : i32, kernel_height = 3 : i32, kernel_width = 3 : i32, out_channels = 64 : i32, padding_height = 1 : i32, padding_width = 1 : i32, stride_height = 1 : i32, stride_width = 1 : i32}> :
func.func @conv2d(%a0: tensor<1x32x32x64xf32>, %a1: tensor<64x64x3x3xf32>, %o: tensor<1x32x32x64xf32>, %d: !tt.device<#device>) {
  %0 = "ttnn.conv2d"(%a0, %a1, %o, %d) <{batch_size = 1 : i32, dilation_height = 1 : i32, dilation_width = 1 : i32, groups = 1 : i32, in_channels = 64 : i32, input_height = 32 : i32, input_width = 32 : i32, kernel_height = 3 : i32, kernel_width = 3 : i32, out_channels = 64 : i32, padding_height = 1 : i32, padding_width = 1 : i32, stride_height = 1 : i32, stride_width = 1 : i32}> : (tensor<1x32x32x64xf32>, tensor<64x64x3x3xf32>, tensor<1x32x32x64xf32>, !tt.device<#device>) -> tensor<1x32x32x64xf32>
  return
}
// CHECK-LABEL: func.func @conv2d_bias
// CHECK: "ttnn.conv2d"(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) <{batch_size = 1 : i32, dilation_height = 1 : i32, dilation_width = 1 : i32, groups = 1 : i32, in_channels = 64 : i32, input_height = 32 : i32, input_width = 32 : i32, kernel_height = 3 : i32, kernel_width = 3 : i32, out_channels = 64 : i32, padding_height = 1 : i32, padding_width = 1 : i32, stride_height = 1 : i32, stride_width = 1 : i32}> :
func.func @conv2d_bias(%a0: tensor<1x32x32x64xf32>, %a1: tensor<64x64x3x3xf32>, %a2: tensor<1x1x1x64xf32>, %o: tensor<1x32x32x64xf32>, %d: !tt.device<#device>) {
  %0 = "ttnn.conv2d"(%a0, %a1, %a2, %o, %d) <{batch_size = 1 : i32, dilation_height = 1 : i32, dilation_width = 1 : i32, groups = 1 : i32, in_channels = 64 : i32, input_height = 32 : i32, input_width = 32 : i32, kernel_height = 3 : i32, kernel_width = 3 : i32, out_channels = 64 : i32, padding_height = 1 : i32, padding_width = 1 : i32, stride_height = 1 : i32, stride_width = 1 : i32}> : (tensor<1x32x32x64xf32>, tensor<64x64x3x3xf32>, tensor<1x1x1x64xf32>, tensor<1x32x32x64xf32>, !tt.device<#device>) -> tensor<1x32x32x64xf32>
  return
}
// CHECK-LABEL: func.func @max_pool2d
// CHECK: "ttnn.max_pool2d"(%{{.*}}, %{{.*}}, %{{.*}}) <{batch_size = 1 : si32, ceil_mode = false, channels = 32 : si32, dilation_height = 1 : si32, dilation_width = 1 : si32, input_height = 128 : si32, input_width = 128 : si32, kernel_height = 2 : si32, kernel_width = 2 : si32, padding_height = 0 : si32, padding_width = 0 : si32, stride_height = 2 : si32, stride_width = 2 : si32}> :
func.func @max_pool2d(%a0: tensor<1x1x16384x32xf32>, %o: tensor<1x1x4096x32xf32>, %d: !tt.device<#device>) {
  %0 = "ttnn.max_pool2d"(%a0, %o, %d) <{batch_size = 1 : si32, ceil_mode = false, channels = 32 : si32, dilation_height = 1 : si32, dilation_width = 1 : si32, input_height = 128 : si32, input_width = 128 : si32, kernel_height = 2 : si32, kernel_width = 2 : si32, padding_height = 0 : si32, padding_width = 0 : si32, stride_height = 2 : si32, stride_width = 2 : si32}> : (tensor<1x1x16384x32xf32>, tensor<1x1x4096x32xf32>, !tt.device<#device>) -> tensor<1x1x4096x32xf32>
  return
}

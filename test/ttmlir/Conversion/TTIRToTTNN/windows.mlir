// RUN: ttmlir-opt --ttir-sliding-window-2d-fix-shapes --ttir-layout --convert-ttir-to-ttnn --split-input-file %s | FileCheck %s
// Far paddings are stated where they differ from the near ones.
#any = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile|interleaved>
// CHECK-LABEL: func.func @conv2d
// CHECK: "ttnn.conv2d"({{.*}}) <{batch_size = 1 : i32, dilation_height = 1 : i32, dilation_width = 2 : i32, groups = 2 : i32, in_channels = 64 : i32, input_height = 32 : i32, input_width = 30 : i32, kernel_height = 3 : i32, kernel_width = 3 : i32, out_channels = 8 : i32, padding_bottom = 0 : i32, padding_height = 1 : i32, padding_width = 2 : i32, stride_height = 1 : i32, stride_width = 1 : i32}>
func.func @conv2d(%arg0: tensor<1x32x30x64xbf16>, %arg1: tensor<8x32x3x3xbf16>) -> tensor<1x31x30x8xbf16> {
  %0 = tensor.empty() : tensor<1x31x30x8xbf16>
  %1 = "ttir.conv2d"(%arg0, %arg1, %0) <{dilation_height = 1 : si32, dilation_width = 2 : si32, groups = 2 : si32, operand_constraints = [#any, #any, #any], padding_bottom = 0 : si32, padding_left = 2 : si32, padding_right = 2 : si32, padding_top = 1 : si32, stride_height = 1 : si32, stride_width = 1 : si32}> : (tensor<1x32x30x64xbf16>, tensor<8x32x3x3xbf16>, tensor<1x31x30x8xbf16>) -> tensor<1x31x30x8xbf16>
  return %1 : tensor<1x31x30x8xbf16>
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile|interleaved>
// CHECK-LABEL: func.func @avg_pool2d
// CHECK: "ttnn.reshape"({{.*}}) <{shape = [1 : i32, 1 : i32, 128 : i32, 32 : i32]}>
// CHECK: "ttnn.avg_pool2d"({{.*}}) <{batch_size = 2 : si32, ceil_mode = true, channels = 32 : si32, count_include_pad = false, dilation_height = 1 : si32, dilation_width = 1 : si32, input_height = 8 : si32, input_width = 8 : si32, kernel_height = 3 : si32, kernel_width = 3 : si32, padding_height = 0 : si32, padding_right = 0 : si32, padding_width = 1 : si32, stride_height = 2 : si32, stride_width = 2 : si32}> : (tensor<1x1x128x32xbf16, #{{.*}}>, tensor<1x1x32x32xbf16, #{{.*}}>, !tt.device<#device>) -> tensor<1x1x32x32xbf16, #{{.*}}>
// CHECK: "ttnn.reshape"({{.*}}) <{shape = [2 : i32, 4 : i32, 4 : i32, 32 : i32]}>
func.func @avg_pool2d(%arg0: tensor<2x8x8x32xbf16>) -> tensor<2x4x4x32xbf16> {
  %0 = tensor.empty() : tensor<2x4x4x32xbf16>
  %1 = "ttir.avg_pool2d"(%arg0, %0) <{ceil_mode = true, count_include_pad = false, dilation_height = 1 : si32, dilation_width = 1 : si32, kernel_height = 3 : si32, kernel_width = 3 : si32, operand_constraints = [#any, #any], padding_bottom = 0 : si32, padding_left = 1 : si32, padding_right = 0 : si32, padding_top = 0 : si32, stride_height = 2 : si32, stride_width = 2 : si32}> : (tensor<2x8x8x32xbf16>, tensor<2x4x4x32xbf16>) -> tensor<2x4x4x32xbf16>
  return %1 : tensor<2x4x4x32xbf16>
}

// -----

// An image of one row has the form of the library's call already.
#any = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile|interleaved>
// CHECK-LABEL: func.func @one_row
// CHECK-NOT: ttnn.reshape
// CHECK: "ttnn.max_pool2d"({{.*}}) <{{.*}}input_height = 1 : si32, input_width = 8 : si32
func.func @one_row(%arg0: tensor<1x1x8x32xbf16>) -> tensor<1x1x4x32xbf16> {
  %0 = tensor.empty() : tensor<1x1x4x32xbf16>
  %1 = "ttir.max_pool2d"(%arg0, %0) <{ceil_mode = false, dilation_height = 1 : si32, dilation_width = 1 : si32, kernel_height = 1 : si32, kernel_width = 2 : si32, operand_constraints = [#any, #any], padding_bottom = 0 : si32, padding_left = 0 : si32, padding_right = 0 : si32, padding_top = 0 : si32, stride_height = 1 : si32, stride_width = 2 : si32}> : (tensor<1x1x8x32xbf16>, tensor<1x1x4x32xbf16>) -> tensor<1x1x4x32xbf16>
  return %1 : tensor<1x1x4x32xbf16>
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile|interleaved>
// CHECK-LABEL: func.func @conv_transpose2d
// CHECK: "ttnn.conv_transpose2d"({{.*}}) <{batch_size = 1 : i32, dilation = array<i32: 1, 1>, groups = 1 : i32, in_channels = 64 : i32, input_height = 16 : i32, input_width = 16 : i32, kernel_size = array<i32: 2, 2>, out_channels = 8 : i32, output_padding = array<i32: 0, 0>, padding = array<i32: 0, 0, 0, 0>, stride = array<i32: 2, 2>}>
func.func @conv_transpose2d(%arg0: tensor<1x16x16x64xbf16>, %arg1: tensor<64x8x2x2xbf16>) -> tensor<1x32x32x8xbf16> {
  %0 = tensor.empty() : tensor<1x32x32x8xbf16>
  %1 = "ttir.conv_transpose2d"(%arg0, %arg1, %0) <{dilation = array<i32: 1, 1>, groups = 1 : i32, operand_constraints = [#any, #any, #any], output_padding = array<i32: 0, 0>, padding = array<i32: 0, 0, 0, 0>, stride = array<i32: 2, 2>}> : (tensor<1x16x16x64xbf16>, tensor<64x8x2x2xbf16>, tensor<1x32x32x8xbf16>) -> tensor<1x32x32x8xbf16>
  return %1 : tensor<1x32x32x8xbf16>
}

// -----

// One scale factor is that of both.
#any = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile|interleaved>
// CHECK-LABEL: func.func @upsample
// CHECK: "ttnn.upsample"({{.*}}) <{mode = "nearest", scale_factor = array<i32: 3, 3>}>
func.func @upsample(%arg0: tensor<1x2x2x4xf32>) -> tensor<1x6x6x4xf32> {
  %0 = tensor.empty() : tensor<1x6x6x4xf32>
  %1 = "ttir.upsample"(%arg0, %0) <{operand_constraints = [#any, #any], scale_factor = 3 : si32}> : (tensor<1x2x2x4xf32>, tensor<1x6x6x4xf32>) -> tensor<1x6x6x4xf32>
  return %1 : tensor<1x6x6x4xf32>
}

// RUN: ttmlir-opt --ttir-decomposition %s | FileCheck %s
// A convolution is what its windows meet times the kernel; of single channels, a sum of taps; a
// pooling the maximum or the mean of the taps, of columns and then of rows.
#any = #tt.operand_constraint<any_device>
// CHECK-LABEL: func.func @conv2d
// CHECK: %[[R:.*]] = "ttir.reshape"(%arg0, {{.*}} -> tensor<1x9x36xbf16>
// CHECK: %[[P:.*]] = "ttir.pad"(%[[R]], {{.*}}padding = array<i32: 0, 0, 1, 1, 4, 4>
// CHECK: %[[U:.*]] = "ttir.unfold"(%[[P]], {{.*}}channels = 4 : i64, dilation = array<i32: 1, 1>, kernel = array<i32: 3, 3>{{.*}}stride = array<i32: 1, 1>{{.*}} -> tensor<81x36xbf16>
// CHECK: %[[M:.*]] = "ttir.matmul"(%[[U]], {{.*}} (tensor<81x36xbf16>, tensor<36x8xbf16>, tensor<81x8xbf16>)
// CHECK: "ttir.reshape"(%[[M]],
func.func @conv2d(%a: tensor<1x9x9x4xbf16>, %w: tensor<8x4x3x3xbf16>) -> tensor<1x9x9x8xbf16> {
  %0 = tensor.empty() : tensor<1x9x9x8xbf16>
  %1 = "ttir.conv2d"(%a, %w, %0) <{dilation_height = 1 : si32, dilation_width = 1 : si32, groups = 1 : si32, operand_constraints = [#any, #any, #any], padding_bottom = 1 : si32, padding_left = 1 : si32, padding_right = 1 : si32, padding_top = 1 : si32, stride_height = 1 : si32, stride_width = 1 : si32}> : (tensor<1x9x9x4xbf16>, tensor<8x4x3x3xbf16>, tensor<1x9x9x8xbf16>) -> tensor<1x9x9x8xbf16>
  return %1 : tensor<1x9x9x8xbf16>
}
// A convolution of single places needs no windows.
// CHECK-LABEL: func.func @places
// CHECK-NOT: ttir.slice
// CHECK-NOT: ttir.unfold
// CHECK: "ttir.matmul"
func.func @places(%a: tensor<1x9x9x4xbf16>, %w: tensor<8x4x1x1xbf16>) -> tensor<1x9x9x8xbf16> {
  %0 = tensor.empty() : tensor<1x9x9x8xbf16>
  %1 = "ttir.conv2d"(%a, %w, %0) <{dilation_height = 1 : si32, dilation_width = 1 : si32, groups = 1 : si32, operand_constraints = [#any, #any, #any], padding_bottom = 0 : si32, padding_left = 0 : si32, padding_right = 0 : si32, padding_top = 0 : si32, stride_height = 1 : si32, stride_width = 1 : si32}> : (tensor<1x9x9x4xbf16>, tensor<8x4x1x1xbf16>, tensor<1x9x9x8xbf16>) -> tensor<1x9x9x8xbf16>
  return %1 : tensor<1x9x9x8xbf16>
}
// In steps it takes some of the places.
// CHECK-LABEL: func.func @strided_places
// CHECK: %[[S:.*]] = "ttir.slice"(%arg0, {{.*}}step = [1 : i32, 2 : i32, 2 : i32, 1 : i32]{{.*}} -> tensor<1x5x5x4xbf16>
// CHECK-NOT: ttir.unfold
// CHECK: "ttir.reshape"(%[[S]], {{.*}} -> tensor<25x4xbf16>
func.func @strided_places(%a: tensor<1x9x9x4xbf16>, %w: tensor<8x4x1x1xbf16>) -> tensor<1x5x5x8xbf16> {
  %0 = tensor.empty() : tensor<1x5x5x8xbf16>
  %1 = "ttir.conv2d"(%a, %w, %0) <{dilation_height = 1 : si32, dilation_width = 1 : si32, groups = 1 : si32, operand_constraints = [#any, #any, #any], padding_bottom = 0 : si32, padding_left = 0 : si32, padding_right = 0 : si32, padding_top = 0 : si32, stride_height = 2 : si32, stride_width = 2 : si32}> : (tensor<1x9x9x4xbf16>, tensor<8x4x1x1xbf16>, tensor<1x5x5x8xbf16>) -> tensor<1x5x5x8xbf16>
  return %1 : tensor<1x5x5x8xbf16>
}
// Weights that come prepared are the matrix of the product.
// CHECK-LABEL: func.func @prepared
// CHECK: %[[W:.*]] = "ttir.reshape"(%arg1, {{.*}} -> tensor<36x8xbf16>
// CHECK-NOT: ttir.permute
// CHECK: "ttir.matmul"(%{{.*}}, %[[W]],
func.func @prepared(%a: tensor<1x9x9x4xbf16>, %w: tensor<1x1x36x8xbf16>) -> tensor<1x9x9x8xbf16> {
  %0 = tensor.empty() : tensor<1x9x9x8xbf16>
  %1 = "ttir.conv2d"(%a, %w, %0) <{dilation_height = 1 : si32, dilation_width = 1 : si32, groups = 1 : si32, kernel_size = array<i32: 3, 3>, operand_constraints = [#any, #any, #any], padding_bottom = 1 : si32, padding_left = 1 : si32, padding_right = 1 : si32, padding_top = 1 : si32, stride_height = 1 : si32, stride_width = 1 : si32}> : (tensor<1x9x9x4xbf16>, tensor<1x1x36x8xbf16>, tensor<1x9x9x8xbf16>) -> tensor<1x9x9x8xbf16>
  return %1 : tensor<1x9x9x8xbf16>
}
// CHECK-LABEL: func.func @depthwise
// CHECK-NOT: ttir.matmul
// CHECK-COUNT-4: "ttir.multiply"({{.*}} -> tensor<1x8x8x4xf32>
// CHECK-NOT: ttir.matmul
// CHECK: return
func.func @depthwise(%a: tensor<1x9x9x4xbf16>, %w: tensor<4x1x2x2xbf16>) -> tensor<1x8x8x4xbf16> {
  %0 = tensor.empty() : tensor<1x8x8x4xbf16>
  %1 = "ttir.conv2d"(%a, %w, %0) <{dilation_height = 1 : si32, dilation_width = 1 : si32, groups = 4 : si32, operand_constraints = [#any, #any, #any], padding_bottom = 0 : si32, padding_left = 0 : si32, padding_right = 0 : si32, padding_top = 0 : si32, stride_height = 1 : si32, stride_width = 1 : si32}> : (tensor<1x9x9x4xbf16>, tensor<4x1x2x2xbf16>, tensor<1x8x8x4xbf16>) -> tensor<1x8x8x4xbf16>
  return %1 : tensor<1x8x8x4xbf16>
}
// CHECK-LABEL: func.func @max_pool
// CHECK: "ttir.pad"({{.*}}value = 0xFF800000 : f32
// CHECK-COUNT-2: "ttir.slice"
// CHECK: "ttir.maximum"
// CHECK-COUNT-2: "ttir.slice"
// CHECK: "ttir.maximum"
// CHECK-NOT: "ttir.maximum"
func.func @max_pool(%a: tensor<1x8x8x4xbf16>) -> tensor<1x5x4x4xbf16> {
  %0 = tensor.empty() : tensor<1x5x4x4xbf16>
  %1 = "ttir.max_pool2d"(%a, %0) <{ceil_mode = false, dilation_height = 1 : si32, dilation_width = 1 : si32, kernel_height = 2 : si32, kernel_width = 2 : si32, operand_constraints = [#any, #any], padding_bottom = 1 : si32, padding_left = 0 : si32, padding_right = 0 : si32, padding_top = 1 : si32, stride_height = 2 : si32, stride_width = 2 : si32}> : (tensor<1x8x8x4xbf16>, tensor<1x5x4x4xbf16>) -> tensor<1x5x4x4xbf16>
  return %1 : tensor<1x5x4x4xbf16>
}
// Windows that lie in the padding have fewer elements to count.
// CHECK-LABEL: func.func @avg_pool
// CHECK: %[[COUNTS:.*]] = "ttir.constant"() <{value = dense<{{.*}}> : tensor<5x4x1xf32>}>
// CHECK: "ttir.div"(%{{.*}}, %[[COUNTS]], {{.*}} -> tensor<1x5x4x4xbf16>
func.func @avg_pool(%a: tensor<1x8x8x4xbf16>) -> tensor<1x5x4x4xbf16> {
  %0 = tensor.empty() : tensor<1x5x4x4xbf16>
  %1 = "ttir.avg_pool2d"(%a, %0) <{ceil_mode = false, count_include_pad = false, dilation_height = 1 : si32, dilation_width = 1 : si32, kernel_height = 2 : si32, kernel_width = 2 : si32, operand_constraints = [#any, #any], padding_bottom = 1 : si32, padding_left = 0 : si32, padding_right = 0 : si32, padding_top = 1 : si32, stride_height = 2 : si32, stride_width = 2 : si32}> : (tensor<1x8x8x4xbf16>, tensor<1x5x4x4xbf16>) -> tensor<1x5x4x4xbf16>
  return %1 : tensor<1x5x4x4xbf16>
}
// A window that is the image is one reduction.
// CHECK-LABEL: func.func @whole_image
// CHECK: "ttir.sum"({{.*}}dim_arg = [1 : i32, 2 : i32]{{.*}}tensor<1x112x112x4xf32>
// CHECK-NOT: "ttir.slice"
func.func @whole_image(%a: tensor<1x112x112x4xbf16>) -> tensor<1x1x1x4xbf16> {
  %0 = tensor.empty() : tensor<1x1x1x4xbf16>
  %1 = "ttir.avg_pool2d"(%a, %0) <{ceil_mode = false, count_include_pad = false, dilation_height = 1 : si32, dilation_width = 1 : si32, kernel_height = 112 : si32, kernel_width = 112 : si32, operand_constraints = [#any, #any], padding_bottom = 0 : si32, padding_left = 0 : si32, padding_right = 0 : si32, padding_top = 0 : si32, stride_height = 1 : si32, stride_width = 1 : si32}> : (tensor<1x112x112x4xbf16>, tensor<1x1x1x4xbf16>) -> tensor<1x1x1x4xbf16>
  return %1 : tensor<1x1x1x4xbf16>
}

// RUN: ttmlir-opt --convert-linalg-to-ttir --split-input-file %s | FileCheck %s
// Convolutions and pools.

// A border of zeros is the padding, the broadcast bias the bias.
// CHECK-LABEL: func.func @nhwc_fhwc(
// CHECK-SAME: %[[A:.*]]: tensor<1x8x8x3xf32>, %[[B:.*]]: tensor<16x3x3x3xf32>, %[[C:.*]]: tensor<16xf32>
// CHECK: %[[R1:.*]] = "ttir.permute"(%[[B]], %{{.*}}) <{{.*}}permutation = array<i64: 0, 3, 1, 2>{{.*}} -> tensor<16x3x3x3xf32>
// CHECK: %[[R3:.*]] = "ttir.reshape"(%[[C]], %{{.*}}) <{{.*}}shape = [1 : i32, 1 : i32, 1 : i32, 16 : i32]{{.*}} -> tensor<1x1x1x16xf32>
// CHECK: %[[R5:.*]] = "ttir.conv2d"(%[[A]], %[[R1]], %[[R3]], %{{.*}}) <{dilation_height = 1 : si32, dilation_width = 1 : si32, groups = 1 : si32{{.*}}, padding_bottom = 1 : si32, padding_left = 1 : si32, padding_right = 0 : si32, padding_top = 0 : si32, stride_height = 2 : si32, stride_width = 2 : si32{{.*}} -> tensor<1x4x4x16xf32>
// CHECK-NEXT: return %[[R5]]
func.func @nhwc_fhwc(%x: tensor<1x8x8x3xf32>, %w: tensor<16x3x3x3xf32>, %b: tensor<16xf32>) -> tensor<1x4x4x16xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 0, 1, 0] high[0, 1, 0, 0] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<1x8x8x3xf32> to tensor<1x9x9x3xf32>
  %e = tensor.empty() : tensor<1x4x4x16xf32>
  %i = linalg.broadcast ins(%b : tensor<16xf32>) outs(%e : tensor<1x4x4x16xf32>) dimensions = [0, 1, 2]
  %0 = linalg.conv_2d_nhwc_fhwc {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%p, %w : tensor<1x9x9x3xf32>, tensor<16x3x3x3xf32>) outs(%i : tensor<1x4x4x16xf32>) -> tensor<1x4x4x16xf32>
  return %0 : tensor<1x4x4x16xf32>
}

// -----

// CHECK-LABEL: func.func @nhwc_hwcf(
// CHECK-SAME: %[[A:.*]]: tensor<1x8x8x3xf32>, %[[B:.*]]: tensor<3x3x3x16xf32>
// CHECK: %[[R1:.*]] = "ttir.permute"(%[[B]], %{{.*}}) <{{.*}}permutation = array<i64: 3, 2, 0, 1>{{.*}} -> tensor<16x3x3x3xf32>
// CHECK: %[[R3:.*]] = "ttir.conv2d"(%[[A]], %[[R1]], %{{.*}}) <{dilation_height = 2 : si32, dilation_width = 2 : si32, groups = 1 : si32{{.*}}, padding_bottom = 0 : si32, padding_left = 0 : si32, padding_right = 0 : si32, padding_top = 0 : si32, stride_height = 1 : si32, stride_width = 1 : si32{{.*}} -> tensor<1x4x4x16xf32>
// CHECK-NEXT: return %[[R3]]
func.func @nhwc_hwcf(%x: tensor<1x8x8x3xf32>, %w: tensor<3x3x3x16xf32>) -> tensor<1x4x4x16xf32> {
  %c = arith.constant dense<0.0> : tensor<1x4x4x16xf32>
  %0 = linalg.conv_2d_nhwc_hwcf {dilations = dense<2> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x, %w : tensor<1x8x8x3xf32>, tensor<3x3x3x16xf32>) outs(%c : tensor<1x4x4x16xf32>) -> tensor<1x4x4x16xf32>
  return %0 : tensor<1x4x4x16xf32>
}

// -----

// CHECK-LABEL: func.func @nchw_fchw(
// CHECK-SAME: %[[A:.*]]: tensor<1x3x8x8xf32>, %[[B:.*]]: tensor<16x3x3x3xf32>
// CHECK: %[[R1:.*]] = "ttir.permute"(%[[A]], %{{.*}}) <{{.*}}permutation = array<i64: 0, 2, 3, 1>{{.*}} -> tensor<1x8x8x3xf32>
// CHECK: %[[R3:.*]] = "ttir.conv2d"(%[[R1]], %[[B]], %{{.*}}) <{dilation_height = 1 : si32, dilation_width = 1 : si32, groups = 1 : si32{{.*}}, padding_bottom = 0 : si32, padding_left = 0 : si32, padding_right = 0 : si32, padding_top = 0 : si32, stride_height = 1 : si32, stride_width = 1 : si32{{.*}} -> tensor<1x6x6x16xf32>
// CHECK: %[[R5:.*]] = "ttir.permute"(%[[R3]], %{{.*}}) <{{.*}}permutation = array<i64: 0, 3, 1, 2>{{.*}} -> tensor<1x16x6x6xf32>
// CHECK-NEXT: return %[[R5]]
func.func @nchw_fchw(%x: tensor<1x3x8x8xf32>, %w: tensor<16x3x3x3xf32>) -> tensor<1x16x6x6xf32> {
  %c = arith.constant dense<0.0> : tensor<1x16x6x6xf32>
  %0 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x, %w : tensor<1x3x8x8xf32>, tensor<16x3x3x3xf32>) outs(%c : tensor<1x16x6x6xf32>) -> tensor<1x16x6x6xf32>
  return %0 : tensor<1x16x6x6xf32>
}

// -----

// Channels of the input are groups.
// CHECK-LABEL: func.func @depthwise_hwcm(
// CHECK-SAME: %[[A:.*]]: tensor<1x8x8x3xf32>, %[[B:.*]]: tensor<3x3x3x2xf32>
// CHECK: %[[R1:.*]] = "ttir.permute"(%[[B]], %{{.*}}) <{{.*}}permutation = array<i64: 2, 3, 0, 1>{{.*}} -> tensor<3x2x3x3xf32>
// CHECK: %[[R3:.*]] = "ttir.reshape"(%[[R1]], %{{.*}}) <{{.*}}shape = [6 : i32, 1 : i32, 3 : i32, 3 : i32]{{.*}} -> tensor<6x1x3x3xf32>
// CHECK: %[[R5:.*]] = "ttir.conv2d"(%[[A]], %[[R3]], %{{.*}}) <{dilation_height = 1 : si32, dilation_width = 1 : si32, groups = 3 : si32{{.*}}, padding_bottom = 0 : si32, padding_left = 0 : si32, padding_right = 0 : si32, padding_top = 0 : si32, stride_height = 1 : si32, stride_width = 1 : si32{{.*}} -> tensor<1x6x6x6xf32>
// CHECK: %[[R7:.*]] = "ttir.reshape"(%[[R5]], %{{.*}}) <{{.*}}shape = [1 : i32, 6 : i32, 6 : i32, 3 : i32, 2 : i32]{{.*}} -> tensor<1x6x6x3x2xf32>
// CHECK-NEXT: return %[[R7]]
func.func @depthwise_hwcm(%x: tensor<1x8x8x3xf32>, %w: tensor<3x3x3x2xf32>) -> tensor<1x6x6x3x2xf32> {
  %c = arith.constant dense<0.0> : tensor<1x6x6x3x2xf32>
  %0 = linalg.depthwise_conv_2d_nhwc_hwcm {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x, %w : tensor<1x8x8x3xf32>, tensor<3x3x3x2xf32>) outs(%c : tensor<1x6x6x3x2xf32>) -> tensor<1x6x6x3x2xf32>
  return %0 : tensor<1x6x6x3x2xf32>
}

// -----

// CHECK-LABEL: func.func @grouped(
// CHECK-SAME: %[[A:.*]]: tensor<1x2x4x8x8xf32>, %[[B:.*]]: tensor<2x6x4x3x3xf32>
// CHECK: %[[R1:.*]] = "ttir.permute"(%[[A]], %{{.*}}) <{{.*}}permutation = array<i64: 0, 3, 4, 1, 2>{{.*}} -> tensor<1x8x8x2x4xf32>
// CHECK: %[[R3:.*]] = "ttir.reshape"(%[[R1]], %{{.*}}) <{{.*}}shape = [1 : i32, 8 : i32, 8 : i32, 8 : i32]{{.*}} -> tensor<1x8x8x8xf32>
// CHECK: %[[R5:.*]] = "ttir.reshape"(%[[B]], %{{.*}}) <{{.*}}shape = [12 : i32, 4 : i32, 3 : i32, 3 : i32]{{.*}} -> tensor<12x4x3x3xf32>
// CHECK: %[[R7:.*]] = "ttir.conv2d"(%[[R3]], %[[R5]], %{{.*}}) <{dilation_height = 1 : si32, dilation_width = 1 : si32, groups = 2 : si32{{.*}}, padding_bottom = 0 : si32, padding_left = 0 : si32, padding_right = 0 : si32, padding_top = 0 : si32, stride_height = 1 : si32, stride_width = 1 : si32{{.*}} -> tensor<1x6x6x12xf32>
// CHECK: %[[R9:.*]] = "ttir.reshape"(%[[R7]], %{{.*}}) <{{.*}}shape = [1 : i32, 6 : i32, 6 : i32, 2 : i32, 6 : i32]{{.*}} -> tensor<1x6x6x2x6xf32>
// CHECK: %[[R11:.*]] = "ttir.permute"(%[[R9]], %{{.*}}) <{{.*}}permutation = array<i64: 0, 3, 4, 1, 2>{{.*}} -> tensor<1x2x6x6x6xf32>
// CHECK-NEXT: return %[[R11]]
func.func @grouped(%x: tensor<1x2x4x8x8xf32>, %w: tensor<2x6x4x3x3xf32>) -> tensor<1x2x6x6x6xf32> {
  %c = arith.constant dense<0.0> : tensor<1x2x6x6x6xf32>
  %0 = linalg.conv_2d_ngchw_gfchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x, %w : tensor<1x2x4x8x8xf32>, tensor<2x6x4x3x3xf32>) outs(%c : tensor<1x2x6x6x6xf32>) -> tensor<1x2x6x6x6xf32>
  return %0 : tensor<1x2x6x6x6xf32>
}

// -----

// One dimension is the width of an image of height 1.
// CHECK-LABEL: func.func @one_dimension(
// CHECK-SAME: %[[A:.*]]: tensor<2x8x3xf32>, %[[B:.*]]: tensor<3x3x16xf32>
// CHECK: %[[R1:.*]] = "ttir.reshape"(%[[A]], %{{.*}}) <{{.*}}shape = [2 : i32, 1 : i32, 8 : i32, 3 : i32]{{.*}} -> tensor<2x1x8x3xf32>
// CHECK: %[[R3:.*]] = "ttir.transpose"(%[[B]], %{{.*}}) <{dim0 = 0 : si32, dim1 = 2 : si32{{.*}} -> tensor<16x3x3xf32>
// CHECK: %[[R5:.*]] = "ttir.reshape"(%[[R3]], %{{.*}}) <{{.*}}shape = [16 : i32, 3 : i32, 1 : i32, 3 : i32]{{.*}} -> tensor<16x3x1x3xf32>
// CHECK: %[[R7:.*]] = "ttir.conv2d"(%[[R1]], %[[R5]], %{{.*}}) <{dilation_height = 1 : si32, dilation_width = 1 : si32, groups = 1 : si32{{.*}}, padding_bottom = 0 : si32, padding_left = 0 : si32, padding_right = 0 : si32, padding_top = 0 : si32, stride_height = 1 : si32, stride_width = 1 : si32{{.*}} -> tensor<2x1x6x16xf32>
// CHECK: %[[R9:.*]] = "ttir.reshape"(%[[R7]], %{{.*}}) <{{.*}}shape = [2 : i32, 6 : i32, 16 : i32]{{.*}} -> tensor<2x6x16xf32>
// CHECK-NEXT: return %[[R9]]
func.func @one_dimension(%x: tensor<2x8x3xf32>, %w: tensor<3x3x16xf32>) -> tensor<2x6x16xf32> {
  %c = arith.constant dense<0.0> : tensor<2x6x16xf32>
  %0 = linalg.conv_1d_nwc_wcf {dilations = dense<1> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>} ins(%x, %w : tensor<2x8x3xf32>, tensor<3x3x16xf32>) outs(%c : tensor<2x6x16xf32>) -> tensor<2x6x16xf32>
  return %0 : tensor<2x6x16xf32>
}

// -----

// CHECK-LABEL: func.func @max_pool(
// CHECK-SAME: %[[A:.*]]: tensor<1x8x8x16xf32>
// CHECK: %[[R1:.*]] = "ttir.max_pool2d"(%[[A]], %{{.*}}) <{ceil_mode = false, dilation_height = 1 : si32, dilation_width = 1 : si32, kernel_height = 3 : si32, kernel_width = 3 : si32{{.*}}, padding_bottom = 0 : si32, padding_left = 1 : si32, padding_right = 0 : si32, padding_top = 1 : si32, stride_height = 2 : si32, stride_width = 2 : si32{{.*}} -> tensor<1x4x4x16xf32>
// CHECK-NEXT: return %[[R1]]
func.func @max_pool(%x: tensor<1x8x8x16xf32>) -> tensor<1x4x4x16xf32> {
  %ninf = arith.constant 0xFF800000 : f32
  %p = tensor.pad %x low[0, 1, 1, 0] high[0, 0, 0, 0] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %ninf : f32
  } : tensor<1x8x8x16xf32> to tensor<1x9x9x16xf32>
  %w = tensor.empty() : tensor<3x3xf32>
  %c = arith.constant dense<0xFF800000> : tensor<1x4x4x16xf32>
  %0 = linalg.pooling_nhwc_max {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%p, %w : tensor<1x9x9x16xf32>, tensor<3x3xf32>) outs(%c : tensor<1x4x4x16xf32>) -> tensor<1x4x4x16xf32>
  return %0 : tensor<1x4x4x16xf32>
}

// -----

// The least finite number stays in play: of infinities it is the maximum.
// CHECK-LABEL: func.func @nchw_max_from_least(
// CHECK-SAME: %[[A:.*]]: tensor<1x16x8x8xf32>
// CHECK: %[[R0:.*]] = "ttir.constant"() <{value = dense<-3.40282347E+38> : tensor<1x16x4x4xf32>{{.*}} -> tensor<1x16x4x4xf32>
// CHECK: %[[R2:.*]] = "ttir.permute"(%[[A]], %{{.*}}) <{{.*}}permutation = array<i64: 0, 2, 3, 1>{{.*}} -> tensor<1x8x8x16xf32>
// CHECK: %[[R4:.*]] = "ttir.max_pool2d"(%[[R2]], %{{.*}}) <{ceil_mode = false, dilation_height = 1 : si32, dilation_width = 1 : si32, kernel_height = 2 : si32, kernel_width = 2 : si32{{.*}}, padding_bottom = 0 : si32, padding_left = 0 : si32, padding_right = 0 : si32, padding_top = 0 : si32, stride_height = 2 : si32, stride_width = 2 : si32{{.*}} -> tensor<1x4x4x16xf32>
// CHECK: %[[R6:.*]] = "ttir.permute"(%[[R4]], %{{.*}}) <{{.*}}permutation = array<i64: 0, 3, 1, 2>{{.*}} -> tensor<1x16x4x4xf32>
// CHECK: %[[R8:.*]] = "ttir.maximum"(%[[R6]], %[[R0]], %{{.*}}){{.*}} -> tensor<1x16x4x4xf32>
// CHECK-NEXT: return %[[R8]]
func.func @nchw_max_from_least(%x: tensor<1x16x8x8xf32>) -> tensor<1x16x4x4xf32> {
  %w = tensor.empty() : tensor<2x2xf32>
  %c = arith.constant dense<-3.40282347E+38> : tensor<1x16x4x4xf32>
  %0 = linalg.pooling_nchw_max {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%x, %w : tensor<1x16x8x8xf32>, tensor<2x2xf32>) outs(%c : tensor<1x16x4x4xf32>) -> tensor<1x16x4x4xf32>
  return %0 : tensor<1x16x4x4xf32>
}

// -----

// A sum is the mean times the size of the window.
// CHECK-LABEL: func.func @sum_pool(
// CHECK-SAME: %[[A:.*]]: tensor<1x8x8x16xf32>
// CHECK: %[[R1:.*]] = "ttir.avg_pool2d"(%[[A]], %{{.*}}) <{ceil_mode = false, count_include_pad = false, dilation_height = 1 : si32, dilation_width = 1 : si32, kernel_height = 3 : si32, kernel_width = 2 : si32{{.*}}, padding_bottom = 0 : si32, padding_left = 0 : si32, padding_right = 0 : si32, padding_top = 0 : si32, stride_height = 2 : si32, stride_width = 2 : si32{{.*}} -> tensor<1x3x4x16xf32>
// CHECK: %[[R2:.*]] = "ttir.constant"() <{value = dense<6.000000e+00> : tensor<1xf32>{{.*}} -> tensor<1xf32>
// CHECK: %[[R4:.*]] = "ttir.multiply"(%[[R1]], %[[R2]], %{{.*}}){{.*}} -> tensor<1x3x4x16xf32>
// CHECK-NEXT: return %[[R4]]
func.func @sum_pool(%x: tensor<1x8x8x16xf32>) -> tensor<1x3x4x16xf32> {
  %w = tensor.empty() : tensor<3x2xf32>
  %c = arith.constant dense<0.0> : tensor<1x3x4x16xf32>
  %0 = linalg.pooling_nhwc_sum {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%x, %w : tensor<1x8x8x16xf32>, tensor<3x2xf32>) outs(%c : tensor<1x3x4x16xf32>) -> tensor<1x3x4x16xf32>
  return %0 : tensor<1x3x4x16xf32>
}

// -----

// The minimum is the negative of the maximum of the negatives.
// CHECK-LABEL: func.func @min_pool(
// CHECK-SAME: %[[A:.*]]: tensor<1x8x8x16xf32>
// CHECK: %[[R1:.*]] = "ttir.neg"(%[[A]], %{{.*}}){{.*}} -> tensor<1x8x8x16xf32>
// CHECK: %[[R3:.*]] = "ttir.max_pool2d"(%[[R1]], %{{.*}}) <{ceil_mode = false, dilation_height = 1 : si32, dilation_width = 1 : si32, kernel_height = 2 : si32, kernel_width = 2 : si32{{.*}}, padding_bottom = 0 : si32, padding_left = 0 : si32, padding_right = 0 : si32, padding_top = 0 : si32, stride_height = 2 : si32, stride_width = 2 : si32{{.*}} -> tensor<1x4x4x16xf32>
// CHECK: %[[R5:.*]] = "ttir.neg"(%[[R3]], %{{.*}}){{.*}} -> tensor<1x4x4x16xf32>
// CHECK-NEXT: return %[[R5]]
func.func @min_pool(%x: tensor<1x8x8x16xf32>) -> tensor<1x4x4x16xf32> {
  %w = tensor.empty() : tensor<2x2xf32>
  %c = arith.constant dense<0x7F800000> : tensor<1x4x4x16xf32>
  %0 = linalg.pooling_nhwc_min {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%x, %w : tensor<1x8x8x16xf32>, tensor<2x2xf32>) outs(%c : tensor<1x4x4x16xf32>) -> tensor<1x4x4x16xf32>
  return %0 : tensor<1x4x4x16xf32>
}

// -----

// What the body does to the image comes first.
// CHECK-LABEL: func.func @fused_pool(
// CHECK-SAME: %[[A:.*]]: tensor<1x8x8x16xf32>
// CHECK: %[[R1:.*]] = "ttir.relu"(%[[A]], %{{.*}}){{.*}} -> tensor<1x8x8x16xf32>
// CHECK: %[[R3:.*]] = "ttir.max_pool2d"(%[[R1]], %{{.*}}) <{ceil_mode = false, dilation_height = 1 : si32, dilation_width = 1 : si32, kernel_height = 2 : si32, kernel_width = 2 : si32{{.*}}, padding_bottom = 0 : si32, padding_left = 0 : si32, padding_right = 0 : si32, padding_top = 0 : si32, stride_height = 2 : si32, stride_width = 2 : si32{{.*}} -> tensor<1x4x4x16xf32>
// CHECK-NEXT: return %[[R3]]
func.func @fused_pool(%x: tensor<1x8x8x16xf32>) -> tensor<1x4x4x16xf32> {
  %w = tensor.empty() : tensor<2x2xf32>
  %zero = arith.constant 0.0 : f32
  %c = arith.constant dense<0xFF800000> : tensor<1x4x4x16xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(n, h, w, c, kh, kw) -> (n, h * 2 + kh, w * 2 + kw, c)>, affine_map<(n, h, w, c, kh, kw) -> (kh, kw)>, affine_map<(n, h, w, c, kh, kw) -> (n, h, w, c)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%x, %w : tensor<1x8x8x16xf32>, tensor<2x2xf32>) outs(%c : tensor<1x4x4x16xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %r = arith.maximumf %a, %zero : f32
    %m = arith.maximumf %o, %r : f32
    linalg.yield %m : f32
  } -> tensor<1x4x4x16xf32>
  return %0 : tensor<1x4x4x16xf32>
}

// -----

// Windows over three dimensions are those of convolutions of any rank.
// CHECK-LABEL: func.func @three_dimensions(
// CHECK-SAME: %[[A:.*]]: tensor<1x8x8x8x3xf32>, %[[B:.*]]: tensor<3x3x3x3x4xf32>
// CHECK: %[[R1:.*]] = "ttir.permute"(%[[B]], %{{.*}}) <{{.*}}permutation = array<i64: 4, 3, 0, 1, 2>{{.*}} -> tensor<4x3x3x3x3xf32>
// CHECK: "ttir.convolution"(%[[A]], %[[R1]], %{{.*}}) <{{.*}}input_dims = array<i64: 0, 4, 1, 2, 3>{{.*}}stride = array<i64: 2, 1, 1>{{.*}} -> tensor<1x3x6x6x4xf32>
// CHECK-NOT: "ttir.add"
func.func @three_dimensions(%x: tensor<1x8x8x8x3xf32>, %w: tensor<3x3x3x3x4xf32>) -> tensor<1x3x6x6x4xf32> {
  %c = arith.constant dense<0.0> : tensor<1x3x6x6x4xf32>
  %0 = linalg.conv_3d_ndhwc_dhwcf {dilations = dense<1> : tensor<3xi64>, strides = dense<[2, 1, 1]> : tensor<3xi64>} ins(%x, %w : tensor<1x8x8x8x3xf32>, tensor<3x3x3x3x4xf32>) outs(%c : tensor<1x3x6x6x4xf32>) -> tensor<1x3x6x6x4xf32>
  return %0 : tensor<1x3x6x6x4xf32>
}

// -----

// The factors of sums of 32 bits stay in 8 bits; zero points are taken off first.
// CHECK-LABEL: func.func @integers(
// CHECK-NOT: "ttir.typecast"
// CHECK: "ttir.conv2d"{{.*}} : (tensor<1x8x8x3xsi8>, tensor<4x3x3x3xsi8>, tensor<1x6x6x4xsi32>) -> tensor<1x6x6x4xsi32>
// CHECK: "ttir.subtract"{{.*}} -> tensor<1x8x8x3xsi32>
// CHECK: "ttir.conv2d"{{.*}} : (tensor<1x8x8x3xsi32>, tensor<4x3x3x3xsi32>, tensor<1x6x6x4xsi32>) -> tensor<1x6x6x4xsi32>
func.func @integers(%x: tensor<1x8x8x3xi8>, %w: tensor<4x3x3x3xi8>) -> tensor<1x6x6x4xi32> {
  %zero = arith.constant 3 : i32
  %c = arith.constant dense<0> : tensor<1x6x6x4xi32>
  %0 = linalg.conv_2d_nhwc_fhwc {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x, %w : tensor<1x8x8x3xi8>, tensor<4x3x3x3xi8>) outs(%c : tensor<1x6x6x4xi32>) -> tensor<1x6x6x4xi32>
  %1 = linalg.conv_2d_nhwc_fhwc_q {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x, %w, %zero, %zero : tensor<1x8x8x3xi8>, tensor<4x3x3x3xi8>, i32, i32) outs(%0 : tensor<1x6x6x4xi32>) -> tensor<1x6x6x4xi32>
  return %1 : tensor<1x6x6x4xi32>
}

// -----

// CHECK-LABEL: func.func @integer_pool(
// CHECK: "ttir.reduce_window"{{.*}}kind = "sum"{{.*}}stride = array<i64: 1, 2, 2, 1>{{.*}}window = array<i64: 1, 2, 3, 1>{{.*}} -> tensor<1x4x3x16xsi32>
// CHECK-NEXT: return
func.func @integer_pool(%x: tensor<1x8x8x16xi32>) -> tensor<1x4x3x16xi32> {
  %w = tensor.empty() : tensor<2x3xi32>
  %c = arith.constant dense<0> : tensor<1x4x3x16xi32>
  %0 = linalg.pooling_nhwc_sum {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%x, %w : tensor<1x8x8x16xi32>, tensor<2x3xi32>) outs(%c : tensor<1x4x3x16xi32>) -> tensor<1x4x3x16xi32>
  return %0 : tensor<1x4x3x16xi32>
}

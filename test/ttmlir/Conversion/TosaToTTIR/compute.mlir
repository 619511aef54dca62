// RUN: ttmlir-opt --convert-tosa-to-ttir --split-input-file %s | FileCheck %s
// RUN: ttmlir-opt --convert-tosa-to-ttir --split-input-file --remarks %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// Products, reductions, windows and ops with parameters.
// REMARK-DAG: remark: [Passed] Translated | Category:convert-tosa-to-ttir | Function=matmul | Op=tosa.matmul, Reason="becomes {{.*}}ttir.matmul"

// CHECK-LABEL: func.func @matmul(
// CHECK-SAME: %[[A:.*]]: tensor<1x4x8xbf16>, %[[B:.*]]: tensor<1x8x4xbf16>
// CHECK: %[[R1:.*]] = "ttir.matmul"(%[[A]], %[[B]], %{{.*}}){{.*}} -> tensor<1x4x4xf32>
// CHECK-NEXT: return %[[R1]]
func.func @matmul(%a: tensor<1x4x8xbf16>, %b: tensor<1x8x4xbf16>) -> tensor<1x4x4xf32> {
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xbf16>}> : () -> tensor<1xbf16>
  %0 = tosa.matmul %a, %b, %z, %z : (tensor<1x4x8xbf16>, tensor<1x8x4xbf16>, tensor<1xbf16>, tensor<1xbf16>) -> tensor<1x4x4xf32>
  return %0 : tensor<1x4x4xf32>
}

// -----

// CHECK-LABEL: func.func @reduce(
// CHECK-SAME: %[[A:.*]]: tensor<4x8xf32>, %[[B:.*]]: tensor<4x8xi1>
// CHECK: %[[R1:.*]] = "ttir.sum"(%[[A]], %{{.*}}) <{dim_arg = [1 : i32], keep_dim = true{{.*}} -> tensor<4x1xf32>
// CHECK: %[[R3:.*]] = "ttir.max"(%[[A]], %{{.*}}) <{dim_arg = [0 : i32], keep_dim = true{{.*}} -> tensor<1x8xf32>
// CHECK: %[[R5:.*]] = "ttir.min"(%[[A]], %{{.*}}) <{dim_arg = [1 : i32], keep_dim = true{{.*}} -> tensor<4x1xf32>
// CHECK: %[[R7:.*]] = "ttir.prod"(%[[A]], %{{.*}}) <{dim_arg = [1 : i32], keep_dim = true{{.*}} -> tensor<4x1xf32>
// CHECK: %[[R9:.*]] = "ttir.min"(%[[B]], %{{.*}}) <{dim_arg = [1 : i32], keep_dim = true{{.*}} -> tensor<4x1xi1>
// CHECK: %[[R11:.*]] = "ttir.max"(%[[B]], %{{.*}}) <{dim_arg = [1 : i32], keep_dim = true{{.*}} -> tensor<4x1xi1>
// CHECK-NEXT: return %[[R1]], %[[R3]], %[[R5]], %[[R7]], %[[R9]], %[[R11]]
func.func @reduce(%a: tensor<4x8xf32>, %p: tensor<4x8xi1>) -> (tensor<4x1xf32>, tensor<1x8xf32>, tensor<4x1xf32>, tensor<4x1xf32>, tensor<4x1xi1>, tensor<4x1xi1>) {
  %0 = tosa.reduce_sum %a {axis = 1 : i32} : (tensor<4x8xf32>) -> tensor<4x1xf32>
  %1 = tosa.reduce_max %a {axis = 0 : i32} : (tensor<4x8xf32>) -> tensor<1x8xf32>
  %2 = tosa.reduce_min %a {axis = 1 : i32} : (tensor<4x8xf32>) -> tensor<4x1xf32>
  %3 = tosa.reduce_product %a {axis = 1 : i32} : (tensor<4x8xf32>) -> tensor<4x1xf32>
  %4 = tosa.reduce_all %p {axis = 1 : i32} : (tensor<4x8xi1>) -> tensor<4x1xi1>
  %5 = tosa.reduce_any %p {axis = 1 : i32} : (tensor<4x8xi1>) -> tensor<4x1xi1>
  return %0, %1, %2, %3, %4, %5 : tensor<4x1xf32>, tensor<1x8xf32>, tensor<4x1xf32>, tensor<4x1xf32>, tensor<4x1xi1>, tensor<4x1xi1>
}

// -----

// CHECK-LABEL: func.func @argmax(
// CHECK-SAME: %[[A:.*]]: tensor<4x8xf32>
// CHECK: %[[R1:.*]] = "ttir.argmax"(%[[A]], %{{.*}}) <{dim_arg = [1 : i32], keep_dim = false{{.*}} -> tensor<4xsi32>
// CHECK-NEXT: return %[[R1]]
func.func @argmax(%a: tensor<4x8xf32>) -> tensor<4xi32> {
  %0 = tosa.argmax %a {axis = 1 : i32} : (tensor<4x8xf32>) -> tensor<4xi32>
  return %0 : tensor<4xi32>
}

// -----

// The weight comes as (O, KH, KW, C), the bias as (O).
// CHECK-LABEL: func.func @conv2d(
// CHECK-SAME: %[[A:.*]]: tensor<1x8x8x4xf32>, %[[B:.*]]: tensor<16x3x3x4xf32>, %[[C:.*]]: tensor<16xf32>
// CHECK-DAG: %[[R1:.*]] = "ttir.permute"(%[[B]], %{{.*}}) <{{.*}}permutation = array<i64: 0, 3, 1, 2>{{.*}} -> tensor<16x4x3x3xf32>
// CHECK-DAG: %[[R3:.*]] = "ttir.reshape"(%[[C]], %{{.*}}) <{{.*}}shape = [1 : i32, 1 : i32, 1 : i32, 16 : i32]{{.*}} -> tensor<1x1x1x16xf32>
// CHECK: %[[R5:.*]] = "ttir.conv2d"(%[[A]], %[[R1]], %[[R3]], %{{.*}}) <{dilation_height = 1 : si32, dilation_width = 1 : si32, groups = 1 : si32{{.*}}, padding_bottom = 0 : si32, padding_left = 1 : si32, padding_right = 1 : si32, padding_top = 1 : si32, stride_height = 2 : si32, stride_width = 1 : si32{{.*}} -> tensor<1x4x8x16xf32>
// CHECK-NEXT: return %[[R5]]
func.func @conv2d(%x: tensor<1x8x8x4xf32>, %w: tensor<16x3x3x4xf32>, %b: tensor<16xf32>) -> tensor<1x4x8x16xf32> {
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %0 = tosa.conv2d %x, %w, %b, %z, %z {acc_type = f32, pad = array<i64: 1, 0, 1, 1>, stride = array<i64: 2, 1>, dilation = array<i64: 1, 1>} : (tensor<1x8x8x4xf32>, tensor<16x3x3x4xf32>, tensor<16xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x8x16xf32>
  return %0 : tensor<1x4x8x16xf32>
}

// -----

// One bias for all channels.
// CHECK-LABEL: func.func @conv2d_one_bias(
// CHECK-SAME: %[[A:.*]]: tensor<1x8x8x4xf32>, %[[B:.*]]: tensor<16x1x1x4xf32>, %[[C:.*]]: tensor<1xf32>
// CHECK-DAG: %[[R1:.*]] = "ttir.reshape"(%[[B]], %{{.*}}) <{{.*}}shape = [16 : i32, 4 : i32, 1 : i32, 1 : i32]{{.*}} -> tensor<16x4x1x1xf32>
// CHECK-DAG: %[[R3:.*]] = "ttir.reshape"(%[[C]], %{{.*}}) <{{.*}}shape = [1 : i32, 1 : i32, 1 : i32, 1 : i32]{{.*}} -> tensor<1x1x1x1xf32>
// CHECK-DAG: %[[R5:.*]] = "ttir.broadcast"(%[[R3]], %{{.*}}) <{dimension = [0, 1, 2, 3]{{.*}} -> tensor<1x1x1x16xf32>
// CHECK: %[[R7:.*]] = "ttir.conv2d"(%[[A]], %[[R1]], %[[R5]], %{{.*}}) <{dilation_height = 1 : si32, dilation_width = 1 : si32, groups = 1 : si32{{.*}}, padding_bottom = 0 : si32, padding_left = 0 : si32, padding_right = 0 : si32, padding_top = 0 : si32, stride_height = 1 : si32, stride_width = 1 : si32{{.*}} -> tensor<1x8x8x16xf32>
// CHECK-NEXT: return %[[R7]]
func.func @conv2d_one_bias(%x: tensor<1x8x8x4xf32>, %w: tensor<16x1x1x4xf32>, %b: tensor<1xf32>) -> tensor<1x8x8x16xf32> {
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %0 = tosa.conv2d %x, %w, %b, %z, %z {acc_type = f32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x8x8x4xf32>, tensor<16x1x1x4xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x8x8x16xf32>
  return %0 : tensor<1x8x8x16xf32>
}

// -----

// The weight comes as (KH, KW, C, M); C is the number of groups.
// CHECK-LABEL: func.func @depthwise(
// CHECK-SAME: %[[A:.*]]: tensor<1x8x8x4xf32>, %[[B:.*]]: tensor<3x2x4x2xf32>, %[[C:.*]]: tensor<8xf32>
// CHECK-DAG: %[[R1:.*]] = "ttir.permute"(%[[B]], %{{.*}}) <{{.*}}permutation = array<i64: 2, 3, 0, 1>{{.*}} -> tensor<4x2x3x2xf32>
// CHECK-DAG: %[[R3:.*]] = "ttir.reshape"(%[[R1]], %{{.*}}) <{{.*}}shape = [8 : i32, 1 : i32, 3 : i32, 2 : i32]{{.*}} -> tensor<8x1x3x2xf32>
// CHECK-DAG: %[[R5:.*]] = "ttir.reshape"(%[[C]], %{{.*}}) <{{.*}}shape = [1 : i32, 1 : i32, 1 : i32, 8 : i32]{{.*}} -> tensor<1x1x1x8xf32>
// CHECK: %[[R7:.*]] = "ttir.conv2d"(%[[A]], %[[R3]], %[[R5]], %{{.*}}) <{dilation_height = 1 : si32, dilation_width = 1 : si32, groups = 4 : si32{{.*}}, padding_bottom = 0 : si32, padding_left = 0 : si32, padding_right = 0 : si32, padding_top = 0 : si32, stride_height = 1 : si32, stride_width = 1 : si32{{.*}} -> tensor<1x6x7x8xf32>
// CHECK-NEXT: return %[[R7]]
func.func @depthwise(%x: tensor<1x8x8x4xf32>, %w: tensor<3x2x4x2xf32>, %b: tensor<8xf32>) -> tensor<1x6x7x8xf32> {
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %0 = tosa.depthwise_conv2d %x, %w, %b, %z, %z {acc_type = f32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x8x8x4xf32>, tensor<3x2x4x2xf32>, tensor<8xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x6x7x8xf32>
  return %0 : tensor<1x6x7x8xf32>
}

// -----

// Padding of the output that is negative cuts off, ..
// CHECK-LABEL: func.func @transpose_conv(
// CHECK-SAME: %[[A:.*]]: tensor<1x4x4x8xf32>, %[[B:.*]]: tensor<16x3x3x8xf32>, %[[C:.*]]: tensor<16xf32>
// CHECK-DAG: %[[R1:.*]] = "ttir.permute"(%[[B]], %{{.*}}) <{{.*}}permutation = array<i64: 3, 0, 1, 2>{{.*}} -> tensor<8x16x3x3xf32>
// CHECK-DAG: %[[R3:.*]] = "ttir.reshape"(%[[C]], %{{.*}}) <{{.*}}shape = [1 : i32, 1 : i32, 1 : i32, 16 : i32]{{.*}} -> tensor<1x1x1x16xf32>
// CHECK: %[[R5:.*]] = "ttir.conv_transpose2d"(%[[A]], %[[R1]], %[[R3]], %{{.*}}) <{dilation = array<i32: 1, 1>, groups = 1 : i32{{.*}}, output_padding = array<i32: 0, 0>, padding = array<i32: 1, 0, 1, 1>, stride = array<i32: 2, 2>{{.*}} -> tensor<1x7x8x16xf32>
// CHECK-NEXT: return %[[R5]]
func.func @transpose_conv(%x: tensor<1x4x4x8xf32>, %w: tensor<16x3x3x8xf32>, %b: tensor<16xf32>) -> tensor<1x7x8x16xf32> {
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %0 = tosa.transpose_conv2d %x, %w, %b, %z, %z {acc_type = f32, out_pad = array<i64: -1, -1, 0, -1>, stride = array<i64: 2, 2>} : (tensor<1x4x4x8xf32>, tensor<16x3x3x8xf32>, tensor<16xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x7x8x16xf32>
  return %0 : tensor<1x7x8x16xf32>
}

// -----

// .. other has the bias only.
// CHECK-LABEL: func.func @transpose_conv_border(
// CHECK-SAME: %[[A:.*]]: tensor<1x4x4x8xf32>, %[[B:.*]]: tensor<16x3x3x8xf32>, %[[C:.*]]: tensor<16xf32>
// CHECK-DAG: %[[R1:.*]] = "ttir.permute"(%[[B]], %{{.*}}) <{{.*}}permutation = array<i64: 3, 0, 1, 2>{{.*}} -> tensor<8x16x3x3xf32>
// CHECK-DAG: %[[R3:.*]] = "ttir.reshape"(%[[C]], %{{.*}}) <{{.*}}shape = [1 : i32, 1 : i32, 1 : i32, 16 : i32]{{.*}} -> tensor<1x1x1x16xf32>
// CHECK: %[[R5:.*]] = "ttir.conv_transpose2d"(%[[A]], %[[R1]], %{{.*}}) <{dilation = array<i32: 1, 1>, groups = 1 : i32{{.*}}, output_padding = array<i32: 0, 0>, padding = array<i32: 0, 0, 0, 0>, stride = array<i32: 2, 2>{{.*}} -> tensor<1x9x9x16xf32>
// CHECK: %[[R7:.*]] = "ttir.pad"(%[[R5]], %{{.*}}) <{{.*}}padding = array<i32: 0, 0, 2, 1, 0, 0, 0, 0>, value = 0.000000e+00 : f32{{.*}} -> tensor<1x12x9x16xf32>
// CHECK: %[[R9:.*]] = "ttir.add"(%[[R7]], %[[R3]], %{{.*}}){{.*}} -> tensor<1x12x9x16xf32>
// CHECK-NEXT: return %[[R9]]
func.func @transpose_conv_border(%x: tensor<1x4x4x8xf32>, %w: tensor<16x3x3x8xf32>, %b: tensor<16xf32>) -> tensor<1x12x9x16xf32> {
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %0 = tosa.transpose_conv2d %x, %w, %b, %z, %z {acc_type = f32, out_pad = array<i64: 2, 1, 0, 0>, stride = array<i64: 2, 2>} : (tensor<1x4x4x8xf32>, tensor<16x3x3x8xf32>, tensor<16xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x12x9x16xf32>
  return %0 : tensor<1x12x9x16xf32>
}

// -----

// CHECK-LABEL: func.func @max_pool(
// CHECK-SAME: %[[A:.*]]: tensor<1x8x8x4xf32>
// CHECK: %[[R1:.*]] = "ttir.max_pool2d"(%[[A]], %{{.*}}) <{ceil_mode = false, dilation_height = 1 : si32, dilation_width = 1 : si32, kernel_height = 2 : si32, kernel_width = 3 : si32{{.*}}, padding_bottom = 0 : si32, padding_left = 1 : si32, padding_right = 1 : si32, padding_top = 0 : si32, stride_height = 2 : si32, stride_width = 1 : si32{{.*}} -> tensor<1x4x8x4xf32>
// CHECK-NEXT: return %[[R1]]
func.func @max_pool(%x: tensor<1x8x8x4xf32>) -> tensor<1x4x8x4xf32> {
  %0 = tosa.max_pool2d %x {kernel = array<i64: 2, 3>, pad = array<i64: 0, 0, 1, 1>, stride = array<i64: 2, 1>} : (tensor<1x8x8x4xf32>) -> tensor<1x4x8x4xf32>
  return %0 : tensor<1x4x8x4xf32>
}

// -----

// The mean counts no padding.
// CHECK-LABEL: func.func @avg_pool(
// CHECK-SAME: %[[A:.*]]: tensor<1x8x8x4xf32>
// CHECK: %[[R1:.*]] = "ttir.avg_pool2d"(%[[A]], %{{.*}}) <{ceil_mode = false, count_include_pad = false, dilation_height = 1 : si32, dilation_width = 1 : si32, kernel_height = 3 : si32, kernel_width = 3 : si32{{.*}}, padding_bottom = 1 : si32, padding_left = 1 : si32, padding_right = 1 : si32, padding_top = 1 : si32, stride_height = 1 : si32, stride_width = 1 : si32{{.*}} -> tensor<1x8x8x4xf32>
// CHECK-NEXT: return %[[R1]]
func.func @avg_pool(%x: tensor<1x8x8x4xf32>) -> tensor<1x8x8x4xf32> {
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %0 = tosa.avg_pool2d %x, %z, %z {acc_type = f32, kernel = array<i64: 3, 3>, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>} : (tensor<1x8x8x4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x8x8x4xf32>
  return %0 : tensor<1x8x8x4xf32>
}

// -----

// CHECK-LABEL: func.func @resize(
// CHECK-SAME: %[[A:.*]]: tensor<1x4x4x8xf32>
// CHECK: %[[R1:.*]] = "ttir.upsample"(%[[A]], %{{.*}}) <{mode = "bilinear"{{.*}}, scale_factor = array<i32: 2, 3>{{.*}} -> tensor<1x8x12x8xf32>
// CHECK-NEXT: return %[[R1]]
func.func @resize(%x: tensor<1x4x4x8xf32>) -> tensor<1x8x12x8xf32> {
  %s = tosa.const_shape {values = dense<[4, 2, 6, 2]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %o = tosa.const_shape {values = dense<[-1, -2]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %b = tosa.const_shape {values = dense<[1, 2]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %0 = tosa.resize %x, %s, %o, %b {mode = BILINEAR} : (tensor<1x4x4x8xf32>, !tosa.shape<4>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<1x8x12x8xf32>
  return %0 : tensor<1x8x12x8xf32>
}

// -----

// Other factors take the nearer elements, or mix two.
// CHECK-LABEL: func.func @resize_nearest(
// CHECK-SAME: %[[A:.*]]: tensor<1x2x2x8xf32>
// CHECK: %[[R0:.*]] = "ttir.constant"() <{value = dense<[0, 1, 1]> : tensor<3xsi32>{{.*}} -> tensor<3xsi32>
// CHECK: %[[R2:.*]] = "ttir.gather"(%[[A]], %[[R0]], %{{.*}}) <{collapsed_slice_dims = array<i64: 1>, index_vector_dim = 1 : si64, offset_dims = array<i64: 0, 2, 3>, operand_batching_dims = array<i64>{{.*}}, slice_sizes = array<i64: 1, 1, 2, 8>, start_index_map = array<i64: 1>, start_indices_batching_dims = array<i64>{{.*}} -> tensor<1x3x2x8xf32>
// CHECK-NEXT: return %[[R2]]
func.func @resize_nearest(%x: tensor<1x2x2x8xf32>) -> tensor<1x3x2x8xf32> {
  %s = tosa.const_shape {values = dense<[3, 2, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %o = tosa.const_shape {values = dense<0> : tensor<2xindex>} : () -> !tosa.shape<2>
  %b = tosa.const_shape {values = dense<[1, 0]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %0 = tosa.resize %x, %s, %o, %b {mode = NEAREST_NEIGHBOR} : (tensor<1x2x2x8xf32>, !tosa.shape<4>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<1x3x2x8xf32>
  return %0 : tensor<1x3x2x8xf32>
}

// -----

// CHECK-LABEL: func.func @scatter(
// CHECK-SAME: %[[A:.*]]: tensor<1x4x8xsi8>, %[[B:.*]]: tensor<1x2xsi32>, %[[C:.*]]: tensor<1x2x8xsi8>
// CHECK: %[[R1:.*]] = "ttir.scatter"(%[[A]], %[[B]], %[[C]], %{{.*}}) <{index_vector_dim = 2 : si64, input_batching_dims = array<i64: 0>, inserted_window_dims = array<i64: 1>, {{.*}}reduce_type = #tt.reduce_type<invalid>, scatter_dims_to_operand_dims = array<i64: 1>, scatter_indices_batching_dims = array<i64: 0>, update_window_dims = array<i64: 2>}>{{.*}} -> tensor<1x4x8xsi8>
// CHECK-NEXT: return %[[R1]]
func.func @scatter(%a: tensor<1x4x8xi8>, %i: tensor<1x2xi32>, %b: tensor<1x2x8xi8>) -> tensor<1x4x8xi8> {
  %0 = tosa.scatter %a, %i, %b : (tensor<1x4x8xi8>, tensor<1x2xi32>, tensor<1x2x8xi8>) -> tensor<1x4x8xi8>
  return %0 : tensor<1x4x8xi8>
}

// -----

// CHECK-LABEL: func.func @clamp(
// CHECK-SAME: %[[A:.*]]: tensor<4xf32>, %[[B:.*]]: tensor<4xsi32>
// CHECK: %[[R1:.*]] = "ttir.clamp"(%[[A]], %{{.*}}) <{max = 2.000000e+00 : f32, min = -1.000000e+00 : f32{{.*}} -> tensor<4xf32>
// CHECK: %[[R3:.*]] = "ttir.relu"(%[[A]], %{{.*}}){{.*}} -> tensor<4xf32>
// CHECK: %[[R4:.*]] = "ttir.constant"() <{value = dense<16777217> : tensor<1xsi32>{{.*}} -> tensor<1xsi32>
// CHECK: %[[R6:.*]] = "ttir.minimum"(%[[B]], %[[R4]], %{{.*}}){{.*}} -> tensor<4xsi32>
// CHECK-NEXT: return %[[R1]], %[[R3]], %[[R6]]
func.func @clamp(%a: tensor<4xf32>, %i: tensor<4xi32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xi32>) {
  %0 = tosa.clamp %a {min_val = -1.0 : f32, max_val = 2.0 : f32} : (tensor<4xf32>) -> tensor<4xf32>
  %1 = tosa.clamp %a {min_val = 0.0 : f32, max_val = 0x7F800000 : f32} : (tensor<4xf32>) -> tensor<4xf32>
  %2 = tosa.clamp %i {min_val = -2147483648 : i32, max_val = 16777217 : i32} : (tensor<4xi32>) -> tensor<4xi32>
  return %0, %1, %2 : tensor<4xf32>, tensor<4xf32>, tensor<4xi32>
}

// -----

// Anything but 0 is true.
// CHECK-LABEL: func.func @casts(
// CHECK-SAME: %[[A:.*]]: tensor<4xf32>, %[[B:.*]]: tensor<4xsi32>
// CHECK: %[[R1:.*]] = "ttir.typecast"(%[[A]], %{{.*}}){{.*}} -> tensor<4xbf16>
// CHECK: %[[R2:.*]] = "ttir.constant"() <{value = dense<0.000000e+00> : tensor<1xf32>{{.*}} -> tensor<1xf32>
// CHECK: %[[R4:.*]] = "ttir.ne"(%[[A]], %[[R2]], %{{.*}}){{.*}} -> tensor<4xi1>
// CHECK: %[[R6:.*]] = "ttir.typecast"(%[[B]], %{{.*}}){{.*}} -> tensor<4xf32>
// CHECK-NEXT: return %[[R1]], %[[R4]], %[[R6]]
func.func @casts(%a: tensor<4xf32>, %i: tensor<4xi32>) -> (tensor<4xbf16>, tensor<4xi1>, tensor<4xf32>) {
  %0 = tosa.cast %a : (tensor<4xf32>) -> tensor<4xbf16>
  %1 = tosa.cast %a : (tensor<4xf32>) -> tensor<4xi1>
  %2 = tosa.cast %i : (tensor<4xi32>) -> tensor<4xf32>
  return %0, %1, %2 : tensor<4xbf16>, tensor<4xi1>, tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @left_shift(
// CHECK-SAME: %[[A:.*]]: tensor<4xsi32>, %[[N:.*]]: tensor<4xsi32>
// CHECK: %[[R0:.*]] = "ttir.logical_left_shift"(%[[A]], %[[N]], %{{.*}}){{.*}} -> tensor<4xsi32>
// CHECK: %[[R1:.*]] = "ttir.clz"(%[[R0]], %{{.*}}){{.*}} -> tensor<4xsi32>
// CHECK-NEXT: return %[[R1]]
func.func @left_shift(%a: tensor<4xi32>, %n: tensor<4xi32>) -> tensor<4xi32> {
  %0 = tosa.logical_left_shift %a, %n : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  %1 = tosa.clz %0 : (tensor<4xi32>) -> tensor<4xi32>
  return %1 : tensor<4xi32>
}

// -----

// The bit below the last one that stays.
// CHECK-LABEL: func.func @rounding_shift(
// CHECK: %[[R0:.*]] = "ttir.right_shift"(%arg0, %arg1, %{{.*}}){{.*}} -> tensor<4xsi32>
// CHECK: %[[R1:.*]] = "ttir.subtract"(%arg1, %{{.*}}, %{{.*}}){{.*}} -> tensor<4xsi32>
// CHECK: %[[R2:.*]] = "ttir.logical_right_shift"(%arg0, %[[R1]], %{{.*}}){{.*}} -> tensor<4xsi32>
// CHECK: %[[R3:.*]] = "ttir.bitwise_and"(%[[R2]], %{{.*}}, %{{.*}}){{.*}} -> tensor<4xsi32>
// CHECK: %[[R4:.*]] = "ttir.add"(%[[R0]], %[[R3]], %{{.*}}){{.*}} -> tensor<4xsi32>
func.func @rounding_shift(%a: tensor<4xi32>, %n: tensor<4xi32>) -> tensor<4xi32> {
  %0 = tosa.arithmetic_right_shift %a, %n {round = true} : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  return %0 : tensor<4xi32>
}

// -----

// A convolution for each place of the kernel where it is smallest: along the
// width. The bias is added before the result is rounded.
// CHECK-LABEL: func.func @conv3d(
// CHECK: "ttir.permute"({{.*}}) <{{.*}}permutation = array<i64: 0, 3, 1, 2, 4>{{.*}} -> tensor<1x4x4x5x8xbf16>
// CHECK: "ttir.conv2d"({{.*}}) <{dilation_height = 1 : si32, dilation_width = 2 : si32, groups = 1 : si32, {{.*}}padding_bottom = 1 : si32, padding_left = 0 : si32, padding_right = 0 : si32, padding_top = 0 : si32, {{.*}} -> tensor<4x4x3x6xf32>
// CHECK-NOT: "ttir.conv2d"
// CHECK: "ttir.add"({{.*}}) {{.*}} -> tensor<4x4x3x6xf32>
// CHECK: "ttir.typecast"({{.*}}) {{.*}} -> tensor<4x4x3x6xbf16>
// CHECK: "ttir.permute"({{.*}}) <{{.*}}permutation = array<i64: 0, 2, 3, 1, 4>{{.*}} -> tensor<1x4x3x4x6xbf16>
func.func @conv3d(%a: tensor<1x4x5x4x8xbf16>, %w: tensor<6x2x2x1x8xbf16>, %b: tensor<6xbf16>) -> tensor<1x4x3x4x6xbf16> {
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xbf16>}> : () -> tensor<1xbf16>
  %0 = tosa.conv3d %a, %w, %b, %z, %z {acc_type = f32, pad = array<i64: 0, 1, 0, 0, 0, 0>, stride = array<i64: 1, 1, 1>, dilation = array<i64: 1, 2, 1>} : (tensor<1x4x5x4x8xbf16>, tensor<6x2x2x1x8xbf16>, tensor<6xbf16>, tensor<1xbf16>, tensor<1xbf16>) -> tensor<1x4x3x4x6xbf16>
  return %0 : tensor<1x4x3x4x6xbf16>
}

// -----

// i48 is two words: few products add up in one, many from the parts of an
// operand.
// CHECK-LABEL: func.func @wide(
// CHECK-SAME: %{{.*}}: tensor<1x4x8xsi16>, %{{.*}}: tensor<1x8x4xsi16>) -> (tensor<2x1x4x4xsi32> {tt.host_type = tensor<1x4x4xsi64>})
// CHECK-COUNT-2: "ttir.matmul"({{.*}}) {{.*}} -> tensor<1x4x4xsi32>
// CHECK: %[[R:.*]] = "ttir.concat"({{.*}}) <{dim = 0 : si32{{.*}} -> tensor<2x1x4x4xsi32>
// CHECK-NEXT: return %[[R]]
func.func @wide(%a: tensor<1x4x8xi16>, %b: tensor<1x8x4xi16>) -> tensor<1x4x4xi48> {
  %z = "tosa.const"() <{values = dense<0> : tensor<1xi16>}> : () -> tensor<1xi16>
  %0 = tosa.matmul %a, %b, %z, %z : (tensor<1x4x8xi16>, tensor<1x8x4xi16>, tensor<1xi16>, tensor<1xi16>) -> tensor<1x4x4xi48>
  return %0 : tensor<1x4x4xi48>
}

// -----

// CHECK-LABEL: func.func @wide_constant(
// CHECK-SAME: -> (tensor<2x2xsi32> {tt.host_type = tensor<2xsi64>})
// CHECK: "ttir.constant"() <{value = dense<{{\[\[}}-1, 5], [-1, 1]]> : tensor<2x2xsi32>}>
func.func @wide_constant() -> tensor<2xi48> {
  %0 = "tosa.const"() <{values = dense<[-1, 4294967301]> : tensor<2xi48>}> : () -> tensor<2xi48>
  return %0 : tensor<2xi48>
}

// -----

// CHECK-LABEL: func.func @permuted_bools(
// CHECK: "ttir.constant"() <{value = dense<{{\[\[}}true, false, false], [false, true, true]]> : tensor<2x3xi1>}>
func.func @permuted_bools() -> tensor<2x3xi1> {
  %0 = "tosa.const"() <{values = dense<[[true, false], [false, true], [false, true]]> : tensor<3x2xi1>}> : () -> tensor<3x2xi1>
  %1 = tosa.transpose %0 {perms = array<i32: 1, 0>} : (tensor<3x2xi1>) -> tensor<2x3xi1>
  return %1 : tensor<2x3xi1>
}

// RUN: ttmlir-opt --ttir-decomposition --split-input-file --verify-diagnostics %s
// What becomes a slice for each place of a window, or a table, has a bound.
#any = #tt.operand_constraint<any_device>
func.func @slices(%a: tensor<1x4100x64x1xf32>) -> tensor<1x2x1x1xf32> {
  %0 = tensor.empty() : tensor<1x2x1x1xf32>
  // expected-error @below {{'ttir.max_pool2d' op cannot be decomposed: expected a window that becomes at most 4096 slices, found 4163 for 4099x64}}
  %1 = "ttir.max_pool2d"(%a, %0) <{ceil_mode = false, dilation_height = 1 : si32, dilation_width = 1 : si32, kernel_height = 4099 : si32, kernel_width = 64 : si32, operand_constraints = [#any, #any], padding_bottom = 0 : si32, padding_left = 0 : si32, padding_right = 0 : si32, padding_top = 0 : si32, stride_height = 1 : si32, stride_width = 1 : si32}> : (tensor<1x4100x64x1xf32>, tensor<1x2x1x1xf32>) -> tensor<1x2x1x1xf32>
  return %1 : tensor<1x2x1x1xf32>
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @kernel(%a: tensor<1x2000x2000x3xf32>, %b: tensor<8x3x1000x1000xf32>) -> tensor<1x1001x1001x8xf32> {
  %0 = tensor.empty() : tensor<1x1001x1001x8xf32>
  // expected-error @below {{'ttir.conv2d' op cannot be decomposed: expected a window that becomes at most 4096 slices, found 1000000 for 1000x1000}}
  %1 = "ttir.conv2d"(%a, %b, %0) <{dilation_height = 1 : si32, dilation_width = 1 : si32, groups = 1 : si32, operand_constraints = [#any, #any, #any], padding_bottom = 0 : si32, padding_left = 0 : si32, padding_right = 0 : si32, padding_top = 0 : si32, stride_height = 1 : si32, stride_width = 1 : si32}> : (tensor<1x2000x2000x3xf32>, tensor<8x3x1000x1000xf32>, tensor<1x1001x1001x8xf32>) -> tensor<1x1001x1001x8xf32>
  return %1 : tensor<1x1001x1001x8xf32>
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @padded(%a: tensor<1x1x1x1xf32>) -> tensor<1x3x1x1xf32> {
  %0 = tensor.empty() : tensor<1x3x1x1xf32>
  // expected-error @below {{'ttir.avg_pool2d' op cannot be decomposed: expected extents below 2^31 and at most 2^40 elements of the padded images and of what the window meets, found 1x4000000001x1x1}}
  %1 = "ttir.avg_pool2d"(%a, %0) <{ceil_mode = false, count_include_pad = true, dilation_height = 1 : si32, dilation_width = 1 : si32, kernel_height = 1 : si32, kernel_width = 1 : si32, operand_constraints = [#any, #any], padding_bottom = 2000000000 : si32, padding_left = 0 : si32, padding_right = 0 : si32, padding_top = 2000000000 : si32, stride_height = 2000000000 : si32, stride_width = 1 : si32}> : (tensor<1x1x1x1xf32>, tensor<1x3x1x1xf32>) -> tensor<1x3x1x1xf32>
  return %1 : tensor<1x3x1x1xf32>
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @weights(%a: tensor<1x4096x4x1xf32>) -> tensor<1x8192x4x1xf32> {
  %0 = tensor.empty() : tensor<1x8192x4x1xf32>
  // expected-error @below {{'ttir.upsample' op cannot be decomposed: expected a table of at most 2^24 weights, found 4096x4096x2}}
  %1 = "ttir.upsample"(%a, %0) <{mode = "bilinear", operand_constraints = [#any, #any], scale_factor = array<i32: 2, 1>}> : (tensor<1x4096x4x1xf32>, tensor<1x8192x4x1xf32>) -> tensor<1x8192x4x1xf32>
  return %1 : tensor<1x8192x4x1xf32>
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @rows(%a: tensor<2x4096x4xf32>, %i: tensor<2x4097x1xi32>) -> tensor<2x4097x2048x2xf32> {
  %0 = tensor.empty() : tensor<2x4097x2048x2xf32>
  // expected-error @below {{'ttir.gather' op cannot be decomposed: expected at most 2^24 rows of slices, found 1x2048x2x2x4097x1}}
  %1 = "ttir.gather"(%a, %i, %0) <{collapsed_slice_dims = array<i64>, index_vector_dim = 2 : si64, offset_dims = array<i64: 2, 3>, operand_batching_dims = array<i64: 0>, operand_constraints = [#any, #any, #any], slice_sizes = array<i64: 1, 2048, 2>, start_index_map = array<i64: 1>, start_indices_batching_dims = array<i64: 0>}> : (tensor<2x4096x4xf32>, tensor<2x4097x1xi32>, tensor<2x4097x2048x2xf32>) -> tensor<2x4097x2048x2xf32>
  return %1 : tensor<2x4097x2048x2xf32>
}

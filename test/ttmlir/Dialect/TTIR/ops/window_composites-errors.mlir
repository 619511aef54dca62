// RUN: ttmlir-opt --split-input-file --verify-diagnostics %s
// Rules of the ops that slide windows and are made of others.
#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
func.func @rank(%a: tensor<4xf32>, %w: tensor<4xf32>, %0: tensor<4xf32>) {
  // expected-error @+1 {{'ttir.convolution' op expected an input of rank 2 or more, found 1}}
  %1 = "ttir.convolution"(%a, %w, %0) <{batch_groups = 1 : i64, groups = 1 : i64, input_dilation = array<i64>, input_dims = array<i64: 0>, operand_constraints = [#any, #any, #any], output_dims = array<i64: 0>, padding = array<i64>, stride = array<i64>, weight_dilation = array<i64>, weight_dims = array<i64: 0>}> : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
func.func @positions(%a: tensor<1x4x8xf32>, %w: tensor<2x4x3xf32>, %0: tensor<1x2x6xf32>) {
  // expected-error @+1 {{'ttir.convolution' op expected input_dims to be a permutation of the 3 dimensions, found}}
  %1 = "ttir.convolution"(%a, %w, %0) <{batch_groups = 1 : i64, groups = 1 : i64, input_dilation = array<i64: 1>, input_dims = array<i64: 0, 1, 1>, operand_constraints = [#any, #any, #any], output_dims = array<i64: 0, 1, 2>, padding = array<i64: 0, 0>, stride = array<i64: 1>, weight_dilation = array<i64: 1>, weight_dims = array<i64: 0, 1, 2>}> : (tensor<1x4x8xf32>, tensor<2x4x3xf32>, tensor<1x2x6xf32>) -> tensor<1x2x6xf32>
  return
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
func.func @stride(%a: tensor<1x4x8xf32>, %w: tensor<2x4x3xf32>, %0: tensor<1x2x6xf32>) {
  // expected-error @+1 {{'ttir.convolution' op expected entries of stride of at least 1, found 0}}
  %1 = "ttir.convolution"(%a, %w, %0) <{batch_groups = 1 : i64, groups = 1 : i64, input_dilation = array<i64: 1>, input_dims = array<i64: 0, 1, 2>, operand_constraints = [#any, #any, #any], output_dims = array<i64: 0, 1, 2>, padding = array<i64: 0, 0>, stride = array<i64: 0>, weight_dilation = array<i64: 1>, weight_dims = array<i64: 0, 1, 2>}> : (tensor<1x4x8xf32>, tensor<2x4x3xf32>, tensor<1x2x6xf32>) -> tensor<1x2x6xf32>
  return
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
func.func @groups(%a: tensor<1x4x8xf32>, %w: tensor<2x4x3xf32>, %0: tensor<1x2x6xf32>) {
  // expected-error @+1 {{'ttir.convolution' op groups must divide what is grouped: found 3 groups of 4 and 2 channels, and 1 of a batch of 1}}
  %1 = "ttir.convolution"(%a, %w, %0) <{batch_groups = 1 : i64, groups = 3 : i64, input_dilation = array<i64: 1>, input_dims = array<i64: 0, 1, 2>, operand_constraints = [#any, #any, #any], output_dims = array<i64: 0, 1, 2>, padding = array<i64: 0, 0>, stride = array<i64: 1>, weight_dilation = array<i64: 1>, weight_dims = array<i64: 0, 1, 2>}> : (tensor<1x4x8xf32>, tensor<2x4x3xf32>, tensor<1x2x6xf32>) -> tensor<1x2x6xf32>
  return
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
func.func @fits(%a: tensor<1x8x4xf32>, %w: tensor<2x4x9xf32>, %0: tensor<1x1x2xf32>) {
  // expected-error @+1 {{'ttir.conv1d' op the window does not fit into the input: expected at least 9 elements with padding, found 8}}
  %1 = "ttir.conv1d"(%a, %w, %0) <{dilation = array<i32: 1>, operand_constraints = [#any, #any, #any], padding = array<i32: 0>, stride = array<i32: 1>}> : (tensor<1x8x4xf32>, tensor<2x4x9xf32>, tensor<1x1x2xf32>) -> tensor<1x1x2xf32>
  return
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
func.func @bias(%a: tensor<1x8x4xf32>, %w: tensor<2x4x3xf32>, %b: tensor<3xf32>, %0: tensor<1x6x2xf32>) {
  // expected-error @+1 {{'ttir.conv1d' op expected a bias of 2 elements, found 3}}
  %1 = "ttir.conv1d"(%a, %w, %b, %0) <{dilation = array<i32: 1>, operand_constraints = [#any, #any, #any, #any], padding = array<i32: 0>, stride = array<i32: 1>}> : (tensor<1x8x4xf32>, tensor<2x4x3xf32>, tensor<3xf32>, tensor<1x6x2xf32>) -> tensor<1x6x2xf32>
  return
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
func.func @mode(%a: tensor<1x4x4x4x4xf32>, %w: tensor<2x4x3x3x3xf32>, %0: tensor<1x2x2x2x2xf32>) {
  // expected-error @+1 {{'ttir.conv3d' op expected padding_mode = "zeros", found "reflect"}}
  %1 = "ttir.conv3d"(%a, %w, %0) <{operand_constraints = [#any, #any, #any], padding = array<i32: 0, 0, 0>, padding_mode = "reflect", stride = array<i32: 1, 1, 1>}> : (tensor<1x4x4x4x4xf32>, tensor<2x4x3x3x3xf32>, tensor<1x2x2x2x2xf32>) -> tensor<1x2x2x2x2xf32>
  return
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
func.func @kind(%a: tensor<8xf32>, %0: tensor<7xf32>) {
  // expected-error @+1 {{'ttir.reduce_window' op expected kind to be "sum", "prod", "max" or "min", found "mean"}}
  %1 = "ttir.reduce_window"(%a, %0) <{base_dilation = array<i64: 1>, kind = "mean", operand_constraints = [#any, #any], padding = array<i64: 0, 0>, stride = array<i64: 1>, window = array<i64: 2>, window_dilation = array<i64: 1>}> : (tensor<8xf32>, tensor<7xf32>) -> tensor<7xf32>
  return
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
func.func @padding(%a: tensor<8xf32>, %0: tensor<7xf32>) {
  // expected-error @+1 {{'ttir.reduce_window' op expected 2 entries of padding, found 1}}
  %1 = "ttir.reduce_window"(%a, %0) <{base_dilation = array<i64: 1>, kind = "sum", operand_constraints = [#any, #any], padding = array<i64: 0>, stride = array<i64: 1>, window = array<i64: 2>, window_dilation = array<i64: 1>}> : (tensor<8xf32>, tensor<7xf32>) -> tensor<7xf32>
  return
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
func.func @source(%a: tensor<8xf32>, %s: tensor<3xf32>, %0: tensor<8xf32>) {
  // expected-error @+1 {{'ttir.select_and_scatter' op expected a source of 4, an element for each window, found 3}}
  %1 = "ttir.select_and_scatter"(%a, %s, %0) <{kind = "max", operand_constraints = [#any, #any, #any], padding = array<i64: 0, 0>, stride = array<i64: 2>, window = array<i64: 2>}> : (tensor<8xf32>, tensor<3xf32>, tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
func.func @coordinates(%a: tensor<8xf32>, %0: tensor<16xf32>) {
  // expected-error @+1 {{'ttir.resize' op expected coordinates to be "half_pixel", "half_pixel_symmetric", "pytorch_half_pixel", "align_corners", "asymmetric", "tf_crop_and_resize", found "centre"}}
  %1 = "ttir.resize"(%a, %0) <{coordinates = "centre", mode = "linear", operand_constraints = [#any, #any], sizes = array<i64: 16>}> : (tensor<8xf32>, tensor<16xf32>) -> tensor<16xf32>
  return
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
func.func @region(%a: tensor<8xf32>, %0: tensor<16xf32>) {
  // expected-error @+1 {{'ttir.resize' op expected a region for tf_crop_and_resize and for nothing else, found none for tf_crop_and_resize}}
  %1 = "ttir.resize"(%a, %0) <{coordinates = "tf_crop_and_resize", mode = "linear", operand_constraints = [#any, #any], sizes = array<i64: 16>}> : (tensor<8xf32>, tensor<16xf32>) -> tensor<16xf32>
  return
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
func.func @limits(%a: tensor<8xf32>, %l: tensor<3xf32>, %0: tensor<8xf32>) {
  // expected-error @+1 {{'ttir.clamp_tensor' op expected shapes that broadcast, found 8 and 3}}
  %1 = "ttir.clamp_tensor"(%a, %l, %a, %0) <{operand_constraints = [#any, #any, #any, #any]}> : (tensor<8xf32>, tensor<3xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
func.func @approximate(%a: tensor<8xf32>, %0: tensor<8xf32>) {
  // expected-error @+1 {{'ttir.gelu_bw' op expected approximate to be "none" or "tanh", found "sigmoid"}}
  %1 = "ttir.gelu_bw"(%a, %a, %0) <{approximate = "sigmoid", operand_constraints = [#any, #any, #any]}> : (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
func.func @ranks(%a: tensor<1x4x8xf32>, %w: tensor<2x4xf32>, %0: tensor<1x2x6xf32>) {
  // expected-error @+1 {{'ttir.convolution' op expected input and weight of one rank, found 3 and 2}}
  %1 = "ttir.convolution"(%a, %w, %0) <{batch_groups = 1 : i64, groups = 1 : i64, input_dilation = array<i64: 1>, input_dims = array<i64: 0, 1, 2>, operand_constraints = [#any, #any, #any], output_dims = array<i64: 0, 1, 2>, padding = array<i64: 0, 0>, stride = array<i64: 1>, weight_dilation = array<i64: 1>, weight_dims = array<i64: 0, 1, 2>}> : (tensor<1x4x8xf32>, tensor<2x4xf32>, tensor<1x2x6xf32>) -> tensor<1x2x6xf32>
  return
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
func.func @kinds(%a: tensor<1x4x8xf32>, %w: tensor<2x4x3xi8>, %0: tensor<1x2x6xf32>) {
  // expected-error @+1 {{'ttir.convolution' op expected all tensors of floats or all of integers: found}}
  %1 = "ttir.convolution"(%a, %w, %0) <{batch_groups = 1 : i64, groups = 1 : i64, input_dilation = array<i64: 1>, input_dims = array<i64: 0, 1, 2>, operand_constraints = [#any, #any, #any], output_dims = array<i64: 0, 1, 2>, padding = array<i64: 0, 0>, stride = array<i64: 1>, weight_dilation = array<i64: 1>, weight_dims = array<i64: 0, 1, 2>}> : (tensor<1x4x8xf32>, tensor<2x4x3xi8>, tensor<1x2x6xf32>) -> tensor<1x2x6xf32>
  return
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
func.func @both(%a: tensor<1x4x8xf32>, %w: tensor<2x4x3xf32>, %0: tensor<1x2x6xf32>) {
  // expected-error @+1 {{'ttir.convolution' op expected positive groups, of the channels or of the batch: found 2 and 2}}
  %1 = "ttir.convolution"(%a, %w, %0) <{batch_groups = 2 : i64, groups = 2 : i64, input_dilation = array<i64: 1>, input_dims = array<i64: 0, 1, 2>, operand_constraints = [#any, #any, #any], output_dims = array<i64: 0, 1, 2>, padding = array<i64: 0, 0>, stride = array<i64: 1>, weight_dilation = array<i64: 1>, weight_dims = array<i64: 0, 1, 2>}> : (tensor<1x4x8xf32>, tensor<2x4x3xf32>, tensor<1x2x6xf32>) -> tensor<1x2x6xf32>
  return
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
func.func @strides(%a0: tensor<1x8x4xf32>, %a1: tensor<2x4x3xf32>, %o0: tensor<1x6x2xf32>) {
  // expected-error @+1 {{'ttir.conv1d' op expected 1 entries of stride, found 2}}
  %r = "ttir.conv1d"(%a0, %a1, %o0) <{dilation = array<i32: 1>, operand_constraints = [#any, #any, #any], padding = array<i32: 0>, stride = array<i32: 1, 1>}> : (tensor<1x8x4xf32>, tensor<2x4x3xf32>, tensor<1x6x2xf32>) -> tensor<1x6x2xf32>
  return
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
func.func @strides3(%a0: tensor<1x4x4x4x4xf32>, %a1: tensor<2x4x3x3x3xf32>, %o0: tensor<1x2x2x2x2xf32>) {
  // expected-error @+1 {{'ttir.conv3d' op expected 3 entries of stride, found 2}}
  %r = "ttir.conv3d"(%a0, %a1, %o0) <{operand_constraints = [#any, #any, #any], padding = array<i32: 0, 0, 0>, stride = array<i32: 1, 1>}> : (tensor<1x4x4x4x4xf32>, tensor<2x4x3x3x3xf32>, tensor<1x2x2x2x2xf32>) -> tensor<1x2x2x2x2xf32>
  return
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
func.func @bias3(%a0: tensor<1x4x4x4x4xf32>, %a1: tensor<2x4x3x3x3xf32>, %a2: tensor<3xf32>, %o0: tensor<1x2x2x2x2xf32>) {
  // expected-error @+1 {{'ttir.conv3d' op expected a bias of 2 elements, found 3}}
  %r = "ttir.conv3d"(%a0, %a1, %a2, %o0) <{operand_constraints = [#any, #any, #any, #any], padding = array<i32: 0, 0, 0>, stride = array<i32: 1, 1, 1>}> : (tensor<1x4x4x4x4xf32>, tensor<2x4x3x3x3xf32>, tensor<3xf32>, tensor<1x2x2x2x2xf32>) -> tensor<1x2x2x2x2xf32>
  return
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
func.func @fits3(%a0: tensor<1x4x4x4x4xf32>, %a1: tensor<2x4x5x3x3xf32>, %o0: tensor<1x2x2x2x2xf32>) {
  // expected-error @+1 {{'ttir.conv3d' op the window does not fit into the input: expected at least 5 elements with padding, found 4}}
  %r = "ttir.conv3d"(%a0, %a1, %o0) <{operand_constraints = [#any, #any, #any], padding = array<i32: 0, 0, 0>, stride = array<i32: 1, 1, 1>}> : (tensor<1x4x4x4x4xf32>, tensor<2x4x5x3x3xf32>, tensor<1x2x2x2x2xf32>) -> tensor<1x2x2x2x2xf32>
  return
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
func.func @window_fits(%a0: tensor<8xf32>, %o0: tensor<1xf32>) {
  // expected-error @+1 {{'ttir.reduce_window' op the window does not fit into the input: expected at least 9 elements with padding, found 8}}
  %r = "ttir.reduce_window"(%a0, %o0) <{base_dilation = array<i64: 1>, kind = "sum", operand_constraints = [#any, #any], padding = array<i64: 0, 0>, stride = array<i64: 1>, window = array<i64: 9>, window_dilation = array<i64: 1>}> : (tensor<8xf32>, tensor<1xf32>) -> tensor<1xf32>
  return
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
func.func @scatter_kind(%a0: tensor<8xf32>, %a1: tensor<4xf32>, %o0: tensor<8xf32>) {
  // expected-error @+1 {{'ttir.select_and_scatter' op expected kind to be "max" or "min", found "sum"}}
  %r = "ttir.select_and_scatter"(%a0, %a1, %o0) <{kind = "sum", operand_constraints = [#any, #any, #any], padding = array<i64: 0, 0>, stride = array<i64: 2>, window = array<i64: 2>}> : (tensor<8xf32>, tensor<4xf32>, tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
func.func @scatter_window(%a0: tensor<8xf32>, %a1: tensor<4xf32>, %o0: tensor<8xf32>) {
  // expected-error @+1 {{'ttir.select_and_scatter' op expected 1 entries of window, found 2}}
  %r = "ttir.select_and_scatter"(%a0, %a1, %o0) <{kind = "max", operand_constraints = [#any, #any, #any], padding = array<i64: 0, 0>, stride = array<i64: 2>, window = array<i64: 2, 1>}> : (tensor<8xf32>, tensor<4xf32>, tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
func.func @scatter_size(%a0: tensor<5000xf32>, %a1: tensor<1xf32>, %o0: tensor<5000xf32>) {
  // expected-error @+1 {{'ttir.select_and_scatter' op expected windows of at most 4096 elements, found 5.000000e+03}}
  %r = "ttir.select_and_scatter"(%a0, %a1, %o0) <{kind = "max", operand_constraints = [#any, #any, #any], padding = array<i64: 0, 0>, stride = array<i64: 1>, window = array<i64: 5000>}> : (tensor<5000xf32>, tensor<1xf32>, tensor<5000xf32>) -> tensor<5000xf32>
  return
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
func.func @places_rank(%a0: tensor<8x8x4xf32>, %o0: tensor<4x4x4xf32>, %o1: tensor<4x4x4xsi32>) {
  // expected-error @+1 {{'ttir.max_pool2d_with_indices' op Input tensor rank must be 4. Recieved input with rank 3. Shape: (8, 8, 4).}}
  %r:2 = "ttir.max_pool2d_with_indices"(%a0, %o0, %o1) <{ceil_mode = false, dilation = array<i32: 1, 1>, kernel = array<i32: 2, 2>, operand_constraints = [#any, #any, #any], padding = array<i32: 0, 0>, stride = array<i32: 2, 2>}> : (tensor<8x8x4xf32>, tensor<4x4x4xf32>, tensor<4x4x4xsi32>) -> (tensor<4x4x4xf32>, tensor<4x4x4xsi32>)
  return
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
func.func @places_kernel(%a0: tensor<1x8x8x4xf32>, %o0: tensor<1x4x4x4xf32>, %o1: tensor<1x4x4x4xsi32>) {
  // expected-error @+1 {{'ttir.max_pool2d_with_indices' op expected entries of kernel of at least 1, found 0}}
  %r:2 = "ttir.max_pool2d_with_indices"(%a0, %o0, %o1) <{ceil_mode = false, dilation = array<i32: 1, 1>, kernel = array<i32: 2, 0>, operand_constraints = [#any, #any, #any], padding = array<i32: 0, 0>, stride = array<i32: 2, 2>}> : (tensor<1x8x8x4xf32>, tensor<1x4x4x4xf32>, tensor<1x4x4x4xsi32>) -> (tensor<1x4x4x4xf32>, tensor<1x4x4x4xsi32>)
  return
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
func.func @places_fit(%a0: tensor<1x8x8x4xf32>, %o0: tensor<1x4x4x4xf32>, %o1: tensor<1x4x4x4xsi32>) {
  // expected-error @+1 {{'ttir.max_pool2d_with_indices' op the window does not fit into the input: expected at least 9 elements with padding, found 8}}
  %r:2 = "ttir.max_pool2d_with_indices"(%a0, %o0, %o1) <{ceil_mode = false, dilation = array<i32: 1, 1>, kernel = array<i32: 9, 2>, operand_constraints = [#any, #any, #any], padding = array<i32: 0, 0>, stride = array<i32: 2, 2>}> : (tensor<1x8x8x4xf32>, tensor<1x4x4x4xf32>, tensor<1x4x4x4xsi32>) -> (tensor<1x4x4x4xf32>, tensor<1x4x4x4xsi32>)
  return
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
func.func @global_rank(%a0: tensor<8x8x4xf32>, %o0: tensor<1x1x4xf32>) {
  // expected-error @+1 {{'ttir.global_avg_pool2d' op Input tensor rank must be 4. Recieved input with rank 3. Shape: (8, 8, 4).}}
  %r = "ttir.global_avg_pool2d"(%a0, %o0) <{operand_constraints = [#any, #any]}> : (tensor<8x8x4xf32>, tensor<1x1x4xf32>) -> tensor<1x1x4xf32>
  return
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
func.func @limit_kinds(%a0: tensor<8xf32>, %a1: tensor<8xi32>, %a2: tensor<8xf32>, %o0: tensor<8xf32>) {
  // expected-error @+1 {{'ttir.clamp_tensor' op expected all tensors of floats or all of integers: found}}
  %r = "ttir.clamp_tensor"(%a0, %a1, %a2, %o0) <{operand_constraints = [#any, #any, #any, #any]}> : (tensor<8xf32>, tensor<8xi32>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
func.func @gelu_shapes(%a0: tensor<8xf32>, %a1: tensor<3xf32>, %o0: tensor<8xf32>) {
  // expected-error @+1 {{'ttir.gelu_bw' op expected shapes that broadcast, found 8 and 3}}
  %r = "ttir.gelu_bw"(%a0, %a1, %o0) <{approximate = "none", operand_constraints = [#any, #any, #any]}> : (tensor<8xf32>, tensor<3xf32>, tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
func.func @gelu_integers(%a0: tensor<8xi32>, %a1: tensor<8xi32>, %o0: tensor<8xi32>) {
  // expected-error @+1 {{'ttir.gelu_bw' op expected tensors of floats, found 'i32'}}
  %r = "ttir.gelu_bw"(%a0, %a1, %o0) <{approximate = "none", operand_constraints = [#any, #any, #any]}> : (tensor<8xi32>, tensor<8xi32>, tensor<8xi32>) -> tensor<8xi32>
  return
}

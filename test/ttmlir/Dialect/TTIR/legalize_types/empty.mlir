// RUN: ttmlir-opt --ttir-legalize-types %s | FileCheck %s
// Nothing is computed of tensors without elements.
#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>

// CHECK-LABEL: func.func @dummy
// CHECK-SAME: (%arg0: tensor<1x1xf32> {tt.host_type = tensor<0x3xf32>}) -> (tensor<1x1xf32> {tt.host_type = tensor<0x3xf32>})
func.func @dummy(%x: tensor<0x3xf32>) -> tensor<0x3xf32> {
  %0 = tensor.empty() : tensor<0x3xf32>
  // CHECK: %[[C:.*]] = "ttir.constant"() <{value = dense<0.000000e+00> : tensor<1x1xf32>}>
  // CHECK-NOT: ttir.exp
  %1 = "ttir.exp"(%x, %0) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<0x3xf32>, tensor<0x3xf32>) -> tensor<0x3xf32>
  // CHECK: return %[[C]]
  return %1 : tensor<0x3xf32>
}

// CHECK-LABEL: func.func @neutral
func.func @neutral(%x: tensor<0x3xf32>) -> (tensor<1x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>) {
  %0 = tensor.empty() : tensor<1x3xf32>
  // CHECK: dense<0.000000e+00> : tensor<1x3xf32>
  %1 = "ttir.sum"(%x, %0) <{dim_arg = [0 : i32], keep_dim = true, operand_constraints = [#any, #any]}> : (tensor<0x3xf32>, tensor<1x3xf32>) -> tensor<1x3xf32>
  // CHECK: dense<1.000000e+00> : tensor<1x3xf32>
  %2 = "ttir.prod"(%x, %0) <{dim_arg = [0 : i32], keep_dim = true, operand_constraints = [#any, #any]}> : (tensor<0x3xf32>, tensor<1x3xf32>) -> tensor<1x3xf32>
  // CHECK: dense<0xFF800000> : tensor<1x3xf32>
  %3 = "ttir.max"(%x, %0) <{dim_arg = [0 : i32], keep_dim = true, operand_constraints = [#any, #any]}> : (tensor<0x3xf32>, tensor<1x3xf32>) -> tensor<1x3xf32>
  return %1, %2, %3 : tensor<1x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>
}

// CHECK-LABEL: func.func @parts
func.func @parts(%x: tensor<0x3xf32>, %y: tensor<2x3xf32>, %z: tensor<1x3xf32>) -> (tensor<3x3xf32>, tensor<2x3xf32>) {
  %0 = tensor.empty() : tensor<3x3xf32>
  // CHECK: %[[C:.*]] = "ttir.concat"(%arg1, %arg2, %{{.*}}) <{dim = 0 : si32
  %1 = "ttir.concat"(%y, %x, %z, %0) <{dim = 0 : si32, operand_constraints = [#any, #any, #any, #any]}> : (tensor<2x3xf32>, tensor<0x3xf32>, tensor<1x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
  %2 = tensor.empty() : tensor<2x3xf32>
  %3 = "ttir.concat"(%y, %x, %2) <{dim = 0 : si32, operand_constraints = [#any, #any, #any]}> : (tensor<2x3xf32>, tensor<0x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: return %[[C]], %arg1
  return %1, %3 : tensor<3x3xf32>, tensor<2x3xf32>
}

// CHECK-LABEL: func.func @product
func.func @product(%a: tensor<2x0xf32>, %b: tensor<0x3xf32>) -> (tensor<2x3xf32>, tensor<4x5xf32>) {
  %0 = tensor.empty() : tensor<2x3xf32>
  // CHECK: dense<0.000000e+00> : tensor<2x3xf32>
  %1 = "ttir.matmul"(%a, %b, %0) <{operand_constraints = [#any, #any, #any]}> : (tensor<2x0xf32>, tensor<0x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: dense<2.500000e+00> : tensor<4x5xf32>
  %2 = tensor.empty() : tensor<4x5xf32>
  %3 = "ttir.pad"(%b, %2) <{operand_constraints = [#any, #any], padding = array<i32: 2, 2, 1, 1>, value = 2.5 : f32}> : (tensor<0x3xf32>, tensor<4x5xf32>) -> tensor<4x5xf32>
  return %1, %3 : tensor<2x3xf32>, tensor<4x5xf32>
}

// The extents of a tensor without elements are those that it had.
// CHECK-LABEL: func.func @extent
func.func @extent(%x: tensor<0x5xf32>) -> tensor<1xsi32> {
  %0 = tensor.empty() : tensor<1xsi32>
  // CHECK: "ttir.constant"() <{value = dense<5> : tensor<1xsi32>}>
  %1 = "ttir.get_dimension_size"(%x, %0) <{dimension = 1 : i32, operand_constraints = [#any, #any]}> : (tensor<0x5xf32>, tensor<1xsi32>) -> tensor<1xsi32>
  return %1 : tensor<1xsi32>
}

// What is convolved has no channels: the bias is left, along the channels.
// CHECK-LABEL: func.func @bias
func.func @bias(%x: tensor<2x0x8xf32>, %w: tensor<3x0x1xf32>, %b: tensor<1x1x3xf32>) -> tensor<2x3x8xf32> {
  %0 = tensor.empty() : tensor<2x3x8xf32>
  // CHECK-DAG: %[[B:.*]] = "ttir.reshape"(%arg2, %{{.*}}) <{{.*}}shape = [1 : i32, 3 : i32, 1 : i32]
  // CHECK-DAG: %[[Z:.*]] = "ttir.constant"() <{value = dense<0.000000e+00> : tensor<2x3x8xf32>}>
  // CHECK: %[[S:.*]] = "ttir.add"(%[[Z]], %[[B]], %{{.*}})
  // CHECK: return %[[S]]
  %1 = "ttir.conv1d"(%x, %w, %b, %0) <{batch_dim = 0 : i64, channel_dim = 1 : i64, dilation = array<i32: 1>, groups = 1 : i32, length_dim = 2 : i64, operand_constraints = [#any, #any, #any, #any], padding = array<i32: 0>, stride = array<i32: 1>}> : (tensor<2x0x8xf32>, tensor<3x0x1xf32>, tensor<1x1x3xf32>, tensor<2x3x8xf32>) -> tensor<2x3x8xf32>
  return %1 : tensor<2x3x8xf32>
}

// Nothing is written into a table; all of a scalar is.
// CHECK-LABEL: func.func @updates
func.func @updates(%x: tensor<4x3xf32>, %i: tensor<0xi32>, %u: tensor<0x3xf32>, %s: tensor<f32>, %t: tensor<f32>) -> (tensor<4x3xf32>, tensor<f32>) {
  %0 = tensor.empty() : tensor<4x3xf32>
  %1 = "ttir.scatter_rows"(%x, %i, %u, %0) <{operand_constraints = [#any, #any, #any, #any], reduce_type = #tt.reduce_type<sum>}> : (tensor<4x3xf32>, tensor<0xi32>, tensor<0x3xf32>, tensor<4x3xf32>) -> tensor<4x3xf32>
  %2 = tensor.empty() : tensor<f32>
  %3 = "ttir.dynamic_update_slice"(%s, %t, %i, %2) <{operand_constraints = [#any, #any, #any, #any]}> : (tensor<f32>, tensor<f32>, tensor<0xi32>, tensor<f32>) -> tensor<f32>
  // CHECK: return %arg0, %arg4
  return %1, %3 : tensor<4x3xf32>, tensor<f32>
}

// An index vector without entries: the window is at the beginning.
// CHECK-LABEL: func.func @vectors
func.func @vectors(%x: tensor<5xf32>, %s: tensor<f32>, %i: tensor<3x0xi32>, %u: tensor<3xf32>) -> (tensor<3x2xf32>, tensor<f32>) {
  %0 = tensor.empty() : tensor<3x2xf32>
  // CHECK: %[[I:.*]] = "ttir.constant"() <{value = dense<0> : tensor<3x1xi32>}>
  // CHECK: "ttir.gather"(%arg0, %[[I]], %{{.*}}) <{{.*}}start_index_map = array<i64: 0>
  %1 = "ttir.gather"(%x, %i, %0) <{collapsed_slice_dims = array<i64>, index_vector_dim = 1 : si64, offset_dims = array<i64: 1>, operand_batching_dims = array<i64>, operand_constraints = [#any, #any, #any], slice_sizes = array<i64: 2>, start_index_map = array<i64>, start_indices_batching_dims = array<i64>}> : (tensor<5xf32>, tensor<3x0xi32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  %2 = tensor.empty() : tensor<f32>
  // CHECK: %[[J:.*]] = "ttir.constant"() <{value = dense<0> : tensor<3x1xi32>}>
  // CHECK: "ttir.scatter"(%arg1, %[[J]], %arg3, %{{.*}}) <{{.*}}inserted_window_dims = array<i64: 0>,{{.*}}scatter_dims_to_operand_dims = array<i64: 0>
  %3 = "ttir.scatter"(%s, %i, %u, %2) <{index_vector_dim = 1 : si64, input_batching_dims = array<i64>, inserted_window_dims = array<i64>, operand_constraints = [#any, #any, #any, #any], reduce_type = #tt.reduce_type<sum>, scatter_dims_to_operand_dims = array<i64>, scatter_indices_batching_dims = array<i64>, update_window_dims = array<i64>}> : (tensor<f32>, tensor<3x0xi32>, tensor<3xf32>, tensor<f32>) -> tensor<f32>
  return %1, %3 : tensor<3x2xf32>, tensor<f32>
}

// Without bits the state stays.
// CHECK-LABEL: func.func @state
func.func @state(%x: tensor<4xi32>) -> (tensor<4xi32>, tensor<0xi32>) {
  %0 = tensor.empty() : tensor<4xi32>
  %1 = tensor.empty() : tensor<0xi32>
  // CHECK: %[[C:.*]] = "ttir.constant"() <{value = dense<0> : tensor<1xi32>}>
  %2:2 = "ttir.rng_bit_generator"(%x, %0, %1) <{algorithm = "three_fry", operand_constraints = [#any, #any, #any], shape = array<i64: 0>}> : (tensor<4xi32>, tensor<4xi32>, tensor<0xi32>) -> (tensor<4xi32>, tensor<0xi32>)
  // CHECK: return %arg0, %[[C]]
  return %2#0, %2#1 : tensor<4xi32>, tensor<0xi32>
}

// One result has elements.
// CHECK-LABEL: func.func @heads
func.func @heads(%x: tensor<1x0x4xf32>, %y: tensor<1x3x8xf32>) -> (tensor<1x2x0x2xf32>, tensor<1x2x3x2xf32>) {
  %0 = tensor.empty() : tensor<1x2x0x2xf32>
  %1 = tensor.empty() : tensor<1x2x3x2xf32>
  // CHECK: %[[Z:.*]] = "ttir.constant"() <{value = dense<0.000000e+00> : tensor<1x1x4xf32>}>
  // CHECK: %[[R:.*]]:3 = "ttir.split_query_key_value_and_split_heads"(%[[Z]], %arg1, {{.*}}-> (tensor<1x2x1x2xf32>, tensor<1x2x3x2xf32>, tensor<1x2x3x2xf32>)
  %2:3 = "ttir.split_query_key_value_and_split_heads"(%x, %y, %0, %1, %1) <{num_heads = 2 : ui32, operandSegmentSizes = array<i32: 1, 1, 3>, operand_constraints = [#any, #any, #any, #any, #any], transpose_key = false}> : (tensor<1x0x4xf32>, tensor<1x3x8xf32>, tensor<1x2x0x2xf32>, tensor<1x2x3x2xf32>, tensor<1x2x3x2xf32>) -> (tensor<1x2x0x2xf32>, tensor<1x2x3x2xf32>, tensor<1x2x3x2xf32>)
  // CHECK: return %{{.*}}, %[[R]]#2
  return %2#0, %2#2 : tensor<1x2x0x2xf32>, tensor<1x2x3x2xf32>
}

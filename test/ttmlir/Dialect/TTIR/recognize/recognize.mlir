// RUN: ttmlir-opt --ttir-recognize %s | FileCheck %s
// RUN: ttmlir-opt --ttir-recognize --remarks %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// REMARK-DAG: remark: [Passed] Recognized | Category:ttir-recognize | Function=softmax | Op=ttir.div, Reason="is the last step of ttir.softmax"
#any = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile>

// As JAX has it: the maximum begins at minus infinity and is broadcast.
// CHECK-LABEL: func.func @softmax
// CHECK-NOT: ttir.exp
// CHECK: "ttir.softmax"(%arg0, %{{.*}}) <{dimension = 1 : si32
// CHECK-NEXT: return
func.func @softmax(%arg0: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %inf = "ttir.constant"() <{value = dense<0xFF800000> : tensor<8xf32>}> : () -> tensor<8xf32>
  %e0 = tensor.empty() : tensor<8xf32>
  %0 = "ttir.max"(%arg0, %e0) <{dim_arg = [1 : i32], keep_dim = false, operand_constraints = [#any, #any]}> : (tensor<8x16xf32>, tensor<8xf32>) -> tensor<8xf32>
  %1 = "ttir.maximum"(%inf, %0, %e0) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %e1 = tensor.empty() : tensor<8x1xf32>
  %2 = "ttir.reshape"(%1, %e1) <{operand_constraints = [#any, #any], shape = [8 : i32, 1 : i32]}> : (tensor<8xf32>, tensor<8x1xf32>) -> tensor<8x1xf32>
  %e2 = tensor.empty() : tensor<8x16xf32>
  %3 = "ttir.broadcast"(%2, %e2) <{dimension = [0, 1], operand_constraints = [#any, #any]}> : (tensor<8x1xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
  %4 = "ttir.subtract"(%arg0, %3, %e2) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
  %5 = "ttir.exp"(%4, %e2) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
  %6 = "ttir.sum"(%5, %e1) <{dim_arg = [-1 : i32], keep_dim = true, operand_constraints = [#any, #any]}> : (tensor<8x16xf32>, tensor<8x1xf32>) -> tensor<8x1xf32>
  %7 = "ttir.div"(%5, %6, %e2) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<8x16xf32>, tensor<8x1xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
  return %7 : tensor<8x16xf32>
}

// What something else reads stays.
// CHECK-LABEL: func.func @read_twice
// CHECK: ttir.sigmoid
// CHECK-NOT: ttir.silu
func.func @read_twice(%arg0: tensor<8x16xf32>) -> (tensor<8x16xf32>, tensor<8x16xf32>) {
  %e = tensor.empty() : tensor<8x16xf32>
  %0 = "ttir.sigmoid"(%arg0, %e) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
  %1 = "ttir.multiply"(%arg0, %0, %e) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
  return %0, %1 : tensor<8x16xf32>, tensor<8x16xf32>
}

// CHECK-LABEL: func.func @silu
// CHECK: "ttir.silu"(%arg0
// CHECK-NEXT: return
func.func @silu(%arg0: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %e = tensor.empty() : tensor<8x16xf32>
  %0 = "ttir.sigmoid"(%arg0, %e) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
  %1 = "ttir.multiply"(%0, %arg0, %e) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
  return %1 : tensor<8x16xf32>
}

// As torch has it: x * 0.5 * (erf(x * 0.7071) + 1).
// CHECK-LABEL: func.func @gelu
// CHECK: "ttir.gelu"(%arg0
// CHECK-NEXT: return
func.func @gelu(%arg0: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %half = "ttir.constant"() <{value = dense<5.000000e-01> : tensor<8x16xf32>}> : () -> tensor<8x16xf32>
  %root = "ttir.constant"() <{value = dense<0.707106769> : tensor<1xf32>}> : () -> tensor<1xf32>
  %one = "ttir.full"() <{fill_value = 1.000000e+00 : f32, shape = array<i32: 8, 16>}> : () -> tensor<8x16xf32>
  %e = tensor.empty() : tensor<8x16xf32>
  %0 = "ttir.multiply"(%arg0, %half, %e) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
  %1 = "ttir.multiply"(%arg0, %root, %e) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<8x16xf32>, tensor<1xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
  %2 = "ttir.erf"(%1, %e) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
  %3 = "ttir.add"(%2, %one, %e) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
  %4 = "ttir.multiply"(%0, %3, %e) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
  return %4 : tensor<8x16xf32>
}

// CHECK-LABEL: func.func @layer_norm
// CHECK: "ttir.layer_norm"(%arg0, %arg1, %arg2, %{{.*}}) <{epsilon = 9.99999974E-6 : f32, normalized_shape = array<i64: 16>
// CHECK-NEXT: return
func.func @layer_norm(%arg0: tensor<8x16xf32>, %arg1: tensor<16xf32>, %arg2: tensor<16xf32>) -> tensor<8x16xf32> {
  %count = "ttir.constant"() <{value = dense<1.600000e+01> : tensor<8x1xf32>}> : () -> tensor<8x1xf32>
  %epsilon = "ttir.constant"() <{value = dense<9.99999974E-6> : tensor<8x1xf32>}> : () -> tensor<8x1xf32>
  %e = tensor.empty() : tensor<8x16xf32>
  %e1 = tensor.empty() : tensor<8x1xf32>
  %0 = "ttir.sum"(%arg0, %e1) <{dim_arg = [1 : i32], keep_dim = true, operand_constraints = [#any, #any]}> : (tensor<8x16xf32>, tensor<8x1xf32>) -> tensor<8x1xf32>
  %1 = "ttir.div"(%0, %count, %e1) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<8x1xf32>, tensor<8x1xf32>, tensor<8x1xf32>) -> tensor<8x1xf32>
  %2 = "ttir.subtract"(%arg0, %1, %e) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<8x16xf32>, tensor<8x1xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
  %3 = "ttir.multiply"(%2, %2, %e) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
  %4 = "ttir.mean"(%3, %e1) <{dim_arg = [1 : i32], keep_dim = true, operand_constraints = [#any, #any]}> : (tensor<8x16xf32>, tensor<8x1xf32>) -> tensor<8x1xf32>
  %5 = "ttir.add"(%4, %epsilon, %e1) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<8x1xf32>, tensor<8x1xf32>, tensor<8x1xf32>) -> tensor<8x1xf32>
  %6 = "ttir.rsqrt"(%5, %e1) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<8x1xf32>, tensor<8x1xf32>) -> tensor<8x1xf32>
  %7 = "ttir.multiply"(%2, %6, %e) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<8x16xf32>, tensor<8x1xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
  %8 = "ttir.multiply"(%7, %arg1, %e) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<8x16xf32>, tensor<16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
  %9 = "ttir.add"(%8, %arg2, %e) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<8x16xf32>, tensor<16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
  return %9 : tensor<8x16xf32>
}

// CHECK-LABEL: func.func @rms_norm
// CHECK: "ttir.rms_norm"(%arg0, %arg1, %{{.*}}) <{epsilon = 9.99999974E-6 : f32, normalized_shape = array<i64: 16>, operandSegmentSizes = array<i32: 1, 1, 0, 1>
// CHECK-NEXT: return
func.func @rms_norm(%arg0: tensor<8x16xf32>, %arg1: tensor<16xf32>) -> tensor<8x16xf32> {
  %epsilon = "ttir.constant"() <{value = dense<9.99999974E-6> : tensor<8x1xf32>}> : () -> tensor<8x1xf32>
  %e = tensor.empty() : tensor<8x16xf32>
  %e1 = tensor.empty() : tensor<8x1xf32>
  %3 = "ttir.multiply"(%arg0, %arg0, %e) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
  %4 = "ttir.mean"(%3, %e1) <{dim_arg = [1 : i32], keep_dim = true, operand_constraints = [#any, #any]}> : (tensor<8x16xf32>, tensor<8x1xf32>) -> tensor<8x1xf32>
  %5 = "ttir.add"(%4, %epsilon, %e1) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<8x1xf32>, tensor<8x1xf32>, tensor<8x1xf32>) -> tensor<8x1xf32>
  %6 = "ttir.sqrt"(%5, %e1) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<8x1xf32>, tensor<8x1xf32>) -> tensor<8x1xf32>
  %7 = "ttir.div"(%arg0, %6, %e) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<8x16xf32>, tensor<8x1xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
  %8 = "ttir.multiply"(%arg1, %7, %e) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<16xf32>, tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
  return %8 : tensor<8x16xf32>
}

// CHECK-LABEL: func.func @attention
// CHECK: "ttir.scaled_dot_product_attention"(%arg0, %arg1, %arg2, %arg3, %{{.*}}) <{is_causal = false, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0, 0, 1>, {{.*}}scale = 2.500000e-01 : f32
// CHECK-NEXT: return
func.func @attention(%arg0: tensor<1x2x8x16xf32>, %arg1: tensor<1x2x24x16xf32>, %arg2: tensor<1x2x24x16xf32>, %arg3: tensor<1x1x8x24xf32>) -> tensor<1x2x8x16xf32> {
  %scale = "ttir.constant"() <{value = dense<4.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %e0 = tensor.empty() : tensor<1x2x16x24xf32>
  %0 = "ttir.transpose"(%arg1, %e0) <{dim0 = -1 : si32, dim1 = -2 : si32, operand_constraints = [#any, #any]}> : (tensor<1x2x24x16xf32>, tensor<1x2x16x24xf32>) -> tensor<1x2x16x24xf32>
  %e = tensor.empty() : tensor<1x2x8x24xf32>
  %1 = "ttir.matmul"(%arg0, %0, %e) <{operand_constraints = [#any, #any, #any]}> : (tensor<1x2x8x16xf32>, tensor<1x2x16x24xf32>, tensor<1x2x8x24xf32>) -> tensor<1x2x8x24xf32>
  %2 = "ttir.div"(%1, %scale, %e) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<1x2x8x24xf32>, tensor<1xf32>, tensor<1x2x8x24xf32>) -> tensor<1x2x8x24xf32>
  %3 = "ttir.add"(%2, %arg3, %e) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<1x2x8x24xf32>, tensor<1x1x8x24xf32>, tensor<1x2x8x24xf32>) -> tensor<1x2x8x24xf32>
  %4 = "ttir.softmax"(%3, %e) <{dimension = -1 : si32, operand_constraints = [#any, #any]}> : (tensor<1x2x8x24xf32>, tensor<1x2x8x24xf32>) -> tensor<1x2x8x24xf32>
  %e5 = tensor.empty() : tensor<1x2x8x16xf32>
  %5 = "ttir.matmul"(%4, %arg2, %e5) <{operand_constraints = [#any, #any, #any]}> : (tensor<1x2x8x24xf32>, tensor<1x2x24x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x2x8x16xf32>
  return %5 : tensor<1x2x8x16xf32>
}

// The form with tanh is another function.
// CHECK-LABEL: func.func @tanh
// CHECK: ttir.tanh
// CHECK-NOT: ttir.gelu
func.func @tanh(%arg0: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %half = "ttir.constant"() <{value = dense<5.000000e-01> : tensor<1xf32>}> : () -> tensor<1xf32>
  %one = "ttir.constant"() <{value = dense<1.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %e = tensor.empty() : tensor<8x16xf32>
  %0 = "ttir.multiply"(%arg0, %half, %e) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<8x16xf32>, tensor<1xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
  %1 = "ttir.tanh"(%arg0, %e) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
  %2 = "ttir.add"(%1, %one, %e) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<8x16xf32>, tensor<1xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
  %3 = "ttir.multiply"(%0, %2, %e) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
  return %3 : tensor<8x16xf32>
}

// An op that nobody reads may read its own destination.
// CHECK-LABEL: func.func @unread
// CHECK-NEXT: return %arg0
func.func @unread(%arg0: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %e = tensor.empty() : tensor<8x16xf32>
  %0 = "ttir.add"(%e, %e, %e) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
  return %arg0 : tensor<8x16xf32>
}

// RUN: ttmlir-opt %s --canonicalize | FileCheck %s
// Elements of small constants are moved by the compiler.
#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
// CHECK-LABEL: func.func @reshape(
// CHECK-NEXT: %[[C:.*]] = "ttir.constant"() <{value = dense<{{\[\[}}1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00], [5.000000e+00, 6.000000e+00{{\]\]}}> : tensor<3x2xf32>}>
// CHECK-NEXT: return %[[C]]
func.func @reshape() -> tensor<3x2xf32> {
  %0 = "ttir.constant"() <{value = dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
  %1 = tensor.empty() : tensor<3x2xf32>
  %2 = "ttir.reshape"(%0, %1) <{shape = [3 : i32, 2 : i32], operand_constraints = [#any, #any]}> : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  return %2 : tensor<3x2xf32>
}
// CHECK-LABEL: func.func @squeeze(
// CHECK-NEXT: %[[C:.*]] = "ttir.constant"() <{value = dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>}>
// CHECK-NEXT: return %[[C]]
func.func @squeeze() -> tensor<2xf32> {
  %0 = "ttir.constant"() <{value = dense<[[1.0], [2.0]]> : tensor<2x1xf32>}> : () -> tensor<2x1xf32>
  %1 = tensor.empty() : tensor<2xf32>
  %2 = "ttir.squeeze"(%0, %1) <{dim = 1 : si32, operand_constraints = [#any, #any]}> : (tensor<2x1xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %2 : tensor<2xf32>
}
// CHECK-LABEL: func.func @transpose(
// CHECK-NEXT: %[[C:.*]] = "ttir.constant"() <{value = dense<{{\[\[}}1.000000e+00, 4.000000e+00], [2.000000e+00, 5.000000e+00], [3.000000e+00, 6.000000e+00{{\]\]}}> : tensor<3x2xf32>}>
// CHECK-NEXT: return %[[C]]
func.func @transpose() -> tensor<3x2xf32> {
  %0 = "ttir.constant"() <{value = dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
  %1 = tensor.empty() : tensor<3x2xf32>
  %2 = "ttir.transpose"(%0, %1) <{dim0 = 0 : si32, dim1 = 1 : si32, operand_constraints = [#any, #any]}> : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  return %2 : tensor<3x2xf32>
}
// CHECK-LABEL: func.func @permute(
// CHECK-NEXT: %[[C:.*]] = "ttir.constant"() <{value = dense<{{\[\[}}[1, 3{{\]\]}}, {{\[\[}}2, 4{{\]\]}}]> : tensor<2x1x2xi32>}>
// CHECK-NEXT: return %[[C]]
func.func @permute() -> tensor<2x1x2xi32> {
  %0 = "ttir.constant"() <{value = dense<[[[1], [2]], [[3], [4]]]> : tensor<2x2x1xi32>}> : () -> tensor<2x2x1xi32>
  %1 = tensor.empty() : tensor<2x1x2xi32>
  %2 = "ttir.permute"(%0, %1) <{permutation = array<i64: 1, 2, 0>, operand_constraints = [#any, #any]}> : (tensor<2x2x1xi32>, tensor<2x1x2xi32>) -> tensor<2x1x2xi32>
  return %2 : tensor<2x1x2xi32>
}
// CHECK-LABEL: func.func @broadcast(
// CHECK-NEXT: %[[C:.*]] = "ttir.constant"() <{value = dense<{{\[\[}}1.000000e+00, 1.000000e+00], [2.000000e+00, 2.000000e+00{{\]\]}}> : tensor<2x2xf32>}>
// CHECK-NEXT: return %[[C]]
func.func @broadcast() -> tensor<2x2xf32> {
  %0 = "ttir.constant"() <{value = dense<[[1.0], [2.0]]> : tensor<2x1xf32>}> : () -> tensor<2x1xf32>
  %1 = tensor.empty() : tensor<2x2xf32>
  %2 = "ttir.broadcast"(%0, %1) <{dimension = [0, 1], operand_constraints = [#any, #any]}> : (tensor<2x1xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  return %2 : tensor<2x2xf32>
}
// `dimension` counts where NumPy's rules would give other numbers.
// CHECK-LABEL: func.func @broadcast_along(
// CHECK-NEXT: %[[C:.*]] = "ttir.constant"() <{value = dense<{{\[\[}}1.000000e+00, 1.000000e+00], [2.000000e+00, 2.000000e+00{{\]\]}}> : tensor<2x2xf32>}>
// CHECK-NEXT: return %[[C]]
func.func @broadcast_along() -> tensor<2x2xf32> {
  %0 = "ttir.constant"() <{value = dense<[1.0, 2.0]> : tensor<2xf32>}> : () -> tensor<2xf32>
  %1 = tensor.empty() : tensor<2x2xf32>
  %2 = "ttir.broadcast"(%0, %1) <{dimension = [0], operand_constraints = [#any, #any]}> : (tensor<2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  return %2 : tensor<2x2xf32>
}
// CHECK-LABEL: func.func @broadcast_of_splat(
// CHECK-NEXT: %[[C:.*]] = "ttir.constant"() <{value = dense<2.000000e+00> : tensor<640x1280xf32>}>
// CHECK-NEXT: return %[[C]]
func.func @broadcast_of_splat() -> tensor<640x1280xf32> {
  %0 = "ttir.constant"() <{value = dense<2.0> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
  %1 = tensor.empty() : tensor<640x1280xf32>
  %2 = "ttir.broadcast"(%0, %1) <{dimension = [0, 1], operand_constraints = [#any, #any]}> : (tensor<1x1xf32>, tensor<640x1280xf32>) -> tensor<640x1280xf32>
  return %2 : tensor<640x1280xf32>
}
// CHECK-LABEL: func.func @slice(
// CHECK-NEXT: %[[C:.*]] = "ttir.constant"() <{value = dense<{{\[\[}}4.000000e+00, 6.000000e+00{{\]\]}}> : tensor<1x2xf32>}>
// CHECK-NEXT: return %[[C]]
func.func @slice() -> tensor<1x2xf32> {
  %0 = "ttir.constant"() <{value = dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
  %1 = tensor.empty() : tensor<1x2xf32>
  %2 = "ttir.slice"(%0, %1) <{begins = [1 : i32, 0 : i32], ends = [2 : i32, 3 : i32], step = [1 : i32, 2 : i32], operand_constraints = [#any, #any]}> : (tensor<2x3xf32>, tensor<1x2xf32>) -> tensor<1x2xf32>
  return %2 : tensor<1x2xf32>
}
// Begins that count from the end.
// CHECK-LABEL: func.func @slice_from_the_end(
// CHECK-NEXT: %[[C:.*]] = "ttir.constant"() <{value = dense<{{\[\[}}5.000000e+00, 6.000000e+00{{\]\]}}> : tensor<1x2xf32>}>
// CHECK-NEXT: return %[[C]]
func.func @slice_from_the_end() -> tensor<1x2xf32> {
  %0 = "ttir.constant"() <{value = dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
  %1 = tensor.empty() : tensor<1x2xf32>
  %2 = "ttir.slice"(%0, %1) <{begins = [-1 : i32, -2 : i32], ends = [2 : i32, 3 : i32], step = [1 : i32, 1 : i32], operand_constraints = [#any, #any]}> : (tensor<2x3xf32>, tensor<1x2xf32>) -> tensor<1x2xf32>
  return %2 : tensor<1x2xf32>
}
// CHECK-LABEL: func.func @typecast(
// CHECK-NEXT: %[[C:.*]] = "ttir.constant"() <{value = dense<[1.500000e+00, -2.000000e+00]> : tensor<2xbf16>}>
// CHECK-NEXT: return %[[C]]
func.func @typecast() -> tensor<2xbf16> {
  %0 = "ttir.constant"() <{value = dense<[1.5, -2.0]> : tensor<2xf32>}> : () -> tensor<2xf32>
  %1 = tensor.empty() : tensor<2xbf16>
  %2 = "ttir.typecast"(%0, %1) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<2xf32>, tensor<2xbf16>) -> tensor<2xbf16>
  return %2 : tensor<2xbf16>
}
// CHECK-LABEL: func.func @typecast_to_integer(
// CHECK-NEXT: %[[C:.*]] = "ttir.constant"() <{value = dense<[1, 2]> : tensor<2xi32>}>
// CHECK-NEXT: return %[[C]]
func.func @typecast_to_integer() -> tensor<2xi32> {
  %0 = "ttir.constant"() <{value = dense<[1.0, 2.0]> : tensor<2xf32>}> : () -> tensor<2xf32>
  %1 = tensor.empty() : tensor<2xi32>
  %2 = "ttir.typecast"(%0, %1) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<2xf32>, tensor<2xi32>) -> tensor<2xi32>
  return %2 : tensor<2xi32>
}
// How it rounds is the machine's business.
// CHECK-LABEL: func.func @typecast_that_rounds(
// CHECK: "ttir.typecast"
func.func @typecast_that_rounds() -> tensor<2xbf16> {
  %0 = "ttir.constant"() <{value = dense<[1.5, 0.1]> : tensor<2xf32>}> : () -> tensor<2xf32>
  %1 = tensor.empty() : tensor<2xbf16>
  %2 = "ttir.typecast"(%0, %1) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<2xf32>, tensor<2xbf16>) -> tensor<2xbf16>
  return %2 : tensor<2xbf16>
}

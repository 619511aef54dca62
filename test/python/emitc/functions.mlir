// Functions that are no single op: what constants, layouts and results become.
func.func @zero_elements() -> tensor<40x70xf32> {
  %0 = "ttir.constant"() <{value = dense<0.0> : tensor<40x70xf32>}> : () -> tensor<40x70xf32>
  return %0 : tensor<40x70xf32>
}
func.func @special(%a: tensor<40x70xf32>) -> (tensor<40x70xf32>, tensor<40x70xf32>) {
  %nan = "ttir.constant"() <{value = dense<0x7FC00000> : tensor<40x70xf32>}> : () -> tensor<40x70xf32>
  %tiny = "ttir.constant"() <{value = dense<0x00000001> : tensor<40x70xf32>}> : () -> tensor<40x70xf32>
  %0 = tensor.empty() : tensor<40x70xf32>
  %1 = "ttir.add"(%a, %nan, %0) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<40x70xf32>, tensor<40x70xf32>, tensor<40x70xf32>) -> tensor<40x70xf32>
  %2 = tensor.empty() : tensor<40x70xf32>
  %3 = "ttir.maximum"(%a, %tiny, %2) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<40x70xf32>, tensor<40x70xf32>, tensor<40x70xf32>) -> tensor<40x70xf32>
  return %1, %3 : tensor<40x70xf32>, tensor<40x70xf32>
}
func.func @arange() -> tensor<3x40xf32> {
  %0 = "ttir.arange"() <{arange_dimension = 1 : i64, end = 40 : si64, start = -40 : si64, step = 2 : si64}> : () -> tensor<3x40xf32>
  return %0 : tensor<3x40xf32>
}
func.func @full() -> tensor<40x70xbf16> {
  %0 = "ttir.full"() <{fill_value = 0.1 : f32, shape = array<i32: 40, 70>}> : () -> tensor<40x70xbf16>
  return %0 : tensor<40x70xbf16>
}
func.func @constants() -> (tensor<2x3xf32>, tensor<3xbf16>, tensor<2x2xi32>, tensor<2xsi32>) {
  %0 = "ttir.constant"() <{value = dense<[[0.1, 0x7FC01234, 0xFF800000], [-0.0, 1.0e-42, 3.4e38]]> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
  %1 = "ttir.constant"() <{value = dense<[0.1, -2.5, 1.0e30]> : tensor<3xbf16>}> : () -> tensor<3xbf16>
  %2 = "ttir.constant"() <{value = dense<[[0, -1], [7, 2147483647]]> : tensor<2x2xi32>}> : () -> tensor<2x2xi32>
  %3 = "ttir.constant"() <{value = dense<[-2147483648, 5]> : tensor<2xsi32>}> : () -> tensor<2xsi32>
  return %0, %1, %2, %3 : tensor<2x3xf32>, tensor<3xbf16>, tensor<2x2xi32>, tensor<2xsi32>
}
func.func @constant_operand(%a: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %c = "ttir.constant"() <{value = dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
  %0 = tensor.empty() : tensor<2x3xf32>
  %1 = "ttir.multiply"(%a, %c, %0) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return %1 : tensor<2x3xf32>
}
func.func @main(%a: tensor<40x70xf32>) -> tensor<40x70xf32> {
  return %a : tensor<40x70xf32>
}

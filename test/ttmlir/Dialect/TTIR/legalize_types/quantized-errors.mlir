// RUN: ttmlir-opt --ttir-legalize-types --split-input-file --verify-diagnostics %s
// What quantized tensors cannot do.
#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
!a = !quant.uniform<i8:f32, 0.5:3>
!b = !quant.uniform<i8:f32, 0.25:3>
!rows = !quant.uniform<i8:f32:0, {0.5, 0.25}>

func.func @arithmetic(%x: tensor<2x!a>) -> tensor<2x!a> {
  %0 = tensor.empty() : tensor<2x!a>
  // expected-error @below {{'ttir.add' op does not compute with quantized tensors; expected quantize, dequantize, requantize, matmul, linear, conv2d or an op that moves elements}}
  %1 = "ttir.add"(%x, %x, %0) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<2x!a>, tensor<2x!a>, tensor<2x!a>) -> tensor<2x!a>
  return %1 : tensor<2x!a>
}

func.func @two_scales(%x: tensor<2x!a>, %y: tensor<2x!b>) -> tensor<4x!a> {
  %0 = tensor.empty() : tensor<4x!a>
  // expected-error @below {{'ttir.concat' op moves quantized elements as they are; expected one scale and zero point, or a requantize}}
  %1 = "ttir.concat"(%x, %y, %0) <{dim = 0 : si32, operand_constraints = [#any, #any, #any]}> : (tensor<2x!a>, tensor<2x!b>, tensor<4x!a>) -> tensor<4x!a>
  return %1 : tensor<4x!a>
}

func.func @rows(%x: tensor<2x2x!a>, %w: tensor<2x2x!rows>) -> tensor<2x2xsi32> {
  %0 = tensor.empty() : tensor<2x2xsi32>
  // expected-error @below {{'ttir.matmul' op expected a first operand that is quantized per tensor, and a second one per tensor or along dimension 1}}
  %1 = "ttir.matmul"(%x, %w, %0) <{operand_constraints = [#any, #any, #any]}> : (tensor<2x2x!a>, tensor<2x2x!rows>, tensor<2x2xsi32>) -> tensor<2x2xsi32>
  return %1 : tensor<2x2xsi32>
}

!columns = !quant.uniform<i8:f32:1, {0.5, 0.25}>
func.func @transpose_axis(%x: tensor<2x2x!rows>) -> tensor<2x2x!rows> {
  %0 = tensor.empty() : tensor<2x2x!rows>
  // expected-error @below {{'ttir.transpose' op does not leave elements at their places along the quantized dimension; expected a tensor that is quantized per tensor, or an op that leaves that dimension as it is}}
  %1 = "ttir.transpose"(%x, %0) <{dim0 = 0 : si32, dim1 = 1 : si32, operand_constraints = [#any, #any]}> : (tensor<2x2x!rows>, tensor<2x2x!rows>) -> tensor<2x2x!rows>
  return %1 : tensor<2x2x!rows>
}

func.func @reverse_axis(%x: tensor<2x2x!rows>) -> tensor<2x2x!rows> {
  %0 = tensor.empty() : tensor<2x2x!rows>
  // expected-error @below {{'ttir.reverse' op does not leave elements at their places along the quantized dimension}}
  %1 = "ttir.reverse"(%x, %0) <{dimensions = array<i64: 0>, operand_constraints = [#any, #any]}> : (tensor<2x2x!rows>, tensor<2x2x!rows>) -> tensor<2x2x!rows>
  return %1 : tensor<2x2x!rows>
}

func.func @max_axis(%x: tensor<2x2x!rows>) -> tensor<2x!rows> {
  %0 = tensor.empty() : tensor<2x!rows>
  // expected-error @below {{'ttir.max' op does not leave elements at their places along the quantized dimension}}
  %1 = "ttir.max"(%x, %0) <{keep_dim = false, dim_arg = [0 : i32], operand_constraints = [#any, #any]}> : (tensor<2x2x!rows>, tensor<2x!rows>) -> tensor<2x!rows>
  return %1 : tensor<2x!rows>
}

!third = !quant.uniform<i32:f32, 0.125:1>
func.func @bias_scale(%x: tensor<2x2x!a>, %w: tensor<2x2x!b>, %b: tensor<2x!b>) -> tensor<2x2xsi32> {
  %0 = tensor.empty() : tensor<2x2xsi32>
  // expected-error @below {{'ttir.linear' op adds a bias to products; expected si32, or a quantized one with the scales of the products and zero point 0, found 'tensor<2x!quant.uniform<i8:f32, 2.500000e-01:3>>'}}
  %1 = "ttir.linear"(%x, %w, %b, %0) <{operandSegmentSizes = array<i32: 1, 1, 1, 1>, operand_constraints = [#any, #any, #any, #any]}> : (tensor<2x2x!a>, tensor<2x2x!b>, tensor<2x!b>, tensor<2x2xsi32>) -> tensor<2x2xsi32>
  return %1 : tensor<2x2xsi32>
}

func.func @bias_zero(%x: tensor<2x2x!a>, %w: tensor<2x2x!b>, %b: tensor<2x!third>) -> tensor<2x2xsi32> {
  %0 = tensor.empty() : tensor<2x2xsi32>
  // expected-error @below {{'ttir.linear' op adds a bias to products}}
  %1 = "ttir.linear"(%x, %w, %b, %0) <{operandSegmentSizes = array<i32: 1, 1, 1, 1>, operand_constraints = [#any, #any, #any, #any]}> : (tensor<2x2x!a>, tensor<2x2x!b>, tensor<2x!third>, tensor<2x2xsi32>) -> tensor<2x2xsi32>
  return %1 : tensor<2x2xsi32>
}

func.func @wide_zero(%x: tensor<2xf32>) -> tensor<2x!third> {
  %0 = tensor.empty() : tensor<2x!third>
  // expected-error @below {{'ttir.quantize' op has numbers of 32 bits with a zero point; expected zero point 0, or a storage of 8 or 16 bits}}
  %1 = "ttir.quantize"(%x, %0) <{operand_constraints = [#any, #any]}> : (tensor<2xf32>, tensor<2x!third>) -> tensor<2x!third>
  return %1 : tensor<2x!third>
}

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

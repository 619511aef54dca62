// RUN: ttmlir-opt %s -split-input-file -verify-diagnostics
// One case for each rule of ttir.transpose and ttir.broadcast.
#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
func.func @transpose_rank(%a: tensor<64xf32>) {
  %0 = tensor.empty() : tensor<64xf32>
  // expected-error @+1 {{'ttir.transpose' op Input must be at least a 2D tensor}}
  %1 = "ttir.transpose"(%a, %0) <{dim0 = 0 : si32, dim1 = 0 : si32, operand_constraints = [#any, #any]}> : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
  return
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
func.func @transpose_ranks(%a: tensor<64x128xf32>) {
  %0 = tensor.empty() : tensor<1x128x64xf32>
  // expected-error @+1 {{Input must have the same rank as output}}
  %1 = "ttir.transpose"(%a, %0) <{dim0 = 0 : si32, dim1 = 1 : si32, operand_constraints = [#any, #any]}> : (tensor<64x128xf32>, tensor<1x128x64xf32>) -> tensor<1x128x64xf32>
  return
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
func.func @transpose_dim0(%a: tensor<64x128xf32>) {
  %0 = tensor.empty() : tensor<128x64xf32>
  // expected-error @+1 {{Dimension 0 attribute must be within the bounds of the input tensor}}
  %1 = "ttir.transpose"(%a, %0) <{dim0 = 2 : si32, dim1 = 1 : si32, operand_constraints = [#any, #any]}> : (tensor<64x128xf32>, tensor<128x64xf32>) -> tensor<128x64xf32>
  return
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
func.func @transpose_dim1(%a: tensor<64x128xf32>) {
  %0 = tensor.empty() : tensor<128x64xf32>
  // expected-error @+1 {{Dimension 1 attribute must be within the bounds of the input tensor: expected a dimension in [-2, 2), found -3}}
  %1 = "ttir.transpose"(%a, %0) <{dim0 = 0 : si32, dim1 = -3 : si32, operand_constraints = [#any, #any]}> : (tensor<64x128xf32>, tensor<128x64xf32>) -> tensor<128x64xf32>
  return
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
func.func @transpose_shape(%a: tensor<64x128xf32>) {
  %0 = tensor.empty() : tensor<64x128xf32>
  // expected-error @+1 {{Input-output transpose dimension mismatch. Expected output 128x64, found 64x128}}
  %1 = "ttir.transpose"(%a, %0) <{dim0 = 0 : si32, dim1 = 1 : si32, operand_constraints = [#any, #any]}> : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  return
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
func.func @broadcast_shape(%a: tensor<3x128xf32>) {
  %0 = tensor.empty() : tensor<64x128xf32>
  // expected-error @+1 {{'ttir.broadcast' op Input must be broadcastable to the output: input is 3x128, output is 64x128}}
  %1 = "ttir.broadcast"(%a, %0) <{dimension = [0, 1], operand_constraints = [#any, #any]}> : (tensor<3x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  return
}

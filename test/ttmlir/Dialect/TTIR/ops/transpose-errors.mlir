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
func.func @broadcast_c2_extents(%a: tensor<3x128xf32>) {
  %0 = tensor.empty() : tensor<64x128xf32>
  // expected-error @+1 {{'ttir.broadcast' op (C2) Input must be broadcastable to the output: input is 3x128, output is 64x128, expected an extent of 1 or 64 for dimension 0, found 3}}
  %1 = "ttir.broadcast"(%a, %0) <{dimension = [0, 1], operand_constraints = [#any, #any]}> : (tensor<3x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  return
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
func.func @broadcast_c1_count(%a: tensor<1x128xf32>) {
  %0 = tensor.empty() : tensor<64x128xf32>
  // expected-error @+1 {{'ttir.broadcast' op (C1) dimension must name a dimension of the output for each of the input's, in ascending order: expected 2 in [0, 2), found [1]}}
  %1 = "ttir.broadcast"(%a, %0) <{dimension = [1], operand_constraints = [#any, #any]}> : (tensor<1x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  return
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
func.func @broadcast_c1_order(%a: tensor<64x64xf32>) {
  %0 = tensor.empty() : tensor<64x64xf32>
  // expected-error @+1 {{'ttir.broadcast' op (C1) dimension must name a dimension of the output for each of the input's, in ascending order: expected 2 in [0, 2), found [1, 0]}}
  %1 = "ttir.broadcast"(%a, %0) <{dimension = [1, 0], operand_constraints = [#any, #any]}> : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  return
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
func.func @broadcast_c1_twice(%a: tensor<64x64xf32>) {
  %0 = tensor.empty() : tensor<64x64xf32>
  // expected-error @+1 {{'ttir.broadcast' op (C1) dimension must name a dimension of the output for each of the input's, in ascending order: expected 2 in [0, 2), found [0, 0]}}
  %1 = "ttir.broadcast"(%a, %0) <{dimension = [0, 0], operand_constraints = [#any, #any]}> : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  return
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
func.func @broadcast_c1_bounds(%a: tensor<64xf32>) {
  %0 = tensor.empty() : tensor<64x64xf32>
  // expected-error @+1 {{'ttir.broadcast' op (C1) dimension must name a dimension of the output for each of the input's, in ascending order: expected 1 in [0, 2), found [2]}}
  %1 = "ttir.broadcast"(%a, %0) <{dimension = [2], operand_constraints = [#any, #any]}> : (tensor<64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  return
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
func.func @broadcast_c1_negative(%a: tensor<64xf32>) {
  %0 = tensor.empty() : tensor<64x64xf32>
  // expected-error @+1 {{'ttir.broadcast' op (C1) dimension must name a dimension of the output for each of the input's, in ascending order: expected 1 in [0, 2), found [-1]}}
  %1 = "ttir.broadcast"(%a, %0) <{dimension = [-1], operand_constraints = [#any, #any]}> : (tensor<64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  return
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
// What NumPy's rules allow, but not along the rows.
func.func @broadcast_c2_named(%a: tensor<128xf32>) {
  %0 = tensor.empty() : tensor<64x128xf32>
  // expected-error @+1 {{(C2) Input must be broadcastable to the output: input is 128, output is 64x128, expected an extent of 1 or 64 for dimension 0, found 128}}
  %1 = "ttir.broadcast"(%a, %0) <{dimension = [0], operand_constraints = [#any, #any]}> : (tensor<128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  return
}

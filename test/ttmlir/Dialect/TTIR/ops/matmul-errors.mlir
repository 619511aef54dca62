// RUN: ttmlir-opt %s -split-input-file -verify-diagnostics
// One case for each rule of ttir.matmul.
#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
func.func @a_rank(%a: tensor<128xf32>, %b: tensor<128x96xf32>) {
  %0 = tensor.empty() : tensor<64x96xf32>
  // expected-error @+1 {{'ttir.matmul' op Input A must be at least a 2D tensor: found rank 1}}
  %1 = "ttir.matmul"(%a, %b, %0) <{operand_constraints = [#any, #any, #any]}> : (tensor<128xf32>, tensor<128x96xf32>, tensor<64x96xf32>) -> tensor<64x96xf32>
  return
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
func.func @b_rank(%a: tensor<64x128xf32>, %b: tensor<128xf32>) {
  %0 = tensor.empty() : tensor<64x96xf32>
  // expected-error @+1 {{Input B must be at least a 2D tensor}}
  %1 = "ttir.matmul"(%a, %b, %0) <{operand_constraints = [#any, #any, #any]}> : (tensor<64x128xf32>, tensor<128xf32>, tensor<64x96xf32>) -> tensor<64x96xf32>
  return
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
func.func @ranks(%a: tensor<1x64x128xf32>, %b: tensor<128x96xf32>) {
  %0 = tensor.empty() : tensor<64x96xf32>
  // expected-error @+1 {{Input A and B must have the same rank}}
  %1 = "ttir.matmul"(%a, %b, %0) <{operand_constraints = [#any, #any, #any]}> : (tensor<1x64x128xf32>, tensor<128x96xf32>, tensor<64x96xf32>) -> tensor<64x96xf32>
  return
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
func.func @out_rank(%a: tensor<64x128xf32>, %b: tensor<128x96xf32>) {
  %0 = tensor.empty() : tensor<1x64x96xf32>
  // expected-error @+1 {{Input A and B must have the same rank as the output}}
  %1 = "ttir.matmul"(%a, %b, %0) <{operand_constraints = [#any, #any, #any]}> : (tensor<64x128xf32>, tensor<128x96xf32>, tensor<1x64x96xf32>) -> tensor<1x64x96xf32>
  return
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
func.func @inner(%a: tensor<64x128xf32>, %b: tensor<96x32xf32>) {
  %0 = tensor.empty() : tensor<64x32xf32>
  // expected-error @+1 {{Input A and B must have matching inner dimensions: a is 64x128, b is 96x32, expected b to have 128 rows}}
  %1 = "ttir.matmul"(%a, %b, %0) <{operand_constraints = [#any, #any, #any]}> : (tensor<64x128xf32>, tensor<96x32xf32>, tensor<64x32xf32>) -> tensor<64x32xf32>
  return
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
func.func @rows(%a: tensor<64x128xf32>, %b: tensor<128x96xf32>) {
  %0 = tensor.empty() : tensor<32x96xf32>
  // expected-error @+1 {{Output must have the same number of rows as input A: expected 64, found 32}}
  %1 = "ttir.matmul"(%a, %b, %0) <{operand_constraints = [#any, #any, #any]}> : (tensor<64x128xf32>, tensor<128x96xf32>, tensor<32x96xf32>) -> tensor<32x96xf32>
  return
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
func.func @columns(%a: tensor<64x128xf32>, %b: tensor<128x96xf32>) {
  %0 = tensor.empty() : tensor<64x64xf32>
  // expected-error @+1 {{Output must have the same number of columns as input B: expected 96, found 64}}
  %1 = "ttir.matmul"(%a, %b, %0) <{operand_constraints = [#any, #any, #any]}> : (tensor<64x128xf32>, tensor<128x96xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  return
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
func.func @batches(%a: tensor<2x64x128xf32>, %b: tensor<3x128x96xf32>) {
  %0 = tensor.empty() : tensor<2x64x96xf32>
  // expected-error @+1 {{Batch dimensions of input A and B must be broadcast compatible: found 2 and 3}}
  %1 = "ttir.matmul"(%a, %b, %0) <{operand_constraints = [#any, #any, #any]}> : (tensor<2x64x128xf32>, tensor<3x128x96xf32>, tensor<2x64x96xf32>) -> tensor<2x64x96xf32>
  return
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
func.func @out_batch(%a: tensor<2x64x128xf32>, %b: tensor<2x128x96xf32>) {
  %0 = tensor.empty() : tensor<1x64x96xf32>
  // expected-error @+1 {{Output must have the batch dimensions of input A and B: expected 2, found 1}}
  %1 = "ttir.matmul"(%a, %b, %0) <{operand_constraints = [#any, #any, #any]}> : (tensor<2x64x128xf32>, tensor<2x128x96xf32>, tensor<1x64x96xf32>) -> tensor<1x64x96xf32>
  return
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
func.func @kinds(%a: tensor<64x128xf32>, %b: tensor<128x96xsi32>) {
  %0 = tensor.empty() : tensor<64x96xf32>
  // expected-error @+1 {{'ttir.matmul' op expected all tensors to be of floats or all of integers, as they are stored: found 'tensor<128x96xsi32>' and the output 'tensor<64x96xf32>'}}
  %1 = "ttir.matmul"(%a, %b, %0) <{operand_constraints = [#any, #any, #any]}> : (tensor<64x128xf32>, tensor<128x96xsi32>, tensor<64x96xf32>) -> tensor<64x96xf32>
  return
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
#blocks = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<4x3x!tt.tile<32x32, bfp_bf8>, #tt.memory_space<dram>>, interleaved>
func.func @stored_kinds(%a: tensor<64x128xsi32>, %b: tensor<128x96xsi32, #blocks>) {
  %0 = tensor.empty() : tensor<64x96xsi32>
  // expected-error @+1 {{expected all tensors to be of floats or all of integers, as they are stored: found 'tensor<128x96xsi32, #tt.layout<}}
  %1 = "ttir.matmul"(%a, %b, %0) <{operand_constraints = [#any, #any, #any]}> : (tensor<64x128xsi32>, tensor<128x96xsi32, #blocks>, tensor<64x96xsi32>) -> tensor<64x96xsi32>
  return
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
func.func @bias_kind(%a: tensor<64x128xf32>, %b: tensor<128x96xf32>, %c: tensor<1x96xsi32>) {
  %0 = tensor.empty() : tensor<64x96xf32>
  // expected-error @+1 {{'ttir.linear' op expected all tensors to be of floats or all of integers, as they are stored: found 'tensor<1x96xsi32>'}}
  %1 = "ttir.linear"(%a, %b, %c, %0) <{operand_constraints = [#any, #any, #any, #any]}> : (tensor<64x128xf32>, tensor<128x96xf32>, tensor<1x96xsi32>, tensor<64x96xf32>) -> tensor<64x96xf32>
  return
}

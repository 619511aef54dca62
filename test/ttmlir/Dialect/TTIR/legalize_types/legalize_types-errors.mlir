// RUN: ttmlir-opt --ttir-legalize-types --split-input-file --verify-diagnostics %s
// All that is not supported is said, each with its place.
#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>

// expected-error @below {{'func.func' op has argument 0, 'tensor<4xi7>'; expected elements of i1, integers of 2, 4, 8, 16, 32 and 64 bits, floats of 4 to 8 bits, f16, bf16, f32, f64, and !quant.uniform}}
// expected-error @below {{'func.func' op has result 0, 'tensor<4xi7>'; expected elements of}}
func.func @element(%x: tensor<4xi7>) -> tensor<4xi7> {
  return %x : tensor<4xi7>
}

func.func @no_meaning(%x: tensor<4xi1>) -> (tensor<4xi1>, tensor<4xi1>) {
  %0 = tensor.empty() : tensor<4xi1>
  // expected-error @below {{'ttir.exp' op has no meaning on i1; expected add (or), multiply (and)}}
  %1 = "ttir.exp"(%x, %0) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  // expected-error @below {{'ttir.cumsum' op computes numbers and gives i1; expected a comparison or a typecast}}
  %2 = "ttir.cumsum"(%x, %0) <{dim = 0 : i64, operand_constraints = [#any, #any]}> : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  return %1, %2 : tensor<4xi1>, tensor<4xi1>
}

func.func @between_pixels(%x: tensor<1x2x2x1xi1>) -> tensor<1x4x4x1xi1> {
  %0 = tensor.empty() : tensor<1x4x4x1xi1>
  // expected-error @below {{'ttir.upsample' op computes numbers and gives i1}}
  %1 = "ttir.upsample"(%x, %0) <{mode = "bilinear", scale_factor = array<i32: 2, 2>, operand_constraints = [#any, #any]}> : (tensor<1x2x2x1xi1>, tensor<1x4x4x1xi1>) -> tensor<1x4x4x1xi1>
  return %1 : tensor<1x4x4x1xi1>
}

func.func @nothing(%x: tensor<0x3xf32>) -> tensor<3xi32> {
  %0 = tensor.empty() : tensor<3xi32>
  // expected-error @below {{'ttir.argmax' op computes elements of a tensor that has none, 'tensor<0x3xf32>'; expected one, or an op that has a result for it}}
  %1 = "ttir.argmax"(%x, %0) <{dim_arg = [0 : i32], keep_dim = false, operand_constraints = [#any, #any]}> : (tensor<0x3xf32>, tensor<3xi32>) -> tensor<3xi32>
  return %1 : tensor<3xi32>
}

// -----

func.func @constants() -> (tensor<2x2xsi64>, tensor<2xi64>) {
  // expected-error @below {{'ttir.constant' op has an element that does not fit: expected -2147483648 to 2147483647, si64 is computed in 32 bits, found 2147483648 at [1, 0]}}
  %0 = "ttir.constant"() <{value = dense<[[1, 2], [2147483648, 3]]> : tensor<2x2xsi64>}> : () -> tensor<2x2xsi64>
  // expected-error @below {{found 18446744073709551615 at [0]}}
  %1 = "ttir.constant"() <{value = dense<-1> : tensor<2xi64>}> : () -> tensor<2xi64>
  return %0, %1 : tensor<2x2xsi64>, tensor<2xi64>
}

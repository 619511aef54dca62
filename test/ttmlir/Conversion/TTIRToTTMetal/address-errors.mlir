// RUN: ttmlir-opt --ttir-load-system-desc --ttir-implicit-device --convert-ttir-to-ttmetal --split-input-file --verify-diagnostics %s
// What the passes before the conversion have to do.

func.func @no_layout(%arg0: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // expected-error @+1 {{expected tensors with a 'tt.layout' encoding, found 'tensor<4x4xf32>'; run --ttir-layout first}}
  return %arg0 : tensor<4x4xf32>
}

// -----

#a = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<4x4xf32, #tt.memory_space<l1>>>
func.func @no_address(%arg0: tensor<4x4xf32, #a>) -> tensor<4x4xf32, #a> {
  // expected-error @+1 {{expected a tensor that has an address, found none for a value of type}}
  return %arg0 : tensor<4x4xf32, #a>
}

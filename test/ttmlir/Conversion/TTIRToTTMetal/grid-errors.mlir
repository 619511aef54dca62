// RUN: ttmlir-opt --ttir-load-system-desc --ttir-allocate --convert-ttir-to-ttmetal --split-input-file --verify-diagnostics %s
// Grids that the device does not have.
#l1_ = #tt.memory_space<l1>
#columns = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x4>, memref<34x1x!tt.tile<32x32, f32>, #l1_>>
#blocks = #tt.layout<(d0, d1) -> (d0, d1), undef, <34x2>, memref<1x34x!tt.tile<32x32, f32>, #l1_>>
func.func @rows(%a: tensor<64x128xf32, #columns>) -> tensor<64x128xf32, #blocks> {
  %0 = tensor.empty() : tensor<64x128xf32, #blocks>
  // expected-error @+1 {{has a tensor on the grid #tt.grid<34x2> that is not on the device: expected one inside #tt.grid<8x8>}}
  %1 = "ttir.to_layout"(%a, %0) : (tensor<64x128xf32, #columns>, tensor<64x128xf32, #blocks>) -> tensor<64x128xf32, #blocks>
  return %1 : tensor<64x128xf32, #blocks>
}

// -----

#l1_ = #tt.memory_space<l1>
#line = #tt.layout<(d0, d1) -> (d0 * 128 + d1), undef, <1>, memref<8192xf32, #l1_>>
#rows = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #l1_>>
func.func @line(%a: tensor<64x128xf32, #rows>) -> tensor<64x128xf32, #line> {
  %0 = tensor.empty() : tensor<64x128xf32, #line>
  // expected-error @+1 {{has a tensor on the grid #tt.grid<1> that is not on the device}}
  %1 = "ttir.to_layout"(%a, %0) : (tensor<64x128xf32, #rows>, tensor<64x128xf32, #line>) -> tensor<64x128xf32, #line>
  return %1 : tensor<64x128xf32, #line>
}

// -----

#l1_ = #tt.memory_space<l1>
#whole = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #l1_>>
#columns = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x4>, memref<64x32xf32, #l1_>>
module attributes {tt.device = #tt.device<workerGrid = #tt.grid<8x8, (d0, d1) -> (0, d0, d1)>, l1Map = (d0, d1)[s0, s1] -> (0, d0 floordiv s0 + 100, d1 floordiv s1, (d0 mod s0) * s1 + d1 mod s1), dramMap = (d0, d1)[s0, s1] -> (0, 0, d0, d1), meshShape = , chipIds = [0]>} {
func.func @outside(%a: tensor<64x128xf32, #whole>) -> tensor<64x128xf32, #columns> {
  %0 = tensor.empty() : tensor<64x128xf32, #columns>
  // expected-error @+1 {{'ttir.to_layout' op expected the device's maps to lead to one of 8x8 cores, found 100x0}}
  %1 = "ttir.to_layout"(%a, %0) : (tensor<64x128xf32, #whole>, tensor<64x128xf32, #columns>) -> tensor<64x128xf32, #columns>
  return %1 : tensor<64x128xf32, #columns>
}
}

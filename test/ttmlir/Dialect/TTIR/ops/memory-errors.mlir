// RUN: ttmlir-opt %s -split-input-file -verify-diagnostics
// One case for each rule of layout changes, allocation and generic work.
#l1 = #tt.memory_space<l1>
#tiles = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<2x4x!tt.tile<32x32, f32>, #l1>>
func.func @no_input_layout(%a: tensor<64x128xf32>, %b: tensor<64x128xf32, #tiles>) {
  // expected-error @+1 {{'ttir.to_layout' op Input tensor type missing layout attribute: found 'tensor<64x128xf32>'}}
  %1 = "ttir.to_layout"(%a, %b) : (tensor<64x128xf32>, tensor<64x128xf32, #tiles>) -> tensor<64x128xf32, #tiles>
  return
}

// -----

#l1 = #tt.memory_space<l1>
#tiles = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<2x4x!tt.tile<32x32, f32>, #l1>>
func.func @no_output_layout(%a: tensor<64x128xf32>, %b: tensor<64x128xf32, #tiles>) {
  // expected-error @+1 {{Output tensor type missing layout attribute}}
  %1 = "ttir.to_layout"(%b, %a) : (tensor<64x128xf32, #tiles>, tensor<64x128xf32>) -> tensor<64x128xf32>
  return
}

// -----

#l1 = #tt.memory_space<l1>
#tiles = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<2x4x!tt.tile<32x32, f32>, #l1>>
func.func @shapes(%a: tensor<32x128xf32, #tiles>, %b: tensor<64x128xf32, #tiles>) {
  // expected-error @+1 {{Input and output shapes must be the same: found 32x128 and 64x128}}
  %1 = "ttir.to_layout"(%a, %b) : (tensor<32x128xf32, #tiles>, tensor<64x128xf32, #tiles>) -> tensor<64x128xf32, #tiles>
  return
}

// -----

func.func @alloc_layout() {
  // expected-error @+1 {{'ttir.alloc' op Result type missing layout attribute}}
  %0 = "ttir.alloc"() <{address = 1 : i64, memory_space = #tt.memory_space<l1>, size = 1 : i64}> : () -> tensor<64x128xf32>
  return
}

// -----

#l1 = #tt.memory_space<l1>
#tiles = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<2x4x!tt.tile<32x32, f32>, #l1>>
func.func @alloc_size() {
  // expected-error @+1 {{Alloc size must be non-zero: found 0}}
  %0 = "ttir.alloc"() <{address = 1 : i64, memory_space = #l1, size = 0 : i64}> : () -> tensor<64x128xf32, #tiles>
  return
}

// -----

#l1 = #tt.memory_space<l1>
#tiles = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<2x4x!tt.tile<32x32, f32>, #l1>>
func.func @alloc_space() {
  // expected-error @+1 {{Input tensor layout memory space must match alloc memory space: expected l1, found dram}}
  %0 = "ttir.alloc"() <{address = 1 : i64, memory_space = #tt.memory_space<dram>, size = 1 : i64}> : () -> tensor<64x128xf32, #tiles>
  return
}

// -----

#l1 = #tt.memory_space<l1>
#tiles = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<2x4x!tt.tile<32x32, f32>, #l1>>
func.func @alloc_device_address() {
  // expected-error @+1 {{Allocating from a device memory space must have address set to a non-zero value, device addresses are statically allocated: found 0}}
  %0 = "ttir.alloc"() <{address = 0 : i64, memory_space = #l1, size = 1 : i64}> : () -> tensor<64x128xf32, #tiles>
  return
}

// -----

#system = #tt.memory_space<system>
#host = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #system>>
func.func @alloc_host_address() {
  // expected-error @+1 {{Allocating from system memory space must have address set to 0, implicitly allocated by the runtime: found 4096}}
  %0 = "ttir.alloc"() <{address = 4096 : i64, memory_space = #system, size = 1 : i64}> : () -> tensor<64x128xf32, #host>
  return
}

// -----

#any = #tt.operand_constraint<any>
#map = affine_map<(d0, d1) -> (d0, d1)>
#parallel = #tt.iterator_type<parallel>
func.func @generic(%a: tensor<64x128xf32>, %b: tensor<64x128xf32>) {
  // expected-error @+1 {{The number of op operands and region/block operands must match: found 2 and 1}}
  %1 = "ttir.generic"(%a, %b) <{grid = #tt.grid<1x1>, indexing_maps = [#map, #map], iterator_types = [#parallel, #parallel], operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> ({
  ^bb0(%x: tensor<64x128xf32>):
    "ttir.yield"(%x) : (tensor<64x128xf32>) -> ()
  }) : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  return
}

// -----

#l1 = #tt.memory_space<l1>
#tiles = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<2x4x!tt.tile<32x32, f32>, #l1>>
func.func @alloc_address() {
  // expected-error @+1 {{expected address and size of at most 2^40 on a device, found 1099511627777 and 4}}
  %0 = "ttir.alloc"() <{address = 1099511627777 : i64, memory_space = #l1, size = 4 : i64}> : () -> tensor<64x128xf32, #tiles>
  return
}

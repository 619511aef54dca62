// RUN: ttmlir-opt --ttir-load-system-desc --ttir-implicit-device --ttir-allocate --convert-ttir-to-ttmetal --split-input-file --verify-diagnostics %s
// One error for each op that has a fault: at the op, with what was expected.

#a = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<4x4xf32, #tt.memory_space<l1>>>
#b = #tt.layout<(d0, d1) -> (d0, d1), undef, <2x2>, memref<2x2xf32, #tt.memory_space<l1>>>
func.func @misaligned(%arg0: tensor<4x4xf32, #a>) -> tensor<4x4xf32, #b> {
  %0 = tensor.empty() : tensor<4x4xf32, #b>
  // expected-error @+1 {{'ttir.to_layout' op needs a transaction of 8 bytes between the addresses 1088 and 1024; expected multiples of 32 bytes, the alignment of the network on chip}}
  %1 = "ttir.to_layout"(%arg0, %0) : (tensor<4x4xf32, #a>, tensor<4x4xf32, #b>) -> tensor<4x4xf32, #b>
  return %1 : tensor<4x4xf32, #b>
}

// -----

#a = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x64xf32, #tt.memory_space<l1>>>
#b = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<2x2x!tt.tile<32x32, f32>, #tt.memory_space<dram>>>
func.func @compound(%arg0: tensor<64x64xf32, #a>) -> tensor<64x64xf32, #b> {
  %0 = tensor.empty() : tensor<64x64xf32, #b>
  // expected-error @+1 {{changes the element type from 'f32' to '!tt.tile<32x32, f32>' and the place of the tensor; expected one of them, run --ttir-split-compound-layout first}}
  %1 = "ttir.to_layout"(%arg0, %0) : (tensor<64x64xf32, #a>, tensor<64x64xf32, #b>) -> tensor<64x64xf32, #b>
  return %1 : tensor<64x64xf32, #b>
}

// -----

#a = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<2x2x!tt.tile<32x32, f32>, #tt.memory_space<dram>>, interleaved>
#b = #tt.layout<(d0, d1) -> (d0, d1), inf, <1x1>, memref<2x2x!tt.tile<32x32, f32>, #tt.memory_space<l1>>>
func.func @place_and_padding(%arg0: tensor<40x40xf32, #a>) -> tensor<40x40xf32, #b> {
  %0 = tensor.empty() : tensor<40x40xf32, #b>
  // expected-error @+1 {{changes what is around the elements from undef to inf and the place of the tensor; expected one of them, run --ttir-layout first}}
  %1 = "ttir.to_layout"(%arg0, %0) : (tensor<40x40xf32, #a>, tensor<40x40xf32, #b>) -> tensor<40x40xf32, #b>
  return %1 : tensor<40x40xf32, #b>
}

// -----

#a = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x64xf32, #tt.memory_space<dram>>>
#b = #tt.layout<(d0, d1) -> (d0, d1), undef, <2x1>, memref<32x64xf32, #tt.memory_space<dram>>>
func.func @dram_to_dram(%arg0: tensor<64x64xf32, #a>) -> tensor<64x64xf32, #b> {
  %0 = tensor.empty() : tensor<64x64xf32, #b>
  // expected-error @+1 {{moves a tensor from DRAM to DRAM; expected L1 on one side}}
  %1 = "ttir.to_layout"(%arg0, %0) : (tensor<64x64xf32, #a>, tensor<64x64xf32, #b>) -> tensor<64x64xf32, #b>
  return %1 : tensor<64x64xf32, #b>
}

// -----

#a = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x64xi32, #tt.memory_space<dram>>, interleaved>
#b = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<2x2x!tt.tile<32x32, f32>, #tt.memory_space<dram>>, interleaved>
func.func @tilize_integers(%arg0: tensor<64x64xi32, #a>) -> tensor<64x64xi32, #b> {
  %0 = tensor.empty() : tensor<64x64xi32, #b>
  // expected-error @+1 {{changes the element type from 'i32' to '!tt.tile<32x32, f32>'; expected tiles of the same integers, or of floats}}
  %1 = "ttir.to_layout"(%arg0, %0) : (tensor<64x64xi32, #a>, tensor<64x64xi32, #b>) -> tensor<64x64xi32, #b>
  return %1 : tensor<64x64xi32, #b>
}

// -----

// The tensors in L1 leave no room for circular buffers.
#rows = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x64xf32, #tt.memory_space<dram>>, interleaved>
#tiles = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<2x2x!tt.tile<32x32, f32>, #tt.memory_space<dram>>, interleaved>
#full = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<1460x256xf32, #tt.memory_space<l1>>>
func.func @no_room(%arg0: tensor<64x64xf32, #rows>, %arg1: tensor<1460x256xf32, #full>) -> tensor<64x64xf32, #tiles> {
  %0 = tensor.empty() : tensor<64x64xf32, #tiles>
  // expected-error @+1 {{'ttir.to_layout' op needs 16384 bytes of circular buffers in L1, found 3072 bytes behind the tensors in L1}}
  %1 = "ttir.to_layout"(%arg0, %0) : (tensor<64x64xf32, #rows>, tensor<64x64xf32, #tiles>) -> tensor<64x64xf32, #tiles>
  return %1 : tensor<64x64xf32, #tiles>
}

// -----

#tile = #tt.operand_constraint<dram|l1|tile|any_layout|any_device_tile>
#parallel = #tt.iterator_type<parallel>
#map = affine_map<(d0, d1) -> (d0, d1)>
#pages = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<1x1x!tt.tile<32x32, f32>, #tt.memory_space<dram>>, interleaved>
!tile = tensor<32x32xf32, #tt.buffer<memref<1x1x!tt.tile<32x32, f32>, #tt.memory_space<l1>>, stream>>
func.func @region(%arg0: tensor<32x32xf32, #pages>) -> tensor<32x32xf32, #pages> {
  %0 = tensor.empty() : tensor<32x32xf32, #pages>
  %1 = "ttir.generic"(%arg0, %0) <{grid = #tt.grid<1x1>, indexing_maps = [#map, #map], iterator_types = [#parallel, #parallel], operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#tile, #tile]}> ({
  ^bb0(%a: !tile, %b: !tile):
    // expected-error @+1 {{'math.atan' op has no instructions on tiles; expected an elementwise op of ttir, or of arith or math on floats}}
    %2 = math.atan %a : !tile
    "ttir.yield"(%2) : (!tile) -> ()
  }) : (tensor<32x32xf32, #pages>, tensor<32x32xf32, #pages>) -> tensor<32x32xf32, #pages>
  return %1 : tensor<32x32xf32, #pages>
}

// -----

#tile = #tt.operand_constraint<dram|l1|tile|any_layout|any_device_tile>
#parallel = #tt.iterator_type<parallel>
#map = affine_map<(d0, d1) -> (d0, d1)>
#turned = affine_map<(d0, d1) -> (d1, d0)>
#pages = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<1x1x!tt.tile<32x32, f32>, #tt.memory_space<dram>>, interleaved>
!tile = tensor<32x32xf32, #tt.buffer<memref<1x1x!tt.tile<32x32, f32>, #tt.memory_space<l1>>, stream>>
func.func @maps(%arg0: tensor<32x32xf32, #pages>) -> tensor<32x32xf32, #pages> {
  %0 = tensor.empty() : tensor<32x32xf32, #pages>
  // expected-error @+1 {{'ttir.generic' op expected indexing maps that keep or broadcast the dimensions of the output, found}}
  %1 = "ttir.generic"(%arg0, %0) <{grid = #tt.grid<1x1>, indexing_maps = [#turned, #map], iterator_types = [#parallel, #parallel], operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#tile, #tile]}> ({
  ^bb0(%a: !tile, %b: !tile):
    %2 = math.exp %a : !tile
    "ttir.yield"(%2) : (!tile) -> ()
  }) : (tensor<32x32xf32, #pages>, tensor<32x32xf32, #pages>) -> tensor<32x32xf32, #pages>
  return %1 : tensor<32x32xf32, #pages>
}

// -----

#l1_ = #tt.memory_space<l1>
#dram = #tt.memory_space<dram>
#many = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<512x256xf32, #dram>>
#shards = #tt.layout<(d0, d1) -> (d0, d1), undef, <8x8>, memref<64x32xf32, #l1_>>
func.func @rounds(%arg0: tensor<512x256xf32, #many>) -> tensor<512x256xf32, #shards> {
  %0 = tensor.empty() : tensor<512x256xf32, #shards>
  // expected-error @below {{expected at most 8192 elements a channel of a tensor in DRAM without memory layout, found 'tensor<512x256xf32, }}
  %1 = "ttir.to_layout"(%arg0, %0) : (tensor<512x256xf32, #many>, tensor<512x256xf32, #shards>) -> tensor<512x256xf32, #shards>
  return %1 : tensor<512x256xf32, #shards>
}

// An op without C++ is an error at the op.
// RUN: ttmlir-opt --convert-ttnn-to-emitc %s --split-input-file --verify-diagnostics
#l1 = #tt.memory_space<l1>
#layout = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<32x32xf32, #l1>>
func.func @alloc() {
  // expected-error @below {{'ttnn.alloc' op has no C++ form: the library has no function for it}}
  %0 = "ttnn.alloc"() <{address = 4096 : i64, memory_space = #l1, size = 4096 : i64}> : () -> tensor<32x32xf32, #layout>
  return
}

// -----

func.func @other_dialect(%a: i32) {
  // expected-error @below {{'arith.addi' op has no C++ form: expected ops of the ttnn dialect and func.return}}
  %0 = arith.addi %a, %a : i32
  return
}

// -----

#device = #tt.device<workerGrid = #tt.grid<8x8, (d0, d1) -> (0, d0, d1)>, l1Map = (d0, d1)[s0, s1] -> (0, d0 floordiv s0, d1 floordiv s1, (d0 mod s0) * s1 + d1 mod s1), dramMap = (d0, d1)[s0, s1] -> (0, 0, ((d0 floordiv s0) * 8 + d1 floordiv s1) mod 12, ((d0 floordiv s0) * 8 + d1 floordiv s1) floordiv 12), meshShape = 1, chipIds = [0]>
func.func @no_layout() {
  %0 = "ttnn.get_device"() : () -> !tt.device<#device>
  // expected-error @below {{'ttnn.full' op expected tensors of static shape with a tt.layout, found 'tensor<32x32xf32>'}}
  %1 = "ttnn.full"(%0) <{fillValue = 1.0 : f32}> : (!tt.device<#device>) -> tensor<32x32xf32>
  return
}

// -----

#l1 = #tt.memory_space<l1>
#layout = #tt.layout<(d0, d1) -> (d0, d1), undef, <2x4>, memref<32x32xf32, #l1>, block_sharded>
// expected-error @below {{'func.func' op expected the attribute tt.device on the module, which --ttir-implicit-device sets}}
func.func @no_device(%a: tensor<64x128xf32, #layout>) { return }

// -----

#l1 = #tt.memory_space<l1>
#layout = #tt.layout<(d0, d1) -> (d0, d1), undef, <9x4>, memref<32x32xf32, #l1>, block_sharded>
#device = #tt.device<workerGrid = #tt.grid<8x8, (d0, d1) -> (0, d0, d1)>, l1Map = (d0, d1)[s0, s1] -> (0, d0 floordiv s0, d1 floordiv s1, (d0 mod s0) * s1 + d1 mod s1), dramMap = (d0, d1)[s0, s1] -> (0, 0, ((d0 floordiv s0) * 8 + d1 floordiv s1) mod 12, ((d0 floordiv s0) * 8 + d1 floordiv s1) floordiv 12), meshShape = 1, chipIds = [0]>
module attributes {tt.device = #device} {
  // expected-error @below {{has a tensor on the grid #tt.grid<9x4>, which is not inside the device's grid #tt.grid<8x8>}}
  func.func @grid(%a: tensor<288x128xf32, #layout>) { return }
}

// -----

// expected-error @below {{has no C++ form: the chips keep shards of argument 0; expected inputs from the host}}
func.func @kept_input(%a: tensor<32x32xf32> {tt.presharded = array<i64: -1, 0>}) { return }

// -----

// expected-error @below {{has no C++ form: the chips keep shards of result 0; expected results on the host}}
func.func @kept_result(%a: tensor<32x32xf32>) -> (tensor<32x32xf32> {tt.presharded = array<i64: -1, 0>}) { return %a : tensor<32x32xf32> }

// RUN: ttmlir-opt --ttir-allocate --split-input-file --verify-diagnostics %s
// What does not fit is an error that says what is in memory.
#l1_ = #tt.memory_space<l1>
#big = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<1024x256xf32, #l1_>>
#small = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<256x128xf32, #l1_>>
#c = #tt.operand_constraint<any>
// expected-note @below {{1048576 bytes at 1024: 'tensor<1024x256xf32}}
// expected-note @below {{131072 bytes at 1049600: 'tensor<256x128xf32}}
func.func @full(%arg0: tensor<1024x256xf32, #big>, %arg1: tensor<256x128xf32, #small>) -> tensor<1024x256xf32, #big> {
  // expected-error @below {{out of memory in l1: expected at most 1498112 bytes a core, found 1179648 bytes in 2 live tensors and another 1048576 for 'tensor<1024x256xf32}}
  %0 = tensor.empty() : tensor<1024x256xf32, #big>
  %1 = "ttir.exp"(%arg0, %0) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#c, #c]}> : (tensor<1024x256xf32, #big>, tensor<1024x256xf32, #big>) -> tensor<1024x256xf32, #big>
  return %1 : tensor<1024x256xf32, #big>
}

// -----

// expected-error @below {{cannot be allocated: expected a tensor with a layout (run ttir-layout first), found 'tensor<8x8xf32>'}}
func.func @no_layout(%arg0: tensor<8x8xf32>) -> tensor<8x8xf32> {
  return %arg0 : tensor<8x8xf32>
}

// -----

// expected-error @below {{cannot be allocated: expected a function of one block, found 2}}
func.func @blocks() {
  cf.br ^bb1
^bb1:
  return
}

// -----

#dram = #tt.memory_space<dram>
#many = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<67108865x1xf32, #dram>, interleaved>
func.func @written() -> tensor<67108865x1xf32, #many> {
  // expected-error @below {{'ttir.arange' op cannot be allocated: expected at most 2^26 numbers, which the program holds one by one, found 67108865}}
  %0 = "ttir.arange"() <{arange_dimension = 0 : i64, end = 67108865 : si64, start = 0 : si64, step = 1 : si64}> : () -> tensor<67108865x1xf32, #many>
  return %0 : tensor<67108865x1xf32, #many>
}

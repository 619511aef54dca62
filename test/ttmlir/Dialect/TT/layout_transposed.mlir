// RUN: ttmlir-opt %s | FileCheck %s
// RUN: not ttmlir-opt --ttir-layout %s 2>&1 | FileCheck %s --check-prefix=PLACED
// Types have any layout; one whose shards do not hold the tensor is an error
// where the tensor is placed.
#l1 = #tt.memory_space<l1>
// CHECK: #[[T:.*]] = #tt.layout<(d0, d1) -> (d1, d0), undef, <1x1>, memref<64x128xf32, #{{.*}}>, interleaved>
#t = #tt.layout<(d0, d1) -> (d1, d0), undef, <1x1>, memref<64x128xf32, #l1>, interleaved>
// CHECK: func.func @f(%arg0: tensor<64x128xf32, #[[T]]>)
// PLACED: error: (C6) expected a grid of shards that hold the tensor: dimension 0 of the shards has indices from 0 to 63, the tensor 64x128 takes 0 to 127
func.func @f(%x: tensor<64x128xf32, #t>) -> tensor<64x128xf32, #t> {
  return %x : tensor<64x128xf32, #t>
}

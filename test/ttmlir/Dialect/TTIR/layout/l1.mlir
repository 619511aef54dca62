// RUN: ttmlir-opt --ttir-layout="init-memory-space=l1 default-memory-space=l1 default-device-memory-layout=none pad-to-tiles=true" %s | FileCheck %s
// RUN: ttmlir-opt --ttir-layout="init-memory-space=l1 default-memory-space=l1 default-device-memory-layout=none pad-to-tiles=true" --remarks %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// Tensors lie in L1 as far as the constraints of their ops allow it and there is room.
#tile = #tt.operand_constraint<dram|l1|tile|any_layout|any_device_tile>
#rows = #tt.operand_constraint<dram|scalar|any_layout>
// CHECK-DAG: #[[ROWS:.*]] = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #l1_>>
// CHECK-DAG: #[[TILES:.*]] = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<2x4x!tt.tile<32x32, f32>, #l1_>>
// CHECK-DAG: #[[DRAM_ROWS:.*]] = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<128x64xf32, #dram>, interleaved>
// CHECK-DAG: #[[LARGE:.*]] = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<512x512xf32, #dram>, interleaved>
// CHECK-DAG: #[[LARGE_TILES:.*]] = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<16x16x!tt.tile<32x32, f32>, #dram>, interleaved>
// CHECK-DAG: #[[CHAIN:.*]] = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<8x8x!tt.tile<32x32, f32>, #l1_>>
// CHECK-DAG: #[[WHOLE:.*]] = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<320x1024xf32, #l1_>>
// CHECK-DAG: #[[MOVED:.*]] = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<256x256xf32, #dram>, interleaved>

// CHECK-LABEL: func.func @constraints
// CHECK-SAME: (%{{.*}}: tensor<64x128xf32, #[[ROWS]]>)
// CHECK: "ttir.abs"{{.*}} -> tensor<64x128xf32, #[[TILES]]>
// CHECK: "ttir.reshape"{{.*}} -> tensor<128x64xf32, #[[DRAM_ROWS]]>
// REMARK: l1.mlir:[[@LINE+5]]:8: remark: [Missed] NotInL1 | Category:ttir-layout | Function=constraints | Op=ttir.reshape, Reason="works in dram: the op has no kernels for tensors in l1"
func.func @constraints(%a: tensor<64x128xf32>) -> tensor<128x64xf32> {
  %0 = tensor.empty() : tensor<64x128xf32>
  %1 = "ttir.abs"(%a, %0) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#tile, #tile]}> : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  %2 = tensor.empty() : tensor<128x64xf32>
  %3 = "ttir.reshape"(%1, %2) <{operand_constraints = [#rows, #rows], shape = [128 : i32, 64 : i32]}> : (tensor<64x128xf32>, tensor<128x64xf32>) -> tensor<128x64xf32>
  return %3 : tensor<128x64xf32>
}

// CHECK-LABEL: func.func @room
// CHECK-SAME: (%{{.*}}: tensor<512x512xf32, #[[LARGE]]>, %{{.*}}: tensor<64x128xf32, #[[ROWS]]>) -> (tensor<512x512xf32, #[[LARGE]]>, tensor<64x128xf32, #[[ROWS]]>)
// CHECK: "ttir.abs"{{.*}} -> tensor<512x512xf32, #[[LARGE_TILES]]>
// CHECK: "ttir.abs"{{.*}} -> tensor<64x128xf32, #[[TILES]]>
// REMARK: l1.mlir:[[@LINE+4]]:1: remark: [Missed] NoRoom | Category:ttir-layout | Function=room | Op=func.func, Reason="argument 0 goes to dram: 1048576 bytes of it are more than a core's L1 has left for tensors"
// REMARK: l1.mlir:[[@LINE+5]]:8: remark: [Missed] NoRoom | Category:ttir-layout | Function=room | Op=ttir.to_layout, Reason="the result goes to dram: 1048576 bytes
// REMARK: l1.mlir:[[@LINE+4]]:8: remark: [Missed] NoRoom | Category:ttir-layout | Function=room | Op=ttir.abs, Reason="the result goes to dram: 1048576 bytes
// REMARK: l1.mlir:[[@LINE+6]]:3: remark: [Missed] NoRoom | Category:ttir-layout | Function=room | Op=ttir.to_layout, Reason="the result goes to dram: 1048576 bytes
func.func @room(%a: tensor<512x512xf32>, %b: tensor<64x128xf32>) -> (tensor<512x512xf32>, tensor<64x128xf32>) {
  %0 = tensor.empty() : tensor<512x512xf32>
  %1 = "ttir.abs"(%a, %0) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#tile, #tile]}> : (tensor<512x512xf32>, tensor<512x512xf32>) -> tensor<512x512xf32>
  %2 = tensor.empty() : tensor<64x128xf32>
  %3 = "ttir.abs"(%b, %2) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#tile, #tile]}> : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  return %1, %3 : tensor<512x512xf32>, tensor<64x128xf32>
}

// Room is free again behind the last use: of a chain no two results lie side by side.
// CHECK-LABEL: func.func @reuse
// CHECK: "ttir.abs"{{.*}} -> tensor<256x256xf32, #[[CHAIN]]>
// CHECK: "ttir.abs"{{.*}} -> tensor<256x256xf32, #[[CHAIN]]>
// CHECK: "ttir.abs"{{.*}} -> tensor<256x256xf32, #[[CHAIN]]>
func.func @reuse() -> tensor<1x1xf32> {
  %c = "ttir.constant"() <{value = dense<1.0> : tensor<256x256xf32>}> : () -> tensor<256x256xf32>
  %0 = tensor.empty() : tensor<256x256xf32>
  %1 = "ttir.abs"(%c, %0) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#tile, #tile]}> : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
  %2 = tensor.empty() : tensor<256x256xf32>
  %3 = "ttir.abs"(%1, %2) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#tile, #tile]}> : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
  %4 = tensor.empty() : tensor<256x256xf32>
  %5 = "ttir.abs"(%3, %4) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#tile, #tile]}> : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
  %6 = tensor.empty() : tensor<1x1xf32>
  %7 = "ttir.max"(%5, %6) <{dim_arg = [0 : i32, 1 : i32], keep_dim = true, operand_constraints = [#tile, #tile]}> : (tensor<256x256xf32>, tensor<1x1xf32>) -> tensor<1x1xf32>
  return %7 : tensor<1x1xf32>
}

// What the author has placed stays, and what the compiler has makes room for it.
#whole = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<320x1024xf32, #tt.memory_space<l1>>>
#host = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<320x1024xf32, #tt.memory_space<system>>>
// CHECK-LABEL: func.func @author
// CHECK-SAME: (%{{.*}}: tensor<320x1024xf32, #{{.*}}>, %{{.*}}: tensor<256x256xf32, #[[MOVED]]>)
// CHECK: "ttir.to_layout"{{.*}} -> tensor<320x1024xf32, #[[WHOLE]]>
func.func @author(%a: tensor<320x1024xf32, #host>, %b: tensor<256x256xf32>) -> (tensor<320x1024xf32, #whole>, tensor<256x256xf32>) {
  %0 = tensor.empty() : tensor<320x1024xf32, #whole>
  %1 = "ttir.to_layout"(%a, %0) : (tensor<320x1024xf32, #host>, tensor<320x1024xf32, #whole>) -> tensor<320x1024xf32, #whole>
  return %1, %b : tensor<320x1024xf32, #whole>, tensor<256x256xf32>
}

// RUN: ttmlir-opt --ttir-layout %s | FileCheck %s
// What the author placed stays: block-float tiles feed the op as they are, and an explicitly placed
// result is returned where it was put.
#any_device = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile>
#any_device_tile = #tt.operand_constraint<dram|l1|tile|any_device_tile>
#dram = #tt.memory_space<dram>
#weights = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<4x3x!tt.tile<32x32, bfp_bf8>, #dram>, interleaved>
#result = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x96xbf16, #dram>, interleaved>
// CHECK-DAG: #[[W:.*]] = #tt.layout<{{.*}}memref<4x3x!tt.tile<32x32, bfp_bf8>, #dram>, interleaved>
// CHECK-DAG: #[[R:.*]] = #tt.layout<{{.*}}memref<64x96xbf16, #dram>, interleaved>
// CHECK-LABEL: func.func @forward
// CHECK-SAME: %[[W0:[a-z0-9]*]]: tensor<128x96xbf16, #[[W]]>) -> tensor<64x96xbf16, #[[R]]>
func.func @forward(%x: tensor<64x128xbf16>, %w: tensor<128x96xbf16, #weights>) -> tensor<64x96xbf16, #result> {
  %0 = tensor.empty() : tensor<64x96xbf16, #result>
  // CHECK: "ttir.matmul"(%{{.*}}, %[[W0]], %{{.*}})
  %1 = "ttir.matmul"(%x, %w, %0) <{operand_constraints = [#any_device_tile, #any_device_tile, #any_device_tile]}> : (tensor<64x128xbf16>, tensor<128x96xbf16, #weights>, tensor<64x96xbf16, #result>) -> tensor<64x96xbf16, #result>
  // CHECK: %[[OUT:.*]] = "ttir.to_layout"{{.*}} -> tensor<64x96xbf16, #[[R]]>
  // CHECK-NEXT: return %[[OUT]]
  return %1 : tensor<64x96xbf16, #result>
}
// An op that takes scalars and tiles leaves them alone too.
// CHECK-LABEL: func.func @scalars_or_tiles
// CHECK-SAME: %[[W1:[a-z0-9]*]]: tensor<128x96xbf16, #[[W]]>)
// CHECK: "ttir.abs"(%[[W1]], %{{.*}})
func.func @scalars_or_tiles(%w: tensor<128x96xbf16, #weights>) -> tensor<128x96xbf16> {
  %0 = tensor.empty() : tensor<128x96xbf16>
  %1 = "ttir.abs"(%w, %0) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any_device, #any_device]}> : (tensor<128x96xbf16, #weights>, tensor<128x96xbf16>) -> tensor<128x96xbf16>
  return %1 : tensor<128x96xbf16>
}

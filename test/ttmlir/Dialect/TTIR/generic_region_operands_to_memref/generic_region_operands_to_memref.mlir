// RUN: ttmlir-opt --ttir-generic --ttir-layout="init-memory-space=l1 default-memory-space=l1 default-device-memory-layout=none" --ttir-generic-region-operands-to-memref %s | FileCheck %s --check-prefix=L1
// RUN: ttmlir-opt --ttir-generic --ttir-layout="init-memory-space=dram pad-to-tiles=true" --ttir-generic-region-operands-to-memref %s | FileCheck %s --check-prefix=DRAM
// RUN: not ttmlir-opt --ttir-generic --ttir-generic-region-operands-to-memref %s 2>&1 | FileCheck %s --check-prefix=BAD
// RUN: ttmlir-opt --ttir-generic --ttir-layout="init-memory-space=l1 default-memory-space=l1 default-device-memory-layout=none" --ttir-generic-region-operands-to-memref --remarks %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=SHARDS
// RUN: ttmlir-opt --ttir-generic --ttir-layout="init-memory-space=dram pad-to-tiles=true" --ttir-generic-region-operands-to-memref --remarks %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=PAGES
// A region sees shards in L1 themselves, and tensors in DRAM tile by tile.
// PAGES-DAG: remark: [Passed] Stream | Category:ttir-generic-region-operands-to-memref | Function=forward | Op=ttir.generic, Reason="operand 0, 1x1:dram:{{[a-z_]+}}:tile: its blocks come and go through a buffer in L1
// SHARDS-DAG: remark: [Passed] Alias | Category:ttir-generic-region-operands-to-memref | Function=forward | Op=ttir.generic, Reason="operand 0, 1x1:l1:none:tile: its shard in L1 is the buffer
#any = #tt.operand_constraint<any>
// L1: ^bb0(%[[A:.*]]: tensor<64x128xf32, #tt.buffer<memref<2x4x!tt.tile<32x32, f32>, #l1_>, alias>>, %[[B:.*]]: tensor<64x128xf32, #tt.buffer<memref<2x4x!tt.tile<32x32, f32>, #l1_>, alias>>, %{{.*}}: tensor<64x128xf32, #tt.buffer<memref<2x4x!tt.tile<32x32, f32>, #l1_>, alias>>):
// L1-NEXT: %[[R:.*]] = arith.addf %[[A]], %[[B]] : tensor<64x128xf32, #tt.buffer<memref<2x4x!tt.tile<32x32, f32>, #l1_>, alias>>
// L1-NEXT: "ttir.yield"(%[[R]]) : (tensor<64x128xf32, #tt.buffer<memref<2x4x!tt.tile<32x32, f32>, #l1_>, alias>>) -> ()
// L1: ^bb0(%{{.*}}: tensor<64x128xf32, {{.*}}>, %{{.*}}: tensor<32x128xf32, #tt.buffer<memref<1x4x!tt.tile<32x32, f32>, #l1_>, alias>>, %
// DRAM: ^bb0(%[[A:.*]]: tensor<32x32xf32, #tt.buffer<memref<1x1x!tt.tile<32x32, f32>, #l1_>, stream>>, %[[B:.*]]: tensor<32x32xf32, #tt.buffer<memref<1x1x!tt.tile<32x32, f32>, #l1_>, stream>>, %
// DRAM-NEXT: arith.addf %[[A]], %[[B]] : tensor<32x32xf32, #tt.buffer<memref<1x1x!tt.tile<32x32, f32>, #l1_>, stream>>
// BAD: error: 'ttir.generic' op expected operands with a layout on the device (run ttir-layout first), found 'tensor<64x128xf32>'
func.func @forward(%a: tensor<64x128xf32>, %b: tensor<64x128xf32>, %c: tensor<128xf32>) -> tensor<64x128xf32> {
  %0 = tensor.empty() : tensor<64x128xf32>
  %1 = "ttir.add"(%a, %b, %0) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<64x128xf32>, tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  %2 = tensor.empty() : tensor<64x128xf32>
  %3 = "ttir.div"(%1, %c, %2) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<64x128xf32>, tensor<128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  return %3 : tensor<64x128xf32>
}

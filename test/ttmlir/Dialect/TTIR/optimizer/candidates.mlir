// RUN: ttmlir-opt --ttir-load-system-desc --ttir-layout --ttir-optimizer="override-output-layout=relu=l1:8x1" %s | FileCheck %s --check-prefix=BLOCK
// RUN: ttmlir-opt --ttir-load-system-desc --ttir-layout --ttir-optimizer="override-output-layout=relu=height_sharded" %s | FileCheck %s --check-prefix=HEIGHT
// RUN: ttmlir-opt --ttir-load-system-desc --ttir-layout --ttir-optimizer="override-output-layout=relu=block_sharded" %s | FileCheck %s --check-prefix=MOST
// RUN: ttmlir-opt --ttir-load-system-desc --ttir-layout --ttir-optimizer="override-output-layout=relu=l1:row_major" %s | FileCheck %s --check-prefix=L1
// RUN: ttmlir-opt --ttir-load-system-desc --ttir-layout --ttir-optimizer %s | FileCheck %s --check-prefix=DRAM
// The order of the legal layouts of a tensor of 16 x 3 tiles, seen through overrides that leave
// several of them: DRAM, L1, then most cores first, and on as many cores block-sharded first.
#any = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile>
// BLOCK: <8x1>, memref<64x96xf32, #l1_>, block_sharded>
// HEIGHT: <16x1>, memref<32x96xf32, #l1_>, height_sharded>
// MOST: <8x3>, memref<64x32xf32, #l1_>, block_sharded>
// L1: <8x8>, memref<64x12xf32, #l1_>, interleaved>
// DRAM: <8x8>, memref<64x12xf32, #dram>, interleaved>
func.func @forward(%a: tensor<512x96xf32>) -> tensor<512x96xf32> {
  %0 = tensor.empty() : tensor<512x96xf32>
  %1 = "ttir.relu"(%a, %0) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<512x96xf32>, tensor<512x96xf32>) -> tensor<512x96xf32> loc("relu")
  return %1 : tensor<512x96xf32>
}

// RUN: ttmlir-opt --ttir-erase-inverse-ops --mlir-pass-statistics %s 2>%t | FileCheck %s
// RUN: FileCheck %s --check-prefix=COUNT <%t
// An image becomes a sequence of pixels: the channels are last before and behind.

#any_device = #tt.operand_constraint<dram|l1|tile|none|interleaved|single_bank|height_sharded|width_sharded|block_sharded|any_layout|any_device_tile>
// COUNT-DAG: (S) 2 num-moved
// COUNT-DAG: (S) 2 num-erased

// CHECK-LABEL: func.func @patches
// CHECK-SAME: (%[[X:.*]]: tensor<8x14x15x768xbf16>)
func.func @patches(%x: tensor<8x14x15x768xbf16>) -> tensor<8x210x768xbf16> {
  // CHECK-NOT: ttir.permute
  // CHECK: %[[R:.*]] = "ttir.reshape"(%[[X]], {{.*}}shape = [8 : i32, 210 : i32, 768 : i32]
  // CHECK-NEXT: return %[[R]]
  %0 = tensor.empty() : tensor<8x768x14x15xbf16>
  %1 = "ttir.permute"(%x, %0) <{operand_constraints = [#any_device, #any_device], permutation = array<i64: 0, 3, 1, 2>}> : (tensor<8x14x15x768xbf16>, tensor<8x768x14x15xbf16>) -> tensor<8x768x14x15xbf16>
  %2 = tensor.empty() : tensor<8x768x210xbf16>
  %3 = "ttir.reshape"(%1, %2) <{operand_constraints = [#any_device, #any_device], shape = [8 : i32, 768 : i32, 210 : i32]}> : (tensor<8x768x14x15xbf16>, tensor<8x768x210xbf16>) -> tensor<8x768x210xbf16>
  %4 = tensor.empty() : tensor<8x210x768xbf16>
  %5 = "ttir.permute"(%3, %4) <{operand_constraints = [#any_device, #any_device], permutation = array<i64: 0, 2, 1>}> : (tensor<8x768x210xbf16>, tensor<8x210x768xbf16>) -> tensor<8x210x768xbf16>
  return %5 : tensor<8x210x768xbf16>
}

// Height and channels are merged, which are not side by side in the image.
// CHECK-LABEL: func.func @mixed
func.func @mixed(%x: tensor<8x14x15x768xbf16>) -> tensor<15x8x10752xbf16> {
  // CHECK: ttir.permute
  // CHECK: ttir.reshape
  // CHECK: ttir.permute
  %0 = tensor.empty() : tensor<8x768x14x15xbf16>
  %1 = "ttir.permute"(%x, %0) <{operand_constraints = [#any_device, #any_device], permutation = array<i64: 0, 3, 1, 2>}> : (tensor<8x14x15x768xbf16>, tensor<8x768x14x15xbf16>) -> tensor<8x768x14x15xbf16>
  %2 = tensor.empty() : tensor<8x10752x15xbf16>
  %3 = "ttir.reshape"(%1, %2) <{operand_constraints = [#any_device, #any_device], shape = [8 : i32, 10752 : i32, 15 : i32]}> : (tensor<8x768x14x15xbf16>, tensor<8x10752x15xbf16>) -> tensor<8x10752x15xbf16>
  %4 = tensor.empty() : tensor<15x8x10752xbf16>
  %5 = "ttir.permute"(%3, %4) <{operand_constraints = [#any_device, #any_device], permutation = array<i64: 2, 0, 1>}> : (tensor<8x10752x15xbf16>, tensor<15x8x10752xbf16>) -> tensor<15x8x10752xbf16>
  return %5 : tensor<15x8x10752xbf16>
}

// Read by another op as well: the first permutation stays anyway.
// CHECK-LABEL: func.func @shared
func.func @shared(%x: tensor<2x3x4x8xbf16>) -> (tensor<2x12x8xbf16>, tensor<2x8x3x4xbf16>) {
  // CHECK: ttir.permute
  // CHECK: ttir.reshape
  %0 = tensor.empty() : tensor<2x8x3x4xbf16>
  %1 = "ttir.permute"(%x, %0) <{operand_constraints = [#any_device, #any_device], permutation = array<i64: 0, 3, 1, 2>}> : (tensor<2x3x4x8xbf16>, tensor<2x8x3x4xbf16>) -> tensor<2x8x3x4xbf16>
  %2 = tensor.empty() : tensor<2x8x12xbf16>
  %3 = "ttir.reshape"(%1, %2) <{operand_constraints = [#any_device, #any_device], shape = [2 : i32, 8 : i32, 12 : i32]}> : (tensor<2x8x3x4xbf16>, tensor<2x8x12xbf16>) -> tensor<2x8x12xbf16>
  %4 = tensor.empty() : tensor<2x12x8xbf16>
  %5 = "ttir.permute"(%3, %4) <{operand_constraints = [#any_device, #any_device], permutation = array<i64: 0, 2, 1>}> : (tensor<2x8x12xbf16>, tensor<2x12x8xbf16>) -> tensor<2x12x8xbf16>
  return %5, %1 : tensor<2x12x8xbf16>, tensor<2x8x3x4xbf16>
}

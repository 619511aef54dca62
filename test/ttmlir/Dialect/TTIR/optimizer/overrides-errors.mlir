// RUN: not ttmlir-opt --ttir-layout --ttir-optimizer="override-grid-sizes=relu_1=9x1" %s 2>&1 | FileCheck %s --check-prefix=GRID
// RUN: not ttmlir-opt --ttir-layout --ttir-optimizer="override-grid-sizes=relu_1=4x4 override-output-layout=relu_1=l1" %s 2>&1 | FileCheck %s --check-prefix=BOTH
// RUN: not ttmlir-opt --ttir-layout --ttir-optimizer="override-output-layout=relu_1=block_sharded:65x1" %s 2>&1 | FileCheck %s --check-prefix=BLOCK
// RUN: not ttmlir-opt --ttir-layout --ttir-optimizer="override-output-layout=relu_1=height_sharded:65x1" %s 2>&1 | FileCheck %s --check-prefix=HEIGHT
// RUN: not ttmlir-opt --ttir-layout --ttir-optimizer="override-output-layout=relu_1=height_sharded:2x4" %s 2>&1 | FileCheck %s --check-prefix=COLUMN
// RUN: not ttmlir-opt --ttir-layout --ttir-optimizer="override-output-layout=relu_1=width_sharded:2x4" %s 2>&1 | FileCheck %s --check-prefix=ROW
// RUN: not ttmlir-opt --ttir-layout --ttir-optimizer="override-output-layout=relu_1=height_sharded" %s 2>&1 | FileCheck %s --check-prefix=LINE
// RUN: not ttmlir-opt --ttir-layout --ttir-optimizer="override-output-layout=relu_1=dram:block_sharded:1x1" %s 2>&1 | FileCheck %s --check-prefix=DRAM
// RUN: not ttmlir-opt --ttir-layout --ttir-optimizer="override-output-layout=relu_1=system:interleaved" %s 2>&1 | FileCheck %s --check-prefix=HOST
// RUN: not ttmlir-opt --ttir-layout --ttir-optimizer="override-output-layout=relu_1=system" %s 2>&1 | FileCheck %s --check-prefix=ALLOWED
// RUN: not ttmlir-opt --ttir-layout --ttir-optimizer="override-output-layout=relu_1=l1:none" %s 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not ttmlir-opt --ttir-layout --ttir-optimizer="override-output-layout=relu_1=row_major:bfp_bf8" %s 2>&1 | FileCheck %s --check-prefix=ROWS
// RUN: not ttmlir-opt --ttir-optimizer="sharding-pass-enabled=true" %s 2>&1 | FileCheck %s --check-prefix=DEVICE
// Overrides that no layout of the op meets.
// GRID: 'tensor.empty' op override grid #tt.grid<9x1> of a layout that is interleaved is not on the device: expected one inside #tt.grid<8x8>
// BOTH: error: expected the name 'relu_1' in one of override-grid-sizes and override-output-layout, found it in both
// BLOCK: 'ttir.relu' op override grid #tt.grid<65x1> of a layout that is block_sharded is not on the device: expected one inside #tt.grid<8x8>
// HEIGHT: 'ttir.relu' op override grid #tt.grid<65x1> of a layout that is height_sharded is not on the device: expected one inside #tt.grid<8x8>
// COLUMN: 'ttir.relu' op override layout is height_sharded on the grid 2x4: expected a grid Rx1
// ROW: 'ttir.relu' op override layout is width_sharded on the grid 2x4: expected a grid 1xC
// LINE: 'ttir.relu' op override layout is height_sharded: expected a grid with it, since no grid of several cores divides the tiles of
// DRAM: 'ttir.relu' op override layout is block_sharded in dram: expected memory space l1 with sharded layouts
// HOST: 'ttir.relu' op override layout is interleaved in system: expected memory layout none in host memory
// ALLOWED: 'ttir.relu' op override layout is none in system: expected one that the operand constraint of the destination allows
// NONE: 'ttir.relu' op override layout is none in l1: expected an interleaved, single_bank or sharded one on a device
// ROWS: 'ttir.relu' op override layout has block floats in rows: expected 'tile' with bfp_bf8
// DEVICE: error: ttir-optimizer needs a device
#any = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile>
func.func @forward(%a: tensor<32x128xf32>) -> tensor<32x128xf32> {
  %0 = tensor.empty() : tensor<32x128xf32>
  %1 = "ttir.relu"(%a, %0) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<32x128xf32>, tensor<32x128xf32>) -> tensor<32x128xf32> loc("relu_1")
  return %1 : tensor<32x128xf32>
}

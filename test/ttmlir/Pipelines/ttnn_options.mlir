// RUN: ttmlir-opt --ttir-to-ttnn-backend-pipeline="enable-optimizer=false" %s | FileCheck %s --check-prefix=PLAIN
// RUN: ttmlir-opt --ttir-to-ttnn-backend-pipeline="override-grid-sizes=relu_0=2x4" %s | FileCheck %s --check-prefix=GRID
// RUN: ttmlir-opt --ttir-to-ttnn-backend-pipeline="mesh-shape=1,1" %s | FileCheck %s --check-prefix=MESH
// RUN: echo "module {}" | ttmlir-translate --system-desc-to-flatbuffer --system=t3000 -o %t.ttsys
// RUN: ttmlir-opt --ttir-to-ttnn-backend-pipeline="system-desc-path=%t.ttsys mesh-shape=1,2 chip-ids=2,6" %s | FileCheck %s --check-prefix=CHIPS
// RUN: ttmlir-opt --ttir-to-ttmetal-backend-pipeline="system-desc-path=%t.ttsys mesh-shape=2,1 chip-ids=7,6" %s | FileCheck %s --check-prefix=METAL
// RUN: ttmlir-opt --ttir-layout --convert-ttir-to-ttnn %s | FileCheck %s --check-prefix=PLAIN
// The options of the pipeline; the last command shows that a missing device is made.
#any_device = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile>
// PLAIN: #[[LAYOUT:.*]] = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #dram>, interleaved>
// PLAIN: "ttnn.relu"{{.*}} -> tensor<64x128xf32, #[[LAYOUT]]>
// GRID: #[[LAYOUT:.*]] = #tt.layout<(d0, d1) -> (d0, d1), undef, <2x4>, memref<32x32xf32, #dram>, interleaved>
// GRID: "ttnn.relu"{{.*}} -> tensor<64x128xf32, #[[LAYOUT]]>
// MESH: meshShape = 1x1, chipIds = [0]
// CHIPS: meshShape = 1x2, chipIds = [2, 6]
// METAL: meshShape = 2x1, chipIds = [7, 6]
func.func @forward(%arg0: tensor<64x128xf32>) -> tensor<64x128xf32> {
  %0 = tensor.empty() : tensor<64x128xf32> loc("relu_0")
  %1 = "ttir.relu"(%arg0, %0) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any_device, #any_device]}> : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32> loc("relu_0")
  return %1 : tensor<64x128xf32>
}

// RUN: ttmlir-opt --ttir-load-system-desc --ttir-layout %s | FileCheck %s --check-prefix=HOST
// RUN: ttmlir-opt --ttir-load-system-desc --ttir-layout="results-on-device=true" %s | FileCheck %s
// What a loop returns is on the device, and stays there with results-on-device.
#any = #tt.operand_constraint<any_device>
// HOST-LABEL: func.func @forward(
// HOST-SAME: -> tensor<64x64xf32, #[[SYSTEM:.*]]>
// HOST: %[[LOOP:.*]] = tt.for(@body
// HOST: %[[BACK:.*]] = "ttir.to_layout"(%[[LOOP]]
// HOST: return %[[BACK]] : tensor<64x64xf32, #[[SYSTEM]]>
// CHECK: #[[DRAM:.*]] = #tt.layout<{{.*}}memref<{{.*}}!tt.tile<32x32, f32>, #dram>, interleaved>
// CHECK-LABEL: func.func @forward(
// CHECK-SAME: -> tensor<64x64xf32, #[[DRAM]]>
// CHECK: %[[LOOP:.*]] = tt.for(@body
// CHECK-NEXT: return %[[LOOP]] : tensor<64x64xf32, #[[DRAM]]>
func.func @forward(%x: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %0 = tt.for(@body, 3, [%x], []) : (tensor<64x64xf32>) -> tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}
func.func private @body(%x: tensor<64x64xf32>) -> tensor<64x64xf32> attributes {tt.part} {
  %0 = tensor.empty() : tensor<64x64xf32>
  %1 = "ttir.relu"(%x, %0) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  return %1 : tensor<64x64xf32>
}

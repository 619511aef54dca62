// RUN: ttmlir-opt --ttir-to-ttnn-backend-pipeline="override-grid-sizes=add_1_0=4x4,add_2_0=2x1" %s | FileCheck %s
// RUN: not ttmlir-opt --ttir-to-ttnn-backend-pipeline="override-grid-sizes=add_1_0" %s 2>&1 | FileCheck %s --check-prefix=FORMAT
// RUN: not ttmlir-opt --ttir-to-ttnn-backend-pipeline="override-grid-sizes=add_1_0=4xfour" %s 2>&1 | FileCheck %s --check-prefix=SIZE
// The grid of the op with that location name, and of the conversions of its inputs, is the user's.
#any_device = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile>
// FORMAT: Invalid format for override grid sizes: add_1_0
// SIZE: Invalid grid size: four
// CHECK-DAG: #[[G44:.*]] = #tt.layout<{{.*}}<4x4>, memref<16x32xf32, #dram>, interleaved>
// CHECK-DAG: #[[G21:.*]] = #tt.layout<{{.*}}<2x1>, memref<32x128xf32, #dram>, interleaved>
// CHECK-DAG: #[[G88:.*]] = #tt.layout<{{.*}}<8x8>, memref<8x16xf32, #dram>, interleaved>
// CHECK-LABEL: func.func @forward
func.func @forward(%arg0: tensor<64x128xf32>, %arg1: tensor<64x128xf32>) -> tensor<64x128xf32> {
  // CHECK: "ttnn.to_device"{{.*}} -> tensor<64x128xf32, #[[G44]]>
  // CHECK: "ttnn.add"{{.*}} -> tensor<64x128xf32, #[[G44]]>
  // CHECK: "ttnn.add"{{.*}} -> tensor<64x128xf32, #[[G21]]>
  // CHECK: "ttnn.add"{{.*}} -> tensor<64x128xf32, #[[G88]]>
  %0 = tensor.empty() : tensor<64x128xf32> loc("add_1_0")
  %1 = "ttir.add"(%arg0, %arg1, %0) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any_device, #any_device, #any_device]}> : (tensor<64x128xf32>, tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32> loc("add_1_0")
  %2 = tensor.empty() : tensor<64x128xf32>
  %3 = "ttir.add"(%1, %arg1, %2) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any_device, #any_device, #any_device]}> : (tensor<64x128xf32>, tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32> loc("add_2_0")
  %4 = tensor.empty() : tensor<64x128xf32>
  %5 = "ttir.add"(%3, %arg1, %4) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any_device, #any_device, #any_device]}> : (tensor<64x128xf32>, tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32> loc("add_3_0")
  return %5 : tensor<64x128xf32>
}

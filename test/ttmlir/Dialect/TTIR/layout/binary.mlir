// RUN: ttmlir-opt --ttir-load-system-desc --ttir-implicit-device --ttir-layout %s | FileCheck %s
// RUN: ttmlir-opt --ttir-load-system-desc --ttir-implicit-device --ttir-layout --remarks=ttir-layout %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// Every operand of an op is converted in front of it, in order, then its destination is made; the
// result goes back to the host.
// REMARK-DAG: remark: [Passed] Converted | Category:ttir-layout | Function=forward | Op=ttir.multiply, Reason="input 0 goes from 1x1:system:none:row_major:f32 to 1x1:dram:interleaved:row_major:f32: the op takes rows", Rejected="in l1: the program places it nowhere, and default-memory-space is dram"
// REMARK-DAG: remark: [Passed] Returned | Category:ttir-layout | Function=forward | Op=func.return, Reason="result 0 goes from 1x1:dram:interleaved:row_major:f32 to 1x1:system:none:row_major:f32, where results without a layout go", Rejected="left where it is
#any_device = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile>
// CHECK-DAG: #[[HOST:.*]] = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #system>>
// CHECK-DAG: #[[DRAM:.*]] = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #dram>, interleaved>
// CHECK-LABEL: func.func @forward(
// CHECK-SAME: %[[A:.*]]: tensor<64x128xf32, #[[HOST]]>, %[[B:.*]]: tensor<64x128xf32, #[[HOST]]>) -> tensor<64x128xf32, #[[HOST]]>
func.func @forward(%arg0: tensor<64x128xf32>, %arg1: tensor<64x128xf32>) -> tensor<64x128xf32> {
  // CHECK-NEXT: %[[E0:.*]] = tensor.empty() : tensor<64x128xf32, #[[DRAM]]>
  // CHECK-NEXT: %[[L0:.*]] = "ttir.to_layout"(%[[A]], %[[E0]])
  // CHECK-NEXT: %[[E1:.*]] = tensor.empty() : tensor<64x128xf32, #[[DRAM]]>
  // CHECK-NEXT: %[[L1:.*]] = "ttir.to_layout"(%[[B]], %[[E1]])
  // CHECK-NEXT: %[[E2:.*]] = tensor.empty() : tensor<64x128xf32, #[[DRAM]]>
  // CHECK-NEXT: %[[R:.*]] = "ttir.multiply"(%[[L0]], %[[L1]], %[[E2]])
  %0 = tensor.empty() : tensor<64x128xf32>
  %1 = "ttir.multiply"(%arg0, %arg1, %0) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any_device, #any_device, #any_device]}> : (tensor<64x128xf32>, tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  // CHECK-NEXT: %[[E3:.*]] = tensor.empty() : tensor<64x128xf32, #[[HOST]]>
  // CHECK-NEXT: %[[OUT:.*]] = "ttir.to_layout"(%[[R]], %[[E3]])
  // CHECK-NEXT: return %[[OUT]]
  return %1 : tensor<64x128xf32>
}

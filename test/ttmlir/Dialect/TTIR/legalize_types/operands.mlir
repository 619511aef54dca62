// RUN: ttmlir-opt --ttir-legalize-types %s | FileCheck %s
#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>

// An op without results.
// CHECK-LABEL: func.func @dealloc
// CHECK-SAME: %arg0: tensor<4xui8>
// CHECK: "ttir.dealloc"(%arg0) : (tensor<4xui8>) -> ()
func.func @dealloc(%x: tensor<4xi1>) -> tensor<4xi1> {
  "ttir.dealloc"(%x) : (tensor<4xi1>) -> ()
  return %x : tensor<4xi1>
}

// Results with one destination.
// CHECK-LABEL: func.func @sort
// CHECK-NOT: tensor.empty
// CHECK: %[[NONE:.*]] = "ttir.constant"() {{.*}} tensor<1x1xi32>
// CHECK: return %[[NONE]]
func.func @sort(%x: tensor<0x4xf32>) -> tensor<0x4xi32> {
  %e = tensor.empty() : tensor<0x4xf32>
  %i = tensor.empty() : tensor<0x4xi32>
  %0:3 = "ttir.sort"(%x, %x, %e, %e, %i) <{dim = 0 : si32, num_keys = 1 : i32, descending = false, stable = true, operandSegmentSizes = array<i32: 2, 3>, operand_constraints = [#any, #any, #any, #any, #any]}> : (tensor<0x4xf32>, tensor<0x4xf32>, tensor<0x4xf32>, tensor<0x4xf32>, tensor<0x4xi32>) -> (tensor<0x4xf32>, tensor<0x4xf32>, tensor<0x4xi32>)
  return %0#2 : tensor<0x4xi32>
}

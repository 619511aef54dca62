// RUN: ttmlir-opt --ttir-load-system-desc --ttir-implicit-device --ttir-generic --ttir-layout="init-memory-space=l1 default-memory-space=l1 default-device-memory-layout=none" --ttir-generic-region-operands-to-memref --ttir-allocate %s | FileCheck %s
// Arguments first, then tensors in the order of the text, freed behind their last reader; a small
// program takes new memory for each.
#any_device = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile>
// CHECK-LABEL: func.func @forward
// CHECK-SAME: tt.arg_alloc = [#tt.arg_alloc<1024, 32768, l1>, #tt.arg_alloc<33792, 32768, l1>]
// CHECK-NEXT: %[[A:.*]] = "ttir.alloc"() <{address = 66560 : i64, memory_space = #l1_, size = 32768 : i64}>
// CHECK-NEXT: "ttir.to_layout"(%arg0, %[[A]])
// CHECK-NEXT: %[[B:.*]] = "ttir.alloc"() <{address = 99328 : i64, memory_space = #l1_, size = 32768 : i64}>
// CHECK-NEXT: "ttir.to_layout"(%arg1, %[[B]])
// CHECK-NEXT: %[[OUT:.*]] = "ttir.alloc"() <{address = 132096 : i64, memory_space = #l1_, size = 32768 : i64}>
// CHECK-NEXT: %[[C:.*]] = "ttir.generic"(%{{.*}}, %{{.*}}, %[[OUT]])
// CHECK: "ttir.dealloc"(%[[B]])
// CHECK-NEXT: "ttir.dealloc"(%[[A]])
// CHECK-NEXT: %[[R:.*]] = "ttir.alloc"() <{address = 164864 : i64, memory_space = #l1_, size = 32768 : i64}>
// CHECK-NEXT: %[[RESULT:.*]] = "ttir.to_layout"(%[[C]], %[[R]])
// CHECK-NEXT: "ttir.dealloc"(%[[OUT]])
// CHECK-NEXT: return %[[RESULT]]
func.func @forward(%arg0: tensor<64x128xf32>, %arg1: tensor<64x128xf32>) -> tensor<64x128xf32> {
  %0 = tensor.empty() : tensor<64x128xf32>
  %1 = "ttir.multiply"(%arg0, %arg1, %0) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any_device, #any_device, #any_device]}> : (tensor<64x128xf32>, tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  return %1 : tensor<64x128xf32>
}

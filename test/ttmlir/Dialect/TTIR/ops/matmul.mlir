// RUN: ttmlir-opt %s | ttmlir-opt | FileCheck %s
// Matrix products, batched too.
#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
// CHECK-LABEL: func.func @matmul
// CHECK: "ttir.matmul"(%{{.*}}, %{{.*}}, %{{.*}}) <{operand_constraints = [#any_device, #any_device, #any_device]}>
func.func @matmul(%a: tensor<64x128xbf16>, %b: tensor<128x96xbf16>) {
  %0 = tensor.empty() : tensor<64x96xbf16>
  %1 = "ttir.matmul"(%a, %b, %0) <{operand_constraints = [#any, #any, #any]}> : (tensor<64x128xbf16>, tensor<128x96xbf16>, tensor<64x96xbf16>) -> tensor<64x96xbf16>
  return
}
// CHECK-LABEL: func.func @batch
// CHECK: "ttir.matmul"(%{{.*}}, %{{.*}}, %{{.*}}) <{operand_constraints = [#any_device, #any_device, #any_device]}>
func.func @batch(%a: tensor<7x64x128xf32>, %b: tensor<7x128x96xf32>) {
  %0 = tensor.empty() : tensor<7x64x96xf32>
  %1 = "ttir.matmul"(%a, %b, %0) <{operand_constraints = [#any, #any, #any]}> : (tensor<7x64x128xf32>, tensor<7x128x96xf32>, tensor<7x64x96xf32>) -> tensor<7x64x96xf32>
  return
}
// CHECK-LABEL: func.func @batch_broadcasts
// CHECK: "ttir.matmul"(%{{.*}}, %{{.*}}, %{{.*}}) <{operand_constraints = [#any_device, #any_device, #any_device]}>
func.func @batch_broadcasts(%a: tensor<1x5x64x128xf32>, %b: tensor<7x1x128x96xf32>) {
  %0 = tensor.empty() : tensor<7x5x64x96xf32>
  %1 = "ttir.matmul"(%a, %b, %0) <{operand_constraints = [#any, #any, #any]}> : (tensor<1x5x64x128xf32>, tensor<7x1x128x96xf32>, tensor<7x5x64x96xf32>) -> tensor<7x5x64x96xf32>
  return
}

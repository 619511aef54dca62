// RUN: ttmlir-opt --ttir-generic-kernel %s | FileCheck %s
// Six elementwise ops become kernels by name, and kernels go into generics on one core.
#any = #tt.operand_constraint<any>
// CHECK-DAG: #[[ID:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG: #[[LHS:.*]] = affine_map<(d0, d1, d2) -> (d0, d2)>
// CHECK-DAG: #[[RHS:.*]] = affine_map<(d0, d1, d2) -> (d2, d1)>
// CHECK-DAG: #[[OUT:.*]] = affine_map<(d0, d1, d2) -> (d0, d1)>
// CHECK-LABEL: func.func @eltwise
func.func @eltwise(%a: tensor<64x128xf32>, %b: tensor<64x128xf32>) -> tensor<64x128xf32> {
  // CHECK: "ttir.generic"(%arg0, %arg1, %{{.*}}) <{grid = #tt.grid<1x1>, indexing_maps = [#[[ID]], #[[ID]], #[[ID]]], iterator_types = [#parallel, #parallel], operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any_device, #any_device, #any_device]}>
  // CHECK-NEXT: ^bb0(%[[A:.*]]: tensor<64x128xf32>, %[[B:.*]]: tensor<64x128xf32>, %[[O:.*]]: tensor<64x128xf32>)
  // CHECK-NEXT: %[[K:.*]] = "ttir.kernel"(%[[A]], %[[B]], %[[O]]) <{kind = @eltwise, op = @ge, operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}>
  // CHECK-NEXT: "ttir.yield"(%[[K]])
  %0 = tensor.empty() : tensor<64x128xf32>
  %1 = "ttir.ge"(%a, %b, %0) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<64x128xf32>, tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  // CHECK: op = @relu
  %2 = tensor.empty() : tensor<64x128xf32>
  %3 = "ttir.relu"(%1, %2) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  // CHECK: "ttir.exp"
  %4 = tensor.empty() : tensor<64x128xf32>
  %5 = "ttir.exp"(%3, %4) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  return %5 : tensor<64x128xf32>
}
// CHECK-LABEL: func.func @matmul
// CHECK: "ttir.generic"{{.*}}indexing_maps = [#[[LHS]], #[[RHS]], #[[OUT]]], iterator_types = [#parallel, #parallel, #systolic]{{.*}}operand_constraints = [#any_device_tile, #any_device_tile, #any_device_tile]
// CHECK: kind = @matmul, op = @mm
func.func @matmul(%a: tensor<64x128xf32>, %b: tensor<128x96xf32>) -> tensor<64x96xf32> {
  %0 = tensor.empty() : tensor<64x96xf32>
  %1 = "ttir.kernel"(%a, %b, %0) <{kind = @matmul, op = @mm, operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<64x128xf32>, tensor<128x96xf32>, tensor<64x96xf32>) -> tensor<64x96xf32>
  return %1 : tensor<64x96xf32>
}

// RUN: ttmlir-opt --ttir-generic %s | FileCheck %s
// Every elementwise op goes into a generic of its own: additions and multiplications of floats as
// those of 'arith', all others, and those of integers, as they are.
#any = #tt.operand_constraint<any>
// CHECK-DAG: #[[ID:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG: #[[ROW:.*]] = affine_map<(d0, d1) -> (d1)>
// CHECK-DAG: #[[COLUMN:.*]] = affine_map<(d0, d1) -> (d0, 0)>
// CHECK-LABEL: func.func @arithmetic
func.func @arithmetic(%a: tensor<64x128xf32>, %b: tensor<64x128xf32>) -> tensor<64x128xf32> {
  // CHECK: %[[E:.*]] = tensor.empty
  // CHECK-NEXT: %[[M:.*]] = "ttir.generic"(%arg0, %arg1, %[[E]]) <{grid = #tt.grid<1x1>, indexing_maps = [#[[ID]], #[[ID]], #[[ID]]], iterator_types = [#parallel, #parallel], operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any_device_tile, #any_device_tile, #any_device_tile]}> ({
  // CHECK-NEXT: ^bb0(%[[A:.*]]: tensor<64x128xf32>, %[[B:.*]]: tensor<64x128xf32>, %{{.*}}: tensor<64x128xf32>):
  // CHECK-NEXT: %[[R:.*]] = arith.mulf %[[A]], %[[B]] : tensor<64x128xf32>
  // CHECK-NEXT: "ttir.yield"(%[[R]]) : (tensor<64x128xf32>) -> ()
  %0 = tensor.empty() : tensor<64x128xf32>
  %1 = "ttir.multiply"(%a, %b, %0) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<64x128xf32>, tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  // A tensor that is read twice is an operand twice.
  // CHECK: "ttir.generic"(%[[M]], %[[M]],
  // CHECK: arith.addf
  %2 = tensor.empty() : tensor<64x128xf32>
  %3 = "ttir.add"(%1, %1, %2) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<64x128xf32>, tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  // CHECK: ^bb0(%[[X:.*]]: tensor<64x128xf32>, %[[OUT:.*]]: tensor<64x128xf32>)
  // CHECK-NEXT: "ttir.clamp"(%[[X]], %[[OUT]]) <{max = 6.000000e+00 : f32, min = 0.000000e+00 : f32,
  %4 = tensor.empty() : tensor<64x128xf32>
  %5 = "ttir.clamp"(%3, %4) <{max = 6.0 : f32, min = 0.0 : f32, operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  return %5 : tensor<64x128xf32>
}
// CHECK-LABEL: func.func @integers
// CHECK: ^bb0(%[[A:.*]]: tensor<64x128xi32>, %[[B:.*]]: tensor<64x128xi32>, %[[OUT:.*]]: tensor<64x128xi32>)
// CHECK-NEXT: "ttir.add"(%[[A]], %[[B]], %[[OUT]])
func.func @integers(%a: tensor<64x128xi32>, %b: tensor<64x128xi32>) -> tensor<64x128xi32> {
  %0 = tensor.empty() : tensor<64x128xi32>
  %1 = "ttir.add"(%a, %b, %0) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<64x128xi32>, tensor<64x128xi32>, tensor<64x128xi32>) -> tensor<64x128xi32>
  return %1 : tensor<64x128xi32>
}
// What is broadcast has a map without the dimensions along which it is the same.
// CHECK-LABEL: func.func @broadcast
// CHECK: "ttir.generic"(%arg0, %arg1, %{{.*}}indexing_maps = [#[[ROW]], #[[COLUMN]], #[[ID]]]
// CHECK: "ttir.add"
func.func @broadcast(%a: tensor<128xf32>, %b: tensor<64x1xf32>) -> tensor<64x128xf32> {
  %0 = tensor.empty() : tensor<64x128xf32>
  %1 = "ttir.add"(%a, %b, %0) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<128xf32>, tensor<64x1xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  return %1 : tensor<64x128xf32>
}

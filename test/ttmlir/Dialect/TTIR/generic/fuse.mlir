// RUN: ttmlir-opt --ttir-generic="fuse=true" %s | FileCheck %s
// RUN: ttmlir-opt --ttir-generic="fuse=true" --remarks %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// What only one generic reads is computed in it.
// REMARK-DAG: remark: [Passed] Fused | Category:ttir-generic{{.*}} | Op={{.*}}, Reason="{{[0-9]+}} ops become one generic with
#any = #tt.operand_constraint<any>
// CHECK-LABEL: func.func @swish
// CHECK: %[[E:.*]] = tensor.empty
// CHECK-NEXT: %[[G:.*]] = "ttir.generic"(%arg0, %arg1, %[[E]])
// CHECK-NEXT: ^bb0(%[[A:.*]]: tensor<64x128xf32>, %[[B:.*]]: tensor<128xf32>, %[[OUT:.*]]: tensor<64x128xf32>)
// CHECK-NEXT: %[[X:.*]] = "ttir.add"(%[[A]], %[[B]], %[[OUT]])
// CHECK-NEXT: %[[S:.*]] = "ttir.sigmoid"(%[[X]], %[[OUT]])
// CHECK-NEXT: %[[Y:.*]] = "ttir.multiply"(%[[X]], %[[S]], %[[OUT]])
// CHECK-NEXT: "ttir.yield"(%[[Y]])
// CHECK-NEXT: })
// CHECK-NEXT: return %[[G]]
func.func @swish(%a: tensor<64x128xf32>, %b: tensor<128xf32>) -> tensor<64x128xf32> {
  %0 = tensor.empty() : tensor<64x128xf32>
  %1 = "ttir.add"(%a, %b, %0) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<64x128xf32>, tensor<128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  %2 = tensor.empty() : tensor<64x128xf32>
  %3 = "ttir.sigmoid"(%1, %2) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  %4 = tensor.empty() : tensor<64x128xf32>
  %5 = "ttir.multiply"(%1, %3, %4) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<64x128xf32>, tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  return %5 : tensor<64x128xf32>
}
// Of another format than the result: a destination of its own.
// CHECK-LABEL: func.func @formats
// CHECK: ^bb0(%[[A:.*]]: tensor<64x128xbf16>, %[[OUT:.*]]: tensor<64x128xbf16>)
// CHECK-NEXT: %[[E:.*]] = tensor.empty() : tensor<64x128xf32>
// CHECK-NEXT: %[[W:.*]] = "ttir.typecast"(%[[A]], %[[E]])
// CHECK-NEXT: "ttir.typecast"(%[[W]], %[[OUT]])
func.func @formats(%a: tensor<64x128xbf16>) -> tensor<64x128xbf16> {
  %0 = tensor.empty() : tensor<64x128xf32>
  %1 = "ttir.typecast"(%a, %0) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<64x128xbf16>, tensor<64x128xf32>) -> tensor<64x128xf32>
  %2 = tensor.empty() : tensor<64x128xbf16>
  %3 = "ttir.typecast"(%1, %2) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<64x128xf32>, tensor<64x128xbf16>) -> tensor<64x128xbf16>
  return %3 : tensor<64x128xbf16>
}
// Not fused: what is returned too, what has another shape, integers with floats.
// CHECK-LABEL: func.func @apart
// CHECK-COUNT-5: "ttir.generic"
// CHECK-NOT: "ttir.generic"
// CHECK: return
func.func @apart(%a: tensor<64x128xf32>, %b: tensor<128xf32>) -> (tensor<64x128xf32>, tensor<64x128xi32>) {
  %0 = tensor.empty() : tensor<64x128xf32>
  %1 = "ttir.exp"(%a, %0) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  %2 = tensor.empty() : tensor<128xf32>
  %3 = "ttir.neg"(%b, %2) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<128xf32>, tensor<128xf32>) -> tensor<128xf32>
  %4 = tensor.empty() : tensor<64x128xf32>
  %5 = "ttir.subtract"(%1, %3, %4) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<64x128xf32>, tensor<128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  %6 = tensor.empty() : tensor<64x128xi32>
  %7 = "ttir.typecast"(%5, %6) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<64x128xf32>, tensor<64x128xi32>) -> tensor<64x128xi32>
  %8 = tensor.empty() : tensor<64x128xi32>
  %9 = "ttir.abs"(%7, %8) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<64x128xi32>, tensor<64x128xi32>) -> tensor<64x128xi32>
  return %1, %9 : tensor<64x128xf32>, tensor<64x128xi32>
}

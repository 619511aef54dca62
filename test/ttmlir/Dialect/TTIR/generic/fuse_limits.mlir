// RUN: ttmlir-opt --ttir-generic="fuse=true" %s | FileCheck %s
// RUN: ttmlir-opt --ttir-generic="fuse=true" --remarks %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// A generic has at most 8 inputs, 32 ops, and 4 tiles at a time.
// REMARK-DAG: remark: [Missed] NotFused | Category:ttir-generic | Function=inputs | Op=ttir.add, Reason="does not join the generic of 'ttir.add': the generic would have more inputs than circular buffers
// REMARK-DAG: remark: [Missed] NotFused | Category:ttir-generic | Function=tiles | Op={{.*}}, Reason="does not join the generic of {{.*}}: the generic would need more tiles at a time than the destination registers hold
#any = #tt.operand_constraint<any>
// CHECK-LABEL: func.func @inputs
// CHECK: "ttir.generic"(%arg0, %arg1, %{{[a-z0-9]*}})
// CHECK: "ttir.generic"(%{{.*}}, %arg2, %arg3, %arg4, %arg5, %arg6, %arg7, %arg8, %{{[a-z0-9]*}})
// CHECK-NOT: "ttir.generic"
// CHECK: return
func.func @inputs(%a0: tensor<32x32xf32>, %a1: tensor<32x32xf32>, %a2: tensor<32x32xf32>, %a3: tensor<32x32xf32>, %a4: tensor<32x32xf32>, %a5: tensor<32x32xf32>, %a6: tensor<32x32xf32>, %a7: tensor<32x32xf32>, %a8: tensor<32x32xf32>) -> tensor<32x32xf32> {
  %ev1 = tensor.empty() : tensor<32x32xf32>
  %v1 = "ttir.add"(%a0, %a1, %ev1) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  %ev2 = tensor.empty() : tensor<32x32xf32>
  %v2 = "ttir.add"(%v1, %a2, %ev2) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  %ev3 = tensor.empty() : tensor<32x32xf32>
  %v3 = "ttir.add"(%v2, %a3, %ev3) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  %ev4 = tensor.empty() : tensor<32x32xf32>
  %v4 = "ttir.add"(%v3, %a4, %ev4) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  %ev5 = tensor.empty() : tensor<32x32xf32>
  %v5 = "ttir.add"(%v4, %a5, %ev5) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  %ev6 = tensor.empty() : tensor<32x32xf32>
  %v6 = "ttir.add"(%v5, %a6, %ev6) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  %ev7 = tensor.empty() : tensor<32x32xf32>
  %v7 = "ttir.add"(%v6, %a7, %ev7) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  %ev8 = tensor.empty() : tensor<32x32xf32>
  %v8 = "ttir.add"(%v7, %a8, %ev8) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  return %v8 : tensor<32x32xf32>
}
// With all eight leaves, the last two would lie beside two results and need a third place for theirs.
// CHECK-LABEL: func.func @tiles
// CHECK-COUNT-2: "ttir.generic"
// CHECK-NOT: "ttir.generic"
// CHECK: return
func.func @tiles(%x: tensor<32x32xf32>) -> tensor<32x32xf32> {
  %eu0 = tensor.empty() : tensor<32x32xf32>
  %u0 = "ttir.exp"(%x, %eu0) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  %eu1 = tensor.empty() : tensor<32x32xf32>
  %u1 = "ttir.sin"(%x, %eu1) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  %eu2 = tensor.empty() : tensor<32x32xf32>
  %u2 = "ttir.cos"(%x, %eu2) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  %eu3 = tensor.empty() : tensor<32x32xf32>
  %u3 = "ttir.tanh"(%x, %eu3) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  %eu4 = tensor.empty() : tensor<32x32xf32>
  %u4 = "ttir.exp"(%x, %eu4) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  %eu5 = tensor.empty() : tensor<32x32xf32>
  %u5 = "ttir.sin"(%x, %eu5) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  %eu6 = tensor.empty() : tensor<32x32xf32>
  %u6 = "ttir.cos"(%x, %eu6) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  %eu7 = tensor.empty() : tensor<32x32xf32>
  %u7 = "ttir.tanh"(%x, %eu7) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  %et0 = tensor.empty() : tensor<32x32xf32>
  %t0 = "ttir.maximum"(%u0, %u1, %et0) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  %et1 = tensor.empty() : tensor<32x32xf32>
  %t1 = "ttir.maximum"(%u2, %u3, %et1) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  %et2 = tensor.empty() : tensor<32x32xf32>
  %t2 = "ttir.maximum"(%u4, %u5, %et2) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  %et3 = tensor.empty() : tensor<32x32xf32>
  %t3 = "ttir.maximum"(%u6, %u7, %et3) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  %et4 = tensor.empty() : tensor<32x32xf32>
  %t4 = "ttir.maximum"(%t0, %t1, %et4) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  %et5 = tensor.empty() : tensor<32x32xf32>
  %t5 = "ttir.maximum"(%t2, %t3, %et5) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  %et6 = tensor.empty() : tensor<32x32xf32>
  %t6 = "ttir.maximum"(%t4, %t5, %et6) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  return %t6 : tensor<32x32xf32>
}
// CHECK-LABEL: func.func @ops
// CHECK-COUNT-2: "ttir.generic"
// CHECK-NOT: "ttir.generic"
// CHECK: return
func.func @ops(%x: tensor<32x32xf32>) -> tensor<32x32xf32> {
  %ec0 = tensor.empty() : tensor<32x32xf32>
  %c0 = "ttir.exp"(%x, %ec0) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  %ec1 = tensor.empty() : tensor<32x32xf32>
  %c1 = "ttir.exp"(%c0, %ec1) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  %ec2 = tensor.empty() : tensor<32x32xf32>
  %c2 = "ttir.exp"(%c1, %ec2) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  %ec3 = tensor.empty() : tensor<32x32xf32>
  %c3 = "ttir.exp"(%c2, %ec3) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  %ec4 = tensor.empty() : tensor<32x32xf32>
  %c4 = "ttir.exp"(%c3, %ec4) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  %ec5 = tensor.empty() : tensor<32x32xf32>
  %c5 = "ttir.exp"(%c4, %ec5) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  %ec6 = tensor.empty() : tensor<32x32xf32>
  %c6 = "ttir.exp"(%c5, %ec6) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  %ec7 = tensor.empty() : tensor<32x32xf32>
  %c7 = "ttir.exp"(%c6, %ec7) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  %ec8 = tensor.empty() : tensor<32x32xf32>
  %c8 = "ttir.exp"(%c7, %ec8) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  %ec9 = tensor.empty() : tensor<32x32xf32>
  %c9 = "ttir.exp"(%c8, %ec9) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  %ec10 = tensor.empty() : tensor<32x32xf32>
  %c10 = "ttir.exp"(%c9, %ec10) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  %ec11 = tensor.empty() : tensor<32x32xf32>
  %c11 = "ttir.exp"(%c10, %ec11) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  %ec12 = tensor.empty() : tensor<32x32xf32>
  %c12 = "ttir.exp"(%c11, %ec12) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  %ec13 = tensor.empty() : tensor<32x32xf32>
  %c13 = "ttir.exp"(%c12, %ec13) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  %ec14 = tensor.empty() : tensor<32x32xf32>
  %c14 = "ttir.exp"(%c13, %ec14) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  %ec15 = tensor.empty() : tensor<32x32xf32>
  %c15 = "ttir.exp"(%c14, %ec15) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  %ec16 = tensor.empty() : tensor<32x32xf32>
  %c16 = "ttir.exp"(%c15, %ec16) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  %ec17 = tensor.empty() : tensor<32x32xf32>
  %c17 = "ttir.exp"(%c16, %ec17) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  %ec18 = tensor.empty() : tensor<32x32xf32>
  %c18 = "ttir.exp"(%c17, %ec18) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  %ec19 = tensor.empty() : tensor<32x32xf32>
  %c19 = "ttir.exp"(%c18, %ec19) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  %ec20 = tensor.empty() : tensor<32x32xf32>
  %c20 = "ttir.exp"(%c19, %ec20) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  %ec21 = tensor.empty() : tensor<32x32xf32>
  %c21 = "ttir.exp"(%c20, %ec21) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  %ec22 = tensor.empty() : tensor<32x32xf32>
  %c22 = "ttir.exp"(%c21, %ec22) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  %ec23 = tensor.empty() : tensor<32x32xf32>
  %c23 = "ttir.exp"(%c22, %ec23) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  %ec24 = tensor.empty() : tensor<32x32xf32>
  %c24 = "ttir.exp"(%c23, %ec24) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  %ec25 = tensor.empty() : tensor<32x32xf32>
  %c25 = "ttir.exp"(%c24, %ec25) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  %ec26 = tensor.empty() : tensor<32x32xf32>
  %c26 = "ttir.exp"(%c25, %ec26) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  %ec27 = tensor.empty() : tensor<32x32xf32>
  %c27 = "ttir.exp"(%c26, %ec27) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  %ec28 = tensor.empty() : tensor<32x32xf32>
  %c28 = "ttir.exp"(%c27, %ec28) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  %ec29 = tensor.empty() : tensor<32x32xf32>
  %c29 = "ttir.exp"(%c28, %ec29) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  %ec30 = tensor.empty() : tensor<32x32xf32>
  %c30 = "ttir.exp"(%c29, %ec30) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  %ec31 = tensor.empty() : tensor<32x32xf32>
  %c31 = "ttir.exp"(%c30, %ec31) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  %ec32 = tensor.empty() : tensor<32x32xf32>
  %c32 = "ttir.exp"(%c31, %ec32) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  %ec33 = tensor.empty() : tensor<32x32xf32>
  %c33 = "ttir.exp"(%c32, %ec33) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  %ec34 = tensor.empty() : tensor<32x32xf32>
  %c34 = "ttir.exp"(%c33, %ec34) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  %ec35 = tensor.empty() : tensor<32x32xf32>
  %c35 = "ttir.exp"(%c34, %ec35) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  %ec36 = tensor.empty() : tensor<32x32xf32>
  %c36 = "ttir.exp"(%c35, %ec36) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  %ec37 = tensor.empty() : tensor<32x32xf32>
  %c37 = "ttir.exp"(%c36, %ec37) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  %ec38 = tensor.empty() : tensor<32x32xf32>
  %c38 = "ttir.exp"(%c37, %ec38) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  %ec39 = tensor.empty() : tensor<32x32xf32>
  %c39 = "ttir.exp"(%c38, %ec39) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  return %c39 : tensor<32x32xf32>
}

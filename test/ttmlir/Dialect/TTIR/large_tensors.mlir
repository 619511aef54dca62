// RUN: ttmlir-opt --ttir-load-system-desc --ttir-implicit-device --ttir-layout %s | FileCheck %s
// RUN: ttmlir-opt --ttir-load-system-desc --ttir-implicit-device --ttir-layout="init-memory-space=l1 default-memory-space=l1" %s | FileCheck %s
// RUN: ttmlir-opt --ttir-to-ttnn-backend-pipeline %s | FileCheck %s
// RUN: not ttmlir-opt --ttir-to-ttmetal-backend-pipeline %s 2>&1 | FileCheck --check-prefix=TTMETAL %s
// The largest tensors that ops accept have layouts, with tiles of their own for each matrix too. What
// no memory holds is an error of allocation.
// TTMETAL: large_tensors.mlir:[[#@LINE+5]]:17: error: out of memory in dram

#any = #tt.operand_constraint<any>
// CHECK-LABEL: func.func @flat
// CHECK: tensor<8x32x65536x65536xbf16, #
func.func @flat(%a: tensor<8x32x65536x65536xbf16>, %out: tensor<8x32x65536x65536xbf16>) -> tensor<8x32x65536x65536xbf16> {
  %0 = "ttir.relu"(%a, %out) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<8x32x65536x65536xbf16>, tensor<8x32x65536x65536xbf16>) -> tensor<8x32x65536x65536xbf16>
  return %0 : tensor<8x32x65536x65536xbf16>
}

// CHECK-LABEL: func.func @columns
// CHECK: tensor<1048576x1048576x1x1xbf16, #
func.func @columns(%a: tensor<1048576x1048576x1x1xbf16>, %out: tensor<1048576x1048576x1x1xbf16>) -> tensor<1048576x1048576x1x1xbf16> {
  %0 = "ttir.relu"(%a, %out) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<1048576x1048576x1x1xbf16>, tensor<1048576x1048576x1x1xbf16>) -> tensor<1048576x1048576x1x1xbf16>
  return %0 : tensor<1048576x1048576x1x1xbf16>
}

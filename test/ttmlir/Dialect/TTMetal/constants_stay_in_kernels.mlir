// RUN: ttmlir-opt --canonicalize %s | FileCheck %s
// Constants of a kernel are not moved to the program around it.
// CHECK-LABEL: func.func @program
// CHECK-NEXT: "ttmetal.dispatch"
// CHECK-NEXT: ^bb0
// CHECK-NEXT: %[[N:.*]] = arith.constant 3 : i32
// CHECK-NEXT: "ttkernel.cb_wait_front"(%{{.*}}, %[[N]])
func.func @program() {
  "ttmetal.dispatch"() <{core_ranges = [#ttmetal.core_range<0x0, 1x1>], kernelConfigs = [#ttkernel.noc_config<noc0>], operandSegmentSizes = array<i32: 0, 0>}> ({
  ^bb0(%cb: !ttkernel.cb<cb_in0, 1024, memref<4x8xi8>, 8, 1>):
    %one = arith.constant 1 : i32
    %two = arith.constant 2 : i32
    %n = arith.addi %one, %two : i32
    "ttkernel.cb_wait_front"(%cb, %n) : (!ttkernel.cb<cb_in0, 1024, memref<4x8xi8>, 8, 1>, i32) -> ()
    "ttkernel.return"() : () -> ()
  }) : () -> ()
  return
}

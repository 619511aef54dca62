// RUN: ttmlir-opt --ttir-load-system-desc --ttir-implicit-device %s | ttmlir-translate --ttmetal-to-flatbuffer -o %t.ttm
// RUN: %python %S/Inputs/ttmetal_json.py %schema %t.ttm > %t.txt
// RUN: FileCheck %s < %t.txt
// Integer arithmetic, branches of the kernel's own, and constants of the program around it.
// CHECK: constants [7, 4294967295, 1]
// CHECK-NEXT: 0: core_index -> r4
// CHECK-NEXT: 1: divsi -> r5 4 0
// CHECK-NEXT: 2: remui -> r6 5 1
// CHECK-NEXT: 3: cmpi -> r7 6 6 4
// CHECK-NEXT: 4: select -> r8 7 5 6
// CHECK-NEXT: 5: trunci -> r6 8 8
// CHECK-NEXT: 6: extsi -> r8 8 6
// CHECK-NEXT: 7: move -> r5 6
// CHECK-NEXT: 8: move -> r6 8
// CHECK-NEXT: 9: move -> r8 5
// CHECK-NEXT: 10: maxui -> r5 6 8
// CHECK-NEXT: 11: move -> r8 5
// CHECK-NEXT: 12: xori -> r5 7 2
// Both ways of the condition give the block its argument first.
// CHECK-NEXT: 13: cond_br 5 14 16
// CHECK-NEXT: 14: move -> r3 8
// CHECK-NEXT: 15: br 18
// CHECK-NEXT: 16: move -> r3 4
// CHECK-NEXT: 17: br 18
// CHECK-NEXT: 18: noc_semaphore_set 3 4
// CHECK-NEXT: 19: ret
// Variables stand in front of what is jumped over.
// CHECK: void kernel_main() {
// CHECK-NEXT: int32_t v1;
// CHECK: goto [[LABEL:label[0-9]+]];
// CHECK: [[LABEL]]:
func.func @program() {
  %outside = arith.constant 7 : i32
  "ttmetal.dispatch"() <{core_ranges = [#ttmetal.core_range<0x0, 1x1>], kernelConfigs = [#ttkernel.noc_config<noc0>], operandSegmentSizes = array<i32: 0, 0>}> ({
    %minus = arith.constant -1 : i32
    %true = arith.constant true
    %i = "ttkernel.core_index"() : () -> i32
    %0 = arith.divsi %i, %outside : i32
    %1 = arith.remui %0, %minus : i32
    %2 = arith.cmpi ult, %1, %i : i32
    %3 = arith.select %2, %0, %1 : i32
    %4 = arith.trunci %3 : i32 to i8
    %5 = arith.extsi %4 : i8 to i32
    %6 = arith.extui %4 : i8 to i32
    %7 = arith.index_cast %5 : i32 to index
    %8 = arith.index_cast %6 : i32 to index
    %9 = arith.maxui %7, %8 : index
    %10 = arith.index_cast %9 : index to i32
    %11 = arith.xori %2, %true : i1
    cf.cond_br %11, ^end(%10 : i32), ^end(%i : i32)
  ^end(%x: i32):
    "ttkernel.noc_semaphore_set"(%x, %i) : (i32, i32) -> ()
    "ttkernel.return"() : () -> ()
  }) : () -> ()
  return
}

// RUN: ttmlir-opt --convert-scf-to-tt --ttir-legalize-types --ttir-load-system-desc --ttir-layout="pad-to-tiles=true" --ttir-in-place --split-input-file %s | FileCheck %s
// RUN: ttmlir-opt --convert-scf-to-tt --ttir-legalize-types --ttir-load-system-desc --ttir-layout="pad-to-tiles=true" --ttir-in-place --remarks --split-input-file %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// REMARK: remark: [Passed] CarriedCopy | Category:ttir-in-place | Function=callers

#any = #tt.operand_constraint<any_device_tile>

// What a loop carries is changed in its memory. It is the caller's here, so that the
// loop gets a copy.
// CHECK-LABEL: func.func @callers(
// CHECK: %[[CACHE:.*]] = "ttir.to_layout"(%arg0
// CHECK: %[[COPY:.*]] = "ttir.to_layout"(%[[CACHE]]
// CHECK: tt.for(@callers_for_0, 4, {{.*}}%[[COPY]]
// CHECK: func.func private @callers_for_0(
// CHECK: %[[NEW:.*]] = "ttir.update_slice"(%[[ARG:arg[0-9]+|%[a-z0-9]+]], %{{.*}}, %{{.*}}, %[[ARG]])
func.func @callers(%cache: tensor<64x32xf32>, %rows: tensor<1x32xf32>) -> (tensor<64x32xf32>, tensor<64x32xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %e = tensor.empty() : tensor<64x32xf32>
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%x = %cache) -> (tensor<64x32xf32>) {
    %j = arith.index_cast %i : index to i32
    %at = tensor.from_elements %j : tensor<1xi32>
    %0 = tensor.empty() : tensor<64x32xf32>
    %1 = "ttir.update_slice"(%x, %rows, %at, %0) <{clamp = true, dims = array<i64: 0>, operand_constraints = [#any, #any, #any, #any], starts = array<i64: 0, 0>}> : (tensor<64x32xf32>, tensor<1x32xf32>, tensor<1xi32>, tensor<64x32xf32>) -> tensor<64x32xf32>
    scf.yield %1 : tensor<64x32xf32>
  }
  %s = "ttir.add"(%cache, %r, %e) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<64x32xf32>, tensor<64x32xf32>, tensor<64x32xf32>) -> tensor<64x32xf32>
  return %r, %s : tensor<64x32xf32>, tensor<64x32xf32>
}

// -----

#any = #tt.operand_constraint<any_device_tile>

// A donated argument goes through the loop and comes back in its memory.
// CHECK-LABEL: func.func @donated(
// CHECK-SAME: %[[CACHE:[^:]*]]: tensor<64x32xf32
// CHECK-NOT: "ttir.to_layout"(%[[CACHE]]
// CHECK: %[[OUT:[0-9]+]]:2 = tt.while(@donated_before_0, @donated_after_1, [%[[CACHE]], %{{.*}}]
// CHECK-NEXT: return %[[OUT]]#0
func.func @donated(%cache: tensor<64x32xf32> {tt.aliased_output = 0 : i64}, %rows: tensor<1x32xf32>, %n: tensor<1xsi32>) -> tensor<64x32xf32> {
  %r:2 = scf.while (%x = %cache, %i = %n) : (tensor<64x32xf32>, tensor<1xsi32>) -> (tensor<64x32xf32>, tensor<1xsi32>) {
    %c0 = arith.constant 0 : index
    %k = tensor.extract %i[%c0] : tensor<1xsi32>
    %k32 = builtin.unrealized_conversion_cast %k : si32 to i32
    %zero = arith.constant 0 : i32
    %go = arith.cmpi sgt, %k32, %zero : i32
    scf.condition(%go) %x, %i : tensor<64x32xf32>, tensor<1xsi32>
  } do {
  ^bb0(%x: tensor<64x32xf32>, %i: tensor<1xsi32>):
    %0 = tensor.empty() : tensor<64x32xf32>
    %1 = "ttir.update_slice"(%x, %rows, %i, %0) <{clamp = true, dims = array<i64: 0>, operand_constraints = [#any, #any, #any, #any], starts = array<i64: 0, 0>}> : (tensor<64x32xf32>, tensor<1x32xf32>, tensor<1xsi32>, tensor<64x32xf32>) -> tensor<64x32xf32>
    %one = "ttir.constant"() <{value = dense<1> : tensor<1xsi32>}> : () -> tensor<1xsi32>
    %2 = tensor.empty() : tensor<1xsi32>
    %3 = "ttir.subtract"(%i, %one, %2) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<1xsi32>, tensor<1xsi32>, tensor<1xsi32>) -> tensor<1xsi32>
    scf.yield %1, %3 : tensor<64x32xf32>, tensor<1xsi32>
  }
  return %r#0 : tensor<64x32xf32>
}

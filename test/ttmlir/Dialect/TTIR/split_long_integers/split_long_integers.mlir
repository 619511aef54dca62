// RUN: ttmlir-opt --ttir-split-long-integers %s | FileCheck %s
// Integers of 64 bits are words where 32 bits may not hold them and something
// depends on the upper ones.
#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>

// The host makes integers of a lower and an upper row.
// CHECK-LABEL: func.func @product
// CHECK-SAME: (%arg0: tensor<4xsi64>) -> (tensor<2x4xui32> {tt.host_type = tensor<4xsi64>})
func.func @product(%x: tensor<4xsi64>) -> tensor<4xsi64> {
  // CHECK-NOT: "ttir.multiply"{{.*}}si64
  // CHECK: %[[R:.*]] = "ttir.concat"({{.*}} -> tensor<2x4xui32>
  // CHECK: return %[[R]]
  %0 = tensor.empty() : tensor<4xsi64>
  %1 = "ttir.multiply"(%x, %x, %0) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<4xsi64>, tensor<4xsi64>, tensor<4xsi64>) -> tensor<4xsi64>
  return %1 : tensor<4xsi64>
}

// Nothing looks at the upper word of a place.
// CHECK-LABEL: func.func @places
func.func @places(%ids: tensor<2x3xsi64>, %table: tensor<64x32xbf16>) -> tensor<2x3x32xbf16> {
  // CHECK: "ttir.add"{{.*}} -> tensor<2x3xsi64>
  // CHECK-NOT: ui32
  %0 = tensor.empty() : tensor<2x3xsi64>
  %1 = "ttir.add"(%ids, %ids, %0) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<2x3xsi64>, tensor<2x3xsi64>, tensor<2x3xsi64>) -> tensor<2x3xsi64>
  %2 = tensor.empty() : tensor<2x3x32xbf16>
  %3 = "ttir.embedding"(%1, %table, %2) <{operand_constraints = [#any, #any, #any]}> : (tensor<2x3xsi64>, tensor<64x32xbf16>, tensor<2x3x32xbf16>) -> tensor<2x3x32xbf16>
  return %3 : tensor<2x3x32xbf16>
}

// Ranges say that 32 bits are enough: 0 to 99 times 1000, and the remainder.
// CHECK-LABEL: func.func @counted
// CHECK-SAME: -> tensor<100xsi64>
func.func @counted() -> tensor<100xsi64> {
  // CHECK-NOT: ui32
  %0 = "ttir.arange"() <{arange_dimension = 0 : i64, end = 100 : si64, start = 0 : si64, step = 1 : si64}> : () -> tensor<100xsi64>
  %1 = "ttir.constant"() <{value = dense<1000> : tensor<1xsi64>}> : () -> tensor<1xsi64>
  %2 = tensor.empty() : tensor<100xsi64>
  %3 = "ttir.multiply"(%0, %1, %2) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<100xsi64>, tensor<1xsi64>, tensor<100xsi64>) -> tensor<100xsi64>
  return %3 : tensor<100xsi64>
}

// The lower words of a mask that has more bits.
// CHECK-LABEL: func.func @mask
func.func @mask(%x: tensor<4xsi64>) -> tensor<4xui32> {
  // CHECK: dense<-1> : tensor<1xsi32>
  // CHECK: "ttir.bitwise_and"{{.*}} -> tensor<4xsi64>
  %0 = "ttir.constant"() <{value = dense<4294967295> : tensor<1xsi64>}> : () -> tensor<1xsi64>
  %1 = tensor.empty() : tensor<4xsi64>
  %2 = "ttir.bitwise_and"(%x, %0, %1) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<4xsi64>, tensor<1xsi64>, tensor<4xsi64>) -> tensor<4xsi64>
  %3 = tensor.empty() : tensor<4xui32>
  %4 = "ttir.typecast"(%2, %3) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<4xsi64>, tensor<4xui32>) -> tensor<4xui32>
  return %4 : tensor<4xui32>
}

// A result in the memory of an argument counts in 32 bits; one that grows faster
// has memory of its own.
// CHECK-LABEL: func.func @memory
// CHECK-SAME: (%arg0: tensor<1xsi64> {tt.aliased_output = 0 : i64}, %arg1: tensor<1xsi64>) -> (tensor<1xsi64>, tensor<2x1xui32> {tt.host_type = tensor<1xsi64>})
func.func @memory(%count: tensor<1xsi64> {tt.aliased_output = 0 : i64}, %x: tensor<1xsi64> {tt.aliased_output = 1 : i64}) -> (tensor<1xsi64>, tensor<1xsi64>) {
  %0 = "ttir.constant"() <{value = dense<1> : tensor<1xsi64>}> : () -> tensor<1xsi64>
  %1 = tensor.empty() : tensor<1xsi64>
  %2 = "ttir.add"(%count, %0, %1) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<1xsi64>, tensor<1xsi64>, tensor<1xsi64>) -> tensor<1xsi64>
  %3 = tensor.empty() : tensor<1xsi64>
  %4 = "ttir.add"(%x, %x, %3) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<1xsi64>, tensor<1xsi64>, tensor<1xsi64>) -> tensor<1xsi64>
  return %2, %4 : tensor<1xsi64>, tensor<1xsi64>
}

// A loop that doubles carries the words; the counter is below the bound.
// CHECK-LABEL: func.func @loop
// CHECK-SAME: -> (tensor<2x1xui32> {tt.host_type = tensor<1xsi64>}, tensor<1xsi64>)
func.func @loop(%x: tensor<1xsi64>) -> (tensor<1xsi64>, tensor<1xsi64>) {
  %zero = "ttir.constant"() <{value = dense<0> : tensor<1xsi64>}> : () -> tensor<1xsi64>
  %one = "ttir.constant"() <{value = dense<1> : tensor<1xsi64>}> : () -> tensor<1xsi64>
  %bound = "ttir.constant"() <{value = dense<10> : tensor<1xsi64>}> : () -> tensor<1xsi64>
  // CHECK: scf.while ({{.*}}) : (tensor<2x1xui32>, tensor<1xsi64>) -> (tensor<2x1xui32>, tensor<1xsi64>)
  %r:2 = scf.while (%a = %x, %i = %zero) : (tensor<1xsi64>, tensor<1xsi64>) -> (tensor<1xsi64>, tensor<1xsi64>) {
    %e = tensor.empty() : tensor<1xi1>
    %less = "ttir.lt"(%i, %bound, %e) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<1xsi64>, tensor<1xsi64>, tensor<1xi1>) -> tensor<1xi1>
    %c0 = arith.constant 0 : index
    %goes = tensor.extract %less[%c0] : tensor<1xi1>
    scf.condition(%goes) %a, %i : tensor<1xsi64>, tensor<1xsi64>
  } do {
  ^bb0(%a: tensor<1xsi64>, %i: tensor<1xsi64>):
    %e0 = tensor.empty() : tensor<1xsi64>
    %b = "ttir.add"(%a, %a, %e0) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<1xsi64>, tensor<1xsi64>, tensor<1xsi64>) -> tensor<1xsi64>
    %e1 = tensor.empty() : tensor<1xsi64>
    %j = "ttir.add"(%i, %one, %e1) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<1xsi64>, tensor<1xsi64>, tensor<1xsi64>) -> tensor<1xsi64>
    scf.yield %b, %j : tensor<1xsi64>, tensor<1xsi64>
  }
  return %r#0, %r#1 : tensor<1xsi64>, tensor<1xsi64>
}

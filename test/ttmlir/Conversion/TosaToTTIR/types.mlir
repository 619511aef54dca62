// RUN: ttmlir-opt --convert-tosa-to-ttir --split-input-file %s | FileCheck %s
// i32 is signed, i1 is ui8, rank 0 is one element; functions, calls and
// declarations too.

// CHECK-LABEL: func.func private @declared(tensor<4xsi32>) -> tensor<4xi1>
func.func private @declared(tensor<4xi32>) -> tensor<4xi1>

// CHECK-LABEL: func.func @callee(
// CHECK-SAME: %{{.*}}: tensor<4xsi32> {some.name = "x"}) -> (tensor<4xsi32> {some.name = "y"})
// CHECK: "ttir.add"({{.*}}) -> tensor<4xsi32>
func.func @callee(%a: tensor<4xi32> {some.name = "x"}) -> (tensor<4xi32> {some.name = "y"}) {
  %0 = tosa.add %a, %a : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  return %0 : tensor<4xi32>
}

// CHECK-LABEL: func.func @caller(
// CHECK-SAME: %[[A:.*]]: tensor<4xsi32>) -> (tensor<4xsi32>, tensor<4xi1>)
// CHECK-NEXT: %[[R:.*]] = call @callee(%[[A]]) : (tensor<4xsi32>) -> tensor<4xsi32>
// CHECK-NEXT: %[[D:.*]] = call @declared(%[[R]]) : (tensor<4xsi32>) -> tensor<4xi1>
// CHECK-NEXT: return %[[R]], %[[D]]
func.func @caller(%a: tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi1>) {
  %0 = call @callee(%a) : (tensor<4xi32>) -> tensor<4xi32>
  %1 = call @declared(%0) : (tensor<4xi32>) -> tensor<4xi1>
  return %0, %1 : tensor<4xi32>, tensor<4xi1>
}

// -----

// CHECK-LABEL: func.func @rank_0(
// CHECK-SAME: %[[A:.*]]: tensor<f32>) -> tensor<f32>
// CHECK: %[[R1:.*]] = "ttir.reshape"(%[[A]], %{{.*}}) <{{.*}}shape = [1 : i32]{{.*}} -> tensor<1xf32>
// CHECK: %[[R3:.*]] = "ttir.exp"(%[[R1]], {{.*}}) -> tensor<1xf32>
// CHECK: %[[R5:.*]] = "ttir.reshape"(%[[R3]], %{{.*}}) <{{.*}}shape = []{{.*}} -> tensor<f32>
// CHECK-NEXT: return %[[R5]]
func.func @rank_0(%a: tensor<f32>) -> tensor<f32> {
  %0 = tosa.exp %a : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

// CHECK-LABEL: func.func @constants
// CHECK: "ttir.constant"() <{value = dense<[true, false, true]> : tensor<3xi1>}>
// CHECK: "ttir.constant"() <{value = dense<true> : tensor<2x2xi1>}>
// CHECK: "ttir.constant"() <{value = dense<[-1, 2147483647]> : tensor<2xsi32>}>
// CHECK: "ttir.constant"() <{value = dense<2.500000e+00> : tensor<1xbf16>}>
// CHECK: "ttir.constant"() <{value = dense<[1.000000e+00, -2.000000e+00]> : tensor<2xf32>}>
func.func @constants() -> (tensor<3xi1>, tensor<2x2xi1>, tensor<2xi32>, tensor<bf16>, tensor<2xf32>) {
  %0 = "tosa.const"() <{values = dense<[true, false, true]> : tensor<3xi1>}> : () -> tensor<3xi1>
  %1 = "tosa.const"() <{values = dense<true> : tensor<2x2xi1>}> : () -> tensor<2x2xi1>
  %2 = "tosa.const"() <{values = dense<[-1, 2147483647]> : tensor<2xi32>}> : () -> tensor<2xi32>
  %3 = "tosa.const"() <{values = dense<2.5> : tensor<bf16>}> : () -> tensor<bf16>
  %4 = "tosa.const"() <{values = dense_resource<two> : tensor<2xf32>}> : () -> tensor<2xf32>
  return %0, %1, %2, %3, %4 : tensor<3xi1>, tensor<2x2xi1>, tensor<2xi32>, tensor<bf16>, tensor<2xf32>
}
{-#
  dialect_resources: {
    builtin: {
      two: "0x040000000000803F000000C0"
    }
  }
#-}

// -----

// What is in TTIR already stays; the types go with the rest.
// CHECK-LABEL: func.func @mixed
// CHECK-NEXT: %[[E:.*]] = tensor.empty() : tensor<4xsi32>
// CHECK-NEXT: %[[R:.*]] = "ttir.neg"(%{{.*}}, %[[E]]) {{.*}} : (tensor<4xsi32>, tensor<4xsi32>) -> tensor<4xsi32>
// CHECK-NEXT: %[[C:.*]] = "ttir.constant"() <{value = dense<3> : tensor<4xsi32>}>
// CHECK-NEXT: tensor.empty
// CHECK-NEXT: "ttir.add"(%[[R]], %[[C]],
#any = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile>
func.func @mixed(%a: tensor<4xi32>) -> tensor<4xi32> {
  %e = tensor.empty() : tensor<4xi32>
  %0 = "ttir.neg"(%a, %e) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  %c = "ttir.constant"() <{value = dense<3> : tensor<4xi32>}> : () -> tensor<4xi32>
  %1 = tosa.add %0, %c : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  return %1 : tensor<4xi32>
}

// -----

// Other functions and their attributes stay, an empty one too.
// CHECK: func.func private @nothing(%arg0: tensor<2xf32>) -> tensor<2xf32> attributes {some.name} {
// CHECK-NEXT: return %arg0
func.func private @nothing(%a: tensor<2xf32>) -> tensor<2xf32> attributes {some.name} {
  return %a : tensor<2xf32>
}

// RUN: ttmlir-opt %s | ttmlir-opt | FileCheck %s
// RUN: ttmlir-opt --mlir-print-op-generic %s | ttmlir-opt | FileCheck %s

func.func private @sum(%a: tensor<4xf32>, %b: tensor<2xf32>) -> (tensor<4xf32>, tensor<2xf32>) attributes {tt.const_eval} {
  return %a, %b : tensor<4xf32>, tensor<2xf32>
}
func.func private @none() attributes {tt.const_eval} {
  return
}

// CHECK-LABEL: func.func @forward
// CHECK-SAME: tensor<4xf32> {tt.argument_type = #tt.argument_type<constant>}
func.func @forward(%x: tensor<4xf32> {tt.argument_type = #tt.argument_type<constant>}, %y: tensor<2xf32>) -> tensor<2xf32> {
  // CHECK: %{{.*}}:2 = tt.load_cached(@sum, [%arg0, %arg1]) : (tensor<4xf32>, tensor<2xf32>) -> (tensor<4xf32>, tensor<2xf32>)
  %0:2 = tt.load_cached(@sum, [%x, %y]) : (tensor<4xf32>, tensor<2xf32>) -> (tensor<4xf32>, tensor<2xf32>)
  // CHECK: tt.load_cached(@none, []) : () -> ()
  tt.load_cached(@none, []) : () -> ()
  return %0#1 : tensor<2xf32>
}

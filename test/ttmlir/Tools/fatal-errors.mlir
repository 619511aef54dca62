// RUN: not ttmlir-opt %s 2>&1 | FileCheck %s
// What the parser of MLIR stops the process for is an error with exit status 1, without a dump.

// CHECK: error: .oob created with unregistered dialect
// CHECK-NOT: Stack dump
func.func @no_dialect(%a: tensor<4x8xf32>, %c: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.reduce { oob } ins(%a : tensor<4x8xf32>) outs(%c : tensor<4xf32>) dimensions = [1]
  return %0 : tensor<4xf32>
}

// RUN: split-file %s %t
// RUN: not ttmlir-opt --ttir-pipeline-stages=stages=5 %t/layers.mlir 2>&1 | FileCheck %s --check-prefix=MANY
// RUN: not ttmlir-opt --ttir-pipeline-stages="stages=2 costs=1,2" %t/layers.mlir 2>&1 | FileCheck %s --check-prefix=COSTS
// RUN: not ttmlir-opt --ttir-pipeline-stages="stages=2 weight-limit=100000" %t/layers.mlir 2>&1 | FileCheck %s --check-prefix=WEIGHTS
// RUN: not ttmlir-opt --ttir-pipeline-stages=stages=2 %t/two.mlir 2>&1 | FileCheck %s --check-prefix=TWO
// RUN: not ttmlir-opt --ttir-pipeline-stages=stages=2 %t/variable.mlir 2>&1 | FileCheck %s --check-prefix=VARIABLE
// RUN: not ttmlir-opt --ttir-pipeline-stages=stages=2 %t/none.mlir 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not ttmlir-opt --ttir-pipeline-stages=stages=2 %t/empty.mlir 2>&1 | FileCheck %s --check-prefix=EMPTY

// MANY: layers.mlir:{{.*}}error: ttir-pipeline-stages: expected from 1 to 4 stages, into which the program can be cut, found 5
// COSTS: layers.mlir:{{.*}}error: ttir-pipeline-stages: expected the costs of 8 ops, found 2
// WEIGHTS: layers.mlir:{{.*}}error: ttir-pipeline-stages: the parameters do not fit: no cut into 2 stages has at most 100000 bytes of parameters in each, of 262144
// TWO: two.mlir:{{.*}}error: ttir-pipeline-stages: expected one program, found 'f' and 'g'
// VARIABLE: variable.mlir:{{.*}}error: ttir-pipeline-stages: the program has the variable @count
// EMPTY: empty.mlir:{{.*}}error: ttir-pipeline-stages: expected ops that a call computes, to cut into stages, found none
// NONE: error: ttir-pipeline-stages: expected a public function, found none

//--- layers.mlir
#any_device = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile>
func.func @mlp(%x: tensor<32x64xf32>, %w0: tensor<64x256xf32> {tt.argument_type = #tt.argument_type<parameter>}, %v0: tensor<256x64xf32> {tt.argument_type = #tt.argument_type<parameter>}, %w1: tensor<64x256xf32> {tt.argument_type = #tt.argument_type<parameter>}, %v1: tensor<256x64xf32> {tt.argument_type = #tt.argument_type<parameter>}) -> tensor<32x64xf32> {
  %e0 = tensor.empty() : tensor<32x256xf32>
  %h0 = "ttir.matmul"(%x, %w0, %e0) <{operand_constraints = [#any_device, #any_device, #any_device], transpose_a = false, transpose_b = false}> : (tensor<32x64xf32>, tensor<64x256xf32>, tensor<32x256xf32>) -> tensor<32x256xf32>
  %f0 = tensor.empty() : tensor<32x64xf32>
  %y0 = "ttir.matmul"(%h0, %v0, %f0) <{operand_constraints = [#any_device, #any_device, #any_device], transpose_a = false, transpose_b = false}> : (tensor<32x256xf32>, tensor<256x64xf32>, tensor<32x64xf32>) -> tensor<32x64xf32>
  %e1 = tensor.empty() : tensor<32x256xf32>
  %h1 = "ttir.matmul"(%y0, %w1, %e1) <{operand_constraints = [#any_device, #any_device, #any_device], transpose_a = false, transpose_b = false}> : (tensor<32x64xf32>, tensor<64x256xf32>, tensor<32x256xf32>) -> tensor<32x256xf32>
  %f1 = tensor.empty() : tensor<32x64xf32>
  %y1 = "ttir.matmul"(%h1, %v1, %f1) <{operand_constraints = [#any_device, #any_device, #any_device], transpose_a = false, transpose_b = false}> : (tensor<32x256xf32>, tensor<256x64xf32>, tensor<32x64xf32>) -> tensor<32x64xf32>
  return %y1 : tensor<32x64xf32>
}

//--- two.mlir
func.func @f(%x: tensor<32x64xf32>) -> tensor<32x64xf32> {
  return %x : tensor<32x64xf32>
}
func.func @g(%x: tensor<32x64xf32>) -> tensor<32x64xf32> {
  return %x : tensor<32x64xf32>
}

//--- variable.mlir
tt.variable @count : tensor<32x64xf32> = dense<1.0> : tensor<32x64xf32>
func.func @f(%x: tensor<32x64xf32> {tt.variable = @count}) -> tensor<32x64xf32> {
  return %x : tensor<32x64xf32>
}

//--- empty.mlir
func.func @f(%x: tensor<32x64xf32>) -> tensor<32x64xf32> {
  return %x : tensor<32x64xf32>
}

//--- none.mlir
module {
}

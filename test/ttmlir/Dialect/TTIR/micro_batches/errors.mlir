// RUN: split-file %s %t
// RUN: not ttmlir-opt --ttir-micro-batches=count=3 %t/sum.mlir 2>&1 | FileCheck %s --check-prefix=BATCH
// RUN: not ttmlir-opt --ttir-micro-batches=count=0 %t/sum.mlir 2>&1 | FileCheck %s --check-prefix=COUNT
// RUN: not ttmlir-opt --ttir-micro-batches=count=2 %t/sum.mlir 2>&1 | FileCheck %s --check-prefix=SUM
// RUN: not ttmlir-opt --ttir-micro-batches=count=2 %t/cumsum.mlir 2>&1 | FileCheck %s --check-prefix=WHOLE
// RUN: not ttmlir-opt --ttir-micro-batches=count=2 %t/parameter.mlir 2>&1 | FileCheck %s --check-prefix=PARAMETER

//--- sum.mlir
#any_device = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile>
// BATCH: sum.mlir:4:{{.*}}error: ttir-micro-batches: 3 micro-batches do not divide the batch, dimension 0 of the input 'tensor<8x16xf32>'
// COUNT: error: ttir-micro-batches: expected a positive number of micro-batches, found 0
func.func @sum(%x: tensor<8x16xf32>) -> tensor<1x16xf32> {
  %0 = tensor.empty() : tensor<1x16xf32>
  // SUM: sum.mlir:7:{{.*}}error: ttir-micro-batches: 'ttir.sum' combines samples of the whole batch
  %1 = "ttir.sum"(%x, %0) <{dim_arg = [0 : i32], keep_dim = true, operand_constraints = [#any_device, #any_device]}> : (tensor<8x16xf32>, tensor<1x16xf32>) -> tensor<1x16xf32>
  return %1 : tensor<1x16xf32>
}

//--- cumsum.mlir
#any_device = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile>
func.func @cumsum(%x: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %0 = tensor.empty() : tensor<8x16xf32>
  // WHOLE: cumsum.mlir:5:{{.*}}error: ttir-micro-batches: 'ttir.cumsum' combines samples of the whole batch
  %1 = "ttir.cumsum"(%x, %0) <{dim = 0 : i64, operand_constraints = [#any_device, #any_device]}> : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
  return %1 : tensor<8x16xf32>
}

//--- parameter.mlir
#any_device = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile>
func.func @parameter(%x: tensor<8x16xf32>, %w: tensor<8x16xf32> {tt.argument_type = #tt.argument_type<parameter>}) -> tensor<8x16xf32> {
  %0 = tensor.empty() : tensor<8x16xf32>
  // PARAMETER: parameter.mlir:5:{{.*}}error: ttir-micro-batches: 'ttir.add' reads a constant or parameter with another part for each micro-batch, 'tensor<8x16xf32>'
  %1 = "ttir.add"(%x, %w, %0) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any_device, #any_device, #any_device]}> : (tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
  return %1 : tensor<8x16xf32>
}

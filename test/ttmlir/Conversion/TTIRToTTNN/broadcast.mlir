// RUN: ttmlir-opt --ttir-layout --convert-ttir-to-ttnn --split-input-file %s | FileCheck %s
// RUN: ttmlir-opt --ttir-layout --convert-ttir-to-ttnn --split-input-file --remarks %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// A broadcast disappears in front of an op that broadcasts itself.
// REMARK-DAG: remark: [Passed] Folded | Category:convert-ttir-to-ttnn | Function=folds | Op=ttir.broadcast, Reason="goes away: its readers broadcast themselves", Rejected="ttnn.repeat
// REMARK-DAG: remark: [Passed] Repeated | Category:convert-ttir-to-ttnn | Function=stays | Op=ttir.broadcast, Reason="becomes ttnn.repeat", Rejected="to go away: not all readers broadcast themselves
#any_device = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile>
// CHECK-LABEL: func.func @folds
// CHECK-NOT: ttnn.repeat
// CHECK: "ttnn.add"(%{{.*}}, %{{.*}}, %{{.*}}) <{{.*}}> : (tensor<1x32xf32, #{{.*}}>, tensor<16x32xf32, #{{.*}}>, tensor<16x32xf32, #{{.*}}>)
func.func @folds(%arg0: tensor<1x32xf32>, %arg1: tensor<16x32xf32>) -> tensor<16x32xf32> {
  %0 = tensor.empty() : tensor<16x32xf32>
  %1 = "ttir.broadcast"(%arg0, %0) <{dimension = [0, 1], operand_constraints = [#any_device, #any_device]}> : (tensor<1x32xf32>, tensor<16x32xf32>) -> tensor<16x32xf32>
  %2 = tensor.empty() : tensor<16x32xf32>
  %3 = "ttir.add"(%1, %arg1, %2) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any_device, #any_device, #any_device]}> : (tensor<16x32xf32>, tensor<16x32xf32>, tensor<16x32xf32>) -> tensor<16x32xf32>
  return %3 : tensor<16x32xf32>
}

// -----

// Elsewhere it is a repetition.
#any_device = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile>
// CHECK-LABEL: func.func @stays
// CHECK: "ttnn.repeat"(%{{.*}}, %{{.*}}) <{repeat_dims = #ttnn.shape<16x1>}> : (tensor<1x32xf32, #{{.*}}>, tensor<16x32xf32, #{{.*}}>) -> tensor<16x32xf32, #{{.*}}>
func.func @stays(%arg0: tensor<1x32xf32>) -> tensor<16x32xf32> {
  %0 = tensor.empty() : tensor<16x32xf32>
  %1 = "ttir.broadcast"(%arg0, %0) <{dimension = [0, 1], operand_constraints = [#any_device, #any_device]}> : (tensor<1x32xf32>, tensor<16x32xf32>) -> tensor<16x32xf32>
  return %1 : tensor<16x32xf32>
}

// -----

// A dimension list that NumPy's rules do not give becomes a reshape first.
#any_device = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile>
// CHECK-LABEL: func.func @along
// CHECK: "ttnn.reshape"(%{{.*}}) <{shape = [16 : i32, 1 : i32]}>
// CHECK: "ttnn.repeat"(%{{.*}}) <{repeat_dims = #ttnn.shape<1x32>}>
func.func @along(%arg0: tensor<16xf32>) -> tensor<16x32xf32> {
  %0 = tensor.empty() : tensor<16x32xf32>
  %1 = "ttir.broadcast"(%arg0, %0) <{dimension = [0], operand_constraints = [#any_device, #any_device]}> : (tensor<16xf32>, tensor<16x32xf32>) -> tensor<16x32xf32>
  return %1 : tensor<16x32xf32>
}

// RUN: ttmlir-opt --ttir-decomposition %s | FileCheck %s --check-prefixes=CHECK,COMMAND
// RUN: ttmlir-opt --ttir-decomposition="use-all-gather-kernel=true" %s | FileCheck %s --check-prefixes=CHECK,KERNEL
// RUN: ttmlir-opt --ttir-decomposition="use-all-gather-kernel=true" --remarks %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// Commands take their operands from anywhere on the device, kernels from DRAM.
// REMARK-DAG: remark: [Passed] Blocks | Category:ttir-decomposition | Function=reductions | Op=ttir.reduce_scatter, Reason="goes along a new first dimension, with reshapes around it", Rejected="along the dimension of the op
// COMMAND: #[[TILES:.*]] = #tt.operand_constraint<dram|l1|tile|
// KERNEL-DAG: #[[TILES:.*]] = #tt.operand_constraint<dram|tile|
// KERNEL-DAG: #[[ROWS:.*]] = #tt.operand_constraint<dram|scalar|
// KERNEL-DAG: #[[ANYWHERE:.*]] = #tt.operand_constraint<dram|l1|tile|
#any_device_tile = #tt.operand_constraint<any_device_tile>

// CHECK-LABEL: func.func @gather
// CHECK: "ttir.all_gather"{{.*}}operand_constraints = [#[[TILES]], #[[TILES]]]
// COMMAND: "ttir.all_gather"{{.*}}operand_constraints = [#[[TILES]], #[[TILES]]]
// KERNEL: "ttir.all_gather"{{.*}}operand_constraints = [#[[ROWS]], #[[ROWS]]]
func.func @gather(%a: tensor<32x64xf32>, %b: tensor<32x80xf32>) -> (tensor<32x128xf32>, tensor<32x160xf32>) {
  %0 = tensor.empty() : tensor<32x128xf32>
  %1 = "ttir.all_gather"(%a, %0) <{all_gather_dim = 1 : si32, cluster_axis = 1 : ui32, operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any_device_tile, #any_device_tile]}> : (tensor<32x64xf32>, tensor<32x128xf32>) -> tensor<32x128xf32>
  %2 = tensor.empty() : tensor<32x160xf32>
  %3 = "ttir.all_gather"(%b, %2) <{all_gather_dim = 1 : si32, cluster_axis = 1 : ui32, operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any_device_tile, #any_device_tile]}> : (tensor<32x80xf32>, tensor<32x160xf32>) -> tensor<32x160xf32>
  return %1, %3 : tensor<32x128xf32>, tensor<32x160xf32>
}

// Blocks that do not fill tiles are scattered along the first dimension.
// CHECK-LABEL: func.func @reductions
// CHECK: "ttir.all_reduce"{{.*}}operand_constraints = [#[[TILES]], #[[TILES]]]
// COMMAND: "ttir.reduce_scatter"{{.*}}operand_constraints = [#[[TILES]], #[[TILES]]]{{.*}} scatter_dim = 1
// KERNEL: "ttir.reduce_scatter"{{.*}}operand_constraints = [#[[TILES]], #[[TILES]]]{{.*}} scatter_dim = 0
func.func @reductions(%a: tensor<32x80xf32>) -> tensor<32x40xf32> {
  %0 = tensor.empty() : tensor<32x80xf32>
  %1 = "ttir.all_reduce"(%a, %0) <{cluster_axis = 1 : ui32, operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any_device_tile, #any_device_tile], reduce_type = #tt.reduce_type<sum>}> : (tensor<32x80xf32>, tensor<32x80xf32>) -> tensor<32x80xf32>
  %2 = tensor.empty() : tensor<32x40xf32>
  %3 = "ttir.reduce_scatter"(%1, %2) <{cluster_axis = 1 : ui32, operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any_device_tile, #any_device_tile], reduce_type = #tt.reduce_type<sum>, scatter_dim = 1 : si32}> : (tensor<32x80xf32>, tensor<32x40xf32>) -> tensor<32x40xf32>
  return %3 : tensor<32x40xf32>
}

// No kernels do this.
// CHECK-LABEL: func.func @permute
// COMMAND: "ttir.collective_permute"{{.*}}operand_constraints = [#[[TILES]], #[[TILES]]]
// KERNEL: "ttir.collective_permute"{{.*}}operand_constraints = [#[[ANYWHERE]], #[[ANYWHERE]]]
func.func @permute(%a: tensor<32x64xf32>) -> tensor<32x64xf32> {
  %0 = tensor.empty() : tensor<32x64xf32>
  %1 = "ttir.collective_permute"(%a, %0) <{operand_constraints = [#any_device_tile, #any_device_tile], source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}> : (tensor<32x64xf32>, tensor<32x64xf32>) -> tensor<32x64xf32>
  return %1 : tensor<32x64xf32>
}

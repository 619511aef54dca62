// RUN: ttmlir-opt --ttir-to-ttnn-backend-pipeline="sharding-pass-enabled=true clock-search-limit=0" %s | FileCheck %s
// RUN: ttmlir-opt --ttir-to-ttnn-backend-pipeline="sharding-pass-enabled=true clock-search-limit=0" %s | ttmlir-translate --ttnn-to-flatbuffer -o %t.ttnn
// Both linear layers stay in L1 in their largest grids; the softmax, whose result goes to the host, is in DRAM.
#any_device = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile>
// CHECK-DAG: #[[HIDDEN:.*]] = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x8>, memref<1x32xf32, #l1_>, block_sharded>
// CHECK-DAG: #[[OUT:.*]] = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<1x10xf32, #l1_>, block_sharded>
// CHECK-DAG: #[[DRAM:.*]] = #tt.layout<(d0, d1) -> (d0, d1), undef, <8x8>, memref<1x2xf32, #dram>, interleaved>
// CHECK-LABEL: func.func @mnist
func.func @mnist(%image: tensor<1x784xf32>, %w1: tensor<784x256xf32>, %b1: tensor<1x256xf32>, %w2: tensor<256x10xf32>, %b2: tensor<1x10xf32>) -> tensor<1x10xf32> {
  // CHECK: "ttnn.matmul"{{.*}} -> tensor<1x256xf32, #[[HIDDEN]]>
  %0 = tensor.empty() : tensor<1x256xf32>
  %1 = "ttir.matmul"(%image, %w1, %0) <{operand_constraints = [#any_device, #any_device, #any_device]}> : (tensor<1x784xf32>, tensor<784x256xf32>, tensor<1x256xf32>) -> tensor<1x256xf32> loc("matmul_1")
  // CHECK: "ttnn.add"{{.*}} -> tensor<1x256xf32, #[[HIDDEN]]>
  %2 = tensor.empty() : tensor<1x256xf32>
  %3 = "ttir.add"(%1, %b1, %2) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any_device, #any_device, #any_device]}> : (tensor<1x256xf32>, tensor<1x256xf32>, tensor<1x256xf32>) -> tensor<1x256xf32> loc("add_2")
  // CHECK: "ttnn.relu"{{.*}} -> tensor<1x256xf32, #[[HIDDEN]]>
  %4 = tensor.empty() : tensor<1x256xf32>
  %5 = "ttir.relu"(%3, %4) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any_device, #any_device]}> : (tensor<1x256xf32>, tensor<1x256xf32>) -> tensor<1x256xf32> loc("relu_3")
  // CHECK: "ttnn.matmul"{{.*}} -> tensor<1x10xf32, #[[OUT]]>
  %6 = tensor.empty() : tensor<1x10xf32>
  %7 = "ttir.matmul"(%5, %w2, %6) <{operand_constraints = [#any_device, #any_device, #any_device]}> : (tensor<1x256xf32>, tensor<256x10xf32>, tensor<1x10xf32>) -> tensor<1x10xf32> loc("matmul_5")
  // CHECK: "ttnn.add"{{.*}} -> tensor<1x10xf32, #[[OUT]]>
  %8 = tensor.empty() : tensor<1x10xf32>
  %9 = "ttir.add"(%7, %b2, %8) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any_device, #any_device, #any_device]}> : (tensor<1x10xf32>, tensor<1x10xf32>, tensor<1x10xf32>) -> tensor<1x10xf32> loc("add_6")
  // CHECK: "ttnn.softmax"{{.*}} -> tensor<1x10xf32, #[[DRAM]]>
  %10 = tensor.empty() : tensor<1x10xf32>
  %11 = "ttir.softmax"(%9, %10) <{dimension = 1 : si32, operand_constraints = [#any_device, #any_device]}> : (tensor<1x10xf32>, tensor<1x10xf32>) -> tensor<1x10xf32> loc("softmax_7")
  return %11 : tensor<1x10xf32>
}

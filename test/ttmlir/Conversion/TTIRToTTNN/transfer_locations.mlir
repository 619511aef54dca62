// RUN: ttmlir-opt --ttir-to-ttnn-backend-pipeline --mlir-print-debuginfo --mlir-print-local-scope %s | FileCheck %s

// Transfers that the compiler adds have the locations of what they move, those of the program their own.
#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
#host = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x64xf32, #tt.memory_space<system>>>
#dram = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x64xf32, #tt.memory_space<dram>>, interleaved>
// CHECK-LABEL: func.func @main
// CHECK: "ttnn.to_device"{{.*}} loc("place_y")
// CHECK: "ttnn.to_layout"(%arg0{{.*}} loc("x"
// CHECK: "ttnn.to_device"{{.*}} loc("x"
// CHECK: "ttnn.add"{{.*}} loc("sum")
// CHECK: "ttnn.to_memory_config"{{.*}} loc("sum")
func.func @main(%x: tensor<64x64xf32> loc("x"), %y: tensor<64x64xf32, #host> loc("y")) -> tensor<64x64xf32> {
  %0 = tensor.empty() : tensor<64x64xf32, #dram>
  %1 = "ttir.to_layout"(%y, %0) : (tensor<64x64xf32, #host>, tensor<64x64xf32, #dram>) -> tensor<64x64xf32, #dram> loc("place_y")
  %2 = tensor.empty() : tensor<64x64xf32>
  %3 = "ttir.add"(%x, %1, %2) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<64x64xf32>, tensor<64x64xf32, #dram>, tensor<64x64xf32>) -> tensor<64x64xf32> loc("sum")
  return %3 : tensor<64x64xf32>
}

// RUN: not ttmlir-opt --ttnn-overlap-collectives %s 2>&1 | FileCheck %s

// CHECK: error: ttnn-overlap-collectives needs a device and its description: expected the attributes 'tt.device' and 'tt.system_desc' on the module; run --ttir-load-system-desc and --ttir-implicit-device first
func.func @reduced(%a: tensor<32x64xf32>, %b: tensor<64x64xf32>, %d: tensor<32x64xf32>) -> tensor<32x64xf32> {
  %0 = "ttnn.matmul"(%a, %b, %d) : (tensor<32x64xf32>, tensor<64x64xf32>, tensor<32x64xf32>) -> tensor<32x64xf32>
  %1 = "ttnn.all_reduce"(%0) <{cluster_axis = 0 : ui32, reduce_type = #tt.reduce_type<sum>}> : (tensor<32x64xf32>) -> tensor<32x64xf32>
  return %1 : tensor<32x64xf32>
}

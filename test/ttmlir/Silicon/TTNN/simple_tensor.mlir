// RUN: ttmlir-opt --ttir-load-system-desc="path=%system_desc_path%" --ttir-implicit-device --ttir-layout --convert-ttir-to-ttnn %s > %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: ttmlir-translate --ttnn-to-flatbuffer %t.mlir > %t.ttnn
// Reductions, and ops that give a tensor another shape.
#any_device = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile>

// CHECK-LABEL: func.func @sum
// CHECK: "ttnn.sum"
// CHECK: "ttnn.to_memory_config"
func.func @sum(%arg0: tensor<512x1024xbf16>) -> tensor<512x1xbf16> {
  %0 = tensor.empty() : tensor<512x1xbf16>
  %1 = "ttir.sum"(%arg0, %0) <{dim_arg = [-1 : i32], keep_dim = true, operand_constraints = [#any_device, #any_device]}> : (tensor<512x1024xbf16>, tensor<512x1xbf16>) -> tensor<512x1xbf16>
  return %1 : tensor<512x1xbf16>
}

// CHECK-LABEL: func.func @mean
// CHECK: "ttnn.mean"
// CHECK: "ttnn.to_memory_config"
func.func @mean(%arg0: tensor<512x1024xbf16>) -> tensor<512x1xbf16> {
  %0 = tensor.empty() : tensor<512x1xbf16>
  %1 = "ttir.mean"(%arg0, %0) <{dim_arg = [-1 : i32], keep_dim = true, operand_constraints = [#any_device, #any_device]}> : (tensor<512x1024xbf16>, tensor<512x1xbf16>) -> tensor<512x1xbf16>
  return %1 : tensor<512x1xbf16>
}

// CHECK-LABEL: func.func @max
// CHECK: "ttnn.max"
// CHECK: "ttnn.to_memory_config"
func.func @max(%arg0: tensor<512x1024xbf16>) -> tensor<512x1xbf16> {
  %0 = tensor.empty() : tensor<512x1xbf16>
  %1 = "ttir.max"(%arg0, %0) <{dim_arg = [-1 : i32], keep_dim = true, operand_constraints = [#any_device, #any_device]}> : (tensor<512x1024xbf16>, tensor<512x1xbf16>) -> tensor<512x1xbf16>
  return %1 : tensor<512x1xbf16>
}

// CHECK-LABEL: func.func @transpose
// CHECK: "ttnn.transpose"
// CHECK: "ttnn.to_memory_config"
func.func @transpose(%arg0: tensor<64x128xf32>) -> tensor<128x64xf32> {
  %0 = tensor.empty() : tensor<128x64xf32>
  %1 = "ttir.transpose"(%arg0, %0) <{dim0 = 0 : si32, dim1 = 1 : si32, operand_constraints = [#any_device, #any_device]}> : (tensor<64x128xf32>, tensor<128x64xf32>) -> tensor<128x64xf32>
  return %1 : tensor<128x64xf32>
}

// CHECK-LABEL: func.func @reshape
// CHECK: "ttnn.reshape"
// CHECK: "ttnn.to_memory_config"
func.func @reshape(%arg0: tensor<4x2x32x32xbf16>) -> tensor<2x4x32x32xbf16> {
  %0 = tensor.empty() : tensor<2x4x32x32xbf16>
  %1 = "ttir.reshape"(%arg0, %0) <{shape = [2 : i32, 4 : i32, 32 : i32, 32 : i32], operand_constraints = [#any_device, #any_device]}> : (tensor<4x2x32x32xbf16>, tensor<2x4x32x32xbf16>) -> tensor<2x4x32x32xbf16>
  return %1 : tensor<2x4x32x32xbf16>
}

// CHECK-LABEL: func.func @concat
// CHECK: "ttnn.concat"
// CHECK: "ttnn.to_memory_config"
func.func @concat(%arg0: tensor<32x32xf32>, %arg1: tensor<32x64xf32>) -> tensor<32x96xf32> {
  %0 = tensor.empty() : tensor<32x96xf32>
  %1 = "ttir.concat"(%arg0, %arg1, %0) <{dim = 1 : si32, operand_constraints = [#any_device, #any_device, #any_device]}> : (tensor<32x32xf32>, tensor<32x64xf32>, tensor<32x96xf32>) -> tensor<32x96xf32>
  return %1 : tensor<32x96xf32>
}

// CHECK-LABEL: func.func @embedding
// CHECK: "ttnn.embedding"
// CHECK: "ttnn.to_memory_config"
func.func @embedding(%arg0: tensor<32x32xi32>, %arg1: tensor<512x128xf32>) -> tensor<32x32x128xf32> {
  %0 = tensor.empty() : tensor<32x32x128xf32>
  %1 = "ttir.embedding"(%arg0, %arg1, %0) <{operand_constraints = [#any_device, #any_device, #any_device]}> : (tensor<32x32xi32>, tensor<512x128xf32>, tensor<32x32x128xf32>) -> tensor<32x32x128xf32>
  return %1 : tensor<32x32x128xf32>
}

// RUN: ttmlir-opt --ttir-to-ttnn-backend-pipeline="optimization-level=1 clock-search-limit=0" %s | FileCheck %s
// RUN: ttmlir-opt --ttir-to-ttnn-backend-pipeline="optimization-level=1 clock-search-limit=0 override-output-layout=first=l1" %s | FileCheck %s --check-prefix=NAMED
// Of two reshapes in a row, only the last is a call, unless an override names the first.

#any_device = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile>

// CHECK-LABEL: func.func @joined
// NAMED-LABEL: func.func @joined
func.func @joined(%a: tensor<16x64xbf16>, %b: tensor<32x32xbf16>) -> tensor<32x32xbf16> {
  // CHECK: "ttnn.abs"
  // CHECK: "ttnn.reshape"{{.*}}(tensor<16x64xbf16, {{.*}}) -> tensor<32x32xbf16
  // CHECK-NOT: "ttnn.reshape"
  // NAMED-COUNT-2: "ttnn.reshape"
  %0 = tensor.empty() : tensor<16x64xbf16>
  %1 = "ttir.abs"(%a, %0) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any_device, #any_device]}> : (tensor<16x64xbf16>, tensor<16x64xbf16>) -> tensor<16x64xbf16>
  %2 = tensor.empty() : tensor<16x64x1x1xbf16>
  %3 = "ttir.reshape"(%1, %2) <{shape = [16 : i32, 64 : i32, 1 : i32, 1 : i32], operand_constraints = [#any_device, #any_device]}> : (tensor<16x64xbf16>, tensor<16x64x1x1xbf16>) -> tensor<16x64x1x1xbf16> loc("first")
  %4 = tensor.empty() : tensor<32x32xbf16>
  %5 = "ttir.reshape"(%3, %4) <{shape = [32 : i32, 32 : i32], operand_constraints = [#any_device, #any_device]}> : (tensor<16x64x1x1xbf16>, tensor<32x32xbf16>) -> tensor<32x32xbf16>
  %6 = tensor.empty() : tensor<32x32xbf16>
  %7 = "ttir.add"(%5, %b, %6) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any_device, #any_device, #any_device]}> : (tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>) -> tensor<32x32xbf16>
  return %7 : tensor<32x32xbf16>
}

// The first is read twice.
// CHECK-LABEL: func.func @kept
func.func @kept(%a: tensor<16x64xbf16>) -> (tensor<64x16xbf16>, tensor<32x32xbf16>) {
  // CHECK-COUNT-2: "ttnn.reshape"
  %0 = tensor.empty() : tensor<16x64xbf16>
  %1 = "ttir.abs"(%a, %0) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any_device, #any_device]}> : (tensor<16x64xbf16>, tensor<16x64xbf16>) -> tensor<16x64xbf16>
  %2 = tensor.empty() : tensor<64x16xbf16>
  %3 = "ttir.reshape"(%1, %2) <{shape = [64 : i32, 16 : i32], operand_constraints = [#any_device, #any_device]}> : (tensor<16x64xbf16>, tensor<64x16xbf16>) -> tensor<64x16xbf16>
  %4 = tensor.empty() : tensor<32x32xbf16>
  %5 = "ttir.reshape"(%3, %4) <{shape = [32 : i32, 32 : i32], operand_constraints = [#any_device, #any_device]}> : (tensor<64x16xbf16>, tensor<32x32xbf16>) -> tensor<32x32xbf16>
  return %3, %5 : tensor<64x16xbf16>, tensor<32x32xbf16>
}

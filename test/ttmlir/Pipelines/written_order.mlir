// RUN: ttmlir-opt --ttir-to-ttnn-backend-pipeline="enable-erase-inverse-ops=false" %s | FileCheck %s
// RUN: ttmlir-opt --ttir-to-ttnn-backend-pipeline %s | FileCheck %s --check-prefix=JOINED
// Transposes stay as they are written where nothing joins them.
#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
// CHECK-LABEL: func.func @forward
// CHECK: "ttnn.transpose"{{.*}}dim0 = 0 : si32, dim1 = 1 : si32
// CHECK: "ttnn.transpose"{{.*}}dim0 = 0 : si32, dim1 = 2 : si32
// CHECK-NOT: "ttnn.permute"
// JOINED-LABEL: func.func @forward
// JOINED-NOT: "ttnn.transpose"
// JOINED: "ttnn.permute"
func.func @forward(%x: tensor<64x128x32xbf16>) -> tensor<32x64x128xbf16> {
  %0 = tensor.empty() : tensor<128x64x32xbf16>
  %1 = "ttir.transpose"(%x, %0) <{dim0 = 0 : si32, dim1 = 1 : si32, operand_constraints = [#any, #any]}> : (tensor<64x128x32xbf16>, tensor<128x64x32xbf16>) -> tensor<128x64x32xbf16>
  %2 = tensor.empty() : tensor<32x64x128xbf16>
  %3 = "ttir.transpose"(%1, %2) <{dim0 = 0 : si32, dim1 = 2 : si32, operand_constraints = [#any, #any]}> : (tensor<128x64x32xbf16>, tensor<32x64x128xbf16>) -> tensor<32x64x128xbf16>
  return %3 : tensor<32x64x128xbf16>
}

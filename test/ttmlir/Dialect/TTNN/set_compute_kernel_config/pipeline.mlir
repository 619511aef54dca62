// RUN: ttmlir-opt --ttir-to-ttnn-backend-pipeline="math-fidelity=hifi4 fp32-dest-acc-en=false math-approx-mode=true packer-l1-acc=true override-compute-config=sum=lofi:fp32_dest_acc_en,product=packer_l1_acc=false" %s | FileCheck %s
// RUN: ttmlir-opt --ttir-to-ttnn-backend-pipeline %s | FileCheck %s --check-prefix=DEFAULT
// RUN: ttmlir-opt --ttir-to-ttmetal-backend-pipeline="math-fidelity=hifi2 fp32-dest-acc-en=false override-compute-config=sum=lofi:fp32_dest_acc_en:math_approx_mode" %s | FileCheck %s --check-prefix=METAL
// Ops that compute say how, one by name and all others as the options do; other ops say nothing.

// DEFAULT-NOT: compute_config
// CHECK-NOT: compute_config{{.*}}"ttnn.to_layout"
// CHECK: "ttnn.matmul"
// CHECK-SAME: compute_config = #ttnn.device_compute_kernel_config<math_fidelity = hifi4, math_approx_mode = true, fp32_dest_acc_en = false, packer_l1_acc = false>
// CHECK: "ttnn.add"
// CHECK-SAME: compute_config = #ttnn.device_compute_kernel_config<math_fidelity = lofi, math_approx_mode = true, fp32_dest_acc_en = true, packer_l1_acc = true>
// CHECK: "ttnn.transpose"
// CHECK-NOT: compute_config
// METAL: #ttkernel.tensix_config<hifi4, true, false, false>
// METAL: #ttkernel.tensix_config<hifi2, false, false, false>
// METAL: #ttkernel.tensix_config<lofi, true, false, true>
// METAL: #ttkernel.tensix_config<hifi4, true, false, false>
// METAL-NOT: hifi2
#any_device = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile>
func.func @forward(%a: tensor<64x64xbf16>, %b: tensor<64x64xbf16>) -> tensor<64x64xbf16> {
  %0 = tensor.empty() : tensor<64x64xbf16>
  %1 = "ttir.matmul"(%a, %b, %0) <{operand_constraints = [#any_device, #any_device, #any_device]}> : (tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xbf16>) -> tensor<64x64xbf16> loc("product")
  %2 = tensor.empty() : tensor<64x64xbf16>
  %3 = "ttir.add"(%1, %b, %2) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any_device, #any_device, #any_device]}> : (tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xbf16>) -> tensor<64x64xbf16> loc("sum")
  %4 = tensor.empty() : tensor<64x64xbf16>
  %5 = "ttir.transpose"(%3, %4) <{dim0 = 0 : si32, dim1 = 1 : si32, operand_constraints = [#any_device, #any_device]}> : (tensor<64x64xbf16>, tensor<64x64xbf16>) -> tensor<64x64xbf16>
  return %5 : tensor<64x64xbf16>
}

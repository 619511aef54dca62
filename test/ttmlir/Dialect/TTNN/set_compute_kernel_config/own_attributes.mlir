// RUN: ttmlir-opt --ttnn-set-compute-kernel-config="math-fidelity=hifi2 override-compute-config=named=lofi" %s | FileCheck %s
// RUN: ttmlir-opt --ttnn-set-compute-kernel-config %s | FileCheck %s --check-prefix=SAME
// RUN: ttmlir-opt --ttnn-set-compute-kernel-config="override-compute-config=nobody=hifi4" %s 2>&1 >/dev/null | FileCheck %s --check-prefix=UNUSED
// RUN: ttmlir-opt --ttnn-set-compute-kernel-config="math-fidelity=hifi2 override-compute-config=named=lofi" --remarks %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// An override goes before the op's own attribute, and that before the options for all ops.

// REMARK-DAG: remark: {{.*}}[Passed] Configured | Category:ttnn-set-compute-kernel-config | Function=relus | Op=ttnn.relu, Reason="computes with {{.*}}hifi2{{.*}}, as an option for all ops says"
// REMARK-DAG: remark: {{.*}}[Passed] Configured | Category:ttnn-set-compute-kernel-config | Function=relus | Op=ttnn.relu, Reason="computes with {{.*}}hifi4{{.*}}, as the program says"
// REMARK-DAG: remark: {{.*}}[Passed] Configured | Category:ttnn-set-compute-kernel-config | Function=relus | Op=ttnn.relu, Reason="computes with {{.*}}lofi{{.*}}, as an override of the op says"
// UNUSED: warning: no op that computes has the location name 'nobody' of override-compute-config
// CHECK-LABEL: func.func @relus
// SAME-LABEL: func.func @relus
func.func @relus(%a: tensor<32x32xbf16>, %b: tensor<32x32xbf16>) -> tensor<32x32xbf16> {
  // CHECK: "ttnn.relu"{{.*}}compute_config = #ttnn.device_compute_kernel_config<math_fidelity = hifi2>
  // SAME: "ttnn.relu"(%{{.*}}) <{operandSegmentSizes
  %0 = "ttnn.relu"(%a, %b) <{operandSegmentSizes = array<i32: 1, 1>}> : (tensor<32x32xbf16>, tensor<32x32xbf16>) -> tensor<32x32xbf16>
  // CHECK: "ttnn.relu"{{.*}}compute_config = #ttnn.device_compute_kernel_config<math_fidelity = hifi4, packer_l1_acc = true>
  // SAME: "ttnn.relu"{{.*}}compute_config = #ttnn.device_compute_kernel_config<math_fidelity = hifi4, packer_l1_acc = true>
  %1 = "ttnn.relu"(%0, %b) <{compute_config = #ttnn.device_compute_kernel_config<math_fidelity = hifi4, packer_l1_acc = true>, operandSegmentSizes = array<i32: 1, 1>}> : (tensor<32x32xbf16>, tensor<32x32xbf16>) -> tensor<32x32xbf16>
  // CHECK: "ttnn.relu"{{.*}}compute_config = #ttnn.device_compute_kernel_config<math_fidelity = lofi, fp32_dest_acc_en = true>
  %2 = "ttnn.relu"(%1, %b) <{compute_config = #ttnn.device_compute_kernel_config<math_fidelity = hifi4, fp32_dest_acc_en = true>, operandSegmentSizes = array<i32: 1, 1>}> : (tensor<32x32xbf16>, tensor<32x32xbf16>) -> tensor<32x32xbf16> loc("named")
  return %2 : tensor<32x32xbf16>
}

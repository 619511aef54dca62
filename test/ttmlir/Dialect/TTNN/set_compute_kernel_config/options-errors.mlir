// RUN: not ttmlir-opt --ttnn-set-compute-kernel-config="override-compute-config=a=hifi5" %s 2>&1 | FileCheck %s --check-prefix=PART
// RUN: not ttmlir-opt --ttnn-set-compute-kernel-config="override-compute-config=a=lofi:hifi4" %s 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: not ttmlir-opt --ttnn-set-compute-kernel-config="override-compute-config=a" %s 2>&1 | FileCheck %s --check-prefix=FORM
// RUN: not ttmlir-opt --ttnn-set-compute-kernel-config="math-fidelity=hifi1" %s 2>&1 | FileCheck %s --check-prefix=FIDELITY
// RUN: not ttmlir-opt --ttir-to-ttmetal-backend-pipeline="override-compute-config=a=packer_l1_acc" %s 2>&1 | FileCheck %s --check-prefix=METAL
// Wrong texts say what is accepted.

// PART: Invalid part of a compute config: hifi5 (expected lofi, hifi2, hifi3, hifi4, or one of math_approx_mode, fp32_dest_acc_en and packer_l1_acc, with =true or =false behind it)
// TWICE: Compute config of a has two parts of one kind: hifi4 (expected each kind once)
// FORM: Invalid format for override compute config: a (expected name=part:part...)
// FIDELITY: Cannot find option named 'hifi1'!
// METAL: error: override-compute-config: expected a fidelity, math_approx_mode or fp32_dest_acc_en for 'a', found packer_l1_acc
func.func @nothing() {
  return
}

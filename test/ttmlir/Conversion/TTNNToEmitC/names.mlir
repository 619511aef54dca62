// Functions get names that C++ allows.
// RUN: ttmlir-opt --convert-ttnn-to-emitc %s | FileCheck %s
// CHECK: func.func @main__()
func.func @main() { return }
// CHECK: func.func @main_()
func.func @main_() { return }
// CHECK: func.func @jit_f_1()
func.func @"jit f.1"() { return }
// CHECK: func.func @_2d()
func.func @"2d"() { return }
// CHECK: func.func @double_()
func.func @double() { return }
// CHECK: func.func @rand_()
func.func @rand() { return }
// CHECK: func.func @forward()
func.func @forward() { return }
// CHECK: func.func private @outside(!emitc.opaque<"ttnn::Tensor">)
func.func private @outside(tensor<2xf32>)

// RUN: ttmlir-opt --convert-arith-to-emitc --convert-scf-to-emitc %s | FileCheck %s --check-prefix=EMITC
// RUN: ttmlir-opt --pass-pipeline="builtin.module(func.func(tosa-to-linalg-named,tosa-to-linalg))" %s | FileCheck %s --check-prefix=LINALG
// RUN: ttmlir-opt --tosa-to-linalg-pipeline %s | FileCheck %s --check-prefix=LINALG
// RUN: ttmlir-opt --convert-scf-to-cf %s | FileCheck %s --check-prefix=CF
// RUN: ttmlir-opt --show-dialects | FileCheck %s --check-prefix=DIALECTS
// Upstream's passes on the dialects that the tool reads.

// DIALECTS: Available Dialects: arith,builtin,cf,emitc,func,linalg,memref,ml_program,quant,scf,tensor,tosa,tt,ttir,ttkernel,ttmetal,ttnn,vector
// EMITC: emitc.for
// EMITC: add %
// LINALG: linalg.generic
// CF: cf.cond_br
func.func @loop(%n: index, %a: i32) -> i32 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %0 = scf.for %i = %zero to %n step %one iter_args(%s = %a) -> i32 {
    %1 = arith.addi %s, %a : i32
    scf.yield %1 : i32
  }
  return %0 : i32
}
func.func @tosa(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = tosa.abs %a : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// RUN: ttmlir-opt --split-input-file %s | FileCheck %s
// The largest numbers are numbers like others.

// CHECK: chipIds = [4294967295]
#device = #tt.device<workerGrid = #tt.grid<8x8, (d0, d1) -> (0, d0, d1)>, l1Map = (d0, d1)[s0, s1] -> (0, d0, d1, 0), dramMap = (d0, d1)[s0, s1] -> (0, 0, d0, d1), meshShape = , chipIds = [-1]>
func.func private @chip() attributes {a = #device}

// -----

// CHECK: chipIds = [4294967295, 4294967294]
#device = #tt.device<workerGrid = #tt.grid<8x16, (d0, d1) -> (d1 floordiv 8, d0, d1 mod 8)>, l1Map = (d0, d1)[s0, s1] -> (0, d0, d1, 0), dramMap = (d0, d1)[s0, s1] -> (0, 0, d0, d1), meshShape = 1x2, chipIds = [-1, -2]>
func.func private @chips() attributes {a = #device}

// -----

// CHECK-LABEL: func.func @position
// CHECK: source_target_pairs = dense<{{\[}}[9223372036854775807, 0], [9223372036854775806, 1]]>
#any = #tt.operand_constraint<any_device>
func.func @position(%a: tensor<32x64xf32>) -> tensor<32x64xf32> {
  %0 = tensor.empty() : tensor<32x64xf32>
  %1 = "ttir.collective_permute"(%a, %0) <{operand_constraints = [#any, #any], source_target_pairs = dense<[[9223372036854775807, 0], [9223372036854775806, 1]]> : tensor<2x2xi64>}> : (tensor<32x64xf32>, tensor<32x64xf32>) -> tensor<32x64xf32>
  return %1 : tensor<32x64xf32>
}

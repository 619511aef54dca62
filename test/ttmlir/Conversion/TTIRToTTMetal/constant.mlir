// RUN: ttmlir-opt --ttir-load-system-desc --ttir-implicit-device --ttir-allocate --convert-ttir-to-ttmetal --split-input-file --verify-diagnostics %s | FileCheck %s

// The host writes the elements to the place of the output.
#any = #tt.operand_constraint<dram|tile|interleaved>
#tiles = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<2x2x!tt.tile<32x32, f32>, #tt.memory_space<dram>>, interleaved>
// CHECK: #[[HOST:.*]] = #tt.layout<{{.*}}memref<40x50xf32, #system>>
// CHECK-LABEL: func.func @fill
func.func @fill() -> tensor<40x50xf32, #tiles> {
  %0 = tensor.empty() : tensor<40x50xf32, #tiles>
  // CHECK: %[[ALLOC:.*]] = "ttmetal.alloc"
  // CHECK: %[[VALUE:.*]] = "ttmetal.host_constant"() <{value = dense<2.500000e+00> : tensor<40x50xf32>}> : () -> tensor<40x50xf32, #[[HOST]]>
  // CHECK: "ttmetal.host_write"(%[[VALUE]], %[[ALLOC]])
  %1 = "ttir.fill"(%0) <{operand_constraints = [#any], value = dense<2.5> : tensor<40x50xf32>}> : (tensor<40x50xf32, #tiles>) -> tensor<40x50xf32, #tiles>
  return %1 : tensor<40x50xf32, #tiles>
}

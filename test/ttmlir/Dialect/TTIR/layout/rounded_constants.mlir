// RUN: ttmlir-opt --ttir-to-ttmetal-backend-pipeline --mlir-print-ir-after=ttir-layout %s -o /dev/null 2>&1 | FileCheck %s
// A constant that the program brings to a format of fewer bits is rounded for
// everything that reads it there, also where kernels take another format.
#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
#l1 = #tt.memory_space<l1>
#system = #tt.memory_space<system>
#host = #tt.layout<(d0, d1, d2) -> (d0 * 4 + d1, d2), undef, <1x1>, memref<60x15xbf16, #system>>
#blocks = #tt.layout<(d0, d1, d2) -> (d0 * 4 + d1, d2), undef, <1x1>, memref<2x1x!tt.tile<32x32, bfp_bf8>, #l1>, interleaved>

// CHECK-DAG: #[[BLOCKS:.*]] = #tt.layout<{{.*}}!tt.tile<32x32, bfp_bf8>
// CHECK-LABEL: func.func @forward
func.func @forward() -> tensor<15x1x15xbf16> {
  // CHECK: %[[C:.*]] = "ttir.constant"(){{.*}} -> tensor<15x4x15xbf16, #[[BLOCKS]]>
  // CHECK: "ttir.to_layout"(%[[C]], %{{.*}}) : (tensor<15x4x15xbf16, #[[BLOCKS]]>
  %0 = "ttir.constant"() <{value = dense<1.0> : tensor<15x4x15xbf16>}> : () -> tensor<15x4x15xbf16, #host>
  %1 = tensor.empty() : tensor<15x4x15xbf16, #blocks>
  %2 = "ttir.to_layout"(%0, %1) : (tensor<15x4x15xbf16, #host>, tensor<15x4x15xbf16, #blocks>) -> tensor<15x4x15xbf16, #blocks>
  %3 = tensor.empty() : tensor<15x1x15xbf16>
  %4 = "ttir.max"(%2, %3) <{dim_arg = [1 : i32], keep_dim = true, operand_constraints = [#any, #any]}> : (tensor<15x4x15xbf16, #blocks>, tensor<15x1x15xbf16>) -> tensor<15x1x15xbf16>
  return %4 : tensor<15x1x15xbf16>
}

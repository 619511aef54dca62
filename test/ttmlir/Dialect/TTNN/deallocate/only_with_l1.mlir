// RUN: ttmlir-opt --ttnn-deallocate="only-with-l1" %s | FileCheck %s
// RUN: ttmlir-opt --ttnn-deallocate %s | FileCheck %s --check-prefix=ALL
// RUN: ttmlir-opt --ttnn-deallocate="only-with-l1" --remarks %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// Tensors are freed, those in DRAM too, where some are in L1.
// REMARK-DAG: remark: [Passed] Kept | Category:ttnn-deallocate | Function=in_dram | Op=func.func, Reason="no tensor is freed before the end: none is in l1
// REMARK-DAG: remark: [Passed] Freed | Category:ttnn-deallocate | Function=in_l1 | Op=func.func, Reason="2 tensors are freed after their last use: some are in l1
#dram = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #tt.memory_space<dram>>, interleaved>
#l1 = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #tt.memory_space<l1>>, block_sharded>
#d = #tt.device<workerGrid = #tt.grid<8x8, (d0, d1) -> (0, d0, d1)>, l1Map = (d0, d1)[s0, s1] -> (0, d0 floordiv s0, d1 floordiv s1, (d0 mod s0) * s1 + d1 mod s1), dramMap = (d0, d1)[s0, s1] -> (0, 0, ((((d0 floordiv s0) * 8 + d1 floordiv s1) * (s0 * s1) + (d0 mod s0) * s1 + d1 mod s1) floordiv 8192) mod 12, (((d0 floordiv s0) * 8 + d1 floordiv s1) * (s0 * s1) + (d0 mod s0) * s1 + d1 mod s1) floordiv 98304 + (((d0 floordiv s0) * 8 + d1 floordiv s1) * (s0 * s1) + (d0 mod s0) * s1 + d1 mod s1) mod 8192), meshShape = , chipIds = [0]>
// CHECK-LABEL: func.func @in_dram
// CHECK-NOT: ttnn.dealloc
// ALL-LABEL: func.func @in_dram
// ALL-COUNT-1: ttnn.dealloc
func.func @in_dram(%device: !tt.device<#d>) {
  %0 = "ttnn.full"(%device) <{fillValue = 1.0 : f32}> : (!tt.device<#d>) -> tensor<64x128xf32, #dram>
  return
}
// CHECK-LABEL: func.func @in_l1
// CHECK-COUNT-2: ttnn.dealloc
// ALL-LABEL: func.func @in_l1
// ALL-COUNT-2: ttnn.dealloc
func.func @in_l1(%device: !tt.device<#d>) {
  %0 = "ttnn.full"(%device) <{fillValue = 1.0 : f32}> : (!tt.device<#d>) -> tensor<64x128xf32, #dram>
  %1 = "ttnn.full"(%device) <{fillValue = 1.0 : f32}> : (!tt.device<#d>) -> tensor<64x128xf32, #l1>
  return
}
// CHECK-LABEL: func.func @argument
// CHECK: ttnn.dealloc
func.func @argument(%device: !tt.device<#d>, %a: tensor<64x128xf32, #l1>) {
  %0 = "ttnn.full"(%device) <{fillValue = 1.0 : f32}> : (!tt.device<#d>) -> tensor<64x128xf32, #dram>
  return
}

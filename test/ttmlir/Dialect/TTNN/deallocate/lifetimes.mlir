// RUN: ttmlir-opt --ttnn-deallocate %s | FileCheck %s
// RUN: ttmlir-opt --ttnn-deallocate --ttnn-deallocate %s | FileCheck %s
// Each tensor on the device is freed once, behind its last use through destinations; what is
// returned, passed in or passed on is not.
#dram = #tt.memory_space<dram>
#system = #tt.memory_space<system>
#host = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #system>>
#on_dram = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #dram>, interleaved>
#d = #tt.device<workerGrid = #tt.grid<8x8, (d0, d1) -> (0, d0, d1)>, l1Map = (d0, d1)[s0, s1] -> (0, d0 floordiv s0, d1 floordiv s1, (d0 mod s0) * s1 + d1 mod s1), dramMap = (d0, d1)[s0, s1] -> (0, 0, ((((d0 floordiv s0) * 8 + d1 floordiv s1) * (s0 * s1) + (d0 mod s0) * s1 + d1 mod s1) floordiv 8192) mod 12, (((d0 floordiv s0) * 8 + d1 floordiv s1) * (s0 * s1) + (d0 mod s0) * s1 + d1 mod s1) floordiv 98304 + (((d0 floordiv s0) * 8 + d1 floordiv s1) * (s0 * s1) + (d0 mod s0) * s1 + d1 mod s1) mod 8192), meshShape = , chipIds = [0]>
func.func private @elsewhere(tensor<64x128xf32, #on_dram>)

// CHECK-LABEL: func.func @chain
// CHECK-SAME: (%[[A:.*]]: tensor
// CHECK: %[[IN:.*]] = "ttnn.to_device"
// CHECK: %[[E0:.*]] = "ttnn.empty"
// CHECK: %[[ABS:.*]] = "ttnn.abs"(%[[IN]], %[[E0]])
// CHECK-NEXT: "ttnn.dealloc"(%[[IN]])
// CHECK-NEXT: %[[EXP:.*]] = "ttnn.exp"(%[[ABS]], %[[ABS]])
// CHECK-NEXT: %[[OUT:.*]] = "ttnn.to_memory_config"(%[[EXP]]
// CHECK-NEXT: "ttnn.dealloc"(%[[E0]])
// CHECK-NEXT: return %[[OUT]]
func.func @chain(%a: tensor<64x128xf32, #host>) -> tensor<64x128xf32, #host> {
  %0 = "ttnn.get_device"() : () -> !tt.device<#d>
  %1 = "ttnn.to_device"(%a, %0) <{memory_config = #ttnn.memory_config<<interleaved>, <dram>>}> : (tensor<64x128xf32, #host>, !tt.device<#d>) -> tensor<64x128xf32, #on_dram>
  %2 = "ttnn.empty"(%0) <{dtype = #tt.supportedDataTypes<f32>, layout = #ttnn.layout<row_major>, memory_config = #ttnn.memory_config<<interleaved>, <dram>>, shape = #ttnn.shape<64x128>}> : (!tt.device<#d>) -> tensor<64x128xf32, #on_dram>
  %3 = "ttnn.abs"(%1, %2) <{operandSegmentSizes = array<i32: 1, 1>}> : (tensor<64x128xf32, #on_dram>, tensor<64x128xf32, #on_dram>) -> tensor<64x128xf32, #on_dram>
  %4 = "ttnn.exp"(%3, %3) <{operandSegmentSizes = array<i32: 1, 1>}> : (tensor<64x128xf32, #on_dram>, tensor<64x128xf32, #on_dram>) -> tensor<64x128xf32, #on_dram>
  %5 = "ttnn.to_memory_config"(%4, %0) : (tensor<64x128xf32, #on_dram>, !tt.device<#d>) -> tensor<64x128xf32, #host>
  return %5 : tensor<64x128xf32, #host>
}
// Two tensors that end with one op are freed in the order in which they are made; one that nothing
// reads is freed at once.
// CHECK-LABEL: func.func @together
// CHECK: %[[X:.*]] = "ttnn.full"{{.*}}1.000000e+00
// CHECK-NEXT: %[[Y:.*]] = "ttnn.full"{{.*}}2.000000e+00
// CHECK-NEXT: %[[DEAD:.*]] = "ttnn.full"{{.*}}3.000000e+00
// CHECK-NEXT: "ttnn.dealloc"(%[[DEAD]])
// CHECK-NEXT: "ttnn.add"(%[[X]], %[[Y]], %arg0)
// CHECK-NEXT: "ttnn.dealloc"(%[[X]])
// CHECK-NEXT: "ttnn.dealloc"(%[[Y]])
// CHECK-NEXT: return
func.func @together(%a: tensor<64x128xf32, #on_dram>) -> tensor<64x128xf32, #on_dram> {
  %0 = "ttnn.get_device"() : () -> !tt.device<#d>
  %1 = "ttnn.full"(%0) <{fillValue = 1.0 : f32}> : (!tt.device<#d>) -> tensor<64x128xf32, #on_dram>
  %2 = "ttnn.full"(%0) <{fillValue = 2.0 : f32}> : (!tt.device<#d>) -> tensor<64x128xf32, #on_dram>
  %3 = "ttnn.full"(%0) <{fillValue = 3.0 : f32}> : (!tt.device<#d>) -> tensor<64x128xf32, #on_dram>
  %4 = "ttnn.add"(%1, %2, %a) <{operandSegmentSizes = array<i32: 2, 1>}> : (tensor<64x128xf32, #on_dram>, tensor<64x128xf32, #on_dram>, tensor<64x128xf32, #on_dram>) -> tensor<64x128xf32, #on_dram>
  return %4 : tensor<64x128xf32, #on_dram>
}
// CHECK-LABEL: func.func @kept
// CHECK: %[[X:.*]] = "ttnn.full"
// CHECK: %[[Y:.*]] = "ttnn.full"
// CHECK: %[[Z:.*]] = "ttnn.full"
// CHECK: call @elsewhere(%[[Y]])
// CHECK: "ttnn.dealloc"(%[[Z]])
// CHECK-NOT: "ttnn.dealloc"
// CHECK: return
func.func @kept() -> tensor<64x128xf32, #on_dram> {
  %0 = "ttnn.get_device"() : () -> !tt.device<#d>
  %1 = "ttnn.full"(%0) <{fillValue = 1.0 : f32}> : (!tt.device<#d>) -> tensor<64x128xf32, #on_dram>
  %2 = "ttnn.full"(%0) <{fillValue = 2.0 : f32}> : (!tt.device<#d>) -> tensor<64x128xf32, #on_dram>
  %3 = "ttnn.full"(%0) <{fillValue = 3.0 : f32}> : (!tt.device<#d>) -> tensor<64x128xf32, #on_dram>
  %4 = "ttnn.abs"(%1, %1) <{operandSegmentSizes = array<i32: 1, 1>}> : (tensor<64x128xf32, #on_dram>, tensor<64x128xf32, #on_dram>) -> tensor<64x128xf32, #on_dram>
  call @elsewhere(%2) : (tensor<64x128xf32, #on_dram>) -> ()
  "ttnn.dealloc"(%3) : (tensor<64x128xf32, #on_dram>) -> ()
  return %4 : tensor<64x128xf32, #on_dram>
}
// A tensor that another block uses stays.
// CHECK-LABEL: func.func @blocks
// CHECK-NOT: "ttnn.dealloc"
// CHECK: return
func.func @blocks(%a: tensor<64x128xf32, #on_dram>) -> tensor<64x128xf32, #on_dram> {
  %0 = "ttnn.get_device"() : () -> !tt.device<#d>
  %1 = "ttnn.full"(%0) <{fillValue = 1.0 : f32}> : (!tt.device<#d>) -> tensor<64x128xf32, #on_dram>
  %2 = "ttnn.full"(%0) <{fillValue = 2.0 : f32}> : (!tt.device<#d>) -> tensor<64x128xf32, #on_dram>
  %3 = "ttnn.abs"(%1, %2) <{operandSegmentSizes = array<i32: 1, 1>}> : (tensor<64x128xf32, #on_dram>, tensor<64x128xf32, #on_dram>) -> tensor<64x128xf32, #on_dram>
  cf.br ^next(%1 : tensor<64x128xf32, #on_dram>)
^next(%4: tensor<64x128xf32, #on_dram>):
  %5 = "ttnn.add"(%3, %4, %a) <{operandSegmentSizes = array<i32: 2, 1>}> : (tensor<64x128xf32, #on_dram>, tensor<64x128xf32, #on_dram>, tensor<64x128xf32, #on_dram>) -> tensor<64x128xf32, #on_dram>
  return %5 : tensor<64x128xf32, #on_dram>
}

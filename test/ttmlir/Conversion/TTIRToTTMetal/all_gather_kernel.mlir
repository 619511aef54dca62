// RUN: echo "module {}" | ttmlir-translate --system-desc-to-flatbuffer --system=t3000 -o %t.ttsys
// RUN: ttmlir-opt --ttir-load-system-desc="path=%t.ttsys" --ttir-implicit-device="mesh-shape=2,4" --ttir-allocate --convert-ttir-to-ttmetal="use-all-gather-kernel=true" %s | FileCheck %s --check-prefixes=CHECK,DEFAULT
// RUN: ttmlir-opt --ttir-load-system-desc="path=%t.ttsys" --ttir-implicit-device="mesh-shape=2,4" --ttir-allocate --convert-ttir-to-ttmetal="use-all-gather-kernel=true all-gather-swizzle=2" %s | FileCheck %s --check-prefixes=CHECK,SWIZZLED
// RUN: ttmlir-opt --ttir-load-system-desc="path=%t.ttsys" --ttir-implicit-device="mesh-shape=2,4" --ttir-allocate --convert-ttir-to-ttmetal %s | FileCheck %s --check-prefix=OFF
// RUN: ttmlir-opt --ttir-load-system-desc="path=%t.ttsys" --ttir-implicit-device="mesh-shape=2,4" --ttir-allocate --convert-ttir-to-ttmetal="use-all-gather-kernel=true" --remarks %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// REMARK-DAG: remark: [Passed] Kernels | Category:convert-ttir-to-ttmetal | Function=line | Op=ttir.all_gather, Reason="kernels send along axis 1, in lines of 4 chips, both ways at once", Rejected="rings: the ends of the axis have no link

// OFF-NOT: ttmetal.dispatch

#any_device_tile = #tt.operand_constraint<any_device_tile>
#dram = #tt.memory_space<dram>
#in = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<10x7x!tt.tile<32x32, bf16>, #dram>, interleaved>
#out = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<10x28x!tt.tile<32x32, bf16>, #dram>, interleaved>
#tall = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<20x7x!tt.tile<32x32, bf16>, #dram>, interleaved>

// 70 tiles on 32 cores, and a semaphore for each direction on each of them.
// CHECK-LABEL: func.func @line
func.func @line(%a: tensor<320x224xbf16, #in>) -> tensor<320x896xbf16, #out> {
  %0 = tensor.empty() : tensor<320x896xbf16, #out>
  // CHECK: "ttmetal.dispatch"(%arg0, %{{.*}}) <{core_ranges = [#ttmetal.core_range<0x0, 4x8>, #ttmetal.core_range<0x0, 4x8>], kernelConfigs = [#ttkernel.noc_config<noc0>, #ttkernel.noc_config<noc1>], kernel_names = ["reader", "writer"], operandSegmentSizes = array<i32: 1, 1>, program_name = "all_gather", runtime_args = {{.*}}, semaphores = array<i32: 0, 0>}>
  // CHECK: %[[POSITION:.*]] = "ttkernel.get_my_device_id"
  // CHECK: %[[PLACE:.*]] = arith.remui %[[POSITION]]
  // DEFAULT: "ttkernel.noc_async_read_page"
  // SWIZZLED: arith.divui
  // SWIZZLED: %[[IN:.*]] = arith.remui
  // SWIZZLED: arith.remui %[[IN]]
  // SWIZZLED: arith.divui %[[IN]]
  // SWIZZLED: "ttkernel.noc_async_read_page"
  // The own block goes to its place here and on the next chip.
  // CHECK: "ttkernel.noc_async_write"
  // CHECK: scf.if
  // CHECK: "ttkernel.fabric_async_write"
  // CHECK: "ttkernel.fabric_semaphore_inc"
  // What comes is passed on.
  // CHECK: "ttkernel.noc_semaphore_wait_min"
  // CHECK: "ttkernel.noc_async_read"
  // CHECK: "ttkernel.fabric_async_write"
  // CHECK: "ttkernel.fabric_semaphore_inc"
  // CHECK: "ttkernel.fabric_async_write_barrier"
  // CHECK: "ttkernel.noc_semaphore_wait_min"
  // CHECK: "ttkernel.return"
  %1 = "ttir.all_gather"(%a, %0) <{all_gather_dim = 1 : si32, cluster_axis = 1 : ui32, operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any_device_tile, #any_device_tile]}> : (tensor<320x224xbf16, #in>, tensor<320x896xbf16, #out>) -> tensor<320x896xbf16, #out>
  return %1 : tensor<320x896xbf16, #out>
}

// The tensors of one op share a dispatch, its cores and its semaphores.
// CHECK-LABEL: func.func @several
func.func @several(%a: tensor<320x224xbf16, #in>, %b: tensor<320x224xbf16, #in>) -> (tensor<640x224xbf16, #tall>, tensor<640x224xbf16, #tall>) {
  %0 = tensor.empty() : tensor<640x224xbf16, #tall>
  %1 = tensor.empty() : tensor<640x224xbf16, #tall>
  // CHECK-COUNT-1: ttmetal.dispatch
  // CHECK-SAME: operandSegmentSizes = array<i32: 2, 2>, program_name = "all_gather", runtime_args = {{.*}}, semaphores = array<i32: 0, 0>
  // CHECK-NOT: ttmetal.dispatch
  // CHECK: return
  %2:2 = "ttir.all_gather"(%a, %b, %0, %1) <{all_gather_dim = 0 : si32, cluster_axis = 0 : ui32, operandSegmentSizes = array<i32: 2, 2>, operand_constraints = [#any_device_tile, #any_device_tile, #any_device_tile, #any_device_tile]}> : (tensor<320x224xbf16, #in>, tensor<320x224xbf16, #in>, tensor<640x224xbf16, #tall>, tensor<640x224xbf16, #tall>) -> (tensor<640x224xbf16, #tall>, tensor<640x224xbf16, #tall>)
  return %2#0, %2#1 : tensor<640x224xbf16, #tall>, tensor<640x224xbf16, #tall>
}

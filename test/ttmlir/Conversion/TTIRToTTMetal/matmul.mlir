// RUN: ttmlir-opt --ttir-load-system-desc --ttir-implicit-device --ttir-allocate --convert-ttir-to-ttmetal %s | FileCheck %s
// RUN: ttmlir-opt --ttir-load-system-desc --ttir-implicit-device="override-device-shape=1,1" --ttir-allocate --convert-ttir-to-ttmetal %s | FileCheck %s --check-prefix=ONE

#any_device_tile = #tt.operand_constraint<any_device_tile>
#dram = #tt.memory_space<dram>
#a = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<16x24x!tt.tile<32x32, bf16>, #dram>, interleaved>
#b = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<24x8x!tt.tile<32x32, bf16>, #dram>, interleaved>
#c = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<16x8x!tt.tile<32x32, bf16>, #dram>, interleaved>

// The grid lies over the result: one core of each row of cores reads rows of a
// and sends them along the row, one of each column columns of b.
// CHECK-LABEL: func.func @multicast
func.func @multicast(%a: tensor<512x768xbf16, #a>, %b: tensor<768x256xbf16, #b>) -> tensor<512x256xbf16, #c> {
  %0 = tensor.empty() : tensor<512x256xbf16, #c>
  // CHECK: "ttmetal.dispatch"
  // CHECK-SAME: core_ranges = [#ttmetal.core_range<0x0, 8x8>, #ttmetal.core_range<0x0, 8x8>, #ttmetal.core_range<0x0, 8x8>]
  // CHECK-SAME: kernelConfigs = [#ttkernel.noc_config<noc0>, #ttkernel.noc_config<noc1>, #ttkernel.tensix_config<hifi4, true, false, false>]
  // CHECK-SAME: semaphores = array<i32: 0, 0, 0, 0>
  // CHECK-NEXT: cb_in0, {{[0-9]+}}, memref<1x16x!tt.tile<32x32, bf16>, #l1_>, 2048, 2
  // CHECK-SAME: cb_in1, {{[0-9]+}}, memref<1x8x!tt.tile<32x32, bf16>, #l1_>, 2048, 2
  // CHECK-SAME: cb_out0, {{[0-9]+}}, memref<1x2x!tt.tile<32x32, bf16>, #l1_>, 2048, 1
  // CHECK-SAME: cb_int0, {{[0-9]+}}, memref<1x2x!tt.tile<32x32, f32>, #l1_>, 4096, 1
  // CHECK: "ttkernel.noc_async_read_page"
  // CHECK: "ttkernel.noc_semaphore_wait"
  // CHECK: "ttkernel.noc_async_write_multicast"
  // CHECK: "ttkernel.noc_semaphore_set_multicast"
  // CHECK: } else {
  // CHECK: "ttkernel.noc_semaphore_inc"
  // The second kernel reads b and writes the result.
  // CHECK: "ttkernel.noc_async_write_multicast"
  // CHECK: "ttkernel.noc_async_write_page"
  // Sums over more than one block of the depth stay in f32; the unpacker is told
  // when it goes on to them and back to the operands.
  // CHECK: "ttkernel.mm_block_init"
  // CHECK: "ttkernel.reconfig_data_format"
  // CHECK-NEXT: "ttkernel.mm_block_init_short"
  // CHECK: "ttkernel.pack_reconfig_l1_acc"
  // CHECK: "ttkernel.matmul_block"
  // CHECK: "ttkernel.reconfig_data_format_srca"
  // CHECK-NEXT: "ttkernel.copy_tile_init"
  // CHECK: "ttkernel.copy_tile"
  // One core sends nothing.
  // ONE-LABEL: func.func @multicast
  // ONE: core_ranges = [#ttmetal.core_range<0x0, 1x1>
  // ONE-NOT: semaphore
  // ONE-NOT: multicast
  // ONE: func.func @products
  %1 = "ttir.matmul"(%a, %b, %0) <{operand_constraints = [#any_device_tile, #any_device_tile, #any_device_tile]}> : (tensor<512x768xbf16, #a>, tensor<768x256xbf16, #b>, tensor<512x256xbf16, #c>) -> tensor<512x256xbf16, #c>
  return %1 : tensor<512x256xbf16, #c>
}

#d = #tt.layout<(d0, d1, d2) -> (d0 * 32 + d1, d2), undef, <1x1>, memref<20x1x!tt.tile<32x32, f32>, #dram>, interleaved>

// Many small products are dealt out; every core reads for itself.
// CHECK-LABEL: func.func @products
func.func @products(%a: tensor<20x32x32xf32, #d>, %b: tensor<20x32x32xf32, #d>) -> tensor<20x32x32xf32, #d> {
  %0 = tensor.empty() : tensor<20x32x32xf32, #d>
  // CHECK: core_ranges = [#ttmetal.core_range<0x0, 3x8>
  // CHECK-NOT: multicast
  // CHECK: "ttkernel.matmul_block"
  %1 = "ttir.matmul"(%a, %b, %0) <{operand_constraints = [#any_device_tile, #any_device_tile, #any_device_tile]}> : (tensor<20x32x32xf32, #d>, tensor<20x32x32xf32, #d>, tensor<20x32x32xf32, #d>) -> tensor<20x32x32xf32, #d>
  return %1 : tensor<20x32x32xf32, #d>
}

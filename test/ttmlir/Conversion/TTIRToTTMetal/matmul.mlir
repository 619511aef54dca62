// RUN: ttmlir-opt --ttir-load-system-desc --ttir-implicit-device --ttir-allocate --convert-ttir-to-ttmetal %s | FileCheck %s
// RUN: ttmlir-opt --ttir-load-system-desc --ttir-implicit-device="override-device-shape=1,1" --ttir-allocate --convert-ttir-to-ttmetal %s | FileCheck %s --check-prefix=ONE
// RUN: ttmlir-opt --ttir-load-system-desc --ttir-implicit-device --ttir-allocate --convert-ttir-to-ttmetal --remarks=ttmetal %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// REMARK-DAG: remark: [Passed] Blocks | Category:convert-ttir-to-ttmetal | Function=multicast | Op=ttir.matmul, Reason="blocks of 2x1 tiles of the result in steps of 8 of 24 tiles of the inner dimension, laid over the cores: those of a row share what one reads of a, by multicast on noc0, those of a column what one reads of b, on noc1", Rejected="blocks dealt out one by one
// REMARK-DAG: remark: [Passed] Dispatch | Category:convert-ttir-to-ttmetal | Function=multicast | Buffers="cb_in0 2x16 pages of 2048, cb_in1 2x8 pages of 2048, {{.*}}", Op=ttir.matmul, Reason="runs on 8x8 of 8x8 cores: noc0, noc1, compute in hifi4 into f32; circular buffers take {{[0-9]+}} bytes, {{[0-9]+}} are free", Rejected="fewer cores: there is work for all"
// REMARK-DAG: remark: [Passed] Blocks | Category:convert-ttir-to-ttmetal | Function=products | Op=ttir.matmul, Reason="blocks of 1x1 tiles of the result in steps of 1 of 1 tiles of the inner dimension, dealt out to the cores, each of which reads for itself", Rejected="laid over the cores with multicast: one core has it all
// REMARK-DAG: remark: [Passed] Dispatch | Category:convert-ttir-to-ttmetal | Function=products | Buffers="{{.*}}", Op=ttir.matmul, Reason="runs on 3x8 of 8x8 cores: {{.*}}", Rejected="more cores: 20 units of work

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

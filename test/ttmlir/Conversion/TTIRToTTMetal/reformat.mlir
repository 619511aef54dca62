// RUN: ttmlir-opt --ttir-load-system-desc --ttir-implicit-device --ttir-allocate --convert-ttir-to-ttmetal --split-input-file %s | FileCheck %s

// Shards of whole tiles are tilized where they are, a row of tiles at a time.
#scalars = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #tt.memory_space<l1>>>
#tiles = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<2x4x!tt.tile<32x32, f32>, #tt.memory_space<l1>>>
// CHECK-LABEL: func.func @shards
func.func @shards(%arg0: tensor<64x128xf32, #scalars>) -> tensor<64x128xf32, #scalars> {
  %0 = tensor.empty() : tensor<64x128xf32, #tiles>
  %2 = tensor.empty() : tensor<64x128xf32, #scalars>
  // CHECK: "ttmetal.dispatch"(%arg0, %{{.*}}) <{core_ranges = [#ttmetal.core_range<0x0, 1x1>], kernelConfigs = [#ttkernel.tensix_config<hifi4, false, false, false>]
  // CHECK-NEXT: ^bb0(%[[IN:.*]]: !ttkernel.cb<cb_in0, 1024, memref<64x128xf32, #l1_>, 4096, 1>, %[[OUT:.*]]: !ttkernel.cb<cb_out0, 33792, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>):
  // CHECK-NEXT: %[[N:.*]] = arith.constant 4 : i32
  // CHECK-NEXT: "ttkernel.tilize_init"(%[[IN]], %[[N]], %[[OUT]])
  // CHECK-COUNT-2: "ttkernel.tilize_block"(%[[IN]], %[[N]], %[[OUT]]){{.*}}{{[[:space:]]*}}"ttkernel.cb_pop_front"(%[[IN]], %[[N]]){{.*}}{{[[:space:]]*}}"ttkernel.cb_push_back"(%[[OUT]], %[[N]])
  // CHECK-NEXT: "ttkernel.return"()
  %1 = "ttir.to_layout"(%arg0, %0) : (tensor<64x128xf32, #scalars>, tensor<64x128xf32, #tiles>) -> tensor<64x128xf32, #tiles>
  // CHECK: "ttkernel.untilize_init"(%[[IN:.*]], %[[OUT:[^)]*]])
  // CHECK-COUNT-2: "ttkernel.untilize_block"
  %3 = "ttir.to_layout"(%1, %2) : (tensor<64x128xf32, #tiles>, tensor<64x128xf32, #scalars>) -> tensor<64x128xf32, #scalars>
  return %3 : tensor<64x128xf32, #scalars>
}

// -----

// Rows in DRAM: the reader pads the last rows and columns with what the layout says, here -infinity.
#rows = #tt.layout<(d0, d1, d2) -> (d0 * 40 + d1, d2), undef, <1x1>, memref<80x50xbf16, #tt.memory_space<dram>>, interleaved>
#tiles = #tt.layout<(d0, d1, d2) -> (d0 * 64 + d1, d2), neginf, <1x1>, memref<4x2x!tt.tile<32x32, bf16>, #tt.memory_space<dram>>, interleaved>
// CHECK-LABEL: func.func @rows
func.func @rows(%arg0: tensor<2x40x50xbf16, #rows>) -> tensor<2x40x50xbf16, #tiles> {
  %0 = tensor.empty() : tensor<2x40x50xbf16, #tiles>
  // CHECK: "ttmetal.dispatch"(%arg0, %{{.*}}) <{core_ranges = [#ttmetal.core_range<0x0, 1x4>, #ttmetal.core_range<0x0, 1x4>, #ttmetal.core_range<0x0, 1x4>], kernelConfigs = [#ttkernel.noc_config<noc0>, #ttkernel.tensix_config<hifi4, true, false, false>, #ttkernel.noc_config<noc1>]
  // CHECK-NEXT: ^bb0(%[[IN:.*]]: !ttkernel.cb<cb_in0, 1024, memref<32x64xbf16, #l1_>, 2048, 2>, %[[OUT:.*]]: !ttkernel.cb<cb_out0, 9216, memref<1x2x!tt.tile<32x32, bf16>, #l1_>, 2048, 2>):
  // CHECK: %[[NEGINF:.*]] = arith.constant 65408 : i32
  // CHECK: "ttkernel.noc_async_read"
  // CHECK: "ttkernel.fill_with_val"(%{{.*}}, %{{.*}}, %[[NEGINF]]) <{bytes = 2 : i32}>
  // CHECK: "ttkernel.noc_async_read_barrier"()
  // CHECK: "ttkernel.tilize_block"(%{{.*}}, %{{.*}}, %{{.*}})
  // CHECK: "ttkernel.noc_async_write_page"
  %1 = "ttir.to_layout"(%arg0, %0) : (tensor<2x40x50xbf16, #rows>, tensor<2x40x50xbf16, #tiles>) -> tensor<2x40x50xbf16, #tiles>
  return %1 : tensor<2x40x50xbf16, #tiles>
}

// -----

// Tiles get another padding by a choice between them and a number, where the tensor ends.
#undef = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<2x2x!tt.tile<32x32, f32>, #tt.memory_space<dram>>, interleaved>
#zero = #tt.layout<(d0, d1) -> (d0, d1), one, <1x1>, memref<2x2x!tt.tile<32x32, f32>, #tt.memory_space<dram>>, interleaved>
// CHECK-LABEL: func.func @mask
func.func @mask(%arg0: tensor<40x50xf32, #undef>) -> tensor<40x50xf32, #zero> {
  %0 = tensor.empty() : tensor<40x50xf32, #zero>
  // CHECK: !ttkernel.cb<cb_in1, {{.*}}, memref<1x3x!tt.tile<32x32, bf16>, #l1_>, 2048, 1>
  // CHECK: "ttkernel.copy_tile"
  // CHECK: scf.if
  // CHECK: "ttkernel.fill_tile"
  // CHECK: "ttkernel.where_tile"
  %1 = "ttir.to_layout"(%arg0, %0) : (tensor<40x50xf32, #undef>, tensor<40x50xf32, #zero>) -> tensor<40x50xf32, #zero>
  return %1 : tensor<40x50xf32, #zero>
}

// -----

// Whole tiles have no padding: their pages are copied.
#undef = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<2x2x!tt.tile<32x32, f32>, #tt.memory_space<dram>>, interleaved>
#zero = #tt.layout<(d0, d1) -> (d0, d1), zero, <1x1>, memref<2x2x!tt.tile<32x32, f32>, #tt.memory_space<dram>>, interleaved>
// CHECK-LABEL: func.func @whole
func.func @whole(%arg0: tensor<64x64xf32, #undef>) -> tensor<64x64xf32, #zero> {
  %0 = tensor.empty() : tensor<64x64xf32, #zero>
  // CHECK: kernelConfigs = [#ttkernel.noc_config<noc0>, #ttkernel.noc_config<noc1>]
  %1 = "ttir.to_layout"(%arg0, %0) : (tensor<64x64xf32, #undef>, tensor<64x64xf32, #zero>) -> tensor<64x64xf32, #zero>
  return %1 : tensor<64x64xf32, #zero>
}

// -----

// To another format: through a destination register, which the packer rounds from.
#f32 = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<2x2x!tt.tile<32x32, f32>, #tt.memory_space<dram>>, interleaved>
#u8 = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<2x2x!tt.tile<32x32, u8>, #tt.memory_space<dram>>, interleaved>
// CHECK-LABEL: func.func @typecast
func.func @typecast(%arg0: tensor<64x64xf32, #f32>) -> tensor<64x64xf32, #u8> {
  %0 = tensor.empty() : tensor<64x64xf32, #u8>
  // CHECK: "ttkernel.copy_tile"
  // CHECK: "ttkernel.typecast_tile"(%{{.*}}) <{in_dtype = 0 : i32, out_dtype = 11 : i32}>
  // CHECK: "ttkernel.pack_tile"
  %1 = "ttir.to_layout"(%arg0, %0) : (tensor<64x64xf32, #f32>, tensor<64x64xf32, #u8>) -> tensor<64x64xf32, #u8>
  return %1 : tensor<64x64xf32, #u8>
}

// RUN: ttmlir-opt --ttir-load-system-desc --ttir-implicit-device --ttir-allocate --convert-ttir-to-ttmetal %s | FileCheck %s

#scalar = #tt.operand_constraint<dram|scalar|interleaved>
#dram = #tt.memory_space<dram>
#in = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<10x64xf32, #dram>, interleaved>
#part = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<4x16xf32, #dram>, interleaved>
#back = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x10xf32, #dram>, interleaved>

// What begins at the right place is read in place.
// CHECK-LABEL: func.func @slice
func.func @slice(%a: tensor<10x64xf32, #in>) -> tensor<4x16xf32, #part> {
  %0 = tensor.empty() : tensor<4x16xf32, #part>
  // CHECK: core_ranges = [#ttmetal.core_range<0x0, 1x4>, #ttmetal.core_range<0x0, 1x4>]
  // CHECK-SAME: kernelConfigs = [#ttkernel.noc_config<noc0>, #ttkernel.noc_config<noc1>]
  // CHECK: "ttkernel.noc_async_read"
  // CHECK-NOT: tt_memmove
  // CHECK: "ttkernel.noc_async_write_page"
  %1 = "ttir.slice"(%a, %0) <{begins = [0 : i32, 8 : i32], ends = [10 : i32, 24 : i32], operand_constraints = [#scalar, #scalar], step = [3 : i32, 1 : i32]}> : (tensor<10x64xf32, #in>, tensor<4x16xf32, #part>) -> tensor<4x16xf32, #part>
  return %1 : tensor<4x16xf32, #part>
}

// CHECK-LABEL: func.func @reshape
func.func @reshape(%a: tensor<10x64xf32, #in>) -> tensor<64x10xf32, #back> {
  %0 = tensor.empty() : tensor<64x10xf32, #back>
  // CHECK: core_ranges = [#ttmetal.core_range<0x0, 8x8>
  // Runs of gcd(10, 64) elements.
  // CHECK: %[[BYTES:.*]] = arith.constant 8 : i32
  // CHECK: "ttkernel.tt_memmove"(%{{.*}}, %{{.*}}, %[[BYTES]])
  %1 = "ttir.reshape"(%a, %0) <{operand_constraints = [#scalar, #scalar], shape = [64 : i32, 10 : i32]}> : (tensor<10x64xf32, #in>, tensor<64x10xf32, #back>) -> tensor<64x10xf32, #back>
  return %1 : tensor<64x10xf32, #back>
}

#indices = #tt.layout<(d0) -> (0, d0), undef, <1x1>, memref<1x4xi32, #dram>, interleaved>
#rows = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<4x64xf32, #dram>, interleaved>

// CHECK-LABEL: func.func @embedding
func.func @embedding(%i: tensor<4xi32, #indices>, %w: tensor<10x64xf32, #in>) -> tensor<4x64xf32, #rows> {
  %0 = tensor.empty() : tensor<4x64xf32, #rows>
  // CHECK: %[[INDEX:.*]] = "ttkernel.load_from_l1"
  // CHECK: "ttkernel.assert"{{.*}} <{message = "embedding: expected an index below 10"}>
  // CHECK: "ttkernel.tensor_accessor_get_noc_addr"(%{{.*}}, %[[INDEX]], %{{.*}})
  %1 = "ttir.embedding"(%i, %w, %0) <{operand_constraints = [#scalar, #scalar, #scalar]}> : (tensor<4xi32, #indices>, tensor<10x64xf32, #in>, tensor<4x64xf32, #rows>) -> tensor<4x64xf32, #rows>
  return %1 : tensor<4x64xf32, #rows>
}

#images = #tt.layout<(d0, d1, d2) -> (d0 * 6 + d1, d2), undef, <1x1>, memref<12x128xf32, #dram>, interleaved>
#windows = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<48x144xf32, #dram>, interleaved>
#odd = #tt.layout<(d0, d1, d2) -> (d0 * 6 + d1, d2), undef, <1x1>, memref<12x24xf32, #dram>, interleaved>
#windows_of_odd = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<48x27xf32, #dram>, interleaved>

// A row of a window is one run, which is read to its place where the channels are aligned.
// CHECK-LABEL: func.func @unfold
func.func @unfold(%a: tensor<2x6x128xf32, #images>) -> tensor<48x144xf32, #windows> {
  %0 = tensor.empty() : tensor<48x144xf32, #windows>
  // CHECK: %[[BYTES:.*]] = arith.constant 192 : i32
  // CHECK: scf.for
  // CHECK: "ttkernel.noc_async_read"(%{{.*}}, %{{.*}}, %[[BYTES]])
  // CHECK-NOT: tt_memmove
  // CHECK: "ttkernel.noc_async_write_page"
  %1 = "ttir.unfold"(%a, %0) <{channels = 16 : i64, dilation = array<i32: 1, 1>, kernel = array<i32: 3, 3>, operand_constraints = [#scalar, #scalar], stride = array<i32: 1, 1>}> : (tensor<2x6x128xf32, #images>, tensor<48x144xf32, #windows>) -> tensor<48x144xf32, #windows>
  return %1 : tensor<48x144xf32, #windows>
}

// Runs that are not are fetched together.
// CHECK-LABEL: func.func @unfold_odd
func.func @unfold_odd(%a: tensor<2x6x24xf32, #odd>) -> tensor<48x27xf32, #windows_of_odd> {
  %0 = tensor.empty() : tensor<48x27xf32, #windows_of_odd>
  // CHECK: scf.for
  // CHECK: "ttkernel.noc_async_read"
  // CHECK: }
  // CHECK-NEXT: "ttkernel.noc_async_read_barrier"
  // CHECK-NEXT: scf.for
  // CHECK: "ttkernel.tt_memmove"
  %1 = "ttir.unfold"(%a, %0) <{channels = 3 : i64, dilation = array<i32: 1, 1>, kernel = array<i32: 3, 3>, operand_constraints = [#scalar, #scalar], stride = array<i32: 1, 1>}> : (tensor<2x6x24xf32, #odd>, tensor<48x27xf32, #windows_of_odd>) -> tensor<48x27xf32, #windows_of_odd>
  return %1 : tensor<48x27xf32, #windows_of_odd>
}

#three = #tt.layout<(d0, d1, d2) -> (d0 * 6 + d1, d2), undef, <1x1>, memref<12x64xf32, #dram>, interleaved>
#tiled = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<1x2x!tt.tile<32x32, f32>, #dram>, interleaved>
#tile = #tt.operand_constraint<dram|tile|interleaved>

// Rows that stay whole become tiles on the way, and back.
// CHECK-LABEL: func.func @reshape_to_tiles
func.func @reshape_to_tiles(%a: tensor<2x6x64xf32, #three>) -> tensor<12x64xf32, #tiled> {
  %0 = tensor.empty() : tensor<12x64xf32, #tiled>
  // CHECK: "ttkernel.noc_async_read"
  // CHECK: "ttkernel.tilize_block"
  // CHECK: "ttkernel.noc_async_write_page"
  %1 = "ttir.reshape"(%a, %0) <{operand_constraints = [#scalar, #tile], shape = [12 : i32, 64 : i32]}> : (tensor<2x6x64xf32, #three>, tensor<12x64xf32, #tiled>) -> tensor<12x64xf32, #tiled>
  return %1 : tensor<12x64xf32, #tiled>
}

// CHECK-LABEL: func.func @reshape_to_rows
func.func @reshape_to_rows(%a: tensor<12x64xf32, #tiled>) -> tensor<2x6x64xf32, #three> {
  %0 = tensor.empty() : tensor<2x6x64xf32, #three>
  // CHECK: "ttkernel.noc_async_read_page"
  // CHECK: "ttkernel.untilize_block"
  // CHECK: "ttkernel.noc_async_write"
  %1 = "ttir.reshape"(%a, %0) <{operand_constraints = [#tile, #scalar], shape = [2 : i32, 6 : i32, 64 : i32]}> : (tensor<12x64xf32, #tiled>, tensor<2x6x64xf32, #three>) -> tensor<2x6x64xf32, #three>
  return %1 : tensor<2x6x64xf32, #three>
}

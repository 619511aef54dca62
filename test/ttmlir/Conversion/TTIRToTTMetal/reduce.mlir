// RUN: ttmlir-opt --ttir-load-system-desc --ttir-implicit-device --ttir-allocate --convert-ttir-to-ttmetal %s | FileCheck %s

#any_device_tile = #tt.operand_constraint<any_device_tile>
#dram = #tt.memory_space<dram>
#in = #tt.layout<(d0, d1, d2) -> (d0 * 64 + d1, d2), undef, <1x1>, memref<6x3x!tt.tile<32x32, f32>, #dram>, interleaved>
#rows = #tt.layout<(d0, d1, d2) -> (d0 * 64 + d1, d2), undef, <1x1>, memref<6x1x!tt.tile<32x32, f32>, #dram>, interleaved>
#one = #tt.layout<(d0, d1, d2) -> (d0 * 64 + d1, d2), undef, <1x1>, memref<2x3x!tt.tile<32x32, f32>, #dram>, interleaved>
#t = #tt.layout<(d0, d1, d2) -> (d0 * 96 + d1, d2), undef, <1x1>, memref<9x2x!tt.tile<32x32, f32>, #dram>, interleaved>

// CHECK-LABEL: func.func @mean
func.func @mean(%a: tensor<3x64x96xf32, #in>) -> tensor<3x64x1xf32, #rows> {
  %0 = tensor.empty() : tensor<3x64x1xf32, #rows>
  // CHECK: core_ranges = [#ttmetal.core_range<0x0, 1x6>
  // The sum along the rows of each tile and of the tiles beside it, divided.
  // CHECK: "ttkernel.fill_with_val"
  // CHECK: "ttkernel.reduce_tile"{{.*}} <{pool_type = #ttkernel.pool_type<sum>, reduce_dim = #ttkernel.reduce_dim<row>}>
  // CHECK: "ttkernel.div_binary_tile"
  %1 = "ttir.mean"(%a, %0) <{dim_arg = [-1 : i32], keep_dim = true, operand_constraints = [#any_device_tile, #any_device_tile]}> : (tensor<3x64x96xf32, #in>, tensor<3x64x1xf32, #rows>) -> tensor<3x64x1xf32, #rows>
  return %1 : tensor<3x64x1xf32, #rows>
}

// CHECK-LABEL: func.func @max
func.func @max(%a: tensor<3x64x96xf32, #in>) -> tensor<1x64x96xf32, #one> {
  %0 = tensor.empty() : tensor<1x64x96xf32, #one>
  // Along a leading dimension whole tiles are combined.
  // CHECK-NOT: reduce_tile
  // CHECK: "ttkernel.binary_max_tile"
  %1 = "ttir.max"(%a, %0) <{dim_arg = [0 : i32], keep_dim = true, operand_constraints = [#any_device_tile, #any_device_tile]}> : (tensor<3x64x96xf32, #in>, tensor<1x64x96xf32, #one>) -> tensor<1x64x96xf32, #one>
  return %1 : tensor<1x64x96xf32, #one>
}

// CHECK-LABEL: func.func @transpose
func.func @transpose(%a: tensor<3x64x96xf32, #in>) -> tensor<3x96x64xf32, #t> {
  %0 = tensor.empty() : tensor<3x96x64xf32, #t>
  // CHECK: core_ranges = [#ttmetal.core_range<0x0, 3x8>
  // CHECK: "ttkernel.transpose_wh_tile"
  %1 = "ttir.transpose"(%a, %0) <{dim0 = 1 : si32, dim1 = 2 : si32, operand_constraints = [#any_device_tile, #any_device_tile]}> : (tensor<3x64x96xf32, #in>, tensor<3x96x64xf32, #t>) -> tensor<3x96x64xf32, #t>
  return %1 : tensor<3x96x64xf32, #t>
}

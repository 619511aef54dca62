// RUN: ttmlir-opt %s | ttmlir-opt | FileCheck %s
// Layout changes, allocation, and generic work.
#any = #tt.operand_constraint<dram|l1|tile|any_device_tile>
#l1 = #tt.memory_space<l1>
#system = #tt.memory_space<system>
#map = affine_map<(d0, d1) -> (d0, d1)>
#parallel = #tt.iterator_type<parallel>
#host = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #system>>
#tiles = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<2x4x!tt.tile<32x32, f32>, #l1>>
// CHECK-LABEL: func.func @to_layout
// CHECK: "ttir.to_layout"(%{{.*}}, %{{.*}}) : (tensor<64x128xf32, #layout>, tensor<64x128xf32, #layout1>) -> tensor<64x128xf32, #layout1>
func.func @to_layout(%a: tensor<64x128xf32, #host>) -> tensor<64x128xf32, #tiles> {
  %0 = tensor.empty() : tensor<64x128xf32, #tiles>
  %1 = "ttir.to_layout"(%a, %0) : (tensor<64x128xf32, #host>, tensor<64x128xf32, #tiles>) -> tensor<64x128xf32, #tiles>
  return %1 : tensor<64x128xf32, #tiles>
}
// CHECK-LABEL: func.func @alloc
// CHECK: "ttir.alloc"() <{address = 66560 : i64, memory_space = #l1_, size = 32768 : i64}> : () -> tensor<64x128xf32, #layout1>
// CHECK: "ttir.dealloc"(%{{.*}}) : (tensor<64x128xf32, #layout1>) -> ()
func.func @alloc() {
  %0 = "ttir.alloc"() <{address = 66560 : i64, memory_space = #l1, size = 32768 : i64}> : () -> tensor<64x128xf32, #tiles>
  "ttir.dealloc"(%0) : (tensor<64x128xf32, #tiles>) -> ()
  return
}
// CHECK-LABEL: func.func @generic
// CHECK: "ttir.generic"(%{{.*}}, %{{.*}}, %{{.*}}) <{grid = #tt.grid<1x1>, indexing_maps = [#map, #map, #map], iterator_types = [#parallel, #parallel], operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any_device_tile, #any_device_tile, #any_device_tile]}> ({
// CHECK: "ttir.kernel"(%{{.*}}, %{{.*}}, %{{.*}}) <{kind = @eltwise, op = @multiply, operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any_device_tile, #any_device_tile, #any_device_tile]}>
// CHECK: "ttir.yield"
func.func @generic(%a: tensor<64x128xf32>, %b: tensor<64x128xf32>) -> tensor<64x128xf32> {
  %0 = tensor.empty() : tensor<64x128xf32>
  %1 = "ttir.generic"(%a, %b, %0) <{grid = #tt.grid<1x1>, indexing_maps = [#map, #map, #map], iterator_types = [#parallel, #parallel], operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> ({
  ^bb0(%x: tensor<64x128xf32>, %y: tensor<64x128xf32>, %z: tensor<64x128xf32>):
    %2 = "ttir.kernel"(%x, %y, %z) <{kind = @eltwise, op = @multiply, operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<64x128xf32>, tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
    "ttir.yield"(%2) : (tensor<64x128xf32>) -> ()
  }) : (tensor<64x128xf32>, tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  return %1 : tensor<64x128xf32>
}

// RUN: ttmlir-opt --ttir-layout %s | FileCheck %s
// RUN: echo "module {}" | ttmlir-translate --system-desc-to-flatbuffer --system=t3000 -o %t.ttsys
// RUN: ttmlir-opt --ttir-load-system-desc="path=%t.ttsys" --ttir-implicit-device="mesh-shape=2,1,1" --ttir-layout %s | FileCheck %s --check-prefix=MESH
// What the pass leaves as it is: encodings, grids, operands in their place, and what is in a generic.
#dram = #tt.memory_space<dram>
#l1 = #tt.memory_space<l1>
#any_device = #tt.operand_constraint<any_device>
#any_device_tile = #tt.operand_constraint<any_device_tile>
#parallel = #tt.iterator_type<parallel>
#map = affine_map<(d0, d1) -> (d0, d1)>
#split = #tt.layout<(d0, d1) -> (d0, d1), undef, <2x4>, memref<32x32xf32, #dram>, interleaved>
// CHECK-DAG: #[[SPLIT:.*]] = #tt.layout<(d0, d1) -> (d0, d1), undef, <2x4>, memref<32x32xf32, #dram>, interleaved>
// CHECK-DAG: #[[TILED:.*]] = #tt.layout<(d0, d1) -> (d0, d1), undef, <2x4>, memref<1x1x!tt.tile<32x32, f32>, #dram>, interleaved>
// CHECK-DAG: #[[HOST:.*]] = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #system>>
// A tensor starts on one core of a chip; whatever the mesh is, a chip has rows and columns of cores.
// MESH-DAG: #[[HOST:.*]] = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #system>>

// An operand that is where the op wants it is not moved; otherwise it keeps its grid.
// CHECK-LABEL: func.func @places
// CHECK-SAME: %[[A:[a-z0-9]*]]: tensor<64x128xf32, #[[SPLIT]]>, %[[B:[a-z0-9]*]]: tensor<64x128xf32, #[[HOST]]>
// MESH-LABEL: func.func @places
// MESH-SAME: %{{.*}}: tensor<64x128xf32, #[[HOST]]>)
func.func @places(%a: tensor<64x128xf32, #split>, %b: tensor<64x128xf32>) -> tensor<64x128xf32> {
  // CHECK-NEXT: %[[E:.*]] = tensor.empty()
  // CHECK-NEXT: %[[R:.*]] = "ttir.abs"(%[[A]], %[[E]])
  %0 = tensor.empty() : tensor<64x128xf32>
  %1 = "ttir.abs"(%a, %0) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any_device, #any_device]}> : (tensor<64x128xf32, #split>, tensor<64x128xf32>) -> tensor<64x128xf32>
  // CHECK-NEXT: %[[T:.*]] = tensor.empty() : tensor<64x128xf32, #[[TILED]]>
  // CHECK-NEXT: %[[L:.*]] = "ttir.to_layout"(%[[A]], %[[T]])
  // CHECK: "ttir.add"(%[[L]],
  %2 = tensor.empty() : tensor<64x128xf32>
  %3 = "ttir.add"(%a, %1, %2) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any_device_tile, #any_device, #any_device]}> : (tensor<64x128xf32, #split>, tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  return %3 : tensor<64x128xf32>
}

// CHECK-LABEL: func.func @generics
func.func @generics(%a: tensor<64x128xf32>) -> tensor<64x128xf32> {
  // CHECK: "ttir.generic"
  // CHECK-NEXT: ^bb0(%[[X:.*]]: tensor<64x128xf32>, %[[Y:.*]]: tensor<64x128xf32>):
  // CHECK-NEXT: arith.mulf %[[X]], %[[X]] : tensor<64x128xf32>
  %0 = tensor.empty() : tensor<64x128xf32>
  %1 = "ttir.generic"(%a, %0) <{grid = #tt.grid<1x1>, indexing_maps = [#map, #map], iterator_types = [#parallel, #parallel], operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any_device_tile, #any_device_tile]}> ({
  ^bb0(%x: tensor<64x128xf32>, %y: tensor<64x128xf32>):
    %2 = arith.mulf %x, %x : tensor<64x128xf32>
    "ttir.yield"(%2) : (tensor<64x128xf32>) -> ()
  }) : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  return %1 : tensor<64x128xf32>
}

// RUN: ttmlir-opt --ttir-load-system-desc --ttir-implicit-device --convert-ttir-to-ttnn %s | FileCheck %s
// RUN: ttmlir-opt --ttir-layout --convert-ttir-to-ttnn --remarks %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// What places tensors. A destination without memory layout is made on the host; one with it on the
// device, of which a block has one. Moves to the device go through tiles, whatever the layout says.
// REMARK-DAG: remark: [Passed] Moved | Category:convert-ttir-to-ttnn{{.*}} | Op=ttir.to_layout, Reason="ttnn.to_layout on the host, then ttnn.to_device to 1x1:dram:interleaved:
// REMARK-DAG: remark: [Passed] Moved | Category:convert-ttir-to-ttnn{{.*}} | Op=ttir.to_layout, Reason="one ttnn.to_memory_config brings it to the host"
#system = #tt.memory_space<system>
#dram = #tt.memory_space<dram>
#l1 = #tt.memory_space<l1>
#host = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #system>>
#rows = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #dram>, interleaved>
#tiles = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<2x4x!tt.tile<32x32, bf16>, #dram>, interleaved>
#shards = #tt.layout<(d0, d1) -> (d0, d1), undef, <2x4>, memref<1x1x!tt.tile<32x32, f32>, #l1>, block_sharded>
// CHECK-DAG: #[[HOST:.*]] = #tt.layout<{{.*}}, #system>>
// CHECK-DAG: #[[ROWS:.*]] = #tt.layout<{{.*}}memref<64x128xf32, #dram>, interleaved>
// CHECK-DAG: #[[SHARDS:.*]] = #tt.layout<{{.*}}, #l1_>, block_sharded>

// CHECK-LABEL: func.func @destinations
// CHECK-NEXT: %[[DEV:.*]] = "ttnn.get_device"() : () -> !tt.device<#device>
// CHECK-NEXT: "ttnn.empty"() <{dtype = #tt.supportedDataTypes<f32>, layout = #ttnn.layout<row_major>, shape = #ttnn.shape<64x128>}> : () -> tensor<64x128xf32, #[[HOST]]>
// CHECK-NEXT: "ttnn.empty"(%[[DEV]]) <{dtype = #tt.supportedDataTypes<f32>, layout = #ttnn.layout<row_major>, memory_config = #ttnn.memory_config<<interleaved>, <dram>>, shape = #ttnn.shape<64x128>}>
// CHECK-NEXT: "ttnn.empty"(%[[DEV]]) <{dtype = #tt.supportedDataTypes<bf16>, layout = #ttnn.layout<tile>, memory_config = #ttnn.memory_config<<interleaved>, <dram>>, shape = #ttnn.shape<64x128>}>
// CHECK-NEXT: "ttnn.empty"(%[[DEV]]) <{dtype = #tt.supportedDataTypes<f32>, layout = #ttnn.layout<tile>, memory_config = #ttnn.memory_config<<block_sharded>, <l1>>, shape = #ttnn.shape<64x128>}>
// CHECK-NEXT: return
func.func @destinations() -> (tensor<64x128xf32, #host>, tensor<64x128xf32, #rows>, tensor<64x128xbf16, #tiles>, tensor<64x128xf32, #shards>) {
  %0 = tensor.empty() : tensor<64x128xf32, #host>
  %1 = tensor.empty() : tensor<64x128xf32, #rows>
  %2 = tensor.empty() : tensor<64x128xbf16, #tiles>
  %3 = tensor.empty() : tensor<64x128xf32, #shards>
  return %0, %1, %2, %3 : tensor<64x128xf32, #host>, tensor<64x128xf32, #rows>, tensor<64x128xbf16, #tiles>, tensor<64x128xf32, #shards>
}

// CHECK-LABEL: func.func @moves
// CHECK-SAME: %[[IN:.*]]: tensor
// CHECK-NEXT: %[[DEV:.*]] = "ttnn.get_device"()
// CHECK-NEXT: %[[TILED:.*]] = "ttnn.to_layout"(%[[IN]], %[[DEV]]) <{layout = #ttnn.layout<tile>}> : {{.*}} -> tensor<64x128xf32, #[[SHARDS]]>
// CHECK-NEXT: %[[ON_L1:.*]] = "ttnn.to_device"(%[[TILED]], %[[DEV]]) <{memory_config = #ttnn.memory_config<<block_sharded>, <l1>>}> : {{.*}} -> tensor<64x128xf32, #[[SHARDS]]>
// CHECK-NEXT: %[[AGAIN:.*]] = "ttnn.to_layout"(%[[ON_L1]], %[[DEV]]) <{layout = #ttnn.layout<tile>}> : {{.*}} -> tensor<64x128xf32, #[[ROWS]]>
// CHECK-NEXT: %[[ON_DRAM:.*]] = "ttnn.to_device"(%[[AGAIN]], %[[DEV]]) <{memory_config = #ttnn.memory_config<<interleaved>, <dram>>}>
// CHECK-NEXT: %[[OUT:.*]] = "ttnn.to_memory_config"(%[[ON_DRAM]], %[[DEV]]) : (tensor<64x128xf32, #[[ROWS]]>, !tt.device<#device>) -> tensor<64x128xf32, #[[HOST]]>
// CHECK-NEXT: return %[[OUT]]
func.func @moves(%a: tensor<64x128xf32, #host>) -> tensor<64x128xf32, #host> {
  %0 = tensor.empty() : tensor<64x128xf32, #shards>
  %1 = "ttir.to_layout"(%a, %0) : (tensor<64x128xf32, #host>, tensor<64x128xf32, #shards>) -> tensor<64x128xf32, #shards>
  %2 = tensor.empty() : tensor<64x128xf32, #rows>
  %3 = "ttir.to_layout"(%1, %2) : (tensor<64x128xf32, #shards>, tensor<64x128xf32, #rows>) -> tensor<64x128xf32, #rows>
  %4 = tensor.empty() : tensor<64x128xf32, #host>
  %5 = "ttir.to_layout"(%3, %4) : (tensor<64x128xf32, #rows>, tensor<64x128xf32, #host>) -> tensor<64x128xf32, #host>
  return %5 : tensor<64x128xf32, #host>
}

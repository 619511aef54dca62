// What layouts say stands in the call, or in a description at its end.
// RUN: ttmlir-opt --convert-ttnn-to-emitc %s | FileCheck %s
#dram = #tt.memory_space<dram>
#l1 = #tt.memory_space<l1>
#system = #tt.memory_space<system>
#device = #tt.device<workerGrid = #tt.grid<8x8, (d0, d1) -> (0, d0, d1)>, l1Map = (d0, d1)[s0, s1] -> (0, d0 floordiv s0, d1 floordiv s1, (d0 mod s0) * s1 + d1 mod s1), dramMap = (d0, d1)[s0, s1] -> (0, 0, ((d0 floordiv s0) * 8 + d1 floordiv s1) mod 12, ((d0 floordiv s0) * 8 + d1 floordiv s1) floordiv 12), meshShape = 1, chipIds = [0]>
#host = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #system>>
#host_tile = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<2x4x!tt.tile<32x32, f32>, #system>>
#dram_tile = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<2x4x!tt.tile<32x32, f32>, #dram>, interleaved>
#dram_bfp8 = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<2x4x!tt.tile<32x32, bfp_bf8>, #dram>, interleaved>
#sharded = #tt.layout<(d0, d1) -> (d0, d1), undef, <2x4>, memref<1x1x!tt.tile<32x32, f32>, #l1>, block_sharded>
#unsaid = #tt.layout<(d0, d1) -> (d0, d1), undef, <2x4>, memref<32x32xf32, #l1>>
#bank = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #l1>, single_bank>
#padded = #tt.layout<(d0, d1) -> (d0, d1), neginf, <1x1>, memref<2x4x!tt.tile<32x32, f32>, #dram>, interleaved>
#holes = #tt.layout<(d0, d1, d2) -> (d0 * 32 + d1, d2), undef, <1x1>, memref<64x32xf32, #dram>, interleaved>
module attributes {tt.device = #device} {
  // CHECK-LABEL: @to_layout
  func.func @to_layout(%a: tensor<64x128xf32, #host>) {
    %dev = "ttnn.get_device"() : () -> !tt.device<#device>
    // To DRAM, because it is on the host.
    // CHECK: "ttnn::to_layout"(%{{.*}}, %{{.*}}) {args = [0 : index, #emitc.opaque<"ttnn::Layout::TILE">, #emitc.opaque<"std::nullopt">, #emitc.opaque<"std::nullopt">, 1 : index]}
    %0 = "ttnn.to_layout"(%a, %dev) <{layout = #ttnn.layout<tile>}> : (tensor<64x128xf32, #host>, !tt.device<#device>) -> tensor<64x128xf32, #dram_tile>
    // CHECK: {args = [0 : index, #emitc.opaque<"ttnn::Layout::TILE">, #emitc.opaque<"ttnn::DataType::BFLOAT8_B">, #emitc.opaque<"std::nullopt">, 1 : index]}
    %1 = "ttnn.to_layout"(%a, %dev) <{layout = #ttnn.layout<tile>}> : (tensor<64x128xf32, #host>, !tt.device<#device>) -> tensor<64x128xf32, #dram_bfp8>
    // CHECK: {args = [0 : index, #emitc.opaque<"ttnn::Layout::TILE">, #emitc.opaque<"std::nullopt">, #emitc.opaque<"ttnn::MemoryConfig(ttnn::TensorMemoryLayout::INTERLEAVED, ttnn::BufferType::SYSTEM_MEMORY)">, 1 : index]}
    %2 = "ttnn.to_layout"(%a, %dev) <{layout = #ttnn.layout<tile>}> : (tensor<64x128xf32, #host>, !tt.device<#device>) -> tensor<64x128xf32, #host_tile>
    // What the type says counts, as in the flatbuffer.
    // CHECK: {args = [0 : index, #emitc.opaque<"ttnn::Layout::ROW_MAJOR">, #emitc.opaque<"std::nullopt">, #emitc.opaque<"std::nullopt">, 1 : index, #emitc.opaque<"ttnn::TensorSpec({64, 128}, ttnn::DataType::FLOAT32, ttnn::Layout::TILE, ttnn::MemoryConfig(ttnn::TensorMemoryLayout::INTERLEAVED, ttnn::BufferType::DRAM))">]}
    %3 = "ttnn.to_layout"(%a, %dev) <{layout = #ttnn.layout<row_major>}> : (tensor<64x128xf32, #host>, !tt.device<#device>) -> tensor<64x128xf32, #dram_tile>
    // CHECK: "ttnn::to_layout"({{.*}}#emitc.opaque<"ttnn::Layout::INVALID">
    %4 = "ttnn.to_layout"(%a, %dev) <{layout = #ttnn.layout<invalid>}> : (tensor<64x128xf32, #host>, !tt.device<#device>) -> tensor<64x128xf32, #dram_tile>
    return
  }

  // CHECK-LABEL: @to_device
  func.func @to_device(%a: tensor<64x128xf32, #host_tile>) {
    %dev = "ttnn.get_device"() : () -> !tt.device<#device>
    // CHECK: %[[C:.*]] = emitc.call_opaque "ttnn::MemoryConfig"() {args = [#emitc.opaque<"ttnn::TensorMemoryLayout::BLOCK_SHARDED">, #emitc.opaque<"ttnn::BufferType::L1">, #emitc.opaque<"ttnn::ShardSpec({{[{][{][{]}}0, 0}, {2, 4}}}, {32, 32})">]}
    // CHECK: "ttnn::to_device"(%{{.*}}, %{{.*}}, %[[C]]) : (
    %0 = "ttnn.to_device"(%a, %dev) <{memory_config = #ttnn.memory_config<<block_sharded>, <l1>>}> : (tensor<64x128xf32, #host_tile>, !tt.device<#device>) -> tensor<64x128xf32, #sharded>
    // CHECK: "ttnn::to_device"({{.*}}) {args = [0 : index, 1 : index, 2 : index, #emitc.opaque<"ttnn::TensorSpec({64, 128}, ttnn::DataType::FLOAT32, ttnn::Layout::TILE, ttnn::MemoryConfig(ttnn::TensorMemoryLayout::INTERLEAVED, ttnn::BufferType::DRAM), ttnn::PhysicalLayout({}, ttnn::OOBVal::NegInf))">]}
    %1 = "ttnn.to_device"(%a, %dev) <{memory_config = #ttnn.memory_config<<interleaved>, <dram>>}> : (tensor<64x128xf32, #host_tile>, !tt.device<#device>) -> tensor<64x128xf32, #padded>
    return
  }

  // CHECK-LABEL: @moves
  func.func @moves(%a: tensor<64x128xf32, #host>) {
    %dev = "ttnn.get_device"() : () -> !tt.device<#device>
    // Without a memory layout a tensor in L1 is sharded on its grid.
    // CHECK: "ttnn::to_memory_config"({{.*}}ttnn::TensorSpec({64, 128}, ttnn::DataType::FLOAT32, ttnn::Layout::TILE, ttnn::MemoryConfig(ttnn::TensorMemoryLayout::BLOCK_SHARDED, ttnn::BufferType::L1, ttnn::ShardSpec({{[{][{][{]}}0, 0}, {2, 4}}}, {32, 32})))">]}
    %0 = "ttnn.to_memory_config"(%a, %dev) : (tensor<64x128xf32, #host>, !tt.device<#device>) -> tensor<64x128xf32, #sharded>
    // CHECK: "ttnn::full"({{.*}}ttnn::MemoryConfig(ttnn::TensorMemoryLayout::BLOCK_SHARDED, ttnn::BufferType::L1, ttnn::ShardSpec(
    %1 = "ttnn.full"(%dev) <{fillValue = 1.0 : f32}> : (!tt.device<#device>) -> tensor<64x128xf32, #unsaid>
    // CHECK: "ttnn::full"({{.*}}ttnn::MemoryConfig(ttnn::TensorMemoryLayout::SINGLE_BANK, ttnn::BufferType::L1, ttnn::ShardSpec({{[{][{][{]}}0, 0}, {1, 1}}}, {64, 128}))
    %2 = "ttnn.full"(%dev) <{fillValue = 1.0 : f32}> : (!tt.device<#device>) -> tensor<64x128xf32, #bank>
    // Rows between the planes.
    // CHECK: "ttnn::full"({{.*}}, ttnn::PhysicalLayout({1024, 32, 1}, ttnn::OOBVal::Undef))">
    %3 = "ttnn.full"(%dev) <{fillValue = 1.0 : f32}> : (!tt.device<#device>) -> tensor<2x20x32xf32, #holes>
    // CHECK: "ttnn::empty"(%{{.*}}) {args = [0 : index, #emitc.opaque<"ttnn::DataType::FLOAT32">, #emitc.opaque<"ttnn::Layout::TILE">, 1 : index, 2 : index, #emitc.opaque<"ttnn::PhysicalLayout({}, ttnn::OOBVal::NegInf)">]}
    %4 = "ttnn.empty"(%dev) <{dtype = #tt.supportedDataTypes<f32>, layout = #ttnn.layout<tile>, memory_config = #ttnn.memory_config<<interleaved>, <dram>>, shape = #ttnn.shape<64x128>}> : (!tt.device<#device>) -> tensor<64x128xf32, #padded>
    return
  }
}

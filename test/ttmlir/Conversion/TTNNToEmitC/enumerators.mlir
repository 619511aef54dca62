// RUN: ttmlir-opt --ttir-load-system-desc --ttir-implicit-device --convert-ttnn-to-emitc %s | FileCheck %s
// How C++ spells data types, memory layouts and buffers.
#system = #tt.memory_space<system>
#dram = #tt.memory_space<dram>
#l1 = #tt.memory_space<l1>
#f32 = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #system>>
#bf16 = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xbf16, #system>>
#u32 = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xi32, #system>>
#u16 = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xi16, #system>>
#u8 = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xi8, #system>>
#bfp8 = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<2x4x!tt.tile<32x32, bfp_bf8>, #system>>
#bfp4 = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<2x4x!tt.tile<32x32, bfp_bf4>, #system>>
#height = #tt.layout<(d0, d1) -> (d0, d1), undef, <2x1>, memref<32x128xf32, #l1>, height_sharded>
#width = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x4>, memref<64x32xf32, #l1>, width_sharded>
#bank = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #dram>, single_bank>
#device = #tt.device<workerGrid = #tt.grid<8x8, (d0, d1) -> (0, d0, d1)>, l1Map = (d0, d1)[s0, s1] -> (0, d0, d1, 0), dramMap = (d0, d1)[s0, s1] -> (0, 0, d0, d1), meshShape = , chipIds = [0]>

// CHECK-LABEL: func.func @data_types
// CHECK: "ttnn::empty"({{.*}}) {args = [0 : index, #emitc.opaque<"ttnn::DataType::FLOAT32">, #emitc.opaque<"ttnn::Layout::ROW_MAJOR">
// CHECK: "ttnn::empty"({{.*}}) {args = [0 : index, #emitc.opaque<"ttnn::DataType::BFLOAT16">, #emitc.opaque<"ttnn::Layout::ROW_MAJOR">
// CHECK: "ttnn::empty"({{.*}}) {args = [0 : index, #emitc.opaque<"ttnn::DataType::UINT32">, #emitc.opaque<"ttnn::Layout::ROW_MAJOR">
// CHECK: "ttnn::empty"({{.*}}) {args = [0 : index, #emitc.opaque<"ttnn::DataType::UINT16">, #emitc.opaque<"ttnn::Layout::ROW_MAJOR">
// CHECK: "ttnn::empty"({{.*}}) {args = [0 : index, #emitc.opaque<"ttnn::DataType::UINT8">, #emitc.opaque<"ttnn::Layout::ROW_MAJOR">
// CHECK: "ttnn::empty"({{.*}}) {args = [0 : index, #emitc.opaque<"ttnn::DataType::BFLOAT8_B">, #emitc.opaque<"ttnn::Layout::TILE">
// CHECK: "ttnn::empty"({{.*}}) {args = [0 : index, #emitc.opaque<"ttnn::DataType::BFLOAT4_B">, #emitc.opaque<"ttnn::Layout::TILE">
func.func @data_types() {
  %0 = "ttnn.empty"() <{dtype = #tt.supportedDataTypes<f32>, layout = #ttnn.layout<row_major>, shape = #ttnn.shape<64x128>}> : () -> tensor<64x128xf32, #f32>
  %1 = "ttnn.empty"() <{dtype = #tt.supportedDataTypes<bf16>, layout = #ttnn.layout<row_major>, shape = #ttnn.shape<64x128>}> : () -> tensor<64x128xbf16, #bf16>
  %2 = "ttnn.empty"() <{dtype = #tt.supportedDataTypes<u32>, layout = #ttnn.layout<row_major>, shape = #ttnn.shape<64x128>}> : () -> tensor<64x128xi32, #u32>
  %3 = "ttnn.empty"() <{dtype = #tt.supportedDataTypes<u16>, layout = #ttnn.layout<row_major>, shape = #ttnn.shape<64x128>}> : () -> tensor<64x128xi16, #u16>
  %4 = "ttnn.empty"() <{dtype = #tt.supportedDataTypes<u8>, layout = #ttnn.layout<row_major>, shape = #ttnn.shape<64x128>}> : () -> tensor<64x128xi8, #u8>
  %5 = "ttnn.empty"() <{dtype = #tt.supportedDataTypes<bfp_bf8>, layout = #ttnn.layout<tile>, shape = #ttnn.shape<64x128>}> : () -> tensor<64x128xbf16, #bfp8>
  %6 = "ttnn.empty"() <{dtype = #tt.supportedDataTypes<bfp_bf4>, layout = #ttnn.layout<tile>, shape = #ttnn.shape<64x128>}> : () -> tensor<64x128xbf16, #bfp4>
  return
}

// CHECK-LABEL: func.func @memories
// CHECK: "ttnn::MemoryConfig"() {args = [#emitc.opaque<"ttnn::TensorMemoryLayout::HEIGHT_SHARDED">, #emitc.opaque<"ttnn::BufferType::L1">
// CHECK: "ttnn::MemoryConfig"() {args = [#emitc.opaque<"ttnn::TensorMemoryLayout::WIDTH_SHARDED">, #emitc.opaque<"ttnn::BufferType::L1_SMALL">
// CHECK: "ttnn::MemoryConfig"() {args = [#emitc.opaque<"ttnn::TensorMemoryLayout::SINGLE_BANK">, #emitc.opaque<"ttnn::BufferType::TRACE">
func.func @memories(%a: tensor<64x128xf32, #f32>) {
  %dev = "ttnn.get_device"() : () -> !tt.device<#device>
  %0 = "ttnn.to_device"(%a, %dev) <{memory_config = #ttnn.memory_config<<height_sharded>, <l1>>}> : (tensor<64x128xf32, #f32>, !tt.device<#device>) -> tensor<64x128xf32, #height>
  %1 = "ttnn.to_device"(%a, %dev) <{memory_config = #ttnn.memory_config<<width_sharded>, <l1_small>>}> : (tensor<64x128xf32, #f32>, !tt.device<#device>) -> tensor<64x128xf32, #width>
  %2 = "ttnn.to_device"(%a, %dev) <{memory_config = #ttnn.memory_config<<single_bank>, <trace>>}> : (tensor<64x128xf32, #f32>, !tt.device<#device>) -> tensor<64x128xf32, #bank>
  return
}

// Operands first, then every attribute, absent ones too.
// RUN: ttmlir-opt --convert-ttnn-to-emitc %s | FileCheck %s
#dram = #tt.memory_space<dram>
#system = #tt.memory_space<system>
#layout = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #dram>, interleaved>
#host = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xbf16, #system>>
#device = #tt.device<workerGrid = #tt.grid<8x8, (d0, d1) -> (0, d0, d1)>, l1Map = (d0, d1)[s0, s1] -> (0, d0 floordiv s0, d1 floordiv s1, (d0 mod s0) * s1 + d1 mod s1), dramMap = (d0, d1)[s0, s1] -> (0, 0, ((d0 floordiv s0) * 8 + d1 floordiv s1) mod 12, ((d0 floordiv s0) * 8 + d1 floordiv s1) floordiv 12), meshShape = 1, chipIds = [0]>
#second = #tt.device<workerGrid = #tt.grid<8x8, (d0, d1) -> (0, d0, d1)>, l1Map = (d0, d1)[s0, s1] -> (0, d0 floordiv s0, d1 floordiv s1, (d0 mod s0) * s1 + d1 mod s1), dramMap = (d0, d1)[s0, s1] -> (0, 0, ((d0 floordiv s0) * 8 + d1 floordiv s1) mod 12, ((d0 floordiv s0) * 8 + d1 floordiv s1) floordiv 12), meshShape = 1, chipIds = [1]>

// CHECK-LABEL: @softmax
func.func @softmax(%a: tensor<64x128xf32>, %out: tensor<64x128xf32>) {
  // CHECK: "ttnn::softmax"(%{{.*}}, %{{.*}}) {args = [0 : index, 1 : index, #emitc.opaque<"-1">]}
  %0 = "ttnn.softmax"(%a, %out) <{dimension = -1 : si32}> : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  return
}

// CHECK-LABEL: @reductions
func.func @reductions(%a: tensor<64x128xf32>, %out: tensor<64x1xf32>, %all: tensor<1xf32>) {
  // CHECK: "ttnn::sum"({{.*}}) {args = [0 : index, 1 : index, #emitc.opaque<"true">, #emitc.opaque<"std::vector<int32_t>{-1}">]}
  %0 = "ttnn.sum"(%a, %out) <{dim_arg = [-1 : i32], keep_dim = true}> : (tensor<64x128xf32>, tensor<64x1xf32>) -> tensor<64x1xf32>
  // CHECK: "ttnn::mean"({{.*}}) {args = [0 : index, 1 : index, #emitc.opaque<"false">, #emitc.opaque<"std::nullopt">]}
  %1 = "ttnn.mean"(%a, %all) <{keep_dim = false}> : (tensor<64x128xf32>, tensor<1xf32>) -> tensor<1xf32>
  // CHECK: "ttnn::max"({{.*}}) {args = [0 : index, 1 : index, #emitc.opaque<"false">, #emitc.opaque<"std::vector<int32_t>{0, 1}">]}
  %2 = "ttnn.max"(%a, %all) <{dim_arg = [0 : i32, 1 : i32], keep_dim = false}> : (tensor<64x128xf32>, tensor<1xf32>) -> tensor<1xf32>
  return
}

// Values of a variadic operand make a vector; without attributes a call has no args.
// CHECK-LABEL: @shapes
func.func @shapes(%a: tensor<32x32xf32>, %b: tensor<32x64xf32>, %out: tensor<32x96xf32>, %r: tensor<64x32xf32>) {
  // CHECK: %[[V:.*]] = emitc.call_opaque "ttnn::tensors"(%[[A:.*]], %[[B:.*]]) : ({{.*}}) -> !emitc.opaque<"std::vector<ttnn::Tensor>">
  // CHECK: "ttnn::concat"(%[[V]], %{{.*}}) {args = [0 : index, 1 : index, #emitc.opaque<"1">]}
  %0 = "ttnn.concat"(%a, %b, %out) <{dim = 1 : si32}> : (tensor<32x32xf32>, tensor<32x64xf32>, tensor<32x96xf32>) -> tensor<32x96xf32>
  // CHECK: "ttnn::reshape"({{.*}}) {args = [0 : index, 1 : index, #emitc.opaque<"std::vector<int32_t>{64, 32}">]}
  %1 = "ttnn.reshape"(%b, %r) <{shape = [64 : i32, 32 : i32]}> : (tensor<32x64xf32>, tensor<64x32xf32>) -> tensor<64x32xf32>
  // CHECK: "ttnn::transpose"({{.*}}) {args = [0 : index, 1 : index, #emitc.opaque<"0">, #emitc.opaque<"1">]}
  %2 = "ttnn.transpose"(%b, %r) <{dim0 = 0 : si32, dim1 = 1 : si32}> : (tensor<32x64xf32>, tensor<64x32xf32>) -> tensor<64x32xf32>
  // CHECK: "ttnn::exp"(%{{.*}}, %{{.*}}) : (
  %3 = "ttnn.exp"(%a, %a) <{operandSegmentSizes = array<i32: 1, 1>}> : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  // CHECK: "ttnn::subtract"(%{{.*}}, %{{.*}}, %{{.*}}) : (
  %4 = "ttnn.subtract"(%a, %a, %3) <{operandSegmentSizes = array<i32: 2, 1>}> : (tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  // CHECK: emitc.call_opaque "ttnn::dealloc"(%{{.*}}) : (!emitc.opaque<"ttnn::Tensor">) -> ()
  "ttnn.dealloc"(%4) : (tensor<32x32xf32>) -> ()
  return
}

// CHECK-LABEL: @conv2d
func.func @conv2d(%a: tensor<1x32x32x64xbf16>, %w: tensor<64x64x3x3xbf16>, %bias: tensor<1x1x1x64xbf16>, %out: tensor<1x32x32x64xbf16>) {
  // The device is not the first chip.
  // CHECK: "ttnn::DeviceGetter::getInstance"() {args = [#emitc.opaque<"1">]}
  %dev = "ttnn.get_device"() : () -> !tt.device<#second>
  // CHECK: "ttnn::conv2d"(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) {args = [0 : index, 1 : index, 2 : index, 3 : index, 4 : index, #emitc.opaque<"64">, #emitc.opaque<"64">, #emitc.opaque<"1">, #emitc.opaque<"32">
  %0 = "ttnn.conv2d"(%a, %w, %bias, %out, %dev) <{batch_size = 1 : i32, dilation_height = 1 : i32, dilation_width = 1 : i32, groups = 1 : i32, in_channels = 64 : i32, input_height = 32 : i32, input_width = 32 : i32, kernel_height = 3 : i32, kernel_width = 3 : i32, out_channels = 64 : i32, padding_height = 1 : i32, padding_width = 1 : i32, stride_height = 1 : i32, stride_width = 1 : i32}> : (tensor<1x32x32x64xbf16>, tensor<64x64x3x3xbf16>, tensor<1x1x1x64xbf16>, tensor<1x32x32x64xbf16>, !tt.device<#second>) -> tensor<1x32x32x64xbf16>
  // CHECK: "ttnn::conv2d"(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) {args = [0 : index, 1 : index, #emitc.opaque<"std::nullopt">, 2 : index, 3 : index, #emitc.opaque<"64">
  %1 = "ttnn.conv2d"(%a, %w, %out, %dev) <{batch_size = 1 : i32, dilation_height = 1 : i32, dilation_width = 1 : i32, groups = 1 : i32, in_channels = 64 : i32, input_height = 32 : i32, input_width = 32 : i32, kernel_height = 3 : i32, kernel_width = 3 : i32, out_channels = 64 : i32, padding_height = 1 : i32, padding_width = 1 : i32, stride_height = 1 : i32, stride_width = 1 : i32}> : (tensor<1x32x32x64xbf16>, tensor<64x64x3x3xbf16>, tensor<1x32x32x64xbf16>, !tt.device<#second>) -> tensor<1x32x32x64xbf16>
  return
}

// CHECK-LABEL: @tensors
func.func @tensors() {
  %dev = "ttnn.get_device"() : () -> !tt.device<#device>
  // CHECK: "ttnn::full"(%{{.*}}) {args = [0 : index, #emitc.opaque<"1.0f">, #emitc.opaque<"ttnn::TensorSpec({64, 128}, ttnn::DataType::FLOAT32, ttnn::Layout::ROW_MAJOR, ttnn::MemoryConfig(ttnn::TensorMemoryLayout::INTERLEAVED, ttnn::BufferType::DRAM))">]}
  %0 = "ttnn.full"(%dev) <{fillValue = 1.0 : f32}> : (!tt.device<#device>) -> tensor<64x128xf32, #layout>
  // CHECK: #emitc.opaque<"1.17549435E-38f">
  %1 = "ttnn.full"(%dev) <{fillValue = 0x00800000 : f32}> : (!tt.device<#device>) -> tensor<64x128xf32, #layout>
  // CHECK: #emitc.opaque<"-0.0f">
  %2 = "ttnn.full"(%dev) <{fillValue = -0.0 : f32}> : (!tt.device<#device>) -> tensor<64x128xf32, #layout>
  // CHECK: #emitc.opaque<"-std::numeric_limits<float>::infinity()">
  %3 = "ttnn.full"(%dev) <{fillValue = 0xFF800000 : f32}> : (!tt.device<#device>) -> tensor<64x128xf32, #layout>
  // CHECK: #emitc.opaque<"std::bit_cast<float>(uint32_t(0x7FC01234))">
  %4 = "ttnn.full"(%dev) <{fillValue = 0x7FC01234 : f32}> : (!tt.device<#device>) -> tensor<64x128xf32, #layout>
  // CHECK: "ttnn::empty"(%{{.*}}) {args = [0 : index, #emitc.opaque<"ttnn::DataType::BFLOAT16">, #emitc.opaque<"ttnn::Layout::ROW_MAJOR">]}
  %5 = "ttnn.empty"() <{dtype = #tt.supportedDataTypes<bf16>, layout = #ttnn.layout<row_major>, shape = #ttnn.shape<64x128>}> : () -> tensor<64x128xbf16, #host>
  // CHECK: "ttnn::zeros"(%{{.*}}) {args = [0 : index, #emitc.opaque<"ttnn::DataType::BFLOAT16">, #emitc.opaque<"ttnn::Layout::ROW_MAJOR">]}
  %6 = "ttnn.empty"() <{dtype = #tt.supportedDataTypes<bf16>, layout = #ttnn.layout<row_major>, shape = #ttnn.shape<64x128>}> {ttnn.zeros} : () -> tensor<64x128xbf16, #host>
  return
}

// Elements become static arrays of their bits, which are exact.
// RUN: ttmlir-opt --convert-ttnn-to-emitc %s | ttmlir-translate -mlir-to-cpp -allow-unregistered-dialect | FileCheck %s
#dram = #tt.memory_space<dram>
#system = #tt.memory_space<system>
#host = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<1x3xf32, #system>>
#host_bf16 = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<1x2xbf16, #system>>
#layout = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<1x2xsi32, #dram>, interleaved>
#numbers = #tt.layout<(d0) -> (0, d0), undef, <1x1>, memref<1x4xf32, #dram>, interleaved>
#device = #tt.device<workerGrid = #tt.grid<8x8, (d0, d1) -> (0, d0, d1)>, l1Map = (d0, d1)[s0, s1] -> (0, d0 floordiv s0, d1 floordiv s1, (d0 mod s0) * s1 + d1 mod s1), dramMap = (d0, d1)[s0, s1] -> (0, 0, ((d0 floordiv s0) * 8 + d1 floordiv s1) mod 12, ((d0 floordiv s0) * 8 + d1 floordiv s1) floordiv 12), meshShape = 1, chipIds = [0]>

// A function has the name of the first array: the next one is taken.
// CHECK: #include "ttnn-precompiled.hpp"
// CHECK: static const uint32_t constant1[3] = {1065353216, 2143294004, 2147483648};
// CHECK: static const uint16_t constant2[1] = {16128};
// CHECK: static const uint32_t constant3[2] = {4294967295, 2147483648};
// CHECK: void constant0() {
func.func @constant0() {
  // CHECK: ttnn::Elements [[A:v[0-9]+]] = ttnn::Elements(ttnn::DataType::FLOAT32, constant1);
  // CHECK: ttnn::constant(nullptr, [[A]], std::nullopt, ttnn::TensorSpec({1, 3}, ttnn::DataType::FLOAT32, ttnn::Layout::ROW_MAJOR));
  %0 = "ttnn.constant"() <{value = dense<[[1.0, 0x7FC01234, -0.0]]> : tensor<1x3xf32>}> : () -> tensor<1x3xf32, #host>
  // All elements have the bits of one.
  // CHECK: ttnn::Elements(ttnn::DataType::BFLOAT16, constant2, 2);
  %1 = "ttnn.constant"() <{value = dense<0.5> : tensor<1x2xbf16>}> : () -> tensor<1x2xbf16, #host_bf16>
  // CHECK: ttnn::Device* [[DEV:v[0-9]+]] =
  %dev = "ttnn.get_device"() : () -> !tt.device<#device>
  // CHECK: ttnn::Elements [[B:v[0-9]+]] = ttnn::Elements(ttnn::DataType::INT32, constant3);
  // CHECK: ttnn::constant([[DEV]], [[B]], ttnn::MemoryConfig(ttnn::TensorMemoryLayout::INTERLEAVED, ttnn::BufferType::DRAM), ttnn::TensorSpec(
  %2 = "ttnn.constant"(%dev) <{memory_config = #ttnn.memory_config<<interleaved>, <dram>>, value = dense<[[-1, -2147483648]]> : tensor<1x2xsi32>}> : (!tt.device<#device>) -> tensor<1x2xsi32, #layout>
  // CHECK: ttnn::arange([[DEV]], -4, 4, 2, ttnn::MemoryConfig(ttnn::TensorMemoryLayout::INTERLEAVED, ttnn::BufferType::DRAM), ttnn::TensorSpec({4}, ttnn::DataType::FLOAT32,
  %3 = "ttnn.arange"(%dev) <{end = 4 : si64, memory_config = #ttnn.memory_config<<interleaved>, <dram>>, start = -4 : si64, step = 2 : si64}> : (!tt.device<#device>) -> tensor<4xf32, #numbers>
  // CHECK: ttnn::from_device({{v[0-9]+}}, ttnn::TensorSpec({1, 3}, ttnn::DataType::FLOAT32, ttnn::Layout::ROW_MAJOR));
  %4 = "ttnn.from_device"(%0) : (tensor<1x3xf32, #host>) -> tensor<1x3xf32, #host>
  return
}

// RUN: ttmlir-opt %s | ttmlir-opt | FileCheck %s
// Attributes of the dialect print as they were read.
// CHECK: a = #ttnn.layout<tile>
// CHECK-SAME: b = #ttnn.tensor_memory_layout<interleaved>
// CHECK-SAME: c = #ttnn.buffer_type<dram>
// CHECK-SAME: d = #ttnn.memory_config<<interleaved>, <dram>>
// CHECK-SAME: e = #ttnn.shape<64x128>
// CHECK-SAME: f = #ttnn<mesh_shape 1x2>
// CHECK-SAME: g = #ttnn.core_range<0x0, 8x8>
// CHECK-SAME: h = #ttnn.shape<7>
module attributes {ttnn.all = {
  a = #ttnn.layout<tile>, b = #ttnn.tensor_memory_layout<interleaved>,
  c = #ttnn.buffer_type<dram>, d = #ttnn.memory_config<<interleaved>, <dram>>,
  e = #ttnn.shape<64x128>, f = #ttnn<mesh_shape 1x2>,
  g = #ttnn.core_range<0x0, 8x8>, h = #ttnn.shape<7>}} {
}

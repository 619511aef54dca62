// RUN: ttmlir-opt --ttir-load-system-desc --ttir-implicit-device --ttir-propagate-layout --ttir-layout %s | FileCheck %s
// RUN: ttmlir-opt --ttir-load-system-desc --ttir-implicit-device --ttir-propagate-layout --ttir-layout --ttir-optimizer="sharding-pass-enabled=true resharding-enabled=true" %s | FileCheck %s
// RUN: ttmlir-opt --ttir-to-ttnn-backend-pipeline="sharding-pass-enabled=true resharding-enabled=true enable-deallocate=false" %s | FileCheck %s --check-prefix=TTNN
// The author's layout changes stand where they stood, one each, through every pass: not in front of the
// addition, as layout changes of the compiler would, and not into other shards.
#l1 = #tt.memory_space<l1>
#any = #tt.operand_constraint<any_device_tile>
#host = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x64xbf16, #tt.memory_space<system>>>
#a = #tt.layout<(d0, d1) -> (d0, d1), undef, <2x2>, memref<1x1x!tt.tile<32x32, bf16>, #l1>, block_sharded>
#b = #tt.layout<(d0, d1) -> (d0, d1), undef, <2x1>, memref<1x2x!tt.tile<32x32, bf16>, #l1>, height_sharded>
// CHECK-DAG: #[[A:.*]] = #tt.layout<{{.*}}<2x2>, memref<1x1x!tt.tile<32x32, bf16>, #l1_>, block_sharded>
// CHECK-DAG: #[[B:.*]] = #tt.layout<{{.*}}<2x1>, memref<1x2x!tt.tile<32x32, bf16>, #l1_>, height_sharded>
// CHECK-LABEL: func.func @forward
// CHECK: "ttir.to_layout"(%arg0
// CHECK: %[[S:.*]] = "ttir.add"{{.*}} -> tensor<64x64xbf16, #{{.*}}>
// CHECK-NEXT: tensor.empty
// CHECK-NEXT: %[[T:.*]] = "ttir.to_layout"(%[[S]], {{.*}} -> tensor<64x64xbf16, #[[A]]>
// CHECK-NEXT: tensor.empty
// CHECK-NEXT: %[[E:.*]] = "ttir.exp"(%[[T]], {{.*}} -> tensor<64x64xbf16, #[[A]]>
// CHECK-NEXT: tensor.empty
// CHECK-NEXT: %[[U:.*]] = "ttir.to_layout"(%[[E]], {{.*}} -> tensor<64x64xbf16, #[[B]]>
// CHECK: %[[M:.*]] = "ttir.matmul"(%[[U]], %{{.*}}, %{{.*}}) {{.*}} -> tensor<64x64xbf16, #{{.*}}>
// CHECK-NEXT: tensor.empty
// CHECK-NEXT: "ttir.to_layout"(%[[M]]
// CHECK-NEXT: return
// TTNN-DAG: #[[A:.*]] = #tt.layout<{{.*}}<2x2>, memref<1x1x!tt.tile<32x32, bf16>, #l1_>, block_sharded>
// TTNN-DAG: #[[B:.*]] = #tt.layout<{{.*}}<2x1>, memref<1x2x!tt.tile<32x32, bf16>, #l1_>, height_sharded>
// TTNN: %[[S:.*]] = "ttnn.add"
// TTNN-NOT: ttir.placed
// TTNN-NEXT: %[[T0:.*]] = "ttnn.to_layout"(%[[S]],
// TTNN-NEXT: %[[T:.*]] = "ttnn.to_device"(%[[T0]], {{.*}} -> tensor<64x64xbf16, #[[A]]>
// TTNN-NEXT: ttnn.empty
// TTNN-NEXT: %[[E:.*]] = "ttnn.exp"(%[[T]],
// TTNN-NEXT: %[[U0:.*]] = "ttnn.to_layout"(%[[E]],
// TTNN-NEXT: %[[U:.*]] = "ttnn.to_device"(%[[U0]], {{.*}} -> tensor<64x64xbf16, #[[B]]>
// TTNN: %[[M:.*]] = "ttnn.matmul"(%[[U]],
// TTNN-NEXT: "ttnn.to_memory_config"(%[[M]]
func.func @forward(%x: tensor<64x64xbf16>, %w: tensor<64x64xbf16>) -> tensor<64x64xbf16> {
  %0 = tensor.empty() : tensor<64x64xbf16, #host>
  %1 = "ttir.add"(%x, %x, %0) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xbf16, #host>) -> tensor<64x64xbf16, #host>
  %2 = tensor.empty() : tensor<64x64xbf16, #a>
  %3 = "ttir.to_layout"(%1, %2) : (tensor<64x64xbf16, #host>, tensor<64x64xbf16, #a>) -> tensor<64x64xbf16, #a>
  %4 = tensor.empty() : tensor<64x64xbf16, #host>
  %5 = "ttir.exp"(%3, %4) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<64x64xbf16, #a>, tensor<64x64xbf16, #host>) -> tensor<64x64xbf16, #host>
  %6 = tensor.empty() : tensor<64x64xbf16, #b>
  %7 = "ttir.to_layout"(%5, %6) : (tensor<64x64xbf16, #host>, tensor<64x64xbf16, #b>) -> tensor<64x64xbf16, #b>
  %8 = tensor.empty() : tensor<64x64xbf16>
  %9 = "ttir.matmul"(%7, %w, %8) <{operand_constraints = [#any, #any, #any]}> : (tensor<64x64xbf16, #b>, tensor<64x64xbf16>, tensor<64x64xbf16>) -> tensor<64x64xbf16>
  return %9 : tensor<64x64xbf16>
}

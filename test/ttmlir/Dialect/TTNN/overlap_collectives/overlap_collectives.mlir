// RUN: echo "module {}" | ttmlir-translate --system-desc-to-flatbuffer --system=t3000 -o %t.ttsys
// RUN: ttmlir-opt --ttir-to-ttnn-backend-pipeline="optimization-level=1 system-desc-path=%t.ttsys mesh-shape=1,8" %s | FileCheck %s
// RUN: ttmlir-opt --ttir-to-ttnn-backend-pipeline="optimization-level=1 system-desc-path=%t.ttsys mesh-shape=1,8" --mlir-pass-statistics %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=COUNT
// RUN: ttmlir-opt --ttir-to-ttnn-backend-pipeline="optimization-level=1 system-desc-path=%t.ttsys mesh-shape=1,8 clock-search-limit=0" %s | FileCheck %s --check-prefix=OFF
// RUN: ttmlir-opt --ttir-to-ttnn-backend-pipeline="system-desc-path=%t.ttsys mesh-shape=1,8" %s | FileCheck %s --check-prefix=OFF
// RUN: ttmlir-opt --ttir-to-ttnn-backend-pipeline="optimization-level=1 system-desc-path=%t.ttsys mesh-shape=1,8" --remarks=ttnn-overlap-collectives %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: ttmlir-opt --ttir-to-ttnn-backend-pipeline="optimization-level=1 system-desc-path=%t.ttsys mesh-shape=1,8 clock-search-limit=0" %s | ttmlir-opt --ttnn-overlap-collectives="clock-search-limit=1" --remarks=ttnn-overlap-collectives -o /dev/null 2>&1 | FileCheck %s --check-prefix=MISSED
// Reductions over the chips of a T3000 behind products.

#any = #tt.operand_constraint<dram|l1|tile|none|interleaved|single_bank|height_sharded|width_sharded|block_sharded|any_layout|any_device_tile>
// OFF-NOT: overlap_slices
// MISSED: [Missed] NotOverlapped | Category:ttnn-overlap-collectives | Function=all_reduce | Op=ttnn.all_reduce, Reason="the product and the collective take {{[0-9]+}} cycles one after the other, and no less together"
// COUNT: (S) 2 num-overlapped - Number of collectives overlapped
// REMARK: [Passed] Overlapped | Category:ttnn-overlap-collectives | Function=all_reduce | Op=ttnn.all_reduce, Reason="the product and the collective take {{[0-9]+}} cycles in {{[1248]}} slices, {{[0-9]+}} one after the other"
// REMARK: [Passed] Overlapped | Category:ttnn-overlap-collectives | Function=reduce_scatter

// CHECK-LABEL: func.func @all_reduce(
// CHECK: %[[P:.*]] = "ttnn.matmul"
// CHECK-NOT: "ttnn.empty"
// CHECK: "ttnn.all_reduce"(%[[P]]) <{cluster_axis = 1 : ui32, overlap_slices = {{[248]}} : ui32, reduce_type = #tt.reduce_type<sum>}>
func.func @all_reduce(%x: tensor<32x4096xbf16>, %w: tensor<4096x8192xbf16> {tt.argument_type = #tt.argument_type<parameter>}) -> tensor<32x8192xbf16> {
  %0 = tensor.empty() : tensor<32x8192xbf16>
  %1 = "ttir.matmul"(%x, %w, %0) <{operand_constraints = [#any, #any, #any]}> : (tensor<32x4096xbf16>, tensor<4096x8192xbf16>, tensor<32x8192xbf16>) -> tensor<32x8192xbf16>
  %2 = tensor.empty() : tensor<32x8192xbf16>
  %3 = "ttir.all_reduce"(%1, %2) <{cluster_axis = 1 : ui32, operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any], reduce_type = #tt.reduce_type<sum>}> : (tensor<32x8192xbf16>, tensor<32x8192xbf16>) -> tensor<32x8192xbf16>
  return %3 : tensor<32x8192xbf16>
}

// CHECK-LABEL: func.func @reduce_scatter(
// CHECK: %[[P:.*]] = "ttnn.matmul"
// CHECK: "ttnn.reduce_scatter"(%[[P]]) <{cluster_axis = 1 : ui32, overlap_slices = {{[1248]}} : ui32, reduce_type = #tt.reduce_type<sum>, scatter_dim = 1 : si32}>
func.func @reduce_scatter(%x: tensor<256x1024xbf16>, %w: tensor<1024x2048xbf16> {tt.argument_type = #tt.argument_type<parameter>}) -> tensor<256x256xbf16> {
  %0 = tensor.empty() : tensor<256x2048xbf16>
  %1 = "ttir.matmul"(%x, %w, %0) <{operand_constraints = [#any, #any, #any]}> : (tensor<256x1024xbf16>, tensor<1024x2048xbf16>, tensor<256x2048xbf16>) -> tensor<256x2048xbf16>
  %2 = tensor.empty() : tensor<256x256xbf16>
  %3 = "ttir.reduce_scatter"(%1, %2) <{cluster_axis = 1 : ui32, operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any], reduce_type = #tt.reduce_type<sum>, scatter_dim = 1 : si32}> : (tensor<256x2048xbf16>, tensor<256x256xbf16>) -> tensor<256x256xbf16>
  return %3 : tensor<256x256xbf16>
}

// Another op needs the partial sums, too.
// CHECK-LABEL: func.func @another_user(
// CHECK: "ttnn.all_reduce"(%{{.*}}) <{cluster_axis = 1 : ui32, reduce_type = #tt.reduce_type<sum>}>
func.func @another_user(%x: tensor<32x4096xbf16>, %w: tensor<4096x8192xbf16> {tt.argument_type = #tt.argument_type<parameter>}) -> (tensor<32x8192xbf16>, tensor<32x8192xbf16>) {
  %0 = tensor.empty() : tensor<32x8192xbf16>
  %1 = "ttir.matmul"(%x, %w, %0) <{operand_constraints = [#any, #any, #any]}> : (tensor<32x4096xbf16>, tensor<4096x8192xbf16>, tensor<32x8192xbf16>) -> tensor<32x8192xbf16>
  %2 = tensor.empty() : tensor<32x8192xbf16>
  %3 = "ttir.all_reduce"(%1, %2) <{cluster_axis = 1 : ui32, operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any], reduce_type = #tt.reduce_type<sum>}> : (tensor<32x8192xbf16>, tensor<32x8192xbf16>) -> tensor<32x8192xbf16>
  return %1, %3 : tensor<32x8192xbf16>, tensor<32x8192xbf16>
}

// The experts' products: a batch.
// CHECK-LABEL: func.func @batch(
// CHECK: "ttnn.all_reduce"(%{{.*}}) <{cluster_axis = 1 : ui32, reduce_type = #tt.reduce_type<sum>}>
func.func @batch(%x: tensor<2x32x1024xbf16>, %w: tensor<2x1024x1024xbf16> {tt.argument_type = #tt.argument_type<parameter>}) -> tensor<2x32x1024xbf16> {
  %0 = tensor.empty() : tensor<2x32x1024xbf16>
  %1 = "ttir.matmul"(%x, %w, %0) <{operand_constraints = [#any, #any, #any]}> : (tensor<2x32x1024xbf16>, tensor<2x1024x1024xbf16>, tensor<2x32x1024xbf16>) -> tensor<2x32x1024xbf16>
  %2 = tensor.empty() : tensor<2x32x1024xbf16>
  %3 = "ttir.all_reduce"(%1, %2) <{cluster_axis = 1 : ui32, operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any], reduce_type = #tt.reduce_type<sum>}> : (tensor<2x32x1024xbf16>, tensor<2x32x1024xbf16>) -> tensor<2x32x1024xbf16>
  return %3 : tensor<2x32x1024xbf16>
}

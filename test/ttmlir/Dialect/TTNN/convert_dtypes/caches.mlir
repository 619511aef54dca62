// RUN: ttmlir-opt --ttir-to-ttnn-backend-pipeline="optimization-level=1 clock-search-limit=0 activation-dtype=bfp_bf8" --split-input-file --remarks=ttnn-convert-dtypes %s 2>%t | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK <%t
// RUN: ttmlir-opt --ttir-to-ttnn-backend-pipeline="optimization-level=1 clock-search-limit=0" --split-input-file %s | FileCheck %s --check-prefix=OFF

#any = #tt.operand_constraint<any_device_tile>

// Caches of attention are block floats on the device, and bf16 for the host.
// OFF-LABEL: func.func @decode(
// OFF-NOT: tile<32x32, bfp
// CHECK: [[BLOCKS:#layout[0-9]*]] = #tt.layout<(d0, d1, d2, d3) -> (d0 * 256 + d1 * 128 + d2, d3), undef, <8x8>, memref<2x1x!tt.tile<32x32, bfp_bf8>, #dram>, interleaved>
// CHECK-LABEL: func.func @decode(
// CHECK-SAME: %[[KEYS:[^:]*]]: tensor<2x2x128x64xbf16, [[BLOCKS]]> {tt.aliased_output = 0 : i64, tt.host_type = tensor<2x2x128x64xbf16>}
// CHECK-SAME: %[[VALUES:[^:]*]]: tensor<2x2x128x64xbf16, [[BLOCKS]]> {tt.aliased_output = 1 : i64, tt.host_type = tensor<2x2x128x64xbf16>}
// CHECK: %[[K:.*]] = "ttnn.update_slice"(%[[KEYS]], %{{.*}}, %{{.*}}, %[[KEYS]])
// CHECK: %[[V:.*]] = "ttnn.update_slice"(%[[VALUES]], %{{.*}}, %{{.*}}, %[[VALUES]])
// CHECK: "ttnn.scaled_dot_product_attention"(%{{.*}}, %[[K]], %[[V]]
// CHECK: return %[[K]], %[[V]]
// REMARK: [Passed] Cache | Category:ttnn-convert-dtypes | Function=decode | Op=ttnn.update_slice, Reason="the cache is stored as bfp_bf8"
func.func @decode(%keys: tensor<2x2x128x64xbf16> {tt.aliased_output = 0 : i64}, %values: tensor<2x2x128x64xbf16> {tt.aliased_output = 1 : i64}, %k: tensor<2x2x1x64xbf16>, %v: tensor<2x2x1x64xbf16>, %i: tensor<1xsi32>, %q: tensor<2x2x1x64xbf16>) -> (tensor<2x2x128x64xbf16>, tensor<2x2x128x64xbf16>, tensor<2x2x1x64xbf16>) {
  %0 = tensor.empty() : tensor<2x2x128x64xbf16>
  %1 = "ttir.update_slice"(%keys, %k, %i, %0) <{clamp = true, dims = array<i64: 2>, operand_constraints = [#any, #any, #any, #any], starts = array<i64: 0, 0, 0, 0>}> : (tensor<2x2x128x64xbf16>, tensor<2x2x1x64xbf16>, tensor<1xsi32>, tensor<2x2x128x64xbf16>) -> tensor<2x2x128x64xbf16>
  %2 = "ttir.update_slice"(%values, %v, %i, %0) <{clamp = true, dims = array<i64: 2>, operand_constraints = [#any, #any, #any, #any], starts = array<i64: 0, 0, 0, 0>}> : (tensor<2x2x128x64xbf16>, tensor<2x2x1x64xbf16>, tensor<1xsi32>, tensor<2x2x128x64xbf16>) -> tensor<2x2x128x64xbf16>
  %3 = tensor.empty() : tensor<2x2x1x64xbf16>
  %4 = "ttir.scaled_dot_product_attention"(%q, %1, %2, %3) <{is_causal = false, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 0, 1>, operand_constraints = [#any, #any, #any, #any]}> : (tensor<2x2x1x64xbf16>, tensor<2x2x128x64xbf16>, tensor<2x2x128x64xbf16>, tensor<2x2x1x64xbf16>) -> tensor<2x2x1x64xbf16>
  return %1, %2, %4 : tensor<2x2x128x64xbf16>, tensor<2x2x128x64xbf16>, tensor<2x2x1x64xbf16>
}

// -----

#any = #tt.operand_constraint<any_device_tile>

// The same, if attention is not one op.
// CHECK-LABEL: func.func @products(
// CHECK-SAME: %[[KEYS:[^:]*]]: tensor<2x2x128x64xbf16, [[BLOCKS:#layout[0-9]*]]> {tt.aliased_output = 0 : i64, tt.host_type = tensor<2x2x128x64xbf16>}
// CHECK: %[[K:.*]] = "ttnn.update_slice"(%[[KEYS]]
// CHECK: "ttnn.matmul"(%{{.*}}, %[[K]], %{{.*}}tensor<2x2x128x64xbf16, [[BLOCKS]]>
func.func @products(%keys: tensor<2x2x128x64xbf16> {tt.aliased_output = 0 : i64}, %k: tensor<2x2x1x64xbf16>, %i: tensor<1xsi32>, %q: tensor<2x2x1x64xbf16>) -> (tensor<2x2x128x64xbf16>, tensor<2x2x1x128xbf16>) {
  %0 = tensor.empty() : tensor<2x2x128x64xbf16>
  %1 = "ttir.update_slice"(%keys, %k, %i, %0) <{clamp = true, dims = array<i64: 2>, operand_constraints = [#any, #any, #any, #any], starts = array<i64: 0, 0, 0, 0>}> : (tensor<2x2x128x64xbf16>, tensor<2x2x1x64xbf16>, tensor<1xsi32>, tensor<2x2x128x64xbf16>) -> tensor<2x2x128x64xbf16>
  %2 = tensor.empty() : tensor<2x2x1x128xbf16>
  %3 = "ttir.matmul"(%q, %1, %2) <{transpose_b = true, operand_constraints = [#any, #any, #any]}> : (tensor<2x2x1x64xbf16>, tensor<2x2x128x64xbf16>, tensor<2x2x1x128xbf16>) -> tensor<2x2x1x128xbf16>
  return %1, %3 : tensor<2x2x128x64xbf16>, tensor<2x2x1x128xbf16>
}

// -----

#any = #tt.operand_constraint<any_device_tile>

// What another op reads keeps its bits.
// CHECK-LABEL: func.func @summed(
// CHECK-SAME: %[[KEYS:[^:]*]]: tensor<2x2x128x64xbf16, [[WIDE:#layout[0-9]*]]> {tt.aliased_output = 0 : i64}
func.func @summed(%keys: tensor<2x2x128x64xbf16> {tt.aliased_output = 0 : i64}, %k: tensor<2x2x1x64xbf16>, %i: tensor<1xsi32>, %q: tensor<2x2x1x64xbf16>) -> (tensor<2x2x128x64xbf16>, tensor<2x2x1x64xbf16>, tensor<2x2x128x64xbf16>) {
  %0 = tensor.empty() : tensor<2x2x128x64xbf16>
  %1 = "ttir.update_slice"(%keys, %k, %i, %0) <{clamp = true, dims = array<i64: 2>, operand_constraints = [#any, #any, #any, #any], starts = array<i64: 0, 0, 0, 0>}> : (tensor<2x2x128x64xbf16>, tensor<2x2x1x64xbf16>, tensor<1xsi32>, tensor<2x2x128x64xbf16>) -> tensor<2x2x128x64xbf16>
  %3 = tensor.empty() : tensor<2x2x1x64xbf16>
  %4 = "ttir.scaled_dot_product_attention"(%q, %1, %1, %3) <{is_causal = false, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 0, 1>, operand_constraints = [#any, #any, #any, #any]}> : (tensor<2x2x1x64xbf16>, tensor<2x2x128x64xbf16>, tensor<2x2x128x64xbf16>, tensor<2x2x1x64xbf16>) -> tensor<2x2x1x64xbf16>
  %5 = tensor.empty() : tensor<2x2x128x64xbf16>
  %6 = "ttir.exp"(%1, %5) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<2x2x128x64xbf16>, tensor<2x2x128x64xbf16>) -> tensor<2x2x128x64xbf16>
  return %1, %4, %6 : tensor<2x2x128x64xbf16>, tensor<2x2x1x64xbf16>, tensor<2x2x128x64xbf16>
}

// -----

#any = #tt.operand_constraint<any_device_tile>

// A part of a row would change how the others of the row are rounded.
// CHECK-LABEL: func.func @columns(
// CHECK-SAME: %[[KEYS:[^:]*]]: tensor<2x2x64x128xbf16, [[WIDE:#layout[0-9]*]]> {tt.aliased_output = 0 : i64},
func.func @columns(%keys: tensor<2x2x64x128xbf16> {tt.aliased_output = 0 : i64}, %k: tensor<2x2x64x1xbf16>, %i: tensor<1xsi32>, %q: tensor<2x2x1x128xbf16>) -> (tensor<2x2x64x128xbf16>, tensor<2x2x1x128xbf16>) {
  %0 = tensor.empty() : tensor<2x2x64x128xbf16>
  %1 = "ttir.update_slice"(%keys, %k, %i, %0) <{clamp = true, dims = array<i64: 3>, operand_constraints = [#any, #any, #any, #any], starts = array<i64: 0, 0, 0, 0>}> : (tensor<2x2x64x128xbf16>, tensor<2x2x64x1xbf16>, tensor<1xsi32>, tensor<2x2x64x128xbf16>) -> tensor<2x2x64x128xbf16>
  %3 = tensor.empty() : tensor<2x2x1x128xbf16>
  %4 = "ttir.scaled_dot_product_attention"(%q, %1, %1, %3) <{is_causal = false, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 0, 1>, operand_constraints = [#any, #any, #any, #any]}> : (tensor<2x2x1x128xbf16>, tensor<2x2x64x128xbf16>, tensor<2x2x64x128xbf16>, tensor<2x2x1x128xbf16>) -> tensor<2x2x1x128xbf16>
  return %1, %4 : tensor<2x2x64x128xbf16>, tensor<2x2x1x128xbf16>
}

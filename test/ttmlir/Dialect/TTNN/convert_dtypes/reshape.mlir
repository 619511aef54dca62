// RUN: ttmlir-opt --ttir-to-ttnn-backend-pipeline="optimization-level=1 clock-search-limit=0 activation-dtype=bfp_bf8" %s | FileCheck %s
// RUN: ttmlir-opt --ttir-to-ttnn-backend-pipeline="activation-dtype=bfp_bf8" --remarks=ttnn-convert-dtypes %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// REMARK-DAG: [Missed] NotConverted | Category:ttnn-convert-dtypes | Function=wide | Op=ttnn.matmul, Reason="the result keeps its format: a reshape of it needs more bits"
// REMARK-DAG: [Passed] Activation | Category:ttnn-convert-dtypes | Function=narrow | Op=ttnn.matmul
#any_device = #tt.operand_constraint<dram|l1|tile|none|interleaved|single_bank|height_sharded|width_sharded|block_sharded|any_layout|any_device_tile>

// CHECK-DAG: [[BLOCKS:#layout[0-9]*]] = #tt.layout<{{.*}}!tt.tile<32x32, bfp_bf8>, #dram>, interleaved>

// The exponential needs all bits: the reshape stays a view of bf16.
// CHECK-LABEL: func.func @wide
// CHECK-NOT: [[BLOCKS]]
// CHECK: return
func.func @wide(%x: tensor<64x64xbf16>, %w: tensor<64x64xbf16>) -> tensor<2x32x64xbf16> {
  %0 = tensor.empty() : tensor<64x64xbf16>
  %1 = "ttir.matmul"(%x, %w, %0) <{operand_constraints = [#any_device, #any_device, #any_device]}> : (tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xbf16>) -> tensor<64x64xbf16>
  %2 = tensor.empty() : tensor<2x32x64xbf16>
  %3 = "ttir.reshape"(%1, %2) <{shape = [2 : i32, 32 : i32, 64 : i32], operand_constraints = [#any_device, #any_device]}> : (tensor<64x64xbf16>, tensor<2x32x64xbf16>) -> tensor<2x32x64xbf16>
  %4 = tensor.empty() : tensor<2x32x64xbf16>
  %5 = "ttir.exp"(%3, %4) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any_device, #any_device]}> : (tensor<2x32x64xbf16>, tensor<2x32x64xbf16>) -> tensor<2x32x64xbf16>
  return %5 : tensor<2x32x64xbf16>
}

// CHECK-LABEL: func.func @narrow
// CHECK: "ttnn.matmul"{{.*}} -> tensor<64x64xbf16, [[BLOCKS]]>
// CHECK: "ttnn.reshape"
// CHECK: return
func.func @narrow(%x: tensor<64x64xbf16>, %w: tensor<64x64xbf16>, %v: tensor<2x64x64xbf16>) -> tensor<2x32x64xbf16> {
  %0 = tensor.empty() : tensor<64x64xbf16>
  %1 = "ttir.matmul"(%x, %w, %0) <{operand_constraints = [#any_device, #any_device, #any_device]}> : (tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xbf16>) -> tensor<64x64xbf16>
  %2 = tensor.empty() : tensor<2x32x64xbf16>
  %3 = "ttir.reshape"(%1, %2) <{shape = [2 : i32, 32 : i32, 64 : i32], operand_constraints = [#any_device, #any_device]}> : (tensor<64x64xbf16>, tensor<2x32x64xbf16>) -> tensor<2x32x64xbf16>
  %4 = tensor.empty() : tensor<2x32x64xbf16>
  %5 = "ttir.matmul"(%3, %v, %4) <{operand_constraints = [#any_device, #any_device, #any_device]}> : (tensor<2x32x64xbf16>, tensor<2x64x64xbf16>, tensor<2x32x64xbf16>) -> tensor<2x32x64xbf16>
  return %5 : tensor<2x32x64xbf16>
}

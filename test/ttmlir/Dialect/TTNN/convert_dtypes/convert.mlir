// RUN: ttmlir-opt --ttir-to-ttnn-backend-pipeline="optimization-level=1 clock-search-limit=0 weight-dtype=bfp_bf8 activation-dtype=bfp_bf8" --mlir-pass-statistics %s 2>%t | FileCheck %s
// RUN: FileCheck %s --check-prefix=COUNT <%t
// RUN: ttmlir-opt --ttir-to-ttnn-backend-pipeline="weight-dtype=bfp_bf4" %s | FileCheck %s --check-prefix=WEIGHT4
// RUN: ttmlir-opt --ttir-to-ttnn-backend-pipeline="optimization-level=1 clock-search-limit=0" %s | FileCheck %s --check-prefix=OFF
// RUN: ttmlir-opt --ttir-to-ttnn-backend-pipeline="activation-dtype=bfp_bf8 weight-dtype=bfp_bf8" --remarks=ttnn-convert-dtypes %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// Weights are converted at the end of the function that computes them once, activations where they
// are computed; masks and results of the program keep their bits.

#any_device = #tt.operand_constraint<dram|l1|tile|none|interleaved|single_bank|height_sharded|width_sharded|block_sharded|any_layout|any_device_tile>
// OFF-NOT: tile<32x32, bfp_bf
// COUNT-DAG: (S) 3 num-activations - Number of results converted
// COUNT-DAG: (S) 4 num-weights {{ *}}- Number of weights converted
// REMARK-DAG: [Passed] Weight | Category:ttnn-convert-dtypes | Function=mlp | Op=ttnn.matmul, Reason="the weights are stored as bfp_bf8"
// REMARK-DAG: [Passed] Activation | Category:ttnn-convert-dtypes | Function=mlp | Op=ttnn.matmul, Reason="the result is stored as bfp_bf8"
// REMARK-DAG: [Missed] NotConverted | Category:ttnn-convert-dtypes | Function=mlp | Op=ttnn.matmul, Reason="the result keeps its format: an op that reads it needs more bits, or it leaves the program"
// REMARK-DAG: [Missed] NotConverted | Category:ttnn-convert-dtypes | Function=masked | Op=ttnn.add, Reason="the result keeps its format: one of its inputs is not block floats"
// REMARK-DAG: [Missed] NotConverted | Category:ttnn-convert-dtypes | Function=masked | Op=ttnn.sum, Reason="the result keeps its format: the op sums or selects numbers of different magnitudes"

// CHECK-DAG: [[WIDE:#layout[0-9]*]] = #tt.layout<(d0, d1) -> (d0, d1), undef, <8x8>, memref<1x1x!tt.tile<32x32, bf16>, #dram>, interleaved>
// CHECK-DAG: [[BLOCKS:#layout[0-9]*]] = #tt.layout<(d0, d1) -> (d0, d1), undef, <8x8>, memref<1x1x!tt.tile<32x32, bfp_bf8>, #dram>, interleaved>

// Scaled: rounded once, by the op that scales. Permuted: by the host.
// CHECK-LABEL: func.func private @made_const_eval_0(
// CHECK: [[W:%.*]] = "ttnn.multiply"{{.*}} -> tensor<64x64xbf16, [[BLOCKS]]>
// CHECK: return [[W]]
// CHECK-LABEL: func.func private @made_const_eval_1_host(
// CHECK: "ttnn.permute"
// CHECK: "ttnn.reshape"
// CHECK-LABEL: func.func private @made_const_eval_1(
// CHECK: [[H:%.*]] = tt.call(@made_const_eval_1_host
// CHECK: [[T:%.*]] = "ttnn.to_layout"([[H]]{{.*}} -> tensor<64x64xbf16, [[BLOCKS]]>
// CHECK: [[W:%.*]] = "ttnn.to_device"([[T]]{{.*}} -> tensor<64x64xbf16, [[BLOCKS]]>
// CHECK: return [[W]]
func.func @made(%x: tensor<64x64xbf16>, %w: tensor<64x64xbf16> {tt.argument_type = #tt.argument_type<parameter>}, %v: tensor<2x32x64xbf16> {tt.argument_type = #tt.argument_type<parameter>}) -> tensor<64x64xbf16> {
  %0 = tensor.empty() : tensor<64x64xbf16>
  %1 = "ttir.multiply"(%w, %w, %0) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any_device, #any_device, #any_device]}> : (tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xbf16>) -> tensor<64x64xbf16>
  %2 = tensor.empty() : tensor<64x64xbf16>
  %3 = "ttir.matmul"(%x, %1, %2) <{operand_constraints = [#any_device, #any_device, #any_device]}> : (tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xbf16>) -> tensor<64x64xbf16>
  %4 = tensor.empty() : tensor<64x32x2xbf16>
  %5 = "ttir.permute"(%v, %4) <{permutation = array<i64: 2, 1, 0>, operand_constraints = [#any_device, #any_device]}> : (tensor<2x32x64xbf16>, tensor<64x32x2xbf16>) -> tensor<64x32x2xbf16>
  %6 = tensor.empty() : tensor<64x64xbf16>
  %7 = "ttir.reshape"(%5, %6) <{shape = [64 : i32, 64 : i32], operand_constraints = [#any_device, #any_device]}> : (tensor<64x32x2xbf16>, tensor<64x64xbf16>) -> tensor<64x64xbf16>
  %8 = tensor.empty() : tensor<64x64xbf16>
  %9 = "ttir.matmul"(%3, %7, %8) <{operand_constraints = [#any_device, #any_device, #any_device]}> : (tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xbf16>) -> tensor<64x64xbf16>
  return %9 : tensor<64x64xbf16>
}

// From the host as it is: converted there.
// CHECK-LABEL: func.func private @mlp_const_eval_0
// CHECK: "ttnn.to_layout"{{.*}} -> tensor<128x64xbf16, [[STORED:#layout[0-9]*]]>
// CHECK: [[W:%.*]] = "ttnn.to_device"{{.*}} -> tensor<128x64xbf16, [[STORED]]>
// CHECK-NOT: "ttnn.typecast"
// CHECK: return [[W]] : tensor<128x64xbf16, [[STORED]]>
// WEIGHT4: memref<4x2x!tt.tile<32x32, bfp_bf4>, #dram>

// CHECK-LABEL: func.func @mlp
// CHECK: tt.load_cached(@mlp_const_eval_0{{.*}} -> tensor<128x64xbf16, [[STORED]]>
func.func @mlp(%x: tensor<64x128xbf16>, %up: tensor<128x64xbf16> {tt.argument_type = #tt.argument_type<parameter>}, %down: tensor<64x128xbf16> {tt.argument_type = #tt.argument_type<parameter>}) -> tensor<64x128xbf16> {
  // CHECK: "ttnn.matmul"{{.*}}activation = "relu"{{.*}} -> tensor<64x64xbf16, [[BLOCKS]]>
  %0 = tensor.empty() : tensor<64x64xbf16>
  %1 = "ttir.matmul"(%x, %up, %0) <{operand_constraints = [#any_device, #any_device, #any_device]}> : (tensor<64x128xbf16>, tensor<128x64xbf16>, tensor<64x64xbf16>) -> tensor<64x64xbf16>
  %2 = tensor.empty() : tensor<64x64xbf16>
  %3 = "ttir.relu"(%1, %2) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any_device, #any_device]}> : (tensor<64x64xbf16>, tensor<64x64xbf16>) -> tensor<64x64xbf16>
  // CHECK: "ttnn.matmul"{{.*}} -> tensor<64x128xbf16, [[WIDE]]>
  %4 = tensor.empty() : tensor<64x128xbf16>
  %5 = "ttir.matmul"(%3, %down, %4) <{operand_constraints = [#any_device, #any_device, #any_device]}> : (tensor<64x64xbf16>, tensor<64x128xbf16>, tensor<64x128xbf16>) -> tensor<64x128xbf16>
  return %5 : tensor<64x128xbf16>
}

// CHECK-LABEL: func.func @masked
func.func @masked(%x: tensor<64x64xbf16>, %mask: tensor<64x64xbf16>) -> tensor<64x1xbf16> {
  // CHECK: "ttnn.matmul"{{.*}} -> tensor<64x64xbf16, [[BLOCKS]]>
  %0 = tensor.empty() : tensor<64x64xbf16>
  %1 = "ttir.matmul"(%x, %x, %0) <{operand_constraints = [#any_device, #any_device, #any_device]}> : (tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xbf16>) -> tensor<64x64xbf16>
  // CHECK: "ttnn.add"{{.*}} -> tensor<64x64xbf16, [[WIDE]]>
  %2 = tensor.empty() : tensor<64x64xbf16>
  %3 = "ttir.add"(%1, %mask, %2) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any_device, #any_device, #any_device]}> : (tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xbf16>) -> tensor<64x64xbf16>
  %4 = tensor.empty() : tensor<64x1xbf16>
  %5 = "ttir.sum"(%3, %4) <{dim_arg = [1 : i32], keep_dim = true, operand_constraints = [#any_device, #any_device]}> : (tensor<64x64xbf16>, tensor<64x1xbf16>) -> tensor<64x1xbf16>
  return %5 : tensor<64x1xbf16>
}

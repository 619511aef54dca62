// RUN: ttmlir-opt --ttir-recognize-heads=join-weights=true %s | FileCheck %s
#any = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile>

// Norms of heads, and conversions around them, come behind the split.
// CHECK-LABEL: func.func @prompt(
// CHECK: %[[QKV:.*]] = "ttir.matmul"{{.*}} -> tensor<2x40x512xbf16>
// CHECK: %[[R:.*]]:3 = "ttir.split_query_key_value_and_split_heads"(%[[QKV]], %{{.*}}) <{num_heads = 4 : ui32, num_kv_heads = 2 : ui32
// CHECK-NOT: ttir.permute
// CHECK: %[[Q:.*]] = "ttir.rms_norm"(%[[R]]#0, %arg4, %{{.*}}) {{.*}} -> tensor<2x4x40x64xbf16>
// CHECK: %[[WIDE:.*]] = "ttir.typecast"(%[[R]]#1, %{{.*}}) {{.*}} -> tensor<2x2x40x64xf32>
// CHECK: %[[NORM:.*]] = "ttir.layer_norm"(%[[WIDE]], %{{.*}}) {{.*}} -> tensor<2x2x40x64xf32>
// CHECK: %[[K:.*]] = "ttir.typecast"(%[[NORM]], %{{.*}}) {{.*}} -> tensor<2x2x40x64xbf16>
// CHECK: return %[[Q]], %[[K]], %[[R]]#2
func.func @prompt(%x: tensor<2x40x256xbf16>, %wq: tensor<1x256x256xbf16> {tt.argument_type = #tt.argument_type<parameter>}, %wk: tensor<1x256x128xbf16> {tt.argument_type = #tt.argument_type<parameter>}, %wv: tensor<1x256x128xbf16> {tt.argument_type = #tt.argument_type<parameter>}, %s: tensor<64xbf16> {tt.argument_type = #tt.argument_type<parameter>}) -> (tensor<2x4x40x64xbf16>, tensor<2x2x40x64xbf16>, tensor<2x2x40x64xbf16>) {
  %e0 = tensor.empty() : tensor<2x40x256xbf16>
  %0 = "ttir.matmul"(%x, %wq, %e0) <{operand_constraints = [#any, #any, #any]}> : (tensor<2x40x256xbf16>, tensor<1x256x256xbf16>, tensor<2x40x256xbf16>) -> tensor<2x40x256xbf16>
  %e1 = tensor.empty() : tensor<2x40x4x64xbf16>
  %1 = "ttir.reshape"(%0, %e1) <{operand_constraints = [#any, #any], shape = [2 : i32, 40 : i32, 4 : i32, 64 : i32]}> : (tensor<2x40x256xbf16>, tensor<2x40x4x64xbf16>) -> tensor<2x40x4x64xbf16>
  %e2 = tensor.empty() : tensor<2x40x4x64xbf16>
  %2 = "ttir.rms_norm"(%1, %s, %e2) <{operand_constraints = [#any, #any, #any], normalized_shape = array<i64: 64>, operandSegmentSizes = array<i32: 1, 1, 0, 1>}> : (tensor<2x40x4x64xbf16>, tensor<64xbf16>, tensor<2x40x4x64xbf16>) -> tensor<2x40x4x64xbf16>
  %e3 = tensor.empty() : tensor<2x4x40x64xbf16>
  %3 = "ttir.permute"(%2, %e3) <{operand_constraints = [#any, #any], permutation = array<i64: 0, 2, 1, 3>}> : (tensor<2x40x4x64xbf16>, tensor<2x4x40x64xbf16>) -> tensor<2x4x40x64xbf16>
  %e4 = tensor.empty() : tensor<2x40x128xbf16>
  %4 = "ttir.matmul"(%x, %wk, %e4) <{operand_constraints = [#any, #any, #any]}> : (tensor<2x40x256xbf16>, tensor<1x256x128xbf16>, tensor<2x40x128xbf16>) -> tensor<2x40x128xbf16>
  %e5 = tensor.empty() : tensor<2x40x2x64xbf16>
  %5 = "ttir.reshape"(%4, %e5) <{operand_constraints = [#any, #any], shape = [2 : i32, 40 : i32, 2 : i32, 64 : i32]}> : (tensor<2x40x128xbf16>, tensor<2x40x2x64xbf16>) -> tensor<2x40x2x64xbf16>
  %e6 = tensor.empty() : tensor<2x40x2x64xf32>
  %6 = "ttir.typecast"(%5, %e6) <{operand_constraints = [#any, #any], operandSegmentSizes = array<i32: 1, 1>}> : (tensor<2x40x2x64xbf16>, tensor<2x40x2x64xf32>) -> tensor<2x40x2x64xf32>
  %e7 = tensor.empty() : tensor<2x40x2x64xf32>
  %7 = "ttir.layer_norm"(%6, %e7) <{operand_constraints = [#any, #any], normalized_shape = array<i64: 64>, operandSegmentSizes = array<i32: 1, 0, 0, 1>}> : (tensor<2x40x2x64xf32>, tensor<2x40x2x64xf32>) -> tensor<2x40x2x64xf32>
  %e8 = tensor.empty() : tensor<2x40x2x64xbf16>
  %8 = "ttir.typecast"(%7, %e8) <{operand_constraints = [#any, #any], operandSegmentSizes = array<i32: 1, 1>}> : (tensor<2x40x2x64xf32>, tensor<2x40x2x64xbf16>) -> tensor<2x40x2x64xbf16>
  %e9 = tensor.empty() : tensor<2x2x40x64xbf16>
  %9 = "ttir.permute"(%8, %e9) <{operand_constraints = [#any, #any], permutation = array<i64: 0, 2, 1, 3>}> : (tensor<2x40x2x64xbf16>, tensor<2x2x40x64xbf16>) -> tensor<2x2x40x64xbf16>
  %e10 = tensor.empty() : tensor<2x40x128xbf16>
  %10 = "ttir.matmul"(%x, %wv, %e10) <{operand_constraints = [#any, #any, #any]}> : (tensor<2x40x256xbf16>, tensor<1x256x128xbf16>, tensor<2x40x128xbf16>) -> tensor<2x40x128xbf16>
  %e11 = tensor.empty() : tensor<2x40x2x64xbf16>
  %11 = "ttir.reshape"(%10, %e11) <{operand_constraints = [#any, #any], shape = [2 : i32, 40 : i32, 2 : i32, 64 : i32]}> : (tensor<2x40x128xbf16>, tensor<2x40x2x64xbf16>) -> tensor<2x40x2x64xbf16>
  %e12 = tensor.empty() : tensor<2x2x40x64xbf16>
  %12 = "ttir.permute"(%11, %e12) <{operand_constraints = [#any, #any], permutation = array<i64: 0, 2, 1, 3>}> : (tensor<2x40x2x64xbf16>, tensor<2x2x40x64xbf16>) -> tensor<2x2x40x64xbf16>
  return %3, %9, %12 : tensor<2x4x40x64xbf16>, tensor<2x2x40x64xbf16>, tensor<2x2x40x64xbf16>
}

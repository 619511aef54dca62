// RUN: ttmlir-opt --ttir-recognize-heads=join-weights=true %s | FileCheck %s
#any = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile>

// Heads of one place, which reshapes alone make.
// CHECK-LABEL: func.func @decode(
// CHECK-DAG: %[[W:.*]] = "ttir.concat"(%arg1, %arg2, %arg3, %{{.*}}) <{dim = 2 : si32
// CHECK-DAG: %[[B:.*]] = "ttir.concat"(%arg4, %arg5, %arg6, %{{.*}}) <{dim = 0 : si32
// CHECK: %[[QKV:.*]] = "ttir.linear"(%arg0, %[[W]], %[[B]], %{{.*}}) {{.*}} -> tensor<32x1x512xbf16>
// CHECK: %[[R:.*]]:3 = "ttir.split_query_key_value_and_split_heads"(%[[QKV]], %{{.*}}) <{num_heads = 4 : ui32, num_kv_heads = 2 : ui32, {{.*}}transpose_key = false}>
// CHECK: return %[[R]]#0, %[[R]]#1, %[[R]]#2
func.func @decode(%x: tensor<32x1x256xbf16>, %wq: tensor<1x256x256xbf16> {tt.argument_type = #tt.argument_type<parameter>}, %wk: tensor<1x256x128xbf16> {tt.argument_type = #tt.argument_type<parameter>}, %wv: tensor<1x256x128xbf16> {tt.argument_type = #tt.argument_type<parameter>}, %bq: tensor<256xbf16> {tt.argument_type = #tt.argument_type<parameter>}, %bk: tensor<128xbf16> {tt.argument_type = #tt.argument_type<parameter>}, %bv: tensor<128xbf16> {tt.argument_type = #tt.argument_type<parameter>}) -> (tensor<32x4x1x64xbf16>, tensor<32x2x1x64xbf16>, tensor<32x2x1x64xbf16>) {
  %e0 = tensor.empty() : tensor<32x1x256xbf16>
  %0 = "ttir.linear"(%x, %wq, %bq, %e0) <{operand_constraints = [#any, #any, #any, #any]}> : (tensor<32x1x256xbf16>, tensor<1x256x256xbf16>, tensor<256xbf16>, tensor<32x1x256xbf16>) -> tensor<32x1x256xbf16>
  %e1 = tensor.empty() : tensor<32x1x4x64xbf16>
  %1 = "ttir.reshape"(%0, %e1) <{operand_constraints = [#any, #any], shape = [32 : i32, 1 : i32, 4 : i32, 64 : i32]}> : (tensor<32x1x256xbf16>, tensor<32x1x4x64xbf16>) -> tensor<32x1x4x64xbf16>
  %e2 = tensor.empty() : tensor<32x4x1x64xbf16>
  %2 = "ttir.reshape"(%1, %e2) <{operand_constraints = [#any, #any], shape = [32 : i32, 4 : i32, 1 : i32, 64 : i32]}> : (tensor<32x1x4x64xbf16>, tensor<32x4x1x64xbf16>) -> tensor<32x4x1x64xbf16>
  %e3 = tensor.empty() : tensor<32x1x128xbf16>
  %3 = "ttir.linear"(%x, %wk, %bk, %e3) <{operand_constraints = [#any, #any, #any, #any]}> : (tensor<32x1x256xbf16>, tensor<1x256x128xbf16>, tensor<128xbf16>, tensor<32x1x128xbf16>) -> tensor<32x1x128xbf16>
  %e4 = tensor.empty() : tensor<32x1x2x64xbf16>
  %4 = "ttir.reshape"(%3, %e4) <{operand_constraints = [#any, #any], shape = [32 : i32, 1 : i32, 2 : i32, 64 : i32]}> : (tensor<32x1x128xbf16>, tensor<32x1x2x64xbf16>) -> tensor<32x1x2x64xbf16>
  %e5 = tensor.empty() : tensor<32x2x1x64xbf16>
  %5 = "ttir.reshape"(%4, %e5) <{operand_constraints = [#any, #any], shape = [32 : i32, 2 : i32, 1 : i32, 64 : i32]}> : (tensor<32x1x2x64xbf16>, tensor<32x2x1x64xbf16>) -> tensor<32x2x1x64xbf16>
  %e6 = tensor.empty() : tensor<32x1x128xbf16>
  %6 = "ttir.linear"(%x, %wv, %bv, %e6) <{operand_constraints = [#any, #any, #any, #any]}> : (tensor<32x1x256xbf16>, tensor<1x256x128xbf16>, tensor<128xbf16>, tensor<32x1x128xbf16>) -> tensor<32x1x128xbf16>
  %e7 = tensor.empty() : tensor<32x1x2x64xbf16>
  %7 = "ttir.reshape"(%6, %e7) <{operand_constraints = [#any, #any], shape = [32 : i32, 1 : i32, 2 : i32, 64 : i32]}> : (tensor<32x1x128xbf16>, tensor<32x1x2x64xbf16>) -> tensor<32x1x2x64xbf16>
  %e8 = tensor.empty() : tensor<32x2x1x64xbf16>
  %8 = "ttir.reshape"(%7, %e8) <{operand_constraints = [#any, #any], shape = [32 : i32, 2 : i32, 1 : i32, 64 : i32]}> : (tensor<32x1x2x64xbf16>, tensor<32x2x1x64xbf16>) -> tensor<32x2x1x64xbf16>
  return %2, %5, %8 : tensor<32x4x1x64xbf16>, tensor<32x2x1x64xbf16>, tensor<32x2x1x64xbf16>
}

// With norms between two reshapes, heads are split in front of them.
// CHECK-LABEL: func.func @norms(
// CHECK: %[[R:.*]]:3 = "ttir.split_query_key_value_and_split_heads"
// CHECK-DAG: %[[Q:.*]] = "ttir.reshape"(%[[R]]#0, %{{.*}}) {{.*}} -> tensor<32x1x4x64xbf16>
// CHECK-DAG: "ttir.rms_norm"(%[[Q]], %{{.*}})
// CHECK-DAG: %[[K:.*]] = "ttir.reshape"(%[[R]]#1, %{{.*}}) {{.*}} -> tensor<32x1x2x64xbf16>
// CHECK-DAG: "ttir.rms_norm"(%[[K]], %{{.*}})
// CHECK: return %{{.*}}, %{{.*}}, %[[R]]#2
func.func @norms(%x: tensor<32x1x256xbf16>, %wq: tensor<1x256x256xbf16> {tt.argument_type = #tt.argument_type<parameter>}, %wk: tensor<1x256x128xbf16> {tt.argument_type = #tt.argument_type<parameter>}, %wv: tensor<1x256x128xbf16> {tt.argument_type = #tt.argument_type<parameter>}) -> (tensor<32x4x1x64xbf16>, tensor<32x2x1x64xbf16>, tensor<32x2x1x64xbf16>) {
  %e0 = tensor.empty() : tensor<32x1x256xbf16>
  %0 = "ttir.matmul"(%x, %wq, %e0) <{operand_constraints = [#any, #any, #any]}> : (tensor<32x1x256xbf16>, tensor<1x256x256xbf16>, tensor<32x1x256xbf16>) -> tensor<32x1x256xbf16>
  %e1 = tensor.empty() : tensor<32x1x4x64xbf16>
  %1 = "ttir.reshape"(%0, %e1) <{operand_constraints = [#any, #any], shape = [32 : i32, 1 : i32, 4 : i32, 64 : i32]}> : (tensor<32x1x256xbf16>, tensor<32x1x4x64xbf16>) -> tensor<32x1x4x64xbf16>
  %e2 = tensor.empty() : tensor<32x1x4x64xbf16>
  %2 = "ttir.rms_norm"(%1, %e2) <{operand_constraints = [#any, #any], normalized_shape = array<i64: 64>, operandSegmentSizes = array<i32: 1, 0, 0, 1>}> : (tensor<32x1x4x64xbf16>, tensor<32x1x4x64xbf16>) -> tensor<32x1x4x64xbf16>
  %e3 = tensor.empty() : tensor<32x4x1x64xbf16>
  %3 = "ttir.reshape"(%2, %e3) <{operand_constraints = [#any, #any], shape = [32 : i32, 4 : i32, 1 : i32, 64 : i32]}> : (tensor<32x1x4x64xbf16>, tensor<32x4x1x64xbf16>) -> tensor<32x4x1x64xbf16>
  %e4 = tensor.empty() : tensor<32x1x128xbf16>
  %4 = "ttir.matmul"(%x, %wk, %e4) <{operand_constraints = [#any, #any, #any]}> : (tensor<32x1x256xbf16>, tensor<1x256x128xbf16>, tensor<32x1x128xbf16>) -> tensor<32x1x128xbf16>
  %e5 = tensor.empty() : tensor<32x1x2x64xbf16>
  %5 = "ttir.reshape"(%4, %e5) <{operand_constraints = [#any, #any], shape = [32 : i32, 1 : i32, 2 : i32, 64 : i32]}> : (tensor<32x1x128xbf16>, tensor<32x1x2x64xbf16>) -> tensor<32x1x2x64xbf16>
  %e6 = tensor.empty() : tensor<32x1x2x64xbf16>
  %6 = "ttir.rms_norm"(%5, %e6) <{operand_constraints = [#any, #any], normalized_shape = array<i64: 64>, operandSegmentSizes = array<i32: 1, 0, 0, 1>}> : (tensor<32x1x2x64xbf16>, tensor<32x1x2x64xbf16>) -> tensor<32x1x2x64xbf16>
  %e7 = tensor.empty() : tensor<32x2x1x64xbf16>
  %7 = "ttir.reshape"(%6, %e7) <{operand_constraints = [#any, #any], shape = [32 : i32, 2 : i32, 1 : i32, 64 : i32]}> : (tensor<32x1x2x64xbf16>, tensor<32x2x1x64xbf16>) -> tensor<32x2x1x64xbf16>
  %e8 = tensor.empty() : tensor<32x1x128xbf16>
  %8 = "ttir.matmul"(%x, %wv, %e8) <{operand_constraints = [#any, #any, #any]}> : (tensor<32x1x256xbf16>, tensor<1x256x128xbf16>, tensor<32x1x128xbf16>) -> tensor<32x1x128xbf16>
  %e9 = tensor.empty() : tensor<32x1x2x64xbf16>
  %9 = "ttir.reshape"(%8, %e9) <{operand_constraints = [#any, #any], shape = [32 : i32, 1 : i32, 2 : i32, 64 : i32]}> : (tensor<32x1x128xbf16>, tensor<32x1x2x64xbf16>) -> tensor<32x1x2x64xbf16>
  %e10 = tensor.empty() : tensor<32x2x1x64xbf16>
  %10 = "ttir.reshape"(%9, %e10) <{operand_constraints = [#any, #any], shape = [32 : i32, 2 : i32, 1 : i32, 64 : i32]}> : (tensor<32x1x2x64xbf16>, tensor<32x2x1x64xbf16>) -> tensor<32x2x1x64xbf16>
  return %3, %7, %10 : tensor<32x4x1x64xbf16>, tensor<32x2x1x64xbf16>, tensor<32x2x1x64xbf16>
}

// Two of them say nothing about a third.
// CHECK-LABEL: func.func @two(
// CHECK-COUNT-2: ttir.matmul
// CHECK-NOT: ttir.split
func.func @two(%x: tensor<32x1x256xbf16>, %wq: tensor<1x256x256xbf16> {tt.argument_type = #tt.argument_type<parameter>}, %wk: tensor<1x256x128xbf16> {tt.argument_type = #tt.argument_type<parameter>}) -> (tensor<32x4x1x64xbf16>, tensor<32x2x1x64xbf16>) {
  %e0 = tensor.empty() : tensor<32x1x256xbf16>
  %0 = "ttir.matmul"(%x, %wq, %e0) <{operand_constraints = [#any, #any, #any]}> : (tensor<32x1x256xbf16>, tensor<1x256x256xbf16>, tensor<32x1x256xbf16>) -> tensor<32x1x256xbf16>
  %e1 = tensor.empty() : tensor<32x1x4x64xbf16>
  %1 = "ttir.reshape"(%0, %e1) <{operand_constraints = [#any, #any], shape = [32 : i32, 1 : i32, 4 : i32, 64 : i32]}> : (tensor<32x1x256xbf16>, tensor<32x1x4x64xbf16>) -> tensor<32x1x4x64xbf16>
  %e2 = tensor.empty() : tensor<32x4x1x64xbf16>
  %2 = "ttir.reshape"(%1, %e2) <{operand_constraints = [#any, #any], shape = [32 : i32, 4 : i32, 1 : i32, 64 : i32]}> : (tensor<32x1x4x64xbf16>, tensor<32x4x1x64xbf16>) -> tensor<32x4x1x64xbf16>
  %e3 = tensor.empty() : tensor<32x1x128xbf16>
  %3 = "ttir.matmul"(%x, %wk, %e3) <{operand_constraints = [#any, #any, #any]}> : (tensor<32x1x256xbf16>, tensor<1x256x128xbf16>, tensor<32x1x128xbf16>) -> tensor<32x1x128xbf16>
  %e4 = tensor.empty() : tensor<32x1x2x64xbf16>
  %4 = "ttir.reshape"(%3, %e4) <{operand_constraints = [#any, #any], shape = [32 : i32, 1 : i32, 2 : i32, 64 : i32]}> : (tensor<32x1x128xbf16>, tensor<32x1x2x64xbf16>) -> tensor<32x1x2x64xbf16>
  %e5 = tensor.empty() : tensor<32x2x1x64xbf16>
  %5 = "ttir.reshape"(%4, %e5) <{operand_constraints = [#any, #any], shape = [32 : i32, 2 : i32, 1 : i32, 64 : i32]}> : (tensor<32x1x2x64xbf16>, tensor<32x2x1x64xbf16>) -> tensor<32x2x1x64xbf16>
  return %2, %5 : tensor<32x4x1x64xbf16>, tensor<32x2x1x64xbf16>
}

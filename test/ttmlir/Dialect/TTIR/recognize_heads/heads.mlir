// RUN: ttmlir-opt --ttir-recognize-heads=join-weights=true %s | FileCheck %s
// RUN: ttmlir-opt --ttir-recognize-heads %s | FileCheck %s --check-prefix=APART
// RUN: ttmlir-opt --ttir-recognize-heads=join-weights=true --remarks %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// REMARK-DAG: remark: [Passed] Split | Category:ttir-recognize-heads | Function=linears | Op=ttir.permute, Reason="one op splits queries, keys and values into heads, of products that become one"
// REMARK-DAG: remark: [Passed] Split | Category:ttir-recognize-heads | Function=slices | Op=ttir.permute, Reason="one op splits queries, keys and values into heads", Rejected=
// REMARK-DAG: remark: [Passed] Concatenated | Category:ttir-recognize-heads | Function=concatenate | Op=ttir.reshape, Reason="one op puts 4 heads beside each other"
#any = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile>

// Products with and without a bias become one; a bias that is missing is zero.
// Without join-weights they stay.
// APART-LABEL: func.func @linears(
// APART-COUNT-3: ttir.permute
// CHECK-LABEL: func.func @linears(
// CHECK-DAG: %[[W:.*]] = "ttir.concat"(%arg1, %arg2, %arg3, %{{.*}}) <{dim = 1 : si32
// CHECK-DAG: %[[ZERO:.*]] = "ttir.constant"() <{value = dense<0.000000e+00> : tensor<128xbf16>}>
// CHECK-DAG: %[[B:.*]] = "ttir.concat"(%arg4, %[[ZERO]], %arg5, %{{.*}}) <{dim = 0 : si32
// CHECK: %[[QKV:.*]] = "ttir.linear"(%arg0, %[[W]], %[[B]], %{{.*}}) <{{{.*}}transpose_b = true}>
// CHECK: %[[R:.*]]:3 = "ttir.split_query_key_value_and_split_heads"(%[[QKV]], %{{.*}}) <{num_heads = 4 : ui32, {{.*}}transpose_key = false}>
// CHECK-NOT: ttir.permute
// CHECK: return %[[R]]#0, %[[R]]#1, %[[R]]#2
func.func @linears(%x: tensor<2x40x128xbf16>, %wq: tensor<1x128x128xbf16> {tt.argument_type = #tt.argument_type<parameter>}, %wk: tensor<1x128x128xbf16> {tt.argument_type = #tt.argument_type<parameter>}, %wv: tensor<1x128x128xbf16> {tt.argument_type = #tt.argument_type<parameter>}, %bq: tensor<128xbf16> {tt.argument_type = #tt.argument_type<parameter>}, %bv: tensor<128xbf16> {tt.argument_type = #tt.argument_type<parameter>}) -> (tensor<2x4x40x32xbf16>, tensor<2x4x40x32xbf16>, tensor<2x4x40x32xbf16>) {
  %e1 = tensor.empty() : tensor<2x40x128xbf16>
  %2 = "ttir.linear"(%x, %wq, %bq, %e1) <{operand_constraints = [#any, #any, #any, #any], transpose_b = true}> : (tensor<2x40x128xbf16>, tensor<1x128x128xbf16>, tensor<128xbf16>, tensor<2x40x128xbf16>) -> tensor<2x40x128xbf16>
  %e3 = tensor.empty() : tensor<2x40x4x32xbf16>
  %4 = "ttir.reshape"(%2, %e3) <{operand_constraints = [#any, #any], shape = [2 : i32, 40 : i32, 4 : i32, 32 : i32]}> : (tensor<2x40x128xbf16>, tensor<2x40x4x32xbf16>) -> tensor<2x40x4x32xbf16>
  %e5 = tensor.empty() : tensor<2x4x40x32xbf16>
  %6 = "ttir.permute"(%4, %e5) <{operand_constraints = [#any, #any], permutation = array<i64: 0, 2, 1, 3>}> : (tensor<2x40x4x32xbf16>, tensor<2x4x40x32xbf16>) -> tensor<2x4x40x32xbf16>
  %e7 = tensor.empty() : tensor<2x40x128xbf16>
  %8 = "ttir.matmul"(%x, %wk, %e7) <{operand_constraints = [#any, #any, #any], transpose_b = true}> : (tensor<2x40x128xbf16>, tensor<1x128x128xbf16>, tensor<2x40x128xbf16>) -> tensor<2x40x128xbf16>
  %e9 = tensor.empty() : tensor<2x40x4x32xbf16>
  %10 = "ttir.reshape"(%8, %e9) <{operand_constraints = [#any, #any], shape = [2 : i32, 40 : i32, 4 : i32, 32 : i32]}> : (tensor<2x40x128xbf16>, tensor<2x40x4x32xbf16>) -> tensor<2x40x4x32xbf16>
  %e11 = tensor.empty() : tensor<2x4x40x32xbf16>
  %12 = "ttir.permute"(%10, %e11) <{operand_constraints = [#any, #any], permutation = array<i64: 0, 2, 1, 3>}> : (tensor<2x40x4x32xbf16>, tensor<2x4x40x32xbf16>) -> tensor<2x4x40x32xbf16>
  %e13 = tensor.empty() : tensor<2x40x128xbf16>
  %14 = "ttir.linear"(%x, %wv, %bv, %e13) <{operand_constraints = [#any, #any, #any, #any], transpose_b = true}> : (tensor<2x40x128xbf16>, tensor<1x128x128xbf16>, tensor<128xbf16>, tensor<2x40x128xbf16>) -> tensor<2x40x128xbf16>
  %e15 = tensor.empty() : tensor<2x40x4x32xbf16>
  %16 = "ttir.reshape"(%14, %e15) <{operand_constraints = [#any, #any], shape = [2 : i32, 40 : i32, 4 : i32, 32 : i32]}> : (tensor<2x40x128xbf16>, tensor<2x40x4x32xbf16>) -> tensor<2x40x4x32xbf16>
  %e17 = tensor.empty() : tensor<2x4x40x32xbf16>
  %18 = "ttir.permute"(%16, %e17) <{operand_constraints = [#any, #any], permutation = array<i64: 0, 2, 1, 3>}> : (tensor<2x40x4x32xbf16>, tensor<2x4x40x32xbf16>) -> tensor<2x4x40x32xbf16>
  return %6, %12, %18 : tensor<2x4x40x32xbf16>, tensor<2x4x40x32xbf16>, tensor<2x4x40x32xbf16>
}

// Queries have the most heads, and transposed ones are keys; additions are joined as they are.
// CHECK-LABEL: func.func @grouped(
// CHECK: %[[W:.*]] = "ttir.concat"(%arg2, %arg1, %arg3, %{{.*}}) <{dim = 2 : si32
// CHECK: %[[P:.*]] = "ttir.matmul"(%arg0, %[[W]]
// CHECK: %[[S:.*]] = "ttir.add"(%[[P]], %{{.*}}) {{.*}} -> tensor<2x40x256xbf16>
// CHECK: %[[R:.*]]:3 = "ttir.split_query_key_value_and_split_heads"(%[[S]], %{{.*}}) <{num_heads = 4 : ui32, num_kv_heads = 2 : ui32, {{.*}}transpose_key = true}>
// CHECK: return %[[R]]#2, %[[R]]#1, %[[R]]#0
func.func @grouped(%x: tensor<2x40x128xbf16>, %wk: tensor<1x128x64xbf16> {tt.argument_type = #tt.argument_type<parameter>}, %wq: tensor<1x128x128xbf16> {tt.argument_type = #tt.argument_type<parameter>}, %wv: tensor<1x128x64xbf16> {tt.argument_type = #tt.argument_type<parameter>}, %bk: tensor<64xbf16> {tt.argument_type = #tt.argument_type<parameter>}, %bq: tensor<1x1x128xbf16> {tt.argument_type = #tt.argument_type<parameter>}, %bv: tensor<64xbf16> {tt.argument_type = #tt.argument_type<parameter>}) -> (tensor<2x2x40x32xbf16>, tensor<2x2x32x40xbf16>, tensor<2x4x40x32xbf16>) {
  %e1 = tensor.empty() : tensor<2x40x64xbf16>
  %2 = "ttir.matmul"(%x, %wk, %e1) <{operand_constraints = [#any, #any, #any]}> : (tensor<2x40x128xbf16>, tensor<1x128x64xbf16>, tensor<2x40x64xbf16>) -> tensor<2x40x64xbf16>
  %e3 = tensor.empty() : tensor<2x40x64xbf16>
  %4 = "ttir.add"(%2, %bk, %e3) <{operand_constraints = [#any, #any, #any], operandSegmentSizes = array<i32: 2, 1>}> : (tensor<2x40x64xbf16>, tensor<64xbf16>, tensor<2x40x64xbf16>) -> tensor<2x40x64xbf16>
  %e5 = tensor.empty() : tensor<2x40x2x32xbf16>
  %6 = "ttir.reshape"(%4, %e5) <{operand_constraints = [#any, #any], shape = [2 : i32, 40 : i32, 2 : i32, 32 : i32]}> : (tensor<2x40x64xbf16>, tensor<2x40x2x32xbf16>) -> tensor<2x40x2x32xbf16>
  %e7 = tensor.empty() : tensor<2x2x32x40xbf16>
  %8 = "ttir.permute"(%6, %e7) <{operand_constraints = [#any, #any], permutation = array<i64: 0, 2, 3, 1>}> : (tensor<2x40x2x32xbf16>, tensor<2x2x32x40xbf16>) -> tensor<2x2x32x40xbf16>
  %e9 = tensor.empty() : tensor<2x40x128xbf16>
  %10 = "ttir.matmul"(%x, %wq, %e9) <{operand_constraints = [#any, #any, #any]}> : (tensor<2x40x128xbf16>, tensor<1x128x128xbf16>, tensor<2x40x128xbf16>) -> tensor<2x40x128xbf16>
  %e11 = tensor.empty() : tensor<2x40x128xbf16>
  %12 = "ttir.add"(%10, %bq, %e11) <{operand_constraints = [#any, #any, #any], operandSegmentSizes = array<i32: 2, 1>}> : (tensor<2x40x128xbf16>, tensor<1x1x128xbf16>, tensor<2x40x128xbf16>) -> tensor<2x40x128xbf16>
  %e13 = tensor.empty() : tensor<2x40x4x32xbf16>
  %14 = "ttir.reshape"(%12, %e13) <{operand_constraints = [#any, #any], shape = [2 : i32, 40 : i32, 4 : i32, 32 : i32]}> : (tensor<2x40x128xbf16>, tensor<2x40x4x32xbf16>) -> tensor<2x40x4x32xbf16>
  %e15 = tensor.empty() : tensor<2x4x40x32xbf16>
  %16 = "ttir.permute"(%14, %e15) <{operand_constraints = [#any, #any], permutation = array<i64: 0, 2, 1, 3>}> : (tensor<2x40x4x32xbf16>, tensor<2x4x40x32xbf16>) -> tensor<2x4x40x32xbf16>
  %e17 = tensor.empty() : tensor<2x40x64xbf16>
  %18 = "ttir.matmul"(%x, %wv, %e17) <{operand_constraints = [#any, #any, #any]}> : (tensor<2x40x128xbf16>, tensor<1x128x64xbf16>, tensor<2x40x64xbf16>) -> tensor<2x40x64xbf16>
  %e19 = tensor.empty() : tensor<2x40x64xbf16>
  %20 = "ttir.add"(%18, %bv, %e19) <{operand_constraints = [#any, #any, #any], operandSegmentSizes = array<i32: 2, 1>}> : (tensor<2x40x64xbf16>, tensor<64xbf16>, tensor<2x40x64xbf16>) -> tensor<2x40x64xbf16>
  %e21 = tensor.empty() : tensor<2x40x2x32xbf16>
  %22 = "ttir.reshape"(%20, %e21) <{operand_constraints = [#any, #any], shape = [2 : i32, 40 : i32, 2 : i32, 32 : i32]}> : (tensor<2x40x64xbf16>, tensor<2x40x2x32xbf16>) -> tensor<2x40x2x32xbf16>
  %e23 = tensor.empty() : tensor<2x2x40x32xbf16>
  %24 = "ttir.permute"(%22, %e23) <{operand_constraints = [#any, #any], permutation = array<i64: 0, 2, 1, 3>}> : (tensor<2x40x2x32xbf16>, tensor<2x2x40x32xbf16>) -> tensor<2x2x40x32xbf16>
  return %24, %8, %16 : tensor<2x2x40x32xbf16>, tensor<2x2x32x40xbf16>, tensor<2x4x40x32xbf16>
}

// As JAX has it: values are transposed, too, which the op does not do.
// CHECK-LABEL: func.func @two_transposed(
// CHECK: %[[R:.*]]:3 = "ttir.split_query_key_value_and_split_heads"(%{{.*}}) <{num_heads = 4 : ui32, {{.*}}transpose_key = true}>
// CHECK: %[[V:.*]] = "ttir.transpose"(%[[R]]#2, %{{.*}}) <{dim0 = 2 : si32, dim1 = 3 : si32
// CHECK: return %[[R]]#0, %[[R]]#1, %[[V]]
func.func @two_transposed(%x: tensor<2x40x128xbf16>, %wq: tensor<1x128x128xbf16> {tt.argument_type = #tt.argument_type<parameter>}, %wk: tensor<1x128x128xbf16> {tt.argument_type = #tt.argument_type<parameter>}, %wv: tensor<1x128x128xbf16> {tt.argument_type = #tt.argument_type<parameter>}) -> (tensor<2x4x40x32xbf16>, tensor<2x4x32x40xbf16>, tensor<2x4x32x40xbf16>) {
  %e1 = tensor.empty() : tensor<2x40x128xbf16>
  %2 = "ttir.matmul"(%x, %wq, %e1) <{operand_constraints = [#any, #any, #any]}> : (tensor<2x40x128xbf16>, tensor<1x128x128xbf16>, tensor<2x40x128xbf16>) -> tensor<2x40x128xbf16>
  %e3 = tensor.empty() : tensor<2x40x4x32xbf16>
  %4 = "ttir.reshape"(%2, %e3) <{operand_constraints = [#any, #any], shape = [2 : i32, 40 : i32, 4 : i32, 32 : i32]}> : (tensor<2x40x128xbf16>, tensor<2x40x4x32xbf16>) -> tensor<2x40x4x32xbf16>
  %e5 = tensor.empty() : tensor<2x4x40x32xbf16>
  %6 = "ttir.permute"(%4, %e5) <{operand_constraints = [#any, #any], permutation = array<i64: 0, 2, 1, 3>}> : (tensor<2x40x4x32xbf16>, tensor<2x4x40x32xbf16>) -> tensor<2x4x40x32xbf16>
  %e7 = tensor.empty() : tensor<2x40x128xbf16>
  %8 = "ttir.matmul"(%x, %wk, %e7) <{operand_constraints = [#any, #any, #any]}> : (tensor<2x40x128xbf16>, tensor<1x128x128xbf16>, tensor<2x40x128xbf16>) -> tensor<2x40x128xbf16>
  %e9 = tensor.empty() : tensor<2x40x4x32xbf16>
  %10 = "ttir.reshape"(%8, %e9) <{operand_constraints = [#any, #any], shape = [2 : i32, 40 : i32, 4 : i32, 32 : i32]}> : (tensor<2x40x128xbf16>, tensor<2x40x4x32xbf16>) -> tensor<2x40x4x32xbf16>
  %e11 = tensor.empty() : tensor<2x4x32x40xbf16>
  %12 = "ttir.permute"(%10, %e11) <{operand_constraints = [#any, #any], permutation = array<i64: 0, 2, 3, 1>}> : (tensor<2x40x4x32xbf16>, tensor<2x4x32x40xbf16>) -> tensor<2x4x32x40xbf16>
  %e13 = tensor.empty() : tensor<2x40x128xbf16>
  %14 = "ttir.matmul"(%x, %wv, %e13) <{operand_constraints = [#any, #any, #any]}> : (tensor<2x40x128xbf16>, tensor<1x128x128xbf16>, tensor<2x40x128xbf16>) -> tensor<2x40x128xbf16>
  %e15 = tensor.empty() : tensor<2x40x4x32xbf16>
  %16 = "ttir.reshape"(%14, %e15) <{operand_constraints = [#any, #any], shape = [2 : i32, 40 : i32, 4 : i32, 32 : i32]}> : (tensor<2x40x128xbf16>, tensor<2x40x4x32xbf16>) -> tensor<2x40x4x32xbf16>
  %e17 = tensor.empty() : tensor<2x4x32x40xbf16>
  %18 = "ttir.permute"(%16, %e17) <{operand_constraints = [#any, #any], permutation = array<i64: 0, 2, 3, 1>}> : (tensor<2x40x4x32xbf16>, tensor<2x4x32x40xbf16>) -> tensor<2x4x32x40xbf16>
  return %6, %12, %18 : tensor<2x4x40x32xbf16>, tensor<2x4x32x40xbf16>, tensor<2x4x32x40xbf16>
}

// Biases of one number stay one: what depends on nothing would be joined in every call.
// CHECK-LABEL: func.func @one_number(
// CHECK-DAG: %[[B:.*]] = "ttir.constant"() <{value = dense<1.000000e+00> : tensor<384xbf16>}>
// CHECK-DAG: "ttir.linear"(%arg0, %{{.*}}, %[[B]]
func.func @one_number(%x: tensor<2x40x128xbf16>, %wq: tensor<1x128x128xbf16> {tt.argument_type = #tt.argument_type<parameter>}, %wk: tensor<1x128x128xbf16> {tt.argument_type = #tt.argument_type<parameter>}, %wv: tensor<1x128x128xbf16> {tt.argument_type = #tt.argument_type<parameter>}) -> (tensor<2x4x40x32xbf16>, tensor<2x4x40x32xbf16>, tensor<2x4x40x32xbf16>) {
  %b = "ttir.constant"() <{value = dense<1.0> : tensor<128xbf16>}> : () -> tensor<128xbf16>
  %e1 = tensor.empty() : tensor<2x40x128xbf16>
  %2 = "ttir.linear"(%x, %wq, %b, %e1) <{operand_constraints = [#any, #any, #any, #any], transpose_b = true}> : (tensor<2x40x128xbf16>, tensor<1x128x128xbf16>, tensor<128xbf16>, tensor<2x40x128xbf16>) -> tensor<2x40x128xbf16>
  %e3 = tensor.empty() : tensor<2x40x4x32xbf16>
  %4 = "ttir.reshape"(%2, %e3) <{operand_constraints = [#any, #any], shape = [2 : i32, 40 : i32, 4 : i32, 32 : i32]}> : (tensor<2x40x128xbf16>, tensor<2x40x4x32xbf16>) -> tensor<2x40x4x32xbf16>
  %e5 = tensor.empty() : tensor<2x4x40x32xbf16>
  %6 = "ttir.permute"(%4, %e5) <{operand_constraints = [#any, #any], permutation = array<i64: 0, 2, 1, 3>}> : (tensor<2x40x4x32xbf16>, tensor<2x4x40x32xbf16>) -> tensor<2x4x40x32xbf16>
  %e7 = tensor.empty() : tensor<2x40x128xbf16>
  %8 = "ttir.linear"(%x, %wk, %b, %e7) <{operand_constraints = [#any, #any, #any, #any], transpose_b = true}> : (tensor<2x40x128xbf16>, tensor<1x128x128xbf16>, tensor<128xbf16>, tensor<2x40x128xbf16>) -> tensor<2x40x128xbf16>
  %e9 = tensor.empty() : tensor<2x40x4x32xbf16>
  %10 = "ttir.reshape"(%8, %e9) <{operand_constraints = [#any, #any], shape = [2 : i32, 40 : i32, 4 : i32, 32 : i32]}> : (tensor<2x40x128xbf16>, tensor<2x40x4x32xbf16>) -> tensor<2x40x4x32xbf16>
  %e11 = tensor.empty() : tensor<2x4x40x32xbf16>
  %12 = "ttir.permute"(%10, %e11) <{operand_constraints = [#any, #any], permutation = array<i64: 0, 2, 1, 3>}> : (tensor<2x40x4x32xbf16>, tensor<2x4x40x32xbf16>) -> tensor<2x4x40x32xbf16>
  %e13 = tensor.empty() : tensor<2x40x128xbf16>
  %14 = "ttir.linear"(%x, %wv, %b, %e13) <{operand_constraints = [#any, #any, #any, #any], transpose_b = true}> : (tensor<2x40x128xbf16>, tensor<1x128x128xbf16>, tensor<128xbf16>, tensor<2x40x128xbf16>) -> tensor<2x40x128xbf16>
  %e15 = tensor.empty() : tensor<2x40x4x32xbf16>
  %16 = "ttir.reshape"(%14, %e15) <{operand_constraints = [#any, #any], shape = [2 : i32, 40 : i32, 4 : i32, 32 : i32]}> : (tensor<2x40x128xbf16>, tensor<2x40x4x32xbf16>) -> tensor<2x40x4x32xbf16>
  %e17 = tensor.empty() : tensor<2x4x40x32xbf16>
  %18 = "ttir.permute"(%16, %e17) <{operand_constraints = [#any, #any], permutation = array<i64: 0, 2, 1, 3>}> : (tensor<2x40x4x32xbf16>, tensor<2x4x40x32xbf16>) -> tensor<2x4x40x32xbf16>
  return %6, %12, %18 : tensor<2x4x40x32xbf16>, tensor<2x4x40x32xbf16>, tensor<2x4x40x32xbf16>
}

// Products of rows, each of a reshape of its own.
// CHECK-LABEL: func.func @rows(
// CHECK: %[[P:.*]] = "ttir.matmul"{{.*}} -> tensor<80x384xbf16>
// CHECK: "ttir.reshape"(%[[P]], %{{.*}}) {{.*}} -> tensor<2x40x384xbf16>
// CHECK: "ttir.split_query_key_value_and_split_heads"
func.func @rows(%x: tensor<2x40x128xbf16>, %wq: tensor<128x128xbf16> {tt.argument_type = #tt.argument_type<parameter>}, %wk: tensor<128x128xbf16> {tt.argument_type = #tt.argument_type<parameter>}, %wv: tensor<128x128xbf16> {tt.argument_type = #tt.argument_type<parameter>}) -> (tensor<2x4x40x32xbf16>, tensor<2x4x40x32xbf16>, tensor<2x4x40x32xbf16>) {
  %e1 = tensor.empty() : tensor<80x128xbf16>
  %2 = "ttir.reshape"(%x, %e1) <{operand_constraints = [#any, #any], shape = [80 : i32, 128 : i32]}> : (tensor<2x40x128xbf16>, tensor<80x128xbf16>) -> tensor<80x128xbf16>
  %e3 = tensor.empty() : tensor<80x128xbf16>
  %4 = "ttir.matmul"(%2, %wq, %e3) <{operand_constraints = [#any, #any, #any]}> : (tensor<80x128xbf16>, tensor<128x128xbf16>, tensor<80x128xbf16>) -> tensor<80x128xbf16>
  %e5 = tensor.empty() : tensor<2x40x128xbf16>
  %6 = "ttir.reshape"(%4, %e5) <{operand_constraints = [#any, #any], shape = [2 : i32, 40 : i32, 128 : i32]}> : (tensor<80x128xbf16>, tensor<2x40x128xbf16>) -> tensor<2x40x128xbf16>
  %e7 = tensor.empty() : tensor<2x40x4x32xbf16>
  %8 = "ttir.reshape"(%6, %e7) <{operand_constraints = [#any, #any], shape = [2 : i32, 40 : i32, 4 : i32, 32 : i32]}> : (tensor<2x40x128xbf16>, tensor<2x40x4x32xbf16>) -> tensor<2x40x4x32xbf16>
  %e9 = tensor.empty() : tensor<2x4x40x32xbf16>
  %10 = "ttir.permute"(%8, %e9) <{operand_constraints = [#any, #any], permutation = array<i64: 0, 2, 1, 3>}> : (tensor<2x40x4x32xbf16>, tensor<2x4x40x32xbf16>) -> tensor<2x4x40x32xbf16>
  %e11 = tensor.empty() : tensor<80x128xbf16>
  %12 = "ttir.reshape"(%x, %e11) <{operand_constraints = [#any, #any], shape = [80 : i32, 128 : i32]}> : (tensor<2x40x128xbf16>, tensor<80x128xbf16>) -> tensor<80x128xbf16>
  %e13 = tensor.empty() : tensor<80x128xbf16>
  %14 = "ttir.matmul"(%12, %wk, %e13) <{operand_constraints = [#any, #any, #any]}> : (tensor<80x128xbf16>, tensor<128x128xbf16>, tensor<80x128xbf16>) -> tensor<80x128xbf16>
  %e15 = tensor.empty() : tensor<2x40x128xbf16>
  %16 = "ttir.reshape"(%14, %e15) <{operand_constraints = [#any, #any], shape = [2 : i32, 40 : i32, 128 : i32]}> : (tensor<80x128xbf16>, tensor<2x40x128xbf16>) -> tensor<2x40x128xbf16>
  %e17 = tensor.empty() : tensor<2x40x4x32xbf16>
  %18 = "ttir.reshape"(%16, %e17) <{operand_constraints = [#any, #any], shape = [2 : i32, 40 : i32, 4 : i32, 32 : i32]}> : (tensor<2x40x128xbf16>, tensor<2x40x4x32xbf16>) -> tensor<2x40x4x32xbf16>
  %e19 = tensor.empty() : tensor<2x4x40x32xbf16>
  %20 = "ttir.permute"(%18, %e19) <{operand_constraints = [#any, #any], permutation = array<i64: 0, 2, 1, 3>}> : (tensor<2x40x4x32xbf16>, tensor<2x4x40x32xbf16>) -> tensor<2x4x40x32xbf16>
  %e21 = tensor.empty() : tensor<80x128xbf16>
  %22 = "ttir.reshape"(%x, %e21) <{operand_constraints = [#any, #any], shape = [80 : i32, 128 : i32]}> : (tensor<2x40x128xbf16>, tensor<80x128xbf16>) -> tensor<80x128xbf16>
  %e23 = tensor.empty() : tensor<80x128xbf16>
  %24 = "ttir.matmul"(%22, %wv, %e23) <{operand_constraints = [#any, #any, #any]}> : (tensor<80x128xbf16>, tensor<128x128xbf16>, tensor<80x128xbf16>) -> tensor<80x128xbf16>
  %e25 = tensor.empty() : tensor<2x40x128xbf16>
  %26 = "ttir.reshape"(%24, %e25) <{operand_constraints = [#any, #any], shape = [2 : i32, 40 : i32, 128 : i32]}> : (tensor<80x128xbf16>, tensor<2x40x128xbf16>) -> tensor<2x40x128xbf16>
  %e27 = tensor.empty() : tensor<2x40x4x32xbf16>
  %28 = "ttir.reshape"(%26, %e27) <{operand_constraints = [#any, #any], shape = [2 : i32, 40 : i32, 4 : i32, 32 : i32]}> : (tensor<2x40x128xbf16>, tensor<2x40x4x32xbf16>) -> tensor<2x40x4x32xbf16>
  %e29 = tensor.empty() : tensor<2x4x40x32xbf16>
  %30 = "ttir.permute"(%28, %e29) <{operand_constraints = [#any, #any], permutation = array<i64: 0, 2, 1, 3>}> : (tensor<2x40x4x32xbf16>, tensor<2x4x40x32xbf16>) -> tensor<2x4x40x32xbf16>
  return %10, %20, %30 : tensor<2x4x40x32xbf16>, tensor<2x4x40x32xbf16>, tensor<2x4x40x32xbf16>
}

// Slices of one tensor, in any order of the program.
// CHECK-LABEL: func.func @slices(
// CHECK: %[[R:.*]]:3 = "ttir.split_query_key_value_and_split_heads"(%arg0, %{{.*}}) <{num_heads = 4 : ui32, num_kv_heads = 2 : ui32
// CHECK: return %[[R]]#1, %[[R]]#0, %[[R]]#2
func.func @slices(%x: tensor<2x40x256xbf16>) -> (tensor<2x2x40x32xbf16>, tensor<2x4x40x32xbf16>, tensor<2x2x40x32xbf16>) {
  %e1 = tensor.empty() : tensor<2x40x64xbf16>
  %2 = "ttir.slice"(%x, %e1) <{operand_constraints = [#any, #any], begins = [0 : i32, 0 : i32, 128 : i32], ends = [2 : i32, 40 : i32, 192 : i32], step = [1 : i32, 1 : i32, 1 : i32]}> : (tensor<2x40x256xbf16>, tensor<2x40x64xbf16>) -> tensor<2x40x64xbf16>
  %e3 = tensor.empty() : tensor<2x40x2x32xbf16>
  %4 = "ttir.reshape"(%2, %e3) <{operand_constraints = [#any, #any], shape = [2 : i32, 40 : i32, 2 : i32, 32 : i32]}> : (tensor<2x40x64xbf16>, tensor<2x40x2x32xbf16>) -> tensor<2x40x2x32xbf16>
  %e5 = tensor.empty() : tensor<2x2x40x32xbf16>
  %6 = "ttir.permute"(%4, %e5) <{operand_constraints = [#any, #any], permutation = array<i64: 0, 2, 1, 3>}> : (tensor<2x40x2x32xbf16>, tensor<2x2x40x32xbf16>) -> tensor<2x2x40x32xbf16>
  %e7 = tensor.empty() : tensor<2x40x128xbf16>
  %8 = "ttir.slice"(%x, %e7) <{operand_constraints = [#any, #any], begins = [0 : i32, 0 : i32, 0 : i32], ends = [2 : i32, 40 : i32, 128 : i32], step = [1 : i32, 1 : i32, 1 : i32]}> : (tensor<2x40x256xbf16>, tensor<2x40x128xbf16>) -> tensor<2x40x128xbf16>
  %e9 = tensor.empty() : tensor<2x40x4x32xbf16>
  %10 = "ttir.reshape"(%8, %e9) <{operand_constraints = [#any, #any], shape = [2 : i32, 40 : i32, 4 : i32, 32 : i32]}> : (tensor<2x40x128xbf16>, tensor<2x40x4x32xbf16>) -> tensor<2x40x4x32xbf16>
  %e11 = tensor.empty() : tensor<2x4x40x32xbf16>
  %12 = "ttir.permute"(%10, %e11) <{operand_constraints = [#any, #any], permutation = array<i64: 0, 2, 1, 3>}> : (tensor<2x40x4x32xbf16>, tensor<2x4x40x32xbf16>) -> tensor<2x4x40x32xbf16>
  %e13 = tensor.empty() : tensor<2x40x64xbf16>
  %14 = "ttir.slice"(%x, %e13) <{operand_constraints = [#any, #any], begins = [0 : i32, 0 : i32, 192 : i32], ends = [2 : i32, 40 : i32, 256 : i32], step = [1 : i32, 1 : i32, 1 : i32]}> : (tensor<2x40x256xbf16>, tensor<2x40x64xbf16>) -> tensor<2x40x64xbf16>
  %e15 = tensor.empty() : tensor<2x40x2x32xbf16>
  %16 = "ttir.reshape"(%14, %e15) <{operand_constraints = [#any, #any], shape = [2 : i32, 40 : i32, 2 : i32, 32 : i32]}> : (tensor<2x40x64xbf16>, tensor<2x40x2x32xbf16>) -> tensor<2x40x2x32xbf16>
  %e17 = tensor.empty() : tensor<2x2x40x32xbf16>
  %18 = "ttir.permute"(%16, %e17) <{operand_constraints = [#any, #any], permutation = array<i64: 0, 2, 1, 3>}> : (tensor<2x40x2x32xbf16>, tensor<2x2x40x32xbf16>) -> tensor<2x2x40x32xbf16>
  return %6, %12, %18 : tensor<2x2x40x32xbf16>, tensor<2x4x40x32xbf16>, tensor<2x2x40x32xbf16>
}

// All three in front of the other dimensions.
// CHECK-LABEL: func.func @stack(
// CHECK: %[[R:.*]]:3 = "ttir.split_query_key_value_and_split_heads"(%arg0, %{{.*}}) <{num_heads = 4 : ui32
// CHECK-NOT: ttir.slice
// CHECK: return %[[R]]#0, %[[R]]#1, %[[R]]#2
func.func @stack(%x: tensor<2x40x384xbf16>) -> (tensor<2x4x40x32xbf16>, tensor<2x4x40x32xbf16>, tensor<2x4x40x32xbf16>) {
  %e1 = tensor.empty() : tensor<2x40x3x4x32xbf16>
  %2 = "ttir.reshape"(%x, %e1) <{operand_constraints = [#any, #any], shape = [2 : i32, 40 : i32, 3 : i32, 4 : i32, 32 : i32]}> : (tensor<2x40x384xbf16>, tensor<2x40x3x4x32xbf16>) -> tensor<2x40x3x4x32xbf16>
  %e3 = tensor.empty() : tensor<3x2x4x40x32xbf16>
  %4 = "ttir.permute"(%2, %e3) <{operand_constraints = [#any, #any], permutation = array<i64: 2, 0, 3, 1, 4>}> : (tensor<2x40x3x4x32xbf16>, tensor<3x2x4x40x32xbf16>) -> tensor<3x2x4x40x32xbf16>
  %e5 = tensor.empty() : tensor<1x2x4x40x32xbf16>
  %6 = "ttir.slice"(%4, %e5) <{operand_constraints = [#any, #any], begins = [0 : i32, 0 : i32, 0 : i32, 0 : i32, 0 : i32], ends = [1 : i32, 2 : i32, 4 : i32, 40 : i32, 32 : i32], step = [1 : i32, 1 : i32, 1 : i32, 1 : i32, 1 : i32]}> : (tensor<3x2x4x40x32xbf16>, tensor<1x2x4x40x32xbf16>) -> tensor<1x2x4x40x32xbf16>
  %e7 = tensor.empty() : tensor<2x4x40x32xbf16>
  %8 = "ttir.reshape"(%6, %e7) <{operand_constraints = [#any, #any], shape = [2 : i32, 4 : i32, 40 : i32, 32 : i32]}> : (tensor<1x2x4x40x32xbf16>, tensor<2x4x40x32xbf16>) -> tensor<2x4x40x32xbf16>
  %e9 = tensor.empty() : tensor<1x2x4x40x32xbf16>
  %10 = "ttir.slice"(%4, %e9) <{operand_constraints = [#any, #any], begins = [1 : i32, 0 : i32, 0 : i32, 0 : i32, 0 : i32], ends = [2 : i32, 2 : i32, 4 : i32, 40 : i32, 32 : i32], step = [1 : i32, 1 : i32, 1 : i32, 1 : i32, 1 : i32]}> : (tensor<3x2x4x40x32xbf16>, tensor<1x2x4x40x32xbf16>) -> tensor<1x2x4x40x32xbf16>
  %e11 = tensor.empty() : tensor<2x4x40x32xbf16>
  %12 = "ttir.reshape"(%10, %e11) <{operand_constraints = [#any, #any], shape = [2 : i32, 4 : i32, 40 : i32, 32 : i32]}> : (tensor<1x2x4x40x32xbf16>, tensor<2x4x40x32xbf16>) -> tensor<2x4x40x32xbf16>
  %e13 = tensor.empty() : tensor<1x2x4x40x32xbf16>
  %14 = "ttir.slice"(%4, %e13) <{operand_constraints = [#any, #any], begins = [2 : i32, 0 : i32, 0 : i32, 0 : i32, 0 : i32], ends = [3 : i32, 2 : i32, 4 : i32, 40 : i32, 32 : i32], step = [1 : i32, 1 : i32, 1 : i32, 1 : i32, 1 : i32]}> : (tensor<3x2x4x40x32xbf16>, tensor<1x2x4x40x32xbf16>) -> tensor<1x2x4x40x32xbf16>
  %e15 = tensor.empty() : tensor<2x4x40x32xbf16>
  %16 = "ttir.reshape"(%14, %e15) <{operand_constraints = [#any, #any], shape = [2 : i32, 4 : i32, 40 : i32, 32 : i32]}> : (tensor<1x2x4x40x32xbf16>, tensor<2x4x40x32xbf16>) -> tensor<2x4x40x32xbf16>
  return %8, %12, %16 : tensor<2x4x40x32xbf16>, tensor<2x4x40x32xbf16>, tensor<2x4x40x32xbf16>
}

// Keys and values of one input; queries are of another.
// CHECK-LABEL: func.func @cross(
// CHECK: %[[P:.*]] = "ttir.matmul"(%arg1, %{{.*}}) {{.*}} -> tensor<2x40x256xbf16>
// CHECK: "ttir.split_query_key_value_and_split_heads"(%arg0, %[[P]], %{{.*}}) <{num_heads = 4 : ui32
// CHECK-NOT: ttir.permute
// CHECK: ttir.scaled_dot_product_attention
func.func @cross(%x: tensor<2x24x128xbf16>, %y: tensor<2x40x128xbf16>, %wk: tensor<1x128x128xbf16> {tt.argument_type = #tt.argument_type<parameter>}, %wv: tensor<1x128x128xbf16> {tt.argument_type = #tt.argument_type<parameter>}) -> (tensor<2x4x24x32xbf16>) {
  %e1 = tensor.empty() : tensor<2x24x4x32xbf16>
  %2 = "ttir.reshape"(%x, %e1) <{operand_constraints = [#any, #any], shape = [2 : i32, 24 : i32, 4 : i32, 32 : i32]}> : (tensor<2x24x128xbf16>, tensor<2x24x4x32xbf16>) -> tensor<2x24x4x32xbf16>
  %e3 = tensor.empty() : tensor<2x4x24x32xbf16>
  %4 = "ttir.permute"(%2, %e3) <{operand_constraints = [#any, #any], permutation = array<i64: 0, 2, 1, 3>}> : (tensor<2x24x4x32xbf16>, tensor<2x4x24x32xbf16>) -> tensor<2x4x24x32xbf16>
  %e5 = tensor.empty() : tensor<2x40x128xbf16>
  %6 = "ttir.matmul"(%y, %wk, %e5) <{operand_constraints = [#any, #any, #any]}> : (tensor<2x40x128xbf16>, tensor<1x128x128xbf16>, tensor<2x40x128xbf16>) -> tensor<2x40x128xbf16>
  %e7 = tensor.empty() : tensor<2x40x4x32xbf16>
  %8 = "ttir.reshape"(%6, %e7) <{operand_constraints = [#any, #any], shape = [2 : i32, 40 : i32, 4 : i32, 32 : i32]}> : (tensor<2x40x128xbf16>, tensor<2x40x4x32xbf16>) -> tensor<2x40x4x32xbf16>
  %e9 = tensor.empty() : tensor<2x4x40x32xbf16>
  %10 = "ttir.permute"(%8, %e9) <{operand_constraints = [#any, #any], permutation = array<i64: 0, 2, 1, 3>}> : (tensor<2x40x4x32xbf16>, tensor<2x4x40x32xbf16>) -> tensor<2x4x40x32xbf16>
  %e11 = tensor.empty() : tensor<2x40x128xbf16>
  %12 = "ttir.matmul"(%y, %wv, %e11) <{operand_constraints = [#any, #any, #any]}> : (tensor<2x40x128xbf16>, tensor<1x128x128xbf16>, tensor<2x40x128xbf16>) -> tensor<2x40x128xbf16>
  %e13 = tensor.empty() : tensor<2x40x4x32xbf16>
  %14 = "ttir.reshape"(%12, %e13) <{operand_constraints = [#any, #any], shape = [2 : i32, 40 : i32, 4 : i32, 32 : i32]}> : (tensor<2x40x128xbf16>, tensor<2x40x4x32xbf16>) -> tensor<2x40x4x32xbf16>
  %e15 = tensor.empty() : tensor<2x4x40x32xbf16>
  %16 = "ttir.permute"(%14, %e15) <{operand_constraints = [#any, #any], permutation = array<i64: 0, 2, 1, 3>}> : (tensor<2x40x4x32xbf16>, tensor<2x4x40x32xbf16>) -> tensor<2x4x40x32xbf16>
  %o = tensor.empty() : tensor<2x4x24x32xbf16>
  %a = "ttir.scaled_dot_product_attention"(%4, %10, %16, %o) <{is_causal = false, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 0, 1>, operand_constraints = [#any, #any, #any, #any]}> : (tensor<2x4x24x32xbf16>, tensor<2x4x40x32xbf16>, tensor<2x4x40x32xbf16>, tensor<2x4x24x32xbf16>) -> tensor<2x4x24x32xbf16>
  return %a : tensor<2x4x24x32xbf16>
}

// Heads beside each other, and rows of them.
// CHECK-LABEL: func.func @concatenate(
// CHECK: %[[C:.*]] = "ttir.concatenate_heads"(%arg0
// CHECK-NEXT: return %[[C]]
func.func @concatenate(%x: tensor<2x4x40x32xbf16>) -> (tensor<2x40x128xbf16>) {
  %e1 = tensor.empty() : tensor<2x40x4x32xbf16>
  %2 = "ttir.permute"(%x, %e1) <{operand_constraints = [#any, #any], permutation = array<i64: 0, 2, 1, 3>}> : (tensor<2x4x40x32xbf16>, tensor<2x40x4x32xbf16>) -> tensor<2x40x4x32xbf16>
  %e3 = tensor.empty() : tensor<2x40x128xbf16>
  %4 = "ttir.reshape"(%2, %e3) <{operand_constraints = [#any, #any], shape = [2 : i32, 40 : i32, 128 : i32]}> : (tensor<2x40x4x32xbf16>, tensor<2x40x128xbf16>) -> tensor<2x40x128xbf16>
  return %4 : tensor<2x40x128xbf16>
}

// The same as rows.
// CHECK-LABEL: func.func @rows_of_heads(
// CHECK: %[[C:.*]] = "ttir.concatenate_heads"(%arg0
// CHECK: "ttir.reshape"(%[[C]], %{{.*}}) {{.*}} -> tensor<80x128xbf16>
func.func @rows_of_heads(%x: tensor<2x4x40x32xbf16>) -> (tensor<80x128xbf16>) {
  %e1 = tensor.empty() : tensor<2x40x4x32xbf16>
  %2 = "ttir.permute"(%x, %e1) <{operand_constraints = [#any, #any], permutation = array<i64: 0, 2, 1, 3>}> : (tensor<2x4x40x32xbf16>, tensor<2x40x4x32xbf16>) -> tensor<2x40x4x32xbf16>
  %e3 = tensor.empty() : tensor<80x128xbf16>
  %4 = "ttir.reshape"(%2, %e3) <{operand_constraints = [#any, #any], shape = [80 : i32, 128 : i32]}> : (tensor<2x40x4x32xbf16>, tensor<80x128xbf16>) -> tensor<80x128xbf16>
  return %4 : tensor<80x128xbf16>
}

// Heads of 16 do not begin with a tile.
// CHECK-LABEL: func.func @narrow(
// CHECK: ttir.permute
// CHECK-NOT: ttir.concatenate_heads
// CHECK: return
func.func @narrow(%x: tensor<2x4x40x16xbf16>) -> (tensor<2x40x64xbf16>) {
  %e1 = tensor.empty() : tensor<2x40x4x16xbf16>
  %2 = "ttir.permute"(%x, %e1) <{operand_constraints = [#any, #any], permutation = array<i64: 0, 2, 1, 3>}> : (tensor<2x4x40x16xbf16>, tensor<2x40x4x16xbf16>) -> tensor<2x40x4x16xbf16>
  %e3 = tensor.empty() : tensor<2x40x64xbf16>
  %4 = "ttir.reshape"(%2, %e3) <{operand_constraints = [#any, #any], shape = [2 : i32, 40 : i32, 64 : i32]}> : (tensor<2x40x4x16xbf16>, tensor<2x40x64xbf16>) -> tensor<2x40x64xbf16>
  return %4 : tensor<2x40x64xbf16>
}

// Weights that every call brings stay apart.
// CHECK-LABEL: func.func @computed_weights(
// CHECK-COUNT-3: ttir.matmul
// CHECK-NOT: ttir.split
// CHECK: return
func.func @computed_weights(%x: tensor<2x40x128xbf16>, %wq: tensor<1x128x128xbf16> {tt.argument_type = #tt.argument_type<parameter>}, %wk: tensor<1x128x128xbf16>, %wv: tensor<1x128x128xbf16> {tt.argument_type = #tt.argument_type<parameter>}) -> (tensor<2x4x40x32xbf16>, tensor<2x4x40x32xbf16>, tensor<2x4x40x32xbf16>) {
  %e1 = tensor.empty() : tensor<2x40x128xbf16>
  %2 = "ttir.matmul"(%x, %wq, %e1) <{operand_constraints = [#any, #any, #any]}> : (tensor<2x40x128xbf16>, tensor<1x128x128xbf16>, tensor<2x40x128xbf16>) -> tensor<2x40x128xbf16>
  %e3 = tensor.empty() : tensor<2x40x4x32xbf16>
  %4 = "ttir.reshape"(%2, %e3) <{operand_constraints = [#any, #any], shape = [2 : i32, 40 : i32, 4 : i32, 32 : i32]}> : (tensor<2x40x128xbf16>, tensor<2x40x4x32xbf16>) -> tensor<2x40x4x32xbf16>
  %e5 = tensor.empty() : tensor<2x4x40x32xbf16>
  %6 = "ttir.permute"(%4, %e5) <{operand_constraints = [#any, #any], permutation = array<i64: 0, 2, 1, 3>}> : (tensor<2x40x4x32xbf16>, tensor<2x4x40x32xbf16>) -> tensor<2x4x40x32xbf16>
  %e7 = tensor.empty() : tensor<2x40x128xbf16>
  %8 = "ttir.matmul"(%x, %wk, %e7) <{operand_constraints = [#any, #any, #any]}> : (tensor<2x40x128xbf16>, tensor<1x128x128xbf16>, tensor<2x40x128xbf16>) -> tensor<2x40x128xbf16>
  %e9 = tensor.empty() : tensor<2x40x4x32xbf16>
  %10 = "ttir.reshape"(%8, %e9) <{operand_constraints = [#any, #any], shape = [2 : i32, 40 : i32, 4 : i32, 32 : i32]}> : (tensor<2x40x128xbf16>, tensor<2x40x4x32xbf16>) -> tensor<2x40x4x32xbf16>
  %e11 = tensor.empty() : tensor<2x4x40x32xbf16>
  %12 = "ttir.permute"(%10, %e11) <{operand_constraints = [#any, #any], permutation = array<i64: 0, 2, 1, 3>}> : (tensor<2x40x4x32xbf16>, tensor<2x4x40x32xbf16>) -> tensor<2x4x40x32xbf16>
  %e13 = tensor.empty() : tensor<2x40x128xbf16>
  %14 = "ttir.matmul"(%x, %wv, %e13) <{operand_constraints = [#any, #any, #any]}> : (tensor<2x40x128xbf16>, tensor<1x128x128xbf16>, tensor<2x40x128xbf16>) -> tensor<2x40x128xbf16>
  %e15 = tensor.empty() : tensor<2x40x4x32xbf16>
  %16 = "ttir.reshape"(%14, %e15) <{operand_constraints = [#any, #any], shape = [2 : i32, 40 : i32, 4 : i32, 32 : i32]}> : (tensor<2x40x128xbf16>, tensor<2x40x4x32xbf16>) -> tensor<2x40x4x32xbf16>
  %e17 = tensor.empty() : tensor<2x4x40x32xbf16>
  %18 = "ttir.permute"(%16, %e17) <{operand_constraints = [#any, #any], permutation = array<i64: 0, 2, 1, 3>}> : (tensor<2x40x4x32xbf16>, tensor<2x4x40x32xbf16>) -> tensor<2x4x40x32xbf16>
  return %6, %12, %18 : tensor<2x4x40x32xbf16>, tensor<2x4x40x32xbf16>, tensor<2x4x40x32xbf16>
}

// Slices that leave something out stay.
// CHECK-LABEL: func.func @gap(
// CHECK-NOT: ttir.split
// CHECK: return
func.func @gap(%x: tensor<2x40x416xbf16>) -> (tensor<2x4x40x32xbf16>, tensor<2x4x40x32xbf16>, tensor<2x4x40x32xbf16>) {
  %e1 = tensor.empty() : tensor<2x40x128xbf16>
  %2 = "ttir.slice"(%x, %e1) <{operand_constraints = [#any, #any], begins = [0 : i32, 0 : i32, 0 : i32], ends = [2 : i32, 40 : i32, 128 : i32], step = [1 : i32, 1 : i32, 1 : i32]}> : (tensor<2x40x416xbf16>, tensor<2x40x128xbf16>) -> tensor<2x40x128xbf16>
  %e3 = tensor.empty() : tensor<2x40x4x32xbf16>
  %4 = "ttir.reshape"(%2, %e3) <{operand_constraints = [#any, #any], shape = [2 : i32, 40 : i32, 4 : i32, 32 : i32]}> : (tensor<2x40x128xbf16>, tensor<2x40x4x32xbf16>) -> tensor<2x40x4x32xbf16>
  %e5 = tensor.empty() : tensor<2x4x40x32xbf16>
  %6 = "ttir.permute"(%4, %e5) <{operand_constraints = [#any, #any], permutation = array<i64: 0, 2, 1, 3>}> : (tensor<2x40x4x32xbf16>, tensor<2x4x40x32xbf16>) -> tensor<2x4x40x32xbf16>
  %e7 = tensor.empty() : tensor<2x40x128xbf16>
  %8 = "ttir.slice"(%x, %e7) <{operand_constraints = [#any, #any], begins = [0 : i32, 0 : i32, 128 : i32], ends = [2 : i32, 40 : i32, 256 : i32], step = [1 : i32, 1 : i32, 1 : i32]}> : (tensor<2x40x416xbf16>, tensor<2x40x128xbf16>) -> tensor<2x40x128xbf16>
  %e9 = tensor.empty() : tensor<2x40x4x32xbf16>
  %10 = "ttir.reshape"(%8, %e9) <{operand_constraints = [#any, #any], shape = [2 : i32, 40 : i32, 4 : i32, 32 : i32]}> : (tensor<2x40x128xbf16>, tensor<2x40x4x32xbf16>) -> tensor<2x40x4x32xbf16>
  %e11 = tensor.empty() : tensor<2x4x40x32xbf16>
  %12 = "ttir.permute"(%10, %e11) <{operand_constraints = [#any, #any], permutation = array<i64: 0, 2, 1, 3>}> : (tensor<2x40x4x32xbf16>, tensor<2x4x40x32xbf16>) -> tensor<2x4x40x32xbf16>
  %e13 = tensor.empty() : tensor<2x40x128xbf16>
  %14 = "ttir.slice"(%x, %e13) <{operand_constraints = [#any, #any], begins = [0 : i32, 0 : i32, 256 : i32], ends = [2 : i32, 40 : i32, 384 : i32], step = [1 : i32, 1 : i32, 1 : i32]}> : (tensor<2x40x416xbf16>, tensor<2x40x128xbf16>) -> tensor<2x40x128xbf16>
  %e15 = tensor.empty() : tensor<2x40x4x32xbf16>
  %16 = "ttir.reshape"(%14, %e15) <{operand_constraints = [#any, #any], shape = [2 : i32, 40 : i32, 4 : i32, 32 : i32]}> : (tensor<2x40x128xbf16>, tensor<2x40x4x32xbf16>) -> tensor<2x40x4x32xbf16>
  %e17 = tensor.empty() : tensor<2x4x40x32xbf16>
  %18 = "ttir.permute"(%16, %e17) <{operand_constraints = [#any, #any], permutation = array<i64: 0, 2, 1, 3>}> : (tensor<2x40x4x32xbf16>, tensor<2x4x40x32xbf16>) -> tensor<2x4x40x32xbf16>
  return %6, %12, %18 : tensor<2x4x40x32xbf16>, tensor<2x4x40x32xbf16>, tensor<2x4x40x32xbf16>
}

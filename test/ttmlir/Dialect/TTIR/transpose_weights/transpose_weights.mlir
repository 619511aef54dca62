// RUN: ttmlir-opt --ttir-transpose-weights --mlir-pass-statistics %s 2>%t | FileCheck %s
// RUN: FileCheck %s --check-prefix=COUNT <%t
// RUN: ttmlir-opt --ttir-transpose-weights --remarks %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// REMARK: [Passed] Transposed | Category:ttir-transpose-weights | Function=shared | Op=ttir.matmul, Reason="the weight is transposed once"
#any = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile>
// COUNT: (S) 2 num-transposed - Number of products whose weight is transposed

// Both products read one transposed weight.
// CHECK-LABEL: func.func @shared
// CHECK: %[[W:.*]] = "ttir.transpose"(%arg1, %{{.*}}) {{.*}} -> tensor<64x96xbf16>
// CHECK-NOT: {{ttir.transpose|transpose_b}}
// CHECK: "ttir.matmul"(%arg0, %[[W]], %{{.*}})
// CHECK: "ttir.linear"(%arg0, %[[W]], %arg2, %{{.*}})
func.func @shared(%x: tensor<32x64xbf16>, %w: tensor<96x64xbf16> {tt.argument_type = #tt.argument_type<parameter>}, %b: tensor<96xbf16>) -> (tensor<32x96xbf16>, tensor<32x96xbf16>) {
  %0 = tensor.empty() : tensor<32x96xbf16>
  %1 = "ttir.matmul"(%x, %w, %0) <{transpose_b = true, operand_constraints = [#any, #any, #any]}> : (tensor<32x64xbf16>, tensor<96x64xbf16>, tensor<32x96xbf16>) -> tensor<32x96xbf16>
  %2 = tensor.empty() : tensor<32x96xbf16>
  %3 = "ttir.linear"(%x, %w, %b, %2) <{transpose_b = true, operandSegmentSizes = array<i32: 1, 1, 1, 1>, operand_constraints = [#any, #any, #any, #any]}> : (tensor<32x64xbf16>, tensor<96x64xbf16>, tensor<96xbf16>, tensor<32x96xbf16>) -> tensor<32x96xbf16>
  return %1, %3 : tensor<32x96xbf16>, tensor<32x96xbf16>
}

// A weight for each product.
// CHECK-LABEL: func.func @batched
// CHECK: transpose_b = true
func.func @batched(%x: tensor<4x32x64xbf16>, %w: tensor<4x96x64xbf16> {tt.argument_type = #tt.argument_type<parameter>}) -> tensor<4x32x96xbf16> {
  %0 = tensor.empty() : tensor<4x32x96xbf16>
  %1 = "ttir.matmul"(%x, %w, %0) <{transpose_b = true, operand_constraints = [#any, #any, #any]}> : (tensor<4x32x64xbf16>, tensor<4x96x64xbf16>, tensor<4x32x96xbf16>) -> tensor<4x32x96xbf16>
  return %1 : tensor<4x32x96xbf16>
}

// Not fixed, or many rows.
// CHECK-LABEL: func.func @unchanged
// CHECK-NOT: ttir.transpose
// CHECK: transpose_b = true
// CHECK: transpose_b = true
func.func @unchanged(%x: tensor<32x64xbf16>, %y: tensor<96x64xbf16>, %rows: tensor<257x64xbf16>, %w: tensor<96x64xbf16> {tt.argument_type = #tt.argument_type<parameter>}) -> (tensor<32x96xbf16>, tensor<257x96xbf16>) {
  %0 = tensor.empty() : tensor<32x96xbf16>
  %1 = "ttir.matmul"(%x, %y, %0) <{transpose_b = true, operand_constraints = [#any, #any, #any]}> : (tensor<32x64xbf16>, tensor<96x64xbf16>, tensor<32x96xbf16>) -> tensor<32x96xbf16>
  %2 = tensor.empty() : tensor<257x96xbf16>
  %3 = "ttir.matmul"(%rows, %w, %2) <{transpose_b = true, operand_constraints = [#any, #any, #any]}> : (tensor<257x64xbf16>, tensor<96x64xbf16>, tensor<257x96xbf16>) -> tensor<257x96xbf16>
  return %1, %3 : tensor<32x96xbf16>, tensor<257x96xbf16>
}

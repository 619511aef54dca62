// RUN: ttmlir-opt --ttir-recognize-heads --mlir-pass-statistics %s 2>%t | FileCheck %s
// RUN: FileCheck %s --check-prefix=COUNT <%t
// RUN: ttmlir-opt --ttir-recognize-heads --remarks %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// Products read keys and values that heads share once, without copies of them.
#any = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile>
// COUNT: (S) 3 num-shared
// REMARK-DAG: [Passed] Shared | Category:ttir-recognize-heads | Function=keys | Op=ttir.matmul, Reason="2 heads of the second operand are shared by 8 heads of the first", Rejected="a copy for each of them"

// CHECK-LABEL: func.func @keys
// CHECK-NOT: ttir.broadcast
// CHECK: %[[Q:.*]] = "ttir.reshape"(%arg0, %{{.*}}) {{.*}} -> tensor<3x2x4x64xbf16>
// CHECK: %[[Y:.*]] = "ttir.matmul"(%[[Q]], %arg1, %{{.*}}) <{{.*}}transpose_b = true{{.*}} -> tensor<3x2x4x40xbf16>
// CHECK: "ttir.reshape"(%[[Y]], %{{.*}}) {{.*}} -> tensor<3x8x1x40xbf16>
func.func @keys(%q: tensor<3x8x1x64xbf16>, %k: tensor<3x2x40x64xbf16>) -> tensor<3x8x1x40xbf16> {
  %0 = tensor.empty() : tensor<3x2x1x40x64xbf16>
  %1 = "ttir.reshape"(%k, %0) <{shape = [3 : i32, 2 : i32, 1 : i32, 40 : i32, 64 : i32], operand_constraints = [#any, #any]}> : (tensor<3x2x40x64xbf16>, tensor<3x2x1x40x64xbf16>) -> tensor<3x2x1x40x64xbf16>
  %2 = tensor.empty() : tensor<3x2x4x40x64xbf16>
  %3 = "ttir.broadcast"(%1, %2) <{dimension = [0, 1, 2, 3, 4], operand_constraints = [#any, #any]}> : (tensor<3x2x1x40x64xbf16>, tensor<3x2x4x40x64xbf16>) -> tensor<3x2x4x40x64xbf16>
  %4 = tensor.empty() : tensor<3x8x40x64xbf16>
  %5 = "ttir.reshape"(%3, %4) <{shape = [3 : i32, 8 : i32, 40 : i32, 64 : i32], operand_constraints = [#any, #any]}> : (tensor<3x2x4x40x64xbf16>, tensor<3x8x40x64xbf16>) -> tensor<3x8x40x64xbf16>
  %6 = tensor.empty() : tensor<3x8x64x40xbf16>
  %7 = "ttir.permute"(%5, %6) <{permutation = array<i64: 0, 1, 3, 2>, operand_constraints = [#any, #any]}> : (tensor<3x8x40x64xbf16>, tensor<3x8x64x40xbf16>) -> tensor<3x8x64x40xbf16>
  %8 = tensor.empty() : tensor<3x8x1x40xbf16>
  %9 = "ttir.matmul"(%q, %7, %8) <{operand_constraints = [#any, #any, #any]}> : (tensor<3x8x1x64xbf16>, tensor<3x8x64x40xbf16>, tensor<3x8x1x40xbf16>) -> tensor<3x8x1x40xbf16>
  return %9 : tensor<3x8x1x40xbf16>
}

// Tiles of rows stay whole.
// CHECK-LABEL: func.func @values
// CHECK-NOT: ttir.broadcast
// CHECK: "ttir.matmul"(%{{.*}}, %arg1, %{{.*}}) {{.*}} -> tensor<1x2x512x32xbf16>
func.func @values(%p: tensor<1x8x128x40xbf16>, %v: tensor<1x2x40x32xbf16>) -> tensor<1x8x128x32xbf16> {
  %0 = tensor.empty() : tensor<1x2x1x40x32xbf16>
  %1 = "ttir.reshape"(%v, %0) <{shape = [1 : i32, 2 : i32, 1 : i32, 40 : i32, 32 : i32], operand_constraints = [#any, #any]}> : (tensor<1x2x40x32xbf16>, tensor<1x2x1x40x32xbf16>) -> tensor<1x2x1x40x32xbf16>
  %2 = tensor.empty() : tensor<1x2x4x40x32xbf16>
  %3 = "ttir.broadcast"(%1, %2) <{dimension = [0, 1, 2, 3, 4], operand_constraints = [#any, #any]}> : (tensor<1x2x1x40x32xbf16>, tensor<1x2x4x40x32xbf16>) -> tensor<1x2x4x40x32xbf16>
  %4 = tensor.empty() : tensor<1x8x40x32xbf16>
  %5 = "ttir.reshape"(%3, %4) <{shape = [1 : i32, 8 : i32, 40 : i32, 32 : i32], operand_constraints = [#any, #any]}> : (tensor<1x2x4x40x32xbf16>, tensor<1x8x40x32xbf16>) -> tensor<1x8x40x32xbf16>
  %6 = tensor.empty() : tensor<1x8x128x32xbf16>
  %7 = "ttir.matmul"(%p, %5, %6) <{operand_constraints = [#any, #any, #any]}> : (tensor<1x8x128x40xbf16>, tensor<1x8x40x32xbf16>, tensor<1x8x128x32xbf16>) -> tensor<1x8x128x32xbf16>
  return %7 : tensor<1x8x128x32xbf16>
}

// Few rows that share a tile with those of other heads are less to move than the copies; many are more.
// CHECK-LABEL: func.func @rows
// CHECK: "ttir.matmul"(%{{.*}}, %{{.*}}, %{{.*}}) {{.*}} -> tensor<1x2x20x64xbf16>
// CHECK: "ttir.matmul"(%{{.*}}, %{{.*}}, %{{.*}}) {{.*}} -> tensor<1x8x50x64xbf16>
func.func @rows(%few: tensor<1x8x5x64xbf16>, %many: tensor<1x8x50x64xbf16>, %v: tensor<1x2x64x64xbf16>) -> (tensor<1x8x5x64xbf16>, tensor<1x8x50x64xbf16>) {
  %0 = tensor.empty() : tensor<1x2x1x64x64xbf16>
  %1 = "ttir.reshape"(%v, %0) <{shape = [1 : i32, 2 : i32, 1 : i32, 64 : i32, 64 : i32], operand_constraints = [#any, #any]}> : (tensor<1x2x64x64xbf16>, tensor<1x2x1x64x64xbf16>) -> tensor<1x2x1x64x64xbf16>
  %2 = tensor.empty() : tensor<1x2x4x64x64xbf16>
  %3 = "ttir.broadcast"(%1, %2) <{dimension = [0, 1, 2, 3, 4], operand_constraints = [#any, #any]}> : (tensor<1x2x1x64x64xbf16>, tensor<1x2x4x64x64xbf16>) -> tensor<1x2x4x64x64xbf16>
  %4 = tensor.empty() : tensor<1x8x64x64xbf16>
  %5 = "ttir.reshape"(%3, %4) <{shape = [1 : i32, 8 : i32, 64 : i32, 64 : i32], operand_constraints = [#any, #any]}> : (tensor<1x2x4x64x64xbf16>, tensor<1x8x64x64xbf16>) -> tensor<1x8x64x64xbf16>
  %6 = tensor.empty() : tensor<1x8x5x64xbf16>
  %7 = "ttir.matmul"(%few, %5, %6) <{operand_constraints = [#any, #any, #any]}> : (tensor<1x8x5x64xbf16>, tensor<1x8x64x64xbf16>, tensor<1x8x5x64xbf16>) -> tensor<1x8x5x64xbf16>
  %8 = tensor.empty() : tensor<1x8x50x64xbf16>
  %9 = "ttir.matmul"(%many, %5, %8) <{operand_constraints = [#any, #any, #any]}> : (tensor<1x8x50x64xbf16>, tensor<1x8x64x64xbf16>, tensor<1x8x50x64xbf16>) -> tensor<1x8x50x64xbf16>
  return %7, %9 : tensor<1x8x5x64xbf16>, tensor<1x8x50x64xbf16>
}

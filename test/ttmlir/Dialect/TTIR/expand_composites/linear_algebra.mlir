// RUN: ttmlir-opt --ttir-expand-composites %s | FileCheck %s
#any = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile>

// 32 blocks of rows: the blocks of the diagonal are inverted as one batch, and each that is solved
// is taken from the equations left by one product. No product has 1024 rows and columns, and none is
// of the other triangle.
// CHECK-LABEL: func.func @triangular_solve
// CHECK-NOT: tensor<1x1024x1024xf32>, tensor<1x1024x
// CHECK: "ttir.concat"{{.*}} -> tensor<32x32x32xf32>
// CHECK-COUNT-10: "ttir.matmul"{{.*}} -> tensor<32x32x32xf32>
// CHECK: "ttir.matmul"{{.*}} -> tensor<1x32x8xf32>
// CHECK: "ttir.matmul"{{.*}}(tensor<1x992x32xf32>, tensor<1x32x8xf32>
// CHECK: "ttir.subtract"{{.*}} -> tensor<1x992x8xf32>
// CHECK: "ttir.matmul"{{.*}}(tensor<1x32x32xf32>, tensor<1x32x8xf32>
// CHECK: "ttir.concat"{{.*}} -> tensor<1x1024x8xf32>
func.func @triangular_solve(%a: tensor<1024x1024xf32>, %b: tensor<1024x8xf32>) -> tensor<1024x8xf32> {
  %0 = tensor.empty() : tensor<1024x8xf32>
  %1 = "ttir.triangular_solve"(%a, %b, %0) <{operand_constraints = [#any, #any, #any]}> : (tensor<1024x1024xf32>, tensor<1024x8xf32>, tensor<1024x8xf32>) -> tensor<1024x8xf32>
  return %1 : tensor<1024x8xf32>
}

// Pivots are in a block of 32 rows; what is left of the matrix is updated once for each block.
// CHECK-LABEL: func.func @cholesky
// CHECK: "ttir.slice"{{.*}} -> tensor<1x32x32xf32>
// CHECK-COUNT-31: "ttir.subtract"{{.*}} -> tensor<1x32x32xf32>
// CHECK: "ttir.sqrt"{{.*}} -> tensor<1x32x1xf32>
// CHECK: "ttir.matmul"{{.*}}tensor<1x32x64xf32>{{.*}} -> tensor<1x64x64xf32>
// CHECK-NEXT: tensor.empty() : tensor<1x64x64xf32>
// CHECK-NEXT: "ttir.subtract"{{.*}} -> tensor<1x64x64xf32>
func.func @cholesky(%a: tensor<96x96xf32>) -> tensor<96x96xf32> {
  %0 = tensor.empty() : tensor<96x96xf32>
  %1 = "ttir.cholesky"(%a, %0) <{lower = false, operand_constraints = [#any, #any]}> : (tensor<96x96xf32>, tensor<96x96xf32>) -> tensor<96x96xf32>
  return %1 : tensor<96x96xf32>
}

// 1024 points are 128 times 8: products by roots of unity, and twiddles between them.
// CHECK-LABEL: func.func @fft
// CHECK: "ttir.matmul"{{.*}}tensor<128x128xf32>
// CHECK: "ttir.multiply"{{.*}} -> tensor<2x8x128xf32>
// CHECK: "ttir.matmul"{{.*}}tensor<8x8xf32>
func.func @fft(%a: tensor<2x1024xf32>, %b: tensor<2x1024xf32>) -> (tensor<2x1024xf32>, tensor<2x1024xf32>) {
  %0 = tensor.empty() : tensor<2x1024xf32>
  %1:2 = "ttir.fft"(%a, %b, %0, %0) <{fft_length = array<i64: 1024>, fft_type = "fft", operandSegmentSizes = array<i32: 1, 1, 2>, operand_constraints = [#any, #any, #any, #any]}> : (tensor<2x1024xf32>, tensor<2x1024xf32>, tensor<2x1024xf32>, tensor<2x1024xf32>) -> (tensor<2x1024xf32>, tensor<2x1024xf32>)
  return %1#0, %1#1 : tensor<2x1024xf32>, tensor<2x1024xf32>
}

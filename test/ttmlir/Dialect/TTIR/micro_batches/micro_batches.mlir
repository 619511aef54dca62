// RUN: ttmlir-opt --ttir-micro-batches=count=4 %s | FileCheck %s
// RUN: ttmlir-opt --ttir-micro-batches=count=1 %s | FileCheck %s --check-prefix=ONE
#any_device = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile>

// The batch is in another dimension of the second result; the third one is the
// same for all micro-batches.
// CHECK-LABEL: func.func @shapes(
// CHECK-SAME: %[[X:.*]]: tensor<8x64xf32> {tt.micro_batch_dim = 0 : i64}, %[[SCALE:.*]]: tensor<64xf32>)
// CHECK-SAME: -> (tensor<8x64xf32> {tt.micro_batch_dim = 0 : i64}, tensor<64x8xf32> {tt.micro_batch_dim = 1 : i64}, tensor<64xf32>)
// CHECK: "ttir.multiply"(%[[X]], %[[SCALE]]
// CHECK-SAME: -> tensor<8x64xf32>
// CHECK: "ttir.transpose"
// CHECK-SAME: -> tensor<64x8xf32>
// CHECK-NOT: mesh
// ONE-LABEL: func.func @shapes(
// ONE-SAME: tensor<32x64xf32>, %{{.*}}: tensor<64xf32>)
// ONE-NOT: micro_batch
func.func @shapes(%x: tensor<32x64xf32>, %scale: tensor<64xf32>) -> (tensor<32x64xf32>, tensor<64x32xf32>, tensor<64xf32>) {
  %0 = tensor.empty() : tensor<32x64xf32>
  %1 = "ttir.multiply"(%x, %scale, %0) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any_device, #any_device, #any_device]}> : (tensor<32x64xf32>, tensor<64xf32>, tensor<32x64xf32>) -> tensor<32x64xf32>
  %2 = tensor.empty() : tensor<64x32xf32>
  %3 = "ttir.transpose"(%1, %2) <{dim0 = 0 : si32, dim1 = 1 : si32, operand_constraints = [#any_device, #any_device]}> : (tensor<32x64xf32>, tensor<64x32xf32>) -> tensor<64x32xf32>
  %4 = tensor.empty() : tensor<64xf32>
  %5 = "ttir.exp"(%scale, %4) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any_device, #any_device]}> : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
  return %1, %3, %5 : tensor<32x64xf32>, tensor<64x32xf32>, tensor<64xf32>
}

// The type of the source is that of a micro-batch, too.
// CHECK-LABEL: func.func @host_type(
// CHECK-SAME: tensor<8xi32> {tt.host_type = tensor<8xi64>, tt.micro_batch_dim = 0 : i64})
// CHECK-SAME: -> (tensor<8xi32> {tt.host_type = tensor<8xi64>, tt.micro_batch_dim = 0 : i64})
func.func @host_type(%x: tensor<32xi32> {tt.host_type = tensor<32xi64>}) -> (tensor<32xi32> {tt.host_type = tensor<32xi64>}) {
  %0 = tensor.empty() : tensor<32xi32>
  %1 = "ttir.abs"(%x, %0) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any_device, #any_device]}> : (tensor<32xi32>, tensor<32xi32>) -> tensor<32xi32>
  return %1 : tensor<32xi32>
}

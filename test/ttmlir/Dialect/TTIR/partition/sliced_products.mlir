// Products whose columns are only read in slices are one product for each
// slice, so that each part can be sharded and nothing is gathered.
// RUN: ttmlir-opt --ttir-partition="mesh-shape=1,4 parallelism=none,tensor" --mlir-pass-statistics %s 2>&1 | FileCheck %s
#any_device = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile>

// CHECK: (S) 1 num-split

// CHECK-LABEL: func.func @gated
// CHECK-NOT: all_gather
// CHECK-DAG: "ttir.slice"(%arg1, {{.*}}begins = [0 : i32, 0 : i32], ends = [64 : i32, 256 : i32]
// CHECK-DAG: "ttir.slice"(%arg1, {{.*}}begins = [0 : i32, 256 : i32], ends = [64 : i32, 512 : i32]
// CHECK-DAG: "ttir.matmul"({{.*}} -> tensor<32x64xf32>
// CHECK-DAG: "ttir.matmul"({{.*}} -> tensor<32x64xf32>
// CHECK: "ttir.multiply"({{.*}} -> tensor<32x64xf32>
// CHECK: "ttir.matmul"({{.*}} -> tensor<32x64xf32>
// CHECK: "ttir.all_reduce"
// CHECK-NOT: all_gather
func.func @gated(%x: tensor<32x64xf32>, %up: tensor<64x512xf32> {tt.argument_type = #tt.argument_type<parameter>}, %scale: tensor<32x1xf32>, %down: tensor<256x64xf32> {tt.argument_type = #tt.argument_type<parameter>}) -> tensor<32x64xf32> {
  %0 = tensor.empty() : tensor<32x512xf32>
  %1 = "ttir.matmul"(%x, %up, %0) <{operand_constraints = [#any_device, #any_device, #any_device]}> : (tensor<32x64xf32>, tensor<64x512xf32>, tensor<32x512xf32>) -> tensor<32x512xf32>
  %2 = tensor.empty() : tensor<32x512xf32>
  %3 = "ttir.multiply"(%1, %scale, %2) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any_device, #any_device, #any_device]}> : (tensor<32x512xf32>, tensor<32x1xf32>, tensor<32x512xf32>) -> tensor<32x512xf32>
  %4 = tensor.empty() : tensor<32x256xf32>
  %5 = "ttir.slice"(%3, %4) <{begins = [0 : i32, 0 : i32], ends = [32 : i32, 256 : i32], operand_constraints = [#any_device, #any_device], step = [1 : i32, 1 : i32]}> : (tensor<32x512xf32>, tensor<32x256xf32>) -> tensor<32x256xf32>
  %6 = tensor.empty() : tensor<32x256xf32>
  %7 = "ttir.slice"(%3, %6) <{begins = [0 : i32, 256 : i32], ends = [32 : i32, 512 : i32], operand_constraints = [#any_device, #any_device], step = [1 : i32, 1 : i32]}> : (tensor<32x512xf32>, tensor<32x256xf32>) -> tensor<32x256xf32>
  %8 = tensor.empty() : tensor<32x256xf32>
  %9 = "ttir.multiply"(%5, %7, %8) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any_device, #any_device, #any_device]}> : (tensor<32x256xf32>, tensor<32x256xf32>, tensor<32x256xf32>) -> tensor<32x256xf32>
  %10 = tensor.empty() : tensor<32x64xf32>
  %11 = "ttir.matmul"(%9, %down, %10) <{operand_constraints = [#any_device, #any_device, #any_device]}> : (tensor<32x256xf32>, tensor<256x64xf32>, tensor<32x64xf32>) -> tensor<32x64xf32>
  return %11 : tensor<32x64xf32>
}

// The whole result is read, too: it is gathered as before.
// CHECK-LABEL: func.func @read_whole
// CHECK: "ttir.matmul"({{.*}} -> tensor<32x128xf32>
// CHECK: "ttir.all_gather"
func.func @read_whole(%x: tensor<32x64xf32>, %w: tensor<64x512xf32> {tt.argument_type = #tt.argument_type<parameter>}) -> (tensor<32x256xf32>, tensor<32x512xf32>) {
  %0 = tensor.empty() : tensor<32x512xf32>
  %1 = "ttir.matmul"(%x, %w, %0) <{operand_constraints = [#any_device, #any_device, #any_device]}> : (tensor<32x64xf32>, tensor<64x512xf32>, tensor<32x512xf32>) -> tensor<32x512xf32>
  %2 = tensor.empty() : tensor<32x256xf32>
  %3 = "ttir.slice"(%1, %2) <{begins = [0 : i32, 0 : i32], ends = [32 : i32, 256 : i32], operand_constraints = [#any_device, #any_device], step = [1 : i32, 1 : i32]}> : (tensor<32x512xf32>, tensor<32x256xf32>) -> tensor<32x256xf32>
  return %3, %1 : tensor<32x256xf32>, tensor<32x512xf32>
}

// A row takes the result of one expert: the chips add up what is left.
// CHECK-LABEL: func.func @experts
// CHECK: "ttir.matmul"({{.*}} -> tensor<8x32x64xf32>
// CHECK-NOT: all_reduce
// CHECK: %[[SUM:.*]] = "ttir.sum"({{.*}} -> tensor<32x64xf32>
// CHECK: "ttir.all_reduce"(%[[SUM]], {{.*}} -> tensor<32x64xf32>
func.func @experts(%x: tensor<1x32x256xf32> {tt.shard_dims = array<i64: -1, 2>}, %down: tensor<8x256x64xf32> {tt.argument_type = #tt.argument_type<parameter>}, %chosen: tensor<8x32x1xi1>) -> tensor<32x64xf32> {
  %0 = tensor.empty() : tensor<8x32x64xf32>
  %1 = "ttir.matmul"(%x, %down, %0) <{operand_constraints = [#any_device, #any_device, #any_device]}> : (tensor<1x32x256xf32>, tensor<8x256x64xf32>, tensor<8x32x64xf32>) -> tensor<8x32x64xf32>
  %2 = "ttir.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
  %3 = tensor.empty() : tensor<8x32x64xf32>
  %4 = "ttir.where"(%chosen, %1, %2, %3) <{operandSegmentSizes = array<i32: 3, 1>, operand_constraints = [#any_device, #any_device, #any_device, #any_device]}> : (tensor<8x32x1xi1>, tensor<8x32x64xf32>, tensor<f32>, tensor<8x32x64xf32>) -> tensor<8x32x64xf32>
  %5 = tensor.empty() : tensor<32x64xf32>
  %6 = "ttir.sum"(%4, %5) <{dim_arg = [0 : i32], keep_dim = false, operand_constraints = [#any_device, #any_device]}> : (tensor<8x32x64xf32>, tensor<32x64xf32>) -> tensor<32x64xf32>
  return %6 : tensor<32x64xf32>
}

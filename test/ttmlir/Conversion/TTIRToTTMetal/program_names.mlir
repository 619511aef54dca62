// RUN: ttmlir-opt --ttir-to-ttmetal-backend-pipeline --mlir-print-debuginfo --mlir-print-local-scope %s | FileCheck %s

// What reports call programs and kernels, and where they come from: a fused chain has the locations of all its ops,
// and a transfer that the compiler adds that of what it moves.
#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
#host = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x64xf32, #tt.memory_space<system>>>
// CHECK-LABEL: func.func @main
// CHECK: "ttmetal.host_write"(%arg0{{.*}} loc("x"
// CHECK: "ttmetal.dispatch"{{.*}} kernel_names = ["reader", "eltwise.add+relu", "writer"]{{.*}} program_name = "eltwise.add+relu"
// CHECK: }) : {{.*}} loc(fused["sum"("f.py":1:0), "act"("f.py":2:0)])
// CHECK: "ttmetal.dispatch"{{.*}} kernel_names = ["reader", "writer", "matmul"]{{.*}} program_name = "matmul"
// CHECK: }) : {{.*}} loc("product"("f.py":3:0))
// CHECK: "ttmetal.host_read"{{.*}} loc("product"("f.py":3:0))
func.func @main(%x: tensor<64x64xf32, #host> loc("x"("f.py":0:0)), %y: tensor<64x64xf32>) -> tensor<64x64xf32, #host> {
  %0 = tensor.empty() : tensor<64x64xf32>
  %1 = "ttir.add"(%x, %y, %0) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<64x64xf32, #host>, tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32> loc("sum"("f.py":1:0))
  %2 = tensor.empty() : tensor<64x64xf32>
  %3 = "ttir.relu"(%1, %2) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32> loc("act"("f.py":2:0))
  %4 = tensor.empty() : tensor<64x64xf32, #host>
  %5 = "ttir.matmul"(%3, %3, %4) <{operand_constraints = [#any, #any, #any]}> : (tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32, #host>) -> tensor<64x64xf32, #host> loc("product"("f.py":3:0))
  return %5 : tensor<64x64xf32, #host>
}

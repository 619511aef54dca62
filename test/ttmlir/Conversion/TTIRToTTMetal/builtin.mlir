// RUN: ttmlir-opt --ttir-load-system-desc --ttir-implicit-device --ttir-generic-kernel --ttir-layout="init-memory-space=l1 default-memory-space=l1 default-device-memory-layout=none" --ttir-generic-region-operands-to-memref --ttir-allocate --convert-ttir-to-ttmetal %s | FileCheck %s
// A kernel by name is a call on the buffers of its generic.
#any_device_tile = #tt.operand_constraint<dram|l1|tile|any_device_tile>
// CHECK: "ttmetal.dispatch"(%{{.*}}, %{{.*}}, %{{.*}}) <{core_ranges = [#ttmetal.core_range<0x0, 1x1>]
// CHECK-NEXT: ^bb0(%[[A:.*]]: !ttkernel.cb<cb_in0, {{.*}}>, %[[B:.*]]: !ttkernel.cb<cb_in1, {{.*}}>, %[[C:.*]]: !ttkernel.cb<cb_out0, {{.*}}>):
// CHECK-NEXT: "ttkernel.builtin"(%[[A]], %[[B]], %[[C]]) <{kind = @eltwise, op = @mine}>
// CHECK-NEXT: "ttkernel.return"()
func.func @forward(%arg0: tensor<64x128xf32>, %arg1: tensor<64x128xf32>) -> tensor<64x128xf32> {
  %0 = tensor.empty() : tensor<64x128xf32>
  %1 = "ttir.kernel"(%arg0, %arg1, %0) <{op = @mine, kind = @eltwise, operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any_device_tile, #any_device_tile, #any_device_tile]}> : (tensor<64x128xf32>, tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  return %1 : tensor<64x128xf32>
}

// RUN: ttmlir-opt --ttir-layout="init-memory-space=l1 default-memory-space=l1 default-device-memory-layout=none" %s | FileCheck %s --check-prefix=METAL
// RUN: ttmlir-opt --ttir-layout="default-memory-space=l1 default-device-memory-layout=block_sharded" %s | FileCheck %s --check-prefix=SHARDED
// RUN: not ttmlir-opt --ttir-layout="default-memory-space=disk" %s 2>&1 | FileCheck %s --check-prefix=BAD
// The options choose where tensors start and where operands go; a device is made when none is there.
#any_device_tile = #tt.operand_constraint<dram|l1|tile|any_device_tile>
// METAL-DAG: #[[SCALAR:.*]] = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #l1_>>
// METAL-DAG: #[[TILED:.*]] = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<2x4x!tt.tile<32x32, f32>, #l1_>>
// METAL: tt.device = #device, tt.system_desc = #system_desc
// METAL: func.func @forward(%{{.*}}: tensor<64x128xf32, #[[SCALAR]]>) -> tensor<64x128xf32, #[[SCALAR]]>
// METAL: "ttir.abs"{{.*}} -> tensor<64x128xf32, #[[TILED]]>
// SHARDED: #[[SHARDED:.*]] = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<2x4x!tt.tile<32x32, f32>, #l1_>, block_sharded>
// SHARDED: "ttir.abs"{{.*}} -> tensor<64x128xf32, #[[SHARDED]]>
// BAD: Cannot find option named 'disk'
func.func @forward(%arg0: tensor<64x128xf32>) -> tensor<64x128xf32> {
  %0 = tensor.empty() : tensor<64x128xf32>
  %1 = "ttir.abs"(%arg0, %0) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any_device_tile, #any_device_tile]}> : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  return %1 : tensor<64x128xf32>
}

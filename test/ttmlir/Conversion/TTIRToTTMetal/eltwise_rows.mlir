// RUN: ttmlir-opt --ttir-to-ttmetal-backend-pipeline --split-input-file %s | FileCheck %s
// Rows of scalars: the reader reads them, the compute kernel makes tiles of them and rows of the result, the
// writer writes them. Rows and columns of the last tiles are filled.
#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
// CHECK-LABEL: func.func @add
// CHECK-NEXT: %[[TO:.*]] = "ttmetal.alloc"() {{.*}} -> tensor<2x40x70xf32, #[[ROWS:.*]]>
// CHECK-NEXT: "ttmetal.dispatch"(%arg0, %arg1, %[[TO]])
// CHECK-NEXT: ^bb0(%[[A:.*]]: !ttkernel.cb<cb_dfl0, {{[0-9]+}}, memref<32x32xf32, #l1_>, 4096, 2>, %[[AT:.*]]: !ttkernel.cb<cb_in0, {{[0-9]+}}, memref<1x1x!tt.tile<32x32, f32>, #l1_>, 4096, 1>, %[[B:.*]]: !ttkernel.cb<cb_dfl1, {{[0-9]+}}, memref<32x32xf32, #l1_>, 4096, 2>, %[[BT:.*]]: !ttkernel.cb<cb_in1, {{[0-9]+}}, memref<1x1x!tt.tile<32x32, f32>, #l1_>, 4096, 1>, %[[R:.*]]: !ttkernel.cb<cb_out0, {{[0-9]+}}, memref<32x32xf32, #l1_>, 4096, 2>, %[[RT:.*]]: !ttkernel.cb<cb_out1,
// CHECK: "ttkernel.cb_reserve_back"(%[[A]]
// CHECK: "ttkernel.noc_async_read"
// CHECK: "ttkernel.fill_with_val"
// CHECK: "ttkernel.cb_reserve_back"(%[[B]]
// CHECK: "ttkernel.noc_async_read_barrier"
// CHECK-NEXT: "ttkernel.cb_push_back"(%[[A]]
// CHECK-NEXT: "ttkernel.cb_push_back"(%[[B]]
// CHECK: "ttkernel.return"
// CHECK: ^bb0(%[[A:[a-z0-9]*]]: {{.*}}, %[[AT:[a-z0-9]*]]: !ttkernel.cb<cb_in0, {{.*}}, %[[B:[a-z0-9]*]]: !ttkernel.cb<cb_dfl1, {{.*}}, %[[BT:[a-z0-9]*]]: !ttkernel.cb<cb_in1, {{.*}}, %[[R:[a-z0-9]*]]: !ttkernel.cb<cb_out0, {{.*}}, %[[RT:[a-z0-9]*]]: !ttkernel.cb<cb_out1,
// CHECK: "ttkernel.tilize_init"(%[[A]], %{{.*}}, %[[AT]])
// CHECK-NEXT: "ttkernel.tilize_block"(%[[A]], %{{.*}}, %[[AT]])
// CHECK-NEXT: "ttkernel.tilize_uninit"(%[[A]], %[[AT]])
// CHECK: "ttkernel.tilize_block"(%[[B]], %{{.*}}, %[[BT]])
// CHECK: "ttkernel.binary_op_init_common"(%[[AT]], %[[BT]], %[[RT]])
// CHECK-NEXT: "ttkernel.add_tiles_init"
// CHECK: "ttkernel.add_tiles"
// CHECK: "ttkernel.untilize_init"(%[[RT]], %[[R]])
// CHECK-NEXT: "ttkernel.untilize_block"(%[[RT]], %{{.*}}, %[[R]])
// CHECK-NEXT: "ttkernel.untilize_uninit"(%[[RT]])
// CHECK: "ttkernel.return"
// CHECK: "ttkernel.noc_async_write"
// CHECK: "ttkernel.return"
// CHECK-NEXT: }) : (tensor<2x40x70xf32, #[[ROWS]]>, tensor<2x40x70xf32, #[[ROWS]]>, tensor<2x40x70xf32, #[[ROWS]]>)
func.func @add(%x: tensor<2x40x70xf32>, %y: tensor<2x40x70xf32>) -> tensor<2x40x70xf32> {
  %0 = tensor.empty() : tensor<2x40x70xf32>
  %1 = "ttir.add"(%x, %y, %0) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<2x40x70xf32>, tensor<2x40x70xf32>, tensor<2x40x70xf32>) -> tensor<2x40x70xf32>
  return %1 : tensor<2x40x70xf32>
}

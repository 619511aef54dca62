// RUN: ttmlir-opt --ttir-to-ttnn-backend-pipeline="optimization-level=1 clock-search-limit=0 weight-dtype=bfp_bf8" %s | FileCheck %s
// RUN: ttmlir-opt --ttir-to-ttnn-backend-pipeline="optimization-level=1 clock-search-limit=0" %s | FileCheck %s --check-prefix=OFF
// RUN: ttmlir-opt --ttir-to-ttnn-backend-pipeline="optimization-level=1 clock-search-limit=0 weight-dtype=bfp_bf8" %s | ttmlir-opt --convert-ttnn-to-emitc | FileCheck %s --check-prefix=CPP
// The host moves the elements of weights and rounds them to block floats, which the packer of the
// chip would truncate. Without block floats the chip moves them.

#any_device = #tt.operand_constraint<dram|l1|tile|none|interleaved|single_bank|height_sharded|width_sharded|block_sharded|any_layout|any_device_tile>
// OFF-NOT: tt.host

// A transposition, as PyTorch's linear layers have it.
// CHECK-DAG: #[[ROWS:.*]] = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xbf16, #system>>
// CHECK-LABEL: func.func private @transposed_const_eval_0_host(
// CHECK-SAME: %[[A:.*]]: tensor<128x64xbf16, {{.*}}>) -> tensor<64x128xbf16, #[[ROWS]]> attributes {tt.host, tt.part}
// CHECK: %[[E:.*]] = "ttnn.empty"() {{.*}} -> tensor<64x128xbf16, #[[ROWS]]>
// CHECK: %[[T:.*]] = "ttnn.transpose"(%[[A]], %[[E]]) {{.*}} -> tensor<64x128xbf16, #[[ROWS]]>
// CHECK: return %[[T]]
// CHECK-LABEL: func.func private @transposed_const_eval_0(
// CHECK: %[[H:.*]] = tt.call(@transposed_const_eval_0_host, [%{{.*}}]) : {{.*}} -> tensor<64x128xbf16, #[[ROWS]]>
// CHECK: %[[W:.*]] = "ttnn.to_layout"(%[[H]], {{.*}} -> tensor<64x128xbf16, #[[BLOCKS:.*]]>
// CHECK: %[[D:.*]] = "ttnn.to_device"(%[[W]], {{.*}} -> tensor<64x128xbf16, #[[BLOCKS]]>
// CHECK-NEXT: return %[[D]]
// CPP-LABEL: func.func @transposed(
// CPP: emitc.call_opaque "ttnn::transpose"
// CPP: emitc.call_opaque "ttnn::to_layout"
// CPP: emitc.call_opaque "ttnn::to_device"
func.func @transposed(%x: tensor<32x64xbf16>, %w: tensor<128x64xbf16> {tt.argument_type = #tt.argument_type<parameter>}) -> tensor<32x128xbf16> {
  %0 = tensor.empty() : tensor<32x128xbf16>
  %1 = "ttir.matmul"(%x, %w, %0) <{transpose_b = true, operand_constraints = [#any_device, #any_device, #any_device]}> : (tensor<32x64xbf16>, tensor<128x64xbf16>, tensor<32x128xbf16>) -> tensor<32x128xbf16>
  return %1 : tensor<32x128xbf16>
}

// Several weights become one: the function has an argument for each.
// CHECK-LABEL: func.func private @joined_const_eval_0_host(
// CHECK-SAME: tensor<64x64xbf16, {{.*}}>, %{{.*}}: tensor<64x32xbf16, {{.*}}>) -> tensor<64x96xbf16, {{.*}}> attributes {tt.host, tt.part}
// CHECK: "ttnn.permute"
// CHECK: "ttnn.concat"
// CHECK-LABEL: func.func private @joined_const_eval_0(
// CHECK-NOT: "ttnn.typecast"
// CHECK: return
func.func @joined(%x: tensor<32x64xbf16>, %v: tensor<64x64xbf16> {tt.argument_type = #tt.argument_type<parameter>}, %w: tensor<64x32xbf16> {tt.argument_type = #tt.argument_type<parameter>}) -> tensor<32x96xbf16> {
  %0 = tensor.empty() : tensor<64x64xbf16>
  %1 = "ttir.permute"(%v, %0) <{permutation = array<i64: 1, 0>, operand_constraints = [#any_device, #any_device]}> : (tensor<64x64xbf16>, tensor<64x64xbf16>) -> tensor<64x64xbf16>
  %2 = tensor.empty() : tensor<64x96xbf16>
  %3 = "ttir.concat"(%1, %w, %2) <{dim = 1 : si32, operand_constraints = [#any_device, #any_device, #any_device]}> : (tensor<64x64xbf16>, tensor<64x32xbf16>, tensor<64x96xbf16>) -> tensor<64x96xbf16>
  %4 = tensor.empty() : tensor<32x96xbf16>
  %5 = "ttir.matmul"(%x, %3, %4) <{operand_constraints = [#any_device, #any_device, #any_device]}> : (tensor<32x64xbf16>, tensor<64x96xbf16>, tensor<32x96xbf16>) -> tensor<32x96xbf16>
  return %5 : tensor<32x96xbf16>
}

// Computed by the chip before it is moved: a cast at the end.
// CHECK-LABEL: func.func private @computed_const_eval_0(
// CHECK: "ttnn.exp"
// CHECK: %[[C:.*]] = "ttnn.typecast"
// CHECK: return %[[C]]
func.func @computed(%x: tensor<32x64xbf16>, %w: tensor<128x64xbf16> {tt.argument_type = #tt.argument_type<parameter>}) -> tensor<32x128xbf16> {
  %0 = tensor.empty() : tensor<128x64xbf16>
  %1 = "ttir.exp"(%w, %0) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any_device, #any_device]}> : (tensor<128x64xbf16>, tensor<128x64xbf16>) -> tensor<128x64xbf16>
  %2 = tensor.empty() : tensor<64x128xbf16>
  %3 = "ttir.permute"(%1, %2) <{permutation = array<i64: 1, 0>, operand_constraints = [#any_device, #any_device]}> : (tensor<128x64xbf16>, tensor<64x128xbf16>) -> tensor<64x128xbf16>
  %4 = tensor.empty() : tensor<32x128xbf16>
  %5 = "ttir.matmul"(%x, %3, %4) <{operand_constraints = [#any_device, #any_device, #any_device]}> : (tensor<32x64xbf16>, tensor<64x128xbf16>, tensor<32x128xbf16>) -> tensor<32x128xbf16>
  return %5 : tensor<32x128xbf16>
}

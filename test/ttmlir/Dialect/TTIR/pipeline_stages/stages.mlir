// RUN: split-file %s %t
// RUN: ttmlir-opt --ttir-pipeline-stages=stages=2 %t/layers.mlir | FileCheck %s --check-prefix=LAYERS
// RUN: ttmlir-opt --ttir-pipeline-stages="stages=2 costs=0,9,0,1,0,1,0,1" %t/layers.mlir | FileCheck %s --check-prefix=COSTS
// RUN: ttmlir-opt --ttir-pipeline-stages="stages=2 ends=5,7" %t/layers.mlir | FileCheck %s --check-prefix=ENDS
// RUN: ttmlir-opt --ttir-pipeline-stages="stages=2 weight-limit=131072" %t/layers.mlir | FileCheck %s --check-prefix=LAYERS
// RUN: ttmlir-opt --ttir-pipeline-stages="stages=2 costs=0,1,0,2,0,3,0,4" --remarks %t/layers.mlir -o %t/out.mlir 2>&1 | FileCheck %s --check-prefix=REMARKS
// RUN: ttmlir-opt --ttir-pipeline-stages=stages=2 %t/values.mlir | FileCheck %s --check-prefix=VALUES
// RUN: ttmlir-opt --ttir-pipeline-stages="stages=2 costs=0,3,0,9,0,9,0,1" %t/donated.mlir | FileCheck %s --check-prefix=DONATED

// The narrow result between two layers passes, and each stage has the weights of
// its layer only.
// LAYERS: {{.*}}tt.stage_results = array<i64: 6>
// LAYERS: func.func @mlp_stage0(%[[X:.*]]: tensor<32x64xf32>, %{{.*}}: tensor<64x256xf32> {{.*}}, %{{.*}}: tensor<256x64xf32> {{.*}}) -> tensor<32x64xf32>
// LAYERS-SAME: tt.stage_inputs = array<i64: 0, 1, 2>, tt.stage_outputs = array<i64: 5>
// LAYERS-COUNT-2: "ttir.matmul"
// LAYERS: return
// LAYERS: func.func @mlp_stage1(%{{.*}}: tensor<64x256xf32> {{.*}}, %{{.*}}: tensor<256x64xf32> {{.*}}, %{{.*}}: tensor<32x64xf32>) -> tensor<32x64xf32>
// LAYERS-SAME: tt.stage_inputs = array<i64: 3, 4, 5>, tt.stage_outputs = array<i64: 6>
// LAYERS-COUNT-2: "ttir.matmul"

// REMARKS: remark: [Passed] Stage | Category:ttir-pipeline-stages | Function=mlp | Op=ttir.matmul, Reason="stage 0 ends after this op: 6 of 10 cycles, 196608 bytes of parameters, 32768 bytes pass on"
// REMARKS: remark: [Passed] Stage | {{.*}}"stage 1 ends after this op: 4 of 10 cycles, 65536 bytes of parameters, 0 bytes pass on"

// The first op takes as long as all others.
// COSTS: func.func @mlp_stage0({{.*}}) -> tensor<32x256xf32>
// COSTS: tt.stage_outputs = array<i64: 5>
// COSTS: func.func @mlp_stage1(
// COSTS-COUNT-3: "ttir.matmul"

// The result of op 5 may pass, others may not.
// ENDS: func.func @mlp_stage0(
// ENDS-COUNT-3: "ttir.matmul"
// ENDS: func.func @mlp_stage1(

//--- layers.mlir
#any_device = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile>
func.func @mlp(%x: tensor<32x64xf32>, %w0: tensor<64x256xf32> {tt.argument_type = #tt.argument_type<parameter>}, %v0: tensor<256x64xf32> {tt.argument_type = #tt.argument_type<parameter>}, %w1: tensor<64x256xf32> {tt.argument_type = #tt.argument_type<parameter>}, %v1: tensor<256x64xf32> {tt.argument_type = #tt.argument_type<parameter>}) -> tensor<32x64xf32> {
  %e0 = tensor.empty() : tensor<32x256xf32>
  %h0 = "ttir.matmul"(%x, %w0, %e0) <{operand_constraints = [#any_device, #any_device, #any_device], transpose_a = false, transpose_b = false}> : (tensor<32x64xf32>, tensor<64x256xf32>, tensor<32x256xf32>) -> tensor<32x256xf32>
  %f0 = tensor.empty() : tensor<32x64xf32>
  %y0 = "ttir.matmul"(%h0, %v0, %f0) <{operand_constraints = [#any_device, #any_device, #any_device], transpose_a = false, transpose_b = false}> : (tensor<32x256xf32>, tensor<256x64xf32>, tensor<32x64xf32>) -> tensor<32x64xf32>
  %e1 = tensor.empty() : tensor<32x256xf32>
  %h1 = "ttir.matmul"(%y0, %w1, %e1) <{operand_constraints = [#any_device, #any_device, #any_device], transpose_a = false, transpose_b = false}> : (tensor<32x64xf32>, tensor<64x256xf32>, tensor<32x256xf32>) -> tensor<32x256xf32>
  %f1 = tensor.empty() : tensor<32x64xf32>
  %y1 = "ttir.matmul"(%h1, %v1, %f1) <{operand_constraints = [#any_device, #any_device, #any_device], transpose_a = false, transpose_b = false}> : (tensor<32x256xf32>, tensor<256x64xf32>, tensor<32x64xf32>) -> tensor<32x64xf32>
  return %y1 : tensor<32x64xf32>
}

//--- values.mlir
#any_device = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile>
// Both stages compute what depends on the parameter alone. An input goes to the
// stage that uses it, and a result leaves the stage that computes it.
// VALUES: {{.*}}tt.stage_results = array<i64: 3, 4, 5>
// VALUES: func.func @values_stage0(%[[X:.*]]: tensor<32x64xf32>, %[[W:.*]]: tensor<64xf32> {{.*}}) -> (tensor<32x64xf32> {tt.host_type = tensor<32x64xf64>}, tensor<64xf32>)
// VALUES-SAME: tt.stage_inputs = array<i64: 0, 1>, tt.stage_outputs = array<i64: 3, 5>
// VALUES: "ttir.exp"(%[[W]]
// VALUES: "ttir.add"(%[[X]]
// VALUES: func.func @values_stage1(%[[OWN:.*]]: tensor<64xf32> {{.*}}, %[[Y:.*]]: tensor<64xf32>, %{{.*}}: tensor<32x64xf32>) -> tensor<32x64xf32>
// VALUES-SAME: tt.stage_inputs = array<i64: 1, 2, 3>, tt.stage_outputs = array<i64: 4>
// VALUES: "ttir.exp"(%[[OWN]]
func.func @values(%x: tensor<32x64xf32>, %w: tensor<64xf32> {tt.argument_type = #tt.argument_type<parameter>}, %y: tensor<64xf32>) -> (tensor<32x64xf32> {tt.host_type = tensor<32x64xf64>}, tensor<32x64xf32>, tensor<64xf32>) {
  %e0 = tensor.empty() : tensor<64xf32>
  %0 = "ttir.exp"(%w, %e0) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any_device, #any_device]}> : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
  %e1 = tensor.empty() : tensor<32x64xf32>
  %1 = "ttir.add"(%x, %0, %e1) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any_device, #any_device, #any_device]}> : (tensor<32x64xf32>, tensor<64xf32>, tensor<32x64xf32>) -> tensor<32x64xf32>
  %e2 = tensor.empty() : tensor<32x64xf32>
  %2 = "ttir.add"(%1, %0, %e2) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any_device, #any_device, #any_device]}> : (tensor<32x64xf32>, tensor<64xf32>, tensor<32x64xf32>) -> tensor<32x64xf32>
  %e3 = tensor.empty() : tensor<32x64xf32>
  %3 = "ttir.multiply"(%2, %y, %e3) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any_device, #any_device, #any_device]}> : (tensor<32x64xf32>, tensor<64xf32>, tensor<32x64xf32>) -> tensor<32x64xf32>
  return %1, %3, %0 : tensor<32x64xf32>, tensor<32x64xf32>, tensor<64xf32>
}

//--- donated.mlir
#any_device = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile>
// The donated input and the result in its memory are in one stage.
// DONATED: func.func @donated_stage0(
// DONATED: "ttir.exp"
// DONATED-NOT: "ttir.
// DONATED: func.func @donated_stage1(%{{.*}}: tensor<32x64xf32> {tt.aliased_output = 1 : i64}, %{{.*}}: tensor<32x64xf32>) -> (tensor<32x64xf32>, tensor<32x64xf32>)
// DONATED-COUNT-3: "ttir.
func.func @donated(%x: tensor<32x64xf32>, %cache: tensor<32x64xf32> {tt.aliased_output = 1 : i64}) -> (tensor<32x64xf32>, tensor<32x64xf32>) {
  %e0 = tensor.empty() : tensor<32x64xf32>
  %0 = "ttir.exp"(%x, %e0) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any_device, #any_device]}> : (tensor<32x64xf32>, tensor<32x64xf32>) -> tensor<32x64xf32>
  %e1 = tensor.empty() : tensor<32x64xf32>
  %1 = "ttir.multiply"(%cache, %cache, %e1) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any_device, #any_device, #any_device]}> : (tensor<32x64xf32>, tensor<32x64xf32>, tensor<32x64xf32>) -> tensor<32x64xf32>
  %e2 = tensor.empty() : tensor<32x64xf32>
  %2 = "ttir.add"(%1, %0, %e2) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any_device, #any_device, #any_device]}> : (tensor<32x64xf32>, tensor<32x64xf32>, tensor<32x64xf32>) -> tensor<32x64xf32>
  %e3 = tensor.empty() : tensor<32x64xf32>
  %3 = "ttir.exp"(%2, %e3) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any_device, #any_device]}> : (tensor<32x64xf32>, tensor<32x64xf32>) -> tensor<32x64xf32>
  return %3, %2 : tensor<32x64xf32>, tensor<32x64xf32>
}

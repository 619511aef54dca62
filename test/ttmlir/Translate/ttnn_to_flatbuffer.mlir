// The flatbuffer of two functions: the module as text, and each op with its layouts in full.
// RUN: ttmlir-opt --ttir-to-ttnn-backend-pipeline %s | ttmlir-translate --ttnn-to-flatbuffer -o %t.ttnn
// RUN: %python %S/Inputs/peek.py %t.ttnn > %t.txt
// RUN: FileCheck %s < %t.txt
// RUN: FileCheck %s --check-prefix=OPS < %t.txt
#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>

// CHECK: size prefix ok
// CHECK: identifier TTNN
// CHECK-DAG: {{^}}first{{$}}
// CHECK-DAG: {{^}}second{{$}}
// CHECK-DAG: {{^}}ttnn{{$}}
// CHECK-DAG: module attributes {tt.device = #device, tt.system_desc = #system_desc}

// OPS-DAG: {{^}}%0 = "ttnn.get_device"() : () -> !tt.device<<workerGrid = #tt.grid<8x8{{.*}} loc(
// OPS-DAG: "ttnn.relu"({{.*}}) <{operandSegmentSizes = array<i32: 1, 1>}> : (tensor<32x32xf32, #tt.layout<{{.*}} loc(
// OPS-DAG: "ttnn.add"({{.*}}) <{operandSegmentSizes = array<i32: 2, 1>}> : {{.*}} loc(
func.func @first(%a: tensor<32x32xf32>) -> tensor<32x32xf32> {
  %0 = tensor.empty() : tensor<32x32xf32>
  %1 = "ttir.relu"(%a, %0) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  return %1 : tensor<32x32xf32>
}
func.func @second(%a: tensor<64x32xbf16>, %b: tensor<64x32xbf16>) -> tensor<64x32xbf16> {
  %0 = tensor.empty() : tensor<64x32xbf16>
  %1 = "ttir.add"(%a, %b, %0) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<64x32xbf16>, tensor<64x32xbf16>, tensor<64x32xbf16>) -> tensor<64x32xbf16>
  return %1 : tensor<64x32xbf16>
}

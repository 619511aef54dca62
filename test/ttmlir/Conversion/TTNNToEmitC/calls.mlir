// The calls of a whole pipeline, one by one.
// RUN: ttmlir-opt --ttir-load-system-desc --ttir-layout --convert-ttir-to-ttnn --convert-ttnn-to-emitc %s | FileCheck %s
#any_device = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile>
// CHECK: module
// CHECK-NEXT: emitc.include "ttnn-precompiled.hpp"
// CHECK-NEXT: func.func @multiply(%[[A:.*]]: !emitc.opaque<"ttnn::Tensor">, %[[B:.*]]: !emitc.opaque<"ttnn::Tensor">) -> !emitc.opaque<"ttnn::Tensor"> {
func.func @multiply(%a: tensor<64x128xf32>, %b: tensor<64x128xf32>) -> tensor<64x128xf32> {
  // The layouts that the arguments are brought to.
  // CHECK-NEXT: emitc.call_opaque "ttnn::input"(%[[A]]) {args = [0 : index, #emitc.opaque<"ttnn::TensorSpec({64, 128}, ttnn::DataType::FLOAT32, ttnn::Layout::ROW_MAJOR)">]}
  // CHECK-NEXT: emitc.call_opaque "ttnn::input"(%[[B]])
  // CHECK-NEXT: %[[DEV:.*]] = emitc.call_opaque "ttnn::DeviceGetter::getInstance"() : () -> !emitc.ptr<!emitc.opaque<"ttnn::Device">>
  // CHECK-NEXT: %[[LA:.*]] = emitc.call_opaque "ttnn::to_layout"(%[[A]], %[[DEV]]) {args = [0 : index, #emitc.opaque<"ttnn::Layout::TILE">, #emitc.opaque<"std::nullopt">, #emitc.opaque<"std::nullopt">, 1 : index
  // CHECK-NEXT: %[[CA:.*]] = emitc.call_opaque "ttnn::MemoryConfig"() {args = [#emitc.opaque<"ttnn::TensorMemoryLayout::INTERLEAVED">, #emitc.opaque<"ttnn::BufferType::DRAM">]} : () -> !emitc.opaque<"ttnn::MemoryConfig">
  // CHECK-NEXT: %[[DA:.*]] = emitc.call_opaque "ttnn::to_device"(%[[LA]], %[[DEV]], %[[CA]]) : (
  // CHECK-NEXT: %[[LB:.*]] = emitc.call_opaque "ttnn::to_layout"(%[[B]], %[[DEV]])
  // CHECK-NEXT: %[[CB:.*]] = emitc.call_opaque "ttnn::MemoryConfig"()
  // CHECK-NEXT: %[[DB:.*]] = emitc.call_opaque "ttnn::to_device"(%[[LB]], %[[DEV]], %[[CB]])
  // CHECK-NEXT: %[[S:.*]] = emitc.expression : () -> !emitc.opaque<"ttnn::Shape"> {
  // CHECK-NEXT:   %[[M:.*]] = call_opaque "Shape"() {args = [#emitc.opaque<"{64, 128, }">]} : () -> !emitc.opaque<"tt::metal::Shape">
  // CHECK-NEXT:   %[[N:.*]] = call_opaque "ttnn::Shape"(%[[M]])
  // CHECK-NEXT:   yield %[[N]]
  // CHECK-NEXT: }
  // CHECK-NEXT: %[[REF:.*]] = emitc.apply "*"(%[[DEV]]) : (!emitc.ptr<!emitc.opaque<"ttnn::Device">>) -> !emitc.opaque<"ttnn::Device&">
  // CHECK-NEXT: %[[C:.*]] = emitc.call_opaque "ttnn::MemoryConfig"()
  // CHECK-NEXT: %[[OUT:.*]] = emitc.call_opaque "ttnn::empty"(%[[S]], %[[REF]], %[[C]]) {args = [0 : index, #emitc.opaque<"ttnn::DataType::FLOAT32">, #emitc.opaque<"ttnn::Layout::ROW_MAJOR">, 1 : index, 2 : index]}
  // CHECK-NEXT: %[[R:.*]] = emitc.call_opaque "ttnn::multiply"(%[[DA]], %[[DB]], %[[OUT]]) {args = [0 : index, 1 : index, #emitc.opaque<"std::nullopt">, #emitc.opaque<"std::nullopt">, 2 : index]}
  // CHECK-NEXT: %[[H:.*]] = emitc.call_opaque "ttnn::to_memory_config"(%[[R]], %[[DEV]]) {args = [0 : index, 1 : index, #emitc.opaque<"ttnn::TensorSpec({64, 128}, ttnn::DataType::FLOAT32, ttnn::Layout::ROW_MAJOR)">]}
  // CHECK-NEXT: return %[[H]] : !emitc.opaque<"ttnn::Tensor">
  %0 = tensor.empty() : tensor<64x128xf32>
  %1 = "ttir.multiply"(%a, %b, %0) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any_device, #any_device, #any_device]}> : (tensor<64x128xf32>, tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  return %1 : tensor<64x128xf32>
}

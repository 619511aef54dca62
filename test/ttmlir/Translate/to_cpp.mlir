// Upstream's C++ emitter is there.
// RUN: ttmlir-translate --mlir-to-cpp %s | FileCheck %s
// CHECK: int32_t add(int32_t [[A:v[0-9]+]], int32_t [[B:v[0-9]+]]) {
// CHECK: return
emitc.func @add(%a: i32, %b: i32) -> i32 {
  %0 = emitc.add %a, %b : (i32, i32) -> i32
  emitc.return %0 : i32
}

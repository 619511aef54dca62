// RUN: not ttmlir-opt --ttnn-shard-weights %s 2>&1 | FileCheck %s

// CHECK: error: ttnn-shard-weights needs a device and its description: expected the attributes 'tt.device' and 'tt.system_desc' on the module; run --ttir-load-system-desc and --ttir-implicit-device first
func.func @nothing() {
  return
}

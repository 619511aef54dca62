// A module without system description or device is no program.
// RUN: not ttmlir-translate --ttnn-to-flatbuffer %s -o %t.ttnn 2>&1 | FileCheck %s --check-prefix=SYSTEM
// RUN: test ! -e %t.ttnn
// RUN: ttmlir-opt --ttir-load-system-desc %s | not ttmlir-translate --ttnn-to-flatbuffer -o %t.ttnn 2>&1 | FileCheck %s --check-prefix=DEVICE
// RUN: test ! -e %t.ttnn
// RUN: ttmlir-opt --ttir-load-system-desc --ttir-implicit-device %s | ttmlir-translate --ttnn-to-flatbuffer -o %t.ttnn

// SYSTEM: error: cannot be serialized: expected the attribute tt.system_desc on the module, which --ttir-load-system-desc sets
// DEVICE: error: cannot be serialized: expected the attribute tt.device on the module, which --ttir-implicit-device sets
module {
}

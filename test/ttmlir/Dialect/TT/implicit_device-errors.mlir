// RUN: ttmlir-opt --ttir-implicit-device --verify-diagnostics %s
// RUN: not ttmlir-opt --ttir-load-system-desc --ttir-implicit-device="mesh-shape=2,1,1" %s 2>&1 | FileCheck %s --check-prefix=CHIPS
// RUN: not ttmlir-opt --ttir-load-system-desc --ttir-implicit-device="mesh-shape=0" %s 2>&1 | FileCheck %s --check-prefix=ZERO
// A device needs a system with enough chips.

// CHIPS: error: ttir-implicit-device: expected a mesh of at most 1 chip, the chips of the system, found 2x1x1
// ZERO: error: ttir-implicit-device: expected positive mesh dimensions, found 0
// expected-error@+1 {{expected a module with 'tt.system_desc' to make a device of, found none; run ttir-load-system-desc first}}
module {}

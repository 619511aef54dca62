// RUN: ttmlir-opt --ttir-implicit-device --verify-diagnostics %s
// RUN: not ttmlir-opt --ttir-load-system-desc --ttir-implicit-device="mesh-shape=2,1,1" %s 2>&1 | FileCheck %s --check-prefix=CHIPS
// RUN: not ttmlir-opt --ttir-load-system-desc --ttir-implicit-device="mesh-shape=0" %s 2>&1 | FileCheck %s --check-prefix=ZERO
// RUN: echo "module {}" | ttmlir-translate --system-desc-to-flatbuffer --system=t3000 -o %t.ttsys
// RUN: not ttmlir-opt --ttir-load-system-desc="path=%t.ttsys" --ttir-implicit-device="mesh-shape=3,3" %s 2>&1 | FileCheck %s --check-prefix=NINE
// RUN: not ttmlir-opt --ttir-load-system-desc="path=%t.ttsys" --ttir-implicit-device="mesh-shape=1,9223372036854775807,2" %s 2>&1 | FileCheck %s --check-prefix=HUGE
// RUN: not ttmlir-opt --ttir-load-system-desc="path=%t.ttsys" --ttir-implicit-device="mesh-shape=1,2 chip-ids=3,3" %s 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: not ttmlir-opt --ttir-load-system-desc="path=%t.ttsys" --ttir-implicit-device="mesh-shape=1,2 chip-ids=3,8" %s 2>&1 | FileCheck %s --check-prefix=ID
// RUN: not ttmlir-opt --ttir-load-system-desc="path=%t.ttsys" --ttir-implicit-device="mesh-shape=1,2 chip-ids=3" %s 2>&1 | FileCheck %s --check-prefix=COUNT
// RUN: not ttmlir-opt --ttir-load-system-desc="path=%t.ttsys" --ttir-implicit-device="chip-ids=3,4" %s 2>&1 | FileCheck %s --check-prefix=ONE
// A device needs a system with its chips.

// CHIPS: error: ttir-implicit-device: expected a mesh of at most 1 chip, the chips of the system, found 2x1x1
// ZERO: error: ttir-implicit-device: expected positive mesh dimensions, found 0
// NINE: error: ttir-implicit-device: expected a mesh of at most 8 chips, the chips of the system, found 3x3
// HUGE: error: ttir-implicit-device: expected a mesh of at most 8 chips, the chips of the system, found 1x9223372036854775807x2
// TWICE: error: ttir-implicit-device: expected every chip once in mesh 1x2, found chip 3 twice
// ID: error: ttir-implicit-device: expected chip ids below 8, the chips of the system, for mesh 1x2, found 8
// COUNT: error: ttir-implicit-device: expected 2 chip ids, one for every point of mesh 1x2, found 1
// ONE: error: ttir-implicit-device: expected one chip id without a mesh, found 2
// expected-error@+1 {{expected a module with 'tt.system_desc' to make a device of, found none; run ttir-load-system-desc first}}
module {}

// The meshes of the documentation: batch, side by side, both, and a square of four chips.
// A device that is there stays.
// RUN: echo "module {}" | ttmlir-translate --system-desc-to-flatbuffer --system=t3000 -o %t.ttsys
// RUN: ttmlir-opt --ttir-load-system-desc="path=%t.ttsys" --ttir-implicit-device %s | FileCheck %s --check-prefix=ONE
// RUN: ttmlir-opt --ttir-load-system-desc="path=%t.ttsys" --ttir-implicit-device="mesh-shape=2,1,1" %s | FileCheck %s --check-prefix=BATCH
// RUN: ttmlir-opt --ttir-load-system-desc="path=%t.ttsys" --ttir-implicit-device="mesh-shape=1,2" %s | FileCheck %s --check-prefix=WIDE
// RUN: ttmlir-opt --ttir-load-system-desc="path=%t.ttsys" --ttir-implicit-device="mesh-shape=1,2" --ttir-implicit-device="mesh-shape=2,2" %s | FileCheck %s --check-prefix=WIDE
// RUN: ttmlir-opt --ttir-load-system-desc="path=%t.ttsys" --ttir-implicit-device="mesh-shape=2,1,2" %s | FileCheck %s --check-prefix=BOTH
// RUN: ttmlir-opt --ttir-load-system-desc="path=%t.ttsys" --ttir-implicit-device="mesh-shape=2,2" %s | FileCheck %s --check-prefix=SQUARE
// RUN: ttmlir-opt --ttir-load-system-desc="path=%t.ttsys" --ttir-implicit-device="mesh-shape=2,2,2" %s | FileCheck %s --check-prefix=CUBE

// ONE: workerGrid = #tt.grid<8x8, (d0, d1) -> (0, d0, d1)>
// ONE-SAME: meshShape = , chipIds = [0]>
// BATCH: workerGrid = #tt.grid<2x8x8, (d0, d1, d2) -> (d0, d1, d2)>
// BATCH-SAME: meshShape = 2x1x1, chipIds = [0, 1]>
// WIDE: workerGrid = #tt.grid<8x16, (d0, d1) -> ((d0 floordiv 8) * 2 + d1 floordiv 8, d0, d1 mod 8)>
// WIDE-SAME: meshShape = 1x2, chipIds = [0, 1]>
// BOTH: workerGrid = #tt.grid<2x8x16, (d0, d1, d2) -> (d0 * 2 + (d1 floordiv 8) * 2 + d2 floordiv 8, d1, d2 mod 8)>
// BOTH-SAME: meshShape = 2x1x2, chipIds = [0, 1, 2, 3]>
// SQUARE: workerGrid = #tt.grid<16x16, (d0, d1) -> ((d0 floordiv 8) * 2 + d1 floordiv 8, d0 mod 8, d1 mod 8)>
// SQUARE-SAME: meshShape = 2x2, chipIds = [0, 1, 2, 3]>
// CUBE: workerGrid = #tt.grid<2x16x16, (d0, d1, d2) -> (d0 * 4 + (d1 floordiv 8) * 2 + d2 floordiv 8, d1 mod 8, d2 mod 8)>
module {}

// The meshes of the documentation, on the 2x4 chips of a t3000: batch, side by side, both, a square of four chips, and
// the chips of two devices of a pipeline. A device that is there stays.
// RUN: echo "module {}" | ttmlir-translate --system-desc-to-flatbuffer --system=t3000 -o %t.ttsys
// RUN: ttmlir-opt --ttir-load-system-desc="path=%t.ttsys" --ttir-implicit-device %s | FileCheck %s --check-prefix=ONE
// RUN: ttmlir-opt --ttir-load-system-desc="path=%t.ttsys" --ttir-implicit-device="mesh-shape=2,1,1" %s | FileCheck %s --check-prefix=BATCH
// RUN: ttmlir-opt --ttir-load-system-desc="path=%t.ttsys" --ttir-implicit-device="mesh-shape=1,2" %s | FileCheck %s --check-prefix=WIDE
// RUN: ttmlir-opt --ttir-load-system-desc="path=%t.ttsys" --ttir-implicit-device="mesh-shape=1,2" --ttir-implicit-device="mesh-shape=2,2" %s | FileCheck %s --check-prefix=WIDE
// RUN: ttmlir-opt --ttir-load-system-desc="path=%t.ttsys" --ttir-implicit-device="mesh-shape=2,1,2 chip-ids=0,1,2,3" %s | FileCheck %s --check-prefix=BOTH
// RUN: ttmlir-opt --ttir-load-system-desc="path=%t.ttsys" --ttir-implicit-device="mesh-shape=2,2 chip-ids=4,5,6,7" %s | FileCheck %s --check-prefix=SECOND
// RUN: ttmlir-opt --ttir-load-system-desc="path=%t.ttsys" --ttir-implicit-device="mesh-shape=2,2,2" %s | FileCheck %s --check-prefix=CUBE
// RUN: ttmlir-opt --ttir-load-system-desc="path=%t.ttsys" --ttir-implicit-device="mesh-shape=2,2" %s | FileCheck %s --check-prefix=SQUARE
// RUN: ttmlir-opt --ttir-load-system-desc="path=%t.ttsys" --ttir-implicit-device="mesh-shape=2,1,2" %s | FileCheck %s --check-prefix=SQUARE
// RUN: ttmlir-opt --ttir-load-system-desc="path=%t.ttsys" --ttir-implicit-device="mesh-shape=2,4" %s | FileCheck %s --check-prefix=ALL
// RUN: ttmlir-opt --ttir-load-system-desc="path=%t.ttsys" --ttir-implicit-device="mesh-shape=1,8" %s | FileCheck %s --check-prefix=RING
// RUN: ttmlir-opt --ttir-load-system-desc="path=%t.ttsys" --ttir-implicit-device="mesh-shape=8" %s | FileCheck %s --check-prefix=RING
// RUN: ttmlir-opt --ttir-load-system-desc="path=%t.ttsys" --ttir-implicit-device="mesh-shape=4,2" %s | FileCheck %s --check-prefix=TALL
// RUN: ttmlir-opt --ttir-load-system-desc="path=%t.ttsys" --ttir-implicit-device="mesh-shape=1,4" %s | FileCheck %s --check-prefix=LINE
// RUN: ttmlir-opt --ttir-load-system-desc="path=%t.ttsys" --ttir-implicit-device="mesh-shape=3,2" %s | FileCheck %s --check-prefix=SIX
// RUN: ttmlir-opt --ttir-load-system-desc="path=%t.ttsys" --ttir-implicit-device="mesh-shape=6" %s | FileCheck %s --check-prefix=RING6
// RUN: ttmlir-opt --ttir-load-system-desc="path=%t.ttsys" --ttir-implicit-device="mesh-shape=2,2" --remarks=ttir-implicit-device %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// REMARK-DAG: remark: [Passed] Placed | Category:ttir-implicit-device{{.*}} | Op=builtin.module, Reason="mesh 2x2 on chips 0,1,4,5, the {{.*}} 8x8 cores of each, all that all of them have

// ONE: workerGrid = #tt.grid<8x8, (d0, d1) -> (0, d0, d1)>
// ONE-SAME: meshShape = , chipIds = [0]>
// BATCH: workerGrid = #tt.grid<2x8x8, (d0, d1, d2) -> (d0, d1, d2)>
// BATCH-SAME: meshShape = 2x1x1, chipIds = [0, 1]>
// WIDE: workerGrid = #tt.grid<8x16, (d0, d1) -> ((d0 floordiv 8) * 2 + d1 floordiv 8, d0, d1 mod 8)>
// The memory of a chip is laid out as that of one alone.
// WIDE-SAME: dramMap = (d0, d1)[s0, s1] -> (((d0 floordiv s0) floordiv 8) * 2 + (d1 floordiv s1) floordiv 8, 0, ((((d0 floordiv s0) * 8 + (d1 floordiv s1) mod 8) *
// WIDE-SAME: meshShape = 1x2, chipIds = [0, 1]>
// BOTH: workerGrid = #tt.grid<2x8x16, (d0, d1, d2) -> (d0 * 2 + (d1 floordiv 8) * 2 + d2 floordiv 8, d1, d2 mod 8)>
// BOTH-SAME: meshShape = 2x1x2, chipIds = [0, 1, 2, 3]>
// SECOND: workerGrid = #tt.grid<16x16, (d0, d1) -> ((d0 floordiv 8) * 2 + d1 floordiv 8, d0 mod 8, d1 mod 8)>
// SECOND-SAME: meshShape = 2x2, chipIds = [4, 5, 6, 7]>
// CUBE: workerGrid = #tt.grid<2x16x16, (d0, d1, d2) -> (d0 * 4 + (d1 floordiv 8) * 2 + d2 floordiv 8, d1 mod 8, d2 mod 8)>

// Neighbours in the mesh are joined by links, where the system has enough; the ends of a line too.
// SQUARE: chipIds = [0, 1, 4, 5]>
// ALL: chipIds = [0, 1, 2, 3, 4, 5, 6, 7]>
// RING: chipIds = [0, 1, 2, 3, 7, 6, 5, 4]>
// TALL: chipIds = [0, 4, 1, 5, 2, 6, 3, 7]>
// LINE: chipIds = [0, 1, 2, 3]>
// SIX: chipIds = [0, 4, 1, 5, 2, 6]>
// RING6: chipIds = [0, 1, 2, 6, 5, 4]>
module {}

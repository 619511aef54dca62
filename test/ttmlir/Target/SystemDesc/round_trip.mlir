// RUN: ttmlir-opt --ttir-load-system-desc %s | ttmlir-translate --system-desc-to-flatbuffer -o %t.default
// RUN: ttmlir-translate --system-desc-to-flatbuffer --system=n150 %s -o %t.n150
// RUN: cmp %t.default %t.n150
// RUN: ttmlir-translate --system-desc-to-flatbuffer --system=n300 %s -o %t.n300
// RUN: ttmlir-translate --flatbuffer-to-system-desc %t.n300 | FileCheck %s
// RUN: ttmlir-translate --flatbuffer-to-system-desc %t.n300 -o %t.mlir
// RUN: ttmlir-translate --system-desc-to-flatbuffer --system=n300 %t.mlir -o %t.again
// RUN: cmp %t.n300 %t.again
// RUN: not ttmlir-translate --system-desc-to-flatbuffer --system=n9 %s 2>&1 | FileCheck %s --check-prefix=NAME
// System descriptions as flatbuffers and back.

// CHECK: #tt.system_desc<[{arch = <wormhole_b0>, grid = 8x8,
// CHECK-SAME: ], [0, 0], [3 : i32, 0 : i32], [ 0x0x0x0,  0x0x0x1], [<[0, 0, 0], [1, 0, 0]>, <[0, 0, 1], [1, 0, 1]>]>
// NAME: error: expected --system n150, n300, t3000, galaxy, bh_galaxy, p150, p150x4, p150x8, e150, found n9
module {}

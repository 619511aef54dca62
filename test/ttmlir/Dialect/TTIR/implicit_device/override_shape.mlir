// RUN: ttmlir-opt --ttir-load-system-desc --ttir-implicit-device="override-device-shape=2,3" %s | FileCheck %s
// The device has the given cores of the chip; DRAM is the whole chip's.
// CHECK: #device = #tt.device<workerGrid = #tt.grid<2x3, (d0, d1) -> (0, d0, d1)>, l1Map = (d0, d1)[s0, s1] -> (0, d0 floordiv s0, d1 floordiv s1, (d0 mod s0) * s1 + d1 mod s1)
// CHECK-SAME: floordiv s0) * 3 + d1 floordiv s1
// CHECK-SAME: floordiv 8192) mod 12
module {}

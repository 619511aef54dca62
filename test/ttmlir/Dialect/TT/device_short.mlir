// RUN: ttmlir-opt %s | FileCheck %s
// RUN: ttmlir-opt %s | ttmlir-opt | FileCheck %s
// Devices without maps to memory: those that the compiler makes for the grid.

// The device of one chip, of two and of four, and a view of one chip as a row.
// CHECK-DAG: #[[ONE:device[0-9]*]] = #tt.device<workerGrid = #tt.grid<8x8, (d0, d1) -> (0, d0, d1)>, l1Map = (d0, d1)[s0, s1] -> (0, d0 floordiv s0, d1 floordiv s1, (d0 mod s0) * s1 + d1 mod s1), dramMap = (d0, d1)[s0, s1] -> (0, 0, ((((d0 floordiv s0) * 8 + d1 floordiv s1) * (s0 * s1) + (d0 mod s0) * s1 + d1 mod s1) floordiv 8192) mod 12, (((d0 floordiv s0) * 8 + d1 floordiv s1) * (s0 * s1) + (d0 mod s0) * s1 + d1 mod s1) floordiv 98304 + (((d0 floordiv s0) * 8 + d1 floordiv s1) * (s0 * s1) + (d0 mod s0) * s1 + d1 mod s1) mod 8192), meshShape = 1, chipIds = [0]>
// CHECK-DAG: #[[NONE:device[0-9]*]] = #tt.device<{{.*}}, meshShape = , chipIds = [0]>
// CHECK-DAG: #[[BATCH:device[0-9]*]] = #tt.device<workerGrid = #tt.grid<2x8x8, (d0, d1, d2) -> (d0, d1, d2)>, l1Map = (d0, d1, d2)[s0, s1, s2] -> (d0 floordiv s0, d1 floordiv s1, d2 floordiv s2, (d0 mod s0) * (s1 * s2) + (d1 mod s1) * s2 + d2 mod s2), dramMap = (d0, d1, d2)[s0, s1, s2] -> (d0 floordiv s0, 0, {{.*}}meshShape = 2x1x1, chipIds = [0, 1]>
// CHECK-DAG: #[[WIDE:device[0-9]*]] = #tt.device<workerGrid = #tt.grid<8x16, {{.*}}>, l1Map = (d0, d1)[s0, s1] -> ({{.*}}(d1 floordiv s1) mod 8, (d0 mod s0) * s1 + d1 mod s1), dramMap = {{.*}}meshShape = 1x2, chipIds = [0, 1]>
// CHECK-DAG: #[[OTHERS:device[0-9]*]] = #tt.device<workerGrid = #tt.grid<16x16, {{.*}}meshShape = 2x2, chipIds = [4, 5, 6, 7]>
// CHECK-DAG: #[[ROW:device[0-9]*]] = #tt.device<workerGrid = #tt.grid<1x64, (d0, d1) -> (0, d0 * 8 + d1 floordiv 8, d1 mod 8)>, {{.*}}meshShape = 1, chipIds = [0]>

// CHECK: @devices
// CHECK-SAME: batch = #[[BATCH]]
// CHECK-SAME: none = #[[NONE]]
// CHECK-SAME: one = #[[ONE]], one_in_full = #[[ONE]]
// CHECK-SAME: others = #[[OTHERS]]
// CHECK-SAME: row = #[[ROW]]
// CHECK-SAME: wide = #[[WIDE]]
func.func private @devices() attributes {
  one = #tt.device<
    workerGrid = #tt.grid<8x8, (d0, d1) -> (0, d0, d1)>,
    meshShape = 1,
    chipIds = [0]
  >,
  one_in_full = #tt.device<workerGrid = #tt.grid<8x8, (d0, d1) -> (0, d0, d1)>, l1Map = (d0, d1)[s0, s1] -> (0, d0 floordiv s0, d1 floordiv s1, (d0 mod s0) * s1 + d1 mod s1), dramMap = (d0, d1)[s0, s1] -> (0, 0, ((((d0 floordiv s0) * 8 + d1 floordiv s1) * (s1 * s0) + (d0 mod s0) * s1 + d1 mod s1) floordiv 8192) mod 12, (((d0 floordiv s0) * 8 + d1 floordiv s1) * (s1 * s0) + (d0 mod s0) * s1 + d1 mod s1) floordiv 98304 + (((d0 floordiv s0) * 8 + d1 floordiv s1) * (s1 * s0) + (d0 mod s0) * s1 + d1 mod s1) mod 8192), meshShape = 1, chipIds = [0]>,
  none = #tt.device<workerGrid = <8x8, (d0, d1) -> (0, d0, d1)>, meshShape = , chipIds = [0]>,
  batch = #tt.device<
    workerGrid = #tt.grid<2x8x8, (d0, d1, d2) -> (d0, d1, d2)>,
    meshShape = 2x1x1,
    chipIds = [0, 1]
  >,
  wide = #tt.device<
    workerGrid = #tt.grid<8x16, (d0, d1) -> ((d0 floordiv 8) * 2 + d1 floordiv 8, d0, d1 mod 8)>,
    meshShape = 1x2,
    chipIds = [0, 1]
  >,
  others = #tt.device<
    workerGrid = #tt.grid<16x16, (d0, d1) -> ((d0 floordiv 8) * 2 + d1 floordiv 8, d0 mod 8, d1 mod 8)>,
    meshShape = 2x2,
    chipIds = [4, 5, 6, 7]
  >,
  row = #tt.device<
    workerGrid = #tt.grid<1x64, (d0, d1) -> (0, d0 * 8 + d1 floordiv 8, d1 mod 8)>,
    meshShape = 1,
    chipIds = [0]
  >}

// CHECK: @type(!tt.device<#[[ONE]]>)
func.func private @type(!tt.device<#tt.device<workerGrid = #tt.grid<8x8, (d0, d1) -> (0, d0, d1)>, meshShape = 1, chipIds = [0]>>)

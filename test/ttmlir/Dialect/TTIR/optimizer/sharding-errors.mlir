// RUN: not ttmlir-opt --ttir-optimizer="sharding-pass-enabled=true" %s 2>&1 | FileCheck %s
// Sharding needs to know how much L1 the device has.
// CHECK: error: sharding needs the size of L1: expected the attribute 'tt.system_desc' on the module, found none; run --ttir-load-system-desc first
#d = #tt.device<workerGrid = #tt.grid<8x8, (d0, d1) -> (0, d0, d1)>, l1Map = (d0, d1)[s0, s1] -> (0, d0 floordiv s0, d1 floordiv s1, (d0 mod s0) * s1 + d1 mod s1), dramMap = (d0, d1)[s0, s1] -> (0, 0, ((((d0 floordiv s0) * 8 + d1 floordiv s1) * (s0 * s1) + (d0 mod s0) * s1 + d1 mod s1) floordiv 8192) mod 12, (((d0 floordiv s0) * 8 + d1 floordiv s1) * (s0 * s1) + (d0 mod s0) * s1 + d1 mod s1) floordiv 98304 + (((d0 floordiv s0) * 8 + d1 floordiv s1) * (s0 * s1) + (d0 mod s0) * s1 + d1 mod s1) mod 8192), meshShape = , chipIds = [0]>
module attributes {tt.device = #d} {}

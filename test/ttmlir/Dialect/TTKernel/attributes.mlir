// RUN: ttmlir-opt %s | ttmlir-opt | FileCheck %s
// Attributes and types of the dialect print as they were read.
// CHECK: a = #ttkernel.tensix_config<hifi4, false, false, false>
// CHECK-SAME: b = #ttkernel.tensix_config<lofi, true, true, true>
// CHECK-SAME: c = #ttkernel.tensix_config<hifi2, false, true, false>
// CHECK-SAME: d = #ttkernel.tensix_config<hifi3, true, false, false>
// CHECK-SAME: e = #ttkernel.noc_config<noc0>
// CHECK-SAME: f = #ttkernel.noc_config<noc1>
// CHECK-SAME: g = #ttkernel.ethernet_config<sender, noc0>
// CHECK-SAME: h = #ttkernel.ethernet_config<receiver, noc1>
// CHECK-SAME: i = #ttkernel.thread<tensix>
// CHECK-SAME: j = #ttkernel.thread<noc>
// CHECK-SAME: k = #ttkernel.thread<ethernet>
module attributes {ttkernel.all = {
  a = #ttkernel.tensix_config<hifi4, false, false, false>,
  b = #ttkernel.tensix_config<lofi, true, true, true>,
  c = #ttkernel.tensix_config<hifi2, false, true, false>,
  d = #ttkernel.tensix_config<hifi3, true, false, false>,
  e = #ttkernel.noc_config<noc0>, f = #ttkernel.noc_config<noc1>,
  g = #ttkernel.ethernet_config<sender, noc0>,
  h = #ttkernel.ethernet_config<receiver, noc1>,
  i = #ttkernel.thread<tensix>, j = #ttkernel.thread<noc>,
  k = #ttkernel.thread<ethernet>}} {
// CHECK: @types(!ttkernel.cb<cb_in0, 294912, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>, !ttkernel.cb<cb_in7, 0, memref<64x128xf32, #l1_>, 512, 2>, !ttkernel.noc_addr)
func.func private @types(
  !ttkernel.cb<cb_in0, 294912, memref<2x4x!tt.tile<32x32, f32>, #tt.memory_space<l1>>, 4096, 1>,
  !ttkernel.cb<cb_in7, 0, memref<64x128xf32, #tt.memory_space<l1>>, 512, 2>,
  !ttkernel.noc_addr)
// The ports of each purpose, the first and the last.
// CHECK: @ports(!ttkernel.cb<cb_dfl0, {{.*}}!ttkernel.cb<cb_dfl7, {{.*}}!ttkernel.cb<cb_out0, {{.*}}!ttkernel.cb<cb_out7, {{.*}}!ttkernel.cb<cb_int0, {{.*}}!ttkernel.cb<cb_int7,
func.func private @ports(
  !ttkernel.cb<cb_dfl0, 0, memref<8xi8>, 8, 1>, !ttkernel.cb<cb_dfl7, 0, memref<8xi8>, 8, 1>,
  !ttkernel.cb<cb_out0, 0, memref<8xi8>, 8, 1>, !ttkernel.cb<cb_out7, 0, memref<8xi8>, 8, 1>,
  !ttkernel.cb<cb_int0, 0, memref<8xi8>, 8, 1>, !ttkernel.cb<cb_int7, 0, memref<8xi8>, 8, 1>)
}

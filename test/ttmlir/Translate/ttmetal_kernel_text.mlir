// RUN: ttmlir-opt --ttir-to-ttmetal-backend-pipeline="default-memory-space=l1" %s | ttmlir-translate --ttmetal-to-flatbuffer -o %t.ttm
// RUN: %python %S/Inputs/ttmetal_json.py %schema %t.ttm > %t.txt
// RUN: FileCheck %s < %t.txt
// The C++ of a kernel by its thread: headers, namespace, entry; loops with what they carry; sums of
// two's complement.
#any_device = #tt.operand_constraint<any_device>
// CHECK: EnqueueProgramCommand [3, 6, 9]
// CHECK: #include "compute_kernel_api/eltwise_binary.h"
// CHECK-NEXT: namespace NAMESPACE {
// CHECK-NEXT: void kernel_main() {
// CHECK-NEXT: ::tt::CB [[V0:v[0-9]+]] = ::tt::CB::c_in0;
// CHECK-NEXT: ::tt::CB [[IN:v[0-9]+]] = [[V0]];
// CHECK-NEXT: ::tt::CB [[V1:v[0-9]+]] = ::tt::CB::c_out0;
// CHECK-NEXT: ::tt::CB [[OUT:v[0-9]+]] = [[V1]];
// CHECK-NEXT: int32_t [[N:v[0-9]+]] = 4;
// CHECK-NEXT: tilize_init([[IN]], [[N]], [[OUT]]);
// CHECK-NEXT: tilize_block([[IN]], [[N]], [[OUT]]);
// CHECK-NEXT: cb_pop_front([[IN]], [[N]]);
// CHECK-NEXT: cb_push_back([[OUT]], [[N]]);
// CHECK-NEXT: tilize_block([[IN]], [[N]], [[OUT]]);
// CHECK-NEXT: cb_pop_front([[IN]], [[N]]);
// CHECK-NEXT: cb_push_back([[OUT]], [[N]]);
// CHECK-NEXT: return;
// CHECK-NEXT: }
// CHECK-NEXT: void MAIN { kernel_main(); }
// CHECK-NEXT: }
// CHECK: binary_op_init_common([[A:v[0-9]+]], [[B:v[0-9]+]], [[OUT:v[0-9]+]]);
// CHECK-NEXT: mul_tiles_init([[A]], [[B]]);
// CHECK: int32_t [[FIRST:v[0-9]+]] = 0;
// CHECK: int32_t [[ROW:v[0-9]+]];
// CHECK-NEXT: [[ROW]] = [[FIRST]];
// CHECK-NEXT: for (int32_t [[I:[a-z0-9]+]] = {{v[0-9]+}}; [[I]] < {{v[0-9]+}}; [[I]] += {{v[0-9]+}}) {
// CHECK: for (int32_t [[J:[a-z0-9]+]] = {{v[0-9]+}}; [[J]] < {{v[0-9]+}}; [[J]] += {{v[0-9]+}}) {
// CHECK-NEXT: int32_t [[TILE:v[0-9]+]] = [[COLUMN:v[0-9]+]];
// CHECK-NEXT: int32_t [[DST:v[0-9]+]] = 0;
// CHECK-NEXT: tile_regs_acquire();
// CHECK-NEXT: mul_tiles([[A]], [[B]], [[TILE]], [[TILE]], [[DST]]);
// CHECK-NEXT: tile_regs_commit();
// CHECK-NEXT: tile_regs_wait();
// CHECK-NEXT: pack_tile([[DST]], [[OUT]], [[TILE]]);
// CHECK-NEXT: tile_regs_release();
// CHECK-NEXT: int32_t [[ONE:v[0-9]+]] = 1;
// CHECK-NEXT: uint32_t [[X:v[0-9]+]] = (uint32_t) [[TILE]];
// CHECK-NEXT: uint32_t [[Y:v[0-9]+]] = (uint32_t) [[ONE]];
// CHECK-NEXT: uint32_t [[SUM:v[0-9]+]] = [[X]] + [[Y]];
// CHECK-NEXT: int32_t [[NEXT:v[0-9]+]] = (int32_t) [[SUM]];
// CHECK-NEXT: [[COLUMN]] = [[NEXT]];
// CHECK-NEXT: }
// CHECK-NEXT: int32_t [[END:v[0-9]+]] = [[COLUMN]];
// CHECK-NEXT: int32_t {{v[0-9]+}} = 0;
// CHECK-NEXT: [[ROW]] = [[END]];
// CHECK-NEXT: }
func.func @multiply(%arg0: tensor<64x128xf32>, %arg1: tensor<64x128xf32>) -> tensor<64x128xf32> {
  %0 = tensor.empty() : tensor<64x128xf32>
  %1 = "ttir.multiply"(%arg0, %arg1, %0) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any_device, #any_device, #any_device]}> : (tensor<64x128xf32>, tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  return %1 : tensor<64x128xf32>
}

// CHECK: program kinds
// CHECK: NocConfig
// CHECK: NocConfig
// CHECK: {{^}}#include <cstdint>
// CHECK-NEXT: #include "dataflow_api.h"
// CHECK-NEXT: void kernel_main() {
// CHECK-NEXT: int32_t [[Y:v[0-9]+]] = 1;
// CHECK: get_noc_addr([[Y]], [[Y]], [[Y]]);
// CHECK: {{^}}#include <cstdint>
// CHECK-NEXT: #include "dataflow_api.h"
// CHECK-NEXT: void kernel_main() {
// CHECK-NEXT: return;
// CHECK-NEXT: }
func.func @kinds() {
  "ttmetal.dispatch"() <{core_ranges = [#ttmetal.core_range<0x0, 1x1>, #ttmetal.core_range<0x0, 1x1>], kernelConfigs = [#ttkernel.noc_config<noc0>, #ttkernel.noc_config<noc1>], operandSegmentSizes = array<i32: 0, 0>}> ({
    %y = arith.constant 1 : i32
    %zero = arith.constant 0 : i32
    %sum = arith.addi %y, %zero : i32
    %noc = "ttkernel.get_noc_addr"(%sum, %y, %y) : (i32, i32, i32) -> !ttkernel.noc_addr
    "ttkernel.noc_async_read"(%noc, %y, %y) : (!ttkernel.noc_addr, i32, i32) -> ()
    "ttkernel.return"() : () -> ()
  }, {
    "ttkernel.return"() : () -> ()
  }) : () -> ()
  return
}

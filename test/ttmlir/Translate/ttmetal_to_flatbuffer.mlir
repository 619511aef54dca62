// RUN: ttmlir-opt --ttir-load-system-desc --ttir-implicit-device %s | ttmlir-translate --ttmetal-to-flatbuffer -o %t.ttm
// RUN: %python %S/Inputs/ttmetal_json.py %schema %t.ttm > %t.txt
// RUN: FileCheck %s < %t.txt
// Commands, addresses, buffers, arguments and the instructions of kernels.
#l1_ = #tt.memory_space<l1>
#system = #tt.memory_space<system>
#host = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #system>>
#device = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<2x4x!tt.tile<32x32, f32>, #l1_>>
!in = !ttkernel.cb<cb_in0, 1024, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>
!spare = !ttkernel.cb<cb_int0, 99328, memref<1x2x!tt.tile<32x32, bf16>, #l1_>, 2048, 2>
!tensor = tensor<64x128xf32, #device>
!host = tensor<64x128xf32, #host>
// CHECK: program program inputs [1] outputs [7]
// CHECK-NEXT: CreateBufferCommand 2 @33792 size 32768
// CHECK-NEXT: EnqueueWriteBufferCommand 3 -> 2 constant 32768 bytes of 0000803f
// CHECK-NEXT: EnqueueProgramCommand [1, 2] semaphores [0, 1] common [5]
// CHECK-NEXT: NocConfig 0x0 2x1 args [address 0, scalar [3, 4], semaphore 7] compile [9]
// CHECK-NEXT: cb 0 @1024 page 4096 x 1 size 32768 tensor 1
// CHECK-NEXT: cb 24 @99328 page 2048 x 2 size 4096 tensor None
// CHECK-NEXT: constants [1024]
// CHECK-NEXT: 0: tensor_accessor -> r1 0 0
// CHECK-NEXT: 1: core_index -> r2
// CHECK-NEXT: 2: noc_async_read_page 2 1 0
// A value that is used no more gives its register away.
// CHECK-NEXT: 3: load_from_l1 -> r1 2 2
// CHECK-NEXT: 4: dprint 4 1
// CHECK-NEXT: 5: ret
// CHECK-NEXT: strings {{.*:12', '[{][}] pages'}}
// CHECK-NEXT: accessor DeviceDRAM Interleaved 4000 4032
// CHECK-NEXT: TensixConfig 0x0 1x1 args [] compile []
// CHECK-NEXT: cb 0 @1024 page 4096 x 1 size 32768 tensor 1
// CHECK-NEXT: constants [0, 1, 4]
// CHECK-NEXT: 0: move -> r[[X:[0-9]+]] 1
// CHECK-NEXT: 1: move -> r[[Y:[0-9]+]] 0
// CHECK-NEXT: 2: move -> r[[I:[0-9]+]] 0
// CHECK-NEXT: 3: cmpi -> r[[C:[0-9]+]] 2 [[I]] 2
// CHECK-NEXT: 4: cond_br [[C]] 5 [[END:[0-9]+]]
// CHECK-NEXT: 5: cb_pop_front 0 1
// The index is counted in the register of the loop's own argument.
// CHECK-NEXT: 6: addi -> r[[I]] [[I]] 1
// The arguments of the loop change places.
// CHECK-NEXT: 7: move -> r[[SPARE:[0-9]+]] [[A:[0-9]+]]
// CHECK-NEXT: 8: move -> r[[A]] [[B:[0-9]+]]
// CHECK-NEXT: 9: move -> r[[B]] [[SPARE]]
// CHECK-NEXT: 10: cmpi -> r[[C]] 2 [[I]] 2
// CHECK-NEXT: 11: cond_br [[C]] 5 [[END]]
// CHECK-NEXT: [[END]]: cb_pop_front 0
// CHECK-NEXT: {{[0-9]+}}: ret
// CHECK-NEXT: strings
// CHECK-NEXT: EnqueueReadBufferCommand 2 -> 7
// CHECK-NEXT: DeallocateBufferCommand 2 @33792
// CHECK: debug mlir ttmetal
// CHECK: void kernel_main() {
// CHECK: void MAIN { kernel_main(); }
func.func @program(%a: !tensor) -> !host attributes {tt.arg_alloc = [#tt.arg_alloc<1024, 32768, l1>]} {
  %0 = "ttmetal.host_constant"() <{value = dense<1.0> : tensor<64x128xf32>}> : () -> !host
  %1 = "ttmetal.alloc"() <{address = 33792 : i64, memory_space = #l1_, size = 32768 : i64}> : () -> !tensor
  %2 = "ttmetal.host_write"(%0, %1) : (!host, !tensor) -> !tensor
  %3 = "ttmetal.dispatch"(%a, %2) <{core_ranges = [#ttmetal.core_range<0x0, 2x1>, #ttmetal.core_range<0x0, 1x1>], kernelConfigs = [#ttkernel.noc_config<noc0>, #ttkernel.tensix_config<hifi4, false, false, false>], operandSegmentSizes = array<i32: 1, 1>, runtime_args = [[#ttmetal.tensor_address<0>, #ttmetal.scalar_args<[3, 4]>, #ttmetal.semaphore_address<7>], []], compile_args = [[9 : i32], []], common_args = array<i32: 5>, semaphores = array<i32: 0, 1>}> ({
  ^bb0(%in: !in, %spare: !spare):
    %base = arith.constant 1024 : i32
    %tensor = "ttkernel.tensor_accessor"(%base) <{args = #ttkernel.tensor_accessor_args<dram, interleaved, 4000, 4032, tensor = 1x4>}> : (i32) -> !ttkernel.tensor_accessor
    %i = "ttkernel.core_index"() : () -> i32
    "ttkernel.noc_async_read_page"(%i, %tensor, %base) : (i32, !ttkernel.tensor_accessor, i32) -> ()
    %loaded = "ttkernel.load_from_l1"(%i) <{bytes = 2 : i32}> : (i32) -> i32
    "ttkernel.dprint"(%loaded) <{fmt = "{} pages"}> : (i32) -> ()
    "ttkernel.return"() : () -> ()
  }, {
  ^bb0(%in: !in):
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %n = arith.constant 4 : i32
    %r:2 = scf.for %i = %zero to %n step %one iter_args(%x = %zero, %y = %one) -> (i32, i32) : i32 {
      "ttkernel.cb_pop_front"(%in, %one) : (!in, i32) -> ()
      scf.yield %y, %x : i32, i32
    }
    "ttkernel.cb_pop_front"(%in, %r#0) : (!in, i32) -> ()
    "ttkernel.return"() : () -> ()
  }) : (!tensor, !tensor) -> !tensor
  %4 = tensor.empty() : !host
  %5 = "ttmetal.host_read"(%3, %4) : (!tensor, !host) -> !host
  "ttmetal.dealloc"(%1) : (!tensor) -> ()
  return %5 : !host
}

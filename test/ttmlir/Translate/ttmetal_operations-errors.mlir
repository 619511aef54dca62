// What cannot be serialized is an error at its operation, and no file appears.
// RUN: ttmlir-opt --split-input-file --ttir-load-system-desc --ttir-implicit-device --mlir-print-debuginfo %s -o %t.mlir
// RUN: not ttmlir-translate --split-input-file --ttmetal-to-flatbuffer %t.mlir -o %t.ttm 2>&1 | FileCheck %s
// RUN: test ! -e %t.ttm
// RUN: not ttmlir-translate --ttmetal-to-flatbuffer %S/missing_attributes-errors.mlir -o %t.ttm 2>&1 | FileCheck %s --check-prefix=SYSTEM
// SYSTEM: error: cannot be serialized: expected the attribute tt.system_desc on the module, which --ttir-load-system-desc sets
// CHECK: error: 'arith.extui' op has no instruction: expected integers of 32 bits, found 'i32' -> 'i64'
func.func @program() {
  "ttmetal.dispatch"() <{core_ranges = [#ttmetal.core_range<0x0, 1x1>], kernelConfigs = [#ttkernel.noc_config<noc0>], operandSegmentSizes = array<i32: 0, 0>}> ({
    %i = "ttkernel.core_index"() : () -> i32
    %0 = arith.extui %i : i32 to i64
    %use = arith.trunci %0 : i64 to i32
    "ttkernel.noc_semaphore_set"(%use, %use) : (i32, i32) -> ()
    "ttkernel.return"() : () -> ()
  }) : () -> ()
  return
}

// -----
// CHECK: error: 'arith.addi' op has no instruction: expected integers of 32 bits, found 'i8', 'i8' -> 'i8'
func.func @program() {
  "ttmetal.dispatch"() <{core_ranges = [#ttmetal.core_range<0x0, 1x1>], kernelConfigs = [#ttkernel.noc_config<noc0>], operandSegmentSizes = array<i32: 0, 0>}> ({
    %i = "ttkernel.core_index"() : () -> i32
    %0 = arith.trunci %i : i32 to i8
    %1 = arith.addi %0, %0 : i8
    %use = arith.extui %1 : i8 to i32
    "ttkernel.noc_semaphore_set"(%use, %use) : (i32, i32) -> ()
    "ttkernel.return"() : () -> ()
  }) : () -> ()
  return
}

// -----
// CHECK: error: 'arith.constant' op has no place in a register of a kernel: expected an integer of at most 32 bits, found 1.000000e+00 : f32
func.func @program() {
  "ttmetal.dispatch"() <{core_ranges = [#ttmetal.core_range<0x0, 1x1>], kernelConfigs = [#ttkernel.noc_config<noc0>], operandSegmentSizes = array<i32: 0, 0>}> ({
    %0 = arith.constant 1.0 : f32
    %use = arith.fptosi %0 : f32 to i32
    "ttkernel.noc_semaphore_set"(%use, %use) : (i32, i32) -> ()
    "ttkernel.return"() : () -> ()
  }) : () -> ()
  return
}

// -----
// CHECK: error: 'arith.constant' op has no place in a register of a kernel: expected an integer of at most 32 bits, found 4294967296 : index
func.func @program() {
  "ttmetal.dispatch"() <{core_ranges = [#ttmetal.core_range<0x0, 1x1>], kernelConfigs = [#ttkernel.noc_config<noc0>], operandSegmentSizes = array<i32: 0, 0>}> ({
    %0 = arith.constant 4294967296 : index
    %use = arith.index_cast %0 : index to i32
    "ttkernel.noc_semaphore_set"(%use, %use) : (i32, i32) -> ()
    "ttkernel.return"() : () -> ()
  }) : () -> ()
  return
}

// -----
// CHECK: error: 'arith.ceildivsi' op has no instruction: kernels are made of ttkernel ops, integer ops of arith, local arrays of memref, and scf or cf
func.func @program() {
  "ttmetal.dispatch"() <{core_ranges = [#ttmetal.core_range<0x0, 1x1>], kernelConfigs = [#ttkernel.noc_config<noc0>], operandSegmentSizes = array<i32: 0, 0>}> ({
    %i = "ttkernel.core_index"() : () -> i32
    %use = arith.ceildivsi %i, %i : i32
    "ttkernel.noc_semaphore_set"(%use, %use) : (i32, i32) -> ()
    "ttkernel.return"() : () -> ()
  }) : () -> ()
  return
}

// -----
// CHECK: error: 'arith.select' op uses a value of the program around its kernel: expected circular buffers and arguments of the dispatch, found a value of type 'tensor<32x32xf32
#layout = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<32x32xf32, #tt.memory_space<l1>>>
func.func @program(%a: tensor<32x32xf32, #layout>) attributes {tt.arg_alloc = [#tt.arg_alloc<1024, 4096, l1>]} {
  "ttmetal.dispatch"() <{core_ranges = [#ttmetal.core_range<0x0, 1x1>], kernelConfigs = [#ttkernel.noc_config<noc0>], operandSegmentSizes = array<i32: 0, 0>}> ({
    %true = arith.constant true
    %0 = arith.select %true, %a, %a : tensor<32x32xf32, #layout>
    "ttkernel.return"() : () -> ()
  }) : () -> ()
  return
}

// -----
// CHECK: error: 'func.func' op cannot be serialized: expected the attribute tt.arg_alloc with the addresses of its arguments, which --ttir-allocate sets
func.func @no_addresses(%a: tensor<32x32xf32, #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<32x32xf32, #tt.memory_space<dram>>, interleaved>>) {
  return
}

// -----
// CHECK: error: 'func.func' op cannot be serialized: argument 0 is in dram, but its address in l1
func.func @other_space(%a: tensor<32x32xf32, #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<32x32xf32, #tt.memory_space<dram>>, interleaved>>) attributes {tt.arg_alloc = [#tt.arg_alloc<1024, 4096, l1>]} {
  return
}

// -----
// CHECK: error: 'tensor.empty' op is no command and cannot be serialized: expected ttmetal ops
func.func @no_command() {
  %0 = tensor.empty() : tensor<32x32xf32>
  return
}

// -----
// CHECK: error: 'func.func' op cannot be serialized: expected a body of one block, found 0 blocks
func.func private @declaration()

// -----
// CHECK: error: 'ttmetal.dispatch' op cannot be serialized: expected kernels of the cores of the grid, #ttkernel.noc_config or #ttkernel.tensix_config, found #ttkernel.ethernet_config<sender, noc0> for region 1
func.func @ethernet() {
  "ttmetal.dispatch"() <{core_ranges = [#ttmetal.core_range<0x0, 1x1>, #ttmetal.core_range<0x0, 1x1>], kernelConfigs = [#ttkernel.noc_config<noc0>, #ttkernel.ethernet_config<sender, noc0>], operandSegmentSizes = array<i32: 0, 0>}> ({
    "ttkernel.return"() : () -> ()
  }, {
    "ttkernel.return"() : () -> ()
  }) : () -> ()
  return
}

// -----
// CHECK: error: 'ttmetal.dispatch' op cannot be serialized: expected tiles of 32x32, which every runtime loads, found '!tt.tile<16x32, f32>'
func.func @small_tiles() {
  "ttmetal.dispatch"() <{core_ranges = [#ttmetal.core_range<0x0, 1x1>], kernelConfigs = [#ttkernel.noc_config<noc0>], operandSegmentSizes = array<i32: 0, 0>}> ({
  ^bb0(%x: !ttkernel.cb<cb_in0, 1024, memref<1x1x!tt.tile<16x32, f32>>, 2048, 1>):
    "ttkernel.return"() : () -> ()
  }) : () -> ()
  return
}

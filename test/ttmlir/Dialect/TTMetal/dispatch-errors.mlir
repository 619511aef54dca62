// RUN: ttmlir-opt --split-input-file --verify-diagnostics %s
// Kernels of a dispatch, where they run and their arguments; the names say which rule is broken.
#l1_ = #tt.memory_space<l1>
#device = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #l1_>>
func.func @dispatch_c2_runtime_args(%a: tensor<64x128xf32, #device>) {
  // expected-error@+1 {{(C2) runtime_args must have one entry for each region: expected 1, found 2}}
  %0 = "ttmetal.dispatch"(%a, %a) <{core_ranges = [#ttmetal.core_range<0x0, 1x1>], kernelConfigs = [#ttkernel.noc_config<noc0>], operandSegmentSizes = array<i32: 1, 1>, runtime_args = [[], []]}> ({
    "ttkernel.return"() : () -> ()
  }) : (tensor<64x128xf32, #device>, tensor<64x128xf32, #device>) -> tensor<64x128xf32, #device>
  return
}

// -----

#l1_ = #tt.memory_space<l1>
#device = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #l1_>>
func.func @dispatch_c2_compile_args(%a: tensor<64x128xf32, #device>) {
  // expected-error@+1 {{(C2) compile_args must have one entry for each region: expected 1, found 0}}
  %0 = "ttmetal.dispatch"(%a, %a) <{core_ranges = [#ttmetal.core_range<0x0, 1x1>], kernelConfigs = [#ttkernel.noc_config<noc0>], operandSegmentSizes = array<i32: 1, 1>, compile_args = []}> ({
    "ttkernel.return"() : () -> ()
  }) : (tensor<64x128xf32, #device>, tensor<64x128xf32, #device>) -> tensor<64x128xf32, #device>
  return
}

// -----

#l1_ = #tt.memory_space<l1>
#device = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #l1_>>
func.func @dispatch_c4(%a: tensor<64x128xf32, #device>) {
  // expected-error@+1 {{(C4) expected at most 16 semaphores, found 17}}
  %0 = "ttmetal.dispatch"(%a, %a) <{core_ranges = [#ttmetal.core_range<0x0, 1x1>], kernelConfigs = [#ttkernel.noc_config<noc0>], operandSegmentSizes = array<i32: 1, 1>, semaphores = array<i32: 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>}> ({
    "ttkernel.return"() : () -> ()
  }) : (tensor<64x128xf32, #device>, tensor<64x128xf32, #device>) -> tensor<64x128xf32, #device>
  return
}

// -----

#l1_ = #tt.memory_space<l1>
#device = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #l1_>>
func.func @dispatch_c5_ports(%a: tensor<64x128xf32, #device>) {
  // expected-error@+1 {{(C5) circular buffers of region 0 must have ports of their own: found cb_in0 twice}}
  %0 = "ttmetal.dispatch"(%a, %a) <{core_ranges = [#ttmetal.core_range<0x0, 1x1>], kernelConfigs = [#ttkernel.noc_config<noc0>], operandSegmentSizes = array<i32: 1, 1>}> ({
  ^bb0(%x: !ttkernel.cb<cb_in0, 1024, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>, %y: !ttkernel.cb<cb_in0, 1024, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>):
    "ttkernel.return"() : () -> ()
  }) : (tensor<64x128xf32, #device>, tensor<64x128xf32, #device>) -> tensor<64x128xf32, #device>
  return
}

// -----

#l1_ = #tt.memory_space<l1>
#device = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #l1_>>
func.func @dispatch_c5_types(%a: tensor<64x128xf32, #device>) {
  // expected-error@+1 {{(C5) a circular buffer must have one type in regions that share cores: found '!ttkernel.cb<cb_in0, 1024, memref<2x4x!tt.tile<32x32, f32>, #tt.memory_space<l1>>, 4096, 1>' in region 0 and '!ttkernel.cb<cb_in0, 1024, memref<2x4x!tt.tile<32x32, f32>, #tt.memory_space<l1>>, 4096, 2>' in region 1}}
  %0 = "ttmetal.dispatch"(%a, %a) <{core_ranges = [#ttmetal.core_range<0x0, 1x1>, #ttmetal.core_range<0x0, 1x1>], kernelConfigs = [#ttkernel.noc_config<noc0>, #ttkernel.noc_config<noc1>], operandSegmentSizes = array<i32: 1, 1>}> ({
  ^bb0(%x: !ttkernel.cb<cb_in0, 1024, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>):
    "ttkernel.return"() : () -> ()
  }, {
  ^bb0(%x: !ttkernel.cb<cb_in0, 1024, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 2>):
    "ttkernel.return"() : () -> ()
  }) : (tensor<64x128xf32, #device>, tensor<64x128xf32, #device>) -> tensor<64x128xf32, #device>
  return
}

// -----

#l1_ = #tt.memory_space<l1>
#device = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #l1_>>
module attributes {tt.device = #tt.device<workerGrid = #tt.grid<8x8, (d0, d1) -> (0, d0, d1)>, l1Map = (d0, d1)[s0, s1] -> (0, d0 floordiv s0, d1 floordiv s1, (d0 mod s0) * s1 + d1 mod s1), dramMap = (d0, d1)[s0, s1] -> (0, 0, d0, d1), meshShape = , chipIds = [0]>} {
func.func @dispatch_c6(%a: tensor<64x128xf32, #device>) {
  // expected-error@+1 {{(C6) core ranges must lie in the 8x8 grid of the device: found #ttmetal.core_range<0x7, 1x2>}}
  %0 = "ttmetal.dispatch"(%a, %a) <{core_ranges = [#ttmetal.core_range<0x7, 1x2>], kernelConfigs = [#ttkernel.noc_config<noc0>], operandSegmentSizes = array<i32: 1, 1>}> ({
    "ttkernel.return"() : () -> ()
  }) : (tensor<64x128xf32, #device>, tensor<64x128xf32, #device>) -> tensor<64x128xf32, #device>
  return
}
}

// -----

#l1_ = #tt.memory_space<l1>
#device = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #l1_>>
func.func @dispatch_c7(%a: tensor<64x128xf32, #device>) {
  // expected-error@+1 {{(C7) regions 0 and 1 share cores and must run on different threads: found #ttkernel.tensix_config<hifi4, true, false, false> for both}}
  %0 = "ttmetal.dispatch"(%a, %a) <{core_ranges = [#ttmetal.core_range<0x0, 2x2>, #ttmetal.core_range<1x1, 1x1>], kernelConfigs = [#ttkernel.tensix_config<hifi4, true, false, false>, #ttkernel.tensix_config<hifi4, true, false, false>], operandSegmentSizes = array<i32: 1, 1>}> ({
    "ttkernel.return"() : () -> ()
  }, {
    "ttkernel.return"() : () -> ()
  }) : (tensor<64x128xf32, #device>, tensor<64x128xf32, #device>) -> tensor<64x128xf32, #device>
  return
}

// -----

#l1_ = #tt.memory_space<l1>
#device = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #l1_>>
func.func @dispatch_c8_tensor(%a: tensor<64x128xf32, #device>) {
  // expected-error@+1 {{(C8) expected the index of one of 2 operands, found #ttmetal.tensor_address<2>}}
  %0 = "ttmetal.dispatch"(%a, %a) <{core_ranges = [#ttmetal.core_range<0x0, 1x1>], kernelConfigs = [#ttkernel.noc_config<noc0>], operandSegmentSizes = array<i32: 1, 1>, runtime_args = [[#ttmetal.tensor_address<2>]]}> ({
    "ttkernel.return"() : () -> ()
  }) : (tensor<64x128xf32, #device>, tensor<64x128xf32, #device>) -> tensor<64x128xf32, #device>
  return
}

// -----

#l1_ = #tt.memory_space<l1>
#device = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #l1_>>
func.func @dispatch_c8_scalars(%a: tensor<64x128xf32, #device>) {
  // expected-error@+1 {{(C8) expected one number or one for each of 4 cores of region 0, found 3}}
  %0 = "ttmetal.dispatch"(%a, %a) <{core_ranges = [#ttmetal.core_range<0x0, 2x2>], kernelConfigs = [#ttkernel.noc_config<noc0>], operandSegmentSizes = array<i32: 1, 1>, runtime_args = [[#ttmetal.scalar_args<[1, 2, 3]>]]}> ({
    "ttkernel.return"() : () -> ()
  }) : (tensor<64x128xf32, #device>, tensor<64x128xf32, #device>) -> tensor<64x128xf32, #device>
  return
}

// -----

#l1_ = #tt.memory_space<l1>
#device = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #l1_>>
func.func @dispatch_c8_other(%a: tensor<64x128xf32, #device>) {
  // expected-error@+1 {{(C8) expected #ttmetal.tensor_address, #ttmetal.semaphore_address or #ttmetal.scalar_args, found 5 : i32}}
  %0 = "ttmetal.dispatch"(%a, %a) <{core_ranges = [#ttmetal.core_range<0x0, 1x1>], kernelConfigs = [#ttkernel.noc_config<noc0>], operandSegmentSizes = array<i32: 1, 1>, runtime_args = [[5 : i32]]}> ({
    "ttkernel.return"() : () -> ()
  }) : (tensor<64x128xf32, #device>, tensor<64x128xf32, #device>) -> tensor<64x128xf32, #device>
  return
}

// -----

#l1_ = #tt.memory_space<l1>
#device = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #l1_>>
func.func @dispatch_c8_compile(%a: tensor<64x128xf32, #device>) {
  // expected-error@+1 {{(C8) expected compile arguments of type i32, found 5 : i64}}
  %0 = "ttmetal.dispatch"(%a, %a) <{core_ranges = [#ttmetal.core_range<0x0, 1x1>], kernelConfigs = [#ttkernel.noc_config<noc0>], operandSegmentSizes = array<i32: 1, 1>, compile_args = [[5 : i64]]}> ({
    "ttkernel.return"() : () -> ()
  }) : (tensor<64x128xf32, #device>, tensor<64x128xf32, #device>) -> tensor<64x128xf32, #device>
  return
}

// -----

// expected-error@+2 {{expected integer value}}
// expected-error@+1 {{failed to parse TTMetal_ScalarArgsAttr parameter 'values'}}
func.func @scalar_args_c1() attributes {ttmetal.args = #ttmetal.scalar_args<[]>} {
  return
}

// -----

#layout = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #tt.memory_space<system>>>
func.func @host_constant_c1() {
  // expected-error@+1 {{failed to verify that all of {value, result} have same shape: value is 'tensor<2x2xf32>'}}
  %0 = "ttmetal.host_constant"() <{value = dense<1.0> : tensor<2x2xf32>}> : () -> tensor<64x128xf32, #layout>
  return
}

// -----

#layout = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #tt.memory_space<l1>>>
func.func @host_constant_c2() {
  // expected-error@+1 {{Output tensor must be in system memory space: found l1}}
  %0 = "ttmetal.host_constant"() <{value = dense<1.0> : tensor<64x128xf32>}> : () -> tensor<64x128xf32, #layout>
  return
}

// -----

func.func @dispatch_c10_pages() {
  // expected-error@+1 {{(C10) expected pages that fill the 17028 bytes of a circular buffer, found '!ttkernel.cb<cb_in0, 1024, memref<33x129xf32>, 512, 1>'}}
  "ttmetal.dispatch"() <{core_ranges = [#ttmetal.core_range<0x0, 1x1>], kernelConfigs = [#ttkernel.noc_config<noc0>], operandSegmentSizes = array<i32: 0, 0>}> ({
  ^bb0(%x: !ttkernel.cb<cb_in0, 1024, memref<33x129xf32>, 512, 1>):
    "ttkernel.return"() : () -> ()
  }) : () -> ()
  return
}

// -----

func.func @dispatch_c10_no_page() {
  // expected-error@+1 {{(C10) expected pages that fill the 4096 bytes of a circular buffer, found '!ttkernel.cb<cb_in0, 1024, memref<8x128xf32>, 0, 1>'}}
  "ttmetal.dispatch"() <{core_ranges = [#ttmetal.core_range<0x0, 1x1>], kernelConfigs = [#ttkernel.noc_config<noc0>], operandSegmentSizes = array<i32: 0, 0>}> ({
  ^bb0(%x: !ttkernel.cb<cb_in0, 1024, memref<8x128xf32>, 0, 1>):
    "ttkernel.return"() : () -> ()
  }) : () -> ()
  return
}

// -----

// A tile of a block format has exponents too.
func.func @dispatch_c10_blocks() {
  // expected-error@+1 {{(C10) expected pages that fill the 2176 bytes of a circular buffer, found '!ttkernel.cb<cb_in0, 1024, memref<1x2x!tt.tile<32x32, bfp_bf8>>, 1024, 1>'}}
  "ttmetal.dispatch"() <{core_ranges = [#ttmetal.core_range<0x0, 1x1>], kernelConfigs = [#ttkernel.noc_config<noc0>], operandSegmentSizes = array<i32: 0, 0>}> ({
  ^bb0(%x: !ttkernel.cb<cb_in0, 1024, memref<1x2x!tt.tile<32x32, bfp_bf8>>, 1024, 1>):
    "ttkernel.return"() : () -> ()
  }) : () -> ()
  return
}

// -----

func.func @dispatch_c10_shards() {
  // expected-error@+1 {{(C10) expected circular buffers of 1 to 1024 shards, found '!ttkernel.cb<cb_in0, 1024, memref<2xi8>, 2, 1025>'}}
  "ttmetal.dispatch"() <{core_ranges = [#ttmetal.core_range<0x0, 1x1>], kernelConfigs = [#ttkernel.noc_config<noc0>], operandSegmentSizes = array<i32: 0, 0>}> ({
  ^bb0(%x: !ttkernel.cb<cb_in0, 1024, memref<2xi8>, 2, 1025>):
    "ttkernel.return"() : () -> ()
  }) : () -> ()
  return
}

// -----

// Far away cores are the same cores: the end of their range does not overflow.
#l1_ = #tt.memory_space<l1>
#device = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #l1_>>
func.func @dispatch_c7_far(%a: tensor<64x128xf32, #device>) {
  // expected-error@+1 {{(C7) regions 0 and 1 share cores and must run on different threads: found #ttkernel.tensix_config<hifi4, true, false, false> for both}}
  %0 = "ttmetal.dispatch"(%a, %a) <{core_ranges = [#ttmetal.core_range<9223372036854775807x0, 2x2>, #ttmetal.core_range<9223372036854775807x1, 1x1>], kernelConfigs = [#ttkernel.tensix_config<hifi4, true, false, false>, #ttkernel.tensix_config<hifi4, true, false, false>], operandSegmentSizes = array<i32: 1, 1>}> ({
    "ttkernel.return"() : () -> ()
  }, {
    "ttkernel.return"() : () -> ()
  }) : (tensor<64x128xf32, #device>, tensor<64x128xf32, #device>) -> tensor<64x128xf32, #device>
  return
}

// -----

#l1_ = #tt.memory_space<l1>
#device = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #l1_>>
module attributes {tt.device = #tt.device<workerGrid = #tt.grid<8x8, (d0, d1) -> (0, d0, d1)>, l1Map = (d0, d1)[s0, s1] -> (0, d0 floordiv s0, d1 floordiv s1, (d0 mod s0) * s1 + d1 mod s1), dramMap = (d0, d1)[s0, s1] -> (0, 0, d0, d1), meshShape = , chipIds = [0]>} {
func.func @dispatch_c6_far(%a: tensor<64x128xf32, #device>) {
  // expected-error@+1 {{(C6) core ranges must lie in the 8x8 grid of the device: found #ttmetal.core_range<9223372036854775807x0, 1x2>}}
  %0 = "ttmetal.dispatch"(%a, %a) <{core_ranges = [#ttmetal.core_range<9223372036854775807x0, 1x2>], kernelConfigs = [#ttkernel.noc_config<noc0>], operandSegmentSizes = array<i32: 1, 1>}> ({
    "ttkernel.return"() : () -> ()
  }) : (tensor<64x128xf32, #device>, tensor<64x128xf32, #device>) -> tensor<64x128xf32, #device>
  return
}
}

// -----

#l1_ = #tt.memory_space<l1>
#device = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #l1_>>
func.func @dispatch_c2_cpp_kernels(%a: tensor<64x128xf32, #device>) {
  // expected-error@+1 {{(C2) cpp_kernels must have one entry for each region: expected 1, found 2}}
  %0 = "ttmetal.dispatch"(%a, %a) <{core_ranges = [#ttmetal.core_range<0x0, 1x1>], cpp_kernels = [unit, unit], kernelConfigs = [#ttkernel.noc_config<noc0>], operandSegmentSizes = array<i32: 1, 1>}> ({
    "ttkernel.return"() : () -> ()
  }) : (tensor<64x128xf32, #device>, tensor<64x128xf32, #device>) -> tensor<64x128xf32, #device>
  return
}

// -----

#l1_ = #tt.memory_space<l1>
#device = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #l1_>>
func.func @dispatch_c11(%a: tensor<64x128xf32, #device>) {
  // expected-error@+1 {{(C11) expected #ttmetal.cpp_kernel or unit in cpp_kernels, found "reader"}}
  %0 = "ttmetal.dispatch"(%a, %a) <{core_ranges = [#ttmetal.core_range<0x0, 1x1>], cpp_kernels = ["reader"], kernelConfigs = [#ttkernel.noc_config<noc0>], operandSegmentSizes = array<i32: 1, 1>}> ({
    "ttkernel.return"() : () -> ()
  }) : (tensor<64x128xf32, #device>, tensor<64x128xf32, #device>) -> tensor<64x128xf32, #device>
  return
}

// -----

// expected-error@+1 {{(C1) expected arguments and addresses that are 32-bit integers}}
#cpp_kernel_c1 = #ttmetal.cpp_kernel<source = "", path = "", defines = {}, compile_args = [1 : i64], named_compile_args = {}, common_args = 0, headers = {}, addresses = [], tensors = []>

// -----

// expected-error@+1 {{(C2) expected macros that are strings or unit, and headers that are strings}}
#cpp_kernel_c2 = #ttmetal.cpp_kernel<source = "", path = "", defines = {A = 1 : i32}, compile_args = [], named_compile_args = {}, common_args = 0, headers = {}, addresses = [], tensors = []>

// -----

// expected-error@+1 {{(C3) expected a #ttkernel.tensor_accessor_args for each of 1 addresses, found []}}
#cpp_kernel_c3 = #ttmetal.cpp_kernel<source = "", path = "", defines = {}, compile_args = [], named_compile_args = {}, common_args = 0, headers = {}, addresses = [4096 : i32], tensors = []>

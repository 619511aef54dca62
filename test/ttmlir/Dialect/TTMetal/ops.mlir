// RUN: ttmlir-opt %s | ttmlir-opt | FileCheck %s
// Attributes and ops of the dialect print as they were read.
#dram = #tt.memory_space<dram>
#l1_ = #tt.memory_space<l1>
#system = #tt.memory_space<system>
#host = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #system>>
#device = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #l1_>>
// CHECK: module attributes {ttmetal.range = #ttmetal.core_range<1x2, 8x7>}
module attributes {ttmetal.range = #ttmetal.core_range<1x2, 8x7>} {
// CHECK-LABEL: func.func @program
func.func @program(%a: tensor<64x128xf32, #host>) -> tensor<64x128xf32, #host> {
  // CHECK: "ttmetal.alloc"() <{address = 66560 : i64, memory_space = #l1_, size = 32768 : i64}> : () -> tensor<64x128xf32, #[[DEVICE:.*]]>
  %0 = "ttmetal.alloc"() <{address = 66560 : i64, memory_space = #l1_, size = 32768 : i64}> : () -> tensor<64x128xf32, #device>
  // CHECK: "ttmetal.host_write"(%{{.*}}, %{{.*}}) : (tensor<64x128xf32, #[[HOST:.*]]>, tensor<64x128xf32, #[[DEVICE]]>) -> tensor<64x128xf32, #[[DEVICE]]>
  %1 = "ttmetal.host_write"(%a, %0) : (tensor<64x128xf32, #host>, tensor<64x128xf32, #device>) -> tensor<64x128xf32, #device>
  %2 = "ttmetal.alloc"() <{address = 99328 : i64, memory_space = #l1_, size = 32768 : i64}> : () -> tensor<64x128xf32, #device>
  // CHECK: "ttmetal.dispatch"(%{{.*}}, %{{.*}}) <{core_ranges = [#ttmetal.core_range<0x0, 1x1>, #ttmetal.core_range<0x0, 1x1>], kernelConfigs = [#ttkernel.noc_config<noc0>, #ttkernel.tensix_config<hifi4, false, false, false>], operandSegmentSizes = array<i32: 1, 1>}> ({
  // CHECK-NEXT: "ttkernel.noc_async_read_barrier"() : () -> ()
  // CHECK-NEXT: "ttkernel.return"() : () -> ()
  // CHECK-NEXT: }, {
  // CHECK-NEXT: ^bb0(%{{.*}}: !ttkernel.cb<cb_in0, 66560, memref<64x128xf32, #l1_>, 512, 1>):
  // CHECK: "ttkernel.cb_pop_front"
  // CHECK: }) : (tensor<64x128xf32, #[[DEVICE]]>, tensor<64x128xf32, #[[DEVICE]]>) -> tensor<64x128xf32, #[[DEVICE]]>
  %3 = "ttmetal.dispatch"(%1, %2) <{core_ranges = [#ttmetal.core_range<0x0, 1x1>, #ttmetal.core_range<0x0, 1x1>], kernelConfigs = [#ttkernel.noc_config<noc0>, #ttkernel.tensix_config<hifi4, false, false, false>], operandSegmentSizes = array<i32: 1, 1>}> ({
    "ttkernel.noc_async_read_barrier"() : () -> ()
    "ttkernel.return"() : () -> ()
  }, {
  ^bb0(%cb: !ttkernel.cb<cb_in0, 66560, memref<64x128xf32, #l1_>, 512, 1>):
    %lower = arith.constant 0 : i32
    %step = arith.constant 1 : i32
    scf.for %i = %lower to %step step %step : i32 {
      "ttkernel.cb_pop_front"(%cb, %step) : (!ttkernel.cb<cb_in0, 66560, memref<64x128xf32, #l1_>, 512, 1>, i32) -> ()
    }
    "ttkernel.return"() : () -> ()
  }) : (tensor<64x128xf32, #device>, tensor<64x128xf32, #device>) -> tensor<64x128xf32, #device>
  // CHECK: "ttmetal.dealloc"(%{{.*}}) : (tensor<64x128xf32, #[[DEVICE]]>) -> ()
  "ttmetal.dealloc"(%0) : (tensor<64x128xf32, #device>) -> ()
  %4 = "ttmetal.alloc"() <{address = 0 : i64, memory_space = #system, size = 32768 : i64}> : () -> tensor<64x128xf32, #host>
  // CHECK: "ttmetal.host_read"(%{{.*}}, %{{.*}}) : (tensor<64x128xf32, #[[DEVICE]]>, tensor<64x128xf32, #[[HOST]]>) -> tensor<64x128xf32, #[[HOST]]>
  %5 = "ttmetal.host_read"(%3, %4) : (tensor<64x128xf32, #device>, tensor<64x128xf32, #host>) -> tensor<64x128xf32, #host>
  return %5 : tensor<64x128xf32, #host>
}

// CHECK-LABEL: func.func @kernel_in_cpp
func.func @kernel_in_cpp(%a: tensor<64x128xf32, #device>) -> tensor<64x128xf32, #device> {
  // CHECK: cpp_kernels = [#ttmetal.cpp_kernel<source = "void kernel_main() {}\0A", path = "reader.cpp", defines = {CB = "0", DEBUG}, compile_args = [7 : i32], named_compile_args = {scale = 2 : i32}, common_args = 0, headers = {"own/sizes.h" = "\0A"}, addresses = [4096 : i32], tensors = [#ttkernel.tensor_accessor_args<dram, interleaved, 4096, 4096, tensor = 2x4{{ ?}}>]>]
  %0 = "ttmetal.dispatch"(%a, %a) <{core_ranges = [#ttmetal.core_range<0x0, 1x1>], cpp_kernels = [#ttmetal.cpp_kernel<source = "void kernel_main() {}\0A", path = "reader.cpp", defines = {CB = "0", DEBUG}, compile_args = [7 : i32], named_compile_args = {scale = 2 : i32}, common_args = 0, headers = {"own/sizes.h" = "\0A"}, addresses = [4096 : i32], tensors = [#ttkernel.tensor_accessor_args<dram, interleaved, 4096, 4096, tensor = 2x4>]>], kernelConfigs = [#ttkernel.noc_config<noc0>], operandSegmentSizes = array<i32: 1, 1>}> ({
    "ttkernel.return"() : () -> ()
  }) : (tensor<64x128xf32, #device>, tensor<64x128xf32, #device>) -> tensor<64x128xf32, #device>
  return %0 : tensor<64x128xf32, #device>
}
}

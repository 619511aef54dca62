// RUN: ttmlir-opt --split-input-file --verify-diagnostics %s
// Ops and attributes that break one rule each; the names say which.
#l1_ = #tt.memory_space<l1>
#system = #tt.memory_space<system>
#host = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #system>>
#device = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #l1_>>
func.func @alloc_c1_layout() {
  // expected-error@+1 {{Result type missing layout attribute: found 'tensor<64x128xf32>'}}
  %0 = "ttmetal.alloc"() <{address = 1024 : i64, memory_space = #l1_, size = 4 : i64}> : () -> tensor<64x128xf32>
  return
}

// -----

#l1_ = #tt.memory_space<l1>
#system = #tt.memory_space<system>
#host = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #system>>
#device = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #l1_>>
func.func @alloc_c1_space() {
  // expected-error@+1 {{Input tensor layout memory space must match alloc memory space: expected l1, found system}}
  %0 = "ttmetal.alloc"() <{address = 1024 : i64, memory_space = #system, size = 4 : i64}> : () -> tensor<64x128xf32, #device>
  return
}

// -----

#l1_ = #tt.memory_space<l1>
#system = #tt.memory_space<system>
#host = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #system>>
#device = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #l1_>>
func.func @alloc_c2() {
  // expected-error@+1 {{Alloc size must be non-zero: found 0}}
  %0 = "ttmetal.alloc"() <{address = 1024 : i64, memory_space = #l1_, size = 0 : i64}> : () -> tensor<64x128xf32, #device>
  return
}

// -----

#l1_ = #tt.memory_space<l1>
#system = #tt.memory_space<system>
#host = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #system>>
#device = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #l1_>>
func.func @alloc_c3_system() {
  // expected-error@+1 {{Allocating from system memory space must have address set to 0, implicitly allocated by the runtime: found 1024}}
  %0 = "ttmetal.alloc"() <{address = 1024 : i64, memory_space = #system, size = 4 : i64}> : () -> tensor<64x128xf32, #host>
  return
}

// -----

#l1_ = #tt.memory_space<l1>
#system = #tt.memory_space<system>
#host = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #system>>
#device = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #l1_>>
func.func @alloc_c3_device() {
  // expected-error@+1 {{Allocating from a device memory space must have address set to a non-zero value, device addresses are statically allocated: found 0}}
  %0 = "ttmetal.alloc"() <{address = 0 : i64, memory_space = #l1_, size = 4 : i64}> : () -> tensor<64x128xf32, #device>
  return
}

// -----

#l1_ = #tt.memory_space<l1>
#system = #tt.memory_space<system>
#host = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #system>>
#device = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #l1_>>
func.func @host_read_c1_input(%a: tensor<64x128xf32>, %b: tensor<64x128xf32, #host>) {
  // expected-error@+1 {{Input tensor missing layout attribute: found 'tensor<64x128xf32>'}}
  %0 = "ttmetal.host_read"(%a, %b) : (tensor<64x128xf32>, tensor<64x128xf32, #host>) -> tensor<64x128xf32, #host>
  return
}

// -----

#l1_ = #tt.memory_space<l1>
#system = #tt.memory_space<system>
#host = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #system>>
#device = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #l1_>>
func.func @host_read_c1_output(%a: tensor<64x128xf32, #device>, %b: tensor<64x128xf32>) {
  // expected-error@+1 {{Output tensor missing layout attribute: found 'tensor<64x128xf32>'}}
  %0 = "ttmetal.host_read"(%a, %b) : (tensor<64x128xf32, #device>, tensor<64x128xf32>) -> tensor<64x128xf32>
  return
}

// -----

#l1_ = #tt.memory_space<l1>
#system = #tt.memory_space<system>
#host = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #system>>
#device = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #l1_>>
func.func @host_read_c2_input(%a: tensor<64x128xf32, #host>, %b: tensor<64x128xf32, #host>) {
  // expected-error@+1 {{Input tensor must be in device memory space: found system}}
  %0 = "ttmetal.host_read"(%a, %b) : (tensor<64x128xf32, #host>, tensor<64x128xf32, #host>) -> tensor<64x128xf32, #host>
  return
}

// -----

#l1_ = #tt.memory_space<l1>
#system = #tt.memory_space<system>
#host = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #system>>
#device = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #l1_>>
func.func @host_read_c2_output(%a: tensor<64x128xf32, #device>, %b: tensor<64x128xf32, #device>) {
  // expected-error@+1 {{Output tensor must be in system memory space: found l1}}
  %0 = "ttmetal.host_read"(%a, %b) : (tensor<64x128xf32, #device>, tensor<64x128xf32, #device>) -> tensor<64x128xf32, #device>
  return
}

// -----

#l1_ = #tt.memory_space<l1>
#system = #tt.memory_space<system>
#host = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #system>>
#device = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #l1_>>
func.func @host_write_c1_input(%a: tensor<64x128xf32>, %b: tensor<64x128xf32, #device>) {
  // expected-error@+1 {{Input tensor missing layout attribute: found 'tensor<64x128xf32>'}}
  %0 = "ttmetal.host_write"(%a, %b) : (tensor<64x128xf32>, tensor<64x128xf32, #device>) -> tensor<64x128xf32, #device>
  return
}

// -----

#l1_ = #tt.memory_space<l1>
#system = #tt.memory_space<system>
#host = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #system>>
#device = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #l1_>>
func.func @host_write_c1_output(%a: tensor<64x128xf32, #host>, %b: tensor<64x128xf32>) {
  // expected-error@+1 {{Output tensor missing layout attribute: found 'tensor<64x128xf32>'}}
  %0 = "ttmetal.host_write"(%a, %b) : (tensor<64x128xf32, #host>, tensor<64x128xf32>) -> tensor<64x128xf32>
  return
}

// -----

#l1_ = #tt.memory_space<l1>
#system = #tt.memory_space<system>
#host = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #system>>
#device = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #l1_>>
func.func @host_write_c2_input(%a: tensor<64x128xf32, #device>, %b: tensor<64x128xf32, #device>) {
  // expected-error@+1 {{Input tensor must be in system memory space: found l1}}
  %0 = "ttmetal.host_write"(%a, %b) : (tensor<64x128xf32, #device>, tensor<64x128xf32, #device>) -> tensor<64x128xf32, #device>
  return
}

// -----

#l1_ = #tt.memory_space<l1>
#system = #tt.memory_space<system>
#host = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #system>>
#device = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #l1_>>
func.func @host_write_c2_output(%a: tensor<64x128xf32, #host>, %b: tensor<64x128xf32, #host>) {
  // expected-error@+1 {{Output tensor must be in device memory space: found system}}
  %0 = "ttmetal.host_write"(%a, %b) : (tensor<64x128xf32, #host>, tensor<64x128xf32, #host>) -> tensor<64x128xf32, #host>
  return
}

// -----

#l1_ = #tt.memory_space<l1>
#system = #tt.memory_space<system>
#host = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #system>>
#device = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #l1_>>
func.func @dispatch_c1_input(%a: tensor<64x128xf32>, %b: tensor<64x128xf32, #device>) {
  // expected-error@+1 {{Input tensor missing layout attribute: found 'tensor<64x128xf32>'}}
  %0 = "ttmetal.dispatch"(%a, %b) <{core_ranges = [#ttmetal.core_range<0x0, 1x1>], kernelConfigs = [#ttkernel.noc_config<noc0>], operandSegmentSizes = array<i32: 1, 1>}> ({
    "ttkernel.return"() : () -> ()
  }) : (tensor<64x128xf32>, tensor<64x128xf32, #device>) -> tensor<64x128xf32, #device>
  return
}

// -----

#l1_ = #tt.memory_space<l1>
#system = #tt.memory_space<system>
#host = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #system>>
#device = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #l1_>>
func.func @dispatch_c1_input_space(%a: tensor<64x128xf32, #host>, %b: tensor<64x128xf32, #device>) {
  // expected-error@+1 {{Input tensor must be in device memory space: found system}}
  %0 = "ttmetal.dispatch"(%a, %b) <{core_ranges = [#ttmetal.core_range<0x0, 1x1>], kernelConfigs = [#ttkernel.noc_config<noc0>], operandSegmentSizes = array<i32: 1, 1>}> ({
    "ttkernel.return"() : () -> ()
  }) : (tensor<64x128xf32, #host>, tensor<64x128xf32, #device>) -> tensor<64x128xf32, #device>
  return
}

// -----

#l1_ = #tt.memory_space<l1>
#system = #tt.memory_space<system>
#host = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #system>>
#device = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #l1_>>
func.func @dispatch_c1_output(%a: tensor<64x128xf32, #device>, %b: tensor<64x128xf32>) {
  // expected-error@+1 {{Output tensor missing layout attribute: found 'tensor<64x128xf32>'}}
  %0 = "ttmetal.dispatch"(%a, %b) <{core_ranges = [#ttmetal.core_range<0x0, 1x1>], kernelConfigs = [#ttkernel.noc_config<noc0>], operandSegmentSizes = array<i32: 1, 1>}> ({
    "ttkernel.return"() : () -> ()
  }) : (tensor<64x128xf32, #device>, tensor<64x128xf32>) -> tensor<64x128xf32>
  return
}

// -----

#l1_ = #tt.memory_space<l1>
#system = #tt.memory_space<system>
#host = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #system>>
#device = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #l1_>>
func.func @dispatch_c1_output_space(%a: tensor<64x128xf32, #device>, %b: tensor<64x128xf32, #host>) {
  // expected-error@+1 {{Output tensor must be in device memory space: found system}}
  %0 = "ttmetal.dispatch"(%a, %b) <{core_ranges = [#ttmetal.core_range<0x0, 1x1>], kernelConfigs = [#ttkernel.noc_config<noc0>], operandSegmentSizes = array<i32: 1, 1>}> ({
    "ttkernel.return"() : () -> ()
  }) : (tensor<64x128xf32, #device>, tensor<64x128xf32, #host>) -> tensor<64x128xf32, #host>
  return
}

// -----

#l1_ = #tt.memory_space<l1>
#system = #tt.memory_space<system>
#host = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #system>>
#device = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #l1_>>
func.func @dispatch_c2_ranges(%a: tensor<64x128xf32, #device>, %b: tensor<64x128xf32, #device>) {
  // expected-error@+1 {{core_ranges and kernelConfigs must have one entry for each region: expected 1, found 2 and 1}}
  %0 = "ttmetal.dispatch"(%a, %b) <{core_ranges = [#ttmetal.core_range<0x0, 1x1>, #ttmetal.core_range<0x0, 1x1>], kernelConfigs = [#ttkernel.noc_config<noc0>], operandSegmentSizes = array<i32: 1, 1>}> ({
    "ttkernel.return"() : () -> ()
  }) : (tensor<64x128xf32, #device>, tensor<64x128xf32, #device>) -> tensor<64x128xf32, #device>
  return
}

// -----

#l1_ = #tt.memory_space<l1>
#system = #tt.memory_space<system>
#host = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #system>>
#device = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #l1_>>
func.func @dispatch_c2_configs(%a: tensor<64x128xf32, #device>, %b: tensor<64x128xf32, #device>) {
  // expected-error@+1 {{core_ranges and kernelConfigs must have one entry for each region: expected 1, found 1 and 0}}
  %0 = "ttmetal.dispatch"(%a, %b) <{core_ranges = [#ttmetal.core_range<0x0, 1x1>], kernelConfigs = [], operandSegmentSizes = array<i32: 1, 1>}> ({
    "ttkernel.return"() : () -> ()
  }) : (tensor<64x128xf32, #device>, tensor<64x128xf32, #device>) -> tensor<64x128xf32, #device>
  return
}

// -----

#l1_ = #tt.memory_space<l1>
#system = #tt.memory_space<system>
#host = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #system>>
#device = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #l1_>>
func.func @dispatch_c3(%a: tensor<64x128xf32, #device>, %b: tensor<64x128xf32, #device>) {
  // expected-error@+1 {{Block inputs must be CBType: found 'i32'}}
  %0 = "ttmetal.dispatch"(%a, %b) <{core_ranges = [#ttmetal.core_range<0x0, 1x1>], kernelConfigs = [#ttkernel.noc_config<noc0>], operandSegmentSizes = array<i32: 1, 1>}> ({
  ^bb0(%i: i32):
    "ttkernel.return"() : () -> ()
  }) : (tensor<64x128xf32, #device>, tensor<64x128xf32, #device>) -> tensor<64x128xf32, #device>
  return
}

// -----

// expected-error@+1 {{expected an offset and a size of 2 extents each, found 2 and 1}}
func.func private @core_range_c1_rank() attributes {a = #ttmetal.core_range<0x0, 1>}

// -----

// expected-error@+1 {{expected a positive size, found 0x1}}
func.func private @core_range_c1_size() attributes {a = #ttmetal.core_range<0x0, 0x1>}

// -----

func.func @dispatch_c3_empty() {
  // expected-error@+1 {{expected a kernel in region 0, found an empty region}}
  "ttmetal.dispatch"() <{core_ranges = [#ttmetal.core_range<0x0, 1x1>], kernelConfigs = [#ttkernel.noc_config<noc0>], operandSegmentSizes = array<i32: 0, 0>}> ({}) : () -> ()
  return
}

// -----

#l1_ = #tt.memory_space<l1>
#device = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #l1_>>
func.func @alloc_c4() {
  // expected-error@+1 {{expected address and size of at most 2^40 on a device, found 1024 and 18446744071562067968}}
  %0 = "ttmetal.alloc"() <{address = 1024 : i64, memory_space = #l1_, size = -2147483648 : i64}> : () -> tensor<64x128xf32, #device>
  return
}

// RUN: ttmlir-opt --ttir-load-system-desc --ttir-implicit-device --ttir-allocate --convert-ttir-to-ttmetal --split-input-file %s | FileCheck %s
// RUN: ttmlir-opt --ttir-load-system-desc --ttir-implicit-device --ttir-allocate --convert-ttir-to-ttmetal --split-input-file --remarks %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// REMARK-DAG: remark: [Passed] Moved | Category:convert-ttir-to-ttmetal | Function=host | Op=ttir.to_layout, Reason="the host writes the tensor to 
// REMARK-DAG: remark: [Passed] Moved | Category:convert-ttir-to-ttmetal | Function=host | Op=ttir.to_layout, Reason="the host reads the tensor from 
// REMARK-DAG: remark: [Passed] Moved | Category:convert-ttir-to-ttmetal | Function=reads | Op=ttir.to_layout, Reason="cores fetch the parts of their shards, to 
// REMARK-DAG: remark: [Passed] Moved | Category:convert-ttir-to-ttmetal | Function=pages | Op=ttir.to_layout, Reason="cores move the pages of their shards, to 

// Allocations keep their attributes; host memory is read and written by commands.
#host = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #tt.memory_space<system>>>
#shard = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #tt.memory_space<l1>>>
// CHECK-LABEL: func.func @host
func.func @host(%arg0: tensor<64x128xf32, #host>) -> tensor<64x128xf32, #host> {
  %0 = tensor.empty() : tensor<64x128xf32, #shard>
  %2 = tensor.empty() : tensor<64x128xf32, #host>
  // CHECK: %[[DEVICE:.*]] = "ttmetal.alloc"() <{address = 1024 : i64, memory_space = #l1_, size = 32768 : i64}>
  // CHECK: %[[HOST:.*]] = "ttmetal.alloc"() <{address = 0 : i64, memory_space = #system
  // CHECK: %[[WRITTEN:.*]] = "ttmetal.host_write"(%arg0, %[[DEVICE]])
  %1 = "ttir.to_layout"(%arg0, %0) : (tensor<64x128xf32, #host>, tensor<64x128xf32, #shard>) -> tensor<64x128xf32, #shard>
  // CHECK: %[[READ:.*]] = "ttmetal.host_read"(%[[WRITTEN]], %[[HOST]])
  // CHECK: "ttmetal.dealloc"(%[[DEVICE]])
  // CHECK: return %[[READ]]
  %3 = "ttir.to_layout"(%1, %2) : (tensor<64x128xf32, #shard>, tensor<64x128xf32, #host>) -> tensor<64x128xf32, #host>
  return %3 : tensor<64x128xf32, #host>
}

// -----

// Every core of the destination reads its shard; what continues on both sides is one transaction.
#whole = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<4x16xf32, #tt.memory_space<l1>>>
#quarters = #tt.layout<(d0, d1) -> (d0, d1), undef, <2x2>, memref<2x8xf32, #tt.memory_space<l1>>>
// CHECK-LABEL: func.func @reads
func.func @reads(%arg0: tensor<4x16xf32, #whole>) -> tensor<4x16xf32, #quarters> {
  %0 = tensor.empty() : tensor<4x16xf32, #quarters>
  // CHECK: "ttmetal.dispatch"(%arg0, %{{.*}}) <{core_ranges = [#ttmetal.core_range<0x0, 1x1>, #ttmetal.core_range<0x1, 1x1>, #ttmetal.core_range<1x0, 1x1>, #ttmetal.core_range<1x1, 1x1>], kernelConfigs = [#ttkernel.noc_config<noc0>, #ttkernel.noc_config<noc0>, #ttkernel.noc_config<noc0>, #ttkernel.noc_config<noc0>], kernel_names = ["reader", "reader", "reader", "reader"], operandSegmentSizes = array<i32: 1, 1>, program_name = "to_layout"}> ({
  // CHECK-NEXT: %[[Y:.*]] = arith.constant 0 : i32
  // CHECK-NEXT: %[[X:.*]] = arith.constant 0 : i32
  // CHECK-NEXT: %[[SOURCE:.*]] = arith.constant 1024 : i32
  // CHECK-NEXT: %[[DESTINATION:.*]] = arith.constant 1280 : i32
  // CHECK-NEXT: %[[SIZE:.*]] = arith.constant 32 : i32
  // CHECK-NEXT: %[[ADDRESS:.*]] = "ttkernel.get_noc_addr"(%[[X]], %[[Y]], %[[SOURCE]])
  // CHECK-NEXT: "ttkernel.noc_async_read"(%[[ADDRESS]], %[[DESTINATION]], %[[SIZE]])
  // CHECK: "ttkernel.noc_async_read"
  // CHECK-NEXT: "ttkernel.noc_async_read_barrier"()
  // CHECK-NEXT: "ttkernel.return"()
  // CHECK: arith.constant 1056 : i32
  %1 = "ttir.to_layout"(%arg0, %0) : (tensor<4x16xf32, #whole>, tensor<4x16xf32, #quarters>) -> tensor<4x16xf32, #quarters>
  return %1 : tensor<4x16xf32, #quarters>
}

// -----

// To DRAM the cores of the source write; channel 0 is the physical core (8, 0).
#whole = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<16x64xf32, #tt.memory_space<l1>>>
#dram = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<16x64xf32, #tt.memory_space<dram>>>
// CHECK-LABEL: func.func @writes
func.func @writes(%arg0: tensor<16x64xf32, #whole>) -> tensor<16x64xf32, #dram> {
  %0 = tensor.empty() : tensor<16x64xf32, #dram>
  // CHECK: "ttmetal.dispatch"(%arg0, %{{.*}}) <{core_ranges = [#ttmetal.core_range<0x0, 1x1>]
  // CHECK-NEXT: %[[Y:.*]] = arith.constant 8 : i32
  // CHECK-NEXT: %[[X:.*]] = arith.constant 0 : i32
  // CHECK-NEXT: %[[SOURCE:.*]] = arith.constant 1024 : i32
  // CHECK-NEXT: %[[DESTINATION:.*]] = arith.constant 1024 : i32
  // CHECK-NEXT: %[[SIZE:.*]] = arith.constant 4096 : i32
  // CHECK-NEXT: %[[ADDRESS:.*]] = "ttkernel.get_noc_addr"(%[[X]], %[[Y]], %[[DESTINATION]])
  // CHECK-NEXT: "ttkernel.noc_async_write"(%[[SOURCE]], %[[ADDRESS]], %[[SIZE]])
  // CHECK-NEXT: "ttkernel.noc_async_write_barrier"()
  // CHECK-NEXT: "ttkernel.return"()
  %1 = "ttir.to_layout"(%arg0, %0) : (tensor<16x64xf32, #whole>, tensor<16x64xf32, #dram>) -> tensor<16x64xf32, #dram>
  return %1 : tensor<16x64xf32, #dram>
}

// -----

// Between pages in DRAM and shards every core moves its own.
#pages = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<4x4x!tt.tile<32x32, f32>, #tt.memory_space<dram>>, interleaved>
#shards = #tt.layout<(d0, d1) -> (d0, d1), undef, <2x2>, memref<2x2x!tt.tile<32x32, f32>, #tt.memory_space<l1>>>
// CHECK-LABEL: func.func @pages
func.func @pages(%arg0: tensor<128x128xf32, #pages>) -> tensor<128x128xf32, #shards> {
  %0 = tensor.empty() : tensor<128x128xf32, #shards>
  // CHECK: "ttmetal.dispatch"(%arg0, %{{.*}}) <{core_ranges = [#ttmetal.core_range<0x0, 2x2>]
  // CHECK: "ttkernel.my_logical_y"()
  // CHECK: "ttkernel.my_logical_x"()
  // CHECK: "ttkernel.noc_async_read_page"
  // CHECK: "ttkernel.noc_async_read_barrier"()
  %1 = "ttir.to_layout"(%arg0, %0) : (tensor<128x128xf32, #pages>, tensor<128x128xf32, #shards>) -> tensor<128x128xf32, #shards>
  return %1 : tensor<128x128xf32, #shards>
}

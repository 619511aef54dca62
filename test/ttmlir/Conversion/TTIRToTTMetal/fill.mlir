// RUN: ttmlir-opt --ttir-to-ttmetal-backend-pipeline %s | FileCheck %s
// RUN: ttmlir-opt --ttir-to-ttmetal-backend-pipeline="default-memory-space=l1" %s | FileCheck %s --check-prefix=L1
#any = #tt.operand_constraint<any_device_tile>

// One number is written by the cores.
// CHECK-LABEL: func.func @splat
func.func @splat() -> tensor<64x128xbf16> {
  // CHECK: "ttmetal.dispatch"{{.*}}core_ranges = [#ttmetal.core_range<0x0, 8x8>], kernelConfigs = [#ttkernel.noc_config<noc1>]
  // CHECK-DAG: %[[ELEMENTS:.*]] = arith.constant 128 : i32
  // CHECK-DAG: %[[BITS:.*]] = arith.constant 16128 : i32
  // CHECK: "ttkernel.fill_with_val"(%{{.*}}, %[[ELEMENTS]], %[[BITS]]) <{bytes = 2 : i32}>
  // CHECK: "ttkernel.noc_async_write_page"
  // In shards it comes from the host.
  // L1-LABEL: func.func @splat
  // L1: %[[HOST:.*]] = "ttmetal.host_constant"() <{value = dense<5.000000e-01> : tensor<64x128xbf16>}>
  // L1: "ttmetal.host_write"(%[[HOST]], %{{.*}})
  %0 = "ttir.constant"() <{value = dense<0.5> : tensor<64x128xbf16>}> : () -> tensor<64x128xbf16>
  return %0 : tensor<64x128xbf16>
}

// Different numbers come from the host.
// CHECK-LABEL: func.func @elements
func.func @elements() -> tensor<1x4xf32> {
  // CHECK: %[[HOST:.*]] = "ttmetal.host_constant"() <{value = dense<{{.*}}> : tensor<1x4xf32>}>
  // CHECK: "ttmetal.host_write"(%[[HOST]], %{{.*}})
  %0 = "ttir.constant"() <{value = dense<[[1.0, 2.0, 3.0, 4.0]]> : tensor<1x4xf32>}> : () -> tensor<1x4xf32>
  return %0 : tensor<1x4xf32>
}

// So is a number whose padding has to be another one.
// CHECK-LABEL: func.func @padded
func.func @padded(%a: tensor<40x50xf32>) -> tensor<40x40xf32> {
  // CHECK: %[[HOST:.*]] = "ttmetal.host_constant"() <{value = dense<5.000000e-01> : tensor<50x40xf32>}>
  // CHECK: "ttmetal.host_write"(%[[HOST]], %{{.*}})
  %0 = "ttir.constant"() <{value = dense<0.5> : tensor<50x40xf32>}> : () -> tensor<50x40xf32>
  %1 = tensor.empty() : tensor<40x40xf32>
  %2 = "ttir.matmul"(%a, %0, %1) <{operand_constraints = [#any, #any, #any]}> : (tensor<40x50xf32>, tensor<50x40xf32>, tensor<40x40xf32>) -> tensor<40x40xf32>
  return %2 : tensor<40x40xf32>
}

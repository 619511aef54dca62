// RUN: ttmlir-opt --ttnn-ccl-activation-dtype-lowering %s | FileCheck %s --check-prefix=OFF
// RUN: ttmlir-opt --ttnn-ccl-activation-dtype-lowering=lower-f32=true %s | FileCheck %s
// RUN: ttmlir-opt --ttnn-ccl-activation-dtype-lowering --remarks --verify-diagnostics %s
// Products of f32 are lowered on request only.
#dram = #tt.memory_space<dram>
#t = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<1x4x!tt.tile<32x32, bf16>, #dram>, interleaved>
#w = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<4x4x!tt.tile<32x32, bf16>, #dram>, interleaved>
#t32 = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<1x4x!tt.tile<32x32, f32>, #dram>, interleaved>
#w32 = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<4x4x!tt.tile<32x32, f32>, #dram>, interleaved>

// CHECK-DAG: #[[T:.*]] = #tt.layout<{{.*}}memref<1x4x!tt.tile<32x32, f32>
// CHECK-DAG: #[[T8:.*]] = #tt.layout<{{.*}}memref<1x4x!tt.tile<32x32, bfp_bf8>
// OFF-DAG: #[[T:.*]] = #tt.layout<{{.*}}memref<1x4x!tt.tile<32x32, f32>
// OFF-DAG: #[[B8:.*]] = #tt.layout<{{.*}}memref<1x4x!tt.tile<32x32, bfp_bf8>

// CHECK-LABEL: func.func @f32(
// OFF-LABEL: func.func @f32(
// OFF-NOT: #[[B8]]>
func.func @f32(%x: tensor<32x128xf32, #t32>, %w: tensor<128x128xf32, #w32>, %residual: tensor<32x128xf32, #t32>) -> tensor<32x128xf32, #t32> {
  // CHECK: "ttnn.empty"() <{dtype = #tt.supportedDataTypes<bfp_bf8>
  // CHECK-NEXT: "ttnn.matmul"({{.*}} -> tensor<32x128xf32, #[[T8]]>
  %e0 = "ttnn.empty"() <{dtype = #tt.supportedDataTypes<f32>, layout = #ttnn.layout<tile>, shape = #ttnn.shape<32x128>}> : () -> tensor<32x128xf32, #t32>
  %m = "ttnn.matmul"(%x, %w, %e0) : (tensor<32x128xf32, #t32>, tensor<128x128xf32, #w32>, tensor<32x128xf32, #t32>) -> tensor<32x128xf32, #t32>
  // CHECK: "ttnn.all_reduce"({{.*}} -> tensor<32x128xf32, #[[T8]]>
  // expected-remark @below {{the result of ttnn.matmul is f32, expected bf16 (f32 only with lower-f32)}}
  %r = "ttnn.all_reduce"(%m) <{cluster_axis = 1 : ui32, reduce_type = #tt.reduce_type<sum>}> : (tensor<32x128xf32, #t32>) -> tensor<32x128xf32, #t32>
  // CHECK: "ttnn.add"({{.*}} : (tensor<32x128xf32, #[[T]]>, tensor<32x128xf32, #[[T8]]>, tensor<32x128xf32, #[[T]]>) -> tensor<32x128xf32, #[[T]]>
  %e1 = "ttnn.empty"() <{dtype = #tt.supportedDataTypes<f32>, layout = #ttnn.layout<tile>, shape = #ttnn.shape<32x128>}> : () -> tensor<32x128xf32, #t32>
  %y = "ttnn.add"(%residual, %r, %e1) <{operandSegmentSizes = array<i32: 2, 1>}> : (tensor<32x128xf32, #t32>, tensor<32x128xf32, #t32>, tensor<32x128xf32, #t32>) -> tensor<32x128xf32, #t32>
  return %y : tensor<32x128xf32, #t32>
}

// An f32 residual is no hindrance.
// CHECK-LABEL: func.func @f32_residual(
// OFF-LABEL: func.func @f32_residual(
func.func @f32_residual(%x: tensor<32x128xbf16, #t>, %w: tensor<128x128xbf16, #w>, %residual: tensor<32x128xf32, #t32>) -> tensor<32x128xf32, #t32> {
  // CHECK: "ttnn.matmul"({{.*}} -> tensor<32x128xbf16, #[[B8:.*]]>
  // OFF: "ttnn.matmul"({{.*}} -> tensor<32x128xbf16, #[[B8]]>
  %e0 = "ttnn.empty"() <{dtype = #tt.supportedDataTypes<bf16>, layout = #ttnn.layout<tile>, shape = #ttnn.shape<32x128>}> : () -> tensor<32x128xbf16, #t>
  %m = "ttnn.matmul"(%x, %w, %e0) : (tensor<32x128xbf16, #t>, tensor<128x128xbf16, #w>, tensor<32x128xbf16, #t>) -> tensor<32x128xbf16, #t>
  // expected-remark @below {{[Passed] Lowered}}
  %r = "ttnn.all_reduce"(%m) <{cluster_axis = 1 : ui32, reduce_type = #tt.reduce_type<sum>}> : (tensor<32x128xbf16, #t>) -> tensor<32x128xbf16, #t>
  // OFF: "ttnn.add"({{.*}} : (tensor<32x128xf32, #[[T]]>, tensor<32x128xbf16, #[[B8]]>, tensor<32x128xf32, #[[T]]>)
  %e1 = "ttnn.empty"() <{dtype = #tt.supportedDataTypes<f32>, layout = #ttnn.layout<tile>, shape = #ttnn.shape<32x128>}> : () -> tensor<32x128xf32, #t32>
  %y = "ttnn.add"(%residual, %r, %e1) <{operandSegmentSizes = array<i32: 2, 1>}> : (tensor<32x128xf32, #t32>, tensor<32x128xbf16, #t>, tensor<32x128xf32, #t32>) -> tensor<32x128xf32, #t32>
  return %y : tensor<32x128xf32, #t32>
}

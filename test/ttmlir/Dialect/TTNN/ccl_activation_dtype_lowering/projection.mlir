// RUN: ttmlir-opt --ttnn-ccl-activation-dtype-lowering %s | FileCheck %s
// RUN: ttmlir-opt --ttnn-ccl-activation-dtype-lowering --remarks --verify-diagnostics %s
// What goes from a matmul through collectives to an add becomes bfp_bf8; inputs, residual and sum stay.
#dram = #tt.memory_space<dram>
#t = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<1x4x!tt.tile<32x32, bf16>, #dram>, interleaved>
#w = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<4x4x!tt.tile<32x32, bf16>, #dram>, interleaved>
#half = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<1x2x!tt.tile<32x32, bf16>, #dram>, interleaved>
#rank3 = #tt.layout<(d0, d1, d2) -> (d0 * 32 + d1, d2), undef, <1x1>, memref<1x4x!tt.tile<32x32, bf16>, #dram>, interleaved>

// CHECK-DAG: #[[T:.*]] = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<1x4x!tt.tile<32x32, bf16>, #dram>, interleaved>
// CHECK-DAG: #[[T8:.*]] = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<1x4x!tt.tile<32x32, bfp_bf8>, #dram>, interleaved>
// CHECK-DAG: #[[W:.*]] = #tt.layout<{{.*}}memref<4x4x!tt.tile<32x32, bf16>
// CHECK-DAG: #[[HALF8:.*]] = #tt.layout<{{.*}}memref<1x2x!tt.tile<32x32, bfp_bf8>
// CHECK-DAG: #[[T3D8:.*]] = #tt.layout<(d0, d1, d2){{.*}}memref<1x4x!tt.tile<32x32, bfp_bf8>

// CHECK-LABEL: func.func @all_reduce
// CHECK-SAME: -> tensor<32x128xbf16, #[[T]]>
func.func @all_reduce(%x: tensor<32x128xbf16, #t>, %w: tensor<128x128xbf16, #w>, %residual: tensor<32x128xbf16, #t>) -> tensor<32x128xbf16, #t> {
  // CHECK: %[[E:.*]] = "ttnn.empty"() <{dtype = #tt.supportedDataTypes<bfp_bf8>, layout = #ttnn.layout<tile>, {{.*}} -> tensor<32x128xbf16, #[[T8]]>
  // CHECK: %[[M:.*]] = "ttnn.matmul"(%arg0, %arg1, %[[E]]) : (tensor<32x128xbf16, #[[T]]>, tensor<128x128xbf16, #[[W]]>, tensor<32x128xbf16, #[[T8]]>) -> tensor<32x128xbf16, #[[T8]]>
  %0 = "ttnn.empty"() <{dtype = #tt.supportedDataTypes<bf16>, layout = #ttnn.layout<tile>, shape = #ttnn.shape<32x128>}> : () -> tensor<32x128xbf16, #t>
  %1 = "ttnn.matmul"(%x, %w, %0) : (tensor<32x128xbf16, #t>, tensor<128x128xbf16, #w>, tensor<32x128xbf16, #t>) -> tensor<32x128xbf16, #t>
  // CHECK: %[[R:.*]] = "ttnn.all_reduce"(%[[M]]) {{.*}} -> tensor<32x128xbf16, #[[T8]]>
  // expected-remark @below {{[Passed] Lowered | Category:ttnn-ccl-activation-dtype-lowering | Function=all_reduce | Op=ttnn.all_reduce, Reason="bf16 becomes bfp_bf8"}}
  %2 = "ttnn.all_reduce"(%1) <{cluster_axis = 1 : ui32, reduce_type = #tt.reduce_type<sum>}> : (tensor<32x128xbf16, #t>) -> tensor<32x128xbf16, #t>
  // CHECK: %[[E2:.*]] = "ttnn.empty"() <{dtype = #tt.supportedDataTypes<bf16>
  // CHECK: "ttnn.add"(%arg2, %[[R]], %[[E2]]) {{.*}} : (tensor<32x128xbf16, #[[T]]>, tensor<32x128xbf16, #[[T8]]>, tensor<32x128xbf16, #[[T]]>) -> tensor<32x128xbf16, #[[T]]>
  %3 = "ttnn.empty"() <{dtype = #tt.supportedDataTypes<bf16>, layout = #ttnn.layout<tile>, shape = #ttnn.shape<32x128>}> : () -> tensor<32x128xbf16, #t>
  %4 = "ttnn.add"(%residual, %2, %3) <{operandSegmentSizes = array<i32: 2, 1>}> : (tensor<32x128xbf16, #t>, tensor<32x128xbf16, #t>, tensor<32x128xbf16, #t>) -> tensor<32x128xbf16, #t>
  // CHECK-NOT: ttnn.typecast
  return %4 : tensor<32x128xbf16, #t>
}

// Several collectives and views on the way; the chain may be either operand of the add.
// CHECK-LABEL: func.func @views
func.func @views(%x: tensor<32x128xbf16, #t>, %w: tensor<128x128xbf16, #w>, %residual: tensor<32x128xbf16, #t>) -> tensor<32x128xbf16, #t> {
  // CHECK: "ttnn.matmul"({{.*}} -> tensor<32x128xbf16, #[[T8]]>
  %0 = "ttnn.empty"() <{dtype = #tt.supportedDataTypes<bf16>, layout = #ttnn.layout<tile>, shape = #ttnn.shape<32x128>}> : () -> tensor<32x128xbf16, #t>
  %1 = "ttnn.matmul"(%x, %w, %0) : (tensor<32x128xbf16, #t>, tensor<128x128xbf16, #w>, tensor<32x128xbf16, #t>) -> tensor<32x128xbf16, #t>
  // CHECK: "ttnn.reduce_scatter"({{.*}} -> tensor<32x64xbf16, #[[HALF8]]>
  // expected-remark @below {{[Passed] Lowered}}
  %2 = "ttnn.reduce_scatter"(%1) <{cluster_axis = 1 : ui32, reduce_type = #tt.reduce_type<sum>, scatter_dim = 1 : si32}> : (tensor<32x128xbf16, #t>) -> tensor<32x64xbf16, #half>
  // CHECK: "ttnn.all_gather"({{.*}} -> tensor<32x128xbf16, #[[T8]]>
  // expected-remark @below {{[Passed] Lowered}}
  %3 = "ttnn.all_gather"(%2) <{all_gather_dim = 1 : si32, cluster_axis = 1 : ui32}> : (tensor<32x64xbf16, #half>) -> tensor<32x128xbf16, #t>
  // CHECK: "ttnn.empty"() <{dtype = #tt.supportedDataTypes<bfp_bf8>, {{.*}} -> tensor<1x32x128xbf16, #[[T3D8]]>
  // CHECK: "ttnn.reshape"({{.*}} -> tensor<1x32x128xbf16, #[[T3D8]]>
  %4 = "ttnn.empty"() <{dtype = #tt.supportedDataTypes<bf16>, layout = #ttnn.layout<tile>, shape = #ttnn.shape<1x32x128>}> : () -> tensor<1x32x128xbf16, #rank3>
  %5 = "ttnn.reshape"(%3, %4) <{shape = [1 : i32, 32 : i32, 128 : i32]}> : (tensor<32x128xbf16, #t>, tensor<1x32x128xbf16, #rank3>) -> tensor<1x32x128xbf16, #rank3>
  // CHECK: "ttnn.slice"({{.*}} -> tensor<1x32x128xbf16, #[[T3D8]]>
  %6 = "ttnn.empty"() <{dtype = #tt.supportedDataTypes<bf16>, layout = #ttnn.layout<tile>, shape = #ttnn.shape<1x32x128>}> : () -> tensor<1x32x128xbf16, #rank3>
  %7 = "ttnn.slice"(%5, %6) <{begins = [0 : i32, 0 : i32, 0 : i32], ends = [1 : i32, 32 : i32, 128 : i32], step = [1 : i32, 1 : i32, 1 : i32]}> : (tensor<1x32x128xbf16, #rank3>, tensor<1x32x128xbf16, #rank3>) -> tensor<1x32x128xbf16, #rank3>
  // CHECK: "ttnn.reshape"({{.*}} -> tensor<32x128xbf16, #[[T8]]>
  %8 = "ttnn.empty"() <{dtype = #tt.supportedDataTypes<bf16>, layout = #ttnn.layout<tile>, shape = #ttnn.shape<32x128>}> : () -> tensor<32x128xbf16, #t>
  %9 = "ttnn.reshape"(%7, %8) <{shape = [32 : i32, 128 : i32]}> : (tensor<1x32x128xbf16, #rank3>, tensor<32x128xbf16, #t>) -> tensor<32x128xbf16, #t>
  // CHECK: "ttnn.add"({{.*}} : (tensor<32x128xbf16, #[[T8]]>, tensor<32x128xbf16, #[[T]]>, tensor<32x128xbf16, #[[T]]>) -> tensor<32x128xbf16, #[[T]]>
  %10 = "ttnn.empty"() <{dtype = #tt.supportedDataTypes<bf16>, layout = #ttnn.layout<tile>, shape = #ttnn.shape<32x128>}> : () -> tensor<32x128xbf16, #t>
  %11 = "ttnn.add"(%9, %residual, %10) <{operandSegmentSizes = array<i32: 2, 1>}> : (tensor<32x128xbf16, #t>, tensor<32x128xbf16, #t>, tensor<32x128xbf16, #t>) -> tensor<32x128xbf16, #t>
  return %11 : tensor<32x128xbf16, #t>
}

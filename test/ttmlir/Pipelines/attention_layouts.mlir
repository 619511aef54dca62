// RUN: ttmlir-opt --ttir-load-system-desc --ttir-implicit-device --ttir-propagate-layout %s | FileCheck %s
// RUN: ttmlir-opt --ttir-load-system-desc --ttir-implicit-device --ttir-propagate-layout --ttir-layout %s | FileCheck %s --check-prefix=LAID
// RUN: ttmlir-opt --ttir-to-ttnn-backend-pipeline %s | FileCheck %s --check-prefix=TTNN
// RUN: ttmlir-opt --ttir-load-system-desc --ttir-implicit-device --ttir-decomposition --ttir-generic="fuse=true" --ttir-propagate-layout="kernels=true" --ttir-layout="default-device-memory-layout=interleaved init-memory-space=dram pad-to-tiles=true" %s | FileCheck %s --check-prefix=KERNELS
// RUN: ttmlir-opt --ttir-to-ttmetal-backend-pipeline %s | FileCheck %s --check-prefix=TTMETAL
// Attention over two blocks of keys with a running maximum. One constant is what the scores of both
// blocks are added to, the first maximum and the first sum of values. The author keeps scores on 2x4
// cores and what goes from block to block on 4x1.

// The constant is there twice, once for each layout; no layout change reads it.
// CHECK-DAG: #[[SCORES:.*]] = #tt.layout<{{.*}}<2x4>, {{.*}}block_sharded>
// CHECK-DAG: #[[STATE:.*]] = #tt.layout<{{.*}}<4x1>, {{.*}}height_sharded>
// CHECK-LABEL: func.func @attention
// CHECK: %[[Z:.*]] = "ttir.constant"{{.*}} -> tensor<128x128xbf16, #[[STATE]]>
// CHECK: %[[S:.*]] = "ttir.constant"{{.*}} -> tensor<128x128xbf16, #[[SCORES]]>
// CHECK: "ttir.add"(%{{.*}}, %[[S]], %{{.*}}) {{.*}}ttir.placed = [#[[SCORES]], #[[SCORES]], #[[SCORES]]]
// CHECK: "ttir.maximum"(%{{.*}}, %[[Z]], %{{.*}}) {{.*}}ttir.placed = [#[[STATE]], #[[STATE]], #[[STATE]]]
// The weights stay with the scores, the product of the values is made where the state is.
// CHECK: "ttir.exp"{{.*}}ttir.placed = [#[[SCORES]], #[[SCORES]]]
// CHECK: "ttir.matmul"{{.*}}ttir.placed = [#[[STATE]], unit, #[[STATE]]]
// CHECK: "ttir.add"(%[[Z]], %{{.*}}, %{{.*}}) {{.*}}ttir.placed = [#[[STATE]], #[[STATE]], #[[STATE]]]
// CHECK: "ttir.add"(%{{.*}}, %[[S]], %{{.*}})
// CHECK: "ttir.maximum"(%{{.*}}, %[[Z]], %{{.*}})
// CHECK-NOT: "ttir.constant"
// CHECK: return

// No layout change reads either of them, and the author's six are all that changes a layout between
// ops on the device; six are to it and from it.
// LAID-LABEL: func.func @attention
// LAID: %[[Z:.*]] = "ttir.constant"() {{.*}} -> tensor<128x128xbf16, #{{.*}}>
// LAID-NOT: "ttir.to_layout"(%[[Z]],
// LAID: %[[S:.*]] = "ttir.constant"() {{.*}} -> tensor<128x128xbf16, #{{.*}}>
// LAID-NOT: "ttir.to_layout"(%[[Z]],
// LAID-NOT: "ttir.to_layout"(%[[S]],
// LAID-NOT: "ttir.constant"
// LAID: return
// KERNELS-LABEL: func.func @attention
// KERNELS: %[[Z:.*]] = "ttir.constant"() {{.*}} -> tensor<128x128xbf16, #{{.*}}>
// KERNELS-NOT: "ttir.to_layout"(%[[Z]],
// KERNELS: %[[S:.*]] = "ttir.constant"() {{.*}} -> tensor<128x128xbf16, #{{.*}}>
// KERNELS-NOT: "ttir.to_layout"(%[[Z]],
// KERNELS-NOT: "ttir.to_layout"(%[[S]],
// KERNELS-NOT: "ttir.constant"
// KERNELS: return
// RUN: ttmlir-opt --ttir-load-system-desc --ttir-implicit-device --ttir-propagate-layout --ttir-layout %s | FileCheck %s --check-prefix=COUNT
// COUNT-COUNT-12: "ttir.to_layout"
// COUNT-NOT: "ttir.to_layout"

// Zeros are a ttnn.empty that says so.
// TTNN-DAG: #[[SCORES:.*]] = #tt.layout<{{.*}}<2x4>, {{.*}}block_sharded>
// TTNN-DAG: #[[STATE:.*]] = #tt.layout<{{.*}}<4x1>, {{.*}}height_sharded>
// TTNN-LABEL: func.func @attention
// TTNN: %[[Z:.*]] = "ttnn.empty"{{.*}}ttnn.zeros{{.*}} -> tensor<128x128xbf16, #[[STATE]]>
// TTNN: %[[S:.*]] = "ttnn.empty"{{.*}}ttnn.zeros{{.*}} -> tensor<128x128xbf16, #[[SCORES]]>
// TTNN-NOT: ttnn.zeros
// TTNN-NOT: "ttnn.to_{{[a-z_]*}}"(%[[Z]],
// TTNN-NOT: "ttnn.to_{{[a-z_]*}}"(%[[S]],
// TTNN: "ttnn.add"(%{{.*}}, %[[S]],
// TTNN: "ttnn.maximum"(%{{.*}}, %[[Z]],
// TTNN: "ttnn.add"(%[[Z]],
// TTNN: "ttnn.add"(%{{.*}}, %[[S]],
// TTNN: "ttnn.maximum"(%{{.*}}, %[[Z]],
// TTNN-NOT: ttnn.zeros
// TTNN: return

// The host writes each of them to the cores where it is read.
// TTMETAL-LABEL: func.func @attention
// TTMETAL: %[[Z:.*]] = "ttmetal.host_constant"
// TTMETAL-NEXT: "ttmetal.host_write"(%[[Z]],
// TTMETAL: %[[S:.*]] = "ttmetal.host_constant"
// TTMETAL-NEXT: "ttmetal.host_write"(%[[S]],
// TTMETAL-NOT: "ttmetal.host_constant"
// TTMETAL-NOT: "ttmetal.host_write"
#any_device_tile = #tt.operand_constraint<dram|l1|tile|none|interleaved|single_bank|height_sharded|width_sharded|block_sharded|any_layout|any_device_tile>
#l1_ = #tt.memory_space<l1>
#system = #tt.memory_space<system>
#layout = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<128x128xbf16, #system>>
#layout1 = #tt.layout<(d0, d1) -> (d0, d1), undef, <4x1>, memref<1x4x!tt.tile<32x32, bf16>, #l1_>, height_sharded>
#layout2 = #tt.layout<(d0, d1) -> (d0, d1), undef, <2x4>, memref<2x1x!tt.tile<32x32, bf16>, #l1_>, block_sharded>
module {
  func.func @attention(%arg0: tensor<128x128xbf16>, %arg1: tensor<128x128xbf16>, %arg2: tensor<128x128xbf16>, %arg3: tensor<128x128xbf16>, %arg4: tensor<128x128xbf16>) -> tensor<128x128xbf16> {
    %0 = "ttir.constant"() <{value = dense<0.000000e+00> : tensor<128x128xbf16>}> : () -> tensor<128x128xbf16, #layout>
    %1 = tensor.empty() : tensor<128x128xbf16, #layout1>
    %2 = "ttir.to_layout"(%0, %1) : (tensor<128x128xbf16, #layout>, tensor<128x128xbf16, #layout1>) -> tensor<128x128xbf16, #layout1>
    %3 = tensor.empty() : tensor<128x128xbf16, #layout>
    %4 = "ttir.matmul"(%arg0, %arg1, %3) <{operand_constraints = [#any_device_tile, #any_device_tile, #any_device_tile], transpose_b = true}> : (tensor<128x128xbf16>, tensor<128x128xbf16>, tensor<128x128xbf16, #layout>) -> tensor<128x128xbf16, #layout>
    %5 = tensor.empty() : tensor<128x128xbf16, #layout2>
    %6 = "ttir.to_layout"(%4, %5) : (tensor<128x128xbf16, #layout>, tensor<128x128xbf16, #layout2>) -> tensor<128x128xbf16, #layout2>
    %7 = tensor.empty() : tensor<128x128xbf16, #layout>
    %8 = "ttir.add"(%6, %0, %7) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any_device_tile, #any_device_tile, #any_device_tile]}> : (tensor<128x128xbf16, #layout2>, tensor<128x128xbf16, #layout>, tensor<128x128xbf16, #layout>) -> tensor<128x128xbf16, #layout>
    %9 = tensor.empty() : tensor<128x128xbf16, #layout1>
    %10 = "ttir.to_layout"(%8, %9) : (tensor<128x128xbf16, #layout>, tensor<128x128xbf16, #layout1>) -> tensor<128x128xbf16, #layout1>
    %11 = tensor.empty() : tensor<128x128xbf16, #layout1>
    %12 = "ttir.to_layout"(%0, %11) : (tensor<128x128xbf16, #layout>, tensor<128x128xbf16, #layout1>) -> tensor<128x128xbf16, #layout1>
    %13 = tensor.empty() : tensor<128x128xbf16>
    %14 = "ttir.maximum"(%10, %12, %13) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any_device_tile, #any_device_tile, #any_device_tile]}> : (tensor<128x128xbf16, #layout1>, tensor<128x128xbf16, #layout1>, tensor<128x128xbf16>) -> tensor<128x128xbf16>
    %15 = tensor.empty() : tensor<128x1xbf16>
    %16 = "ttir.max"(%14, %15) <{dim_arg = [1 : i32], keep_dim = true, operand_constraints = [#any_device_tile, #any_device_tile]}> : (tensor<128x128xbf16>, tensor<128x1xbf16>) -> tensor<128x1xbf16>
    %17 = tensor.empty() : tensor<128x128xbf16>
    %18 = "ttir.subtract"(%8, %16, %17) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any_device_tile, #any_device_tile, #any_device_tile]}> : (tensor<128x128xbf16, #layout>, tensor<128x1xbf16>, tensor<128x128xbf16>) -> tensor<128x128xbf16>
    %19 = tensor.empty() : tensor<128x128xbf16, #layout>
    %20 = "ttir.exp"(%18, %19) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any_device_tile, #any_device_tile]}> : (tensor<128x128xbf16>, tensor<128x128xbf16, #layout>) -> tensor<128x128xbf16, #layout>
    %21 = tensor.empty() : tensor<128x1xbf16>
    %22 = "ttir.sum"(%20, %21) <{dim_arg = [1 : i32], keep_dim = true, operand_constraints = [#any_device_tile, #any_device_tile]}> : (tensor<128x128xbf16, #layout>, tensor<128x1xbf16>) -> tensor<128x1xbf16>
    %23 = tensor.empty() : tensor<128x128xbf16, #layout1>
    %24 = "ttir.to_layout"(%20, %23) : (tensor<128x128xbf16, #layout>, tensor<128x128xbf16, #layout1>) -> tensor<128x128xbf16, #layout1>
    %25 = tensor.empty() : tensor<128x128xbf16>
    %26 = "ttir.matmul"(%24, %arg2, %25) <{operand_constraints = [#any_device_tile, #any_device_tile, #any_device_tile]}> : (tensor<128x128xbf16, #layout1>, tensor<128x128xbf16>, tensor<128x128xbf16>) -> tensor<128x128xbf16>
    %27 = tensor.empty() : tensor<128x128xbf16>
    %28 = "ttir.add"(%2, %26, %27) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any_device_tile, #any_device_tile, #any_device_tile]}> : (tensor<128x128xbf16, #layout1>, tensor<128x128xbf16>, tensor<128x128xbf16>) -> tensor<128x128xbf16>
    %29 = tensor.empty() : tensor<128x128xbf16, #layout>
    %30 = "ttir.matmul"(%arg0, %arg3, %29) <{operand_constraints = [#any_device_tile, #any_device_tile, #any_device_tile], transpose_b = true}> : (tensor<128x128xbf16>, tensor<128x128xbf16>, tensor<128x128xbf16, #layout>) -> tensor<128x128xbf16, #layout>
    %31 = tensor.empty() : tensor<128x128xbf16, #layout2>
    %32 = "ttir.to_layout"(%30, %31) : (tensor<128x128xbf16, #layout>, tensor<128x128xbf16, #layout2>) -> tensor<128x128xbf16, #layout2>
    %33 = tensor.empty() : tensor<128x128xbf16, #layout>
    %34 = "ttir.add"(%32, %0, %33) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any_device_tile, #any_device_tile, #any_device_tile]}> : (tensor<128x128xbf16, #layout2>, tensor<128x128xbf16, #layout>, tensor<128x128xbf16, #layout>) -> tensor<128x128xbf16, #layout>
    %35 = tensor.empty() : tensor<128x128xbf16, #layout1>
    %36 = "ttir.to_layout"(%34, %35) : (tensor<128x128xbf16, #layout>, tensor<128x128xbf16, #layout1>) -> tensor<128x128xbf16, #layout1>
    %37 = tensor.empty() : tensor<128x128xbf16, #layout1>
    %38 = "ttir.to_layout"(%0, %37) : (tensor<128x128xbf16, #layout>, tensor<128x128xbf16, #layout1>) -> tensor<128x128xbf16, #layout1>
    %39 = tensor.empty() : tensor<128x128xbf16>
    %40 = "ttir.maximum"(%36, %38, %39) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any_device_tile, #any_device_tile, #any_device_tile]}> : (tensor<128x128xbf16, #layout1>, tensor<128x128xbf16, #layout1>, tensor<128x128xbf16>) -> tensor<128x128xbf16>
    %41 = tensor.empty() : tensor<128x1xbf16>
    %42 = "ttir.max"(%40, %41) <{dim_arg = [1 : i32], keep_dim = true, operand_constraints = [#any_device_tile, #any_device_tile]}> : (tensor<128x128xbf16>, tensor<128x1xbf16>) -> tensor<128x1xbf16>
    %43 = tensor.empty() : tensor<128x1xbf16>
    %44 = "ttir.maximum"(%42, %16, %43) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any_device_tile, #any_device_tile, #any_device_tile]}> : (tensor<128x1xbf16>, tensor<128x1xbf16>, tensor<128x1xbf16>) -> tensor<128x1xbf16>
    %45 = tensor.empty() : tensor<128x1xbf16>
    %46 = "ttir.subtract"(%16, %44, %45) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any_device_tile, #any_device_tile, #any_device_tile]}> : (tensor<128x1xbf16>, tensor<128x1xbf16>, tensor<128x1xbf16>) -> tensor<128x1xbf16>
    %47 = tensor.empty() : tensor<128x1xbf16>
    %48 = "ttir.exp"(%46, %47) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any_device_tile, #any_device_tile]}> : (tensor<128x1xbf16>, tensor<128x1xbf16>) -> tensor<128x1xbf16>
    %49 = tensor.empty() : tensor<128x128xbf16>
    %50 = "ttir.subtract"(%34, %44, %49) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any_device_tile, #any_device_tile, #any_device_tile]}> : (tensor<128x128xbf16, #layout>, tensor<128x1xbf16>, tensor<128x128xbf16>) -> tensor<128x128xbf16>
    %51 = tensor.empty() : tensor<128x128xbf16, #layout>
    %52 = "ttir.exp"(%50, %51) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any_device_tile, #any_device_tile]}> : (tensor<128x128xbf16>, tensor<128x128xbf16, #layout>) -> tensor<128x128xbf16, #layout>
    %53 = tensor.empty() : tensor<128x1xbf16>
    %54 = "ttir.sum"(%52, %53) <{dim_arg = [1 : i32], keep_dim = true, operand_constraints = [#any_device_tile, #any_device_tile]}> : (tensor<128x128xbf16, #layout>, tensor<128x1xbf16>) -> tensor<128x1xbf16>
    %55 = tensor.empty() : tensor<128x1xbf16>
    %56 = "ttir.multiply"(%22, %48, %55) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any_device_tile, #any_device_tile, #any_device_tile]}> : (tensor<128x1xbf16>, tensor<128x1xbf16>, tensor<128x1xbf16>) -> tensor<128x1xbf16>
    %57 = tensor.empty() : tensor<128x1xbf16>
    %58 = "ttir.add"(%56, %54, %57) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any_device_tile, #any_device_tile, #any_device_tile]}> : (tensor<128x1xbf16>, tensor<128x1xbf16>, tensor<128x1xbf16>) -> tensor<128x1xbf16>
    %59 = tensor.empty() : tensor<128x128xbf16, #layout1>
    %60 = "ttir.to_layout"(%52, %59) : (tensor<128x128xbf16, #layout>, tensor<128x128xbf16, #layout1>) -> tensor<128x128xbf16, #layout1>
    %61 = tensor.empty() : tensor<128x128xbf16>
    %62 = "ttir.matmul"(%60, %arg4, %61) <{operand_constraints = [#any_device_tile, #any_device_tile, #any_device_tile]}> : (tensor<128x128xbf16, #layout1>, tensor<128x128xbf16>, tensor<128x128xbf16>) -> tensor<128x128xbf16>
    %63 = tensor.empty() : tensor<128x128xbf16>
    %64 = "ttir.multiply"(%28, %48, %63) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any_device_tile, #any_device_tile, #any_device_tile]}> : (tensor<128x128xbf16>, tensor<128x1xbf16>, tensor<128x128xbf16>) -> tensor<128x128xbf16>
    %65 = tensor.empty() : tensor<128x128xbf16>
    %66 = "ttir.add"(%64, %62, %65) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any_device_tile, #any_device_tile, #any_device_tile]}> : (tensor<128x128xbf16>, tensor<128x128xbf16>, tensor<128x128xbf16>) -> tensor<128x128xbf16>
    %67 = tensor.empty() : tensor<128x128xbf16>
    %68 = "ttir.div"(%66, %58, %67) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any_device_tile, #any_device_tile, #any_device_tile]}> : (tensor<128x128xbf16>, tensor<128x1xbf16>, tensor<128x128xbf16>) -> tensor<128x128xbf16>
    return %68 : tensor<128x128xbf16>
  }
}

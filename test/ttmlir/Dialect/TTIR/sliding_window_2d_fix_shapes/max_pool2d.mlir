// RUN: ttmlir-opt --ttir-sliding-window-2d-fix-shapes %s | FileCheck %s
// RUN: ttmlir-opt --ttir-sliding-window-2d-fix-shapes --remarks %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// The pool works on (1, 1, N*H*W, C) and remembers the extents.
// REMARK-DAG: remark: [Passed] Flattened | Category:ttir-sliding-window-2d-fix-shapes{{.*}} | Op=ttir.max_pool2d, Reason="works on tensor<1x1x
#any_device = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile>
// CHECK-LABEL: func.func @forward
func.func @forward(%arg0: tensor<2x128x128x32xbf16>) -> tensor<2x64x64x32xbf16> {
  // CHECK: %[[IN:.*]] = "ttir.reshape"(%arg0, %{{.*}}) <{{.*}}shape = [1 : i32, 1 : i32, 32768 : i32, 32 : i32]
  // CHECK: %[[POOL:.*]] = "ttir.max_pool2d"(%[[IN]], %{{.*}}) <{{.*}}original_height = 128 : si32, original_width = 128 : si32
  // CHECK-SAME: -> tensor<1x1x8192x32xbf16>
  // CHECK: %[[OUT:.*]] = "ttir.reshape"(%[[POOL]], %{{.*}}) <{{.*}}shape = [2 : i32, 64 : i32, 64 : i32, 32 : i32]
  // CHECK: return %[[OUT]]
  %0 = tensor.empty() : tensor<2x64x64x32xbf16>
  %1 = "ttir.max_pool2d"(%arg0, %0) <{ceil_mode = false, dilation_height = 1 : si32, dilation_width = 1 : si32, kernel_height = 2 : si32, kernel_width = 2 : si32, operand_constraints = [#any_device, #any_device], padding_bottom = 0 : si32, padding_left = 0 : si32, padding_right = 0 : si32, padding_top = 0 : si32, stride_height = 2 : si32, stride_width = 2 : si32}> : (tensor<2x128x128x32xbf16>, tensor<2x64x64x32xbf16>) -> tensor<2x64x64x32xbf16>
  return %1 : tensor<2x64x64x32xbf16>
}

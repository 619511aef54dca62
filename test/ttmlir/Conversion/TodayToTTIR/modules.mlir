// Modules of device and host become one, with the functions that others call in their places.
// RUN: ttmlir-opt %s | FileCheck %s

// CHECK: module @jit attributes {tt.mesh_shape = array<i64: 1, 2>}
module @jit attributes {mhlo.num_partitions = 2 : i32, ttcore.meshes = #ttcore.meshes<[<"mesh" = 1x2>]>} {
  ttcore.device_module {
    builtin.module attributes {ttcore.system_desc = #ttcore.system_desc<[{role = host}], [], [0]>} {
      func.func private @hoisted_exp_decl(tensor<4xf32>) -> tensor<4xf32> attributes {tt.function_type = "forward_cpu_declaration"}
      // CHECK-NOT: @twice
      func.func private @twice(%a: tensor<4xf32>) -> tensor<4xf32> {
        %0 = "ttir.add"(%a, %a) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
        return %0 : tensor<4xf32>
      }
      // CHECK: func.func @main(%[[A:.*]]: tensor<4xf32>, %{{.*}}: tensor<4xf32> {tt.argument_type = #tt.argument_type<parameter>}) -> tensor<4xf32>
      func.func @main(%x: tensor<4xf32> {ttcore.argument_type = #ttcore.argument_type<input>, ttcore.local_shape = #ttcore<local_shape local_shape = tensor<4xf32>>},
                      %w: tensor<4xf32> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttcore.shard_status = #ttcore.shard_status<presharded>, ttir.name = "w"}) -> tensor<4xf32> {
        // CHECK: %[[T:.*]] = "ttir.add"(%[[A]], %[[A]],
        %0 = ttcore.load_cached(@twice, [%x]) : (tensor<4xf32>) -> tensor<4xf32>
        // CHECK: %[[F:.*]] = "ttir.add"(%[[T]], %[[T]],
        %1 = call @twice(%0) : (tensor<4xf32>) -> tensor<4xf32>
        %2 = ttir.empty() : tensor<4xf32, #ttcore.metal_layout<logical_shape = 4, dim_alignments = 32, collapsed_intervals = dense<[[0, 1]]> : tensor<1x2xi64>, l1, sharded>>
        %3 = ttir.to_layout %1, %2 : tensor<4xf32> into tensor<4xf32, #ttcore.metal_layout<logical_shape = 4, dim_alignments = 32, collapsed_intervals = dense<[[0, 1]]> : tensor<1x2xi64>, l1, sharded>> -> tensor<4xf32, #ttcore.metal_layout<logical_shape = 4, dim_alignments = 32, collapsed_intervals = dense<[[0, 1]]> : tensor<1x2xi64>, l1, sharded>>
        %4 = "ttir.to_layout"(%3) : (tensor<4xf32, #ttcore.metal_layout<logical_shape = 4, dim_alignments = 32, collapsed_intervals = dense<[[0, 1]]> : tensor<1x2xi64>, l1, sharded>>) -> tensor<4xf32>
        // CHECK: %[[E:.*]] = tt.call(@hoisted_exp, [%[[F]]]) : (tensor<4xf32>) -> tensor<4xf32>
        %5 = call @hoisted_exp_decl(%4) {ttir.cpu_hoisted_call} : (tensor<4xf32>) -> tensor<4xf32>
        // CHECK: return %[[E]]
        return %5 : tensor<4xf32>
      }
    }
  }
  ttcore.cpu_module {
    builtin.module {
      // CHECK: func.func private @hoisted_exp(%[[H:.*]]: tensor<4xf32>) -> tensor<4xf32> attributes {tt.host, tt.part}
      // CHECK: "ttir.exp"(%[[H]],
      func.func @hoisted_exp(%a: tensor<4xf32>) -> tensor<4xf32> {
        %0 = "ttir.exp"(%a) : (tensor<4xf32>) -> tensor<4xf32>
        return %0 : tensor<4xf32>
      }
      func.func @not_called(%a: tensor<4xf32>) -> tensor<4xf32> {
        %0 = "stablehlo.add"(%a, %a) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
        return %0 : tensor<4xf32>
      }
    }
  }
}

// Passes on the constants of a layer norm, then rows of tiles.
#include <cstdint>

#include "api/dataflow/dataflow_api.h"
#include "ttnn/deprecated/tt_dnn/kernels/dataflow/generate_bcast_scalar.hpp"
#include "ttnn/deprecated/tt_dnn/kernels/dataflow/generate_reduce_scaler.hpp"

template <typename Tensor>
FORCE_INLINE void read_tiles(const Tensor &tensor, uint32_t cb, uint32_t first,
                             uint32_t count) {
  const uint32_t bytes = get_tile_size(cb);
  cb_reserve_back(cb, count);
  uint32_t l1 = get_write_ptr(cb);
  for (uint32_t i = 0; i < count; ++i, l1 += bytes)
    noc_async_read_tile(first + i, tensor, l1);
  noc_async_read_barrier();
  cb_push_back(cb, count);
}

void kernel_main() {
  constexpr uint32_t rows = kernel_compile_time_args[0];
  constexpr uint32_t columns = kernel_compile_time_args[1];
  constexpr auto x_args = TensorAccessorArgs<2>();
  constexpr auto gamma_args =
      TensorAccessorArgs<x_args.next_compile_time_args_offset()>();
  constexpr auto beta_args =
      TensorAccessorArgs<gamma_args.next_compile_time_args_offset()>();
  const auto x = TensorAccessor(x_args, get_arg_val<uint32_t>(0));
  const auto gamma = TensorAccessor(gamma_args, get_arg_val<uint32_t>(1));
  const auto beta = TensorAccessor(beta_args, get_arg_val<uint32_t>(2));
  generate_reduce_scaler(1, get_arg_val<uint32_t>(3));
  generate_bcast_col_scalar(2, get_arg_val<uint32_t>(4));
  read_tiles(gamma, 3, 0, columns);
  read_tiles(beta, 4, 0, columns);
  for (uint32_t row = 0; row < rows; ++row)
    read_tiles(x, 0, row * columns, columns);
}

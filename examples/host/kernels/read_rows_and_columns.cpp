// Reads a row of tiles of a and a column of tiles of b for each tile of the
// product.
#include <cstdint>

#include "api/dataflow/dataflow_api.h"

void kernel_main() {
  const uint32_t first = get_arg_val<uint32_t>(2);
  const uint32_t count = get_arg_val<uint32_t>(3);
  constexpr uint32_t Kt = get_compile_time_arg_val(0);
  constexpr uint32_t Nt = get_compile_time_arg_val(1);
  constexpr auto a_args = TensorAccessorArgs<2>();
  constexpr auto b_args =
      TensorAccessorArgs<a_args.next_compile_time_args_offset()>();
  const auto a = TensorAccessor(a_args, get_arg_val<uint32_t>(0));
  const auto b = TensorAccessor(b_args, get_arg_val<uint32_t>(1));
  constexpr uint32_t cb_a = tt::CBIndex::c_0, cb_b = tt::CBIndex::c_1;
  for (uint32_t tile = first; tile < first + count; ++tile) {
    const uint32_t row = tile / Nt, column = tile % Nt;
    for (uint32_t k = 0; k < Kt; ++k) {
      cb_reserve_back(cb_a, 1);
      cb_reserve_back(cb_b, 1);
      noc_async_read_tile(row * Kt + k, a, get_write_ptr(cb_a));
      noc_async_read_tile(k * Nt + column, b, get_write_ptr(cb_b));
      noc_async_read_barrier();
      cb_push_back(cb_a, 1);
      cb_push_back(cb_b, 1);
    }
  }
}

// Reads blocks of both operands.
#include "api/dataflow/dataflow_api.h"

#include "block.h"

void kernel_main() {
  constexpr uint32_t steps = get_compile_time_arg_val(0);
  constexpr uint32_t rows = get_compile_time_arg_val(1);
  constexpr uint32_t inner = get_compile_time_arg_val(2);
  constexpr uint32_t columns = get_compile_time_arg_val(3);
  constexpr uint32_t Kt = get_compile_time_arg_val(4);
  constexpr uint32_t Nt = get_compile_time_arg_val(5);
  constexpr auto a_args = TensorAccessorArgs<6>();
  constexpr auto b_args =
      TensorAccessorArgs<a_args.next_compile_time_args_offset()>();
  const auto a = TensorAccessor(a_args, get_arg_val<uint32_t>(0));
  const auto b = TensorAccessor(b_args, get_arg_val<uint32_t>(1));
  const uint32_t row = get_arg_val<uint32_t>(2); // of tiles, of the product
  const uint32_t column = get_arg_val<uint32_t>(3);
  const uint32_t bytes = get_tile_size(0);
  for (uint32_t step = 0; step < steps; ++step) {
    cb_reserve_back(0, rows * inner);
    cb_reserve_back(1, inner * columns);
    read_block(a, Block{row * Kt + step * inner, Kt, rows, inner},
               get_write_ptr(0), bytes);
    read_block(b, Block{step * inner * Nt + column, Nt, inner, columns},
               get_write_ptr(1), bytes);
    cb_push_back(0, rows * inner);
    cb_push_back(1, inner * columns);
  }
}

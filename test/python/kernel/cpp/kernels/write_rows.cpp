// Writes a block of the product, one row of tiles after the other.
#include "api/dataflow/dataflow_api.h"

#include "block.h"

void kernel_main() {
  constexpr uint32_t rows = get_compile_time_arg_val(0);
  constexpr uint32_t columns = get_compile_time_arg_val(1);
  constexpr uint32_t Nt = get_compile_time_arg_val(2);
  constexpr auto args = TensorAccessorArgs<3>();
  const auto tiles = TensorAccessor(args, get_arg_val<uint32_t>(0));
  const uint32_t first = get_arg_val<uint32_t>(1);
  constexpr uint32_t cb = tt::CBIndex::c_16;
  for (uint32_t row = 0; row < rows; ++row)
    write_block(tiles, Block{first + row * Nt, Nt, 1, columns}, cb,
                get_tile_size(cb));
}

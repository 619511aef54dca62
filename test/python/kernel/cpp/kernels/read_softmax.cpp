// Passes on a tile of ones, then rows of tiles.
#include <cstdint>

#include "api/dataflow/dataflow_api.h"

void kernel_main() {
  const uint32_t tiles = get_arg_val<uint32_t>(1);
  constexpr auto args = TensorAccessorArgs<0>();
  const auto tensor = TensorAccessor(args, get_arg_val<uint32_t>(0));
  cb_reserve_back(1, 1);
  fill_with_val<uint16_t>(get_write_ptr(1), 1024, 0x3f80);
  cb_push_back(1, 1);
  for (uint32_t tile = 0; tile < tiles; tile++) {
    cb_reserve_back(0, 1);
    noc_async_read_tile(tile, tensor, get_write_ptr(0));
    noc_async_read_barrier();
    cb_push_back(0, 1);
  }
}

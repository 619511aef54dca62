// Writes `count` tiles to a buffer, from tile `first` on.
#include <cstdint>

#include "api/dataflow/dataflow_api.h"

void kernel_main() {
  const uint32_t first = get_arg_val<uint32_t>(1);
  const uint32_t count = get_arg_val<uint32_t>(2);
  constexpr auto args = TensorAccessorArgs<0>();
  const auto tiles = TensorAccessor(args, get_arg_val<uint32_t>(0));
  constexpr uint32_t cb = tt::CBIndex::c_16;
  for (uint32_t tile = first; tile < first + count; ++tile) {
    cb_wait_front(cb, 1);
    noc_async_write_tile(tile, tiles, get_read_ptr(cb));
    noc_async_write_barrier();
    cb_pop_front(cb, 1);
  }
}

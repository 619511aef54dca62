// Passes the tiles [first, end) of a tensor on.
#include <cstdint>

#include "dataflow_api.h"

void kernel_main() {
  uint32_t address = get_arg_val<uint32_t>(0);
  uint32_t first = get_arg_val<uint32_t>(1);
  uint32_t end = get_arg_val<uint32_t>(2);
  constexpr auto args = TensorAccessorArgs<0>();
  const auto tensor = TensorAccessor(args, address);
  for (uint32_t tile = first; tile < end; tile++) {
    cb_reserve_back(tt::CBIndex::c_0, 1);
    noc_async_read_tile(tile, tensor, get_write_ptr(tt::CBIndex::c_0));
    noc_async_read_barrier();
    cb_push_back(tt::CBIndex::c_0, 1);
  }
}

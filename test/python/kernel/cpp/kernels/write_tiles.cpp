// Writes tiles to the pages [first, end) of a tensor.
#include <cstdint>

#include "api/dataflow/dataflow_api.h"

void kernel_main() {
  uint32_t address = get_arg_val<uint32_t>(0);
  uint32_t first = get_arg_val<uint32_t>(1);
  uint32_t end = get_arg_val<uint32_t>(2);
  constexpr uint32_t cb = tt::CBIndex::c_16;
  constexpr auto args = TensorAccessorArgs<0>();
  const auto tensor = TensorAccessor(args, address);
  for (uint32_t tile = first; tile < end; tile++) {
    cb_wait_front(cb, 1);
    noc_async_write_tile(tile, tensor, get_read_ptr(cb));
    noc_async_write_barrier();
    cb_pop_front(cb, 1);
  }
}

// Passes on tiles of three tensors, with the address generators of 2024.
#include <cstdint>

#include "dataflow_api.h"

FORCE_INLINE void read(uint32_t address, uint32_t cb, uint32_t count) {
  const InterleavedAddrGenFast<true> tensor = {
      .bank_base_address = address,
      .page_size = get_tile_size(cb),
      .data_format = get_dataformat(cb)};
  cb_reserve_back(cb, count);
  for (uint32_t i = 0; i < count; ++i)
    noc_async_read_tile(i, tensor, get_write_ptr(cb) + i * get_tile_size(cb));
  noc_async_read_barrier();
  cb_push_back(cb, count);
}

void kernel_main() {
  const uint32_t inner = get_arg_val<uint32_t>(3);
  read(get_arg_val<uint32_t>(0), tt::CB::c_in0, inner);
  read(get_arg_val<uint32_t>(1), tt::CB::c_in1, inner);
  read(get_arg_val<uint32_t>(2), tt::CB::c_in2, 1);
}

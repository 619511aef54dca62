// Reads a tile and sends it to another core, when that is ready for it.
#include <cstdint>

#include "api/dataflow/dataflow_api.h"

void kernel_main() {
  const uint32_t x = convert_logical_x_to_translated(get_arg_val<uint32_t>(1));
  const uint32_t y = convert_logical_y_to_translated(get_arg_val<uint32_t>(2));
  const uint32_t ready = get_semaphore(get_arg_val<uint32_t>(3));
  const uint32_t sent = get_semaphore(get_arg_val<uint32_t>(4));
  constexpr auto args = TensorAccessorArgs<0>();
  const auto tensor = TensorAccessor(args, get_arg_val<uint32_t>(0));
  constexpr uint32_t cb = tt::CBIndex::c_0, bytes = 2048;

  cb_reserve_back(cb, 1);
  const uint32_t l1 = get_write_ptr(cb);
  noc_async_read_tile(0, tensor, l1);
  noc_async_read_barrier();
  cb_push_back(cb, 1);

  auto *ready_word = reinterpret_cast<volatile tt_l1_ptr uint32_t *>(ready);
  noc_semaphore_wait(ready_word, VALID);
  noc_semaphore_set(ready_word, INVALID);
  cb_wait_front(cb, 1);
  noc_async_write(l1, get_noc_addr(x, y, l1), bytes);
  noc_async_write_barrier();
  noc_semaphore_inc(get_noc_addr(x, y, sent), 1);
  noc_async_atomic_barrier();
  cb_pop_front(cb, 1);
}

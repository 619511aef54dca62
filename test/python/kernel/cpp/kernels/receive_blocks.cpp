// Takes blocks of an operand from the first core of the line; with WRITES,
// writes the block of the product at the end.
#include "api/dataflow/dataflow_api.h"

#include "block.h"

void kernel_main() {
  constexpr uint32_t cb = get_compile_time_arg_val(0);
  constexpr uint32_t steps = get_compile_time_arg_val(1);
  constexpr uint32_t count = get_compile_time_arg_val(2); // tiles of a block
  const uint32_t x = get_arg_val<uint32_t>(0), y = get_arg_val<uint32_t>(1);
  const uint32_t ready = get_semaphore(get_arg_val<uint32_t>(2));
  const uint32_t valid = get_semaphore(get_arg_val<uint32_t>(3));
  auto *valid_word = reinterpret_cast<volatile tt_l1_ptr uint32_t *>(valid);

  for (uint32_t i = 0; i < steps; ++i) {
    cb_reserve_back(cb, count);
    noc_semaphore_set(valid_word, INVALID);
    noc_semaphore_inc(get_noc_addr(x, y, ready), 1);
    noc_async_atomic_barrier();
    noc_semaphore_wait(valid_word, VALID);
    cb_push_back(cb, count);
  }
#ifdef WRITES
  constexpr auto to_args = TensorAccessorArgs<3>();
  const auto to = TensorAccessor(to_args, get_arg_val<uint32_t>(4));
  write_block(to,
              Block{get_arg_val<uint32_t>(5), get_arg_val<uint32_t>(6),
                    get_arg_val<uint32_t>(7), get_arg_val<uint32_t>(8)},
              tt::CBIndex::c_16, get_tile_size(cb));
#endif
}

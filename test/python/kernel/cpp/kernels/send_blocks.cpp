// Reads blocks of an operand, and multicasts each to the other cores of a line;
// with WRITES, writes the block of the product at the end.
#include "api/dataflow/dataflow_api.h"

#include "block.h"

void kernel_main() {
  constexpr uint32_t cb = get_compile_time_arg_val(0);
  constexpr uint32_t steps = get_compile_time_arg_val(1);
  constexpr uint32_t step = get_compile_time_arg_val(2); // tiles
  const uint32_t bytes = get_tile_size(cb);
  Block block = {get_arg_val<uint32_t>(1), get_compile_time_arg_val(3),
                 get_compile_time_arg_val(4), get_compile_time_arg_val(5)};
  constexpr auto args = TensorAccessorArgs<6>();
  const auto tiles = TensorAccessor(args, get_arg_val<uint32_t>(0));
  const uint32_t x0 = get_arg_val<uint32_t>(2), y0 = get_arg_val<uint32_t>(3);
  const uint32_t x1 = get_arg_val<uint32_t>(4), y1 = get_arg_val<uint32_t>(5);
  const uint32_t others = get_arg_val<uint32_t>(6);
  const uint32_t ready = get_semaphore(get_arg_val<uint32_t>(7));
  const uint32_t valid = get_semaphore(get_arg_val<uint32_t>(8));
  auto *ready_word = reinterpret_cast<volatile tt_l1_ptr uint32_t *>(ready);
  auto *valid_word = reinterpret_cast<volatile tt_l1_ptr uint32_t *>(valid);
  const uint32_t count = block.rows * block.columns;

  noc_semaphore_set(valid_word, VALID);
  for (uint32_t i = 0; i < steps; ++i) {
    cb_reserve_back(cb, count);
    read_block(tiles, block, get_write_ptr(cb), bytes);
    noc_semaphore_wait(ready_word, others);
    noc_semaphore_set(ready_word, 0);
    const uint32_t l1 = get_write_ptr(cb);
    noc_async_write_multicast(l1, get_noc_multicast_addr(x0, y0, x1, y1, l1),
                              count * bytes, others);
    noc_semaphore_set_multicast(
        valid, get_noc_multicast_addr(x0, y0, x1, y1, valid), others);
    noc_async_write_barrier();
    cb_push_back(cb, count);
    block.first += step;
  }
#ifdef WRITES
  constexpr auto to_args =
      TensorAccessorArgs<args.next_compile_time_args_offset()>();
  const auto to = TensorAccessor(to_args, get_arg_val<uint32_t>(9));
  write_block(to,
              Block{get_arg_val<uint32_t>(10), get_arg_val<uint32_t>(11),
                    get_arg_val<uint32_t>(12), get_arg_val<uint32_t>(13)},
              tt::CBIndex::c_16, bytes);
#endif
}

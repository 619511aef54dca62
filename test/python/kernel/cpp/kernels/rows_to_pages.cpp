// Moves rows of scalars from a tensor to pages of a buffer (READS), or back.
#include <cstdint>
#include <cstring>

#include "api/dataflow/dataflow_api.h"

void kernel_main() {
  constexpr uint32_t cb = get_compile_time_arg_val(0);
  constexpr uint32_t blocks = get_compile_time_arg_val(1);
  constexpr uint32_t pages = get_compile_time_arg_val(2); // of a block
  constexpr uint32_t row_bytes = get_compile_time_arg_val(3);
  constexpr auto args = TensorAccessorArgs<4>();
  const auto tensor = TensorAccessor(args, get_arg_val<uint32_t>(0));
  for (uint32_t block = 0; block < blocks; ++block) {
#ifdef READS
    cb_reserve_back(cb, pages);
    uint32_t l1 = get_write_ptr(cb);
#else
    cb_wait_front(cb, pages);
    uint32_t l1 = get_read_ptr(cb);
#endif
    for (uint32_t i = 0; i < 32; ++i, l1 += row_bytes) {
      const uint64_t row = tensor.get_noc_addr(block * 32 + i);
#ifdef READS
      noc_async_read(row, l1, row_bytes);
    }
    noc_async_read_barrier();
    cb_push_back(cb, pages);
#else
      noc_async_write(l1, row, row_bytes);
    }
    noc_async_writes_flushed();
    cb_pop_front(cb, pages);
#endif
  }
  noc_async_write_barrier();
}

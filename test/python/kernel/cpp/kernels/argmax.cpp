// Indices of the largest numbers of rows of bf16, by the core itself. The
// buffers are scratch memory: nothing is reserved.
#include <cstdint>
#include <cstring>

#include "api/dataflow/dataflow_api.h"

void kernel_main() {
  const uint32_t rows = get_arg_val<uint32_t>(2);
  constexpr uint32_t columns = get_compile_time_arg_val(0);
  constexpr auto x_args = TensorAccessorArgs<1>();
  constexpr auto y_args =
      TensorAccessorArgs<x_args.next_compile_time_args_offset()>();
  const auto x = TensorAccessor(x_args, get_arg_val<uint32_t>(0));
  const auto y = TensorAccessor(y_args, get_arg_val<uint32_t>(1));
  const uint32_t row_at = get_write_ptr(0), found_at = get_write_ptr(1);
  volatile tt_l1_ptr uint16_t *row =
      reinterpret_cast<volatile tt_l1_ptr uint16_t *>(row_at);
  volatile tt_l1_ptr uint32_t *found =
      reinterpret_cast<volatile tt_l1_ptr uint32_t *>(found_at);
  uint16_t best[2], before[2];
  for (uint32_t i = 0; i < rows; ++i) {
    noc_async_read(get_noc_addr(i, x), row_at, columns * sizeof(uint16_t));
    noc_async_read_barrier();
    uint32_t index = 0;
    best[0] = row[0];
    for (uint32_t j = 1; j < columns; ++j)
      if (const uint16_t value = row[j]; bfloat16_greater(value, best[0])) {
        memmove(before, best, sizeof best);
        best[0] = value;
        index = j;
      }
    DPRINT << "row " << i << " largest " << BF16(best[0]) << ENDL();
    for (uint32_t j = 0; j < 16; ++j)
      found[j] = j == 0 ? index : 0;
    noc_async_write(found_at, get_noc_addr(i, y), 64);
    noc_async_write_barrier();
  }
}

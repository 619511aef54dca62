// Copies pages of a buffer to another one, through L1 at an address.
#include <cstdint>

#include "api/dataflow/dataflow_api.h"

void kernel_main() {
  const uint32_t l1 = get_arg_val<uint32_t>(0);
  const uint32_t pages = get_arg_val<uint32_t>(3);
  constexpr auto from_args = TensorAccessorArgs<0>();
  constexpr auto to_args =
      TensorAccessorArgs<from_args.next_compile_time_args_offset()>();
  const auto from = TensorAccessor(from_args, get_arg_val<uint32_t>(1));
  const auto to = TensorAccessor(to_args, get_arg_val<uint32_t>(2));
  for (uint32_t page = 0; page < pages; ++page) {
    noc_async_read_page(page, from, l1);
    noc_async_read_barrier();
    noc_async_write_page(page, to, l1);
    noc_async_write_barrier();
  }
}

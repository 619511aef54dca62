// Copies pages from a tensor in DRAM to L1, and on to another tensor.
#include <cstdint>

#include "api/dataflow/dataflow_api.h"

void kernel_main() {
  const uint32_t from_address = get_arg_val<uint32_t>(0);
  const uint32_t to_address = get_arg_val<uint32_t>(1);
  const uint32_t pages = get_arg_val<uint32_t>(2);
  constexpr uint32_t cb = get_compile_time_arg_val(0);
  constexpr auto from_args = TensorAccessorArgs<1>();
  constexpr auto to_args =
      TensorAccessorArgs<from_args.next_compile_time_args_offset()>();
  const auto from = TensorAccessor(from_args, from_address);
  const auto to = TensorAccessor(to_args, to_address);

  cb_reserve_back(cb, 1);
  const uint32_t l1 = get_write_ptr(cb);
  for (uint32_t page = 0; page < pages; ++page) {
    noc_async_read_page(page, from, l1);
    noc_async_read_barrier();
    noc_async_write_page(page, to, l1);
    noc_async_write_barrier();
  }
  cb_push_back(cb, 1);
  cb_wait_front(cb, 1);
  cb_pop_front(cb, 1);
}

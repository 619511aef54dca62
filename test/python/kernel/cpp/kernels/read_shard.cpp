// Rows [first, first + count) of a tensor to the shard of this core.
#include <cstdint>

#include "api/dataflow/dataflow_api.h"

void kernel_main() {
  const uint32_t first = get_arg_val<uint32_t>(1);
  const uint32_t count = get_arg_val<uint32_t>(2);
  const uint32_t bytes = get_arg_val<uint32_t>(3);
  constexpr auto args = TensorAccessorArgs<0>();
  const auto rows = TensorAccessor(args, get_arg_val<uint32_t>(0));
  cb_reserve_back(0, count);
  const uint32_t l1 = get_write_ptr(0);
  for (uint32_t i = 0; i < count; ++i) {
    noc_async_read_page(first + i, rows, l1 + i * bytes);
  }
  noc_async_read_barrier();
  cb_push_back(0, count);
}

// Copies rows to wider ones, and fills the rest with a value.
#include <cstdint>

#include "api/dataflow/dataflow_api.h"

// The bytes of a row of both tensors.
struct Rows {
  uint32_t from, to;
};

template <typename T> inline T smaller(T a, T b) { return a < b ? a : b; }

void kernel_main() {
  const uint32_t first = get_arg_val<uint32_t>(2);
  const uint32_t end = get_arg_val<uint32_t>(3);
  constexpr Rows bytes = {get_compile_time_arg_val(0),
                          get_compile_time_arg_val(1)};
  constexpr uint32_t value = PAD_VALUE;
  constexpr auto from_args = TensorAccessorArgs<2>();
  const auto from = TensorAccessor(from_args, get_arg_val<uint32_t>(0));
  constexpr auto to_args = TensorAccessorArgs<3>();
  const auto to = TensorAccessor(to_args, get_arg_val<uint32_t>(1));

  cb_reserve_back(0, 1);
  const uint32_t row = get_write_ptr(0);
  volatile tt_l1_ptr uint32_t *words =
      reinterpret_cast<volatile tt_l1_ptr uint32_t *>(row);
  for (uint32_t i = smaller(bytes.from, bytes.to) / 4; i < bytes.to / 4; ++i)
    words[i] = value << 16 | value;
  for (uint32_t i = first; i < end; ++i) {
    noc_async_read_page(i, from, row);
    noc_async_read_barrier();
    noc_async_write_page(i, to, row);
    noc_async_write_barrier();
  }
  cb_push_back(0, 1);
  cb_wait_front(0, 1);
  cb_pop_front(0, 1);
}

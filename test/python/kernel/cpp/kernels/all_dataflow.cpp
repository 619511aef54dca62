// Calls of the functions of data movement kernels, in the forms of 2024 and
// 2026; none of them is executed.
#include <cstdint>

#include "api/dataflow/dataflow_api.h"
#include "debug/assert.h"
#include "debug/dprint.h"
#include "debug/waypoint.h"

void kernel_main() {
  const uint32_t a = get_arg_val<uint32_t>(0), l1 = get_arg_val<uint32_t>(1);
  if (a == 0)
    return;
  constexpr auto args = TensorAccessorArgs<0>();
  const auto pages = TensorAccessor(args, a, 2048);
  const InterleavedAddrGenFast<true> fast = {
      .bank_base_address = a,
      .page_size = 2048,
      .data_format = DataFormat::Float16_b};
  const InterleavedPow2AddrGen<true> pow2 = {.bank_base_address = a,
                                             .log_base_2_of_page_size = 11};
  auto *word = reinterpret_cast<volatile tt_l1_ptr uint32_t *>(l1);
  const uint64_t core = get_noc_addr(my_x[noc_index], my_y[0], l1);
  const uint64_t cores = get_noc_multicast_addr(1, 1, 2, 2, l1, noc_index);

  noc_async_read(core, l1, 64);
  noc_async_read<64>(core, l1, 64, noc_index);
  noc_async_write(l1, core, 64);
  noc_async_read_page(1, pages, l1);
  noc_async_write_page(1, pages, l1);
  noc_async_write_page(1, pages, l1, 64, 32);
  noc_async_read_tile(1, fast, l1);
  noc_async_write_tile(1, fast, l1);
  noc_async_read_page(1, pow2, l1);
  noc_async_read(get_noc_addr(1, pages), l1, 64);
  noc_async_read(get_noc_addr(1, pages, 32), l1, 64);
  noc_async_read(pages.get_noc_addr(1, 32), l1, 64);
  noc_async_read(get_noc_addr(1, fast), l1, 64);
  noc_async_read(get_noc_addr(l1), l1, 64);
  noc_async_read(get_noc_addr_from_bank_id<true>(0, 64), l1, 64);
  noc_async_read(get_noc_addr_from_bank_id<false>(0, 64), l1, 64);
  noc_async_read_one_packet(core, l1, 64);
  noc_async_read_one_packet_set_state(core, 64);
  noc_async_read_one_packet_with_state(l1, l1);
  noc_async_read_one_packet_with_state<true>(l1, l1);
  noc_async_read_set_state(core);
  noc_async_read_with_state(l1, l1, 64);
  noc_async_write_one_packet(l1, core, 64);
  noc_async_write_one_packet_set_state(core, 64);
  noc_async_write_one_packet_with_state(l1, l1);
  noc_async_write_multicast(l1, cores, 64, 4);
  noc_async_write_multicast(l1, cores, 64, 4, true);
  noc_async_write_multicast_loopback_src(l1, cores, 64, 4);
  noc_async_write_multicast_one_packet(l1, cores, 64, 4);
  noc_async_read_barrier();
  noc_async_write_barrier(noc_index);
  noc_async_writes_flushed();
  noc_async_posted_writes_flushed();
  noc_async_atomic_barrier();
  noc_async_full_barrier();
  noc_inline_dw_write(core, 5);
  noc_inline_dw_write_set_state(core);
  noc_inline_dw_write_set_state<false, true>(core, 5);
  noc_inline_dw_write_with_state(6);
  noc_inline_dw_write_with_state<true, true, false, false, true>(6, l1);
  reset_noc_trid_barrier_counter();
  reset_noc_trid_barrier_counter(3, noc_index);
  noc_async_read_set_trid(1);
  noc_async_read_barrier_with_trid(1);
  noc_async_write_set_trid(2, noc_index);
  noc_async_write_one_packet_with_trid(l1, core, 64, 3);
  noc_async_write_one_packet_with_trid_set_state(core);
  noc_async_write_one_packet_with_trid_with_state(l1, l1, 64, 3);
  noc_async_write_barrier_with_trid(NOC_MAX_TRANSACTION_ID);
  noc_semaphore_inc(core, 1);
  noc_semaphore_set(word, VALID);
  noc_semaphore_wait(word, INVALID);
  noc_semaphore_wait_min(word, 1);
  noc_semaphore_set_remote(l1, core);
  noc_semaphore_set_multicast(l1, cores, 4);
  noc_semaphore_set_multicast_loopback_src(l1, cores, 4, false);
  noc_semaphore_inc_multicast(cores, 1, 4);
  fill_with_val<uint32_t>(l1, 4, 0);
  tt_memmove(l1, l1 + 64, 64);
  noc_async_read(get_noc_addr(MEM_ZEROS_BASE), l1, MEM_ZEROS_SIZE);
  cb_reserve_back(tt::CB::dataflow0, 1);
  cb_push_back(tt::CBIndex::c_31, cb_pages_available_at_front(1, 1));
  cb_pages_reservable_at_back(1, 1);
  get_relative_logical_x() + get_absolute_logical_y();
  bfloat16_greater(1, 2) || float32_greater(1, 2);
  experimental::Noc noc;
  DataflowBuffer buffer(3);
  noc.async_read(pages, buffer, 64, {.page_id = 1, .offset_bytes = 32});
  noc.async_writes_flushed();
  buffer.get_tile_size();
  buffer.get_dataformat();
  fabric_async_write(l1, 0, core, 64);
  fabric_semaphore_inc(0, core, 1);
  fabric_async_write_barrier();
  static_assert(args.next_compile_time_args_offset() == 1 && args.is_dram);
  WAYPOINT("DONE");
  ASSERT(a);
}

// The library of data movement kernels.
#ifndef TTK_DATAFLOW_H
#define TTK_DATAFLOW_H

#ifdef TTK_COMPUTE
#error                                                                         \
    "this header is for data movement kernels: expected api/compute/... in a compute kernel"
#endif

#include <cstdint>

/// The NoC that the kernel uses.
inline constexpr std::uint8_t noc_index = TTK_NOC;
#define NOC_INDEX TTK_NOC

#include "ttk/core.h"

inline constexpr std::uint32_t INVALID = 0, VALID = 1;
inline constexpr std::uint32_t NOC_MAX_BURST_SIZE = 8192;

//===----------------------------------------------------------------------===//
// Place
//===----------------------------------------------------------------------===//

namespace ttk {

/// my_x and my_y: the NoC coordinates of the core.
template <std::uint32_t opcode> struct Coordinate {
  TTK_UNCOUNTED std::uint8_t operator[](std::uint32_t) const {
    return static_cast<std::uint8_t>(
        issueAt(opcode, Site{nullptr, 0, __builtin_return_address(0)}));
  }
};

/// Rejects transfers on a NoC other than the kernel's own.
TTK_API void checkNoc(std::uint8_t noc, Place place) {
  if (__builtin_constant_p(noc) && noc == noc_index)
    return;
  if (noc != noc_index)
    refuse("a transfer on the NoC of the other data movement kernel is not "
           "supported by the emulator",
           place);
}

} // namespace ttk

inline constexpr ttk::Coordinate<29> my_x{};
inline constexpr ttk::Coordinate<30> my_y{};

/// The cores of a kernel and its program start at (0, 0).
TTK_API std::uint32_t get_relative_logical_x(TTK_PLACE) {
  return get_absolute_logical_x(ttk_place);
}
TTK_API std::uint32_t get_relative_logical_y(TTK_PLACE) {
  return get_absolute_logical_y(ttk_place);
}

//===----------------------------------------------------------------------===//
// Addresses
//===----------------------------------------------------------------------===//

TTK_API std::uint64_t get_noc_addr(std::uint32_t x, std::uint32_t y,
                                   std::uint32_t address,
                                   std::uint8_t noc = noc_index, TTK_PLACE) {
  ttk::checkNoc(noc, ttk_place);
  ttk::use<52>(0);
  return ttk::issue(52, ttk_place, x, y, address);
}
/// The address in this core's L1.
TTK_API std::uint64_t get_noc_addr(std::uint32_t address, TTK_PLACE) {
  const std::uint64_t x = ttk::issue(29, ttk_place);
  const std::uint64_t y = ttk::issue(30, ttk_place);
  ttk::use<52>(0);
  return ttk::issue(52, ttk_place, x, y, address);
}
template <bool DRAM>
TTK_API std::uint64_t
get_noc_addr_from_bank_id(std::uint32_t bank, std::uint32_t offset,
                          std::uint8_t noc = noc_index, TTK_PLACE) {
  ttk::checkNoc(noc, ttk_place);
  if constexpr (!DRAM)
    ttk::use<52>(0); // reaches cores
  return ttk::issue(53, ttk_place, bank, offset, DRAM);
}
TTK_API std::uint64_t
get_noc_multicast_addr(std::uint32_t x_start, std::uint32_t y_start,
                       std::uint32_t x_end, std::uint32_t y_end,
                       std::uint32_t address, std::uint8_t noc = noc_index,
                       TTK_PLACE) {
  ttk::checkNoc(noc, ttk_place);
  ttk::use<54>(0);
  return ttk::issue(54, ttk_place, x_start, y_start, x_end, y_end, address);
}

//===----------------------------------------------------------------------===//
// Pages of tensors
//===----------------------------------------------------------------------===//

/// The compile-time argument identifies the tensor of the program, which
/// determines the layout of its pages.
template <std::uint32_t CTA_OFFSET, std::uint32_t CRTA_OFFSET = 0>
struct TensorAccessorArgs {
  static constexpr std::uint32_t word = get_ct_arg<CTA_OFFSET>();
  static constexpr bool is_dram = word & 2, is_sharded = word & 1;
  static constexpr std::uint32_t num_compile_time_args() { return 1; }
  static constexpr std::uint32_t next_compile_time_args_offset() {
    return CTA_OFFSET + 1;
  }
  static constexpr std::uint32_t num_common_runtime_args() { return 0; }
  static constexpr std::uint32_t next_common_runtime_args_offset() {
    return CRTA_OFFSET;
  }
};

class TensorAccessor {
public:
  template <std::uint32_t CTA, std::uint32_t CRTA>
  TTK_METHOD TensorAccessor(TensorAccessorArgs<CTA, CRTA>,
                            std::uint32_t base_address,
                            std::uint32_t page_bytes = 0, TTK_PLACE)
      : page_bytes_(page_bytes),
        value_(ttk::issue(65, ttk_place, base_address,
                          TensorAccessorArgs<CTA, CRTA>::word >> 8 & 0xffff)) {
    static_assert(TensorAccessorArgs<CTA, CRTA>::word >> 24 == 0x7a,
                  "the compile-time argument of a TensorAccessorArgs is not a "
                  "tensor: expected one in compile_args");
  }
  TTK_METHOD std::uint64_t get_noc_addr(std::uint32_t page,
                                        std::uint32_t offset = 0,
                                        std::uint8_t noc = noc_index,
                                        TTK_PLACE) const {
    ttk::checkNoc(noc, ttk_place);
    return ttk::issue(66, ttk_place, value_, page, offset);
  }
  TTK_METHOD constexpr std::uint64_t value(ttk::Place) const { return value_; }
  TTK_METHOD constexpr std::uint32_t get_aligned_page_size() const {
    return page_bytes_;
  }

private:
  std::uint32_t page_bytes_;
  std::uint64_t value_;
};

namespace ttk {
/// The accessor for the address generators of 2024, which identify a tensor by
/// its address.
TTK_API std::uint64_t accessorAt(std::uint32_t address, std::uint32_t bytes,
                                 bool dram, Place place) {
  const Site site = siteAt(place);
  Host *host = self();
  return host->find(host, address, bytes, dram, &site) << 32 | address;
}
} // namespace ttk

#define TTK_ADDRESS_GENERATOR                                                  \
  TTK_METHOD std::uint64_t value(ttk::Place place) const {                     \
    return ttk::accessorAt(bank_base_address, page_size, DRAM, place);         \
  }                                                                            \
  TTK_METHOD std::uint64_t get_noc_addr(                                       \
      std::uint32_t id, std::uint32_t offset = 0,                              \
      std::uint8_t noc = noc_index, TTK_PLACE) const {                         \
    ttk::checkNoc(noc, ttk_place);                                             \
    return ttk::issue(66, ttk_place, value(ttk_place), id, offset);            \
  }

template <bool DRAM> struct InterleavedAddrGen {
  std::uint32_t bank_base_address;
  std::uint32_t page_size;
  TTK_ADDRESS_GENERATOR
};
template <bool DRAM, std::uint32_t tile_hw = 1024>
struct InterleavedAddrGenFast {
  std::uint32_t bank_base_address;
  std::uint32_t page_size;
  DataFormat data_format;
  TTK_ADDRESS_GENERATOR
};
template <bool DRAM> struct InterleavedPow2AddrGen {
  std::uint32_t bank_base_address;
  std::uint32_t log_base_2_of_page_size;
  TTK_METHOD std::uint64_t value(ttk::Place place) const {
    return ttk::accessorAt(bank_base_address, 1u << log_base_2_of_page_size,
                           DRAM, place);
  }
  TTK_METHOD std::uint64_t get_noc_addr(std::uint32_t id,
                                        std::uint32_t offset = 0,
                                        std::uint8_t noc = noc_index,
                                        TTK_PLACE) const {
    ttk::checkNoc(noc, ttk_place);
    return ttk::issue(66, ttk_place, value(ttk_place), id, offset);
  }
};
template <bool DRAM>
using InterleavedPow2AddrGenFast = InterleavedPow2AddrGen<DRAM>;
#undef TTK_ADDRESS_GENERATOR

namespace ttk {
template <typename T>
concept Pages = requires(const T &pages) { pages.value(Place{}); };
} // namespace ttk

template <ttk::Pages T>
TTK_API std::uint64_t get_noc_addr(std::uint32_t page, const T &pages,
                                   std::uint32_t offset = 0,
                                   std::uint8_t noc = noc_index, TTK_PLACE) {
  return pages.get_noc_addr(page, offset, noc, ttk_place);
}

//===----------------------------------------------------------------------===//
// Transfers
//===----------------------------------------------------------------------===//

template <std::uint32_t max_page_size = 0, bool tracing = true>
TTK_API void noc_async_read(std::uint64_t source, std::uint32_t destination,
                            std::uint32_t size, std::uint8_t noc = noc_index,
                            std::uint32_t vc = 0, TTK_PLACE) {
  ttk::checkNoc(noc, ttk_place);
  ttk::issue(55, ttk_place, source, destination, size);
}
template <std::uint32_t max_page_size = 0, bool tracing = true,
          bool posted = false>
TTK_API void noc_async_write(std::uint32_t source, std::uint64_t destination,
                             std::uint32_t size, std::uint8_t noc = noc_index,
                             std::uint32_t vc = 0, TTK_PLACE) {
  ttk::checkNoc(noc, ttk_place);
  ttk::issue(56, ttk_place, source, destination, size);
}

/// Transfers of pages, with an offset into the page.
template <ttk::Pages T>
TTK_API void noc_async_read_page(std::uint32_t page, const T &pages,
                                 std::uint32_t destination,
                                 std::uint32_t offset = 0,
                                 std::uint8_t noc = noc_index, TTK_PLACE) {
  ttk::checkNoc(noc, ttk_place);
  if (offset)
    ttk::refuse("noc_async_read_page with an offset is not supported by the "
                "emulator: expected noc_async_read from get_noc_addr(page, "
                "accessor, offset)",
                ttk_place);
  ttk::issue(67, ttk_place, page, pages.value(ttk_place), destination);
}
template <ttk::Pages T>
TTK_API void noc_async_write_page(std::uint32_t page, const T &pages,
                                  std::uint32_t source, std::uint32_t size = 0,
                                  std::uint32_t offset = 0,
                                  std::uint8_t noc = noc_index, TTK_PLACE) {
  ttk::checkNoc(noc, ttk_place);
  if (size || offset) {
    const std::uint64_t to =
        ttk::issue(66, ttk_place, pages.value(ttk_place), page, offset);
    ttk::issue(56, ttk_place, source, to, size);
    return;
  }
  ttk::issue(68, ttk_place, page, pages.value(ttk_place), source);
}
template <ttk::Pages T>
TTK_API void noc_async_read_tile(std::uint32_t tile, const T &pages,
                                 std::uint32_t destination,
                                 std::uint32_t offset = 0,
                                 std::uint8_t noc = noc_index, TTK_PLACE) {
  noc_async_read_page(tile, pages, destination, offset, noc, ttk_place);
}
template <ttk::Pages T>
TTK_API void noc_async_write_tile(std::uint32_t tile, const T &pages,
                                  std::uint32_t source,
                                  std::uint8_t noc = noc_index, TTK_PLACE) {
  noc_async_write_page(tile, pages, source, 0, 0, noc, ttk_place);
}

/// A packet is a transfer of at most NOC_MAX_BURST_SIZE bytes.
template <bool tracing = true>
TTK_API void
noc_async_read_one_packet(std::uint64_t source, std::uint32_t destination,
                          std::uint32_t size, std::uint8_t noc = noc_index,
                          std::uint32_t vc = 0, TTK_PLACE) {
  noc_async_read(source, destination, size, noc, vc, ttk_place);
}
template <bool tracing = true, bool posted = false>
TTK_API void
noc_async_write_one_packet(std::uint32_t source, std::uint64_t destination,
                           std::uint32_t size, std::uint8_t noc = noc_index,
                           std::uint32_t vc = 0, TTK_PLACE) {
  noc_async_write(source, destination, size, noc, vc, ttk_place);
}

namespace ttk {
/// The addresses and sizes that `..._set_state` keeps.
enum State {
  kReadState,
  kReadSize,
  kWriteState,
  kWriteSize,
  kInlineState,
  kInlineValue
};
inline constexpr std::uint64_t kLocalBits = 0xfffffffff; // of an address

TTK_API void wholeWord(std::uint8_t byte_enable, Place place) {
  if (byte_enable != 0xf)
    refuse("noc_inline_dw_write of some bytes of a word is not supported by "
           "the emulator",
           place);
}
} // namespace ttk

template <bool use_vc = false>
TTK_API void noc_async_read_set_state(std::uint64_t source,
                                      std::uint8_t noc = noc_index, TTK_PLACE) {
  ttk::checkNoc(noc, ttk_place);
  ttk::self()->states[ttk::kReadState] = source;
}
template <bool use_vc = false>
TTK_API void
noc_async_read_one_packet_set_state(std::uint64_t source, std::uint32_t size,
                                    const std::uint32_t vc = 0,
                                    std::uint8_t noc = noc_index, TTK_PLACE) {
  ttk::checkNoc(noc, ttk_place);
  ttk::self()->states[ttk::kReadState] = source;
  ttk::self()->states[ttk::kReadSize] = size;
}
/// Reads another address of the core or channel in the state.
template <bool inc_num_issued = true, bool use_vc = false>
TTK_API void noc_async_read_one_packet_with_state(std::uint32_t source,
                                                  std::uint32_t destination,
                                                  const std::uint32_t vc = 0,
                                                  std::uint8_t noc = noc_index,
                                                  TTK_PLACE) {
  ttk::checkNoc(noc, ttk_place);
  const std::uint64_t state = ttk::self()->states[ttk::kReadState];
  ttk::issue(55, ttk_place, (state & ~ttk::kLocalBits) | source, destination,
             ttk::self()->states[ttk::kReadSize]);
}
template <bool inc_num_issued = true>
TTK_API void
noc_async_read_with_state(std::uint32_t source, std::uint32_t destination,
                          std::uint32_t size, std::uint8_t noc = noc_index,
                          TTK_PLACE) {
  ttk::checkNoc(noc, ttk_place);
  const std::uint64_t state = ttk::self()->states[ttk::kReadState];
  ttk::issue(55, ttk_place, (state & ~ttk::kLocalBits) | source, destination,
             size);
}
template <bool posted = false>
TTK_API void noc_async_write_one_packet_set_state(std::uint64_t destination,
                                                  std::uint32_t size,
                                                  std::uint8_t noc = noc_index,
                                                  std::uint8_t vc = 0,
                                                  TTK_PLACE) {
  ttk::checkNoc(noc, ttk_place);
  ttk::self()->states[ttk::kWriteState] = destination;
  ttk::self()->states[ttk::kWriteSize] = size;
}
template <bool posted = false>
TTK_API void noc_async_write_one_packet_with_state(std::uint32_t source,
                                                   std::uint32_t destination,
                                                   std::uint8_t noc = noc_index,
                                                   TTK_PLACE) {
  ttk::checkNoc(noc, ttk_place);
  const std::uint64_t state = ttk::self()->states[ttk::kWriteState];
  ttk::issue(56, ttk_place, source, (state & ~ttk::kLocalBits) | destination,
             ttk::self()->states[ttk::kWriteSize]);
}

/// Multicasts. `linked` reserves the path for the next one, which does not
/// change results.
template <std::uint32_t max_page_size = 0>
TTK_API void
noc_async_write_multicast(std::uint32_t source, std::uint64_t destinations,
                          std::uint32_t size, std::uint32_t count,
                          bool linked = false, std::uint8_t noc = noc_index,
                          TTK_PLACE) {
  ttk::checkNoc(noc, ttk_place);
  ttk::issue(57, ttk_place, source, destinations, size, count);
}
TTK_API void noc_async_write_multicast_one_packet(
    std::uint32_t source, std::uint64_t destinations, std::uint32_t size,
    std::uint32_t count, bool linked = false, std::uint8_t noc = noc_index,
    TTK_PLACE) {
  noc_async_write_multicast(source, destinations, size, count, linked, noc,
                            ttk_place);
}
TTK_API void noc_async_write_multicast_loopback_src(
    std::uint32_t source, std::uint64_t destinations, std::uint32_t size,
    std::uint32_t count, bool linked = false, std::uint8_t noc = noc_index,
    TTK_PLACE) {
  ttk::checkNoc(noc, ttk_place);
  ttk::issue(58, ttk_place, source, destinations, size, count);
}

#define TTK_BARRIER(name, opcode)                                              \
  TTK_API void name(std::uint8_t noc = noc_index, TTK_PLACE) {                 \
    ttk::checkNoc(noc, ttk_place);                                             \
    ttk::issue(opcode, ttk_place);                                             \
  }
TTK_BARRIER(noc_async_read_barrier, 59)
TTK_BARRIER(noc_async_write_barrier, 60)
TTK_BARRIER(noc_async_writes_flushed, 61)
TTK_BARRIER(noc_async_atomic_barrier, 62)
TTK_BARRIER(noc_async_full_barrier, 63)
/// Waits for posted writes as for all other writes.
TTK_BARRIER(noc_async_posted_writes_flushed, 61)
#undef TTK_BARRIER

/// Transaction ids, and the barriers that wait for the transfers of one.
inline constexpr std::uint32_t NOC_MAX_TRANSACTION_ID = 15;
#define TTK_TRANSACTION(name, opcode)                                          \
  TTK_API void name(std::uint32_t trid, std::uint8_t noc = noc_index,          \
                    TTK_PLACE) {                                               \
    ttk::checkNoc(noc, ttk_place);                                             \
    ttk::issue(opcode, ttk_place, trid);                                       \
  }
TTK_TRANSACTION(noc_async_read_set_trid, 354)
TTK_TRANSACTION(noc_async_write_set_trid, 355)
TTK_TRANSACTION(noc_async_read_barrier_with_trid, 356)
TTK_TRANSACTION(noc_async_write_barrier_with_trid, 357)
#undef TTK_TRANSACTION
TTK_API void reset_noc_trid_barrier_counter(std::uint32_t id_mask = 0xffff,
                                            std::uint8_t noc = noc_index,
                                            TTK_PLACE) {
  ttk::checkNoc(noc, ttk_place);
  ttk::issue(359, ttk_place, id_mask);
}
template <bool update_counter = true, bool posted = false>
TTK_API void noc_async_write_one_packet_with_trid(
    std::uint32_t source, std::uint64_t destination, std::uint32_t size,
    std::uint32_t trid, std::uint8_t cmd_buf = 0, std::uint8_t noc = noc_index,
    std::uint8_t vc = 0, TTK_PLACE) {
  ttk::checkNoc(noc, ttk_place);
  ttk::issue(358, ttk_place, source, destination, size, trid);
}
template <bool posted = false>
TTK_API void noc_async_write_one_packet_with_trid_set_state(
    std::uint64_t destination, std::uint8_t cmd_buf = 0,
    std::uint8_t noc = noc_index, std::uint8_t vc = 0, TTK_PLACE) {
  ttk::checkNoc(noc, ttk_place);
  ttk::self()->states[ttk::kWriteState] = destination;
}
/// Writes to another address of the core or channel in the state.
template <bool update_counter = true, bool posted = false>
TTK_API void noc_async_write_one_packet_with_trid_with_state(
    std::uint32_t source, std::uint32_t destination, std::uint32_t size,
    std::uint32_t trid, std::uint8_t cmd_buf = 0, std::uint8_t noc = noc_index,
    TTK_PLACE) {
  ttk::checkNoc(noc, ttk_place);
  const std::uint64_t state = ttk::self()->states[ttk::kWriteState];
  ttk::issue(358, ttk_place, source, (state & ~ttk::kLocalBits) | destination,
             size, trid);
}

TTK_API void noc_inline_dw_write(std::uint64_t address, std::uint32_t value,
                                 std::uint8_t byte_enable = 0xf,
                                 std::uint8_t noc = noc_index,
                                 std::uint8_t vc = 0, TTK_PLACE) {
  ttk::checkNoc(noc, ttk_place);
  ttk::wholeWord(byte_enable, ttk_place);
  ttk::use<64>(0);
  ttk::issue(64, ttk_place, address, value);
}
template <bool posted = false, bool set_val = false>
TTK_API void noc_inline_dw_write_set_state(std::uint64_t address,
                                           std::uint32_t value = 0,
                                           std::uint8_t byte_enable = 0xf,
                                           std::uint8_t cmd_buf = 0,
                                           std::uint8_t noc = noc_index,
                                           std::uint8_t vc = 0, TTK_PLACE) {
  ttk::checkNoc(noc, ttk_place);
  ttk::wholeWord(byte_enable, ttk_place);
  ttk::self()->states[ttk::kInlineState] = address;
  if constexpr (set_val)
    ttk::self()->states[ttk::kInlineValue] = value;
}
/// Writes `value`, or that of the state without `update_val`, to the address in
/// the state; `update_addr_lo` first replaces the part within the core.
template <bool update_addr_lo = false, bool update_counter = true,
          bool posted = false, bool update_addr_hi = false,
          bool update_val = false>
TTK_API void
noc_inline_dw_write_with_state(std::uint32_t value, std::uint32_t address = 0,
                               std::uint8_t cmd_buf = 0,
                               std::uint8_t noc = noc_index, TTK_PLACE) {
  static_assert(!update_addr_hi,
                "noc_inline_dw_write_with_state with another core is not "
                "supported by the emulator: expected another "
                "noc_inline_dw_write_set_state");
  auto &states = ttk::self()->states;
  if constexpr (update_addr_lo)
    states[ttk::kInlineState] =
        (states[ttk::kInlineState] & ~ttk::kLocalBits) | address;
  if constexpr (update_val)
    states[ttk::kInlineValue] = value;
  noc_inline_dw_write(states[ttk::kInlineState],
                      static_cast<std::uint32_t>(states[ttk::kInlineValue]),
                      0xf, noc, 0, ttk_place);
}

//===----------------------------------------------------------------------===//
// Semaphores
//===----------------------------------------------------------------------===//

template <typename Kind = void>
TTK_API std::uint32_t get_semaphore(std::uint32_t id, TTK_PLACE) {
  return static_cast<std::uint32_t>(ttk::issue(69, ttk_place, id));
}
template <bool posted = false>
TTK_API void noc_semaphore_inc(std::uint64_t address, std::uint32_t increment,
                               std::uint8_t noc = noc_index,
                               std::uint8_t vc = 0, TTK_PLACE) {
  ttk::checkNoc(noc, ttk_place);
  ttk::use<73>(0);
  ttk::issue(73, ttk_place, address, increment);
}
TTK_API void noc_semaphore_set_remote(std::uint32_t source,
                                      std::uint64_t address,
                                      std::uint8_t noc = noc_index, TTK_PLACE) {
  ttk::checkNoc(noc, ttk_place);
  ttk::use<74>(0);
  ttk::issue(74, ttk_place, source, address);
}
TTK_API void
noc_semaphore_set_multicast(std::uint32_t source, std::uint64_t destinations,
                            std::uint32_t count, bool linked = false,
                            std::uint8_t noc = noc_index, TTK_PLACE) {
  ttk::checkNoc(noc, ttk_place);
  ttk::use<75>(0);
  ttk::issue(75, ttk_place, source, destinations, count);
}
TTK_API void noc_semaphore_set_multicast_loopback_src(
    std::uint32_t source, std::uint64_t destinations, std::uint32_t count,
    bool linked = false, std::uint8_t noc = noc_index, TTK_PLACE) {
  ttk::checkNoc(noc, ttk_place);
  ttk::use<76>(0);
  ttk::issue(76, ttk_place, source, destinations, count);
}
template <bool posted = false>
TTK_API void
noc_semaphore_inc_multicast(std::uint64_t destinations, std::uint32_t increment,
                            std::uint32_t count, std::uint8_t noc = noc_index,
                            std::uint8_t vc = 0, TTK_PLACE) {
  ttk::checkNoc(noc, ttk_place);
  ttk::use<77>(0);
  ttk::issue(77, ttk_place, destinations, increment, count);
}

//===----------------------------------------------------------------------===//
// The core's own memory
//===----------------------------------------------------------------------===//

#define MEM_ZEROS_BASE static_cast<std::uint32_t>(ttk::issue(50, TTK_HERE))
inline constexpr std::uint32_t MEM_ZEROS_SIZE = 512;
template <typename T>
TTK_API void fill_with_val(std::uint32_t address, std::uint32_t count, T value,
                           TTK_PLACE) {
  static_assert(sizeof(T) <= 4, "a number of at most 4 bytes");
  std::uint32_t word = 0;
  __builtin_memcpy(&word, &value, sizeof value);
  ttk::issue(49, ttk_place, address, count, word, sizeof(T));
}

TTK_API bool bfloat16_greater(std::uint16_t a, std::uint16_t b) {
  return std::bit_cast<float>(std::uint32_t(a) << 16) >
         std::bit_cast<float>(std::uint32_t(b) << 16);
}
TTK_API bool float32_greater(std::uint32_t a, std::uint32_t b) {
  return std::bit_cast<float>(a) > std::bit_cast<float>(b);
}

//===----------------------------------------------------------------------===//
// The NoC as an object, the interface since 2026
//===----------------------------------------------------------------------===//

class Noc {
public:
  TTK_METHOD constexpr Noc(std::uint8_t noc = noc_index) : noc_(noc) {}
  TTK_METHOD void async_read_barrier(TTK_PLACE) const {
    noc_async_read_barrier(noc_, ttk_place);
  }
  TTK_METHOD void async_write_barrier(TTK_PLACE) const {
    noc_async_write_barrier(noc_, ttk_place);
  }
  TTK_METHOD void async_writes_flushed(TTK_PLACE) const {
    noc_async_writes_flushed(noc_, ttk_place);
  }
  TTK_METHOD void async_atomic_barrier(TTK_PLACE) const {
    noc_async_atomic_barrier(noc_, ttk_place);
  }
  TTK_METHOD void async_full_barrier(TTK_PLACE) const {
    noc_async_full_barrier(noc_, ttk_place);
  }
  TTK_METHOD constexpr std::uint8_t get_noc_id() const { return noc_; }

  /// The arguments of a page, written in braces.
  struct Page {
    std::uint32_t page_id = 0, offset_bytes = 0;
  };
  struct Bytes {
    std::uint32_t offset_bytes = 0;
  };
  template <ttk::Pages T>
  TTK_METHOD void async_read(const T &pages, const CircularBuffer &to,
                             std::uint32_t bytes, Page from, Bytes at = {},
                             TTK_PLACE) const {
    const std::uint64_t source =
        pages.get_noc_addr(from.page_id, from.offset_bytes, noc_, ttk_place);
    noc_async_read(source, to.get_write_ptr(ttk_place) + at.offset_bytes, bytes,
                   noc_, 0, ttk_place);
  }
  template <ttk::Pages T>
  TTK_METHOD void async_write(const CircularBuffer &from, const T &pages,
                              std::uint32_t bytes, Bytes at, Page to,
                              TTK_PLACE) const {
    const std::uint64_t target =
        pages.get_noc_addr(to.page_id, to.offset_bytes, noc_, ttk_place);
    noc_async_write(from.get_read_ptr(ttk_place) + at.offset_bytes, target,
                    bytes, noc_, 0, ttk_place);
  }

private:
  std::uint8_t noc_;
};
namespace experimental {
using ::Noc;
} // namespace experimental

//===----------------------------------------------------------------------===//
// Functions that the emulator does not have
//===----------------------------------------------------------------------===//

TTK_UNSUPPORTED(noc_async_read_tile_dram_sharded_set_state)
TTK_UNSUPPORTED(noc_async_read_tile_dram_sharded_with_state)
TTK_UNSUPPORTED(noc_async_read_tile_dram_sharded_with_state_with_trid)
TTK_UNSUPPORTED(noc_async_write_multicast_exclude_region)
TTK_UNSUPPORTED(noc_async_read_shard)
TTK_UNSUPPORTED(noc_async_write_shard)
TTK_UNSUPPORTED(get_read_tile)
TTK_UNSUPPORTED(remote_sram_write_u32)

#endif // TTK_DATAFLOW_H

// Tiles of constants, like those of TTNN's library for data movement kernels.
#ifndef TTK_DATAFLOW_LIB_H
#define TTK_DATAFLOW_LIB_H

#include "ttk/dataflow.h"

namespace ttk {
/// Fills a reserved tile of bf16 with zeros.
TTK_API volatile l1::uint32_t *zeroTile(std::uint32_t cb, Place place) {
  constexpr std::uint32_t bytes = 2048;
  const std::uint32_t address = get_write_ptr(cb, place);
  const std::uint64_t zeros =
      get_noc_addr(static_cast<std::uint32_t>(issue(50, place)), place);
  for (std::uint32_t at = 0; at < bytes; at += MEM_ZEROS_SIZE)
    noc_async_read(zeros, address + at, MEM_ZEROS_SIZE, noc_index, 0, place);
  noc_async_read_barrier(noc_index, place);
  return reinterpret_cast<volatile l1::uint32_t *>(address);
}
inline constexpr std::uint32_t kFaceWords = 128, kRowWords = 8; // of bf16
} // namespace ttk

/// Pushes a bf16 tile for `reduce_tile`: the first row of each face is
/// `scaler`, a number twice in a word, the rest 0.
TTK_API void generate_reduce_scaler(std::uint32_t cb, std::uint32_t scaler,
                                    TTK_PLACE) {
  cb_reserve_back(cb, 1, ttk_place);
  auto *words = ttk::zeroTile(cb, ttk_place);
  for (std::uint32_t face = 0; face < 4; ++face)
    for (std::uint32_t i = 0; i < ttk::kRowWords; ++i)
      words[face * ttk::kFaceWords + i] = scaler;
  cb_push_back(cb, 1, ttk_place);
}

/// Pushes a bf16 tile for a broadcast of a scalar: its first number is the
/// upper half of `scalar`, the rest 0.
TTK_API void generate_bcast_unary_scalar(std::uint32_t cb, std::uint32_t scalar,
                                         TTK_PLACE) {
  cb_reserve_back(cb, 1, ttk_place);
  ttk::zeroTile(cb, ttk_place)[0] = scalar >> 16;
  cb_push_back(cb, 1, ttk_place);
}

/// The same for a broadcast of a column.
TTK_API void generate_bcast_col_scalar(std::uint32_t cb, std::uint32_t scalar,
                                       TTK_PLACE) {
  cb_reserve_back(cb, 1, ttk_place);
  auto *words = ttk::zeroTile(cb, ttk_place);
  for (std::uint32_t face = 0; face < 4; face += 2)
    for (std::uint32_t row = 0; row < 16; ++row)
      words[face * ttk::kFaceWords + row * ttk::kRowWords] = scalar >> 16;
  cb_push_back(cb, 1, ttk_place);
}

#endif // TTK_DATAFLOW_LIB_H

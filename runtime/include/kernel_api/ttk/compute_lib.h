// Loops over blocks of tiles, like those of TTNN's library for compute kernels.
#ifndef TTK_COMPUTE_LIB_H
#define TTK_COMPUTE_LIB_H

#include "ttk/compute.h"

namespace compute_kernel_lib {

/// The tiles of a reduction: batches of rows of tiles.
struct ReduceInputBlockShape {
  std::uint32_t rows = 1, cols = 1, batches = 1;

  static constexpr ReduceInputBlockShape
  of(std::uint32_t rows, std::uint32_t cols, std::uint32_t batches = 1) {
    return {rows, cols, batches};
  }
  static constexpr ReduceInputBlockShape single() { return {}; }
  static constexpr ReduceInputBlockShape row(std::uint32_t cols,
                                             std::uint32_t batches = 1) {
    return {1, cols, batches};
  }
  static constexpr ReduceInputBlockShape col(std::uint32_t rows,
                                             std::uint32_t batches = 1) {
    return {rows, 1, batches};
  }
};

/// Which tiles of the input a reduction waits for and pops: each one; all tiles
/// of a result; all tiles once, which stay; none.
enum class ReduceInputPolicy {
  WaitAndPopPerTile,
  BulkWaitBulkPop,
  WaitUpfrontNoPop,
  NoWaitNoPop
};

/// Which formats a reduction configures before it starts.
enum class ReduceDataFormatReconfigMode {
  NONE,
  INPUT,
  OUTPUT,
  INPUT_AND_OUTPUT
};

struct NoOp {
  TTK_METHOD void operator()(std::uint32_t = 0) const {}
};

/// Reduces a block of tiles in row-major order, and pushes one tile for each
/// row (REDUCE_ROW), column (REDUCE_COL) or batch (REDUCE_SCALAR). For columns
/// the tiles must stay in the buffer until the batch is reduced, so the input
/// needs room for it. The scaler stays in its buffer. `after` is called with
/// the destination register of each result before it is packed.
template <PoolType type, ReduceDim dim,
          ReduceInputPolicy policy = ReduceInputPolicy::WaitAndPopPerTile,
          ReduceDataFormatReconfigMode formats =
              ReduceDataFormatReconfigMode::INPUT_AND_OUTPUT,
          typename After = NoOp>
TTK_API void reduce(std::uint32_t in_cb, std::uint32_t scaler_cb,
                    std::uint32_t out_cb, ReduceInputBlockShape shape,
                    After after = {}, TTK_PLACE) {
  using Mode = ReduceDataFormatReconfigMode;
  using Policy = ReduceInputPolicy;
  constexpr bool isColumn = dim == ReduceDim::REDUCE_COL;
  constexpr bool pops =
      policy == Policy::WaitAndPopPerTile || policy == Policy::BulkWaitBulkPop;
  constexpr bool byTile = policy == Policy::WaitAndPopPerTile && !isColumn;
  const std::uint32_t tiles = shape.rows * shape.cols;
  const std::uint32_t results = dim == ReduceDim::REDUCE_ROW ? shape.rows
                                : isColumn                   ? shape.cols
                                                             : 1;
  const std::uint32_t count = tiles / results; // of a result
  if constexpr (formats == Mode::INPUT || formats == Mode::INPUT_AND_OUTPUT)
    reconfig_data_format(in_cb, scaler_cb, ttk_place);
  if constexpr (formats == Mode::OUTPUT || formats == Mode::INPUT_AND_OUTPUT)
    pack_reconfig_data_format(out_cb, ttk_place);
  reduce_init<type, dim>(in_cb, scaler_cb, out_cb, ttk_place);
  cb_wait_front(scaler_cb, 1, ttk_place);
  if constexpr (policy == Policy::WaitUpfrontNoPop)
    cb_wait_front(in_cb, tiles * shape.batches, ttk_place);
  std::uint32_t first = 0; // tile of the result at the front of the buffer
  for (std::uint32_t i = 0; i < results * shape.batches; ++i) {
    const std::uint32_t result = i % results;
    if (pops && !byTile && (!isColumn || result == 0))
      cb_wait_front(in_cb, isColumn ? tiles : count, ttk_place);
    tile_regs_acquire(ttk_place);
    for (std::uint32_t j = 0; j < count; ++j) {
      if (byTile)
        cb_wait_front(in_cb, 1, ttk_place);
      const std::uint32_t tile = isColumn ? j * shape.cols + result
                                 : byTile ? 0
                                          : j;
      reduce_tile<type, dim>(in_cb, scaler_cb, first + tile, 0, 0, ttk_place);
      if (byTile)
        cb_pop_front(in_cb, 1, ttk_place);
    }
    after(0);
    tile_regs_commit(ttk_place);
    cb_reserve_back(out_cb, 1, ttk_place);
    tile_regs_wait(ttk_place);
    pack_tile(0, out_cb, 0, ttk_place);
    tile_regs_release(ttk_place);
    cb_push_back(out_cb, 1, ttk_place);
    const bool isLast = !isColumn || result == results - 1; // of its tiles
    if (pops && !byTile && isLast)
      cb_pop_front(in_cb, isColumn ? tiles : count, ttk_place);
    if (!pops && isLast)
      first += isColumn ? tiles : count;
  }
  reduce_uninit(0, ttk_place);
}

/// Tilizes `blocks` rows of `width` tiles.
template <bool init = true, bool uninit = true>
TTK_API void tilize(std::uint32_t in_cb, std::uint32_t width,
                    std::uint32_t out_cb, std::uint32_t blocks, TTK_PLACE) {
  if constexpr (init)
    tilize_init(in_cb, width, out_cb, ttk_place);
  for (std::uint32_t i = 0; i < blocks; ++i) {
    cb_wait_front(in_cb, width, ttk_place);
    cb_reserve_back(out_cb, width, ttk_place);
    tilize_block(in_cb, width, out_cb, ttk_place);
    cb_push_back(out_cb, width, ttk_place);
    cb_pop_front(in_cb, width, ttk_place);
  }
  if constexpr (uninit)
    tilize_uninit(in_cb, out_cb, ttk_place);
}
template <std::uint32_t width, std::uint32_t in_cb, std::uint32_t out_cb>
TTK_API void tilize(std::uint32_t blocks, TTK_PLACE) {
  tilize(in_cb, width, out_cb, blocks, ttk_place);
}

/// Untilizes `blocks` rows of `width` tiles.
template <bool init = true, bool uninit = true>
TTK_API void untilize(std::uint32_t in_cb, std::uint32_t width,
                      std::uint32_t out_cb, std::uint32_t blocks, TTK_PLACE) {
  if constexpr (init)
    untilize_init(in_cb, out_cb, ttk_place);
  for (std::uint32_t i = 0; i < blocks; ++i) {
    cb_wait_front(in_cb, width, ttk_place);
    cb_reserve_back(out_cb, width, ttk_place);
    untilize_block(in_cb, width, out_cb, ttk_place);
    cb_push_back(out_cb, width, ttk_place);
    cb_pop_front(in_cb, width, ttk_place);
  }
  if constexpr (uninit)
    untilize_uninit(in_cb, ttk_place);
}
template <std::uint32_t width, std::uint32_t in_cb, std::uint32_t out_cb>
TTK_API void untilize(std::uint32_t blocks, TTK_PLACE) {
  untilize(in_cb, width, out_cb, blocks, ttk_place);
}

} // namespace compute_kernel_lib

#endif // TTK_COMPUTE_LIB_H

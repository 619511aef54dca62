// A block of tiles of a matrix that kernels of products read or write.
#pragma once

#include <cstdint>

struct Block {
  uint32_t first;  // tile
  uint32_t stride; // tiles from one row of tiles to the next
  uint32_t rows, columns;
};

/// Starts reading the block to `l1`, and waits for it.
template <typename Tiles>
FORCE_INLINE void read_block(const Tiles &tiles, const Block &block,
                             uint32_t l1, uint32_t bytes) {
  for (uint32_t row = 0; row < block.rows; ++row)
    for (uint32_t column = 0; column < block.columns; ++column) {
      noc_async_read_tile(block.first + row * block.stride + column, tiles, l1);
      l1 += bytes;
    }
  noc_async_read_barrier();
}

template <typename Tiles>
FORCE_INLINE void write_block(const Tiles &tiles, const Block &block,
                              uint32_t cb, uint32_t bytes) {
  cb_wait_front(cb, block.rows * block.columns);
  uint32_t l1 = get_read_ptr(cb);
  for (uint32_t row = 0; row < block.rows; ++row)
    for (uint32_t column = 0; column < block.columns; ++column) {
      noc_async_write_tile(block.first + row * block.stride + column, tiles,
                           l1);
      l1 += bytes;
    }
  noc_async_write_barrier();
  cb_pop_front(cb, block.rows * block.columns);
}

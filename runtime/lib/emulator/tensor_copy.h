// Copies between layouts: host and device, row-major and tiles, interleaved and
// sharded, with conversion of the data type. Multi-threaded.
#ifndef TT_RUNTIME_EMULATOR_TENSOR_COPY_H
#define TT_RUNTIME_EMULATOR_TENSOR_COPY_H

#include "emulator/tensor.h"

namespace tt::runtime::emulator {

/// Copies all elements; the logical shapes are equal. Tiles are padded with the
/// value that the target's layout names. The memories do not overlap.
void copyTensor(const View &from, const View &to, numerics::Rounding rounding);

/// The same for a chip's tensors, if this rank has both.
inline void copyOwn(const TensorPtr &from, const TensorPtr &to,
                    numerics::Rounding rounding) {
  if (!from->remote() && !to->remote())
    copyTensor(from->view(), to->view(), rounding);
}

/// Sets all bytes of a tensor to zero, padding included.
void fillZero(const View &to);

/// The type in which elements of `type` lie outside tiles: Float32 for block
/// floats, else the type itself.
constexpr numerics::DType plainType(numerics::DType type) {
  return numerics::isBlockFloat(type) ? numerics::DType::F32 : type;
}

/// Reads physical rows [row, row + rows) x columns [col, col + cols) into
/// row-major `target` of the plain `type` with `stride` elements a row. In a
/// tiled layout `row` and `col` are multiples of 32.
void readBlock(const View &from, std::int64_t row, std::int64_t rows,
               std::int64_t col, std::int64_t cols, numerics::DType type,
               void *target, std::int64_t stride);

/// Writes a block likewise; in a tiled layout whole tiles are written, padded.
void writeBlock(const View &to, std::int64_t row, std::int64_t rows,
                std::int64_t col, std::int64_t cols, numerics::DType type,
                const void *source, std::int64_t stride,
                numerics::Rounding rounding);

} // namespace tt::runtime::emulator

#endif // TT_RUNTIME_EMULATOR_TENSOR_COPY_H

#include "ttnn/row_reader.h"

#include <algorithm>
#include <cstring>

namespace tt::runtime::ttnn {

using numerics::DType;
using numerics::kTileDim;

namespace {

/// The first element in the place of all others.
void spread(std::int64_t size, std::byte *elements, std::int64_t count) {
  const auto fill = [&](auto *typed) { std::fill_n(typed, count, *typed); };
  if (size == 4)
    fill(reinterpret_cast<std::uint32_t *>(elements));
  else if (size == 2)
    fill(reinterpret_cast<std::uint16_t *>(elements));
  else
    fill(elements);
}

} // namespace

RowReader::RowReader(const TensorPtr &tensor,
                     const std::vector<std::int64_t> &shape, DType type)
    : view_(tensor->view()), type_(type), shape_(shape) {
  const Layout &l = *view_.layout;
  broadcastCol_ = l.cols == 1 && !shape.empty() && shape.back() != 1;
  // Rows of the operand per step of each dimension of the result; 0 repeats.
  step_.assign(shape.size(), 0);
  std::int64_t rows = 1;
  for (std::int64_t d = l.rank() - 2; d >= 0; --d) {
    const std::size_t at = shape.size() - std::size_t(l.rank() - d);
    if (l.shape[std::size_t(d)] != 1)
      step_[at] = rows;
    rows *= l.shape[std::size_t(d)];
  }
  identity_ = l.shape == shape && l.dense;
  single_ = rows == 1;
}

std::int64_t RowReader::rowOf(std::int64_t resultRow) const {
  std::int64_t row = 0;
  for (std::size_t d = shape_.size(); d-- > 1;) {
    row += resultRow % shape_[d - 1] * step_[d - 1];
    resultRow /= shape_[d - 1];
  }
  return view_.layout->physicalRow(row);
}

void RowReader::readRow(std::int64_t row, std::int64_t cols, std::byte *target,
                        Block &block) const {
  const Layout &l = *view_.layout;
  const std::int64_t size = numerics::elementSize(type_);
  const std::int64_t own = broadcastCol_ ? 1 : cols;
  if (l.tiled) {
    const std::int64_t first = row / kTileDim * kTileDim;
    if (first != block.first) {
      const std::int64_t rows = std::min(kTileDim, l.rows - first);
      block.data.resize(std::size_t(rows * own * size));
      emulator::readBlock(view_, first, rows, 0, own, type_, block.data.data(),
                          own);
      block.first = first;
    }
    std::memcpy(target, block.data.data() + (row - first) * own * size,
                std::size_t(own * size));
  } else {
    emulator::readBlock(view_, row, 1, 0, own, type_, target, own);
  }
  if (broadcastCol_)
    spread(size, target, cols);
}

void RowReader::read(std::int64_t row, std::int64_t rows, std::int64_t cols,
                     std::byte *target) const {
  const std::int64_t bytes = cols * numerics::elementSize(type_);
  if (identity_) {
    emulator::readBlock(view_, row, rows, 0, cols, type_, target, cols);
    return;
  }
  Block block;
  readRow(rowOf(row), cols, target, block);
  for (std::int64_t r = 1; r < rows; ++r) {
    if (single_)
      std::memcpy(target + r * bytes, target, std::size_t(bytes));
    else
      readRow(rowOf(row + r), cols, target + r * bytes, block);
  }
}

} // namespace tt::runtime::ttnn

#include "emulator/unwritten.h"

#include "numerics/tiles.h"

#include <algorithm>

namespace tt::runtime::emulator {

namespace {

using numerics::kFaceDim;
using numerics::kTileDim;

class Finder {
public:
  explicit Finder(const TensorData &tensor)
      : layout_(tensor.layout), view_(tensor.view()),
        written_(tensor.buffer->written()) {}

  Unwritten run() {
    if (!written_ || isComplete())
      return result_;
    if (layout_.tiled)
      for (std::int64_t ty = 0; ty < layout_.tileRows; ++ty)
        for (std::int64_t tx = 0; tx < layout_.tileCols; ++tx)
          tile(ty, tx);
    else
      for (std::int64_t row = 0; row < layout_.rows; ++row)
        if (layout_.logicalRow(row) >= 0)
          this->row(row);
    return result_;
  }

private:
  /// Whether all pages were written and the gaps between them, if there are
  /// any: then nothing need be looked at page by page.
  bool isComplete() const {
    if (!layout_.dealsPages())
      return false;
    for (std::int64_t i = 0; i < layout_.banks; ++i)
      if (!(*written_)[std::size_t(layout_.bankOf(i))].all(
              0, std::uint64_t(layout_.pagesBeside(i) * layout_.pageStride)))
        return false;
    return true;
  }

  void row(std::int64_t row) {
    for (std::int64_t col = 0; col < layout_.cols;) {
      const std::int64_t count = view_.run(row, col);
      look(view_.element(row, col), count * layout_.elementSize());
      col += count;
    }
    endPage();
  }

  void tile(std::int64_t ty, std::int64_t tx) {
    const std::byte *tile = view_.tile(ty, tx);
    look(tile, numerics::tileBytes(layout_.type));
    const bool complete = !unwritten_;
    unwritten_ = 0;
    if (complete)
      return endPage();
    const std::int64_t cols = std::min(kTileDim, layout_.cols - tx * kTileDim);
    for (std::int64_t r = 0; r < kTileDim; ++r) {
      const std::int64_t row = ty * kTileDim + r;
      if (row >= layout_.rows || layout_.logicalRow(row) < 0)
        continue;
      for (std::int64_t face = 0; face * kFaceDim < cols; ++face)
        line(tile, r, face, std::min(kFaceDim, cols - face * kFaceDim));
    }
    endPage();
  }

  /// The first `count` elements of a row of a face. Tiles of block floats have
  /// the exponents before all elements.
  void line(const std::byte *tile, std::int64_t row, std::int64_t face,
            std::int64_t count) {
    const std::int64_t faces = row / kFaceDim * 2 + face;
    const std::int64_t index = faces * kFaceDim + row % kFaceDim;
    const std::int64_t lines = kTileDim * kTileDim / kFaceDim;
    std::int64_t bytes = numerics::tileBytes(layout_.type);
    if (numerics::isBlockFloat(layout_.type)) {
      look(tile + index, 1);
      tile += lines;
      bytes -= lines;
    }
    const std::int64_t size = bytes / lines; // of a whole line
    look(tile + index * size, (count * size + kFaceDim - 1) / kFaceDim);
  }

  void look(const std::byte *first, std::int64_t bytes) {
    const std::int64_t at = first - view_.base;
    const auto begin = std::uint64_t(at % view_.spacing);
    unwritten_ += std::int64_t(
        (*written_)[std::size_t(at / view_.spacing)].countUnwritten(
            begin, begin + bytes));
  }

  void endPage() {
    if (unwritten_ && !result_.pages++)
      result_.firstPage = result_.allPages;
    ++result_.allPages;
    result_.bytes += unwritten_;
    unwritten_ = 0;
  }

  const Layout &layout_;
  const View view_;
  const std::vector<WrittenBytes> *written_;
  std::int64_t unwritten_ = 0; // of the page
  Unwritten result_;
};

} // namespace

std::string Unwritten::describe(const Layout &layout) const {
  const std::string unit = layout.tiled ? "tile" : "row";
  return std::to_string(bytes) + " bytes, in " + std::to_string(pages) +
         " of " + std::to_string(allPages) + " " + unit + "s, from " + unit +
         " " + std::to_string(firstPage) + " on";
}

Unwritten findUnwritten(const TensorData &tensor) {
  return Finder(tensor).run();
}

} // namespace tt::runtime::emulator

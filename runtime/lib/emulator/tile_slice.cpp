#include "emulator/tile_slice.h"

#include "numerics/tiles.h"
#include "tensix/engine.h"

#include <array>
#include <cstring>
#include <sstream>

namespace tt::runtime::emulator {
namespace {

using numerics::DType;
using numerics::kTileDim;

/// The numbers of a tile in the order of its faces, as text.
class Numbers {
public:
  Numbers(DType type, const std::byte *tile) : type_(type), tile_(tile) {
    if (!numerics::isFloat(type))
      return;
    std::array<float, tensix::kElements> rows;
    numerics::untilizeToF32(type, {tile}, rows.data(), kTileDim, kTileDim,
                            kTileDim);
    for (std::int64_t row = 0; row < kTileDim; ++row)
      for (std::int64_t col = 0; col < kTileDim; ++col)
        floats_[std::size_t(tensix::faceIndex(row, col))] =
            rows[std::size_t(row * kTileDim + col)];
  }

  void write(std::ostream &out, std::int64_t index) const {
    if (numerics::isFloat(type_))
      out << floats_[std::size_t(index)];
    else
      out << integer(index);
  }

private:
  std::int64_t integer(std::int64_t index) const {
    const std::int64_t size =
        numerics::tileBytes(type_) / std::int64_t(tensix::kElements);
    std::uint64_t bits = 0;
    std::memcpy(&bits, tile_ + index * size, std::size_t(size));
    const int unused = 64 - 8 * int(size);
    return numerics::isSigned(type_) ? std::int64_t(bits << unused) >> unused
                                     : std::int64_t(bits);
  }

  DType type_;
  const std::byte *tile_;
  std::array<float, tensix::kElements> floats_{};
};

void check(const Core &core, const ttk::Slice &slice) {
  if (slice.port >= core.buffers.size() || !core.buffers[slice.port].bound)
    raise(ErrorCategory::Argument, "TSLICE: circular buffer ", slice.port,
          " does not exist on this core");
  const CircularBuffer &buffer = core.buffers[slice.port];
  if (slice.tile >= buffer.pages)
    raise(ErrorCategory::Argument, "TSLICE: expected a tile below ",
          buffer.pages, ", the pages of circular buffer ", slice.port,
          ", found ", slice.tile);
  if (buffer.pageSize < std::uint32_t(numerics::tileBytes(buffer.type)))
    raise(ErrorCategory::Argument, "TSLICE: expected pages of at least ",
          numerics::tileBytes(buffer.type), " bytes, a tile of ",
          numerics::dtypeName(buffer.type), ", found ", buffer.pageSize);
  const auto isWithin = [](const std::uint8_t (&range)[3]) {
    return range[0] < range[1] && range[1] <= kTileDim && range[2] > 0;
  };
  if (!isWithin(slice.rows) || !isWithin(slice.cols))
    raise(ErrorCategory::Argument,
          "TSLICE: expected a range within 32x32 with steps from 1 on, found "
          "rows ",
          int(slice.rows[0]), ":", int(slice.rows[1]), ":", int(slice.rows[2]),
          " and columns ", int(slice.cols[0]), ":", int(slice.cols[1]), ":",
          int(slice.cols[2]));
}

} // namespace

std::string tileSliceText(const Core &core, const ttk::Slice &slice) {
  check(core, slice);
  const CircularBuffer &buffer = core.buffers[slice.port];
  const std::uint64_t first = slice.writes ? buffer.writePage : buffer.readPage;
  const std::uint64_t page = (first + slice.tile) % buffer.pages;
  const Numbers numbers(buffer.type,
                        core.l1 + buffer.address + page * buffer.pageSize);
  std::ostringstream out;
  for (int row = slice.rows[0]; row < slice.rows[1]; row += slice.rows[2]) {
    for (int col = slice.cols[0]; col < slice.cols[1]; col += slice.cols[2]) {
      if (col > slice.cols[0] || (row > slice.rows[0] && !slice.endsRows))
        out << ' ';
      numbers.write(out, buffer.tiled && slice.untilized
                             ? tensix::faceIndex(row, col)
                             : row * kTileDim + col);
    }
    if (slice.endsRows)
      out << '\n';
  }
  return out.str();
}

} // namespace tt::runtime::emulator

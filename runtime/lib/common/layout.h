// Where the elements of a tensor lie: the pure description, without memory.
//
// A tensor of any rank is seen as a physical 2-d array: the last dimension
// gives the columns, all others collapse to rows as the strides of the file
// say. The array is cut into pages (one row, or one 32x32 tile) or, when
// sharded, into shards, and those are dealt to the banks of a memory space
// (DRAM channels, or the L1 of the cores).
#ifndef TT_RUNTIME_COMMON_LAYOUT_H
#define TT_RUNTIME_COMMON_LAYOUT_H

#include "numerics/formats.h"
#include "tt/runtime/types.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tt::runtime {

enum class Space : std::uint8_t { Host, Dram, L1 };

enum class Placement : std::uint8_t {
  Interleaved, // page i in bank i mod banks; the host is one bank
  SingleBank,  // all pages in one bank
  Sharded,     // one contiguous shard per core or channel
  Linear,      // the shards one after the other, in pages dealt to the channels
};

/// Elements (or tiles) of a page of a linear layout.
inline constexpr std::int64_t kLinearPage = 8192;

/// A place on the NoC of a chip.
struct NocCoord {
  std::int32_t y = 0, x = 0;
};

/// What a layout needs to know of a chip; sizes and addresses in bytes.
struct ChipGeometry {
  ::tt::target::Arch arch = ::tt::target::Arch::Wormhole_b0;
  std::int64_t gridY = 0, gridX = 0;
  std::int64_t l1Size = 0, l1Base = 0, l1Align = 16;
  std::int64_t channels = 0, channelSize = 0;
  std::int64_t dramBase = 0, dramEnd = 0, dramAlign = 32;
  /// Of the worker cores (row-major) and the DRAM channels. Where the
  /// description has none, workers stand at their logical coordinates and the
  /// channels in rows below them.
  std::vector<NocCoord> workers, dramCores;

  std::int64_t cores() const { return gridY * gridX; }
  std::int64_t banks(Space space) const {
    return space == Space::Host ? 1 : space == Space::Dram ? channels : cores();
  }
  std::int64_t alignment(Space space) const {
    return space == Space::Host   ? 1
           : space == Space::Dram ? dramAlign
                                  : l1Align;
  }
};

/// Reads and checks the fields; throws Error(Format).
ChipGeometry chipGeometry(::tt::target::ChipDesc const *chip);

struct Layout {
  std::vector<std::int64_t> shape;  // logical, every extent >= 1
  std::vector<std::int64_t> stride; // physical elements
  numerics::DType type = numerics::DType::F32;
  Space space = Space::Host;
  Placement placement = Placement::Interleaved;
  bool tiled = false;
  bool dense = true; // logical row r is physical row r
  float padding = 0; // value of the elements that pad a tile

  std::int64_t rows = 1, cols = 1;         // physical, without padding
  std::int64_t tileRows = 1, tileCols = 1; // pages of a tiled layout

  // Pages of the placements that are not sharded.
  std::int64_t pageBytes = 0;  // payload
  std::int64_t pageStride = 0; // distance of pages in a bank
  std::int64_t banks = 1;      // banks that pages are dealt to
  std::int64_t firstBank = 0;

  // Shards; rows and columns in elements, multiples of 32 when tiled.
  std::int64_t shardRows = 0, shardCols = 0;
  std::int64_t shardsY = 0, shardsX = 0;
  std::int64_t shardBytes = 0;
  std::vector<std::int32_t> shardBank; // bank of shard y * shardsX + x
  std::vector<std::int32_t> shardSlot; // its index among the bank's shards
  // Shards of a row of a linear layout: the columns of the chip's grid.
  std::int64_t shardsAcross = 1;

  // Of the layout's grid, row-major in the chip's: they compute the tensor.
  std::vector<std::int32_t> cores;

  std::int64_t bankBytes = 0; // bytes that the tensor takes in every bank

  std::int64_t rank() const { return std::int64_t(shape.size()); }
  std::int64_t volume() const;
  /// Rows of the logical tensor: the product of all but the last extent.
  std::int64_t logicalRows() const { return volume() / cols; }
  std::int64_t elementSize() const { return numerics::elementSize(type); }
  /// Whether its pages are dealt to banks one by one.
  bool dealsPages() const {
    return placement == Placement::Interleaved ||
           placement == Placement::SingleBank;
  }
  /// The pages of such a layout.
  std::int64_t pages() const { return tiled ? tileRows * tileCols : rows; }
  /// Those of them that the bank of page `i` has, for each i below `banks`.
  std::int64_t pagesBeside(std::int64_t i) const {
    return (pages() - i + banks - 1) / banks;
  }
  /// The bank of page `i`, for each i below `banks`.
  std::int64_t bankOf(std::int64_t i) const {
    return banks == 1 ? firstBank : i;
  }
  /// Bytes of all pages or shards, padding included.
  std::int64_t payloadBytes() const;
  bool onDevice() const { return space != Space::Host; }

  /// Whether the tensor `other` has the same matrix in the same pages, whatever
  /// the extents in front of the last one are.
  bool sameMatrix(const Layout &other) const;

  /// Physical row of a logical one.
  std::int64_t physicalRow(std::int64_t logicalRow) const;
  /// Logical row of a physical one, or -1 where the strides leave a hole.
  std::int64_t logicalRow(std::int64_t physicalRow) const;

  /// Same memory picture: pages correspond one to one and byte by byte.
  bool samePages(const Layout &other) const;
  /// Pages correspond one to one; the data type may differ.
  bool sameStructure(const Layout &other) const;

  bool operator==(const Layout &) const = default;

  /// "64x128 bf16, dram interleaved tile".
  std::string describe() const;
};

/// A row-major host layout.
Layout hostLayout(std::vector<std::int64_t> shape, numerics::DType type);

/// Tiles or rows dealt to all DRAM channels of a chip; block floats are tiled.
Layout interleavedLayout(std::vector<std::int64_t> shape, numerics::DType type,
                         bool tiled, const ChipGeometry &chip);

/// Reads the description of a file for a chip; throws Error(Format) when a
/// field is missing, out of range or inconsistent, Error(Unsupported) for tiles
/// other than 1x1 and 32x32. `without` is how a tensor in DRAM lies of which
/// the file does not say it: the runtimes differ.
Layout readLayout(::tt::target::TensorDesc const *desc,
                  const ChipGeometry &chip,
                  Placement without = Placement::Interleaved);

/// "64x128"; "scalar" for rank 0.
std::string shapeString(const std::vector<std::int64_t> &shape);

} // namespace tt::runtime

#endif // TT_RUNTIME_COMMON_LAYOUT_H

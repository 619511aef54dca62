#include "common/layout.h"

#include "common/shapes.h"
#include "numerics/tiles.h"
#include "tt/runtime/utils.h"

#include <algorithm>
#include <limits>
#include <set>

namespace tt::runtime {

namespace target = ::tt::target;
using numerics::DType;

namespace {

/// No tensor of this runtime has more elements, so that every byte count of one
/// fits into 63 bits with room to spare.
constexpr std::int64_t kMaxVolume = std::int64_t(1) << 40;
constexpr std::int64_t kMaxRank = 16;

std::int64_t ceilDiv(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }
std::int64_t roundUp(std::int64_t a, std::int64_t b) {
  return ceilDiv(a, b) * b;
}

/// Multiplies into `product`, which stays within kMaxVolume.
void multiplyBounded(std::int64_t &product, std::int64_t factor,
                     const char *what) {
  if (factor < 1)
    malformed("expected positive extents in the ", what, ", found ", factor);
  if (factor > kMaxVolume / product)
    malformed("the ", what, " has more than ", kMaxVolume, " elements");
  product *= factor;
}

void readShape(target::TensorDesc const *desc, Layout &layout) {
  auto const *shape = desc->shape();
  auto const *stride = desc->layout()->stride();
  // A scalar has neither; flatbuffers may leave out an empty vector.
  const std::int64_t rank = shape ? shape->size() : 0;
  if (rank > kMaxRank)
    malformed("expected rank <= ", kMaxRank, ", found ", rank);
  const std::int64_t strides = stride ? stride->size() : 0;
  if (strides != rank)
    malformed("expected one stride per dimension (", rank, "), found ",
              strides);
  std::int64_t volume = 1;
  for (std::int64_t d = 0; d < rank; ++d) {
    multiplyBounded(volume, shape->Get(d), "tensor shape");
    layout.shape.push_back(shape->Get(d));
    layout.stride.push_back(stride->Get(d));
  }
  layout.cols = rank ? layout.shape.back() : 1;
}

/// Collapses all dimensions but the last to rows.
void collapse(Layout &layout) {
  const std::int64_t rank = layout.rank();
  if (rank && layout.stride.back() != 1)
    malformed("expected stride 1 in the last dimension, found ",
              layout.stride.back());
  std::int64_t last = 0, minimum = layout.cols;
  bool dense = true;
  for (std::int64_t d = rank - 2; d >= 0; --d) {
    const std::int64_t stride = layout.stride[d], extent = layout.shape[d];
    if (extent == 1)
      continue;
    if (stride < minimum || stride % layout.cols)
      malformed("expected the stride of dimension ", d, " to be a multiple of ",
                layout.cols, " and at least ", minimum, ", found ", stride);
    dense &= stride == minimum;
    if (stride > kMaxVolume / extent)
      malformed("the strided tensor has more than ", kMaxVolume, " elements");
    last += (extent - 1) * (stride / layout.cols);
    minimum = stride * extent;
  }
  layout.rows = last + 1;
  layout.dense = dense;
}

DType readType(target::MemoryDesc const *memory) {
  if (memory->data_type() > target::DataType::MAX)
    malformed("expected a data type up to ", unsigned(target::DataType::MAX),
              ", found ", unsigned(memory->data_type()));
  return static_cast<DType>(memory->data_type());
}

void readPadding(target::LayoutDesc const *desc, Layout &layout) {
  constexpr float inf = std::numeric_limits<float>::infinity();
  switch (desc->oob_val()) {
  case target::OOBVal::Undef:
  case target::OOBVal::Zero:
    layout.padding = 0;
    return;
  case target::OOBVal::One:
    layout.padding = 1;
    return;
  case target::OOBVal::Inf:
    layout.padding = inf;
    return;
  case target::OOBVal::NegInf:
    layout.padding = -inf;
    return;
  }
  malformed("expected an out-of-bounds value up to ",
            unsigned(target::OOBVal::MAX), ", found ",
            unsigned(desc->oob_val()));
}

struct CoreSet {
  std::vector<std::int32_t> cores;    // row-major core index, in shard order
  std::int64_t height = 1, width = 1; // of the rectangle, if it is one
  bool rectangle = false;
};

CoreSet readCores(target::LayoutDesc const *desc, const ChipGeometry &chip) {
  CoreSet set;
  auto const *ranges = desc->core_range_set();
  if (!ranges)
    return set;
  set.rectangle = ranges->size() == 1;
  for (target::Dim2dRange const *range : *ranges) {
    const std::int64_t y = range->loc().y(), x = range->loc().x();
    const std::int64_t h = range->size().y(), w = range->size().x();
    if (y < 0 || x < 0 || h < 1 || w < 1 || y + h > chip.gridY ||
        x + w > chip.gridX)
      malformed("expected core ranges within the ", chip.gridY, "x", chip.gridX,
                " grid, found ", h, "x", w, " cores at (", y, ", ", x, ")");
    if (std::int64_t(set.cores.size()) + h * w > chip.cores())
      malformed("the core ranges name more cores than the grid has (",
                chip.cores(), ")");
    for (std::int64_t i = 0; i < h * w; ++i)
      set.cores.push_back(std::int32_t((y + i / w) * chip.gridX + x + i % w));
    set.height = h;
    set.width = w;
  }
  return set;
}

/// Shape of one shard in elements, from the memory description.
void readShard(target::MemoryDesc const *memory, Layout &layout) {
  target::Dim2d const *tile = memory->tile_shape();
  if (!tile)
    malformed("expected a tile shape in the memory description");
  layout.tiled = tile->y() == 32 && tile->x() == 32;
  if (!layout.tiled && !(tile->y() == 1 && tile->x() == 1))
    raise(ErrorCategory::Unsupported,
          "expected tile shape 1x1 or 32x32, found ", tile->y(), "x",
          tile->x());
  if (!layout.tiled && numerics::isBlockFloat(layout.type))
    malformed("block float ", numerics::dtypeName(layout.type),
              " exists only in tiles, found a row-major layout");
  auto const *shape = memory->shape();
  if (!shape)
    malformed("expected a shard shape in the memory description");
  std::int64_t volume = 1, rows = 1, cols = 1;
  for (unsigned i = 0, e = shape->size(); i < e; ++i) {
    multiplyBounded(volume, shape->Get(i), "shard shape");
    (i + 1 == e ? cols : rows) *= shape->Get(i);
  }
  const std::int64_t unit = layout.tiled ? numerics::kTileDim : 1;
  layout.shardRows = rows * unit;
  layout.shardCols = cols * unit;
  layout.shardBytes = volume * (layout.tiled ? numerics::tileBytes(layout.type)
                                             : layout.elementSize());
  // The file counts the data of block floats without their 64 exponents a tile.
  const std::int64_t described =
      layout.shardBytes -
      (numerics::isBlockFloat(layout.type) ? volume * 64 : 0);
  if (memory->size() != std::uint64_t(described))
    malformed("expected shard size ", described, " bytes (", rows, "x", cols,
              layout.tiled ? " tiles of " : " of ",
              numerics::dtypeName(layout.type), "), found ", memory->size());
}

Space readSpace(target::MemoryDesc const *memory) {
  switch (memory->memory_space()) {
  case target::MemorySpace::System:
  case target::MemorySpace::SystemMMIO:
    return Space::Host;
  case target::MemorySpace::DeviceDRAM:
    return Space::Dram;
  case target::MemorySpace::DeviceL1:
    return Space::L1;
  }
  malformed("expected a memory space up to ",
            unsigned(target::MemorySpace::MAX), ", found ",
            unsigned(memory->memory_space()));
}

void placeShards(target::TensorMemoryLayout kind, const CoreSet &set,
                 const ChipGeometry &chip, Layout &layout) {
  layout.shardsY = ceilDiv(layout.rows, layout.shardRows);
  layout.shardsX = ceilDiv(layout.cols, layout.shardCols);
  const bool dram = layout.space == Space::Dram;
  const bool block = kind != target::TensorMemoryLayout::HeightSharded &&
                     kind != target::TensorMemoryLayout::WidthSharded;
  const bool rectangle = block && set.rectangle && !dram;
  const bool fits =
      rectangle ? layout.shardsY <= set.height && layout.shardsX <= set.width
                : layout.shardsY * layout.shardsX <=
                      (dram ? chip.channels : std::int64_t(set.cores.size()));
  if (!fits)
    malformed("a ", layout.rows, "x", layout.cols, " tensor in shards of ",
              layout.shardRows, "x", layout.shardCols, " needs ",
              layout.shardsY, "x", layout.shardsX, " cores, found ",
              dram ? chip.channels : std::int64_t(set.cores.size()));
  const std::int64_t count = layout.shardsY * layout.shardsX;
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t core =
        rectangle ? i / layout.shardsX * set.width + i % layout.shardsX : i;
    layout.shardBank.push_back(dram ? std::int32_t(core) : set.cores[core]);
    layout.shardSlot.push_back(0);
  }
  // Core ranges of a file may overlap; a core then holds several shards.
  std::vector<std::int32_t> used(chip.banks(layout.space), 0);
  std::int32_t slots = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    layout.shardSlot[i] = used[layout.shardBank[i]]++;
    slots = std::max(slots, used[layout.shardBank[i]]);
  }
  layout.bankBytes = slots * layout.shardBytes;
  layout.banks = chip.banks(layout.space);
}

/// Fills in the pages of a layout that is not sharded.
void placePages(std::int64_t banks, std::int64_t alignment, Layout &layout) {
  std::int64_t pages = layout.rows;
  layout.tileRows = numerics::tilesFor(layout.rows);
  layout.tileCols = numerics::tilesFor(layout.cols);
  if (layout.tiled) {
    pages = layout.tileRows * layout.tileCols;
    layout.pageBytes = numerics::tileBytes(layout.type);
  } else {
    layout.pageBytes = layout.cols * layout.elementSize();
  }
  layout.pageStride = roundUp(layout.pageBytes, alignment);
  layout.banks = banks;
  layout.bankBytes = ceilDiv(pages, banks) * layout.pageStride;
}

/// Every channel has one page of a linear layout at most: the device map of the
/// compiler puts a second one over it.
void placeLinear(const CoreSet &set, const ChipGeometry &chip, Layout &layout) {
  layout.tileRows = numerics::tilesFor(layout.rows);
  layout.tileCols = numerics::tilesFor(layout.cols);
  layout.shardsY = ceilDiv(layout.rows, layout.shardRows);
  layout.shardsX = ceilDiv(layout.cols, layout.shardCols);
  if (set.rectangle &&
      (layout.shardsY > set.height || layout.shardsX > set.width))
    malformed("a ", layout.rows, "x", layout.cols, " tensor in shards of ",
              layout.shardRows, "x", layout.shardCols, " needs a grid of ",
              layout.shardsY, "x", layout.shardsX, ", found ", set.height, "x",
              set.width);
  layout.shardsAcross = std::max(chip.gridX, layout.shardsX);
  const std::int64_t unit = layout.tiled ? numerics::kTileDim : 1;
  const std::int64_t shards =
      (layout.shardsY - 1) * layout.shardsAcross + layout.shardsX;
  const std::int64_t units =
      shards * (layout.shardRows / unit) * (layout.shardCols / unit);
  if (units > kLinearPage * chip.channels)
    raise(ErrorCategory::Unsupported,
          "a tensor in DRAM without memory layout "
          "has at most ",
          kLinearPage * chip.channels, layout.tiled ? " tiles" : " elements",
          " in its shards, found ", units,
          ": use the memory layout interleaved");
  const std::int64_t bytes =
      layout.tiled ? numerics::tileBytes(layout.type) : layout.elementSize();
  layout.banks = chip.channels;
  layout.bankBytes = std::min(units, kLinearPage) * bytes;
}

void place(target::TensorMemoryLayout kind, const CoreSet &set,
           const ChipGeometry &chip, Placement without, Layout &layout) {
  using Kind = target::TensorMemoryLayout;
  if (kind > Kind::MAX)
    malformed("expected a memory layout up to ", unsigned(Kind::MAX),
              ", found ", unsigned(kind));
  // Without a word about it a tensor in L1 lies in shards on its grid, one in
  // DRAM over all channels.
  layout.placement = layout.space == Space::Host ? Placement::Interleaved
                     : kind == Kind::SingleBank  ? Placement::SingleBank
                     : kind == Kind::Interleaved ? Placement::Interleaved
                     : kind != Kind::None        ? Placement::Sharded
                     : layout.space == Space::L1 ? Placement::Sharded
                                                 : without;
  const std::int64_t alignment = chip.alignment(layout.space);
  switch (layout.placement) {
  case Placement::Interleaved:
    placePages(chip.banks(layout.space), alignment, layout);
    return;
  case Placement::SingleBank:
    placePages(1, alignment, layout);
    if (layout.space == Space::L1 && !set.cores.empty())
      layout.firstBank = set.cores.front();
    return;
  case Placement::Sharded:
    layout.tileRows = numerics::tilesFor(layout.rows);
    layout.tileCols = numerics::tilesFor(layout.cols);
    placeShards(kind, set, chip, layout);
    return;
  case Placement::Linear:
    placeLinear(set, chip, layout);
    return;
  }
}

using CoreList = flatbuffers::Vector<target::Dim2d const *>;

std::vector<NocCoord> readCoords(const char *what, CoreList const *list,
                                 std::int64_t count) {
  std::vector<NocCoord> coords;
  if (!list || list->size() == 0)
    return coords;
  if (std::int64_t(list->size()) != count)
    malformed("expected the physical coordinates of ", count, " ", what,
              " cores, found ", list->size());
  for (auto const *core : *list)
    coords.push_back({core->y(), core->x()});
  return coords;
}

/// Each core has a place of its own on the network; channels may share the
/// cores of DRAM.
void checkApart(const std::vector<NocCoord> &cores, const char *what,
                const std::vector<NocCoord> &others) {
  std::set<std::pair<std::int32_t, std::int32_t>> taken;
  for (const NocCoord &core : others)
    taken.insert({core.y, core.x});
  for (std::size_t i = 0; i < cores.size(); ++i)
    if (!taken.insert({cores[i].y, cores[i].x}).second)
      malformed("physical_cores.", what, "[", i,
                "]: expected a place of its own, found (", cores[i].y, ", ",
                cores[i].x, "), where another worker or DRAM core is");
}

} // namespace

ChipGeometry chipGeometry(target::ChipDesc const *chip) {
  if (!chip)
    malformed("expected a chip description");
  if (!chip->grid_size())
    malformed("expected the grid size in the chip description");
  auto check = [](const char *name, std::uint64_t value, std::uint64_t low,
                  std::uint64_t high) {
    if (value < low || value > high)
      malformed("expected ", name, " of a chip from ", low, " to ", high,
                ", found ", value);
    return std::int64_t(value);
  };
  ChipGeometry geometry;
  if (chip->arch() > target::Arch::MAX)
    malformed("expected an architecture up to ", unsigned(target::Arch::MAX),
              ", found ", unsigned(chip->arch()));
  geometry.arch = chip->arch();
  geometry.gridY =
      check("grid rows", std::uint32_t(chip->grid_size()->y()), 1, 256);
  geometry.gridX =
      check("grid columns", std::uint32_t(chip->grid_size()->x()), 1, 256);
  geometry.l1Size = check("l1_size", chip->l1_size(), 1, 1u << 28);
  geometry.l1Base = check("l1_unreserved_base", chip->l1_unreserved_base(), 0,
                          geometry.l1Size);
  geometry.channels =
      check("num_dram_channels", chip->num_dram_channels(), 1, 1024);
  geometry.channelSize = check("dram_channel_size", chip->dram_channel_size(),
                               1, std::uint64_t(1) << 38);
  geometry.dramEnd = check("dram_unreserved_end", chip->dram_unreserved_end(),
                           1, geometry.channelSize);
  geometry.dramBase = check("dram_unreserved_base",
                            chip->dram_unreserved_base(), 0, geometry.dramEnd);
  auto alignment = [&](const char *name, std::uint32_t value) {
    check(name, value, 1, 4096);
    if (value & (value - 1))
      malformed("expected ", name, " to be a power of two, found ", value);
    return std::int64_t(value);
  };
  geometry.l1Align = alignment("noc_l1_address_align_bytes",
                               chip->noc_l1_address_align_bytes());
  geometry.dramAlign = alignment("noc_dram_address_align_bytes",
                                 chip->noc_dram_address_align_bytes());
  if (auto const *physical = chip->physical_cores()) {
    geometry.workers =
        readCoords("worker", physical->worker(), geometry.cores());
    geometry.dramCores =
        readCoords("DRAM", physical->dram(), geometry.channels);
    checkApart(geometry.workers, "worker", geometry.dramCores);
  }
  return geometry;
}

std::int64_t Layout::volume() const {
  std::int64_t product = 1;
  for (std::int64_t extent : shape)
    product *= extent;
  return product;
}

std::int64_t Layout::payloadBytes() const {
  if (placement == Placement::Sharded || placement == Placement::Linear)
    return shardsY * shardsX * shardBytes;
  return (tiled ? tileRows * tileCols : rows) * pageBytes;
}

std::int64_t Layout::physicalRow(std::int64_t logicalRow) const {
  if (dense)
    return logicalRow;
  std::int64_t row = 0;
  for (std::int64_t d = rank() - 2; d >= 0; --d) {
    row += logicalRow % shape[d] * (stride[d] / cols);
    logicalRow /= shape[d];
  }
  return row;
}

std::int64_t Layout::logicalRow(std::int64_t physicalRow) const {
  if (dense)
    return physicalRow;
  std::int64_t row = 0;
  for (std::int64_t d = 0; d + 1 < rank(); ++d) {
    const std::int64_t step = stride[d] / cols;
    const std::int64_t index =
        shape[d] == 1 || step == 0 ? 0 : physicalRow / step;
    if (index >= shape[d])
      return -1;
    physicalRow -= index * step;
    row = row * shape[d] + index;
  }
  return physicalRow == 0 ? row : -1;
}

bool Layout::sameStructure(const Layout &other) const {
  return space == other.space && placement == other.placement &&
         tiled == other.tiled && rows == other.rows && cols == other.cols &&
         banks == other.banks && firstBank == other.firstBank &&
         shardRows == other.shardRows && shardCols == other.shardCols &&
         shardBank == other.shardBank && shardsAcross == other.shardsAcross &&
         (shape == other.shape && stride == other.stride);
}

bool Layout::samePages(const Layout &other) const {
  return type == other.type && pageStride == other.pageStride &&
         sameStructure(other);
}

bool Layout::sameMatrix(const Layout &other) const {
  return dense && other.dense && type == other.type && tiled == other.tiled &&
         space == other.space && placement == other.placement &&
         rows == other.rows && cols == other.cols &&
         pageStride == other.pageStride && banks == other.banks &&
         firstBank == other.firstBank && shardRows == other.shardRows &&
         shardCols == other.shardCols && shardBank == other.shardBank &&
         shardSlot == other.shardSlot;
}

std::string Layout::describe() const {
  std::string text = shapeString(shape);
  text += ' ';
  text += numerics::dtypeName(type);
  text += space == Space::Host   ? ", host"
          : space == Space::Dram ? ", dram"
                                 : ", l1";
  if (space != Space::Host)
    text += placement == Placement::Interleaved  ? " interleaved"
            : placement == Placement::SingleBank ? " single_bank"
            : placement == Placement::Linear     ? " linear"
                                                 : " sharded";
  text += tiled ? " tile" : " row_major";
  return text;
}

namespace {

/// A dense layout whose pages are still to be placed.
Layout denseLayout(std::vector<std::int64_t> shape, DType type) {
  Layout layout;
  layout.shape = std::move(shape);
  layout.type = type;
  layout.stride.resize(layout.shape.size());
  std::int64_t stride = 1;
  for (std::int64_t d = layout.rank() - 1; d >= 0; --d) {
    layout.stride[d] = stride;
    stride *= layout.shape[d];
  }
  layout.cols = layout.rank() ? layout.shape.back() : 1;
  layout.rows = layout.logicalRows();
  return layout;
}

} // namespace

Layout hostLayout(std::vector<std::int64_t> shape, DType type) {
  Layout layout = denseLayout(std::move(shape), type);
  placePages(1, 1, layout);
  return layout;
}

Layout interleavedLayout(std::vector<std::int64_t> shape, DType type,
                         bool tiled, const ChipGeometry &chip) {
  Layout layout = denseLayout(std::move(shape), type);
  layout.space = Space::Dram;
  layout.tiled = tiled;
  placePages(chip.channels, chip.dramAlign, layout);
  return layout;
}

Layout readLayout(target::TensorDesc const *desc, const ChipGeometry &chip,
                  Placement without) {
  if (!desc || !desc->layout() || !desc->layout()->memory_desc())
    malformed("expected a tensor description with layout and memory "
              "description");
  target::LayoutDesc const *layoutDesc = desc->layout();
  target::MemoryDesc const *memory = layoutDesc->memory_desc();
  Layout layout;
  layout.type = readType(memory);
  layout.space = readSpace(memory);
  readShape(desc, layout);
  collapse(layout);
  readPadding(layoutDesc, layout);
  readShard(memory, layout);
  const CoreSet set = readCores(layoutDesc, chip);
  // All shards together hold the tensor, whatever the placement makes of them.
  layout.cores = set.cores;
  const std::int64_t cores = std::max<std::int64_t>(1, set.cores.size());
  if (ceilDiv(layout.rows * layout.cols, cores) >
      layout.shardRows * layout.shardCols)
    malformed("expected shards for ", layout.rows, "x", layout.cols,
              " elements, found ", cores, " of ", layout.shardRows, "x",
              layout.shardCols);
  place(memory->memory_layout(), set, chip, without, layout);
  if (layout.placement != Placement::Sharded &&
      layout.placement != Placement::Linear)
    layout.shardRows = layout.shardCols = layout.shardBytes = 0;
  return layout;
}

std::string shapeString(const std::vector<std::int64_t> &shape) {
  if (shape.empty())
    return "scalar";
  std::string text;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (i)
      text += 'x';
    text += std::to_string(shape[i]);
  }
  return text;
}

} // namespace tt::runtime

#include "ttnn/streams/pages.h"

#include "numerics/tiles.h"

#include <algorithm>

namespace tt::runtime::ttnn::streams {

Pages::Pages(const Layout &layout, const clock::NocMap &map)
    : layout_(&layout), map_(&map) {
  const bool sharded = layout.placement == Placement::Sharded;
  if (layout.tiled) {
    rows_ = numerics::tilesFor(layout.rows);
    cols_ = numerics::tilesFor(layout.cols);
    bytes_ = numerics::tileBytes(layout.type);
  } else {
    rows_ = layout.rows;
    cols_ = sharded ? layout.shardsX : 1;
    bytes_ = (sharded ? layout.shardCols : layout.cols) * layout.elementSize();
  }
  if (sharded) {
    shardRows_ = layout.shardRows / (layout.tiled ? numerics::kTileDim : 1);
    shardCols_ = layout.tiled ? layout.shardCols / numerics::kTileDim : 1;
  }
}

std::int32_t Pages::coreOf(std::int64_t page) const {
  const std::int64_t y = page / cols_ / shardRows_;
  const std::int64_t x = page % cols_ / shardCols_;
  return layout_->shardBank[std::size_t(y * layout_->shardsX + x)];
}

clock::NocPoint Pages::at(std::int64_t page) const {
  // What comes from the host is brought to DRAM first.
  const bool host = !layout_->onDevice();
  const std::int64_t bank = host ? page % map_->channels()
                            : layout_->placement == Placement::Sharded
                                ? coreOf(page)
                                : (layout_->firstBank + page) % layout_->banks;
  const NocCoord at = host || layout_->space == Space::Dram
                          ? map_->channel(std::uint32_t(bank))
                          : map_->worker(std::uint32_t(bank));
  return {std::uint8_t(at.x), std::uint8_t(at.y)};
}

bool alignsRows(const Layout &layout) {
  if (!layout.tiled)
    return false;
  for (std::size_t dim = 0; dim + 2 < layout.shape.size(); ++dim)
    if (layout.shape[dim] > 1 &&
        layout.stride[dim] % (numerics::kTileDim * layout.cols) != 0)
      return false;
  return true;
}

std::vector<std::int32_t> coresOf(const Layout &layout,
                                  const ChipGeometry &chip) {
  return layout.cores.empty() ? coresOf(chip) : layout.cores;
}

std::vector<std::int32_t> coresOf(const ChipGeometry &chip) {
  std::vector<std::int32_t> all(std::size_t(chip.cores()));
  for (std::size_t i = 0; i < all.size(); ++i)
    all[i] = std::int32_t(i);
  return all;
}

Deal deal(const Pages &pages, std::int64_t together, std::int64_t most,
          const std::vector<std::int32_t> &cores, const ChipGeometry &chip) {
  Deal result;
  result.all = pages.count();
  if (pages.local()) {
    std::vector<std::int64_t> counts(std::size_t(chip.cores()), 0);
    std::vector<std::size_t> index(counts.size(), ~std::size_t(0));
    for (std::int64_t page = 0; page < result.all; ++page) {
      const std::int32_t core = pages.coreOf(page);
      std::size_t &at = index[std::size_t(core)];
      if (at == ~std::size_t(0)) {
        at = result.shares.size();
        result.shares.push_back({core, {}});
      }
      if (counts[std::size_t(core)]++ < most)
        result.shares[at].pages.push_back(page);
    }
    result.busiest = *std::max_element(counts.begin(), counts.end());
  } else {
    const auto count = std::int64_t(cores.size());
    const std::int64_t groups = (result.all + together - 1) / together;
    std::int64_t first = 0;
    for (std::int64_t i = 0; i < std::min(count, groups); ++i) {
      const std::int64_t own = groups / count + (i < groups % count);
      const std::int64_t begin = first * together;
      const std::int64_t end = std::min(result.all, (first + own) * together);
      first += own;
      Share &share = result.shares.emplace_back();
      share.core = cores[std::size_t(i)];
      for (std::int64_t page = begin; page < std::min(end, begin + most);
           ++page)
        share.pages.push_back(page);
      result.busiest = std::max(result.busiest, end - begin);
    }
  }
  for (const Share &share : result.shares)
    result.listed += std::int64_t(share.pages.size());
  return result;
}

} // namespace tt::runtime::ttnn::streams

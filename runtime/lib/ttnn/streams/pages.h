// Where the pages of a tensor are, and which core works on which of them.
#ifndef TT_RUNTIME_TTNN_STREAMS_PAGES_H
#define TT_RUNTIME_TTNN_STREAMS_PAGES_H

#include "clock/events.h"
#include "clock/noc_map.h"
#include "common/layout.h"

#include <vector>

namespace tt::runtime::ttnn::streams {

/// Tiles, rows, or the rows of shards; row-major.
class Pages {
public:
  Pages(const Layout &layout, const clock::NocMap &map);

  std::int64_t count() const { return rows_ * cols_; }
  std::int64_t cols() const { return cols_; }
  std::int64_t bytes() const { return bytes_; }
  bool onDevice() const { return layout_->onDevice(); }
  const Layout &layout() const { return *layout_; }
  clock::NocPoint at(std::int64_t page) const;
  /// In shards in the L1 of the cores.
  bool local() const {
    return layout_->space == Space::L1 &&
           layout_->placement == Placement::Sharded;
  }
  /// Of a shard, in pages.
  std::int64_t shardCols() const { return shardCols_; }
  /// The core that has a page of a local tensor, row-major in the grid.
  std::int32_t coreOf(std::int64_t page) const;

private:
  const Layout *layout_;
  const clock::NocMap *map_;
  std::int64_t rows_, cols_, bytes_;
  std::int64_t shardRows_ = 1, shardCols_ = 1; // in pages
};

/// Whether each matrix of the two innermost dimensions starts at its own tile.
bool alignsRows(const Layout &layout);

/// The cores of a result's layout, row-major in the chip's grid: the compiler's
/// choice. All of them where the layout has none.
std::vector<std::int32_t> coresOf(const Layout &layout,
                                  const ChipGeometry &chip);
std::vector<std::int32_t> coresOf(const ChipGeometry &chip);

/// A core and the pages that it makes, in order.
struct Share {
  std::int32_t core;
  std::vector<std::int64_t> pages;
};

/// Deals pages, `together` at a time, to `cores` in order; the pages of a local
/// tensor stay with the core that has them. At most `most` pages of each
/// core are listed; `busiest` and `all` count what would be.
struct Deal {
  std::vector<Share> shares;
  std::int64_t busiest = 0, listed = 0, all = 0;
};
Deal deal(const Pages &pages, std::int64_t together, std::int64_t most,
          const std::vector<std::int32_t> &cores, const ChipGeometry &chip);

} // namespace tt::runtime::ttnn::streams

#endif // TT_RUNTIME_TTNN_STREAMS_PAGES_H

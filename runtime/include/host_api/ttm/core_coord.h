// Cores of a chip by logical coordinates, column first, and sets of them.
#ifndef TTM_CORE_COORD_H
#define TTM_CORE_COORD_H

#include "ttm/export.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <iterator>
#include <optional>
#include <ostream>
#include <set>
#include <string>
#include <tuple>
#include <variant>
#include <vector>

namespace tt::tt_metal {

struct CoreCoord {
  std::size_t x = 0, y = 0;

  constexpr CoreCoord() = default;
  constexpr CoreCoord(std::size_t x, std::size_t y) : x(x), y(y) {}
  auto operator<=>(const CoreCoord &) const = default;
  std::string str() const {
    return "(x=" + std::to_string(x) + ",y=" + std::to_string(y) + ")";
  }
};

inline std::ostream &operator<<(std::ostream &stream, const CoreCoord &core) {
  return stream << core.str();
}

/// A rectangle of cores, including both corners.
struct CoreRange {
  CoreCoord start_coord, end_coord;

  CoreRange(const CoreCoord &core) : start_coord(core), end_coord(core) {}
  TTM_EXPORT CoreRange(const CoreCoord &start, const CoreCoord &end);

  auto operator<=>(const CoreRange &) const = default;
  std::size_t size() const { return grid_size().x * grid_size().y; }
  CoreCoord grid_size() const {
    return {end_coord.x - start_coord.x + 1, end_coord.y - start_coord.y + 1};
  }
  bool contains(const CoreCoord &core) const {
    return core.x >= start_coord.x && core.x <= end_coord.x &&
           core.y >= start_coord.y && core.y <= end_coord.y;
  }
  bool contains(const CoreRange &other) const {
    return contains(other.start_coord) && contains(other.end_coord);
  }
  bool intersects(const CoreRange &other) const {
    return start_coord.x <= other.end_coord.x &&
           other.start_coord.x <= end_coord.x &&
           start_coord.y <= other.end_coord.y &&
           other.start_coord.y <= end_coord.y;
  }
  std::string str() const {
    return "[" + start_coord.str() + " - " + end_coord.str() + "]";
  }

  /// The cores of the rectangle, row by row.
  class iterator {
  public:
    using iterator_category = std::input_iterator_tag;
    using value_type = CoreCoord;
    using difference_type = std::ptrdiff_t;
    using pointer = const CoreCoord *;
    using reference = const CoreCoord &;

    iterator(const CoreRange &range, const CoreCoord &at)
        : first_(range.start_coord.x), last_(range.end_coord.x), at_(at) {}
    reference operator*() const { return at_; }
    pointer operator->() const { return &at_; }
    iterator &operator++() {
      if (at_.x++ == last_)
        at_ = {first_, at_.y + 1};
      return *this;
    }
    iterator operator++(int) {
      iterator before = *this;
      ++*this;
      return before;
    }
    bool operator==(const iterator &other) const { return at_ == other.at_; }

  private:
    std::size_t first_, last_;
    CoreCoord at_;
  };
  iterator begin() const { return {*this, start_coord}; }
  iterator end() const { return {*this, {start_coord.x, end_coord.y + 1}}; }
};

/// Rectangles that share no core.
class CoreRangeSet {
public:
  CoreRangeSet() = default;
  CoreRangeSet(const CoreCoord &core) : ranges_{CoreRange(core)} {}
  CoreRangeSet(const CoreRange &range) : ranges_{range} {}
  TTM_EXPORT CoreRangeSet(std::vector<CoreRange> ranges);
  CoreRangeSet(const std::set<CoreRange> &ranges)
      : CoreRangeSet(std::vector<CoreRange>(ranges.begin(), ranges.end())) {}
  CoreRangeSet(std::initializer_list<CoreRange> ranges)
      : CoreRangeSet(std::vector<CoreRange>(ranges)) {}

  bool operator==(const CoreRangeSet &) const = default;
  const std::vector<CoreRange> &ranges() const { return ranges_; }
  bool empty() const { return ranges_.empty(); }
  /// The number of rectangles, not of cores.
  std::size_t size() const { return ranges_.size(); }
  std::uint32_t num_cores() const {
    std::size_t count = 0;
    for (const CoreRange &range : ranges_)
      count += range.size();
    return static_cast<std::uint32_t>(count);
  }
  bool contains(const CoreCoord &core) const {
    return std::any_of(ranges_.begin(), ranges_.end(),
                       [&](const CoreRange &r) { return r.contains(core); });
  }
  bool intersects(const CoreRange &range) const {
    return std::any_of(ranges_.begin(), ranges_.end(),
                       [&](const CoreRange &r) { return r.intersects(range); });
  }
  /// The union.
  TTM_EXPORT CoreRangeSet merge(const CoreRangeSet &other) const;
  TTM_EXPORT CoreRange bounding_box() const;
  std::string str() const {
    std::string text = "{";
    for (const CoreRange &range : ranges_)
      text += (text.size() > 1 ? ", " : "") + range.str();
    return text + "}";
  }

private:
  std::vector<CoreRange> ranges_;
};

/// The core arguments of functions that place objects on cores.
using CoreSpec = std::variant<CoreCoord, CoreRange, CoreRangeSet>;

/// The first `count` cores of a grid, column by column or row by row.
TTM_EXPORT std::vector<CoreCoord> grid_to_cores(std::uint32_t count,
                                                std::uint32_t grid_x,
                                                std::uint32_t grid_y,
                                                bool row_wise = false);
/// All cores between two corners.
TTM_EXPORT std::vector<CoreCoord> grid_to_cores(CoreCoord start, CoreCoord end,
                                                bool row_wise = false);
/// The first cores of all rectangles, at most `max_cores`.
TTM_EXPORT std::vector<CoreCoord>
corerange_to_cores(const CoreRangeSet &set,
                   std::optional<std::uint32_t> max_cores = std::nullopt,
                   bool row_wise = false);
/// The first `count` cores of a grid, as rectangles.
TTM_EXPORT CoreRangeSet num_cores_to_corerangeset(std::uint32_t count,
                                                  CoreCoord grid,
                                                  bool row_wise = false);

/// Divides units of work over the cores of a grid. Returns the number of cores,
/// all cores, the cores with one more unit, the other cores, and the units of
/// each core of the two groups.
TTM_EXPORT std::tuple<std::uint32_t, CoreRangeSet, CoreRangeSet, CoreRangeSet,
                      std::uint32_t, std::uint32_t>
split_work_to_cores(CoreCoord grid, std::uint32_t units, bool row_wise = false);
/// The same over the cores of a set.
TTM_EXPORT std::tuple<std::uint32_t, CoreRangeSet, CoreRangeSet, CoreRangeSet,
                      std::uint32_t, std::uint32_t>
split_work_to_cores(const CoreRangeSet &cores, std::uint32_t units,
                    bool row_wise = false);

} // namespace tt::tt_metal

template <> struct std::hash<tt::tt_metal::CoreCoord> {
  std::size_t operator()(const tt::tt_metal::CoreCoord &core) const {
    return core.y << 16 ^ core.x;
  }
};

// The names in programs of 2024.
using tt::tt_metal::CoreCoord;
using tt::tt_metal::CoreRange;
using tt::tt_metal::CoreRangeSet;

#endif // TTM_CORE_COORD_H

// Core sets, and distribution of work over them.
#include "ttm/core_coord.h"

#include "tt/runtime/error.h"

namespace tt::tt_metal {

using runtime::ErrorCategory;
using runtime::raise;

CoreRange::CoreRange(const CoreCoord &start, const CoreCoord &end)
    : start_coord(start), end_coord(end) {
  if (end.x < start.x || end.y < start.y)
    raise(ErrorCategory::Argument,
          "expected a range of cores whose end is not before its start, found ",
          start.str(), " to ", end.str());
}

CoreRangeSet::CoreRangeSet(std::vector<CoreRange> ranges)
    : ranges_(std::move(ranges)) {
  for (std::size_t i = 0; i < ranges_.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (ranges_[i].intersects(ranges_[j]))
        raise(ErrorCategory::Argument,
              "expected ranges that share no core, found ", ranges_[j].str(),
              " and ", ranges_[i].str());
}

CoreRangeSet CoreRangeSet::merge(const CoreRangeSet &other) const {
  std::vector<CoreRange> ranges = ranges_;
  for (const CoreRange &range : other.ranges_) {
    if (!intersects(range)) {
      ranges.push_back(range);
      continue;
    }
    for (const CoreCoord &core : range)
      if (!contains(core))
        ranges.emplace_back(core);
  }
  return CoreRangeSet(std::move(ranges));
}

CoreRange CoreRangeSet::bounding_box() const {
  if (ranges_.empty())
    raise(ErrorCategory::Argument, "expected a nonempty set of cores");
  CoreRange box = ranges_.front();
  for (const CoreRange &range : ranges_) {
    box.start_coord.x = std::min(box.start_coord.x, range.start_coord.x);
    box.start_coord.y = std::min(box.start_coord.y, range.start_coord.y);
    box.end_coord.x = std::max(box.end_coord.x, range.end_coord.x);
    box.end_coord.y = std::max(box.end_coord.y, range.end_coord.y);
  }
  return box;
}

std::vector<CoreCoord> grid_to_cores(CoreCoord start, CoreCoord end,
                                     bool row_wise) {
  std::vector<CoreCoord> cores;
  if (row_wise) {
    for (std::size_t y = start.y; y <= end.y; ++y)
      for (std::size_t x = start.x; x <= end.x; ++x)
        cores.emplace_back(x, y);
    return cores;
  }
  for (std::size_t x = start.x; x <= end.x; ++x)
    for (std::size_t y = start.y; y <= end.y; ++y)
      cores.emplace_back(x, y);
  return cores;
}

static void checkCount(std::size_t count, std::size_t most) {
  if (count > most)
    raise(ErrorCategory::Argument, "expected at most ", most, " cores, found ",
          count);
}

std::vector<CoreCoord> grid_to_cores(std::uint32_t count, std::uint32_t grid_x,
                                     std::uint32_t grid_y, bool row_wise) {
  checkCount(count, std::size_t(grid_x) * grid_y);
  if (count == 0)
    return {};
  auto cores = grid_to_cores(CoreCoord(0, 0), CoreCoord(grid_x - 1, grid_y - 1),
                             row_wise);
  cores.resize(count);
  return cores;
}

std::vector<CoreCoord>
corerange_to_cores(const CoreRangeSet &set,
                   std::optional<std::uint32_t> max_cores, bool row_wise) {
  std::vector<CoreCoord> cores;
  for (const CoreRange &range : set.ranges())
    for (const CoreCoord &core :
         grid_to_cores(range.start_coord, range.end_coord, row_wise))
      if (!max_cores || cores.size() < *max_cores)
        cores.push_back(core);
  return cores;
}

namespace {

/// Consecutive cores of a grid from `first` on: at most an incomplete column,
/// whole columns, and another incomplete one; or rows.
CoreRangeSet sequence(std::size_t first, std::size_t count, CoreCoord grid,
                      bool row_wise) {
  const std::size_t length = row_wise ? grid.x : grid.y;
  const auto at = [&](std::size_t line, std::size_t place) {
    return row_wise ? CoreCoord(place, line) : CoreCoord(line, place);
  };
  std::vector<CoreRange> ranges;
  while (count > 0) {
    const std::size_t line = first / length, place = first % length;
    const std::size_t lines = place == 0 ? count / length : 0;
    const std::size_t taken =
        lines ? lines * length : std::min(count, length - place);
    ranges.emplace_back(at(line, place), lines
                                             ? at(line + lines - 1, length - 1)
                                             : at(line, place + taken - 1));
    first += taken;
    count -= taken;
  }
  return CoreRangeSet(std::move(ranges));
}

} // namespace

CoreRangeSet num_cores_to_corerangeset(std::uint32_t count, CoreCoord grid,
                                       bool row_wise) {
  checkCount(count, grid.x * grid.y);
  return sequence(0, count, grid, row_wise);
}

std::tuple<std::uint32_t, CoreRangeSet, CoreRangeSet, CoreRangeSet,
           std::uint32_t, std::uint32_t>
split_work_to_cores(CoreCoord grid, std::uint32_t units, bool row_wise) {
  if (units == 0)
    return {};
  const auto cores =
      std::uint32_t(std::min<std::size_t>(units, grid.x * grid.y));
  if (cores == 0)
    raise(ErrorCategory::Argument, "expected a grid of cores, found ",
          grid.str());
  const std::uint32_t less = units / cores, more = units % cores;
  CoreRangeSet all = sequence(0, cores, grid, row_wise);
  if (more == 0)
    return {cores, all, all, CoreRangeSet(), less, 0};
  return {cores,
          all,
          sequence(0, more, grid, row_wise),
          sequence(more, cores - more, grid, row_wise),
          less + 1,
          less};
}

std::tuple<std::uint32_t, CoreRangeSet, CoreRangeSet, CoreRangeSet,
           std::uint32_t, std::uint32_t>
split_work_to_cores(const CoreRangeSet &cores, std::uint32_t units,
                    bool row_wise) {
  const auto list = corerange_to_cores(cores, units, row_wise);
  if (list.empty())
    return {};
  const auto count = std::uint32_t(list.size());
  const std::uint32_t less = units / count, more = units % count;
  const auto part = [&](std::size_t first, std::size_t last) {
    std::vector<CoreRange> ranges;
    for (std::size_t i = first; i < last; ++i)
      ranges.emplace_back(list[i]);
    return CoreRangeSet(std::move(ranges));
  };
  if (more == 0)
    return {count, part(0, count), part(0, count), CoreRangeSet(), less, 0};
  return {count, part(0, count), part(0, more), part(more, count), less + 1,
          less};
}

} // namespace tt::tt_metal

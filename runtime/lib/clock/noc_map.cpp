#include "clock/noc_map.h"

#include "tt/runtime/error.h"

namespace tt::runtime::clock {

NocMap::NocMap(const ChipGeometry &geometry)
    : workers_(geometry.workers), channels_(geometry.dramCores) {
  nodes_.fill(kNobody);
  const auto gridX = std::int32_t(geometry.gridX);
  if (workers_.empty())
    for (std::int32_t i = 0; i < geometry.cores(); ++i)
      workers_.push_back({i / gridX, i % gridX});
  if (channels_.empty())
    for (std::int32_t i = 0; i < geometry.channels; ++i)
      channels_.push_back(
          {std::int32_t(geometry.gridY) + i / gridX, i % gridX});
  auto place = [this](NocCoord at, std::int16_t node) {
    if (at.x < 0 || at.y < 0 || at.x >= std::int32_t(kNocSide) ||
        at.y >= std::int32_t(kNocSide))
      raise(ErrorCategory::Unsupported,
            "expected NoC coordinates below 64, found (", at.y, ", ", at.x,
            ")");
    nodes_[std::size_t(at.y) * kNocSide + std::size_t(at.x)] = node;
  };
  for (std::size_t i = 0; i < channels_.size(); ++i)
    place(channels_[i], std::int16_t(-2 - int(i)));
  for (std::size_t i = 0; i < workers_.size(); ++i)
    place(workers_[i], std::int16_t(i));
}

} // namespace tt::runtime::clock

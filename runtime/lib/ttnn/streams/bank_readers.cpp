#include "ttnn/streams/bank_readers.h"

#include "clock/noc_time.h"
#include "common/arch.h"

#include <map>
#include <tuple>

namespace tt::runtime::ttnn::streams {

namespace {

/// The torus of NoC 0, on which data moves right, then down.
class Torus {
public:
  explicit Torus(const clock::NocPlaces &places)
      : width_(places.width), height_(places.height) {}

  /// Calls body(link) for each link of a route.
  template <typename Body>
  void route(clock::NocPlace at, clock::NocPlace to, const Body &body) const {
    for (; at.x != to.x; at.x = (at.x + 1) % width_)
      body(Link{at.x, at.y, false});
    for (; at.y != to.y; at.y = (at.y + 1) % height_)
      body(Link{at.x, at.y, true});
  }

  using Link = std::tuple<int, int, bool>; // of a router, down or to the right

private:
  int width_, height_;
};

} // namespace

std::vector<std::int32_t> bankReaders(const ChipGeometry &chip,
                                      const std::vector<std::int32_t> &banks,
                                      std::int64_t count) {
  const clock::NocPlaces places(archData(chip.arch).timing, chip);
  const Torus torus(places);
  // For each link, the banks whose data it carries, and the number of routes.
  std::map<Torus::Link, std::map<std::size_t, int>> used;
  std::vector<bool> taken(places.workers.size(), false);
  std::vector<std::int32_t> readers(banks.size() * std::size_t(count), 0);
  // Each bank gets its nearest core before others get a second one.
  for (std::size_t i = 0; i < readers.size(); ++i) {
    const std::size_t index = i % banks.size();
    const clock::NocPlace from = places.channels[std::size_t(banks[index])];
    std::pair<int, int> best{-1, -1}; // links shared with others, and all
    std::size_t reader = 0;
    for (std::size_t core = 0; core < taken.size(); ++core) {
      if (taken[core])
        continue;
      std::pair<int, int> found{0, 0};
      torus.route(from, places.workers[core], [&](const Torus::Link &link) {
        ++found.second;
        const auto sharers = used.find(link);
        if (sharers != used.end())
          for (const auto &[other, routes] : sharers->second)
            found.first += other == index ? 0 : routes;
      });
      if (best.second >= 0 && found >= best)
        continue;
      best = found;
      reader = core;
    }
    taken[reader] = true;
    torus.route(from, places.workers[reader],
                [&](const Torus::Link &link) { ++used[link][index]; });
    readers[index * std::size_t(count) + i / banks.size()] =
        std::int32_t(reader);
  }
  return readers;
}

} // namespace tt::runtime::ttnn::streams

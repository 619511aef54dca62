// Which chips of a system form a mesh when nobody says so. A program is
// compiled for the chips that are chosen here, and opening a mesh chooses them
// again, so that the choice is a part of what compiler and runtime share.
#ifndef TTMLIR_MESHPLACEMENT_H
#define TTMLIR_MESHPLACEMENT_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

namespace ttmlir {

/// Depth-first search for chips, position by position of a mesh. A position is
/// tied to the earlier ones that must be linked to it.
class MeshPlacement {
public:
  using Ids = std::vector<std::uint32_t>;
  using Links = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

  /// Chips of the system for a mesh of `meshShape`, row-major; the system has
  /// at least as many chips as the mesh has points, and `links` joins two of
  /// them each.
  ///
  /// The first chips in their order, if links join all neighbours in the mesh.
  /// Otherwise the lexicographically smallest choice whose neighbours are all
  /// linked, preferring those that also have the links around of as many axes
  /// of three or more as possible. The first chips again if there is none, or
  /// if the search takes too long.
  ///
  /// On 2x4 chips, numbered row by row: 2x2 is [0, 1, 4, 5], 1x8 the ring
  /// [0, 1, 2, 3, 7, 6, 5, 4].
  static Ids choose(std::uint32_t numChips, const Links &links,
                    const Ids &meshShape) {
    // Axes of one chip tie nothing together and may be many.
    Ids mesh;
    std::copy_if(meshShape.begin(), meshShape.end(), std::back_inserter(mesh),
                 [](std::uint32_t extent) { return extent > 1; });
    MeshPlacement placement(numChips, links);
    placement.tie(mesh, /*rings=*/0);
    Ids first(placement.earlier.size());
    std::iota(first.begin(), first.end(), 0);
    if (placement.fits(first))
      return first;
    for (unsigned rings : ringChoices(mesh)) {
      placement.tie(mesh, rings);
      if (Ids chips = placement.search(); !chips.empty())
        return chips;
    }
    return first;
  }

private:
  /// Chips tried before a search gives up: enough for every mesh or torus, and
  /// short for systems that are neither.
  static constexpr int kMostTries = 100000;

  MeshPlacement(std::uint32_t numChips, const Links &links)
      : neighbours(numChips) {
    for (auto [a, b] : links) {
      neighbours[a].insert(b);
      neighbours[b].insert(a);
    }
  }

  /// Sets of the axes of three or more chips, a bit each, larger sets first.
  static std::vector<unsigned> ringChoices(const Ids &mesh) {
    unsigned axes = 0;
    for (std::size_t axis = 0; axis < mesh.size(); ++axis)
      axes |= unsigned(mesh[axis] > 2) << axis;
    std::vector<unsigned> choices;
    for (unsigned rings = 0; rings < 1u << mesh.size(); ++rings)
      if ((rings & ~axes) == 0)
        choices.push_back(rings);
    auto count = [](unsigned bits) {
      int ones = 0;
      for (; bits != 0; bits &= bits - 1)
        ++ones;
      return ones;
    };
    std::stable_sort(
        choices.begin(), choices.end(),
        [&](unsigned a, unsigned b) { return count(a) > count(b); });
    return choices;
  }

  /// Ties each position to those before it, and along the axes in `rings` to
  /// the first of its line.
  void tie(const Ids &mesh, unsigned rings) {
    std::uint32_t volume = 1;
    for (std::uint32_t extent : mesh)
      volume *= extent;
    earlier.assign(volume, {});
    std::uint32_t stride = 1;
    for (std::size_t axis = mesh.size(); axis-- > 0; stride *= mesh[axis])
      for (std::uint32_t p = 0; p < volume; ++p) {
        const std::uint32_t at = p / stride % mesh[axis];
        if (at > 0)
          earlier[p].push_back(p - stride);
        if (rings >> axis & 1 && at > 0 && at + 1 == mesh[axis])
          earlier[p].push_back(p - at * stride);
      }
  }

  bool fits(std::size_t position, std::uint32_t chip, const Ids &chips) const {
    return std::all_of(earlier[position].begin(), earlier[position].end(),
                       [&](std::uint32_t other) {
                         return neighbours[chips[other]].count(chip) != 0;
                       });
  }

  /// Whether `chips` ties all positions to linked chips.
  bool fits(const Ids &chips) const {
    for (std::size_t p = 0; p < chips.size(); ++p)
      if (!fits(p, chips[p], chips))
        return false;
    return true;
  }

  /// The first chip from `next` on for the position behind `chips`; the number
  /// of chips if there is none.
  std::uint32_t findChip(std::uint32_t next, const Ids &chips,
                         const std::vector<bool> &used) const {
    const Ids &tied = earlier[chips.size()];
    if (tied.empty())
      return next;
    const std::set<std::uint32_t> &near = neighbours[chips[tied.front()]];
    for (auto it = near.lower_bound(next); it != near.end(); ++it)
      if (!used[*it] && fits(chips.size(), *it, chips))
        return *it;
    return std::uint32_t(neighbours.size());
  }

  /// The lexicographically smallest choice; empty if none was found.
  Ids search() const {
    Ids chips;
    std::vector<bool> used(neighbours.size(), false);
    std::uint32_t next = 0;
    for (int tries = 0; tries < kMostTries; ++tries) {
      next = findChip(next, chips, used);
      if (next < neighbours.size()) {
        used[next] = true;
        chips.push_back(next);
        next = 0;
        if (chips.size() == earlier.size())
          return chips;
        continue;
      }
      if (chips.empty())
        return {};
      next = chips.back();
      chips.pop_back();
      used[next++] = false;
    }
    return {};
  }

  /// Of each chip, in ascending order.
  std::vector<std::set<std::uint32_t>> neighbours;
  /// Of each position, those that it is tied to.
  std::vector<Ids> earlier;
};

} // namespace ttmlir

#endif // TTMLIR_MESHPLACEMENT_H

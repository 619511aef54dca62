#include "emulator/placement.h"

#include "common/collective.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <set>

namespace tt::runtime::emulator {

namespace {

using Ids = std::vector<std::uint32_t>;
/// The chips that each chip has a link to, in ascending order.
using Links = std::vector<std::set<std::uint32_t>>;

/// Chips tried before a search gives up: enough for every mesh or torus, and
/// short for systems that are neither.
constexpr int kMostTries = 100000;

Links linksOf(const SystemDesc &desc) {
  Links links(desc->chip_desc_indices()->size());
  auto const *channels = desc->chip_channels();
  for (std::uint32_t i = 0; channels && i < channels->size(); ++i) {
    const std::uint32_t a = channels->Get(i)->device_id0();
    const std::uint32_t b = channels->Get(i)->device_id1();
    // A link to a chip that is not there joins nothing.
    if (std::max(a, b) >= links.size())
      continue;
    links[a].insert(b);
    links[b].insert(a);
  }
  return links;
}

/// For each position the earlier ones that must be linked to it: those before
/// it, and along the axes in `rings` (a bit each) the first of its line.
std::vector<Ids> ties(const Ids &mesh, unsigned rings) {
  std::vector<Ids> earlier(meshVolume(mesh));
  std::uint32_t stride = 1;
  for (std::size_t axis = mesh.size(); axis-- > 0; stride *= mesh[axis])
    for (std::uint32_t p = 0; p < earlier.size(); ++p) {
      const std::uint32_t at = p / stride % mesh[axis];
      if (at > 0)
        earlier[p].push_back(p - stride);
      if (rings >> axis & 1 && at > 0 && at + 1 == mesh[axis])
        earlier[p].push_back(p - at * stride);
    }
  return earlier;
}

bool fits(const Ids &chips, std::uint32_t chip, const Ids &earlier,
          const Links &links) {
  return std::all_of(earlier.begin(), earlier.end(), [&](std::uint32_t p) {
    return links[chips[p]].count(chip) != 0;
  });
}

/// The first chip from `next` on for the position behind `chips`; the number of
/// chips if there is none.
std::uint32_t findChip(std::uint32_t next, const Ids &chips, const Ids &earlier,
                       const Links &links, const std::vector<bool> &used) {
  if (earlier.empty())
    return next;
  const std::set<std::uint32_t> &near = links[chips[earlier.front()]];
  for (auto it = near.lower_bound(next); it != near.end(); ++it)
    if (!used[*it] && fits(chips, *it, earlier, links))
      return *it;
  return std::uint32_t(links.size());
}

/// Depth-first, position by position; empty if nothing was found.
Ids search(const std::vector<Ids> &earlier, const Links &links) {
  const auto numChips = std::uint32_t(links.size());
  Ids chips;
  std::vector<bool> used(numChips, false);
  std::uint32_t next = 0;
  for (int tries = 0; tries < kMostTries; ++tries) {
    next = findChip(next, chips, earlier[chips.size()], links, used);
    if (next < numChips) {
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

} // namespace

Ids placeMesh(const SystemDesc &desc, const Ids &meshShape) {
  // Axes of one chip tie nothing together and may be many.
  Ids mesh;
  std::copy_if(meshShape.begin(), meshShape.end(), std::back_inserter(mesh),
               [](std::uint32_t extent) { return extent > 1; });
  const Links links = linksOf(desc);
  const std::vector<Ids> plain = ties(mesh, 0);
  Ids first(plain.size());
  std::iota(first.begin(), first.end(), 0);
  bool linked = true;
  for (std::uint32_t p = 0; p < first.size(); ++p)
    linked &= fits(first, p, plain[p], links);
  if (linked)
    return first;
  unsigned ringAxes = 0;
  for (std::size_t axis = 0; axis < mesh.size(); ++axis)
    ringAxes |= unsigned(mesh[axis] > 2) << axis;
  std::vector<unsigned> choices;
  for (unsigned rings = 0; rings < 1u << mesh.size(); ++rings)
    if ((rings & ~ringAxes) == 0)
      choices.push_back(rings);
  std::stable_sort(choices.begin(), choices.end(), [](unsigned a, unsigned b) {
    return std::popcount(a) > std::popcount(b);
  });
  for (unsigned rings : choices)
    if (Ids chips = search(ties(mesh, rings), links); !chips.empty())
      return chips;
  return first;
}

} // namespace tt::runtime::emulator

// Operations whose tensors are sent on the routes of the fabric, and those
// without communication.
#include "collectives/operations.h"
#include "collectives/phases.h"
#include "emulator/tensor_copy.h"

#include <algorithm>
#include <map>
#include <span>

namespace tt::runtime::collectives {

using emulator::Fabric;
using emulator::FabricWay;

namespace {

FabricWay wayOf(const Collective &collective) {
  return {collective.topology != Topology::Linear};
}

/// Moves pages [first, last) to a chip of this rank, and returns the message
/// that they are.
Fabric::Shipment movePages(const Operands &o, std::uint32_t from,
                           std::uint32_t to, const Pages &source,
                           const Pages &target, std::int64_t first,
                           std::int64_t last, FabricWay way, double pace) {
  const auto part = [&](const Pages &pages) {
    return std::span<std::byte *const>(pages.at).subspan(
        std::size_t(first), std::size_t(last - first));
  };
  if (o.isLocal(to))
    o.fabric.move(from, to, part(source), part(target), source.bytes, way);
  return {from,
          to,
          {source.bytes * (last - first), source.bytes, o.collective.numLinks,
           pace, way}};
}

Fabric::Shipment movePages(const Operands &o, std::uint32_t from,
                           std::uint32_t to, const Pages &source,
                           const Pages &target, double pace) {
  return movePages(o, from, to, source, target, 0, source.count(),
                   wayOf(o.collective), pace);
}

/// True if every group is all chips along an axis of the mesh that wraps.
bool areRings(const Operands &o) {
  if (!wayOf(o.collective).wrap)
    return false;
  std::vector<CollectiveGroup> rings;
  for (std::uint32_t axis = 0; axis < o.collective.meshShape.size(); ++axis)
    if (o.fabric.wraps(axis))
      for (CollectiveGroup &line : groupsAlong(o.collective.meshShape, axis))
        rings.push_back(std::move(line));
  return std::all_of(o.collective.groups.begin(), o.collective.groups.end(),
                     [&](CollectiveGroup group) {
                       std::sort(group.begin(), group.end());
                       return std::find(rings.begin(), rings.end(), group) !=
                              rings.end();
                     });
}

} // namespace

namespace {

/// Zeros on the chips that nothing was sent to.
void fillUnwritten(const Operands &o, const std::vector<bool> &written) {
  for (std::uint32_t i = 0; i < written.size(); ++i)
    if (!written[i] && o.isLocal(i))
      emulator::fillZero(o.targets[i]->view());
}

} // namespace

double permute(const Operands &o) {
  std::vector<bool> written(o.targets.size(), false);
  const Pace pace = paceOf(o.fabric, o.collective.kind, false);
  std::vector<Fabric::Shipment> shipments;
  PageExchange exchange(o.fabric);
  std::vector<Pages> sources;
  for (const auto &[source, target] : o.collective.pairs)
    sources.push_back(pagesOf(o.ins[source]));
  auto pages = sources.begin();
  for (const auto &[source, target] : o.collective.pairs)
    exchange.bringTo(*pages++, source, {target});
  exchange.run(o.collective.kind);
  pages = sources.begin();
  for (const auto &[source, target] : o.collective.pairs) {
    written[target] = true;
    const Pages &from = *pages++, to = pagesOf(o.targets[target]);
    if (source == target)
      copyPages(from, to);
    else
      shipments.push_back(
          movePages(o, source, target, from, to, pace.bytesPerCycle));
  }
  fillUnwritten(o, written);
  if (shipments.empty())
    return 0;
  return o.fabric.sendAll(shipments, pace.start).end;
}

double partition(const Operands &o) {
  const std::int64_t dim = o.collective.dim;
  for (const CollectiveGroup &group : o.collective.groups)
    for (std::size_t i = 0; i < group.size(); ++i) {
      if (!o.isLocal(group[i]))
        continue;
      const TensorPtr &in = o.ins[group[i]], &out = o.targets[group[i]];
      const auto index = std::int64_t(i), count = std::int64_t(group.size());
      if (cutsPages(in->layout, dim, count))
        copyPages(sliceOf(in, dim, index, count), pagesOf(out));
      else
        copySlice(in, dim, index, count, out);
    }
  return 0;
}

namespace {

/// What the members of a group send to each other, and where it is written.
struct GroupPages {
  std::vector<Slices> cuts, joins; // by member
};

/// Messages by their hops.
using Rounds = std::map<std::size_t, std::vector<Fabric::Shipment>>;

/// Sends what member i has for member j. To the opposite chip of a ring, half
/// of the pages go in each direction.
void sendSlice(const Operands &o, const CollectiveGroup &group,
               const GroupPages &pages, std::size_t i, std::size_t j,
               double pace, Rounds &rounds) {
  const Pages &from = pages.cuts[i].pages[j], &to = pages.joins[j].pages[i];
  const FabricWay way = wayOf(o.collective), other{way.wrap, true};
  const auto hops = o.fabric.route(group[i], group[j], way);
  const std::int64_t count = from.count();
  const std::int64_t half =
      hops == o.fabric.route(group[i], group[j], other) ? 0 : count / 2;
  auto &round = rounds[hops.size()];
  if (half)
    round.push_back(
        movePages(o, group[i], group[j], from, to, 0, half, other, pace));
  round.push_back(
      movePages(o, group[i], group[j], from, to, half, count, way, pace));
}

} // namespace

double allToAll(const Operands &o) {
  const Pace pace = paceOf(o.fabric, o.collective.kind, areRings(o));
  Rounds rounds;
  PageExchange exchange(o.fabric);
  std::vector<GroupPages> all(o.collective.groups.size());
  for (std::size_t g = 0; g < all.size(); ++g) {
    const CollectiveGroup &group = o.collective.groups[g];
    const auto size = std::int64_t(group.size());
    GroupPages &pages = all[g];
    for (std::uint32_t position : group) {
      pages.cuts.push_back(
          cut(o.ins[position], o.collective.dim, size, o.chip(position)));
      pages.joins.push_back(beginJoin(
          o.targets[position], o.collective.concatDim, size, o.chip(position)));
    }
    for (std::size_t i = 0; i < group.size(); ++i)
      for (std::size_t j = 0; j < group.size(); ++j)
        exchange.bringTo(pages.cuts[i].pages[j], group[i], {group[j]});
  }
  exchange.run(o.collective.kind);
  for (std::size_t g = 0; g < all.size(); ++g) {
    const CollectiveGroup &group = o.collective.groups[g];
    const GroupPages &pages = all[g];
    for (std::size_t i = 0; i < group.size(); ++i)
      for (std::size_t j = 0; j < group.size(); ++j)
        if (i == j)
          copyPages(pages.cuts[i].pages[i], pages.joins[i].pages[i]);
        else
          sendSlice(o, group, pages, i, j, pace.bytesPerCycle, rounds);
    for (std::size_t i = 0; i < group.size(); ++i)
      finishJoin(pages.joins[i], o.targets[group[i]], o.collective.concatDim);
  }
  // The farthest chips first. A round begins when all chips have sent their
  // part of the one before, and takes the measured step.
  double begin = pace.start, end = 0;
  for (auto round = rounds.rbegin(); round != rounds.rend(); ++round) {
    const auto [last, busiest] = o.fabric.sendAll(round->second, begin);
    begin += pace.step + busiest;
    end = std::max({end, last, begin});
  }
  return end;
}

double broadcast(const Operands &o) {
  const Pace pace = paceOf(o.fabric, o.collective.kind, false);
  const ArchData &arch = o.fabric.arch();
  const double work =
      std::max(0.0, pace.step - arch.ethernet.hopSeconds * arch.cost.clockHz);
  std::vector<bool> written(o.targets.size(), false);
  double end = 0;
  PageExchange exchange(o.fabric);
  std::vector<Pages> sources;
  for (const CollectiveGroup &group : o.collective.groups)
    sources.push_back(pagesOf(o.ins[group.front()]));
  for (std::size_t g = 0; g < sources.size(); ++g)
    exchange.bringTo(sources[g], o.collective.groups[g].front(),
                     o.collective.groups[g]);
  exchange.run(o.collective.kind);
  for (std::size_t g = 0; g < sources.size(); ++g) {
    const CollectiveGroup &group = o.collective.groups[g];
    // Each step sends over the shortest route from a chip that has the tensor
    // to one that does not, so that the tensor crosses a link once.
    struct Holder {
      std::uint32_t position;
      double ready;
    };
    std::vector<Holder> holders = {{group.front(), pace.start}};
    copyPages(sources[g], pagesOf(o.targets[group.front()]));
    written[group.front()] = true;
    while (holders.size() < group.size()) {
      std::size_t best = ~std::size_t(0), source = 0;
      std::uint32_t target = 0;
      for (std::uint32_t position : group)
        for (std::size_t h = 0; !written[position] && h < holders.size(); ++h) {
          const std::size_t hops =
              o.fabric.route(holders[h].position, position, wayOf(o.collective))
                  .size();
          if (hops < best) {
            best = hops;
            source = h;
            target = position;
          }
        }
      const Holder from = holders[source];
      const auto shipment =
          movePages(o, from.position, target, sources[g],
                    pagesOf(o.targets[target]), pace.bytesPerCycle);
      const double ready =
          work + o.fabric.sendAll({&shipment, 1}, from.ready).end;
      written[target] = true;
      holders.push_back({target, ready});
      end = std::max(end, ready);
    }
  }
  fillUnwritten(o, written);
  return end;
}

} // namespace tt::runtime::collectives

// Operations whose tensors take the routes of the fabric, and those that stay
// on their chip.
#include "collectives/operations.h"
#include "collectives/phases.h"
#include "emulator/transfer.h"

#include <algorithm>

namespace tt::runtime::collectives {

using emulator::Fabric;

namespace {

bool wraps(const Collective &collective) {
  return collective.topology != Topology::Linear;
}

/// Moves pages and accounts them; returns when they are there.
double sendPages(const Operands &o, std::uint32_t from, std::uint32_t to,
                 const Pages &source, const Pages &target, double pace,
                 double ready) {
  const bool wrap = wraps(o.collective);
  o.fabric.move(from, to, source.at, target.at, source.bytes, wrap);
  return o.fabric.send(from, to,
                       {source.bytes * source.count(), source.bytes,
                        o.collective.numLinks, pace, wrap},
                       ready);
}

/// True if a group goes once around an axis of the mesh that wraps.
bool isRing(const Operands &o, const CollectiveGroup &group) {
  const std::vector<std::uint32_t> &shape = o.collective.meshShape;
  for (std::uint32_t axis = 0; wraps(o.collective) && axis < shape.size();
       ++axis) {
    const auto lines = groupsAlong(shape, axis);
    if (o.fabric.wraps(axis) &&
        std::find(lines.begin(), lines.end(), group) != lines.end())
      return true;
  }
  return false;
}

} // namespace

double permute(const Operands &o) {
  std::vector<bool> written(o.targets.size(), false);
  const Pace pace = paceOf(o.fabric, o.collective.kind, false);
  double end = 0;
  for (const auto &[source, target] : o.collective.pairs) {
    written[target] = true;
    const Pages from = pagesOf(o.ins[source]), to = pagesOf(o.targets[target]);
    if (source == target)
      copyPages(from, to);
    else
      end = std::max(end, sendPages(o, source, target, from, to,
                                    pace.bytesPerCycle, pace.start));
  }
  for (std::size_t i = 0; i < written.size(); ++i)
    if (!written[i])
      emulator::fillZero(o.targets[i]->view());
  return end;
}

double partition(const Operands &o) {
  const std::int64_t dim = o.collective.dim;
  for (const CollectiveGroup &group : o.collective.groups)
    for (std::size_t i = 0; i < group.size(); ++i) {
      const TensorPtr &in = o.ins[group[i]], &out = o.targets[group[i]];
      const auto index = std::int64_t(i), count = std::int64_t(group.size());
      if (cutsPages(in->layout, dim, count))
        copyPages(sliceOf(in, dim, index, count), pagesOf(out));
      else
        copySlice(in, dim, index, count, out);
    }
  return 0;
}

double allToAll(const Operands &o) {
  double end = 0;
  struct Group {
    std::vector<Slices> cuts, joins;
    bool ring;
  };
  std::vector<Group> groups;
  std::size_t rounds = 0;
  for (const CollectiveGroup &group : o.collective.groups) {
    const auto size = std::int64_t(group.size());
    Group g{{}, {}, isRing(o, group)};
    for (std::uint32_t position : group) {
      g.cuts.push_back(
          cut(o.ins[position], o.collective.dim, size, o.chip(position)));
      g.joins.push_back(beginJoin(o.targets[position], o.collective.concatDim,
                                  size, o.chip(position)));
    }
    for (std::size_t i = 0; i < group.size(); ++i)
      copyPages(g.cuts[i].pages[i], g.joins[i].pages[i]);
    rounds = std::max(rounds, g.ring ? group.size() / 2 : group.size() - 1);
    groups.push_back(std::move(g));
  }
  // Round r: what goes r members on and r members back, around where it is a
  // ring.
  for (std::size_t r = 1; r <= rounds; ++r) {
    double begin = end;
    for (std::size_t n = 0; n < groups.size(); ++n) {
      const CollectiveGroup &group = o.collective.groups[n];
      Group &g = groups[n];
      const Pace pace = paceOf(o.fabric, o.collective.kind, g.ring);
      const ArchData &arch = o.fabric.arch();
      if (r == 1)
        begin = std::max(begin, pace.start);
      const double work =
          std::max(0.0, pace.step - double(r) * arch.ethernet.hopSeconds *
                                        arch.cost.clockHz);
      for (std::size_t i = 0; i < group.size(); ++i)
        for (std::size_t j = 0; j < group.size(); ++j) {
          const std::size_t apart = i < j ? j - i : i - j;
          if ((g.ring ? std::min(apart, group.size() - apart) : apart) != r)
            continue;
          end = std::max(end, work + sendPages(o, group[i], group[j],
                                               g.cuts[i].pages[j],
                                               g.joins[j].pages[i],
                                               pace.bytesPerCycle, begin));
        }
    }
  }
  for (std::size_t n = 0; n < groups.size(); ++n)
    for (std::size_t i = 0; i < groups[n].joins.size(); ++i)
      finishJoin(groups[n].joins[i], o.targets[o.collective.groups[n][i]],
                 o.collective.concatDim);
  return end;
}

double broadcast(const Operands &o) {
  const Pace pace = paceOf(o.fabric, o.collective.kind, false);
  const ArchData &arch = o.fabric.arch();
  const double work =
      std::max(0.0, pace.step - arch.ethernet.hopSeconds * arch.cost.clockHz);
  std::vector<bool> written(o.targets.size(), false);
  double end = 0;
  for (const CollectiveGroup &group : o.collective.groups) {
    // Each step sends over the shortest way from a chip that has the tensor to
    // one that has not, so that a link carries it once.
    struct Holder {
      std::uint32_t position;
      double ready;
    };
    std::vector<Holder> holders = {{group.front(), pace.start}};
    copyPages(pagesOf(o.ins[group.front()]), pagesOf(o.targets[group.front()]));
    written[group.front()] = true;
    while (holders.size() < group.size()) {
      std::size_t best = ~std::size_t(0), source = 0;
      std::uint32_t target = 0;
      for (std::uint32_t position : group)
        for (std::size_t h = 0; !written[position] && h < holders.size(); ++h) {
          const std::size_t hops =
              o.fabric.route(holders[h].position, position, wraps(o.collective))
                  .size();
          if (hops < best) {
            best = hops;
            source = h;
            target = position;
          }
        }
      const Holder from = holders[source];
      const double ready = work + sendPages(o, from.position, target,
                                            pagesOf(o.targets[from.position]),
                                            pagesOf(o.targets[target]),
                                            pace.bytesPerCycle, from.ready);
      written[target] = true;
      holders.push_back({target, ready});
      end = std::max(end, ready);
    }
  }
  for (std::size_t i = 0; i < written.size(); ++i)
    if (!written[i])
      emulator::fillZero(o.targets[i]->view());
  return end;
}

} // namespace tt::runtime::collectives

// Operations along lines and rings of chips.
#include "collectives/operations.h"
#include "collectives/phases.h"
#include "numerics/tiles.h"

namespace tt::runtime::collectives {

namespace {

using Chains = std::vector<std::vector<Chain>>;

Combine combineOf(const Collective &collective, const Layout &l,
                  std::int64_t pageBytes) {
  return {collective.reduce, l.type,
          l.tiled ? numerics::kTileElements : pageBytes / l.elementSize()};
}

std::int64_t pageBytesOf(const std::vector<Pages> &slices) {
  return slices.empty() ? 1 : slices.front().bytes;
}

std::vector<std::int64_t> counts(const std::vector<Pages> &slices) {
  std::vector<std::int64_t> result;
  for (const Pages &pages : slices)
    result.push_back(pages.count());
  return result;
}

std::vector<ChipPtr> chipsOf(const Operands &o, const CollectiveGroup &group) {
  std::vector<ChipPtr> chips;
  for (std::uint32_t position : group)
    chips.push_back(o.chip(position));
  return chips;
}

/// Of chips that send what is in their memory.
double senderOf(const Operands &o, std::int64_t pageBytes) {
  return senderPace(o.fabric, o.ins.front()->layout.space, pageBytes);
}

/// Whole pages cut to `count` ranges, as equal as they can be.
std::vector<Pages> rangesOf(const Pages &pages, std::int64_t count) {
  std::vector<Pages> ranges;
  for (std::int64_t i = 0; i < count; ++i)
    ranges.push_back({{pages.at.begin() + pages.count() * i / count,
                       pages.at.begin() + pages.count() * (i + 1) / count},
                      pages.bytes});
  return ranges;
}

} // namespace

double allGather(const Operands &o) {
  const Schedule schedule(o.collective, o.fabric);
  Chains chains;
  std::int64_t pageBytes = 1;
  for (const CollectiveGroup &group : o.collective.groups) {
    const auto size = std::int64_t(group.size());
    std::vector<Slices> joins;
    std::vector<std::vector<Pages>> at;
    for (std::size_t k = 0; k < group.size(); ++k) {
      joins.push_back(beginJoin(o.targets[group[k]], o.collective.dim, size,
                                o.chip(group[k])));
      at.push_back(joins.back().pages);
      copyPages(pagesOf(o.ins[group[k]]), at[k][k]);
    }
    spread(schedule, at);
    for (std::size_t k = 0; k < group.size(); ++k)
      finishJoin(joins[k], o.targets[group[k]], o.collective.dim);
    pageBytes = pageBytesOf(at.front());
    chains.push_back(schedule.gather(counts(at.front())));
  }
  const Pace pace = paceOf(o.fabric, o.collective.kind, schedule.ring());
  return sendChains(o.fabric, o.collective, schedule.ring(), chains, pageBytes,
                    pace.start, senderOf(o, pageBytes));
}

double reduceScatter(const Operands &o) {
  const Schedule schedule(o.collective, o.fabric);
  Chains chains;
  std::int64_t pageBytes = 1;
  for (const CollectiveGroup &group : o.collective.groups) {
    std::vector<Slices> cuts;
    std::vector<std::vector<Pages>> at;
    std::vector<Pages> outs;
    for (std::uint32_t position : group) {
      cuts.push_back(cut(o.ins[position], o.collective.dim,
                         std::int64_t(group.size()), o.chip(position)));
      at.push_back(cuts.back().pages);
      outs.push_back(pagesOf(o.targets[position]));
    }
    pageBytes = pageBytesOf(outs);
    const Layout &layout = o.targets[group.front()]->layout;
    gatherSums(schedule, combineOf(o.collective, layout, pageBytes),
               chipsOf(o, group), at, outs);
    chains.push_back(schedule.reduce(counts(outs)));
  }
  const Pace pace = paceOf(o.fabric, o.collective.kind, schedule.ring());
  return sendChains(o.fabric, o.collective, schedule.ring(), chains, pageBytes,
                    pace.start);
}

double allReduce(const Operands &o) {
  const Schedule schedule(o.collective, o.fabric);
  Chains reduce, gather;
  std::int64_t pageBytes = 1;
  for (const CollectiveGroup &group : o.collective.groups) {
    const auto size = std::int64_t(group.size());
    std::vector<std::vector<Pages>> ins, outs;
    std::vector<Pages> results;
    for (std::size_t k = 0; k < group.size(); ++k) {
      ins.push_back(rangesOf(pagesOf(o.ins[group[k]]), size));
      outs.push_back(rangesOf(pagesOf(o.targets[group[k]]), size));
      results.push_back(outs[k][k]);
    }
    pageBytes = pageBytesOf(results);
    const Layout &layout = o.ins[group.front()]->layout;
    gatherSums(schedule, combineOf(o.collective, layout, pageBytes),
               chipsOf(o, group), ins, results);
    spread(schedule, outs);
    reduce.push_back(schedule.reduce(counts(results)));
    gather.push_back(schedule.gather(counts(results)));
  }
  const Pace pace = paceOf(o.fabric, o.collective.kind, schedule.ring());
  // The results are spread when all of them are complete.
  const double half = sendChains(o.fabric, o.collective, schedule.ring(),
                                 reduce, pageBytes, pace.start);
  return sendChains(o.fabric, o.collective, schedule.ring(), gather, pageBytes,
                    half, senderOf(o, pageBytes));
}

} // namespace tt::runtime::collectives

// Operations along lines and rings of chips; linear_time.cpp has their time.
#include "collectives/operations.h"
#include "collectives/phases.h"
#include "numerics/tiles.h"

namespace tt::runtime::collectives {

namespace {

/// By member and slice.
using AllPages = std::vector<std::vector<Pages>>;

Combine combineOf(const Collective &collective, const Layout &l,
                  std::int64_t pageBytes) {
  return {collective.reduce, l.type,
          l.tiled ? numerics::kTileElements : pageBytes / l.elementSize()};
}

std::int64_t pageBytesOf(const std::vector<Pages> &slices) {
  return slices.empty() ? 1 : slices.front().bytes;
}

std::vector<ChipPtr> chipsOf(const Operands &o, const CollectiveGroup &group) {
  std::vector<ChipPtr> chips;
  for (std::uint32_t position : group)
    chips.push_back(o.chip(position));
  return chips;
}

/// Brings what each member adds to a slice to the member that gets it.
void bringSlices(const Operands &o, const CollectiveGroup &group, AllPages &at,
                 PageExchange &exchange) {
  for (std::size_t slice = 0; slice < group.size(); ++slice)
    for (std::size_t k = 0; k < group.size(); ++k)
      exchange.bring(at[k][slice], group[k],
                     o.fabric.ownership().ownerOf(group[slice]));
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

void allGather(const Operands &o) {
  const Schedule schedule(o.collective, o.fabric);
  const auto &groups = o.collective.groups;
  PageExchange exchange(o.fabric);
  std::vector<std::vector<Slices>> joins(groups.size());
  std::vector<AllPages> at(groups.size());
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const CollectiveGroup &group = groups[g];
    for (std::size_t k = 0; k < group.size(); ++k) {
      joins[g].push_back(beginJoin(o.targets[group[k]], o.collective.dim,
                                   std::int64_t(group.size()),
                                   o.chip(group[k])));
      at[g].push_back(joins[g].back().pages);
      copyPages(pagesOf(o.ins[group[k]]), at[g][k][k]);
      exchange.bringTo(at[g][k][k], group[k], group);
    }
  }
  exchange.run(o.collective.kind);
  for (std::size_t g = 0; g < groups.size(); ++g) {
    spread(schedule, at[g]);
    for (std::size_t k = 0; k < groups[g].size(); ++k)
      finishJoin(joins[g][k], o.targets[groups[g][k]], o.collective.dim);
  }
}

void reduceScatter(const Operands &o) {
  const Schedule schedule(o.collective, o.fabric);
  const auto &groups = o.collective.groups;
  PageExchange exchange(o.fabric);
  std::vector<std::vector<Slices>> cuts(groups.size());
  std::vector<AllPages> at(groups.size());
  std::vector<std::vector<Pages>> outs(groups.size());
  for (std::size_t g = 0; g < groups.size(); ++g) {
    for (std::uint32_t position : groups[g]) {
      cuts[g].push_back(cut(o.ins[position], o.collective.dim,
                            std::int64_t(groups[g].size()), o.chip(position)));
      at[g].push_back(cuts[g].back().pages);
      outs[g].push_back(pagesOf(o.targets[position]));
    }
    bringSlices(o, groups[g], at[g], exchange);
  }
  exchange.run(o.collective.kind);
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const Layout &layout = o.targets[groups[g].front()]->layout;
    gatherSums(schedule, combineOf(o.collective, layout, pageBytesOf(outs[g])),
               chipsOf(o, groups[g]), at[g], outs[g]);
  }
}

void allReduce(const Operands &o) {
  const Schedule schedule(o.collective, o.fabric);
  const auto &groups = o.collective.groups;
  PageExchange addends(o.fabric), sums(o.fabric);
  std::vector<AllPages> ins(groups.size()), outs(groups.size());
  std::vector<std::vector<Pages>> results(groups.size());
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const CollectiveGroup &group = groups[g];
    const auto size = std::int64_t(group.size());
    for (std::size_t k = 0; k < group.size(); ++k) {
      ins[g].push_back(rangesOf(pagesOf(o.ins[group[k]]), size));
      outs[g].push_back(rangesOf(pagesOf(o.targets[group[k]]), size));
      results[g].push_back(outs[g][k][k]);
    }
    bringSlices(o, group, ins[g], addends);
  }
  addends.run(o.collective.kind);
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const CollectiveGroup &group = groups[g];
    const Layout &layout = o.ins[group.front()]->layout;
    gatherSums(schedule,
               combineOf(o.collective, layout, pageBytesOf(results[g])),
               chipsOf(o, group), ins[g], results[g]);
    for (std::size_t k = 0; k < group.size(); ++k)
      sums.bringTo(outs[g][k][k], group[k], group);
  }
  sums.run(o.collective.kind);
  for (const AllPages &at : outs)
    spread(schedule, at);
}

} // namespace tt::runtime::collectives

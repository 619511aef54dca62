#include "collectives/schedule.h"

#include <algorithm>

namespace tt::runtime::collectives {

namespace {

/// Every line of a group's chips has its links, with the one that closes the
/// ring if `ring`.
void expectLines(const Collective &collective, const FabricTime &fabric,
                 bool ring) {
  for (const CollectiveGroup &group : collective.groups) {
    for (std::size_t i = 0; i + 1 < group.size(); ++i)
      fabric.expectLinks(group[i], group[i + 1], collective.numLinks);
    if (ring && group.size() > 2)
      fabric.expectLinks(group.back(), group.front(), collective.numLinks);
  }
}

/// A group of two has one link only: its ring is a line.
bool closes(const Collective &collective, const FabricTime &fabric) {
  for (const CollectiveGroup &group : collective.groups)
    if (group.size() < 3 ||
        fabric.linksBetween(group.back(), group.front()) < collective.numLinks)
      return false;
  return !collective.groups.empty();
}

} // namespace

Schedule::Schedule(const Collective &collective, const FabricTime &fabric)
    : collective_(collective) {
  const auto &topology = collective.topology;
  expectLines(collective, fabric, topology == Topology::Ring);
  ring_ = topology != Topology::Linear && closes(collective, fabric);
}

std::vector<Part> Schedule::parts(std::uint32_t member, std::uint32_t size,
                                  std::int64_t pages,
                                  std::int64_t before) const {
  std::vector<Part> parts;
  const auto add = [&](std::int64_t first, std::int64_t last, Reach reach) {
    if (first < last)
      parts.push_back({first, last, reach});
  };
  const std::uint32_t half = size / 2;
  if (!ring_) {
    add(0, pages, {member, size - 1 - member});
  } else if (size % 2) {
    add(0, pages, {half, half});
  } else {
    const std::int64_t middle = (before + pages) / 2 - before / 2;
    add(0, middle, {half - 1, half});
    add(middle, pages, {half, half - 1});
  }
  return parts;
}

std::vector<Chain>
Schedule::gather(const std::vector<std::int64_t> &pages,
                 const std::vector<std::int64_t> &before) const {
  const auto size = std::uint32_t(pages.size());
  std::vector<Chain> chains;
  for (std::uint32_t i = 0; i < size; ++i)
    for (const bool forward : {true, false}) {
      Chain chain{i, forward, 0, {}};
      for (const Part &part :
           parts(i, size, pages[i], before.empty() ? 0 : before[i])) {
        const std::uint32_t hops =
            forward ? part.reach.behind : part.reach.before;
        chain.pages.resize(std::max<std::size_t>(chain.pages.size(), hops));
        for (std::uint32_t k = 0; k < hops; ++k)
          chain.pages[k] += part.last - part.first;
      }
      if (!chain.pages.empty())
        chains.push_back(std::move(chain));
    }
  return chains;
}

std::vector<Chain>
Schedule::reduce(const std::vector<std::int64_t> &pages,
                 const std::vector<std::int64_t> &before) const {
  // The chains of a gather in reverse: to the owner. On a line the slices with
  // the longest chain are sent first.
  const auto size = std::uint32_t(pages.size());
  std::vector<Chain> chains = gather(pages, before);
  for (Chain &chain : chains) {
    const std::uint32_t owner = chain.start;
    const auto hops = std::uint32_t(chain.pages.size());
    chain.start = (owner + (chain.forward ? hops : size - hops)) % size;
    chain.forward = !chain.forward;
    std::reverse(chain.pages.begin(), chain.pages.end());
    chain.firstStep = ring_ ? 0 : chain.forward ? size - 1 - owner : owner;
  }
  return chains;
}

const ArchCollective &timesOf(const ArchEthernet &arch, CollectiveKind kind) {
  switch (kind) {
  case CollectiveKind::ReduceScatter:
    return arch.reduceScatter;
  case CollectiveKind::AllReduce:
    return arch.allReduce;
  case CollectiveKind::AllGather:
  case CollectiveKind::Broadcast: // not measured
    return arch.allGather;
  default:
    return arch.allToAll;
  }
}

Pace paceOf(const FabricTime &fabric, CollectiveKind kind, bool ring) {
  const ArchData &arch = fabric.arch();
  const double clock = arch.cost.clockHz;
  const ArchCollective &times = timesOf(arch.ethernet, kind);
  const double step = ring ? times.ringStepSeconds : times.lineStepSeconds;
  const double rate =
      ring ? times.ringBytesPerSecond : times.lineBytesPerSecond;
  return {times.startSeconds * clock, step * clock, rate / clock};
}

ChainSender::ChainSender(FabricTime &fabric, const Collective &collective,
                         bool ring, std::int64_t pageBytes)
    : fabric_(fabric), collective_(collective), ring_(ring),
      pageBytes_(pageBytes), pace_(paceOf(fabric, collective.kind, ring)) {
  // The measured step of an all_reduce is one there and one back.
  if (collective.kind == CollectiveKind::AllReduce)
    pace_.step /= 2;
  const ArchData &arch = fabric.arch();
  latency_ = arch.ethernet.hopSeconds * arch.cost.clockHz;
}

void ChainSender::sendNext(Travel &travel) {
  const CollectiveGroup &group = *travel.group;
  const Chain &chain = *travel.chain;
  const std::size_t from = travel.at;
  travel.at = (from + (chain.forward ? 1 : group.size() - 1)) % group.size();
  const std::int64_t bytes = chain.pages[travel.sent++] * pageBytes_;
  if (bytes == 0)
    return;
  // Routers forward what a core sends packet by packet; links take others in
  // between.
  if (travel.sent == 1) {
    const double perByte =
        travel.sender > 0
            ? 1 / (travel.sender * std::max(1u, collective_.numLinks))
            : 0;
    travel.end = std::max(travel.end, travel.ready + double(bytes) * perByte +
                                          std::max(pace_.step, latency_));
  }
  travel.ready = std::max(0.0, pace_.step - latency_) +
                 fabric_.send(group[from], group[travel.at],
                              {bytes,
                               pageBytes_,
                               collective_.numLinks,
                               pace_.bytesPerCycle,
                               {ring_}},
                              travel.ready);
  travel.end = std::max(travel.end, travel.ready);
}

double ChainSender::sendBySteps(std::vector<Travel> travels, double begin) {
  std::uint32_t steps = 0;
  for (const Travel &travel : travels)
    steps = std::max(steps, travel.chain->firstStep +
                                std::uint32_t(travel.chain->pages.size()));
  for (std::uint32_t step = 0; step < steps; ++step)
    for (Travel &travel : travels)
      if (!travel.done() && step >= travel.chain->firstStep)
        sendNext(travel);
  double end = begin;
  for (const Travel &travel : travels)
    end = std::max(end, travel.end);
  return end;
}

} // namespace tt::runtime::collectives

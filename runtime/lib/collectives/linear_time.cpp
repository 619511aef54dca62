// The time of operations along lines and rings of chips. It depends on the
// layouts of the tensors alone.
#include "collectives/linear_time.h"

#include <algorithm>
#include <functional>
#include <queue>
#include <tuple>

namespace tt::runtime::collectives {

namespace {

/// Sends a collective, in slices if a product makes its operand meanwhile.
class Sender {
public:
  Sender(const Collective &collective, FabricTime &fabric,
         const ChipGeometry &chip, const PagesOfMembers &pages,
         const OperandTime &operand)
      : collective_(collective), pages_(pages), operand_(operand),
        schedule_(collective, fabric),
        begin_(paceOf(fabric, collective.kind, schedule_.ring()).start),
        pace_(collective.kind == CollectiveKind::ReduceScatter
                  ? 0
                  : senderPace(fabric, chip, pages.space, pages.bytes)),
        sender_(fabric, collective, schedule_.ring(), pages.bytes) {}

  double run() {
    if (operand_.slices > 1)
      return runSlices();
    const double begin = beginOf(0);
    if (collective_.kind == CollectiveKind::AllGather)
      return send(schedule_.gather(pages_.counts), begin, pace_);
    const double reduced = send(schedule_.reduce(pages_.counts), begin, 0);
    if (collective_.kind == CollectiveKind::ReduceScatter)
      return reduced;
    // The results are spread when all of them are complete.
    return send(schedule_.gather(pages_.counts), reduced, pace_);
  }

private:
  /// The kernels of the chips start while a product computes.
  double beginOf(std::uint32_t slice) const {
    return std::max(begin_, operand_.readyAt(slice));
  }

  double send(const std::vector<Chain> &chains, double begin, double pace) {
    std::vector<Travel> travels;
    addTravels(chains, begin, pace, travels);
    return sender_.sendBySteps(std::move(travels), begin);
  }
  void addTravels(const std::vector<Chain> &chains, double begin, double pace,
                  std::vector<Travel> &travels) const {
    for (const CollectiveGroup &group : collective_.groups)
      for (const Chain &chain : chains)
        travels.push_back({&group, &chain, begin, pace});
  }

  /// A phase of a slice: its chains in all groups.
  struct Phase {
    std::vector<Chain> chains;
    std::vector<Travel> travels;
    std::size_t left = 0; // travels that are not done
  };

  /// Always the hop that is ready first.
  double runSlices() {
    std::vector<Phase> reduces(operand_.slices), gathers(operand_.slices);
    using Entry = std::tuple<double, std::size_t, Travel *, std::uint32_t>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
    std::size_t number = 0;
    const auto begin = [&](Phase &phase, std::uint32_t slice, double time,
                           double pace) {
      addTravels(phase.chains, time, pace, phase.travels);
      phase.left = phase.travels.size();
      for (Travel &travel : phase.travels)
        queue.emplace(time, number++, &travel, slice);
    };
    for (std::uint32_t i = 0; i < operand_.slices; ++i) {
      reduces[i].chains = schedule_.reduce(pagesIn(i), pagesBefore(i));
      begin(reduces[i], i, beginOf(i), 0);
    }
    const bool spreads = collective_.kind == CollectiveKind::AllReduce;
    double end = 0;
    while (!queue.empty()) {
      auto [time, order, travel, slice] = queue.top();
      queue.pop();
      sender_.sendNext(*travel);
      if (!travel->done()) {
        queue.emplace(travel->ready, order, travel, slice);
        continue;
      }
      end = std::max(end, travel->end);
      Phase &reduce = reduces[slice];
      if (!spreads || reduce.left == 0 || --reduce.left > 0)
        continue;
      double reduced = 0;
      for (const Travel &other : reduce.travels)
        reduced = std::max(reduced, other.end);
      gathers[slice].chains =
          schedule_.gather(pagesIn(slice), pagesBefore(slice));
      begin(gathers[slice], slice, reduced, pace_);
    }
    return end;
  }

  /// The pages of each member before a slice, and in it.
  std::vector<std::int64_t> pagesBefore(std::uint32_t slice) const {
    std::vector<std::int64_t> pages;
    for (std::int64_t count : pages_.counts)
      pages.push_back(count * slice / operand_.slices);
    return pages;
  }
  std::vector<std::int64_t> pagesIn(std::uint32_t slice) const {
    std::vector<std::int64_t> pages = pagesBefore(slice + 1);
    const std::vector<std::int64_t> before = pagesBefore(slice);
    for (std::size_t i = 0; i < pages.size(); ++i)
      pages[i] -= before[i];
    return pages;
  }

  const Collective &collective_;
  const PagesOfMembers &pages_;
  const OperandTime &operand_;
  const Schedule schedule_;
  const double begin_, pace_;
  ChainSender sender_;
};

} // namespace

bool isLinear(CollectiveKind kind) {
  return kind == CollectiveKind::AllGather ||
         kind == CollectiveKind::ReduceScatter ||
         kind == CollectiveKind::AllReduce;
}

double linearCycles(const Collective &collective, FabricTime &fabric,
                    const ChipGeometry &chip, const Layout &in,
                    const Layout &out, const OperandTime &operand) {
  if (collective.groups.empty())
    return paceOf(fabric, collective.kind, false).start;
  const bool scatters = collective.kind == CollectiveKind::ReduceScatter;
  const PageCount own = countPages(scatters ? out : in);
  const auto size = std::int64_t(collective.groups.front().size());
  PagesOfMembers pages{{}, own.bytes, in.space};
  for (std::int64_t i = 0; i < size; ++i)
    pages.counts.push_back(collective.kind == CollectiveKind::AllReduce
                               ? own.count * (i + 1) / size -
                                     own.count * i / size
                               : own.count);
  return Sender(collective, fabric, chip, pages, operand).run();
}

} // namespace tt::runtime::collectives

// The time of operations along lines and rings of chips. It depends on the
// layouts of the tensors alone.
#include "collectives/linear_time.h"

#include <algorithm>

namespace tt::runtime::collectives {

namespace {

using Chains = std::vector<std::vector<Chain>>;

/// Sends a collective slice by slice, each as soon as it is complete.
class Sender {
public:
  Sender(const Collective &collective, FabricTime &fabric,
         const ChipGeometry &chip, const PagesOfMembers &pages,
         const OperandTime &operand)
      : collective_(collective), fabric_(fabric), pages_(pages),
        operand_(operand), schedule_(collective, fabric),
        pace_(paceOf(fabric, collective.kind, schedule_.ring())),
        sender_(collective.kind == CollectiveKind::ReduceScatter
                    ? 0
                    : senderPace(fabric, chip, pages.space, pages.bytes)) {}

  /// Of all slices: one phase or two, the second of a slice after its first.
  /// Links take messages in the order of the calls, so that of two phases the
  /// one goes first that is ready first.
  double run() {
    if (collective_.kind != CollectiveKind::AllReduce) {
      double end = 0;
      for (std::uint32_t i = 0; i < operand_.slices; ++i)
        end = collective_.kind == CollectiveKind::AllGather
                  ? gather(i, beginOf(i))
                  : reduce(i, beginOf(i));
      return end;
    }
    std::vector<double> reduced; // by slice
    double end = 0;
    for (std::uint32_t gathered = 0; gathered < operand_.slices;) {
      const auto next = std::uint32_t(reduced.size());
      if (next < operand_.slices &&
          (gathered == next || beginOf(next) <= reduced[gathered])) {
        reduced.push_back(reduce(next, beginOf(next)));
      } else {
        end = std::max(end, gather(gathered, reduced[gathered]));
        ++gathered;
      }
    }
    return end;
  }

private:
  /// The kernels of the chips start while a product computes.
  double beginOf(std::uint32_t slice) const {
    return std::max(pace_.start, operand_.readyAt(slice));
  }

  /// The pages of each member in a slice.
  std::vector<std::int64_t> pagesIn(std::uint32_t slice) const {
    std::vector<std::int64_t> pages;
    for (std::int64_t count : pages_.counts)
      pages.push_back(count * (slice + 1) / operand_.slices -
                      count * slice / operand_.slices);
    return pages;
  }

  /// The results of an all_reduce are spread when all of a slice are complete.
  double gather(std::uint32_t slice, double begin) {
    return send(schedule_.gather(pagesIn(slice)), begin, sender_);
  }
  double reduce(std::uint32_t slice, double begin) {
    return send(schedule_.reduce(pagesIn(slice)), begin, 0);
  }
  double send(const std::vector<Chain> &group, double begin, double sender) {
    const Chains chains(collective_.groups.size(), group);
    return sendChains(fabric_, collective_, schedule_.ring(), chains,
                      pages_.bytes, begin, sender);
  }

  const Collective &collective_;
  FabricTime &fabric_;
  const PagesOfMembers &pages_;
  const OperandTime &operand_;
  const Schedule schedule_;
  const Pace pace_;
  const double sender_;
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

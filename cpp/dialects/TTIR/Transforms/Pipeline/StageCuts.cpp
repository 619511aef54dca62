#include "dialects/TTIR/Transforms/Pipeline/StageCuts.h"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

namespace mlir::tt::ttir {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
/// How much longer the longest stage may be to send fewer bytes. The times of
/// ops next to a cut change by about as much.
constexpr double kSlack = 1.05;

/// The cost of stages up to a point, compared in this order.
using Cost = std::pair<double, double>;
constexpr Cost kImpossible = {kInfinity, kInfinity};

class Search {
public:
  Search(llvm::ArrayRef<CutPoint> points, int64_t stages,
         const StageLimits &limits)
      : points(points), stages(stages), limits(limits) {}

  /// The cycles of the longest stage or transfer; infinite if no choice keeps
  /// to the limits.
  double findLongest() {
    return run([&](Cost before, int64_t from, int64_t to) {
             return Cost{std::max(before.first, getCycles(from, to)), 0.0};
           })
        .first;
  }

  /// Minimizes the bytes for stages of at most `longest` cycles.
  llvm::SmallVector<int64_t> findCuts(double longest) {
    run([&](Cost before, int64_t from, int64_t to) {
      double cycles = getCycles(from, to);
      if (cycles > longest)
        return kImpossible;
      return Cost{before.first + double(points[from].bytes),
                  before.second + cycles * cycles};
    });
    llvm::SmallVector<int64_t> cuts;
    int64_t at = int64_t(points.size()) - 1;
    for (int64_t stage = stages - 1; stage > 0; --stage) {
      at = origins[stage][at];
      cuts.push_back(at);
    }
    std::reverse(cuts.begin(), cuts.end());
    return cuts;
  }

private:
  /// The cycles of a stage, or of the transfer to it if that takes longer.
  double getCycles(int64_t from, int64_t to) const {
    if (limits.weights &&
        points[to].weights - points[from].weights > limits.weights)
      return kInfinity;
    double transfer = limits.bytesPerCycle > 0
                          ? double(points[from].bytes) / limits.bytesPerCycle
                          : 0.0;
    return std::max(points[to].cycles - points[from].cycles, transfer);
  }

  /// Dynamic program over the stages: `extend` adds a stage between two points
  /// to the cost of the stages before it.
  template <typename ExtendT> Cost run(ExtendT extend) {
    int64_t last = int64_t(points.size()) - 1;
    origins.assign(stages, std::vector<int64_t>(points.size(), 0));
    std::vector<Cost> costs(points.size(), kImpossible);
    costs[0] = {0.0, 0.0};
    for (int64_t stage = 0; stage != stages; ++stage) {
      std::vector<Cost> next(points.size(), kImpossible);
      for (int64_t to = stage + 1; to <= last; ++to)
        for (int64_t from = stage; from != to; ++from) {
          if (costs[from].first == kInfinity)
            continue;
          Cost cost = extend(costs[from], from, to);
          if (cost < next[to]) {
            next[to] = cost;
            origins[stage][to] = from;
          }
        }
      costs = std::move(next);
    }
    return costs[last];
  }

  llvm::ArrayRef<CutPoint> points;
  int64_t stages;
  const StageLimits &limits;
  /// For each stage and the point at its end, the point at its begin.
  std::vector<std::vector<int64_t>> origins;
};

} // namespace

std::optional<llvm::SmallVector<int64_t>>
chooseCuts(llvm::ArrayRef<CutPoint> points, int64_t stages,
           const StageLimits &limits) {
  Search search(points, stages, limits);
  double longest = search.findLongest();
  if (longest == kInfinity)
    return std::nullopt;
  return search.findCuts(longest * kSlack);
}

} // namespace mlir::tt::ttir

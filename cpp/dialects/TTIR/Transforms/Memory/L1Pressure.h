#ifndef DIALECTS_TTIR_TRANSFORMS_MEMORY_L1PRESSURE_H
#define DIALECTS_TTIR_TRANSFORMS_MEMORY_L1PRESSURE_H

#include <cstdint>
#include <vector>

namespace mlir::tt::ttir {

/// The bytes of a core's L1 that are in use at each step of a program.
///
/// A segment tree: both operations take logarithmic time, so that placing one
/// tensor after another is nearly linear.
class L1Pressure {
public:
  explicit L1Pressure(unsigned numSteps);

  /// Adds `bytes` from step `first` to step `last`, both included; nothing if
  /// `last` is before `first`.
  void add(unsigned first, unsigned last, int64_t bytes);

  /// The maximum over the steps from `first` to `last`.
  int64_t getMax(unsigned first, unsigned last) const;

private:
  /// A range of steps of the tree.
  struct Node {
    /// Taken at each of its steps.
    int64_t everywhere = 0;
    /// The most that is taken at one of its steps, what its parents say left
    /// out.
    int64_t max = 0;
  };

  void add(unsigned node, unsigned begin, unsigned end, unsigned first,
           unsigned last, int64_t bytes);
  int64_t getMax(unsigned node, unsigned begin, unsigned end, unsigned first,
                 unsigned last) const;

  /// A power of two.
  unsigned numSteps = 1;
  /// The children of node n are 2n and 2n + 1; node 1 is all steps.
  std::vector<Node> nodes;
};

} // namespace mlir::tt::ttir

#endif

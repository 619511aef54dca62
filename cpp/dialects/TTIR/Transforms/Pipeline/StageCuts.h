// Chooses where to cut a sequence of ops into pipeline stages.
#ifndef DIALECTS_TTIR_TRANSFORMS_PIPELINE_STAGECUTS_H
#define DIALECTS_TTIR_TRANSFORMS_PIPELINE_STAGECUTS_H

#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <optional>

namespace mlir::tt::ttir {

/// A place between two ops where a program can be cut, or its begin or end.
struct CutPoint {
  /// The number of ops before it.
  int64_t position;
  /// The cycles of the ops before it.
  double cycles;
  /// The bytes of the parameters that the ops before it use.
  int64_t weights;
  /// The bytes of the values that pass over it.
  int64_t bytes;
};

/// Limits of stages.
struct StageLimits {
  /// Bytes that pass from one stage to the next in a cycle; 0 for any number.
  double bytesPerCycle;
  /// The maximum bytes of the parameters of a stage; 0 for any number.
  int64_t weights;
};

/// Chooses `stages` - 1 of the points for cuts, without the first and the last
/// one, such that the longest of all stages and transfers is shortest; among
/// choices that are at most 5 % longer, the one where the fewest bytes pass,
/// and then the one whose stages are most equal. Returns the indices of the
/// points, or nothing if no choice keeps to the limit of parameters. Expects at
/// least `stages` + 1 points.
std::optional<llvm::SmallVector<int64_t>>
chooseCuts(llvm::ArrayRef<CutPoint> points, int64_t stages,
           const StageLimits &limits);

} // namespace mlir::tt::ttir

#endif

#ifndef DIALECTS_TTIR_TRANSFORMS_SHARDING_SHARDINGRULES_H
#define DIALECTS_TTIR_TRANSFORMS_SHARDING_SHARDINGRULES_H

#include "dialects/TT/TT.h"

#include "mlir/IR/Operation.h"

#include <optional>

namespace mlir::tt::ttir {

/// How an op can be divided over chips. A *factor* is a set of dimensions of
/// its operands and results, at most one of each tensor: if all of them are
/// sharded alike, each chip computes its part of the results from its parts of
/// the operands. If no result has the factor, the chips' results are partial
/// and must be reduced.
///
///   matmul (M, K) x (K, N) -> (M, N): factors 0 (M), 1 (K, sum), 2 (N);
///   operands {0, 1}, {1, 2} and, for the destination, {0, 2}.
struct ShardingRule {
  /// A dimension that must be whole on each chip.
  static constexpr int64_t kWhole = -1;

  /// For each operand, destinations included, the factor of each dimension.
  SmallVector<SmallVector<int64_t>> operands;
  /// The same for each result.
  SmallVector<SmallVector<int64_t>> results;
  /// For each factor, how partial results are reduced; nothing if results have
  /// the factor.
  SmallVector<std::optional<ReduceType>> factors;

  /// The dimension of the tensor that has the factor, or -1.
  static int64_t find(ArrayRef<int64_t> dims, int64_t factor);
};

/// The rule of an op of one result; nothing if each chip must compute it whole.
std::optional<ShardingRule> getShardingRule(Operation *op);

/// Makes the attributes of `op`, whose operands and results have the shapes of
/// one chip, fit these: extents are attributes of some ops.
void setLocalExtents(Operation *op);

} // namespace mlir::tt::ttir

#endif

#ifndef DIALECTS_TTIR_TRANSFORMS_SHARDING_SHARDINGRULES_H
#define DIALECTS_TTIR_TRANSFORMS_SHARDING_SHARDINGRULES_H

#include "dialects/TT/TT.h"

#include "mlir/IR/Operation.h"

#include <optional>

namespace mlir::tt::ttir {

/// How an op can be partitioned over chips. A *factor* is a set of dimensions
/// of its operands and results, at most one per tensor: if all of them are
/// sharded in the same way, each chip computes its part of the results from its
/// parts of the operands. If no result has the factor, the chips' results are
/// partial and must be reduced.
///
///   matmul (M, K) x (K, N) -> (M, N): factors 0 (M), 1 (K, sum), 2 (N);
///   operands {0, 1}, {1, 2} and, for the destination, {0, 2}.
struct ShardingRule {
  /// A dimension that must not be sharded.
  static constexpr int64_t kWhole = -1;

  /// For each operand, destinations included, the factor of each dimension.
  SmallVector<SmallVector<int64_t>> operands;
  /// The same for each result.
  SmallVector<SmallVector<int64_t>> results;
  /// For each factor, how partial results are reduced; empty if results have
  /// the factor.
  SmallVector<std::optional<ReduceType>> factors;

  /// The dimension of a tensor that belongs to the factor, or -1.
  static int64_t find(ArrayRef<int64_t> dims, int64_t factor);
};

/// The rule of an op with one result; empty if the op must be replicated.
std::optional<ShardingRule> getShardingRule(Operation *op);

/// Updates attributes of `op` that contain extents to the per-chip shapes of
/// its operands and results.
void setLocalExtents(Operation *op);

} // namespace mlir::tt::ttir

#endif

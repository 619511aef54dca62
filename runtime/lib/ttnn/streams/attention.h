// Scaled dot product attention as one kernel: the scores stay in the core.
#ifndef TT_RUNTIME_TTNN_STREAMS_ATTENTION_H
#define TT_RUNTIME_TTNN_STREAMS_ATTENTION_H

#include "ttnn/streams/builder.h"

#include <span>

namespace tt::runtime::ttnn::streams {

struct Attention {
  /// (B, H, S, D), (B, G, T, D), (B, G, T, E) and (B, H, S, E).
  const Layout *query, *key, *value, *result;
  const Layout *mask = nullptr;
  /// The page table (B, N), if keys and values are blocks (blocks, G, size, D).
  /// Its contents are unknown: each batch is assumed to have its own blocks.
  const Layout *table = nullptr;
  /// Keys behind a block of queries are skipped, and those more than `window`
  /// in front of it, if that is not 0.
  bool isCausal = false;
  /// The last key that each query (B, S) attends to; empty without positions.
  std::span<const std::int64_t> positions = {};
  std::int64_t window = 0;
  /// The format of scores in L1.
  DType between = DType::BF16;
};

/// Blocks of queries are dealt to the cores, those of a head one after the
/// other. A core goes through the keys and values in blocks: scores, their
/// maximum so far, exponentials, their sum so far, and the product with the
/// values, which is added to what there is (flash attention).
void stream(Builder &builder, const Attention &attention);

} // namespace tt::runtime::ttnn::streams

#endif // TT_RUNTIME_TTNN_STREAMS_ATTENTION_H

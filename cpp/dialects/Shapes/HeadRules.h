#ifndef DIALECTS_SHAPES_HEADRULES_H
#define DIALECTS_SHAPES_HEADRULES_H

#include "dialects/Shapes/ShapeRules.h"

namespace mlir::tt::shapes {

/// The shapes of queries, keys and values that `input` (B, S, (H + 2 * HK) * D)
/// is split into, or `input` (B, S, H * D) and `kvInput` (B, T, 2 * HK * D),
/// which is null if there is none.
FailureOr<SmallVector<Shape>>
inferSplitHeads(Operation *op, RankedTensorType input, RankedTensorType kvInput,
                int64_t heads, int64_t kvHeads, bool transposeKey);

/// The shape of heads (B, H, S, D) beside each other.
FailureOr<Shape> inferConcatenateHeads(Operation *op, RankedTensorType input);

/// The shape of heads (B, H, S, D) after a rotary embedding, whose cosines and
/// sines have a row for each position.
FailureOr<Shape> inferRotaryEmbedding(Operation *op, RankedTensorType input,
                                      RankedTensorType cos,
                                      RankedTensorType sin);

} // namespace mlir::tt::shapes

#endif

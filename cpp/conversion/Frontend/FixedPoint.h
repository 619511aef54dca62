#ifndef CONVERSION_FRONTEND_FIXEDPOINT_H
#define CONVERSION_FRONTEND_FIXEDPOINT_H

#include "conversion/Frontend/Translator.h"

namespace mlir::tt::frontend {

/// Products of 64 bits from registers of 32: what quantized programs scale
/// with. All tensors are si32 and broadcast as in NumPy.

/// (`a` * `b` + 2^(shift - 1)) >> `shift`, rounded half up; a shift of 0 gives
/// the low 32 bits of the product. Each of `shifts` is in [0, 62]; they have
/// the shape `shape`, which broadcasts with `a` and `b`. Results are exact
/// where they fit in 32 bits.
Value multiplyShift(GraphBuilder &graph, Value a, Value b,
                    ArrayRef<int64_t> shifts, Shape shape);

/// The multiplier and the shift that stand for 1 / `count` in TOSA's averages
/// of integers, `count` in [1, 2^24].
std::pair<int32_t, int64_t> reciprocalScale(int64_t count);

} // namespace mlir::tt::frontend

#endif

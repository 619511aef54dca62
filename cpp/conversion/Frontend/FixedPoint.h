#ifndef CONVERSION_FRONTEND_FIXEDPOINT_H
#define CONVERSION_FRONTEND_FIXEDPOINT_H

#include "conversion/Frontend/Translator.h"

#include <optional>

namespace mlir::tt::frontend {

/// Products of 64 bits from registers of 32: what quantized programs scale
/// with. All tensors are si32 and broadcast as in NumPy.

/// (`a` * `b` + 2^(shift - 1)) >> `shift`, rounded half up; a shift of 0 gives
/// the low 32 bits of the product. Each of `shifts` is in [0, 62]; they have
/// the shape `shape`, which broadcasts with `a` and `b`. Results are exact
/// where they fit in 32 bits.
Value multiplyShift(GraphBuilder &graph, Value a, Value b,
                    ArrayRef<int64_t> shifts, Shape shape);

/// Integers of 64 bits: the lower and the upper 32 bits of each, in si32.
struct Wide {
  Value low, high;
};

/// Integers of at most 32 bits, none of which is further from 0 than `bound`.
struct Factor {
  Value value;
  int64_t bound = 0;
};

/// The numbers of a pair, which a tensor of i48 becomes, and the way back: the
/// lower words and the upper words are its two parts along the first dimension.
Wide readPair(GraphBuilder &graph, Value pair);
Value writePair(GraphBuilder &graph, Wide numbers);

Wide addWide(GraphBuilder &graph, Wide a, Wide b);

/// What `product` gives, which adds up `terms` products of elements of its two
/// operands in si32: exactly, from parts of the operands whose sums fit.
/// Nothing where even those do not.
std::optional<Wide>
sumProducts(GraphBuilder &graph, Factor a, Factor b, int64_t terms,
            llvm::function_ref<Value(Value, Value)> product);

/// (`a` * `b` + 2^(shift - 1)) >> `shift`, as `multiplyShift`, where `a` is
/// less than 2^47 from 0 and `b` is in [0, 2^15).
Value multiplyShiftWide(GraphBuilder &graph, Wide a, Value b,
                        ArrayRef<int64_t> shifts, Shape shape);

/// The multiplier and the shift that stand for 1 / `count` in TOSA's averages
/// of integers, `count` in [1, 2^24].
std::pair<int32_t, int64_t> reciprocalScale(int64_t count);

} // namespace mlir::tt::frontend

#endif

// Reductions of row-major n-d tensors over any set of dimensions.
//
// f32 accumulation in a tree that depends only on the shape: results do not
// depend on threads or instruction set. Integers sum in 64 bits and wrap to the
// type; their mean truncates.
#ifndef TT_RUNTIME_NUMERICS_REDUCE_H
#define TT_RUNTIME_NUMERICS_REDUCE_H

#include "numerics/formats.h"

#include <cstdint>
#include <span>

namespace tt::runtime::numerics {

enum class ReduceOp : uint8_t { Sum, Mean, Max, Min, Prod };

/// Reduces the contiguous row-major `input` of a plain `type` and `shape` over
/// `dims` (each in [0, rank), no order; empty means all) and writes the kept
/// dimensions row-major to `output` in the same type. Max and Min give NaN if
/// any element is NaN. An empty reduction gives 0 (Sum), 1 (Prod), NaN (Mean)
/// or the identity (-inf, +inf or the integer limits).
void reduce(ReduceOp op, DType type, const void *input,
            std::span<const int64_t> shape, std::span<const int64_t> dims,
            void *output, Rounding rounding = Rounding::Fast);

} // namespace tt::runtime::numerics

#endif // TT_RUNTIME_NUMERICS_REDUCE_H

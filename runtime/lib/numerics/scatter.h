// Changes of rows at given places. Indices are integers of any plain type.
#ifndef TT_RUNTIME_NUMERICS_SCATTER_H
#define TT_RUNTIME_NUMERICS_SCATTER_H

#include "numerics/formats.h"

#include <cstdint>
#include <vector>

namespace tt::runtime::numerics {

enum class ScatterOp : uint8_t { Sum, Prod, Max, Min, Set };

/// `count` indices as numbers; `what` names the operation in an error.
std::vector<int64_t> placesOf(const char *what, DType type, const void *data,
                              int64_t count);

/// output = input (rows x cols of a plain `type`); then for i = 0, 1, ... below
/// `count` row indices[i] of it is combined with row i of `updates`, unless
/// there is no such row. Floats are combined in f32 and each row is rounded
/// once; NaN stays; integers wrap.
void scatterRows(ScatterOp op, DType type, const void *input, int64_t rows,
                 int64_t cols, DType indexType, const void *indices,
                 const void *updates, int64_t count, void *output,
                 Rounding rounding = Rounding::Fast);

/// output[i] is the last j < i with indices[j] == indices[i], or i where there
/// is none, or where indices[i] is not in [0, limit).
void previousEqual(DType indexType, const void *indices, int64_t count,
                   int64_t limit, uint32_t *output);

} // namespace tt::runtime::numerics

#endif // TT_RUNTIME_NUMERICS_SCATTER_H

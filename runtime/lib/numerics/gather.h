// Data movement through indices: table look-up, StableHLO's gather, and the
// gradient of a look-up.
//
// Indices are integers, F32 or BF16; floats truncate. An index out of range
// throws std::out_of_range that names position, index and range, unless it is
// clamped.
#ifndef TT_RUNTIME_NUMERICS_GATHER_H
#define TT_RUNTIME_NUMERICS_GATHER_H

#include "numerics/formats.h"

#include <cstdint>
#include <span>
#include <vector>

namespace tt::runtime::numerics {

/// output row i (rowBytes bytes) is table row indices[i].
void gatherRows(const void *table, int64_t tableRows, int64_t rowBytes,
                DType indexType, const void *indices, int64_t count,
                void *output);

/// The attributes of StableHLO's gather.
struct GatherDims {
  std::vector<int64_t> offsetDims;          // of the result, sorted
  std::vector<int64_t> collapsedSliceDims;  // of the operand, sorted
  std::vector<int64_t> operandBatchingDims; // of the operand, sorted
  std::vector<int64_t> startIndicesBatchingDims;
  std::vector<int64_t> startIndexMap; // operand dimension of each coordinate
  int64_t indexVectorDim = 0;
  std::vector<int64_t> sliceSizes; // one per operand dimension
  /// Slices that leave the operand are moved inside.
  bool clamp = false;
};

/// Shape of the result; throws std::invalid_argument when the attributes do not
/// fit the shapes or each other.
std::vector<int64_t> gatherShape(std::span<const int64_t> operandShape,
                                 std::span<const int64_t> indicesShape,
                                 const GatherDims &dims);

/// StableHLO's gather on contiguous tensors, but for indices out of range,
/// which are errors without `clamp`. Elements have 1, 2, 4 or 8 bytes.
void gather(const void *operand, std::span<const int64_t> operandShape,
            DType indexType, const void *indices,
            std::span<const int64_t> indicesShape, const GatherDims &dims,
            int64_t elementBytes, void *output);

/// output row r is the sum of the rows i of `gradient` (count x cols of a plain
/// `type`) with indices[i] == r, zeros where there is none; f32 sums in
/// ascending order of i, rounded once. Integers wrap.
void scatterAddRows(DType type, const void *gradient, int64_t cols,
                    DType indexType, const void *indices, int64_t count,
                    int64_t rows, void *output,
                    Rounding rounding = Rounding::Fast);

} // namespace tt::runtime::numerics

#endif // TT_RUNTIME_NUMERICS_GATHER_H

// Sorting by the vector engine. Internal to runtime/lib/tensix.
#ifndef TT_RUNTIME_TENSIX_SORTING_H
#define TT_RUNTIME_TENSIX_SORTING_H

#include "tensix/compute.h"

namespace tt::runtime::tensix {

/// The steps of a bitonic sort along columns of 64 numbers, in the two tiles
/// from operand 0 on; the two tiles after them have the indices. See
/// cpp/dialects/TTKernel/DestinationInstructions.td.
void topkLocalSort(ComputeContext &context, const std::uint64_t *operands);
void topkMerge(ComputeContext &context, const std::uint64_t *operands);
void topkRebuild(ComputeContext &context, const std::uint64_t *operands);

/// The maximum of each column, and the index of its row.
void maxReduceWithIndices(ComputeContext &context,
                          const std::uint64_t *operands);

} // namespace tt::runtime::tensix

#endif // TT_RUNTIME_TENSIX_SORTING_H

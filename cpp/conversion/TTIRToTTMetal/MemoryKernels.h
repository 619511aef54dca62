#ifndef CONVERSION_TTIRTOTTMETAL_MEMORYKERNELS_H
#define CONVERSION_TTIRTOTTMETAL_MEMORYKERNELS_H

#include "conversion/TTIRToTTMetal/DispatchBuilder.h"

namespace mlir::tt {

/// Bytes of an element that a kernel loads and stores.
constexpr int64_t kWord = 4;

/// 1, 2 or 4 bytes of the core's L1.
I32 loadFromL1(KernelBuilder &kernel, I32 address, int64_t bytes = kWord);
void storeToL1(KernelBuilder &kernel, I32 value, I32 address,
               int64_t bytes = kWord);

/// A program of one kernel, which moves data: `body` has `bytes` of memory of
/// its core at an address. The cores share `units`.
LogicalResult buildInMemory(DispatchBuilder &dispatch, int64_t bytes,
                            int64_t units,
                            function_ref<void(KernelBuilder &, I32)> body);

} // namespace mlir::tt

#endif

#ifndef TARGET_CLOCK_CLOCK_H
#define TARGET_CLOCK_CLOCK_H

#include "mlir/IR/MLIRContext.h"

namespace mlir::tt {

/// Says how many cycles all programs of a TTNN binary of `size` bytes take;
/// infinity if it cannot. The runtime has one: tt::runtime::modelledCycles.
using BinaryClock = double (*)(const void *binary, size_t size);

/// Lets the optimizer in this context compare layouts by `clock`. Loads the
/// dialects that its programs are lowered to.
void attachClock(MLIRContext &context, BinaryClock clock);

} // namespace mlir::tt

#endif

#ifndef DIALECTS_TTIR_TRANSFORMS_DECOMPOSITION_PREPAREWEIGHTS_H
#define DIALECTS_TTIR_TRANSFORMS_DECOMPOSITION_PREPAREWEIGHTS_H

#include "dialects/TTIR/TTIR.h"

namespace mlir::tt::ttir {

/// The weight of the convolution goes to the device in the order of its
/// product: `prepare_conv2d_weights` in front of the op, which reads it.
/// Nothing happens where it has that order already.
void prepareWeight(Conv2dOp op);

} // namespace mlir::tt::ttir

#endif

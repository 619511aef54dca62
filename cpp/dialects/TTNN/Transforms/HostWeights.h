#ifndef DIALECTS_TTNN_TRANSFORMS_HOSTWEIGHTS_H
#define DIALECTS_TTNN_TRANSFORMS_HOSTWEIGHTS_H

#include "dialects/TTNN/Transforms/CachedWeights.h"

#include "mlir/IR/SymbolTable.h"

namespace mlir::tt::ttnn {

/// Whether a tensor is in the memory of the host.
bool isOnHost(Value value);

/// Whether the elements of a tensor are stored as block floats.
bool isBlockFloat(Type type);

/// Computes a weight on the host and rounds it there to block floats of
/// `format`: the packer of the chip truncates, which doubles the error. Ops
/// that move elements of host tensors (permutations, reshapes, slices and
/// concatenations) become a function of the host, which `tt.call` runs.
/// Arguments in block floats that only this weight uses become host tensors, so
/// that they are rounded once. Returns false, without changes, if another op
/// has a part in the weight.
bool roundOnHost(const CachedWeight &weight, DataType format,
                 SymbolTable &symbols);

} // namespace mlir::tt::ttnn

#endif

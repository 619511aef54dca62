#ifndef DIALECTS_TTNN_TRANSFORMS_HOSTWEIGHTS_H
#define DIALECTS_TTNN_TRANSFORMS_HOSTWEIGHTS_H

#include "dialects/TTNN/TTNN.h"

#include "mlir/IR/SymbolTable.h"

namespace mlir::tt::ttnn {

/// Whether a tensor is in the memory of the host.
bool isOnHost(Value value);

/// Computes a value that a function returns on the host and rounds it there to
/// block floats of `format`: the packer of the chip truncates, which doubles
/// the error. Ops that move elements of host tensors (permutations, reshapes,
/// slices and concatenations) become a function of the host, which `tt.call`
/// runs. Returns false, without changes, if another op has a part in the value.
bool roundOnHost(OpOperand &returned, DataType format, SymbolTable &symbols);

} // namespace mlir::tt::ttnn

#endif

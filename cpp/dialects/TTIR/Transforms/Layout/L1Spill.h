#ifndef DIALECTS_TTIR_TRANSFORMS_LAYOUT_L1SPILL_H
#define DIALECTS_TTIR_TRANSFORMS_LAYOUT_L1SPILL_H

#include "dialects/TT/TT.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseSet.h"

namespace mlir::tt::ttir {

/// Moves to DRAM, interleaved, what L1 has no room for of the tensors of `func`
/// that lie whole in the L1 of one core. Those of `stated`, which the author
/// has placed, stay. What is left gets addresses from `ttir-allocate`, and is
/// in the lower half of L1: the upper half is for circular buffers.
///
/// Every tensor has a layout. Kernels take what they stream from either memory,
/// so that only types change. The values that have moved are added to `moved`.
LogicalResult spillL1(func::FuncOp func, DeviceAttr device,
                      SystemDescAttr system, const DenseSet<Value> &stated,
                      DenseSet<Value> &moved);

} // namespace mlir::tt::ttir

#endif

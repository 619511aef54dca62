#ifndef DIALECTS_TTIR_TRANSFORMS_LAYOUT_L1SPILL_H
#define DIALECTS_TTIR_TRANSFORMS_LAYOUT_L1SPILL_H

#include "dialects/TT/TT.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseSet.h"

namespace mlir::tt::ttir {

/// Moves to DRAM, interleaved, the tensors of `func` that are whole in the L1
/// of one core and do not fit there. Those of `stated`, which the program
/// places, stay. The remaining ones get addresses from `ttir-allocate` in the
/// lower half of L1: the upper half is for circular buffers.
///
/// Every tensor has a layout. Kernels stream from either memory, so only types
/// change. The values that have moved are added to `moved`.
LogicalResult spillL1(func::FuncOp func, DeviceAttr device,
                      SystemDescAttr system, const DenseSet<Value> &stated,
                      DenseSet<Value> &moved);

} // namespace mlir::tt::ttir

#endif

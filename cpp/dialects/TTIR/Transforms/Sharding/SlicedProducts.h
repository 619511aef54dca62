// Products whose results are only sliced, as one product for each slice.
#ifndef DIALECTS_TTIR_TRANSFORMS_SHARDING_SLICEDPRODUCTS_H
#define DIALECTS_TTIR_TRANSFORMS_SHARDING_SLICEDPRODUCTS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::tt::ttir {

/// Splits products with weights whose columns are only read in slices, such as
/// the halves of a joined gate and up projection, also behind ops that keep the
/// columns apart. A slice of a sharded dimension would have to be gathered
/// first, whereas the parts of the product can be sharded each. Returns the
/// number of products that are split.
int64_t splitSlicedProducts(func::FuncOp func);

} // namespace mlir::tt::ttir

#endif

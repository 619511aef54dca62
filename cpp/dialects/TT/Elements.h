#ifndef DIALECTS_TT_ELEMENTS_H
#define DIALECTS_TT_ELEMENTS_H

#include "mlir/IR/BuiltinAttributes.h"

namespace mlir::tt {

/// The elements as a tensor of `type`, which has as many and as wide ones: of
/// dense attributes, and of resources that are there. Null for others.
DenseElementsAttr getDenseElements(ElementsAttr elements, ShapedType type);

} // namespace mlir::tt

#endif

#ifndef DIALECTS_TT_EXTENTS_H
#define DIALECTS_TT_EXTENTS_H

#include "mlir/IR/OpImplementation.h"

namespace mlir::tt {

/// Extents as attributes and types print them: `2x4`.
inline ParseResult parseExtents(AsmParser &parser,
                                SmallVector<int64_t> &extents) {
  return parser.parseDimensionList(extents, /*allowDynamic=*/false,
                                   /*withTrailingX=*/false);
}

inline void printExtents(AsmPrinter &printer, ArrayRef<int64_t> extents) {
  printer.printDimensionList(extents);
}

/// A rectangle of cores: offset and size have two extents, the size's positive.
inline LogicalResult
verifyCoreRange(function_ref<InFlightDiagnostic()> emitError,
                ArrayRef<int64_t> offset, ArrayRef<int64_t> size) {
  if (offset.size() != 2 || size.size() != 2)
    return emitError() << "expected an offset and a size of 2 extents each, "
                          "found "
                       << offset.size() << " and " << size.size();
  if (size[0] < 1 || size[1] < 1)
    return emitError() << "expected a positive size, found " << size[0] << "x"
                       << size[1];
  return success();
}

} // namespace mlir::tt

#endif

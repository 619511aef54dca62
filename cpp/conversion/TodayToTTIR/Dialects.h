#ifndef CONVERSION_TODAYTOTTIR_DIALECTS_H
#define CONVERSION_TODAYTOTTIR_DIALECTS_H

#include "mlir/IR/Dialect.h"

namespace mlir::tt::today {

/// Adds what texts of today's form are parsed with: dialects `ttir` and
/// `ttcore` of their own, and upstream's that such programs have.
///
/// Both take any op in the generic form: the table knows their operands and
/// attributes. Attributes and types are opaque, the text as it is written.
void registerDialects(DialectRegistry &registry);

} // namespace mlir::tt::today

#endif

#ifndef CONVERSION_SCFTOTT_SCFTOTT_H
#define CONVERSION_SCFTOTT_SCFTOTT_H

#include "mlir/Pass/Pass.h"

namespace mlir::tt {

#define GEN_PASS_DECL
#include "conversion/SCFToTT/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "conversion/SCFToTT/Passes.h.inc"

} // namespace mlir::tt

#endif

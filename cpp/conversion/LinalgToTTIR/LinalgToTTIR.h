#ifndef CONVERSION_LINALGTOTTIR_LINALGTOTTIR_H
#define CONVERSION_LINALGTOTTIR_LINALGTOTTIR_H

#include "conversion/Frontend/Translator.h"

#include "mlir/Pass/Pass.h"

namespace mlir::tt {

/// The rules of every linalg op.
void addLinalgRules(frontend::Rules &rules);

#define GEN_PASS_DECL
#include "conversion/LinalgToTTIR/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "conversion/LinalgToTTIR/Passes.h.inc"

} // namespace mlir::tt

#endif

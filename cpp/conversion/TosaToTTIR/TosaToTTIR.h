#ifndef CONVERSION_TOSATOTTIR_TOSATOTTIR_H
#define CONVERSION_TOSATOTTIR_TOSATOTTIR_H

#include "conversion/Frontend/Translator.h"

#include "mlir/Pass/Pass.h"

namespace mlir::tt {

/// The rules of every TOSA op.
void addTosaRules(frontend::Rules &rules);

void addTosaElementwiseRules(frontend::Rules &rules);
void addTosaTensorRules(frontend::Rules &rules);
void addTosaWindowRules(frontend::Rules &rules);

/// Checks that the constant `zeroPoint` of `op` is 0.
LogicalResult expectZeroPoint(Operation *op, Value zeroPoint);

#define GEN_PASS_DECL
#include "conversion/TosaToTTIR/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "conversion/TosaToTTIR/Passes.h.inc"

} // namespace mlir::tt

#endif

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

void addTosaQuantizedRules(frontend::Rules &rules);

/// The constant `operand` of `op`, which is the zero point of a tensor.
FailureOr<int64_t> readZeroPoint(Operation *op, Value operand,
                                 bool isUnsigned = false);

/// What became of the operand `old` of `op`, minus its constant zero point: in
/// si32, unless that is 0.
FailureOr<Value> shifted(Operation *op, Value old, Value zeroPoint,
                         frontend::Translator &translator);

/// An error at `op` if a sum of `terms` products of integers of `a` and `b`, an
/// `output` of more than 32 bits, may not fit in 32 bits.
LogicalResult expectNarrowSums(Operation *op, Value a, Value b, Value output,
                               int64_t terms);

/// The input with the number that no other exceeds, or that exceeds no other,
/// in place of NaN.
Value withoutNaN(frontend::GraphBuilder &graph, Value input, bool isMax);

#define GEN_PASS_DECL
#include "conversion/TosaToTTIR/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "conversion/TosaToTTIR/Passes.h.inc"

} // namespace mlir::tt

#endif

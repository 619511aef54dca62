#ifndef CONVERSION_TOSATOTTIR_TOSATOTTIR_H
#define CONVERSION_TOSATOTTIR_TOSATOTTIR_H

#include "conversion/Frontend/FixedPoint.h"

#include "mlir/Pass/Pass.h"

namespace mlir::tt {

/// An error at the first op that breaks a rule of TOSA's specification which
/// the dialect's verifiers leave to others.
LogicalResult checkTosa(ModuleOp module);

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
FailureOr<frontend::Factor> shifted(Operation *op, Value old, Value zeroPoint,
                                    frontend::Translator &translator);

/// Sets the result of `op`, of i48, to what `product` gives, which adds up
/// `terms` products of elements of `a` and `b`, plus `bias` of the old program
/// along the last dimension, unless it is null.
LogicalResult setWideSums(Operation *op, frontend::Factor a, frontend::Factor b,
                          int64_t terms, Value bias,
                          llvm::function_ref<Value(Value, Value)> product,
                          frontend::Translator &translator);

/// The input with the number that no other exceeds, or that exceeds no other,
/// in place of NaN.
Value withoutNaN(frontend::GraphBuilder &graph, Value input, bool isMax);

#define GEN_PASS_DECL
#include "conversion/TosaToTTIR/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "conversion/TosaToTTIR/Passes.h.inc"

} // namespace mlir::tt

#endif

#ifndef CONVERSION_LINALGTOTTIR_STRUCTURED_H
#define CONVERSION_LINALGTOTTIR_STRUCTURED_H

#include "conversion/Frontend/Translator.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::tt::frontend {

using Dims = SmallVector<int64_t>;

/// A body that yields `combine(init, term)`.
struct Reduction {
  /// The reduction of TTIR: sum, prod, max, min.
  StringRef name;
  /// The elementwise op that combines two partial results.
  StringRef combiner;
  /// The neutral element: another value combined with it is unchanged.
  double neutral = 0;
  /// NaN counts as the neutral element.
  bool ignoresNaN = false;
  /// What is combined, a value of the body.
  Value term;
};

/// The conversion of one structured op to TTIR.
class Structured {
public:
  Structured(linalg::LinalgOp op, Translator &translator);

  LogicalResult convert();

private:
  // Elementwise.cpp
  /// The loops in the order in which intermediate tensors have them: those of
  /// the first output, then the others.
  void orderLoops();
  /// `value`, which `map` indexes, with its dimensions in the order of the
  /// loops and 1 for loops it does not depend on; leading ones are left out.
  Value arrange(Value value, AffineMap map);
  /// What `value` of the body is as a tensor over the loops. Null after an
  /// error.
  Value evaluate(Value value);
  /// Translates the body up to its terminator, but for the op `skipped`, the
  /// operands that only it has; `term` is needed though it may be one of these.
  LogicalResult evaluateBody(Operation *skipped = nullptr,
                             Value term = nullptr);
  Value numberOf(Value scalar);
  LogicalResult convertParallel();
  LogicalResult convertReduction(const Reduction &reduction);

  // Reductions.cpp
  std::optional<Reduction> matchReduction();
  /// The term with the neutral element for NaN, if the reduction wants that.
  Value ignoreNaN(const Reduction &reduction, Value term);
  /// Combines the reduced `value` with the initial one and makes it the result.
  LogicalResult finish(const Reduction &reduction, Value value);
  /// A factor of a product: what is computed from one operand only.
  struct Factor {
    unsigned operand;
    Value value;
  };
  /// The two factors that `term` is the product of. Widening conversions of
  /// them do not matter.
  std::optional<std::pair<Factor, Factor>> matchProduct(Value term);

  /// The only tensor that a value of the body is computed from, by its number;
  /// nothing if there are others, or none.
  std::optional<unsigned> onlyOperandOf(Value value);
  /// `value`, which is computed from that operand only, in the shape of
  /// `tensor`, which the operand became. Null after an error.
  Value evaluateOn(Value value, unsigned operand, Value tensor);

  // Contraction.cpp
  /// A sum of products as a matrix product; nothing if it is none.
  std::optional<LogicalResult> convertContraction(const Reduction &reduction);

  // SlidingWindow.cpp
  LogicalResult convertWindow(const Reduction &reduction);
  LogicalResult convertConvolution(const Reduction &reduction, Factor input,
                                   Factor filter);
  LogicalResult convertPooling(const Reduction &reduction);

  InFlightDiagnostic fail() {
    return op->emitOpError("cannot be expressed in TTIR: ");
  }
  AffineMap mapOf(unsigned operand) { return maps[operand]; }
  AffineMap outputMap() { return maps[op.getNumDpsInputs()]; }
  /// Extents of the loops `dims`.
  Dims extentsOf(ArrayRef<int64_t> dims) const;

  linalg::LinalgOp op;
  Translator &translator;
  GraphBuilder &graph;
  SmallVector<AffineMap> maps;
  /// Extent of each loop.
  Dims extents;
  Dims order;
  /// Place of each loop in `order`.
  Dims place;
  DenseMap<Value, Value> body;
};

/// The rules of ops that cut a tensor into tiles and put it together again.
void addPackingRules(Rules &rules);

/// The number of a loop that an indexing expression is, if it is one.
std::optional<int64_t> loopOf(AffineExpr expression);

/// The loops that index an operand, one for each of its dimensions; nothing if
/// an expression is another one or a loop comes twice.
std::optional<Dims> loopsOf(AffineMap map);

/// Product of extents.
int64_t volumeOf(Shape extents);

/// Places of `wanted` among the dimensions `present`.
Dims placesOf(ArrayRef<int64_t> wanted, ArrayRef<int64_t> present);

/// The lists one after the other.
Dims join(std::initializer_list<ArrayRef<int64_t>> lists);

} // namespace mlir::tt::frontend

#endif

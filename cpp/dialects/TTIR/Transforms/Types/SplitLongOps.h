#ifndef DIALECTS_TTIR_TRANSFORMS_TYPES_SPLITLONGOPS_H
#define DIALECTS_TTIR_TRANSFORMS_TYPES_SPLITLONGOPS_H

#include "dialects/TTIR/Transforms/Types/IntegerRanges.h"
#include "dialects/TTIR/Transforms/Types/Words.h"

namespace mlir::tt::ttir {

/// The ops on integers of 64 bits that can be done on words, for messages.
extern const char kSplitOps[];

/// What an op computes: words for each result of 64-bit integers, and a value,
/// the lower one, for any other. Failure after one error at the op.
using Results = FailureOr<SmallVector<Words>>;

/// A result that has no words.
inline Words valueOf(Value value) { return {value, {}}; }

/// Does ops on words of 32 bits: elementwise ones in SplitLongOps.cpp, moves,
/// reductions and products of matrices in SplitLongTensors.cpp.
class OpSplitter {
public:
  using Reader = function_ref<Words(Value)>;

  /// `read` gives the words of an op's operand. Ops are written where `builder`
  /// is, in front of `op`.
  OpSplitter(OpBuilder &builder, Operation *op, const IntegerRanges &ranges,
             Reader read);

  /// Whether the op is one of those that are done here.
  static bool supports(Operation *op);

  Results split();

private:
  using Method = Results (OpSplitter::*)();
  static Method getMethod(Operation *op);

  Results splitElementwise();
  Results splitTypecast();
  Results splitBitcast();
  Results splitConstant();
  Results splitMove();
  Results splitSum();
  Results splitProduct();
  Results splitScan();
  Results splitExtremum();
  Results splitArgMax();
  Results splitSort();
  Results splitMatmul();
  Results splitScatter();
  Results splitScatterRows();

  Value input(unsigned i) const { return inputs[i]; }
  Words words(unsigned i) { return read(inputs[i]); }
  /// The same with all elements.
  Words wholeWords(unsigned i);
  bool isSigned(Value value) const;
  unsigned bitsOf(Value value) const;
  /// The op on other inputs, with results of `element` and of its shapes.
  Operation *cloneOn(ValueRange newInputs, Type element);
  Words sumOf(function_ref<Value(Value)> sum, const Words &x, bool hasUpper,
              int64_t count);
  Words reduce(const Words &x, ArrayRef<int64_t> dims, bool isMaximum,
               bool isSigned);
  Words multiplyAll(Words x, SmallVector<int64_t> &shape, int64_t dim);
  Words sliceOf(const Words &x, int64_t dim, int64_t begin, int64_t end);
  SmallVector<int64_t> getReducedDims() const;
  LogicalResult checkCount(int64_t count);

  Operation *op;
  const IntegerRanges &ranges;
  Reader read;
  SmallVector<Value> inputs;
  graph::GraphBuilder b;
  WordBuilder w;
  Type half;
};

} // namespace mlir::tt::ttir

#endif

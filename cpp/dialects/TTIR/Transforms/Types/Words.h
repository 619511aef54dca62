#ifndef DIALECTS_TTIR_TRANSFORMS_TYPES_WORDS_H
#define DIALECTS_TTIR_TRANSFORMS_TYPES_WORDS_H

#include "dialects/TTIR/GraphBuilder.h"

namespace mlir::tt::ttir {

/// Integers of 64 bits as two tensors of ui32, both of which broadcast to the
/// shape of the integers. They have a sign or none: only the ops that are named
/// for it look at it.
struct Words {
  Value low, high;
};

/// Arithmetic on words. What is known to be 0 takes no ops.
class WordBuilder {
public:
  explicit WordBuilder(graph::GraphBuilder &b);

  /// The same number everywhere.
  Words number(int64_t value);
  /// The words of a constant's integers of 64 bits.
  Words constant(DenseElementsAttr elements);
  /// Of integers that 32 bits hold, in a type of 64.
  Words extend(Value narrow, bool isNegative);
  /// Integers of `element`, 64 bits, that 32 bits hold.
  Value truncate(const Words &x, Type element, ArrayRef<int64_t> shape);
  /// Both halves in a tensor with one dimension more in front: the lower words,
  /// then the upper ones. A scalar has a dimension of extent 1.
  Value stack(const Words &x, ArrayRef<int64_t> shape);
  Words unstack(Value stacked, ArrayRef<int64_t> shape);

  /// Both words of each integer along a dimension more behind, the lower one in
  /// front, as elements of 32 bits.
  Value pair(const Words &x, ArrayRef<int64_t> shape, Type element);
  Words unpair(Value paired, ArrayRef<int64_t> shape);

  Words add(const Words &x, const Words &y);
  Words subtract(const Words &x, const Words &y);
  Words negate(const Words &x) { return subtract(number(0), x); }
  Words multiply(const Words &x, const Words &y);
  Words bitwise(StringRef name, const Words &x, const Words &y);
  Words complement(const Words &x);
  Words absolute(const Words &x);

  /// By as many places everywhere, 0 to 64; a shift to the right copies the
  /// sign of what has one.
  Words shiftLeft(const Words &x, int64_t count);
  Words shiftRight(const Words &x, int64_t count, bool isSigned);
  /// By places that are not known; beyond 63 nothing or the sign is left.
  Words shiftLeft(const Words &x, const Words &count);
  Words shiftRight(const Words &x, const Words &count, bool isSigned);

  /// i1, or what the graph builder has for it.
  Value isNotZero(const Words &x);
  Value isNegative(const Words &x);
  Value isEqual(const Words &x, const Words &y);
  Value isLess(const Words &x, const Words &y, bool isSigned);
  Words select(Value condition, const Words &yes, const Words &no);

  /// Quotient, rounded towards zero, and remainder, which has the sign of `x`.
  /// Their magnitudes are below 2^`bits` and 2^`divisorBits`.
  std::pair<Words, Words> divide(const Words &x, const Words &y, bool isSigned,
                                 unsigned bits, unsigned divisorBits);

  /// Truncated, and limited to 64 bits; NaN is 0.
  Words fromFloat(Value x, bool isSigned);
  Value toFloat(const Words &x, Type element, bool isSigned);

  /// The bits of numbers of f64, which the machine has rounded to f32.
  Words bitsOfFloat(Value x);
  /// Numbers with the bits of f64, which are rounded to odd: what is between
  /// two of f32 becomes the one whose last bit is set, so that random numbers
  /// in (0, 1) are neither 0 nor 1.
  Value floatOfBits(const Words &x);

  /// Of `element`, as all ops of words.
  Value half(StringRef name, Value x, Value y);
  Value half(uint32_t number);
  /// The bits of a half as si32, so that their order is that of the halves: the
  /// sign changes for those that have none.
  Value ordered(Value x, bool isSigned);
  Value unordered(Value x, bool isSigned);
  /// With all elements.
  Value whole(Value x, ArrayRef<int64_t> shape);
  Words whole(const Words &x, ArrayRef<int64_t> shape);

private:
  Value upperProduct(Value x, Value y);
  Value bits(Value x, Type element);
  /// 1 where `x` < `y`, as a half.
  Value carry(Value x, Value y);
  std::pair<Words, Words> divideUnsigned(const Words &x, const Words &y,
                                         unsigned bits, unsigned divisorBits);

  graph::GraphBuilder &b;
  Type element, signedElement;
};

} // namespace mlir::tt::ttir

#endif

#ifndef DIALECTS_TTIR_TRANSFORMS_TYPES_LEGALTYPES_H
#define DIALECTS_TTIR_TRANSFORMS_TYPES_LEGALTYPES_H

#include "dialects/TT/Remarks.h"
#include "dialects/TTIR/TTIR.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/TypeUtilities.h"

namespace mlir::tt::ttir {

inline constexpr Remarks kTypeRemarks("ttir-legalize-types");

/// What programs may have at their borders, for messages.
inline constexpr llvm::StringLiteral kSupportedElements =
    "i1, integers of 2, 4, 8, 16, 32 and 64 bits, floats of 4 to 8 bits, f16, "
    "bf16, f32, f64, and "
    "!quant.uniform per tensor or axis with a storage of 8, 16 or 32 bits";

/// The element type that represents `element` on the chip: i1 becomes ui8 with
/// elements 0 and 1; 64-bit integers become 32-bit ones, unsigned if they are
/// signless; 2- and 4-bit integers become 8-bit ones; f64 becomes f32; floats
/// of up to 8 bits become bf16; a quantized type becomes its storage type. Null
/// for other types.
Type getLegalElement(Type element);

/// The same of a tensor; rank 0 becomes the shape 1, and the extents of a
/// tensor without elements become 1. Null where an element type or a layout is
/// in the way.
RankedTensorType getLegalType(RankedTensorType type);

bool isBool(Type type);

/// True for a tensor without elements.
bool isEmpty(Type type);

/// The elements of `value` in the type that `getLegalType` gives, or null after
/// an error at `op` that names the first element that does not fit. A float
/// that is rounded is a remark.
ElementsAttr getLegalElements(Operation *op, ElementsAttr value);

/// Whether the op can be made one of legal types; failure after an error at the
/// op that says what is supported.
LogicalResult checkLegalizable(Operation *op);

/// The operands that the op reads.
SmallVector<Value> getReadOperands(Operation *op);

/// Failure after an error at an op with results of elements that tensors
/// without elements do not give.
LogicalResult checkNothing(Operation *op);

/// Makes ops legal whose operands and destinations are.
class OpLegalizer {
public:
  explicit OpLegalizer(MLIRContext *context) : builder(context) {}

  /// Gives the value its legal type, and remembers the one it had.
  void legalize(Value value);

  /// The type that the value had in the source.
  RankedTensorType getSourceType(Value value) const;

  /// Whether the op has operands, results or elements to change.
  bool isConcerned(Operation *op) const;

  /// May erase the op.
  LogicalResult legalize(Operation *op);

  /// Ops that were replaced because of their types.
  unsigned numReplaced = 0;

private:
  bool hasChangedShapes(Operation *op) const;

  Value makeEltwise(Location loc, StringRef name, ValueRange inputs,
                    RankedTensorType type);
  /// An elementwise op on the inputs of `op`, in its place.
  void replaceByEltwise(Operation *op, StringRef name, ValueRange inputs);
  void replace(Operation *op, Value value);
  /// With the destinations that nothing else writes into.
  void erase(Operation *op);
  Value makeEmpty(RankedTensorType type);
  /// A tensor whose elements are all 0, or all 1.
  Value makeConstant(Location loc, RankedTensorType type, bool one = false);
  Value makeReshape(Location loc, Value value, ArrayRef<int64_t> shape);
  Value makeCast(Location loc, Value value, Type element);
  ArrayAttr getConstraints(size_t count);

  /// Whether the op is gone, because it or what it reads has no elements.
  bool replaceNothing(Operation *op);
  void replaceEmptyResult(Value result);
  void replaceByNeutral(Operation *op);
  Value makeNeutral(Operation *op, RankedTensorType source);
  Value joinOthers(ConcatOp concat, RankedTensorType type);
  Value spreadBias(Operation *op, Value bias, RankedTensorType type);
  void fillIndices(Operation *op);
  void fillOperands(Operation *op);
  LogicalResult legalizeBooleans(Operation *op, bool &isReplaced);
  LogicalResult legalizeShapes(Operation *op, bool &isReplaced);
  template <typename OpT> void legalizeVector(OpT op, OpOperand &indices);
  LogicalResult fitResult(Operation *op);

  OpBuilder builder;
  DenseMap<Value, RankedTensorType> sources;
};

} // namespace mlir::tt::ttir

#endif

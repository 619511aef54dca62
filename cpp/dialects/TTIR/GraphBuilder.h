#ifndef DIALECTS_TTIR_GRAPHBUILDER_H
#define DIALECTS_TTIR_GRAPHBUILDER_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Value.h"

namespace mlir::tt::graph {

using Tensor = TypedValue<RankedTensorType>;
using Shape = ArrayRef<int64_t>;

/// Writes ttir ops. Each gets a `tensor.empty` of its result's type as
/// destination and the constraint `any_device_tile` for every operand.
///
/// Ops are named by their mnemonic, so that the rules of the front ends are
/// tables of names. Front ends and the expansions of composite ops use it.
class GraphBuilder {
public:
  /// Comparisons give elements of `boolType`: ui8 where types are the
  /// machine's.
  GraphBuilder(OpBuilder &builder, Location loc, Type boolType = nullptr)
      : builder(builder), loc(loc),
        boolType(boolType ? boolType : builder.getIntegerType(8, false)) {}

  /// The op `ttir.<name>` on `inputs`.
  Tensor op(StringRef name, ValueRange inputs, RankedTensorType type,
            ArrayRef<NamedAttribute> attributes = {});

  /// The elementwise op `ttir.<name>` on `inputs`, broadcast as in NumPy, with
  /// elements of the first input's type unless `element` is given.
  Tensor eltwise(StringRef name, ValueRange inputs, Type element = nullptr,
                 ArrayRef<NamedAttribute> attributes = {});

  /// Elements 0 and 1 of a comparison or of a logical op.
  Tensor predicate(StringRef name, ValueRange inputs) {
    return eltwise(name, inputs, getBoolType());
  }
  Tensor select(Value condition, Value yes, Value no);
  /// 1 where the input is NaN.
  Tensor isNaN(Value input) { return predicate("ne", {input, input}); }
  /// The input in another element type.
  Tensor cast(Value input, Type element);

  Tensor constant(DenseElementsAttr value);
  /// One element that broadcasts.
  Tensor scalar(double value, Type element);
  Tensor splat(double value, RankedTensorType type);

  Tensor reshape(Value input, Shape shape);
  /// Dimension `i` of the result is dimension `permutation[i]` of the input.
  Tensor permute(Value input, Shape permutation);
  Tensor broadcast(Value input, Shape shape);
  /// `sum`, `max`, `min`, `prod` along `dims`.
  Tensor reduce(StringRef name, Value input, Shape dims, bool keepDim);
  Tensor slice(Value input, Shape begins, Shape ends, Shape steps);
  Tensor pad(Value input, Shape low, Shape high, double value);
  Tensor concat(ValueRange inputs, int64_t dim);
  Tensor matmul(Value a, Value b, Type element, bool transposeA = false,
                bool transposeB = false);
  /// The slices of `input` along `dim` with the numbers in the rank-1 tensor
  /// `indices`.
  Tensor take(Value input, int64_t dim, Value indices);
  /// The numbers 0 .. `count` - 1.
  Tensor iota(int64_t count);

  /// Maximum or minimum that is NaN only where both inputs are.
  Tensor ignoringNaN(StringRef name, Value a, Value b);

  Type getBoolType() { return boolType; }
  Type getIndexType();
  NamedAttribute attr(StringRef name, Attribute value) {
    return builder.getNamedAttr(name, value);
  }
  NamedAttribute si32(StringRef name, int64_t value) {
    return attr(
        name, builder.getIntegerAttr(builder.getIntegerType(32, true), value));
  }
  OpBuilder &getBuilder() { return builder; }
  Location getLoc() const { return loc; }
  void setLoc(Location place) { loc = place; }

private:
  OpBuilder &builder;
  Location loc;
  Type boolType;
};

/// The result may be where that of `replaced` could: the op that writes `value`
/// takes over the constraint of the destination.
void takeOverConstraint(Operation *replaced, Value value);

/// The elements of a constant that a graph builder made, else null.
DenseElementsAttr elementsOf(Value value);

/// Shape and element type of a tensor.
inline RankedTensorType typeOf(Value value) {
  return cast<RankedTensorType>(value.getType());
}
inline Shape shapeOf(Value value) { return typeOf(value).getShape(); }
inline Type elementOf(Value value) { return typeOf(value).getElementType(); }

/// The numbers 0 .. `count` - 1.
SmallVector<int64_t> range(int64_t count);

} // namespace mlir::tt::graph

#endif

#ifndef CONVERSION_SCFTOTT_NUMBERS_H
#define CONVERSION_SCFTOTT_NUMBERS_H

#include "dialects/TTIR/GraphBuilder.h"

#include "mlir/IR/IRMapping.h"

namespace mlir::tt {

/// Whether a value of this type is a single number.
inline bool isNumber(Type type) { return type.isIntOrIndexOrFloat(); }

/// The tensors of one element that numbers become.
class Numbers {
public:
  Numbers(graph::GraphBuilder &graph) : graph(graph) {}

  /// The tensor of a number, and any other value itself.
  Value get(Value value) const { return tensors.lookupOrDefault(value); }
  SmallVector<Value> get(ValueRange values) const;
  void set(Value number, Value tensor) { tensors.map(number, tensor); }
  /// Before the value is gone: another one may come to its place in memory.
  void forget(Value number) { tensors.erase(number); }

  /// The type of the tensor that a number becomes; other types stay.
  Type convert(Type type) const;

  /// Whether the op is one of numbers: those between them and tensors are, too,
  /// and constants of `arith`.
  static bool isTranslated(Operation *op);
  /// Writes what such an op becomes in front of it, and maps its
  /// results. Emits an error if it has no counterpart.
  LogicalResult translate(Operation *op);

private:
  Value translateExtract(Operation *op);
  Value translateInsert(Operation *op);
  Value translateElements(Operation *op);
  /// The row-major number of an element, as a tensor of one.
  Value getPlace(RankedTensorType type, ValueRange indices);
  Value flatten(Value tensor);
  /// With the same bits where both are integers of a size, else the numbers.
  Value withElement(Value tensor, Type element);
  Value constant(Attribute number, Type type);

  graph::GraphBuilder &graph;
  IRMapping tensors;
};

} // namespace mlir::tt

#endif

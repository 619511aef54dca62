#ifndef CONVERSION_TODAYTOTTIR_CALL_H
#define CONVERSION_TODAYTOTTIR_CALL_H

#include "conversion/TodayToTTIR/Import.h"
#include "conversion/TodayToTTIR/Table.h"

#include "dialects/TTIR/GraphBuilder.h"

#include "llvm/ADT/DenseMap.h"

namespace mlir::tt::today {

/// Types and attributes for messages; long ones are cut off.
std::string show(Type type);
std::string show(Attribute attribute);

/// The default of a parameter, as an attribute of the new program.
Attribute parseDefault(const Parameter &parameter, Builder &builder);

/// An op of the text: its operands, attributes and results as the table names
/// them, already in the context of the new program.
class Call {
public:
  Call(const Row &row, Operation *old, Import &import,
       graph::GraphBuilder &builder)
      : row(row), old(old), import(import), builder(builder) {}

  /// Sorts the operands into the slots of the row; a slot has none or several.
  /// `now` has the value that an operand has become, which is asked for once it
  /// is sure that it is no destination.
  LogicalResult bind(function_ref<Value(Value)> now);

  const Row &row;
  Operation *old;
  Import &import;
  graph::GraphBuilder &builder;

  /// Of each slot.
  SmallVector<SmallVector<Value>> operands;
  /// The same, values of the text.
  SmallVector<SmallVector<Value>> given;
  /// The type of each result; of an op without results that changes an operand,
  /// that operand's.
  SmallVector<RankedTensorType> types;
  /// What the slots that the op changes have become; if it is empty, and there
  /// is one, the first result.
  SmallVector<Value> changed;
  /// What the results have become.
  SmallVector<Value> results;

  bool has(StringRef name) const { return !slot(name).empty(); }
  graph::Tensor in(StringRef name) const {
    return cast<graph::Tensor>(slot(name).front());
  }
  ArrayRef<Value> slot(StringRef name) const;

  /// An attribute by its name, in the form of its kind; null if it is missing.
  /// Enumerators are strings, windows dense arrays.
  Attribute attribute(StringRef name) const { return attributes.lookup(name); }
  int64_t integer(StringRef name) const {
    return integersOf(attribute(name))->front();
  }
  SmallVector<int64_t> integers(StringRef name) const {
    std::optional<SmallVector<int64_t>> found = integersOf(attribute(name));
    return found ? *found : SmallVector<int64_t>();
  }
  bool flag(StringRef name) const {
    auto found = dyn_cast_or_null<BoolAttr>(attribute(name));
    return found && found.getValue();
  }
  double number(StringRef name) const {
    return cast<FloatAttr>(attribute(name)).getValueAsDouble();
  }
  StringRef text(StringRef name) const {
    return cast<StringAttr>(attribute(name)).getValue();
  }

  /// Says why the op cannot be expressed.
  LogicalResult refuse(const Twine &reason) {
    if (problem.empty())
      problem = reason.str();
    return failure();
  }
  std::string problem;

  /// The only result, in the element type that the program says. Refuses
  /// another shape.
  LogicalResult give(Value value);
  /// The same elements in another shape; null, refused, if they do not fit.
  Value reshape(Value value, ArrayRef<int64_t> shape);
  /// A dimension of a tensor, counted from its end if it is negative; refuses
  /// one that it does not have.
  FailureOr<int64_t> dimension(StringRef name, RankedTensorType type);

  /// The op `ttir.<target>` on the operands with attributes. Without a name
  /// that of the row.
  LogicalResult carry(ArrayRef<NamedAttribute> own = {}, StringRef target = {});
  /// Number of trailing optional operands that today's op does not have.
  unsigned absentOperands = 0;

private:
  LogicalResult bindOperands(function_ref<Value(Value)> now);
  LogicalResult bindAttributes();
  LogicalResult bindResults();
  FailureOr<Attribute> convert(const Parameter &parameter, Attribute given);

  llvm::DenseMap<StringRef, Attribute> attributes;
  SmallVector<StringRef> stated;
};

} // namespace mlir::tt::today

#endif

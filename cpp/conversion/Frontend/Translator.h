#ifndef CONVERSION_FRONTEND_TRANSLATOR_H
#define CONVERSION_FRONTEND_TRANSLATOR_H

#include "dialects/TT/Remarks.h"
#include "dialects/TTIR/GraphBuilder.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/StringMap.h"

namespace mlir::tt::frontend {

using namespace graph;

class Translator;

/// Writes what an op becomes, or emits an error at the op.
using Handler = LogicalResult (*)(Operation *op, Translator &translator);

/// The handlers of a front end by the name of the op.
class Rules {
public:
  /// The operands from number `parametersFrom` on are constants that the
  /// handler reads; they need no counterpart.
  void add(StringRef name, Handler handler, unsigned parametersFrom = ~0u) {
    handlers[name] = {handler, parametersFrom};
  }
  /// The op has no counterpart in TTIR, for `reason`.
  void reject(StringRef name, StringRef reason) { reasons[name] = reason; }

  /// The name of an op class comes from the class.
  template <typename... OpTs>
  void add(Handler handler, unsigned parametersFrom = ~0u) {
    (add(OpTs::getOperationName(), handler, parametersFrom), ...);
  }
  template <typename... OpTs> void reject(StringRef reason) {
    (reject(OpTs::getOperationName(), reason), ...);
  }

  /// The handlers of these ops, which were added, know what i48 becomes.
  template <typename... OpTs> void allowWide() {
    ((handlers[OpTs::getOperationName()].takesWide = true), ...);
  }

  struct Rule {
    Handler handler = nullptr;
    unsigned parametersFrom = ~0u;
    bool takesWide = false;
  };
  Rule find(StringRef name) const { return handlers.lookup(name); }
  /// Why `name` cannot be expressed, and what can be of its dialect.
  std::string explain(StringRef name) const;

private:
  llvm::StringMap<Rule> handlers;
  llvm::StringMap<StringRef> reasons;
};

/// A handler of one op class.
template <typename OpT, LogicalResult (*function)(OpT, Translator &)>
LogicalResult typed(Operation *op, Translator &translator) {
  return function(cast<OpT>(op), translator);
}

/// Turns the functions of a module into TTIR, op by op. A new function is
/// written beside the old one, which is erased after success. So handlers see
/// the old program unchanged: its types, attributes and constants.
class Translator {
public:
  Translator(ModuleOp module, const Rules &rules, const Remarks &remarks);

  /// All functions of the module. Emits one error if something has no
  /// counterpart; then the module is as it was.
  LogicalResult run();

  /// What became of a value of the old program.
  Tensor get(Value old) { return cast<Tensor>(values.lookup(old)); }
  SmallVector<Value> get(ValueRange old);
  /// The same, also for a single number, which became a tensor of one element;
  /// null if the value has no counterpart.
  Value lookup(Value old) { return values.lookupOrNull(old); }
  void setNumber(Value old, Value now) { values.map(old, now); }
  /// Sets the value that `old` is converted to. Emits an error if its type is
  /// not the converted type of `old`.
  LogicalResult set(Value old, Value now);

  /// The builder, at the op that is translated.
  GraphBuilder &graph() { return builder; }

  /// The type that a tensor of the old program becomes: of i48 a pair, one
  /// dimension more of si32, whose two parts are the lower and the upper words.
  RankedTensorType resultType(Value old) const {
    return cast<RankedTensorType>(convert(old.getType()));
  }
  /// The same for an element type; null if it has no counterpart.
  Type element(Type type) const;
  /// The same for any type; null if it has no counterpart.
  Type convert(Type type) const;
  /// The type of an argument or a result of a function: the program's own, with
  /// signs. The pass ttir-legalize-types brings it to the machine's.
  RankedTensorType border(RankedTensorType type) const;
  /// The elements of a constant in the type that it becomes; null if there are
  /// none, or if one does not fit.
  DenseElementsAttr convert(ElementsAttr value) const;

private:
  LogicalResult translate(func::FuncOp function);
  LogicalResult translate(Operation *op);
  /// Says what an op became: the ops from `made` on.
  void report(Operation *op, Block::iterator made) const;
  LogicalResult checkTypes(Operation *op, TypeRange types);
  /// An error at an op that does not know what i48 becomes.
  LogicalResult expectNarrow(Operation *op) const;
  /// The value in the shape and the element type of `type`, one of which is at
  /// the border of a function.
  Tensor adapt(Value value, RankedTensorType type);
  /// Keeps an op and converts the types of its results.
  LogicalResult cloneWithTypes(Operation *op);

  ModuleOp module;
  const Rules &rules;
  const Remarks &remarks;
  OpBuilder opBuilder;
  GraphBuilder builder;
  IRMapping values;
};

/// Whether a type is a tensor of i48, the accumulators of TOSA.
bool isWide(Type type);

/// The integers of a constant, also of a `!tosa.shape` constant.
std::optional<SmallVector<int64_t>> constantIntegers(Value old);

/// Whether the border `value` of a tensor with such elements can be stated: as
/// an f32, exactly where they are integers.
bool canPadWith(double value, Type element);

/// Every element of a constant, if they are all one number.
std::optional<double> constantSplat(Value old);
std::optional<double> splatOf(Attribute value);

/// Ops on tensors that programs of every front end have: the tensor dialect and
/// `arith.constant`.
void addTensorRules(Rules &rules);
/// The arith and math dialects on tensors.
void addScalarRules(Rules &rules);

/// Makes the result of `op` a tensor full of `number`.
LogicalResult fillWith(Operation *op, Value number, Translator &translator);

/// What an op of arith or math on single elements becomes on the tensors
/// `operands` of such elements, with a result of `element`. Null after an error
/// at the op.
Value translateScalar(Operation *op, ValueRange operands, Type element,
                      GraphBuilder &graph);
/// The same with the element type that the translator has for the result's.
Value translateScalar(Operation *op, ValueRange operands,
                      Translator &translator);

} // namespace mlir::tt::frontend

#endif

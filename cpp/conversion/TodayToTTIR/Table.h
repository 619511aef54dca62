#ifndef CONVERSION_TODAYTOTTIR_TABLE_H
#define CONVERSION_TODAYTOTTIR_TABLE_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <string>

namespace mlir::tt::today {

class Call;

/// Writes what an op becomes, or refuses it.
using Rule = LogicalResult (*)(Call &call);

/// An operand or a result.
struct Slot {
  StringRef name;
  bool isOptional = false, isVariadic = false, isChanged = false,
       isDestination = false;
};

enum class Kind {
  Any,
  Bool,
  I32,
  SI32,
  UI32,
  I64,
  SI64,
  F32,
  String,
  I32ArrayAttr,
  DenseI32,
  DenseI64,
  ElementsI64,
  Elements,
  Window,
  Number,
  Flattened,
  Enumeration
};

struct Parameter {
  StringRef name;
  Kind kind = Kind::Any;
  /// As in the table, for messages.
  StringRef kindName;
  bool isOptional = false, hasDefault = false;
  StringRef defaultText;
};

/// A row of TodayOps.td.
struct Row {
  StringRef name;
  SmallVector<Slot> operands;
  SmallVector<Parameter> attributes;
  SmallVector<Slot> results;
  StringRef target;
  SmallVector<StringRef> ignored;
  Rule rule;
  StringRef refused;
};

/// The op `ttir.<name>`; null if there is none.
const Row *findRow(StringRef name);

/// ", did you mean 'x'?" of the name that is nearest; empty if none is near.
std::string suggest(StringRef name, ArrayRef<StringRef> known);
std::string suggestOp(StringRef name);

} // namespace mlir::tt::today

#endif

#include "conversion/TodayToTTIR/Table.h"

#include "conversion/TodayToTTIR/Rules.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/Twine.h"

using namespace mlir;
using namespace mlir::tt::today;

static SmallVector<Slot> readSlots(StringRef text) {
  SmallVector<Slot> slots;
  SmallVector<StringRef> names;
  text.split(names, ", ", /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  for (StringRef name : names) {
    Slot slot;
    while (!name.empty() && StringRef("?*!^").contains(name.back())) {
      slot.isOptional |= name.back() == '?';
      slot.isVariadic |= name.back() == '*';
      slot.isChanged |= name.back() == '!';
      slot.isDestination |= name.back() == '^';
      name = name.drop_back();
    }
    slot.name = name;
    slots.push_back(slot);
  }
  return slots;
}

static SmallVector<Parameter> readParameters(StringRef text) {
  SmallVector<Parameter> parameters;
  SmallVector<StringRef> items;
  text.split(items, "; ", /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  for (StringRef item : items) {
    Parameter parameter;
    auto [name, kind] = item.split(": ");
    parameter.isOptional = name.consume_back("?");
    parameter.name = name;
    parameter.hasDefault = kind.contains('=');
    std::tie(kind, parameter.defaultText) = kind.split('=');
    parameter.kindName = kind;
    parameter.kind = llvm::StringSwitch<Kind>(kind)
                         .Case("bool", Kind::Bool)
                         .Case("i32", Kind::I32)
                         .Case("si32", Kind::SI32)
                         .Case("ui32", Kind::UI32)
                         .Case("i64", Kind::I64)
                         .Case("si64", Kind::SI64)
                         .Case("f32", Kind::F32)
                         .Case("str", Kind::String)
                         .Case("[i32]", Kind::I32ArrayAttr)
                         .Case("array<i32>", Kind::DenseI32)
                         .Case("array<i64>", Kind::DenseI64)
                         .Case("dense<i64>", Kind::ElementsI64)
                         .Case("elements", Kind::Elements)
                         .Case("window", Kind::Window)
                         .Case("number", Kind::Number)
                         .Case("flattened", Kind::Flattened)
                         .StartsWith("#ttcore.", Kind::Enumeration)
                         .Default(Kind::Any);
    parameters.push_back(parameter);
  }
  return parameters;
}

static const llvm::StringMap<Row> &rows() {
  static const llvm::StringMap<Row> table = [] {
    llvm::StringMap<Row> made;
#define ROW(n, o, a, r, t, i, f, w)                                            \
  {                                                                            \
    Row row{n, readSlots(o), readParameters(a), readSlots(r),                  \
            t, {},           rules::f,          w};                            \
    StringRef(i).split(row.ignored, ", ", /*MaxSplit=*/-1,                     \
                       /*KeepEmpty=*/false);                                   \
    made[n] = std::move(row);                                                  \
  }
    TTMLIR_TODAY_OPS(ROW)
#undef ROW
    return made;
  }();
  return table;
}

const Row *mlir::tt::today::findRow(StringRef name) {
  auto found = rows().find(name);
  return found == rows().end() ? nullptr : &found->second;
}

std::string mlir::tt::today::suggest(StringRef name,
                                     ArrayRef<StringRef> known) {
  unsigned best = std::max<size_t>(2, name.size() / 4) + 1;
  StringRef nearest;
  for (StringRef other : known) {
    unsigned distance = name.edit_distance(other, true, best);
    // Of equally near ones the first of the alphabet.
    if (distance < best || (distance == best && other < nearest)) {
      best = distance;
      nearest = other;
    }
  }
  return nearest.empty() ? std::string()
                         : (", did you mean '" + nearest + "'?").str();
}

std::string mlir::tt::today::suggestOp(StringRef name) {
  SmallVector<StringRef> names;
  for (StringRef known : rows().keys())
    names.push_back(known);
  return suggest(name, names);
}

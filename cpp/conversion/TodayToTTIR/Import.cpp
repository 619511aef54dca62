#include "conversion/TodayToTTIR/Import.h"

#include "dialects/TT/Elements.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/Quant/IR/QuantTypes.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tt::today;

/// Deeper locations, such as calls in calls, lose what is behind.
static constexpr unsigned kMaxLocationDepth = 200;

Location Import::location(Location old) {
  auto found = locations.find(old);
  if (found != locations.end())
    return found->second;
  if (depth >= kMaxLocationDepth)
    return UnknownLoc::get(context);
  ++depth;
  Location made = rebuild(old);
  --depth;
  locations.insert({old, made});
  return made;
}

Location Import::rebuild(Location old) {
  auto text = [&](StringAttr name) {
    return StringAttr::get(context, name.getValue());
  };
  return llvm::TypeSwitch<Location, Location>(old)
      .Case([&](FileLineColRange range) -> Location {
        StringAttr file = text(range.getFilename());
        if (isStrictFileLineColLoc(range))
          return FileLineColLoc::get(file, range.getStartLine(),
                                     range.getStartColumn());
        return FileLineColRange::get(file, range.getStartLine(),
                                     range.getStartColumn(), range.getEndLine(),
                                     range.getEndColumn());
      })
      .Case([&](NameLoc name) {
        return NameLoc::get(text(name.getName()), location(name.getChildLoc()));
      })
      .Case([&](CallSiteLoc call) {
        return CallSiteLoc::get(location(call.getCallee()),
                                location(call.getCaller()));
      })
      .Case([&](FusedLoc fused) {
        SmallVector<Location> parts;
        for (Location part : fused.getLocations())
          parts.push_back(location(part));
        return FusedLoc::get(context, parts);
      })
      .Default([&](Location) { return UnknownLoc::get(context); });
}

Type Import::type(Type old) {
  return llvm::TypeSwitch<Type, Type>(old)
      .Case([&](IntegerType integer) -> Type {
        unsigned width = integer.getWidth();
        if (width == 1)
          return IntegerType::get(context, 1);
        if (width != 8 && width != 16 && width != 32 && width != 64)
          return nullptr;
        return IntegerType::get(context, width,
                                integer.isUnsigned() ? IntegerType::Unsigned
                                                     : IntegerType::Signed);
      })
      .Case([&](Float16Type) { return Float16Type::get(context); })
      .Case([&](BFloat16Type) { return BFloat16Type::get(context); })
      .Case([&](Float32Type) { return Float32Type::get(context); })
      .Case([&](Float64Type) { return Float64Type::get(context); })
      .Case([&](quant::QuantizedType) -> Type {
        if (!context->getOrLoadDialect("quant"))
          return nullptr;
        // A scale or a type of the storage that is wrong is an error already.
        std::string text;
        llvm::raw_string_ostream(text) << old;
        return parseType(text, context);
      })
      .Case([&](RankedTensorType tensor) -> Type {
        Type element = type(tensor.getElementType());
        if (!element || !tensor.hasStaticShape())
          return nullptr;
        return RankedTensorType::get(tensor.getShape(), element);
      })
      .Default([](Type) { return Type(); });
}

Attribute Import::attribute(Attribute old) {
  Builder builder(context);
  return llvm::TypeSwitch<Attribute, Attribute>(old)
      .Case([&](UnitAttr) { return builder.getUnitAttr(); })
      .Case(
          [&](BoolAttr value) { return builder.getBoolAttr(value.getValue()); })
      .Case([&](StringAttr value) {
        return builder.getStringAttr(value.getValue());
      })
      .Case([&](IntegerAttr value) -> Attribute {
        auto type = dyn_cast<IntegerType>(value.getType());
        if (!type)
          return builder.getIndexAttr(value.getValue().getSExtValue());
        return IntegerAttr::get(
            IntegerType::get(context, type.getWidth(), type.getSignedness()),
            value.getValue());
      })
      .Case([&](FloatAttr value) -> Attribute {
        Type element = type(value.getType());
        return element ? FloatAttr::get(element, value.getValue()) : nullptr;
      })
      .Case([&](DenseI32ArrayAttr value) {
        return builder.getDenseI32ArrayAttr(value);
      })
      .Case([&](DenseI64ArrayAttr value) {
        return builder.getDenseI64ArrayAttr(value);
      })
      .Case([&](ArrayAttr value) -> Attribute {
        SmallVector<Attribute> items;
        for (Attribute item : value) {
          items.push_back(attribute(item));
          if (!items.back())
            return nullptr;
        }
        return builder.getArrayAttr(items);
      })
      .Default([](Attribute) { return Attribute(); });
}

DenseElementsAttr Import::elements(Attribute old, RankedTensorType type) {
  auto given = dyn_cast<ElementsAttr>(old);
  if (!given || !type || this->type(given.getShapedType()) != type)
    return nullptr;
  return getDenseElements(given, type);
}

std::optional<StringRef> mlir::tt::today::bodyOf(Attribute attribute,
                                                 StringRef mnemonic) {
  auto opaque = dyn_cast_or_null<OpaqueAttr>(attribute);
  if (!opaque)
    return std::nullopt;
  // `#dialect.mnemonic<body>` or `#dialect<mnemonic body>`.
  StringRef text = opaque.getAttrData().trim();
  if (text.consume_front("<") && !text.consume_back(">"))
    return std::nullopt;
  text = text.trim();
  if (!text.consume_front(mnemonic))
    return std::nullopt;
  if (text.consume_front("<"))
    return text.consume_back(">") ? std::optional(text.trim()) : std::nullopt;
  if (!text.empty() && text.front() != ' ')
    return std::nullopt;
  return text.trim();
}

std::optional<SmallVector<int64_t>>
mlir::tt::today::integersOf(Attribute attribute) {
  SmallVector<int64_t> values;
  auto add = [&](const APInt &value, bool isUnsigned) {
    std::optional<int64_t> number =
        isUnsigned && value.getActiveBits() > 63 ? std::nullopt
        : isUnsigned ? std::optional<int64_t>(value.getZExtValue())
                     : value.trySExtValue();
    if (number)
      values.push_back(*number);
    return number.has_value();
  };
  if (auto integer = dyn_cast_or_null<IntegerAttr>(attribute)) {
    if (isa<BoolAttr>(attribute) ||
        !add(integer.getValue(), integer.getType().isUnsignedInteger()))
      return std::nullopt;
    return values;
  }
  if (auto dense = dyn_cast_or_null<DenseI32ArrayAttr>(attribute)) {
    values.append(dense.asArrayRef().begin(), dense.asArrayRef().end());
    return values;
  }
  if (auto dense = dyn_cast_or_null<DenseI64ArrayAttr>(attribute)) {
    values.append(dense.asArrayRef().begin(), dense.asArrayRef().end());
    return values;
  }
  if (auto dense = dyn_cast_or_null<DenseIntElementsAttr>(attribute)) {
    // What a splat stands for may be anything; lists of attributes are short.
    if (dense.getNumElements() > (1 << 20))
      return std::nullopt;
    for (const APInt &value : dense.getValues<APInt>())
      if (!add(value, dense.getElementType().isUnsignedInteger()))
        return std::nullopt;
    return values;
  }
  if (auto array = dyn_cast_or_null<ArrayAttr>(attribute)) {
    for (Attribute item : array) {
      auto integer = dyn_cast<IntegerAttr>(item);
      if (!integer ||
          !add(integer.getValue(), integer.getType().isUnsignedInteger()))
        return std::nullopt;
    }
    return values;
  }
  return std::nullopt;
}

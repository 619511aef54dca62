#include "conversion/TodayToTTIR/Call.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::tt::today;

std::string mlir::tt::today::show(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

std::string mlir::tt::today::show(Attribute attribute) {
  std::string text;
  llvm::raw_string_ostream os(text);
  // Elements may be many.
  if (isa<ElementsAttr>(attribute))
    os << "elements of " << cast<ElementsAttr>(attribute).getShapedType();
  else if (auto opaque = dyn_cast<OpaqueAttr>(attribute))
    os << '#' << opaque.getDialectNamespace().getValue() << '.'
       << opaque.getAttrData();
  else
    os << attribute;
  if (text.size() > 100)
    text = text.substr(0, 100) + "...";
  return text;
}

FailureOr<Attribute> Call::convert(const Parameter &parameter,
                                   Attribute given) {
  Builder builder(import.getContext());
  auto integer = [&](Type type) -> FailureOr<Attribute> {
    auto numbers = integersOf(given);
    unsigned width = type.getIntOrFloatBitWidth();
    if (!numbers || numbers->size() != 1 || !isa<IntegerAttr>(given))
      return failure();
    int64_t value = numbers->front();
    bool fits = type.isUnsignedInteger()
                    ? llvm::isUIntN(width, value) && value >= 0
                    : llvm::isIntN(width, value);
    if (!fits)
      return failure();
    return Attribute(IntegerAttr::get(
        type, APInt(width, value, /*isSigned=*/!type.isUnsignedInteger())));
  };
  auto list = [&](auto make) -> FailureOr<Attribute> {
    auto numbers = integersOf(given);
    if (!numbers)
      return failure();
    return Attribute(make(*numbers));
  };
  auto narrow =
      [](ArrayRef<int64_t> numbers) -> std::optional<SmallVector<int32_t>> {
    SmallVector<int32_t> narrowed;
    for (int64_t number : numbers) {
      if (!llvm::isInt<32>(number))
        return std::nullopt;
      narrowed.push_back(number);
    }
    return narrowed;
  };
  auto floating = [&]() -> FailureOr<Attribute> {
    auto value = dyn_cast<FloatAttr>(given);
    if (!value)
      return failure();
    return Attribute(builder.getF32FloatAttr(value.getValueAsDouble()));
  };
  switch (parameter.kind) {
  case Kind::Bool:
    if (auto value = dyn_cast<BoolAttr>(given))
      return Attribute(builder.getBoolAttr(value.getValue()));
    return failure();
  case Kind::I32:
    return integer(builder.getIntegerType(32));
  case Kind::SI32:
    return integer(builder.getIntegerType(32, true));
  case Kind::UI32:
    return integer(builder.getIntegerType(32, false));
  case Kind::I64:
    return integer(builder.getIntegerType(64));
  case Kind::SI64:
    return integer(builder.getIntegerType(64, true));
  case Kind::F32:
    return floating();
  case Kind::String:
    if (auto value = dyn_cast<StringAttr>(given))
      return Attribute(builder.getStringAttr(value.getValue()));
    return failure();
  case Kind::I32ArrayAttr:
    return list([&](ArrayRef<int64_t> numbers) -> Attribute {
      auto narrowed = narrow(numbers);
      return narrowed ? builder.getI32ArrayAttr(*narrowed) : Attribute();
    });
  case Kind::Window:
  case Kind::DenseI32:
    return list([&](ArrayRef<int64_t> numbers) -> Attribute {
      auto narrowed = narrow(numbers);
      return narrowed ? builder.getDenseI32ArrayAttr(*narrowed) : Attribute();
    });
  case Kind::DenseI64:
    return list([&](ArrayRef<int64_t> numbers) -> Attribute {
      return builder.getDenseI64ArrayAttr(numbers);
    });
  case Kind::ElementsI64: {
    auto elements = dyn_cast<DenseIntElementsAttr>(given);
    auto numbers = integersOf(given);
    if (!elements || !numbers)
      return failure();
    return Attribute(DenseIntElementsAttr::get(
        RankedTensorType::get(elements.getType().getShape(),
                              builder.getI64Type()),
        ArrayRef<int64_t>(*numbers)));
  }
  case Kind::Number:
    if (isa<FloatAttr>(given))
      return floating();
    return integer(builder.getI64Type());
  case Kind::Elements: {
    auto elements = dyn_cast<ElementsAttr>(given);
    if (!elements)
      return failure();
    return Attribute(
        import.elements(given, import.tensor(elements.getShapedType())));
  }
  case Kind::Flattened:
    if (auto body = bodyOf(given, "flattened_compat"))
      return Attribute(builder.getStringAttr(*body));
    return failure();
  case Kind::Enumeration: {
    StringRef name =
        parameter.kindName.drop_front(StringRef("#ttcore.").size());
    if (auto body = bodyOf(given, name))
      return Attribute(builder.getStringAttr(*body));
    return failure();
  }
  case Kind::Any:
    return import.attribute(given);
  }
  llvm_unreachable("all kinds are there");
}

Attribute mlir::tt::today::parseDefault(const Parameter &parameter,
                                        Builder &builder) {
  StringRef text = parameter.defaultText;
  double number = 0;
  int64_t integer = 0;
  switch (parameter.kind) {
  case Kind::Bool:
    return builder.getBoolAttr(text == "true");
  case Kind::F32:
    (void)text.getAsDouble(number);
    return builder.getF32FloatAttr(number);
  case Kind::I32:
  case Kind::SI32:
  case Kind::UI32:
  case Kind::I64:
  case Kind::SI64: {
    (void)text.getAsInteger(10, integer);
    unsigned width =
        parameter.kind == Kind::I64 || parameter.kind == Kind::SI64 ? 64 : 32;
    Type type =
        parameter.kind == Kind::I32 || parameter.kind == Kind::I64
            ? builder.getIntegerType(width)
            : builder.getIntegerType(width, parameter.kind != Kind::UI32);
    return IntegerAttr::get(type, APInt(width, integer, true));
  }
  default:
    return builder.getStringAttr(text);
  }
}

LogicalResult Call::bindAttributes() {
  Builder builder(import.getContext());
  auto find = [&](StringRef name) -> Attribute {
    if (auto inherent =
            dyn_cast_or_null<DictionaryAttr>(old->getPropertiesAsAttribute()))
      if (Attribute value = inherent.get(name))
        return value;
    return old->getAttr(name);
  };
  for (const Parameter &parameter : row.attributes) {
    Attribute value = find(parameter.name);
    if (!value) {
      if (parameter.hasDefault)
        attributes[parameter.name] = parseDefault(parameter, builder);
      else if (!parameter.isOptional)
        return refuse("expected an attribute '" + parameter.name + "' of " +
                      parameter.kindName);
      continue;
    }
    FailureOr<Attribute> converted = convert(parameter, value);
    if (failed(converted) || !*converted)
      return refuse("attribute '" + parameter.name + "': expected " +
                    (parameter.kind == Kind::Window   ? "a number or array<i32>"
                     : parameter.kind == Kind::Number ? "an f32 or an integer"
                     : parameter.kind == Kind::Flattened
                         ? "#ttir<flattened_compat ...>"
                         : parameter.kindName) +
                    ", found " + show(value));
    attributes[parameter.name] = *converted;
    stated.push_back(parameter.name);
  }
  // What stands among the properties is the op's own.
  if (auto inherent =
          dyn_cast_or_null<DictionaryAttr>(old->getPropertiesAsAttribute())) {
    SmallVector<StringRef> known;
    for (const Parameter &parameter : row.attributes)
      known.push_back(parameter.name);
    for (NamedAttribute attribute : inherent) {
      StringRef name = attribute.getName();
      if (name != "operandSegmentSizes" && name != "resultSegmentSizes" &&
          name != "operand_constraints" && !llvm::is_contained(known, name))
        return refuse("it has no attribute '" + name + "'" +
                      suggest(name, known));
    }
  }
  return success();
}

//===- LegalElements.cpp - types and constants of the border --------------===//

#include "dialects/TT/Bounds.h"
#include "dialects/TT/Elements.h"
#include "dialects/TTIR/Transforms/Types/LegalTypes.h"
#include "dialects/TTIR/Transforms/Types/Quantized.h"
#include "dialects/TTIR/Transforms/Types/SmallTypes.h"

namespace mlir::tt::ttir {

bool isBool(Type type) { return getElementTypeOrSelf(type).isInteger(1); }

bool isEmpty(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && llvm::is_contained(tensor.getShape(), 0);
}

Type getLegalElement(Type element) {
  MLIRContext *context = element.getContext();
  if (isa<TileType, Float16Type, BFloat16Type, Float32Type>(element))
    return element;
  if (isa<Float64Type>(element))
    return Float32Type::get(context);
  if (isSmallFloat(element))
    return BFloat16Type::get(context);
  if (auto quantized = dyn_cast<quant::QuantizedType>(element))
    return getStorage(quantized);
  auto integer = dyn_cast<IntegerType>(element);
  if (!integer)
    return {};
  switch (integer.getWidth()) {
  case 1:
    return IntegerType::get(context, 8, IntegerType::Unsigned);
  case 2:
  case 4:
    return IntegerType::get(context, 8,
                            integer.isSigned() ? IntegerType::Signed
                                               : IntegerType::Unsigned);
  case 8:
  case 16:
  case 32:
    return element;
  case 64:
    return IntegerType::get(context, 32,
                            integer.isSigned() ? IntegerType::Signed
                                               : IntegerType::Unsigned);
  default:
    return {};
  }
}

RankedTensorType getLegalType(RankedTensorType type) {
  Type element = getLegalElement(type.getElementType());
  if (!element)
    return {};
  SmallVector<int64_t> shape(type.getShape());
  if (isEmpty(type))
    shape.assign(shape.size(), 1);
  // Tensors with a layout have been legal for the one who gave it.
  if (type.getEncoding())
    return element == type.getElementType() && !isEmpty(type)
               ? type
               : RankedTensorType();
  if (shape.empty())
    shape.push_back(1);
  return RankedTensorType::get(shape, element);
}

/// `[1, 2]`, the place of an element by its number.
static std::string placeOf(int64_t number, ArrayRef<int64_t> shape) {
  SmallVector<int64_t> index(shape.size());
  for (size_t d = shape.size(); d-- > 0; number /= shape[d])
    index[d] = number % shape[d];
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "[";
  llvm::interleaveComma(index, os);
  os << "]";
  return text;
}

/// Integers of 64 bits; null after an error for one that 32 do not hold.
static DenseElementsAttr narrowIntegers(Operation *op, DenseElementsAttr dense,
                                        RankedTensorType type) {
  Type element = type.getElementType();
  bool isSigned = element.isSignedInteger();
  SmallVector<APInt> numbers;
  int64_t number = 0;
  for (const APInt &wide : dense.getValues<APInt>()) {
    if (isSigned ? !wide.isSignedIntN(32) : !wide.isIntN(32)) {
      SmallString<24> text;
      wide.toString(text, 10, isSigned);
      op->emitOpError("has an element that does not fit: expected ")
          << (isSigned ? "-2147483648 to 2147483647, si64 is computed in 32 "
                         "bits"
                       : "0 to 4294967295, unsigned i64 is computed in 32 bits")
          << ", found " << text << " at "
          << placeOf(number, dense.getType().getShape());
      return {};
    }
    numbers.push_back(wide.trunc(32));
    ++number;
    if (dense.isSplat())
      break;
  }
  return DenseElementsAttr::get(type, ArrayRef<APInt>(numbers));
}

static DenseElementsAttr narrowFloats(Operation *op, DenseElementsAttr dense,
                                      RankedTensorType type) {
  SmallVector<float> numbers;
  int64_t rounded = 0;
  for (double wide : dense.getValues<double>()) {
    numbers.push_back(static_cast<float>(wide));
    rounded += wide == wide && static_cast<double>(numbers.back()) != wide;
    if (dense.isSplat())
      break;
  }
  if (rounded)
    if (auto remark = kTypeRemarks.passed(op, "Rounded"))
      remark << reason("{0} elements of f64 are no numbers of f32, to which "
                       "they are rounded",
                       dense.isSplat() ? dense.getNumElements() : rounded)
             << rejected("f64: the machine has no such format");
  return DenseElementsAttr::get(type, ArrayRef<float>(numbers));
}

ElementsAttr getLegalElements(Operation *op, ElementsAttr value) {
  auto source = cast<RankedTensorType>(value.getType());
  RankedTensorType type = getLegalType(source);
  if (type == source)
    return value;
  if (isEmpty(source)) {
    Builder builder(op->getContext());
    return DenseElementsAttr::get(
        type, Attribute(builder.getZeroAttr(type.getElementType())));
  }
  DenseElementsAttr dense = getDenseElements(value, source);
  if (!dense) {
    op->emitOpError("expected dense elements that are in the file, found ")
        << source;
    return {};
  }
  Type from = source.getElementType(), to = type.getElementType();
  if (from == to)
    return dense.reshape(type);
  if (isBool(from)) {
    if (dense.isSplat())
      return DenseElementsAttr::get(
          type, ArrayRef<APInt>(dense.getSplatValue<APInt>().zext(8)));
    SmallVector<APInt> bits;
    for (const APInt &bit : dense.getValues<APInt>())
      bits.push_back(bit.zext(8));
    return DenseElementsAttr::get(type, ArrayRef<APInt>(bits));
  }
  if (isSmall(from))
    return widenElements(dense, type);
  if (isa<FloatType>(from))
    return narrowFloats(op, dense, type);
  return narrowIntegers(op, dense, type);
}

} // namespace mlir::tt::ttir
